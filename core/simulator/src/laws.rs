//! What holds under any strategy, looked at after each event.

use interlock_scheduler::{PartId, Scheduler};
use interlock_strategies::{MemoryPolicy, Strategy};

use crate::error::Error;
use crate::setting::Resolved;

/// The laws, and the most that was seen of each device.
#[derive(Clone, Debug)]
pub(crate) struct Laws {
    budget: u64,
    /// Whether what is granted never exceeds the budget either.
    reserving: bool,
    devices: Vec<Seen>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    bytes: u64,
    reserved: u64,
    changed: bool,
    peak_bytes: u64,
    peak_reserved: u64,
}

impl Laws {
    pub(crate) fn new(resolved: &Resolved) -> Self {
        Self {
            budget: resolved.limits.budget,
            reserving: resolved.policy != MemoryPolicy::Overcommitting,
            devices: vec![Seen { changed: true, ..Seen::default() }; resolved.config.devices.len()],
        }
    }

    /// A partition was let in where there is no room; nobody else uses a simulated device.
    pub(crate) fn fell_back(&self, part: PartId, at: u64) -> Result<(), Error> {
        if !self.reserving {
            return Ok(());
        }
        let law = format!("what a strategy that reserves grants, fits: for {part:?} there is no room");
        Err(Error::Law { at, law })
    }

    /// Looks at the devices.
    pub(crate) fn check<S: Strategy>(&mut self, machine: &Scheduler<S>, at: u64) -> Result<(), Error> {
        let budget = self.budget;
        for (device, seen) in self.devices.iter_mut().enumerate() {
            let bytes = machine.bytes_on(device);
            let reserved = machine.strategy(device).map_or(0, |strategy| strategy.account().reserved);
            if bytes > budget {
                let law = format!("bytes on device {device} are within its budget: {bytes} of {budget}");
                return Err(Error::Law { at, law });
            }
            if self.reserving && reserved > budget {
                let law = format!("permits on device {device} are within its budget: {reserved} of {budget}");
                return Err(Error::Law { at, law });
            }
            seen.changed |= (seen.bytes, seen.reserved) != (bytes, reserved);
            (seen.bytes, seen.reserved) = (bytes, reserved);
            seen.peak_bytes = seen.peak_bytes.max(bytes);
            seen.peak_reserved = seen.peak_reserved.max(reserved);
        }
        Ok(())
    }

    /// A device's bytes and permits, when they are not as they were at the last call.
    pub(crate) fn changed(&mut self, device: usize) -> Option<(u64, u64)> {
        let seen = self.devices.get_mut(device)?;
        std::mem::take(&mut seen.changed).then_some((seen.bytes, seen.reserved))
    }

    /// That nothing is left at the end.
    pub(crate) fn check_clean<S: Strategy>(&self, machine: &Scheduler<S>, at: u64) -> Result<(), Error> {
        for device in 0..self.devices.len() {
            let account = machine.strategy(device).map(Strategy::account).unwrap_or_default();
            let left = (machine.bytes_on(device), account.reserved, account.waiting, account.holding);
            if left != (0, 0, 0, 0) {
                let law = format!(
                    "nothing is left at the end: device {device} has bytes, permits, waiting, holding {left:?}"
                );
                return Err(Error::Law { at, law });
            }
        }
        Ok(())
    }

    /// The most bytes that a device had at once.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.devices.iter().map(|seen| seen.peak_bytes).max().unwrap_or(0)
    }

    /// The most bytes that a strategy had granted at once.
    pub(crate) fn peak_reserved(&self) -> u64 {
        self.devices.iter().map(|seen| seen.peak_reserved).max().unwrap_or(0)
    }
}
