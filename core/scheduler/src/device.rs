//! The state of a device.

use std::collections::BTreeMap;

use crate::event::PartId;

/// What a worker is for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Worker {
    Free,
    With(PartId),
    /// Its thread hangs in a call.
    Hung(PartId),
}

/// Why a device counts as lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Loss {
    /// Something hangs there; it is not lost any more when that ends.
    Hangs,
    /// It is gone.
    Gone,
}

/// What a partition that hangs has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Quarantined {
    pub(crate) bytes: u64,
    /// What its device's strategy knows it by.
    pub(crate) ticket: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Device<S> {
    pub(crate) strategy: S,
    pub(crate) budget: u64,
    pub(crate) workers: Vec<Worker>,
    /// Bytes that partitions have there.
    pub(crate) bytes: BTreeMap<PartId, u64>,
    /// Partitions that hang in a phase on the device.
    pub(crate) quarantined: BTreeMap<PartId, Quarantined>,
    pub(crate) lost: Option<Loss>,
    pub(crate) tier: u32,
    /// Keys that it worked with, the last one last.
    pub(crate) keys: Vec<u64>,
}

/// Keys of a device that are remembered.
const KEYS: usize = 8;

impl<S> Device<S> {
    pub(crate) fn used(&self) -> u64 {
        self.bytes.values().sum::<u64>() + self.in_quarantine()
    }

    pub(crate) fn in_quarantine(&self) -> u64 {
        self.quarantined.values().map(|part| part.bytes).sum()
    }

    /// Whether a partition can have so many bytes, beside the others.
    pub(crate) fn fits(&self, part: PartId, bytes: u64) -> bool {
        let own = self.bytes.get(&part).copied().unwrap_or(0);
        bytes <= self.budget.saturating_sub(self.used() - own)
    }

    /// Sets what a partition has; whether bytes came free.
    pub(crate) fn set_bytes(&mut self, part: PartId, bytes: u64) -> bool {
        let before = match bytes {
            0 => self.bytes.remove(&part),
            bytes => self.bytes.insert(part, bytes),
        };
        before.unwrap_or(0) > bytes
    }

    pub(crate) fn has_bytes(&self, part: PartId) -> bool {
        self.bytes.contains_key(&part)
    }

    /// It works with a key now.
    pub(crate) fn uses(&mut self, key: u64) {
        if key != 0 {
            self.keys.retain(|known| *known != key);
            if self.keys.len() == KEYS {
                self.keys.remove(0);
            }
            self.keys.push(key);
        }
    }

    pub(crate) fn free_worker(&self) -> Option<usize> {
        if self.lost.is_some() {
            return None;
        }
        self.workers.iter().position(|worker| *worker == Worker::Free)
    }

    pub(crate) fn busy(&self) -> usize {
        self.workers.iter().filter(|worker| **worker != Worker::Free).count()
    }
}
