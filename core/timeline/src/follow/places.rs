//! Who has which worker, as the scheduler's notes say.

use interlock_scheduler::{Note, PartId, PhaseName};

use super::{Follower, Place, Then};
use crate::cause::Cause;
use crate::model::Model;
use crate::row::{Doing, Ending, Row};

impl Follower {
    pub(super) fn synthesise(&mut self, t: u64, part: PartId) {
        self.begins(t, part);
        self.parts.entry(part).or_default();
        let start = self.span.map_or(t, |(start, _)| start);
        let slot = self.free_slots.pop_first().unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(Row::new(None, slot as u32, start));
        }
        self.slots[slot].switch(t, Ending::Done, Some(part), Doing::Synthesis);
        self.synthesising.insert(part, slot);
    }

    pub(super) fn begins(&mut self, t: u64, part: PartId) {
        if let Some(job) = self.jobs.get_mut(&part.job) {
            job.began.get_or_insert(t);
        }
    }

    pub(super) fn note(&mut self, t: u64, part: PartId, note: &Note) {
        match note {
            Note::Assigned { device, worker, ticket } => {
                self.tickets.insert(*ticket, part);
                self.parts.entry(part).or_default();
                if let Some(place) = self.put(t, part, *device, *worker) {
                    let row = place.row;
                    self.wait(t, row, part, PhaseName::Prepare, Cause::Unsaid);
                }
            }
            Note::Waits { phase, reason } => {
                let cause = Cause::of(*reason, |ticket| self.tickets.get(&ticket).copied());
                if let Some(row) = self.waiting(part) {
                    self.wait(t, row, part, *phase, cause);
                }
            }
            Note::Fallback { phase } => {
                self.parts.entry(part).or_default().fallbacks += 1;
                self.count(part, |counts| counts.fallbacks += 1);
                if let Some(place) = self.places.get_mut(&part) {
                    (place.slow, place.then) = (true, Then::Block);
                }
                let cause = if *phase == PhaseName::Stage { Cause::Unsaid } else { Cause::Memory };
                if let Some(row) = self.waiting(part) {
                    self.wait(t, row, part, PhaseName::Compute, cause);
                }
            }
            Note::Revoked { .. } => {
                self.parts.entry(part).or_default().revoked += 1;
                self.count(part, |counts| counts.revocations += 1);
                if let Some(place) = self.places.get_mut(&part) {
                    place.then = Then::Restage;
                }
            }
            Note::SetAside => {
                self.parts.entry(part).or_default().set_aside += 1;
                if let Some(place) = self.places.get_mut(&part) {
                    place.then = Then::Leave;
                }
                self.leave(t, part);
            }
            Note::Retry { .. } => {
                self.count(part, |counts| counts.retries += 1);
                if let Some(place) = self.places.get_mut(&part) {
                    (place.slow, place.then) = (false, Then::Leave);
                }
                self.leave(t, part);
            }
            Note::Quarantined { bytes } => {
                self.count(part, |counts| counts.quarantined += bytes);
                let device = self.places.get(&part).and_then(|place| self.workers[place.row].device);
                self.lose(t, device);
            }
        }
    }

    /// Puts a partition on a worker; the one that it had before is free.
    pub(super) fn put(&mut self, t: u64, part: PartId, device: u32, worker: u32) -> Option<&mut Place> {
        let row =
            self.workers.binary_search_by_key(&(Some(device), worker), |row| (row.device, row.index)).ok()?;
        if self.places.get(&part).is_some_and(|place| place.row != row) {
            self.leave(t, part);
        }
        let place = self.places.entry(part).or_insert(Place { row, then: Then::Leave, slow: false });
        place.row = row;
        Some(place)
    }

    fn wait(&mut self, t: u64, row: usize, part: PartId, phase: PhaseName, cause: Cause) {
        self.workers[row].switch(t, Ending::Done, Some(part), Doing::Wait { phase, cause });
    }

    /// The row on which a partition waits.
    fn waiting(&self, part: PartId) -> Option<usize> {
        let row = self.places.get(&part)?.row;
        let of = &self.workers[row];
        (of.current.part == Some(part) && of.waits()).then_some(row)
    }

    /// A partition that waits gives its worker back.
    fn leave(&mut self, t: u64, part: PartId) {
        if let Some(row) = self.waiting(part) {
            self.workers[row].switch(t, Ending::Done, None, Doing::Idle);
        }
    }

    fn leave_where(&mut self, t: u64, wanted: impl Fn(Option<u32>, PartId) -> bool) {
        for row in &mut self.workers {
            if row.waits() && row.current.part.is_some_and(|part| wanted(row.device, part)) {
                row.switch(t, Ending::Done, None, Doing::Idle);
            }
        }
    }

    /// A job ends, before its time or not: what waits of it leaves.
    pub(super) fn end(&mut self, t: u64, job: u64) {
        if self.jobs.contains_key(&job) && self.ending.insert(job) {
            self.leave_where(t, |_, part| part.job == job);
        }
    }

    /// A device is gone: what waits there leaves.
    pub(super) fn lose(&mut self, t: u64, device: Option<u32>) {
        self.leave_where(t, |there, _| there == device);
    }

    fn count(&mut self, part: PartId, add: impl FnOnce(&mut crate::model::Counts)) {
        let synthesised = self.synthesising.contains_key(&part);
        let device = self.places.get(&part).filter(|_| !synthesised);
        let device = device.and_then(|place| self.workers[place.row].device);
        add(match device {
            Some(device) => &mut self.counts[device as usize],
            None => &mut self.host,
        });
    }

    pub(crate) fn finish(mut self, cut: bool) -> Model {
        let (start, end) = self.span.unwrap_or((0, 0));
        for row in self.slots.iter_mut().chain(&mut self.workers) {
            row.close(end);
            row.spans.sort_by_key(|span| (span.from, std::cmp::Reverse(span.to)));
        }
        let mut model = Model {
            header: self.header,
            start,
            end,
            slots: self.slots,
            workers: self.workers,
            memory: self.memory,
            counts: self.counts,
            host: self.host,
            jobs: self.jobs,
            parts: self.parts,
            cut,
        };
        model.look_back();
        model
    }
}
