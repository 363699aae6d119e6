//! `interlock timeline`.

use std::path::PathBuf;

use clap::Args;

use crate::args::GENERAL;

const AFTER_HELP: &str = "\
Examples:
  interlock timeline run.ndjson
  interlock timeline run.ndjson --html run.html --perfetto run.pftrace

The summary goes to stdout: shares of the wall time in which a device computes, is held and is idle, the most bytes in \
use, how long workers waited and for what. The page is one file that loads nothing: it can be looked at offline, and be \
sent to somebody. The trace is for https://ui.perfetto.dev, which opens it in the browser without uploading it.

A timeline whose last line is cut off, as when its writer was killed, is shown without that line, with a warning.";

/// What `timeline` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct TimelineArgs {
    /// Timeline of a run or a simulation; - reads it from stdin
    #[arg(value_name = "TIMELINE.ndjson")]
    pub(crate) timeline: PathBuf,
    /// Write a page with the workers' rows, the devices' bytes, and tables
    #[arg(long, value_name = "OUT.html")]
    pub(crate) html: Option<PathBuf>,
    /// Write a trace for Perfetto
    #[arg(long, value_name = "OUT.pftrace")]
    pub(crate) perfetto: Option<PathBuf>,
    /// Print the summary as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}
