//! The threads: workers of devices, synthesisers, the clock.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use interlock_scheduler::{Again, Event, Outcome, PartId, PhaseName};

use super::context::{Context, LaneSlot};
use super::shared::{Command, Later, Shared, State, let_go};
use super::work::{Stop, Work};
use crate::groth16::CancelFlag;

/// Starts a worker of a device.
pub(super) fn start_worker(shared: &Arc<Shared>, device: usize, worker: usize) -> io::Result<JoinHandle<()>> {
    let shared = Arc::clone(shared);
    thread::Builder::new()
        .name(format!("interlock-{device}-{worker}"))
        .spawn(move || run_worker(&shared, device, worker))
}

/// Starts the clock.
pub(super) fn start_clock(shared: &Arc<Shared>) -> io::Result<JoinHandle<()>> {
    let shared = Arc::clone(shared);
    thread::Builder::new().name("interlock-clock".into()).spawn(move || run_clock(&shared))
}

/// Starts a thread that synthesises; what it would have done has failed when there can be none.
pub(super) fn start_synthesiser(shared: &Arc<Shared>) {
    let own = Arc::clone(shared);
    let started =
        thread::Builder::new().name("interlock-synthesis".into()).spawn(move || run_synthesiser(&own));
    let Err(error) = started else { return };
    let mut state = shared.lock();
    state.synthesisers -= 1;
    // There are others for all of them.
    if state.syntheses.len() <= state.synthesisers {
        return;
    }
    let Some(part) = state.syntheses.pop_back() else { return };
    let reason = format!("no thread can be started for its synthesis: {error}");
    let outcome = Outcome::Failed { again: Again::Here, reason };
    let later = shared.tell(&mut state, &Event::Synthesised { part, outcome });
    drop(state);
    later.run(shared);
}

/// Cancels and frees, and tells what is to be told afterwards, on a thread of its own: a backend's call that does not come
/// back holds up nobody else.
pub(super) fn aside(shared: &Arc<Shared>, later: Later) {
    let own = Arc::clone(shared);
    let place = Arc::new(Mutex::new(Some(later)));
    let inside = Arc::clone(&place);
    let take = |place: &Mutex<Option<Later>>| place.lock().unwrap_or_else(PoisonError::into_inner).take();
    let started = thread::Builder::new().name("interlock-aside".into()).spawn(move || {
        if let Some(later) = take(&inside) {
            later.finish(&own);
        }
    });
    // Without a thread it is done here, whatever that may wait for.
    if started.is_err()
        && let Some(later) = take(&place)
    {
        later.finish(shared);
    }
}

fn run_worker(shared: &Arc<Shared>, device: usize, worker: usize) {
    let mut lane = LaneSlot::default();
    loop {
        let Some((command, work, cancel)) = next_command(shared, device, worker) else { return };
        let (event, work) = match command {
            Command::Run { part, phase, path } => {
                let context = context(shared, part, Some(device), &cancel);
                let (outcome, work) = attempt(work, |work| match phase {
                    // Not in the pool: a thread of the pool that waits for a backend's own pool takes up other work of this
                    // one, and if that was another partition's prepare, it would wait for the key that it is loading itself.
                    PhaseName::Prepare => work.prepare(&context),
                    PhaseName::Stage => work.stage(&context, &mut lane),
                    PhaseName::Compute => work.compute(path, &context, &mut lane),
                    PhaseName::Finish => shared.finishing.install(|| work.finish(&context)),
                });
                match outcome {
                    Outcome::Done => {}
                    Outcome::DeviceLost { .. } => {
                        lane = LaneSlot::default();
                        shared.devices[device].forget();
                    }
                    // A panic may have left anything on it.
                    _ => lane.drain(),
                }
                (Event::Ended { part, phase, outcome }, work)
            }
            Command::Drop { part } => {
                let (_, work) = attempt(work, |work| {
                    work.drop_staged();
                    Ok(())
                });
                (Event::Dropped { part }, work)
            }
        };
        let mut state = put_back(shared, command.part(), work);
        if let Some(mailbox) = state.mailboxes[device].get_mut(worker) {
            mailbox.busy = false;
        }
        let mut later = shared.tell(&mut state, &event);
        shared.settled.notify_all();
        drop(state);
        later.keys.extend(shared.devices[device].surplus());
        later.run(shared);
    }
}

/// Puts a partition's work back, or, when its job has ended without it, gets rid of it before anybody hears of that.
fn put_back<'a>(shared: &'a Shared, part: PartId, work: Box<dyn Work>) -> MutexGuard<'a, State> {
    let mut state = shared.lock();
    let Some(late) = state.put_back(part, work) else { return state };
    drop(state);
    let_go(late);
    shared.lock()
}

type Taken = (Command, Box<dyn Work>, CancelFlag);

/// Waits for a command; none when the engine stops.
fn next_command(shared: &Arc<Shared>, device: usize, worker: usize) -> Option<Taken> {
    let mut state = shared.lock();
    loop {
        let mailbox = state.mailboxes.get_mut(device)?.get_mut(worker)?;
        if let Some(command) = mailbox.command.take() {
            if let Some((work, cancel)) = state.take(command.part()) {
                state.mailboxes[device][worker].busy = true;
                return Some((command, work, cancel));
            }
            // Its job has ended meanwhile, without it: the scheduler took it for hung, and learns that nothing is.
            let event = match command {
                Command::Run { part, phase, .. } => Event::Ended { part, phase, outcome: Outcome::Cancelled },
                Command::Drop { part } => Event::Dropped { part },
            };
            let later = shared.tell(&mut state, &event);
            drop(state);
            later.run(shared);
            state = shared.lock();
            continue;
        }
        if state.stopping {
            return None;
        }
        state = shared.called[device][worker].wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn run_synthesiser(shared: &Arc<Shared>) {
    loop {
        let Some((part, work, cancel)) = next_synthesis(shared) else { return };
        let context = context(shared, part, None, &cancel);
        let (outcome, work) =
            attempt(work, |work| shared.synthesis_pool.install(|| work.synthesise(&context)));
        let mut state = put_back(shared, part, work);
        // What it is told now it can do itself.
        state.synthesisers += 1;
        let later = shared.tell(&mut state, &Event::Synthesised { part, outcome });
        shared.settled.notify_all();
        drop(state);
        later.run(shared);
    }
}

fn next_synthesis(shared: &Arc<Shared>) -> Option<(PartId, Box<dyn Work>, CancelFlag)> {
    let mut state = shared.lock();
    loop {
        if let Some(part) = state.syntheses.pop_front() {
            if let Some((work, cancel)) = state.take(part) {
                state.synthesisers -= 1;
                return Some((part, work, cancel));
            }
            continue;
        }
        if state.stopping {
            return None;
        }
        state = shared.synthesis.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

fn run_clock(shared: &Arc<Shared>) {
    let mut state = shared.lock();
    while !state.stopping {
        state = match state.wake {
            None => shared.timer.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(at) => {
                let wait = shared.until(at);
                if wait.is_zero() {
                    state.wake = None;
                    let later = shared.tell(&mut state, &Event::Tick);
                    drop(state);
                    later.run_aside(shared);
                    shared.lock()
                } else {
                    let waited = shared.timer.wait_timeout(state, wait);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            }
        };
    }
}

fn context<'a>(
    shared: &'a Arc<Shared>,
    part: PartId,
    device: Option<usize>,
    cancel: &'a CancelFlag,
) -> Context<'a> {
    let device = device.and_then(|index| Some((index, shared.devices.get(index)?)));
    Context { shared, part, device, cancel }
}

/// Does a piece of work; a panic ends it, and nothing else.
fn attempt(
    mut work: Box<dyn Work>,
    piece: impl FnOnce(&mut dyn Work) -> Result<(), Stop>,
) -> (Outcome, Box<dyn Work>) {
    let outcome = match catch_unwind(AssertUnwindSafe(|| piece(&mut *work))) {
        Ok(Ok(())) => Outcome::Done,
        Ok(Err(stop)) => stop.into(),
        Err(panic) => {
            // What it has is let go of; when that panics too, it is lost memory, nothing else.
            let _ = catch_unwind(AssertUnwindSafe(|| work.panicked()));
            Outcome::Panicked { reason: said(&*panic) }
        }
    };
    (outcome, work)
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or_else(|| "it panicked".to_owned(), |text| format!("it panicked: {text}"))
}
