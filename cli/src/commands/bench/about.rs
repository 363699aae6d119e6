//! What a report says of the batch and of this machine.

use serde::Serialize;

use super::running::Batch;
use super::{Bench, Subject};
use crate::args::ProofType;
use crate::backends::{DeviceIdentity, Identity};
use crate::commands::inputs::{About, KeyReport};
use crate::threads;

/// The fields that all of them have in JSON.
#[derive(Debug, Serialize)]
pub(super) struct Head {
    #[serde(rename = "type")]
    kind: &'static str,
    curve: &'static str,
    snarkjs_curve: &'static str,
    key: KeyReport,
    circuit: Option<String>,
    backend: Identity,
    device: DeviceIdentity,
    /// What was there to be tried, the first first.
    fallback_order: Vec<String>,
    skipped: Vec<String>,
    memory_limit: Option<u64>,
    threads: usize,
    workers_per_device: u32,
    partition_workers: u32,
    max_staged: u32,
    count: u32,
    concurrency: u32,
    partitions: u32,
    /// Jobs that each engine proved before.
    warm_up: u32,
    /// Whether device and key were ready when the measured jobs came.
    warm: bool,
    self_check: bool,
    seeded: bool,
}

impl Head {
    pub(super) fn new(bench: &Bench<'_>, batch: &Batch, about: &About) -> Self {
        let Bench { args, chosen, settings, workers, .. } = bench;
        // `choose` gives at least one.
        let first = &chosen.usable[0];
        let (path, circuit) = match bench.subject {
            Subject::Files(files) => (Some(files.key), files.r1cs),
            Subject::Shape(_) => (None, None),
        };
        Self {
            kind: kind(args.kind),
            curve: batch.key.curve.name(),
            snarkjs_curve: batch.key.curve.snarkjs_name(),
            key: KeyReport::new(path, &batch.key, about),
            circuit: circuit.map(|path| path.display().to_string()),
            backend: Identity::of(&first.plugin),
            device: DeviceIdentity::of(first, settings.device.index),
            fallback_order: chosen.order().into_iter().map(str::to_owned).collect(),
            skipped: chosen.skipped.clone(),
            memory_limit: settings.device.memory_limit,
            threads: threads::effective(settings.device.threads),
            workers_per_device: workers.per_device,
            partition_workers: workers.partition,
            max_staged: workers.max_staged,
            count: args.count,
            concurrency: args.concurrency,
            partitions: args.partitions,
            warm_up: args.warm_up,
            warm: args.warm_up > 0,
            self_check: bench.self_check,
            seeded: args.proving.seed.is_some(),
        }
    }
}

/// The type's word.
pub(super) fn kind(kind: ProofType) -> &'static str {
    match kind {
        ProofType::Circom => "circom",
        ProofType::Synthetic => "synthetic",
        ProofType::Porep => "porep",
    }
}
