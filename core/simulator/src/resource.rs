//! What tasks share: cores, a device, a link. All of its tasks are slowed alike.
//!
//! With `n` tasks that ask for `d` in sum of a capacity `c`, each goes at `1 / (max(1, d/c) · (1 + k·(n − 1)))` of its
//! speed alone; `k` is the contention. So a resource has a clock of its own, which goes slower the more is asked of it,
//! and a task ends when that clock shows its end: no task is looked at when another one comes or goes.

use std::collections::BTreeSet;

/// Parts of a microsecond in which work is counted.
const PARTS: u128 = 1_000_000;

/// A number that tells tasks apart, on all resources.
pub(crate) type TaskId = u64;

#[derive(Clone, Debug)]
pub(crate) struct Resource {
    capacity: u64,
    /// In parts per million.
    contention: u64,
    /// Its own clock, in parts of a microsecond, at `updated`.
    clock: u128,
    updated: u64,
    /// By what its clock shows when they end, with what they ask for.
    tasks: BTreeSet<(u128, TaskId, u64)>,
    demand: u64,
}

impl Resource {
    pub(crate) fn new(capacity: u64, contention: u64) -> Self {
        Self {
            capacity: capacity.max(1),
            contention,
            clock: 0,
            updated: 0,
            tasks: BTreeSet::new(),
            demand: 0,
        }
    }

    /// How many times slower than alone its tasks are, in parts per million.
    fn slowness(&self) -> u128 {
        let million = 1_000_000_u128;
        let share = (u128::from(self.demand) * million / u128::from(self.capacity)).max(million);
        let others = (self.tasks.len() as u128).saturating_sub(1);
        share * (million + u128::from(self.contention) * others) / million
    }

    /// Lets its clock go on.
    pub(crate) fn advance(&mut self, now: u64) {
        let passed = u128::from(now.saturating_sub(self.updated));
        self.clock += passed * PARTS * 1_000_000 / self.slowness();
        self.updated = now;
    }

    /// Begins a task; the clock must be up to date.
    pub(crate) fn begin(&mut self, id: TaskId, micros: u64, demand: u64) {
        self.tasks.insert((self.clock + u128::from(micros) * PARTS, id, demand));
        self.demand += demand;
    }

    /// When the next task ends, if nothing comes in between.
    pub(crate) fn next(&self) -> Option<u64> {
        let (end, _, _) = self.tasks.first()?;
        let left = end.saturating_sub(self.clock);
        let micros = (left * self.slowness()).div_ceil(PARTS * 1_000_000);
        Some(self.updated + u64::try_from(micros).unwrap_or(u64::MAX / 2))
    }

    /// Takes a task that has ended by now; the clock must be up to date.
    pub(crate) fn ended(&mut self) -> Option<TaskId> {
        let (end, id, demand) = *self.tasks.first()?;
        if end > self.clock {
            return None;
        }
        self.tasks.pop_first();
        self.demand -= demand;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::Resource;

    /// Runs tasks (when, micros, demand), and tells when each ended.
    fn run(mut resource: Resource, tasks: &[(u64, u64, u64)]) -> Vec<u64> {
        let mut ends = vec![0; tasks.len()];
        let mut begun = 0;
        loop {
            let begin = tasks.get(begun).map(|task| task.0);
            let Some(now) = resource.next().into_iter().chain(begin).min() else { return ends };
            resource.advance(now);
            while let Some(id) = resource.ended() {
                ends[id as usize] = now;
            }
            while let Some((at, micros, demand)) = tasks.get(begun).filter(|task| task.0 == now) {
                assert!(*at == now);
                resource.begin(begun as u64, *micros, *demand);
                begun += 1;
            }
        }
    }

    #[test]
    fn alone_or_with_room_for_all_nobody_is_slowed() {
        assert_eq!(run(Resource::new(2, 0), &[(0, 1_000_001, 1), (7, 99, 1)]), [1_000_001, 106]);
    }

    #[test]
    fn what_is_asked_for_twice_takes_twice_as_long() {
        // The second one comes after a half of the first: both then go at half speed, until the first ends.
        assert_eq!(run(Resource::new(1, 0), &[(0, 100, 1), (50, 100, 1)]), [150, 200]);
        // Three quarters and a half of a link: five quarters are asked of it.
        assert_eq!(run(Resource::new(100, 0), &[(0, 100, 75), (0, 200, 50)]), [125, 225]);
    }

    #[test]
    fn each_other_task_costs_a_share() {
        // 10 % by each of the two others, until they end.
        assert_eq!(run(Resource::new(8, 100_000), &[(0, 100, 1), (0, 100, 1), (0, 200, 1)]), [120, 120, 220]);
    }
}
