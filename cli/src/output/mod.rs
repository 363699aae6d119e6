//! What leaves the program.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@print`] | the only code that prints |
//! | [`clean`] | texts of files and plugins, made fit for a terminal |
//! | [`json`] | the one versioned object of `--json` |
//! | [`text`] | numbers and tables for people |
//! | [`target`] | where an output goes, and whether it may |
//! | [`atomic`] | files that appear whole or not at all |

pub(crate) mod atomic;
pub(crate) mod clean;
pub(crate) mod json;
pub(crate) mod print;
pub(crate) mod target;
pub(crate) mod text;
