//! Set-up, code generation and checks that are more than one cargo command: `cargo xtask COMMAND`.
//!
//! | module | holds |
//! |---|---|
//! | [`demo`] | the first command of the README: build, load the CPU backend from a file, prove, verify |
//! | [`mod@test`], [`check`] | everything that must pass; the quick part of it |
//! | [`header`] | the C header of the wire ABI, generated and checked |
//! | [`fixtures`] | circuits, keys, witnesses and proofs that the tests use |
//! | [`judges`] | the tests in which other people's provers and verifiers judge our proofs |
//! | [`peers`] | the same proofs by other provers, measured in turn with ours |
//! | [`mod@fuzz`] | the fuzz targets, for a number of runs each |
//! | [`cuda`] | the CUDA compiler, and compiling the kernels |
//! | [`deny`] | licences, sources and advisories of the dependencies |
//! | [`node`] | the independent judges of the tests: circom and snarkjs |
//! | [`system`], [`cmd`], [`step`], [`paths`] | programs of the machine, running them, telling what runs, where things lie |

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool talks to a person")]

mod check;
mod cmd;
mod cuda;
mod demo;
mod deny;
mod fixtures;
mod fuzz;
mod header;
mod judges;
mod node;
mod paths;
mod peers;
mod step;
mod system;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo                      build Interlock, load the CPU backend from its file, prove and verify on both curves
  test [--offline]          everything that must pass, with the tools and fixtures it needs; --offline: without the
                            keys that are fetched from npm
  judges                    other people's provers and verifiers judge our proofs: Zcash Sapling with its ceremony's
                            parameters, bellperson (tests/judges, a workspace of its own; part of `test`)
  check                     the quick part: format, lints, generated header, unit tests
  header [--check]          write the C header of the wire ABI; --check: compare and compile it instead
  fixtures [--circomlib-only | --npm-only] [--offline]
                            make the circuits, keys and proofs of the tests, and fetch the published keys of Semaphore,
                            Unirep and RLN from npm (150 MB, once); --offline: but those
  fixtures --check          verify the committed ones
  bench-peers [--pairs N] [--only NAME]... [--sizes A..B] [--all-sizes] [--curve C] [--threads N] [--add] [--no-build]
                            measure Interlock and other provers in turn: docs/performance.md, docs/peers.svg. NAME is a
                            part of the names that `bench-peers --list` prints; --add keeps earlier results of other names
  bench-peers --render      write both again from target/peers/results.json
  fuzz [TARGET...] [--runs N] [--jobs N] [--sanitizer address|none] [--no-trace-compares]
                            run the fuzz targets (all), each 10 million times; takes a nightly toolchain and cargo-fuzz
  deny                      licences, sources and advisories of the dependencies
  cuda-toolkit              install the CUDA compiler below target/ and print where its nvcc is
  kernels                   compile the CUDA kernels to target/cuda, by NVCC, CUDA_HOME, PATH or that compiler (part of `test`)
  snarkjs                   install circom and snarkjs for the tests and print their folder
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["--help" | "-h" | "help"] => {
            print!("{USAGE}");
            Ok(())
        }
        ["demo"] => demo::run(),
        ["test"] => test::run(false),
        ["test", "--offline"] => test::run(true),
        ["judges"] => judges::run(),
        ["check"] => check::run(),
        ["header"] => header::write(),
        ["header", "--check"] => header::check(),
        ["fixtures"] => fixtures::make_all(false),
        ["fixtures", "--offline"] => fixtures::make_all(true),
        ["fixtures", "--circomlib-only"] => fixtures::make_circomlib(),
        ["fixtures", "--npm-only"] => fixtures::make_npm(false),
        ["fixtures", "--npm-only", "--offline"] => fixtures::make_npm(true),
        ["fixtures", "--check"] => fixtures::check_committed(),
        ["bench-peers", rest @ ..] => peers::run(rest),
        ["fuzz", words @ ..] => fuzz::run(words),
        ["deny"] => deny::run(),
        ["cuda-toolkit"] => cuda::toolkit().map(|nvcc| println!("{}", nvcc.display())),
        ["kernels"] => cuda::kernels(),
        ["snarkjs"] => node::Tools::ensure().map(|tools| println!("{}", tools.modules().display())),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
