//! What a proof's maker is told: as one JSON object, or as a short summary.

use std::time::Duration;

use interlock_core::groth16::Timing;
use interlock_core::key::ProvingKey;
use serde::{Serialize, Serializer};

use super::Finished;
use crate::args::ProveArgs;
use crate::backends::{Chosen, DeviceIdentity, Identity, same};
use crate::commands::inputs::{About, KeyReport, Steps};
use crate::config::BackendSettings;
use crate::output::text;
use crate::{progress, threads};

/// The result of `prove`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    curve: &'static str,
    snarkjs_curve: &'static str,
    key: KeyReport,
    /// The circuit's file, when it was given: the witness satisfies it.
    circuit: Option<String>,
    backend: Identity,
    device: DeviceIdentity,
    /// What was there to be tried, the first first.
    fallback_order: Vec<String>,
    attempts: Vec<Try>,
    skipped: Vec<String>,
    /// Operations that the host computed in the backend's stead.
    composed: Vec<&'static str>,
    threads: usize,
    phases_ms: Times,
    self_check: bool,
    seeded: bool,
    check_against: Option<Comparison>,
    outputs: Outputs,
    #[serde(rename = "total_ms", serialize_with = "milliseconds")]
    total: Duration,
    /// The fallback brought it about that the backend that proved is the one that it was compared with.
    #[serde(skip)]
    compared_with_itself: bool,
}

fn milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(text::ms(*time))
}

/// One backend's part.
#[derive(Debug, Serialize)]
struct Try {
    backend: Identity,
    ok: bool,
    failure: Option<String>,
    failed_self_checks: u32,
}

#[derive(Debug, Serialize)]
struct Comparison {
    backend: Identity,
    agrees: bool,
    phases_ms: Times,
}

#[derive(Debug, Serialize)]
struct Outputs {
    proof_format: &'static str,
    proof: String,
    public: String,
}

/// Names and times in order, as a JSON object.
#[derive(Debug)]
struct Times(Vec<(String, Duration)>);

impl Times {
    fn of(timings: &[Timing]) -> Self {
        Self(timings.iter().map(|timing| (progress::key(timing.phase), timing.time)).collect())
    }
}

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, time)| (name, text::ms(*time))))
    }
}

impl Report {
    pub(super) fn new(
        args: &ProveArgs,
        key: &ProvingKey,
        about: &About,
        chosen: &Chosen,
        settings: &BackendSettings,
        finished: &Finished,
        steps: &Steps,
    ) -> Self {
        // The prover tries backends in the given order, and the last attempt is the one that succeeded.
        let tried = chosen.usable.iter().zip(&finished.attempts);
        let attempts: Vec<Try> = tried
            .map(|(selected, attempt)| Try {
                backend: Identity::of(&selected.plugin),
                ok: attempt.failure.is_none(),
                failure: attempt.failure.clone(),
                failed_self_checks: attempt.failed_self_checks,
            })
            .collect();
        let used = &chosen.usable[attempts.len().saturating_sub(1)];
        let mut phases = Times::of(&finished.timings);
        phases.0.splice(0..0, steps.before.iter().map(|(name, time)| ((*name).to_owned(), *time)));
        phases.0.push(("write".into(), steps.write));
        let compared = chosen.check_against.as_ref().zip(finished.comparison.as_ref());
        Self {
            curve: key.curve.name(),
            snarkjs_curve: key.curve.snarkjs_name(),
            key: KeyReport::new(Some(&args.key), key, about),
            circuit: args.r1cs.as_ref().map(|path| path.display().to_string()),
            backend: Identity::of(&used.plugin),
            device: DeviceIdentity::of(used, settings.device.index),
            fallback_order: chosen.order().into_iter().map(str::to_owned).collect(),
            attempts,
            skipped: chosen.skipped.clone(),
            composed: finished.composed.clone(),
            threads: threads::effective(settings.device.threads),
            phases_ms: phases,
            self_check: finished.self_checked,
            seeded: args.proving.seed.is_some(),
            check_against: compared.map(|(other, comparison)| Comparison {
                backend: Identity::of(&other.plugin),
                agrees: true,
                phases_ms: Times::of(&comparison.timings),
            }),
            outputs: Outputs {
                proof: args.proof.display().to_string(),
                proof_format: args.proof_format.name(),
                public: args.public.display().to_string(),
            },
            total: steps.total,
            compared_with_itself: compared.is_some_and(|(other, _)| same(used, other)),
        }
    }

    /// What went wrong on the way to the proof.
    pub(super) fn troubles(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        for attempt in &self.attempts {
            let name = &attempt.backend.name;
            match (&attempt.failure, attempt.failed_self_checks) {
                (Some(failure), _) => {
                    troubles.push(format!("backend {name} failed and the next was taken: {failure}"))
                }
                (None, 0) => {}
                (None, times) => troubles.push(format!(
                    "backend {name}: {} failed before one succeeded; check the device's memory",
                    text::plural(times.into(), "self-check")
                )),
            }
        }
        if !self.composed.is_empty() {
            troubles.push(format!(
                "backend {} lacks {}: computed by the host, which is slow",
                self.backend.name,
                self.composed.join(", ")
            ));
        }
        if self.compared_with_itself {
            troubles.push(format!(
                "backend {} proved after all others had failed, so --check-against compared it with itself",
                self.backend.name
            ));
        }
        troubles
    }

    /// A few lines for people.
    pub(super) fn summary(&self) -> String {
        let key = &self.key;
        let unit = text::TimeUnit::of(self.total);
        let constraints = key.constraints.map(|n| format!("{}, ", text::plural(n, "constraint")));
        let device = self.device.name.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
        let phases: Vec<_> = self
            .phases_ms
            .0
            .iter()
            .map(|(name, time)| format!("{} {}", name.replace('_', " "), unit.show(*time)))
            .collect();
        let mut rows = vec![
            ("proof", format!("{}, {}", self.outputs.proof, self.outputs.public)),
            ("curve", self.curve.to_owned()),
            (
                "circuit",
                format!(
                    "{}domain {}, {} of which {} public",
                    constraints.unwrap_or_default(),
                    text::count(key.domain),
                    text::plural(key.signals, "signal"),
                    text::count(key.public)
                ),
            ),
            ("backend", format!("{}{device}", self.backend)),
            ("threads", self.threads.to_string()),
            ("phases", phases.join(" · ")),
            ("key check", key.check.say().to_owned()),
            ("self-check", if self.self_check { "passed" } else { "NOT DONE" }.to_owned()),
        ];
        if let Some(comparison) = &self.check_against {
            rows.push(("compared", format!("{} computed the same", comparison.backend)));
        }
        rows.push(("total", unit.show(self.total)));
        text::table(&rows)
    }
}
