//! The first command of the README: from a fresh clone to two verified proofs, made by a backend that was loaded from
//! its file.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::cmd::Cmd;
use crate::step::{shown, step};
use crate::{paths, system};

/// The circuit that is proved, and what a proof of it says.
const CIRCUIT: &str = "membership";
const STATEMENT: &str = "I belong to this group, and I speak here for the first time.";
const CURVES: [(&str, &str); 2] = [("bn254", "BN254"), ("bls12-381", "BLS12-381")];

/// Builds, installs, proves, verifies, tells.
pub(crate) fn run() -> Result<()> {
    step("C compiler", system::ensure_c_compiler)?;
    step("build Interlock and its CPU backend", || {
        Cmd::cargo()
            .args(["build", "--release", "--package", "interlock", "--package", "interlock-cpu"])
            .run()
    })?;
    let prefix = step("install in target/demo", Prefix::install)?;
    step("backends found", || Cmd::new(&prefix.interlock).arg("backends").run())?;

    let mut proofs = Vec::new();
    for (folder, curve) in CURVES {
        proofs.push(step(&format!("prove and verify on {curve}"), || prefix.prove(folder, curve))?);
    }
    print_summary(&prefix, &proofs);
    Ok(())
}

/// Interlock as it lies on a machine where it is installed.
struct Prefix {
    dir: PathBuf,
    interlock: PathBuf,
    backend: PathBuf,
}

/// What is told of a proof.
struct Proof {
    curve: &'static str,
    constraints: u64,
    time: Duration,
    bytes: u64,
    backend: String,
}

impl Prefix {
    fn install() -> Result<Self> {
        let dir = paths::at("target/demo");
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        let (bin, backends) = (dir.join("bin"), dir.join("lib/interlock/backends"));
        fs::create_dir_all(&bin)?;
        fs::create_dir_all(&backends)?;

        let program = format!("interlock{}", std::env::consts::EXE_SUFFIX);
        let interlock = bin.join(&program);
        fs::copy(paths::built("release", &program), &interlock).context("cannot copy the program")?;
        // Only what `plugin install` has hashed and described in a manifest is loaded.
        let library = paths::built("release", &paths::cpu_backend_file());
        Cmd::new(&interlock).args(["plugin", "install", "--to"]).args([&backends, &library]).quiet()?;
        let backend = backends.join(paths::cpu_backend_file());
        ensure!(backend.is_file(), "{} was not installed", paths::shown(&backend));
        Ok(Self { dir, interlock, backend })
    }

    fn prove(&self, folder: &str, curve: &'static str) -> Result<Proof> {
        let fixture = paths::at("tests/fixtures").join(folder).join(CIRCUIT);
        let out = self.dir.join(folder);
        fs::create_dir_all(&out)?;
        let (proof, public) = (out.join("proof.json"), out.join("public.json"));

        let report = Cmd::new(&self.interlock)
            .args(["prove", "--json", "--backend"])
            .arg(&self.backend)
            .args([fixture.join("circuit.zkey"), fixture.join("witness.wtns"), proof.clone(), public.clone()])
            .quiet()?;
        let report: Value =
            serde_json::from_str(&report).context("`interlock prove --json` did not print JSON")?;
        let field = |at: &str| report.pointer(at).with_context(|| format!("`interlock prove` tells no {at}"));
        let text = |at: &str| field(at).map(|value| value.as_str().unwrap_or_default());
        // Only a backend that came from a file has a hash.
        ensure!(!text("/backend/sha256")?.is_empty(), "the embedded backend proved, not the loaded one");

        let key = fixture.join("verification_key.json");
        Cmd::new(&self.interlock).arg("verify").args([&key, &public, &proof]).quiet()?;
        Ok(Proof {
            curve,
            constraints: field("/key/constraints")?.as_u64().unwrap_or_default(),
            time: Duration::from_secs_f64(field("/total_ms")?.as_f64().unwrap_or_default() / 1e3),
            bytes: fs::metadata(&proof)?.len(),
            backend: format!("{} {}", text("/backend/name")?, text("/backend/version")?),
        })
    }
}

fn print_summary(prefix: &Prefix, proofs: &[Proof]) {
    println!("\n  {CIRCUIT}: \"{STATEMENT}\"\n");
    println!("  {:<11}{:>12}{:>12}{:>14}   verified", "curve", "constraints", "proved in", "proof");
    for proof in proofs {
        let (time, bytes) = (shown(proof.time), format!("{} bytes", proof.bytes));
        println!("  {:<11}{:>12}{time:>12}{bytes:>14}   yes", proof.curve, proof.constraints);
    }
    let backend = proofs.first().map_or("", |proof| &proof.backend);
    println!("\n  backend   {backend}, loaded from {}", paths::shown(&prefix.backend));
    println!("  proofs    {}/*/proof.json, as snarkjs reads them", paths::shown(&prefix.dir));
    println!("  program   {} --help\n", paths::shown(&prefix.interlock));
}
