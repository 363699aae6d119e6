//! A setting, simulated: from its parts to what came out.

use interlock_scheduler::Scheduler;
use interlock_timeline::{Model, Summary};

use crate::error::Error;
use crate::factory::Factory;
use crate::outcome::Outcome;
use crate::scenario::{Load, Setting};
use crate::setting::Resolved;
use crate::simulation::{Driven, Simulation};
use crate::work::Works;

impl Setting {
    /// A scheduler as a simulation drives it: one in which its timeline can be replayed.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn scheduler(&self, factory: &dyn Factory) -> Result<Driven, Error> {
        scheduler(&self.load, &self.resolve(factory)?, factory)
    }

    /// Simulates it.
    ///
    /// # Errors
    /// The setting cannot be, the strategy breaks a law, or it lets nobody in.
    pub fn run(&self, factory: &dyn Factory) -> Result<Outcome, Error> {
        let resolved = self.resolve(factory)?;
        let machine = scheduler(&self.load, &resolved, factory)?;
        let devices = self.load.devices as usize;
        let works = Works::new(self.machine.cores, self.machine.contention, devices, self.machine.link);
        let mut simulation = Simulation::new(&self.load, &resolved, works, machine);
        simulation.run(factory)?;
        let records = std::mem::take(&mut simulation.records);
        let model = Model::new(resolved.header.clone(), &records)?;
        Ok(Outcome {
            load: self.load.clone(),
            header: resolved.header.clone(),
            summary: Summary::new(&model),
            records,
            model,
            counters: simulation.machine.counters(),
            peak_host_bytes: simulation.host_peak,
            host_memory: resolved.host_memory,
            peak_device_bytes: simulation.laws.peak_bytes(),
            peak_reserved: simulation.laws.peak_reserved(),
            budget: resolved.limits.budget,
        })
    }
}

fn scheduler(load: &Load, resolved: &Resolved, factory: &dyn Factory) -> Result<Driven, Error> {
    let make = |_| factory.create(&load.interlock, resolved.limits);
    let made: Result<Vec<_>, String> = resolved.config.devices.iter().map(make).collect();
    let made = made.map_err(|problem| Error::Strategy { name: load.interlock.clone(), problem })?;
    let mut made = made.into_iter();
    // As many as there are devices.
    Ok(Scheduler::new(resolved.config.clone(), |_| made.next().expect("one for each device")))
}
