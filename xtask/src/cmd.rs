//! Running programs, so that a failure always names the command line to repeat.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};

use crate::paths;

/// A program with its arguments, run from the repository's root unless told otherwise.
pub(crate) struct Cmd {
    command: Command,
}

impl Cmd {
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(paths::root()).stdin(Stdio::null());
        Self { command }
    }

    /// The cargo that runs us. Its variables about the package `xtask` are taken away: build scripts of others watch
    /// some of them, and would run again each time cargo is called from here and then by hand.
    pub(crate) fn cargo() -> Self {
        let mut cmd = Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (name, _) in std::env::vars_os() {
            if name
                .to_str()
                .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
            {
                cmd.command.env_remove(name);
            }
        }
        cmd
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs it with its output shown.
    pub(crate) fn run(mut self) -> Result<()> {
        let status = self.command.status().with_context(|| format!("cannot start {}", self.line()))?;
        if !status.success() {
            bail!("failed ({status}): {}", self.line());
        }
        Ok(())
    }

    /// Runs it silently; what it wrote is shown only when it fails. Returns its standard output.
    pub(crate) fn quiet(mut self) -> Result<String> {
        let output = self.output()?;
        if !output.status.success() {
            eprint!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            bail!("failed ({}): {}", output.status, self.line());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether it ends well; silent either way.
    pub(crate) fn succeeds(mut self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    fn output(&mut self) -> Result<Output> {
        self.command.output().with_context(|| format!("cannot start {}", self.line()))
    }

    /// The command line as a person would type it.
    fn line(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        let words: Vec<String> = words
            .map(|word| paths::shown(Path::new(word)))
            .map(|word| if word.contains(char::is_whitespace) { format!("'{word}'") } else { word })
            .collect();
        words.join(" ")
    }
}
