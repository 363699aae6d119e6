//! The quick part of the checks: what one runs before each commit.

use anyhow::Result;

use crate::cmd::Cmd;
use crate::header;
use crate::judges;
use crate::step::step;

/// Format, lints, generated header, unit tests.
pub(crate) fn run() -> Result<()> {
    source()?;
    step("unit tests", || Cmd::cargo().args(["test", "--workspace", "--lib", "--bins"]).run())
}

/// The part that runs no test.
pub(crate) fn source() -> Result<()> {
    step("format", || Cmd::cargo().args(["fmt", "--all", "--", "--check"]).run())?;
    step("lints", || {
        Cmd::cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]).run()
    })?;
    step("format and lints of the judges", judges::source)?;
    step("generated header", header::check)
}
