//! The rows in order, or at random until the time is over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use interlock_core::backend::Plugin;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::event::{Event, Subject};
use crate::expected::ExpectedFailures;
use crate::group::Group;
use crate::groups;
use crate::options::{Level, Options};
use crate::outcome::{Failure, Stop};
use crate::report::{Collector, Report};
use crate::row::{Row, Setting, generator};

/// Runs the suite in this process, and tells `listener` of every event. A backend that crashes takes this process with it;
/// see [`process`](crate::process) for one that does not.
pub fn run(plugin: &Arc<Plugin>, options: &Options, listener: &mut dyn FnMut(Event)) {
    match Subject::of(plugin, options.device) {
        Ok(subject) => listener(Event::Loaded(subject)),
        Err(error) => {
            listener(Event::Refused { message: error.to_string() });
            return;
        }
    }
    let rows = |group| groups::rows(group, &plugin.info().curves, options.level);
    let wanted = Group::ALL.into_iter().filter(|group| options.groups.contains(group));
    match options.level {
        Level::Quick | Level::Full => {
            for row in wanted.flat_map(rows) {
                run_row(plugin, options, &row, options.seed, listener);
            }
        }
        Level::Soak => soak(plugin, options, &wanted.flat_map(rows).collect::<Vec<_>>(), listener),
    }
    listener(Event::Done);
}

/// [`run`], and what came of it.
pub fn check(plugin: &Arc<Plugin>, options: &Options, expected: &ExpectedFailures) -> Report {
    let mut collector = Collector::new(options.level, options.seed);
    run(plugin, options, &mut |event| collector.take(event));
    collector.finish(expected)
}

fn soak(plugin: &Arc<Plugin>, options: &Options, rows: &[Row], listener: &mut dyn FnMut(Event)) {
    let begin = Instant::now();
    let mut seed = options.seed;
    while begin.elapsed() < options.soak && !rows.is_empty() {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let row = &rows[(rng.next_u64() % rows.len() as u64) as usize];
        run_row(plugin, options, row, seed, listener);
        seed = seed.wrapping_add(1);
    }
}

fn run_row(plugin: &Arc<Plugin>, options: &Options, row: &Row, seed: u64, listener: &mut dyn FnMut(Event)) {
    let id = row.id(seed);
    listener(Event::Begins(id.clone()));
    let mut setting = Setting { plugin, device: options.device, rng: generator(&id) };
    // The suite's own mistakes are to be told from the backend's, which cannot unwind up to here.
    let outcome = catch_unwind(AssertUnwindSafe(|| (row.run)(&mut setting)));
    listener(match outcome {
        Ok(Ok(())) => Event::Passed(id),
        Ok(Err(Stop::NotOffered(what))) => Event::NotOffered { id, what: what.to_owned() },
        Ok(Err(Stop::Failed(failure))) => Event::Failed { id, failure },
        Err(_) => Event::Failed {
            id,
            failure: Failure {
                input: "the row itself".into(),
                expected: "an end of the row".into(),
                got: "the suite panicked: a fault of the suite's, or an answer that it did not foresee"
                    .into(),
            },
        },
    });
}
