//! `ledger` beside the strategies of the published history, on their machine.

use std::collections::BTreeSet;

use interlock_strategies::stock;

use crate::error::Error;
use crate::factory::Stock;
use crate::machine::Machine;
use crate::outcome::Outcome;
use crate::published::{Role, Row, Rows};
use crate::scenario::{Order, Setting};

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
    /// Its syntheses at once: the best of the rows' numbers.
    pub partition_workers: u64,
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
        // As many syntheses at once as suit, of those that the rows were run with.
        let mut ledger: Option<(Setting, Outcome)> = None;
        for partition_workers in self.rows.iter().map(|row| row.partition_workers).collect::<BTreeSet<_>>() {
            let mut setting = self.ledger(machine, concurrency, partition_workers);
            setting.load.variant.clone_from(&variant);
            let outcome = setting.run(&Stock)?;
            if ledger.as_ref().is_none_or(|(_, least)| outcome.model.wall() < least.model.wall()) {
                ledger = Some((setting, outcome));
            }
        }
        let none = || Error::value("published", "row", "there are no rows");
        let (setting, outcome) = ledger.ok_or_else(none)?;
        let bounds = setting.bounds(&Stock)?;
        let each = |micros: f64| micros / 1e6 / COMPARED_PROOFS as f64;
        Ok(Compared {
            concurrency,
            best: best.unwrap_or_else(|| ("none".to_owned(), f64::INFINITY)),
            published,
            ledger: outcome.seconds_per_proof(),
            partition_workers: setting.load.partition_workers,
            bounds: [bounds.cpu, bounds.device, bounds.memory, bounds.link, bounds.all].map(each),
            peak_device: outcome.peak_device_bytes,
            peak_reserved: outcome.peak_reserved,
        })
    }

    /// `ledger` as the engine runs it: oldest proof first, three workers.
    pub fn ledger(&self, machine: &Machine, concurrency: u64, partition_workers: u64) -> Setting {
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
            partition_workers,
        };
        let mut setting = self.setting(machine, &row);
        setting.load.order = Order::Age;
        setting
    }
}
