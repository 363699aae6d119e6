//! What the measured programs share.
//!
//! Each program takes `--name value` pairs, loads what it works on, and prints one JSON line per measurement: `what`,
//! `seconds`, `threads`, `peak_rss_bytes`, and what else is known of it. With `--once yes` it does its work once and ends.
//! Otherwise it does its work for every line on standard input, so that two programs, both loaded, can be measured in
//! turn.

mod args;
mod circuit;
mod measure;

pub use args::Args;
pub use circuit::Circuit;
pub use measure::{Meter, hex};
