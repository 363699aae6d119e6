//! Flags of the engine: how proofs share devices, and what is recorded.

use std::path::PathBuf;

use clap::Args;

use crate::args::values::{self, Suggesting};

/// How proofs share a device, and what is recorded of it.
#[derive(Clone, Debug, Args)]
pub(crate) struct EngineArgs {
    /// Interlock strategy: who may be in which phase at once on a device [default: the backend's]
    ///
    /// `interlock backends` lists what each backend offers.
    #[arg(
        long,
        value_name = "NAME",
        help_heading = "Engine",
        env = "INTERLOCK_INTERLOCK",
        hide_possible_values = true,
        value_parser = Suggesting::<String>::new(&["ledger", "prestage", "narrow", "whole", "two-lock"]),
    )]
    pub(crate) interlock: Option<String>,
    /// Write what the engine does, and when, to this file as it happens: `interlock timeline` draws it
    ///
    /// It stays when the command fails.
    #[arg(long, value_name = "FILE.ndjson", help_heading = "Engine")]
    pub(crate) timeline: Option<PathBuf>,
}

/// How many proofs are at work at once.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorkersArgs {
    /// Partitions that are in one of the four phases on a device at once [default: 2]
    #[arg(
        long,
        alias = "gpu-workers-per-device",
        value_name = "N",
        help_heading = "Engine",
        env = "INTERLOCK_WORKERS_PER_DEVICE",
        allow_hyphen_values = true,
        value_parser = values::workers,
    )]
    pub(crate) workers_per_device: Option<u32>,
    /// Partitions whose witnesses are made at once [default: 1]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Engine",
        env = "INTERLOCK_PARTITION_WORKERS",
        allow_hyphen_values = true,
        value_parser = values::workers,
    )]
    pub(crate) partition_workers: Option<u32>,
    /// Partitions that are staged ahead of the one that computes [default: 1]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Engine",
        env = "INTERLOCK_MAX_STAGED",
        allow_hyphen_values = true,
        value_parser = values::workers,
    )]
    pub(crate) max_staged: Option<u32>,
}
