//! `interlock simulate`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{BackendList, GENERAL, MemorySize, SearchArgs};

const AFTER_HELP: &str = "\
Examples:
  interlock simulate porep                             a shipped scenario
  interlock simulate published                         the published rows, and ledger beside them
  interlock simulate mine.toml --sweep                 every setting of its axes, and the best
  interlock simulate porep --interlock narrow --timeline narrow.ndjson
  interlock simulate --show porep > mine.toml          a shipped file, to be changed

The scheduler and the interlock strategies are those of a real run; only the clock and the work are simulated, against \
a machine file. Shipped scenarios: published, porep, porep-h200, circom-h200. Shipped machines: rtx-5070-ti, h200.";

/// What `simulate` takes.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SimulateArgs {
    /// Scenario: a file, or the name of a shipped one
    #[arg(value_name = "SCENARIO", required_unless_present = "show")]
    pub(crate) scenario: Option<String>,
    /// Print a shipped scenario or machine file, to be copied and changed; `published`, whose rows are compared, only to be
    /// read
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scenario", "sweep", "fit", "timeline", "json"])]
    pub(crate) show: Option<String>,
    /// Simulate every setting of the scenario's table `sweep`, or of the usual axes, and say which is best
    #[arg(long, conflicts_with_all = ["fit", "timeline"])]
    pub(crate) sweep: bool,
    /// With `published`: find the two free constants of the machine again
    #[arg(long)]
    pub(crate) fit: bool,
    /// Write the timeline (NDJSON) to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) timeline: Option<PathBuf>,
    /// Machine: a file, or the name of a shipped one; instead of the scenario's
    #[arg(long, value_name = "MACHINE", help_heading = "Instead of what the scenario says")]
    pub(crate) machine: Option<String>,
    /// Interlock strategy
    #[arg(long, value_name = "NAME", help_heading = "Instead of what the scenario says")]
    pub(crate) interlock: Option<String>,
    /// Proofs
    #[arg(short, long, value_name = "N", help_heading = "Instead of what the scenario says")]
    pub(crate) count: Option<u64>,
    /// Proofs in flight at once
    #[arg(short = 'j', long, value_name = "N", help_heading = "Instead of what the scenario says")]
    pub(crate) concurrency: Option<u64>,
    /// Partitions of each device that are in its phases at once
    #[arg(long, value_name = "N", help_heading = "Instead of what the scenario says")]
    pub(crate) workers_per_device: Option<u64>,
    /// Syntheses at once
    #[arg(long, value_name = "N", help_heading = "Instead of what the scenario says")]
    pub(crate) partition_workers: Option<u64>,
    /// Bytes of each device that partitions may have
    #[arg(long, value_name = "SIZE", help_heading = "Instead of what the scenario says")]
    pub(crate) memory_limit: Option<MemorySize>,
    /// Bytes that the host has
    #[arg(long, value_name = "SIZE", help_heading = "Instead of what the scenario says")]
    pub(crate) host_memory: Option<MemorySize>,
    /// Take the strategies of this backend, by its name or file; it needs no device [default: the stock ones]
    #[arg(long, value_name = "BACKEND", help_heading = "Backends")]
    pub(crate) backend: Option<BackendList>,
    /// Where backends are looked for.
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Accept a .so file named in --backend that has no manifest: its code runs as you
    #[arg(long, help_heading = "Backends")]
    pub(crate) allow_unsigned: bool,
    /// Print the result as one JSON object on stdout
    #[arg(long, help_heading = GENERAL, display_order = 103)]
    pub(crate) json: bool,
}

impl SimulateArgs {
    /// Whether something replaces what the scenario says.
    pub(crate) fn changes_the_scenario(&self) -> bool {
        let numbers = [self.count, self.concurrency, self.workers_per_device, self.partition_workers];
        let sizes = [self.memory_limit, self.host_memory];
        numbers.iter().any(Option::is_some)
            || sizes.iter().any(Option::is_some)
            || self.interlock.is_some()
            || self.machine.is_some()
    }
}

#[cfg(test)]
mod tests {
    use interlock_simulator::{published, shipped};

    #[test]
    fn the_help_names_what_is_shipped() {
        let names = |list: &[shipped::Shipped]| {
            list.iter().map(|shipped| shipped.name).collect::<Vec<_>>().join(", ")
        };
        let scenarios = format!("Shipped scenarios: {}, {}.", published::NAME, names(&shipped::SCENARIOS));
        assert!(super::AFTER_HELP.contains(&scenarios), "{scenarios}");
        let machines = format!("Shipped machines: {}.", names(&shipped::MACHINES));
        assert!(super::AFTER_HELP.contains(&machines), "{machines}");
    }
}
