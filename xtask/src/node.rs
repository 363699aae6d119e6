//! The independent judges of the tests: the circom compiler and snarkjs.
//!
//! They are under the GPL, so they are tools only: installed under `target/` in the versions that
//! `tests/tools/package-lock.json` pins, and nothing of theirs is committed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cmd::Cmd;
use crate::{paths, system};

/// The installed tools.
pub(crate) struct Tools {
    dir: PathBuf,
}

impl Tools {
    /// Installs what is missing, or what another version of the lock file had installed.
    pub(crate) fn ensure() -> Result<Self> {
        system::ensure(&["node", "npm"], &["nodejs", "npm"])?;
        let tools = Self { dir: paths::at("target/tools/node") };
        let lock = Self::lock()?;
        // Copied last, so that it also tells that the installation came to its end.
        let installed = tools.dir.join("installed.json");
        if fs::read(&installed).is_ok_and(|bytes| bytes == lock) {
            return Ok(tools);
        }
        fs::create_dir_all(&tools.dir)?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(paths::at("tests/tools").join(file), tools.dir.join(file))?;
        }
        eprintln!("    installing circom and snarkjs in {}", paths::shown(&tools.dir));
        Cmd::new("npm")
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .dir(&tools.dir)
            .quiet()?;
        fs::write(&installed, &lock)?;
        Ok(tools)
    }

    /// The pinned versions, as bytes to compare and to hash.
    pub(crate) fn lock() -> Result<Vec<u8>> {
        let file = paths::at("tests/tools/package-lock.json");
        fs::read(&file).with_context(|| format!("cannot read {}", paths::shown(&file)))
    }

    /// The folder that `require` and circom's `include` look in.
    pub(crate) fn modules(&self) -> PathBuf {
        self.dir.join("node_modules")
    }

    /// The circom compiler. It resolves an `include` only below the folder it runs in: the repository.
    pub(crate) fn circom(&self) -> Cmd {
        self.script("circom2/cli.js").arg("-l").arg(self.modules())
    }

    /// snarkjs.
    pub(crate) fn snarkjs(&self) -> Cmd {
        self.script("snarkjs/build/cli.cjs")
    }

    fn script(&self, file: impl AsRef<Path>) -> Cmd {
        Cmd::new("node").arg(self.modules().join(file))
    }
}
