//! The least time that a setting can take, whatever the strategy: formulas over the inputs, without a simulation.
//!
//! # How
//! Proofs are numbered by their arrival; `A(i)` is when the `i`-th is submitted, `E(m)` when `m` of them are done. Of the
//! first `m` that are done, at least `m − i + 1` arrived as the `i`-th or later, so all of their work comes after `A(i)`;
//! and the `i`-th arrives only when `i − j` are done, `j` in flight:
//!
//! ```text
//! A(i) = 0 for i ≤ j, else E(i − j)
//! E(m) ≥ max over i ≤ m, and over the resources r, of  A(i) + head(r) + (m − i + 1)·P·cost(r) + tail(r)
//! ```
//!
//! `P` partitions make a proof. A resource's `cost` is the least of its time that a partition takes; its `head` is what
//! must be over before the first partition can use it, its `tail` what comes after the last one's use. The bound of a
//! scenario is `E(count)` with all resources; those printed for one resource are `E(count)` with that one.

use crate::error::Error;
use crate::factory::Factory;
use crate::machine::Machine;
use crate::plan::{CpuStep, Plan};
use crate::scenario::Setting;

/// Lower bounds of the time that a setting takes, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// By the cores, their contention, and as many syntheses as run at once.
    pub cpu: f64,
    /// By the devices: kernels run one after the other.
    pub device: f64,
    /// By the devices' memory: what does not fit beside each other comes one after the other.
    pub memory: f64,
    /// By the links.
    pub link: f64,
    /// By all of them together.
    pub all: f64,
}

/// A resource, in microseconds.
#[derive(Clone, Copy, Debug)]
struct Use {
    head: f64,
    cost: f64,
    tail: f64,
}

impl Setting {
    /// The bounds.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn bounds(&self, factory: &dyn Factory) -> Result<Bounds, Error> {
        let resolved = self.resolve(factory)?;
        let (plan, load) = (&resolved.plan, &self.load);
        let most = load.partition_workers.min(u64::from(resolved.config.max_synthesised));
        let in_flight = load.concurrency.min(load.count) * load.partitions;
        let workers = load.workers_per_device * load.devices;
        let cpu = cpu(&self.machine, plan, most.min(in_flight), most + 2 * workers);
        let devices = load.devices as f64;
        let lone = Lone::of(&self.machine, plan);
        let device = Use {
            head: lone.synthesis + lone.prepare + lone.stage,
            cost: plan.compute_micros() as f64 / devices,
            tail: lone.finish,
        };
        let memory = memory(plan, resolved.limits.budget, self.machine.link, devices, &lone);
        let moved = plan.upload + plan.compute.iter().map(|kernel| kernel.upload).sum::<u64>();
        let link = Use {
            head: lone.synthesis + lone.prepare,
            cost: moved as f64 * 1e3 / self.machine.link as f64 / devices,
            tail: lone.finish,
        };
        let time = |uses: &[Use]| ends(load.count, load.concurrency, load.partitions as f64, uses);
        let all: Vec<Use> = cpu.iter().chain(&memory).copied().chain([device, link]).collect();
        Ok(Bounds {
            cpu: time(&cpu),
            device: time(&[device]),
            memory: time(&memory),
            link: time(&[link]),
            all: time(&all),
        })
    }
}

/// `E(count)`.
fn ends(count: u64, concurrency: u64, partitions: f64, uses: &[Use]) -> f64 {
    let mut ends = vec![0.0_f64; count as usize + 1];
    // The greatest of `A(i) + (m - i + 1)·P·cost` for each resource, which `m` makes from that of `m - 1`.
    let mut busy = vec![0.0_f64; uses.len()];
    for m in 1..ends.len() {
        let arrives = (m as u64).checked_sub(concurrency).map_or(0.0, |before| ends[before as usize]);
        let mut end = 0.0_f64;
        for (busy, resource) in busy.iter_mut().zip(uses) {
            *busy = busy.max(arrives) + partitions * resource.cost;
            end = end.max(resource.head + *busy + resource.tail);
        }
        ends[m] = end;
    }
    ends.last().copied().unwrap_or(0.0)
}

/// What one partition takes when it has the machine to itself, in microseconds.
struct Lone {
    synthesis: f64,
    prepare: f64,
    stage: f64,
    compute: f64,
    finish: f64,
}

impl Lone {
    fn of(machine: &Machine, plan: &Plan) -> Self {
        let sum = |steps: &[CpuStep]| steps.iter().map(|step| alone(machine, step)).sum();
        let (prepare, stage) = (sum(&plan.prepare), plan.upload_micros as f64);
        let beside: f64 = sum(&plan.beside);
        // Kernels that wait for what runs beside, which began with prepare.
        let mut compute = 0.0_f64;
        for kernel in &plan.compute {
            if kernel.after_prepare {
                compute = compute.max(beside - stage - prepare);
            }
            compute += kernel.micros as f64;
        }
        Self { synthesis: sum(&plan.synthesis), prepare, stage, compute, finish: sum(&plan.finish) }
    }
}

/// A step with more threads than cores takes longer even alone.
fn alone(machine: &Machine, step: &CpuStep) -> f64 {
    step.micros as f64 * (step.threads as f64 / machine.cores as f64).max(1.0)
}

/// The CPU: core-seconds over cores, and what contention lets through.
///
/// `n` tasks that each go at `1/(1 + k·(n − 1))` of their speed get `n/(1 + k·(n − 1))` done, which grows with `n`: with at
/// most `n` at once, `w` takes at least `w·(1 + k·(n − 1))/n`.
fn cpu(machine: &Machine, plan: &Plan, syntheses: u64, tasks: u64) -> [Use; 3] {
    let k = machine.contention as f64 / 1e6;
    let through = |work: f64, most: u64| {
        let most = most.max(1) as f64;
        work * (1.0 + k * (most - 1.0)) / most
    };
    let sum = |steps: &[CpuStep]| steps.iter().map(|step| step.micros as f64).sum::<f64>();
    let all = [&plan.synthesis, &plan.prepare, &plan.beside, &plan.finish];
    let core_seconds = all.iter().flat_map(|steps| steps.iter());
    let core_seconds: f64 = core_seconds.map(|step| step.micros as f64 * step.threads as f64).sum();
    let lone = Lone::of(machine, plan);
    [
        Use { head: 0.0, cost: core_seconds / machine.cores as f64, tail: 0.0 },
        Use { head: 0.0, cost: through(all.iter().map(|steps| sum(steps)).sum(), tasks), tail: 0.0 },
        // The last one that is synthesised has all phases before it.
        Use {
            head: 0.0,
            cost: through(sum(&plan.synthesis), syntheses),
            tail: lone.prepare + lone.stage + lone.compute + lone.finish,
        },
    ]
}

/// The devices' memory: two formulas.
///
/// *Area*: bytes times microseconds of a partition, over the budget.
///
/// *Conflict*: when two staged ones do not fit, no two stage at once, and nobody stages while another one computes with more
/// than the budget less what staging takes. So staging and kernels come one after the other, but for the kernels that have
/// less: a second of staging during one of these is saved, less what both are slowed by, when together they ask of the link
/// more than it has. What can be saved at most is taken off. The last one of several that computes saves nothing: the
/// others are staged by then.
fn memory(plan: &Plan, budget: u64, link: u64, devices: f64, lone: &Lone) -> Vec<Use> {
    let head = lone.synthesis + lone.prepare;
    let held = |kernel: usize| plan.peak_from(kernel);
    let kernels = || plan.compute.iter().enumerate();
    let area: f64 = plan.staged as f64 * lone.stage
        + kernels().map(|(index, kernel)| held(index) as f64 * kernel.micros as f64).sum::<f64>();
    let mut uses = vec![Use { head, cost: area / budget.max(1) as f64 / devices, tail: lone.finish }];
    if 2 * plan.staged > budget && plan.upload_micros > 0 {
        // What a second of each kernel saves, and how many there are.
        let mut savings: Vec<(f64, f64)> = kernels()
            .filter(|(index, _)| held(*index) <= budget - plan.staged)
            .map(|(_, kernel)| {
                let asked = (kernel.rate + plan.upload_rate) as f64 / link as f64;
                let slower = if kernel.rate > 0 { (asked - 1.0).clamp(0.0, 1.0) } else { 0.0 };
                (1.0 - slower, kernel.micros as f64)
            })
            .collect();
        savings.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut left, mut saved) = (lone.stage, 0.0);
        for (each, micros) in savings {
            saved += each * micros.min(left);
            left -= micros.min(left);
        }
        let all = lone.stage + plan.compute_micros() as f64;
        let tail = if devices > 1.0 { 0.0 } else { saved } + lone.finish;
        uses.push(Use { head, cost: (all - saved) / devices, tail });
    }
    uses
}
