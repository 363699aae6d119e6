//! Programs, circuits, keys and points, made once and kept in `target/peers`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::plan::{Comparison, Kind, Peer, size_name};
use crate::cmd::Cmd;
use crate::fixtures::{Curve, SEED, Stamp, make_for_benchmarks};
use crate::node::Tools;
use crate::step::step;
use crate::{paths, system};

/// What the comparisons are made with.
pub(super) struct Shop {
    tools: Tools,
    /// Our command line.
    pub(super) interlock: PathBuf,
    /// Our CPU backend's library.
    pub(super) plugin: PathBuf,
}

/// The files of a circuit on a curve.
pub(super) struct Circuit(PathBuf);

impl Circuit {
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The key of a prover.
    pub(super) fn key(&self, peer: Peer) -> PathBuf {
        self.file(match peer {
            Peer::Arkworks => "arkworks.key",
            Peer::Bellperson => "bellperson.params",
            Peer::Snarkjs | Peer::Blst => "circuit.zkey",
        })
    }
}

impl Shop {
    /// Builds, unless told not to, and installs.
    pub(super) fn open(build: bool) -> Result<Self> {
        step("C compiler", system::ensure_c_compiler)?;
        let tools = step("snarkjs", Tools::ensure)?;
        let cargo = || Cmd::cargo().args(["build", "--release", "--workspace", "--locked"]);
        if build {
            // As it is shipped, and with the features of the whole workspace.
            step("Interlock", || cargo().run())?;
            let peers = cargo().dir(&paths::at("tests/peers")).env("CARGO_TARGET_DIR", build_folder());
            step("the peers", || peers.run())?;
        }
        let interlock = paths::built("release", &format!("interlock{}", std::env::consts::EXE_SUFFIX));
        let plugin = paths::built("release", &paths::cpu_backend_file());
        for file in [&interlock, &plugin, &Self::program("ours-inputs"), &Self::program("peer-arkworks")] {
            ensure!(file.is_file(), "{} was not built", paths::shown(file));
        }
        Ok(Self { tools, interlock, plugin })
    }

    /// A program of `tests/peers`.
    pub(super) fn program(name: &str) -> PathBuf {
        build_folder().join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// snarkjs' script.
    pub(super) fn snarkjs(&self) -> PathBuf {
        self.tools.modules().join("snarkjs/build/cli.cjs")
    }

    /// The circuit of a comparison.
    pub(super) fn circuit(comparison: &Comparison) -> Circuit {
        Circuit(kept().join("circuits").join(comparison.curve.name()).join(&comparison.input))
    }

    /// Points and scalars of a comparison.
    pub(super) fn points(comparison: &Comparison) -> [PathBuf; 2] {
        let dir = kept().join("points").join(&comparison.input);
        [dir.join("points"), dir.join("scalars")]
    }

    /// Makes what a comparison needs and is not there.
    pub(super) fn inputs(&self, comparison: &Comparison) -> Result<()> {
        match comparison.kind {
            Kind::Sum => self.sum(comparison),
            Kind::Files | Kind::Memory => {
                let circuit = Self::circuit(comparison);
                let (name, curve) = (&comparison.input, comparison.curve);
                make_for_benchmarks(&self.tools, name, curve, &circuit.0, &self.interlock)?;
                self.peers_key(&circuit, comparison)
            }
            Kind::Sizes => {
                let circuit = Self::circuit(comparison);
                self.of_size(&circuit, comparison)?;
                self.peers_key(&circuit, comparison)
            }
        }
    }

    fn sum(&self, comparison: &Comparison) -> Result<()> {
        let [points, scalars] = Self::points(comparison);
        let dir = points.parent().expect("points lie in a folder");
        let stamp = Stamp::of(&comparison.input, &sources())?;
        if stamp.is_on(dir) {
            return Ok(());
        }
        let (group, _) = comparison.input.split_once('_').context("a group and a size")?;
        step(&format!("points and scalars {}", comparison.input), || {
            stamp.fill(dir, |dir| {
                let into = |file: &Path| dir.join(file.file_name().expect("a file has a name"));
                Cmd::new(Self::program("ours-inputs"))
                    .args(["--sums", &comparison.log_size.to_string(), "--curve", comparison.curve.name()])
                    .args(["--group", group, "--points"])
                    .arg(into(&points))
                    .arg("--scalars")
                    .arg(into(&scalars))
                    .quiet()
                    .map(drop)
            })
        })
    }

    /// The series' circuit, with our key of it.
    fn of_size(&self, circuit: &Circuit, comparison: &Comparison) -> Result<()> {
        let curve = comparison.curve.name();
        let what = format!("{} on {curve}", size_name(comparison.log_size));
        let stamp = Stamp::of(&what, &sources())?;
        if stamp.is_on(&circuit.0) {
            return Ok(());
        }
        step(&what, || {
            stamp.fill(&circuit.0, |dir| {
                let [r1cs, wtns, zkey, vkey] =
                    ["circuit.r1cs", "witness.wtns", "circuit.zkey", "verification_key.json"]
                        .map(|name| dir.join(name));
                Cmd::new(Self::program("ours-inputs"))
                    .args(["--circuit", &comparison.log_size.to_string(), "--curve", curve, "--r1cs"])
                    .arg(&r1cs)
                    .arg("--wtns")
                    .arg(wtns)
                    .quiet()?;
                let setup = Cmd::new(&self.interlock).args(["setup", "--seed", SEED]).args([r1cs, zkey]);
                setup.arg("--vkey").arg(vkey).quiet().map(drop)
            })
        })
    }

    /// A peer's own key of a circuit, made by the peer's generator.
    fn peers_key(&self, circuit: &Circuit, comparison: &Comparison) -> Result<()> {
        let key = circuit.key(comparison.peer);
        if key.is_file() {
            return Ok(());
        }
        let program = match comparison.peer {
            Peer::Arkworks => "peer-arkworks",
            Peer::Bellperson => "peer-bellperson",
            Peer::Snarkjs | Peer::Blst => return Ok(()),
        };
        let what = format!("{program}'s key of {} on {}", comparison.input, comparison.curve.name());
        step(&what, || {
            // Named when it is complete.
            let partial = key.with_extension("partial");
            Cmd::new(Self::program(program))
                .args(["--curve", comparison.curve.name(), "--r1cs"])
                .arg(circuit.file("circuit.r1cs"))
                .arg("--wtns")
                .arg(circuit.file("witness.wtns"))
                .arg("--make")
                .arg(&partial)
                .quiet()?;
            Ok(fs::rename(partial, &key)?)
        })
    }
}

/// Where everything lies.
pub(super) fn kept() -> PathBuf {
    paths::at("target/peers")
}

fn build_folder() -> PathBuf {
    kept().join("build")
}

/// What inputs are made from.
fn sources() -> Vec<PathBuf> {
    ["tests/peers/ours/src", "tests/peers/ours/src/sha256", "core/src/setup"].map(paths::at).to_vec()
}

/// The name of a curve as the programs of `tests/peers` take it.
pub(super) fn curve_argument(curve: Curve) -> [String; 2] {
    ["--curve".into(), curve.name().into()]
}
