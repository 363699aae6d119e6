//! An urgent job takes the worker of one that waits, and no other that is ready takes it before.

mod world;

use interlock_scheduler::{Action, Event, JobSpec, Note, Outcome, PartId, PartSpec, PriorityName, Time};
use interlock_strategies::stock;
use world::{World, config};

#[test]
fn an_urgent_job_gets_the_worker_that_is_made_free_for_it() {
    for strategy in stock::ALL {
        let mut world = World::new(strategy.name, config(16, 2));
        let spec = |priority| JobSpec {
            priority,
            deadline: None,
            parts: vec![PartSpec { synthesis: false, staged: 12, peak: 12, key: 0 }],
        };
        // The first is on its way, the second waits with a worker, the third has none.
        for job in 0..3 {
            world.submit(job, spec(PriorityName::Normal));
        }
        let actions = world.tell(&Event::Submit { job: 3, spec: spec(PriorityName::High) }, Time(0));
        let urgent = PartId { job: 3, index: 0 };
        let assigned = |action: &Action| matches!(action, Action::Note { part, note: Note::Assigned { .. } } if *part == urgent);
        // In `whole` the second waits from the beginning; in the others it prepares.
        assert_eq!(actions.iter().any(assigned), strategy.name == stock::WHOLE, "{actions:?}");
        while let Some(work) = world.pending.iter().next().copied() {
            world.end(work, Outcome::Done, Time(0));
        }
        assert_eq!(world.ends.len(), 4, "{}", strategy.name);
        world.check_clean();
    }
}
