//! The published rows, simulated.

use interlock_strategies::stock;
use serde::Deserialize;

use crate::error::Error;
use crate::factory::{Factory, Stock};
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

/// `ledger` at one concurrency, beside the others' rows.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Proofs in flight.
    pub concurrency: u64,
    /// The best of the others: its strategy and its seconds for a proof.
    pub best: (String, f64),
    /// The least published seconds of a row with this concurrency and these kernels.
    pub published: Option<f64>,
    /// Seconds for a proof of `ledger`.
    pub ledger: f64,
    /// The bound's seconds for a proof: by CPU, device, memory, link, and all.
    pub bounds: [f64; 5],
    /// The most bytes of the device.
    pub peak_device: u64,
    /// The most bytes that were granted.
    pub peak_reserved: u64,
}

impl Compared {
    /// The bound over what `ledger` took.
    pub fn share_of_bound(&self) -> f64 {
        self.bounds[4] / self.ledger
    }
}

/// Proofs of each comparison.
pub const COMPARED_PROOFS: u64 = 20;

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

    /// `ledger` beside the strategies of the history, each as its row was run, at one concurrency: on the same machine and the
    /// same kernels, the machine's own or a variant's.
    ///
    /// # Errors
    /// As [`Setting::run`].
    pub fn compare(
        &self,
        machine: &Machine,
        variant: Option<&str>,
        concurrency: u64,
    ) -> Result<Compared, Error> {
        let variant = variant.map(str::to_owned);
        let mut best: Option<(String, f64)> = None;
        for row in self.rows.iter().filter(|row| row.role != Role::Overcommit) {
            let row = Row {
                variant: variant.clone(),
                synthesised: false,
                count: COMPARED_PROOFS,
                concurrency,
                ..row.clone()
            };
            let seconds = self.simulate(machine, &row)?.seconds_per_proof();
            if best.as_ref().is_none_or(|(_, least)| seconds < *least) {
                best = Some((
                    format!("{} gw{} pw{}", row.interlock, row.workers, row.partition_workers),
                    seconds,
                ));
            }
        }
        let published =
            self.rows.iter().filter(|row| row.concurrency == concurrency && row.variant == variant);
        let published = published.filter_map(|row| row.published).min_by(f64::total_cmp);
        let mut setting = self.ledger(machine, concurrency);
        setting.load.variant = variant;
        let outcome = setting.run(&Stock)?;
        let bounds = setting.bounds(&Stock)?;
        let each = |micros: f64| micros / 1e6 / COMPARED_PROOFS as f64;
        Ok(Compared {
            concurrency,
            best: best.unwrap_or_else(|| ("none".to_owned(), f64::INFINITY)),
            published,
            ledger: outcome.seconds_per_proof(),
            bounds: [bounds.cpu, bounds.device, bounds.memory, bounds.link, bounds.all].map(each),
            peak_device: outcome.peak_device_bytes,
            peak_reserved: outcome.peak_reserved,
        })
    }

    /// `ledger` as the engine runs it: oldest proof first, three workers, as many syntheses as the rows.
    pub fn ledger(&self, machine: &Machine, concurrency: u64) -> Setting {
        let row = Row {
            name: "ledger".to_owned(),
            published: None,
            source: String::new(),
            role: Role::Prediction,
            variant: None,
            why: None,
            synthesised: false,
            interlock: stock::LEDGER.to_owned(),
            count: COMPARED_PROOFS,
            concurrency,
            workers: 3,
            partition_workers: 20,
        };
        let mut setting = self.setting(machine, &row);
        setting.load.order = Order::Age;
        setting.load.max_synthesised = None;
        setting
    }

    /// The names of the strategies that are known, for messages.
    pub fn strategies() -> Vec<String> {
        Stock.strategies().into_iter().map(|(name, _)| name).collect()
    }
}
