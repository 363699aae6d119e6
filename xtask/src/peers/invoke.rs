//! The command lines.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::plan::{Comparison, Kind, Peer};
use super::prepare::{Shop, curve_argument, kept};
use crate::cmd::Cmd;
use crate::paths;

/// Who.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Ours,
    Peer,
}

/// A command line that can be run any number of times.
#[derive(Debug)]
pub(super) struct Invocation {
    program: PathBuf,
    args: Vec<OsString>,
    threads: usize,
    /// Where the proof and the public signals go, for those that write them.
    pub(super) writes: Option<[PathBuf; 2]>,
}

impl Invocation {
    /// What a side of a comparison runs.
    pub(super) fn of(shop: &Shop, comparison: &Comparison, side: Side, threads: usize) -> Result<Self> {
        match (side, comparison.peer) {
            (Side::Ours, _) if comparison.kind == Kind::Memory => {
                Ok(Self::our_library(shop, comparison, threads))
            }
            (_, Peer::Blst) => Self::sum(shop, comparison, side, threads),
            (Side::Ours, _) => Self::interlock(shop, comparison, threads),
            (Side::Peer, Peer::Snarkjs) => Self::snarkjs(shop, comparison, threads),
            (Side::Peer, peer) => Ok(Self::prover(comparison, peer, threads)),
        }
    }

    /// The command, ready to be started.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(kept());
        // Nothing of the user's settings, and as many threads as CPUs for those that do not look at the affinity.
        let ours = |name: &str| name.starts_with("INTERLOCK_") || name.starts_with("RUST_");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(ours)) {
            command.env_remove(name);
        }
        let threads = self.threads.to_string();
        command.env("RAYON_NUM_THREADS", &threads).env("EC_GPU_NUM_THREADS", &threads);
        let home = kept().join("home");
        command.env("HOME", &home).env("XDG_DATA_HOME", &home).env("XDG_CONFIG_HOME", &home);
        command
    }

    fn interlock(shop: &Shop, comparison: &Comparison, threads: usize) -> Result<Self> {
        let circuit = Shop::circuit(comparison);
        let writes = output("ours")?;
        let mut args: Vec<OsString> =
            ["prove", "-q", "--backend", "embedded", "--threads"].map(Into::into).into();
        args.push(threads.to_string().into());
        args.extend([circuit.file("circuit.zkey").into(), circuit.file("witness.wtns").into()]);
        args.extend(writes.iter().map(Into::into));
        Ok(Self { program: shop.interlock.clone(), args, threads, writes: Some(writes) })
    }

    fn snarkjs(shop: &Shop, comparison: &Comparison, threads: usize) -> Result<Self> {
        let circuit = Shop::circuit(comparison);
        let writes = output("peer")?;
        let mut args: Vec<OsString> = vec![shop.snarkjs().into(), "groth16".into(), "prove".into()];
        args.extend([circuit.file("circuit.zkey").into(), circuit.file("witness.wtns").into()]);
        args.extend(writes.iter().map(Into::into));
        Ok(Self { program: "node".into(), args, threads, writes: Some(writes) })
    }

    fn our_library(shop: &Shop, comparison: &Comparison, threads: usize) -> Self {
        let circuit = Shop::circuit(comparison);
        let files = [
            ("--key", circuit.file("circuit.zkey")),
            ("--wtns", circuit.file("witness.wtns")),
            ("--plugin", shop.plugin.clone()),
        ];
        Self::peers_program("ours-library", comparison, files, threads)
    }

    fn prover(comparison: &Comparison, peer: Peer, threads: usize) -> Self {
        let circuit = Shop::circuit(comparison);
        let files = [
            ("--r1cs", circuit.file("circuit.r1cs")),
            ("--wtns", circuit.file("witness.wtns")),
            ("--key", circuit.key(peer)),
        ];
        Self::peers_program(&format!("peer-{}", peer.name()), comparison, files, threads)
    }

    fn sum(shop: &Shop, comparison: &Comparison, side: Side, threads: usize) -> Result<Self> {
        let [points, scalars] = Shop::points(comparison);
        let files = [("--points", points), ("--scalars", scalars), ("--plugin", shop.plugin.clone())];
        let program = if side == Side::Ours { "ours-msm" } else { "peer-blst" };
        let mut made = Self::peers_program(program, comparison, files, threads);
        let (group, _) = comparison.input.split_once('_').context("a group and a size")?;
        made.args.extend(["--group".into(), group.into()]);
        Ok(made)
    }

    fn peers_program(
        name: &str,
        comparison: &Comparison,
        files: [(&str, PathBuf); 3],
        threads: usize,
    ) -> Self {
        let mut args: Vec<OsString> = curve_argument(comparison.curve).map(Into::into).into();
        args.extend(["--threads".into(), threads.to_string().into()]);
        for (flag, file) in files {
            args.extend([flag.into(), file.into()]);
        }
        if matches!(comparison.kind, Kind::Files | Kind::Sizes) {
            args.extend(["--once".into(), "yes".into()]);
        }
        Self { program: Shop::program(name), args, threads, writes: None }
    }
}

/// Has each side's proof verified by the other program.
pub(super) fn cross_verify(
    shop: &Shop,
    comparison: &Comparison,
    side: Side,
    files: &[PathBuf; 2],
) -> Result<()> {
    let key = Shop::circuit(comparison).file("verification_key.json");
    let [proof, public] = files;
    let verify = match side {
        Side::Ours => Cmd::new("node").arg(shop.snarkjs()).args(["groth16", "verify"]),
        Side::Peer => Cmd::new(&shop.interlock).arg("verify"),
    };
    verify.args([&key, public, proof]).quiet().map(drop)
}

/// Proof and public signals of a side.
fn output(side: &str) -> Result<[PathBuf; 2]> {
    let dir = kept().join("out").join(side);
    fs::create_dir_all(&dir).with_context(|| paths::shown(&dir))?;
    Ok(["proof.json", "public.json"].map(|name| dir.join(name)))
}
