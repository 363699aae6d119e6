//! What a machine and a load come to: the scheduler's configuration, the limits, the plan of a partition.

use interlock_scheduler::{Config, DeviceConfig, JobSpec, PartId, PartSpec, PriorityName};
use interlock_strategies::{Limits, MemoryPolicy};
use interlock_timeline::{DeviceInfo, Header, Source};

use crate::error::Error;
use crate::factory::Factory;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::scenario::{Load, Order, Setting};

/// Nobody's partition takes more of anything: sums of as many as are simulated stay numbers.
const MOST: u64 = 1 << 48;

/// A setting, worked out.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// What a partition takes.
    pub plan: Plan,
    /// The scheduler's configuration.
    pub config: Config,
    /// The limits of each device's strategy.
    pub limits: Limits,
    /// What the strategy promises of bytes.
    pub policy: MemoryPolicy,
    /// The timeline's first line.
    pub header: Header,
    /// Bytes of the host that there are.
    pub host_memory: u64,
    /// Bytes of the host that no partition has.
    pub host_resident: u64,
}

impl Setting {
    /// A setting.
    pub fn new(machine: Machine, load: Load) -> Self {
        Self { machine, load }
    }

    /// Works it out.
    ///
    /// # Errors
    /// A number is not one that somebody has, the strategy is not known, or a partition never fits.
    pub fn resolve(&self, factory: &dyn Factory) -> Result<Resolved, Error> {
        let (machine, load) = (&self.machine, &self.load);
        load.check("the scenario")?;
        let mut plan = machine.plan(load.constraints, load.variant.as_deref(), load.pinned)?;
        if load.synthesised {
            plan.synthesis.clear();
        }
        check_size(&plan)?;
        let available = machine.budget_at(load.constraints);
        let budget = load.memory_limit.unwrap_or(available).min(available);
        if plan.peak() > budget {
            return Err(Error::NeverFits { needed: plan.peak(), budget });
        }
        let workers = load.workers_per_device as u32;
        let all_workers = workers * load.devices as u32;
        let partition_workers = load.partition_workers as u32;
        // As many as are synthesised at once, and one more for each worker, so that none waits for a synthesis.
        let enough = u64::from(partition_workers + all_workers);
        let max_synthesised = load.max_synthesised.unwrap_or(enough) as u32;
        let max_staged = load.max_staged.unwrap_or(1) as u32;
        let policy = factory.strategies().into_iter().find(|(name, _)| *name == load.interlock);
        let policy = policy.map_or(MemoryPolicy::Overcommitting, |(_, policy)| policy);
        let config = Config {
            devices: vec![DeviceConfig { budget, workers, tier: 0 }; load.devices as usize],
            partition_workers,
            max_synthesised,
            // Each partition may be a job of its own.
            max_jobs: (load.concurrency.min(load.count) * load.partitions) as u32,
            retries: 1,
            grace: 10_000_000,
        };
        let devices = (0..load.devices).map(|index| {
            let name =
                if load.devices == 1 { machine.name.clone() } else { format!("{} #{index}", machine.name) };
            DeviceInfo { name, budget, workers }
        });
        let header = Header::new(&load.interlock, Source::Simulation, devices.collect(), partition_workers);
        Ok(Resolved {
            limits: Limits { budget, max_staged },
            config,
            policy,
            header,
            host_memory: load.host_memory.unwrap_or(machine.host_memory),
            host_resident: machine.host_resident_at(load.constraints),
            plan,
        })
    }
}

fn check_size(plan: &Plan) -> Result<(), Error> {
    let steps = [&plan.synthesis, &plan.prepare, &plan.beside, &plan.finish].into_iter().flatten();
    let times = steps.map(|step| step.micros).chain(plan.compute.iter().map(|kernel| kernel.micros));
    let longest = times.chain([plan.upload_micros, plan.drop_micros]).max().unwrap_or(0);
    let uploads = plan.compute.iter().map(|kernel| kernel.upload).max().unwrap_or(0);
    let most = [longest, plan.peak(), plan.host_bytes, plan.upload, uploads].into_iter().max().unwrap_or(0);
    if most > MOST {
        let problem = "a partition of this size takes more bytes or time than any machine has";
        return Err(Error::value("the scenario", "constraints", problem));
    }
    Ok(())
}

impl Load {
    fn part_spec(&self, plan: &Plan) -> PartSpec {
        PartSpec { synthesis: !self.synthesised, staged: plan.staged, peak: plan.peak(), key: 0 }
    }

    /// The jobs of proofs that arrive at the same time, in the order in which they are submitted.
    pub(crate) fn jobs(&self, proofs: &[u64], plan: &Plan) -> Vec<(u64, JobSpec)> {
        let spec = |parts: u64| JobSpec {
            priority: PriorityName::Normal,
            deadline: None,
            parts: vec![self.part_spec(plan); parts as usize],
        };
        match self.order {
            Order::Age => proofs.iter().map(|proof| (proof + 1, spec(self.partitions))).collect(),
            Order::Arrival => {
                let all: Vec<(u64, u64)> = proofs
                    .iter()
                    .flat_map(|proof| (0..self.partitions).map(move |part| (*proof, part)))
                    .collect();
                let mut jobs = Vec::with_capacity(all.len());
                // Those of a chunk are synthesised at once, end at once, and take turns.
                for chunk in all.chunks(self.partition_workers as usize) {
                    let first =
                        |proof: u64| chunk.iter().find(|other| other.0 == proof).map_or(0, |other| other.1);
                    let mut turns: Vec<(u64, u64, u64)> =
                        chunk.iter().map(|(proof, part)| (part - first(*proof), *proof, *part)).collect();
                    turns.sort_unstable();
                    jobs.extend(
                        turns.iter().map(|(_, proof, part)| (proof * self.partitions + part + 1, spec(1))),
                    );
                }
                jobs
            }
        }
    }

    /// The proof that a job is of, or belongs to.
    pub(crate) fn proof_of(&self, job: u64) -> u64 {
        match self.order {
            Order::Age => job.saturating_sub(1),
            Order::Arrival => job.saturating_sub(1) / self.partitions.max(1),
        }
    }

    /// How many jobs make a proof.
    pub(crate) fn jobs_per_proof(&self) -> u64 {
        match self.order {
            Order::Age => 1,
            Order::Arrival => self.partitions,
        }
    }

    /// What people call a partition: its proof and its index there, from 0.
    pub fn place_of(&self, part: PartId) -> (u64, u64) {
        match self.order {
            Order::Age => (part.job.saturating_sub(1), u64::from(part.index)),
            Order::Arrival => (self.proof_of(part.job), part.job.saturating_sub(1) % self.partitions.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::published::Rows;
    use crate::scenario::Order;

    #[test]
    fn those_that_are_synthesised_at_once_take_turns() {
        let rows = Rows::shipped().unwrap();
        let machine = rows.machine().unwrap();
        let mut setting = rows.setting(&machine, &rows.rows[0]);
        (setting.load.partitions, setting.load.partition_workers) = (3, 4);
        let plan = setting.resolve(&crate::Stock).unwrap().plan;
        let places = |load: &crate::Load| -> Vec<(u64, u64)> {
            let jobs = load.jobs(&[0, 1, 2], &plan);
            let parts = jobs.iter().flat_map(|(job, spec)| {
                (0..spec.parts.len() as u32).map(|index| interlock_scheduler::PartId { job: *job, index })
            });
            parts.map(|part| load.place_of(part)).collect()
        };
        // Four at a time: three of the first proof and one of the second, and so on.
        let turns = [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1), (2, 0), (1, 2), (2, 1), (2, 2)];
        assert_eq!(places(&setting.load), turns);
        setting.load.order = Order::Age;
        let by_age: Vec<_> = (0..3).flat_map(|proof| (0..3).map(move |part| (proof, part))).collect();
        assert_eq!(places(&setting.load), by_age);
    }
}
