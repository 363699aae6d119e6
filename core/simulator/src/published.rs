//! The published rows, simulated.

use serde::Deserialize;

use crate::error::Error;
use crate::factory::Stock;
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::quantity::parse;
use crate::scenario::{Load, Order, Setting};

/// The scenario's name.
pub const NAME: &str = "published";
/// The rows' file.
pub const TEXT: &str = include_str!("../scenarios/published.toml");

/// What a row is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A free constant is fitted on it.
    Fit,
    /// It is predicted.
    Prediction,
    /// It is run with a variant of the machine.
    Variant,
    /// It needs something that is not in the model.
    Outside,
    /// It ran out of memory; here its fallbacks are counted.
    Overcommit,
}

impl Role {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Prediction => "prediction",
            Self::Variant => "variant",
            Self::Outside => "outside the model",
            Self::Overcommit => "overcommits",
        }
    }
}

/// A row, as its file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// What it is.
    pub name: String,
    /// Seconds for a proof; none when it did not end.
    pub published: Option<f64>,
    /// Where that is said.
    pub source: String,
    /// What it is for.
    pub role: Role,
    /// The machine's variant.
    pub variant: Option<String>,
    /// Why it is outside of the model, or run otherwise.
    pub why: Option<String>,
    /// Whether it is run with the witnesses there already.
    #[serde(default)]
    pub synthesised: bool,
    /// The strategy.
    pub interlock: String,
    /// Proofs.
    pub count: u64,
    /// In flight at once.
    pub concurrency: u64,
    /// Workers of the device.
    pub workers: u64,
    /// Syntheses at once.
    pub partition_workers: u64,
}

/// The rows' file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// The machine's name.
    pub machine: String,
    /// Constraints of a partition.
    pub constraints: u64,
    /// Partitions of a proof.
    pub partitions: u64,
    /// The rows.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// A row and what came out.
#[derive(Clone, Debug)]
pub struct Line {
    /// The row.
    pub row: Row,
    /// Seconds for a proof.
    pub simulated: f64,
    /// Partitions that took the slow path.
    pub fallbacks: u64,
    /// The most bytes of the device.
    pub peak_device: u64,
    /// The most bytes that were granted.
    pub peak_reserved: u64,
}

impl Line {
    /// How much more than the published time was simulated, as a share of it.
    pub fn residual(&self) -> Option<f64> {
        self.row.published.map(|published| self.simulated / published - 1.0)
    }
}

impl Rows {
    /// The shipped ones.
    ///
    /// # Errors
    /// None that a build of this repository brings about.
    pub fn shipped() -> Result<Self, Error> {
        parse(NAME, TEXT)
    }

    /// The machine of all rows.
    ///
    /// # Errors
    /// It is not one of the shipped ones, or damaged.
    pub fn machine(&self) -> Result<Machine, Error> {
        crate::shipped::open_machine(&self.machine, None)
    }

    /// A row's setting.
    pub fn setting(&self, machine: &Machine, row: &Row) -> Setting {
        let load = Load {
            proof: "porep".to_owned(),
            constraints: self.constraints,
            partitions: self.partitions,
            count: row.count,
            concurrency: row.concurrency,
            devices: 1,
            workers_per_device: row.workers,
            partition_workers: row.partition_workers,
            synthesised: row.synthesised,
            // A place for synthesis was given back when that ended, whatever waited for the device.
            max_synthesised: Some(row.count * self.partitions),
            max_staged: None,
            interlock: row.interlock.clone(),
            variant: row.variant.clone(),
            pinned: None,
            order: Order::Arrival,
            memory_limit: None,
            host_memory: None,
        };
        Setting::new(machine.clone(), load)
    }

    /// A row, simulated.
    ///
    /// # Errors
    /// As [`Setting::run`].
    pub fn simulate(&self, machine: &Machine, row: &Row) -> Result<Outcome, Error> {
        self.setting(machine, row).run(&Stock)
    }

    /// All rows, simulated.
    ///
    /// # Errors
    /// As [`Setting::run`].
    pub fn lines(&self, machine: &Machine) -> Result<Vec<Line>, Error> {
        let line = |row: &Row| {
            let outcome = self.simulate(machine, row)?;
            Ok(Line {
                row: row.clone(),
                simulated: outcome.seconds_per_proof(),
                fallbacks: outcome.counters.fallbacks,
                peak_device: outcome.peak_device_bytes,
                peak_reserved: outcome.peak_reserved,
            })
        };
        self.rows.iter().map(line).collect()
    }
}
