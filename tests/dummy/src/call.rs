//! What a call goes through before it does its work.

use std::time::Duration;

use interlock_sdk::{BackendError, CancelToken, ErrorKind};

use crate::fault::{Action, Loss, Rule, Spoil};
use crate::journal::{Entry, Outcome};
use crate::lock;
use crate::operation::Operation;
use crate::script::{Delay, Shared};
use crate::stall::Woken;

/// What a script says, and what it counted.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) calls: [u64; Operation::COUNT],
    pub(crate) total: u64,
    pub(crate) rules: Vec<Rule>,
    pub(crate) delays: [Delay; Operation::COUNT],
    pub(crate) scale: f64,
    /// Lost until restored.
    pub(crate) lost: bool,
    /// How often openings were lost; one that was opened at an earlier count is.
    pub(crate) epoch: u64,
    /// Lanes that were made.
    pub(crate) lanes: u64,
    pub(crate) journal: Option<Vec<Entry>>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            calls: Default::default(),
            total: 0,
            rules: Vec::new(),
            delays: Default::default(),
            scale: 1.0,
            lost: false,
            epoch: 0,
            lanes: 0,
            journal: None,
        }
    }
}

impl State {
    pub(crate) fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::UntilReopened => self.epoch += 1,
            Loss::UntilRestored => self.lost = true,
        }
    }

    fn write_down(&mut self, entry: Entry) {
        if let Some(journal) = &mut self.journal {
            journal.push(entry);
        }
    }

    /// Counts a call, and picks what befalls it.
    fn count(&mut self, operation: Operation) -> Option<Action> {
        self.calls[operation as usize] += 1;
        self.total += 1;
        let (of_kind, total) = (self.calls[operation as usize], self.total);
        let mut chosen = None;
        for rule in &mut self.rules {
            let count = if rule.operation.is_some() { of_kind } else { total };
            // Each one counts the call; the first that is due has it.
            if rule.befalls(operation, count) && chosen.is_none() {
                rule.spend();
                chosen = Some(rule.action);
            }
        }
        self.rules.retain(|rule| !rule.is_spent());
        chosen
    }
}

/// A call that is under way.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    script: &'a Shared,
    entry: Entry,
    cancel: Option<&'a CancelToken>,
    /// That of its opening; none when the call makes one.
    epoch: Option<u64>,
    delay: Duration,
    action: Option<Action>,
}

impl Shared {
    /// Counts a call, runs it and notes how it ended, by unwinding too. `work` calls [`Call::befall`] where faults are to
    /// befall it.
    pub(crate) fn run<'a, T>(
        &'a self,
        epoch: Option<u64>,
        operation: Operation,
        lane: Option<(u64, &'a CancelToken)>,
        scalars: usize,
        work: impl FnOnce(&Call<'a>) -> Result<T, BackendError>,
    ) -> Result<T, BackendError> {
        let (lane, cancel) = (lane.map(|(number, _)| number), lane.map(|(_, cancel)| cancel));
        let entry = Entry { operation, lane, scalars: scalars as u64, outcome: None };
        let call = {
            let mut state = lock(&self.state);
            let action = state.count(operation);
            state.write_down(entry);
            let Delay { fixed, per_scalar } = state.delays[operation as usize];
            let scalars = u32::try_from(scalars).unwrap_or(u32::MAX);
            let delay = scaled(fixed.saturating_add(per_scalar.saturating_mul(scalars)), state.scale);
            Call { script: self, entry, cancel, epoch, delay, action }
        };
        let mut end = End { call: &call, outcome: Outcome::Panicked };
        let result = work(&call);
        end.outcome = result.as_ref().map_or_else(|error| Outcome::Failed(error.kind), |_| Outcome::Done);
        result
    }
}

/// Writes the end of a call down, however it comes.
struct End<'a, 'b> {
    call: &'a Call<'b>,
    outcome: Outcome,
}

impl Drop for End<'_, '_> {
    fn drop(&mut self) {
        let entry = Entry { outcome: Some(self.outcome), ..self.call.entry };
        lock(&self.call.script.state).write_down(entry);
    }
}

impl Shared {
    /// What befalls a buffer that is freed.
    pub(crate) fn free(&self, scalars: usize) {
        if lock(&self.state).rules.iter().any(|rule| rule.operation == Some(Operation::Free)) {
            let _ = self.run(None, Operation::Free, None, scalars, |call| call.befall().map(|_| ()));
        }
    }
}

impl Call<'_> {
    /// Lets happen what the script says; how the result is to be spoiled, if it is.
    pub(crate) fn befall(&self) -> Result<Option<Spoil>, BackendError> {
        let operation = self.entry.operation;
        self.check_lost()?;
        self.script.gate.delay(self.delay, self.cancel);
        match self.action {
            None | Some(Action::Corrupt(_)) => {}
            Some(Action::Fail(failure)) => return Err(failure.error(operation)),
            // As a panic, without the hook's lines on stderr.
            Some(Action::Panic) => {
                std::panic::resume_unwind(Box::new(format!("scripted panic in {operation}")))
            }
            Some(Action::Delay(time)) => {
                let scale = lock(&self.script.state).scale;
                self.script.gate.delay(scaled(time, scale), self.cancel);
            }
            Some(Action::Hang) => {
                self.script.gate.hang(None);
            }
            Some(Action::HangUntilCancelled) => {
                if self.script.gate.hang(self.cancel) == Woken::Cancelled {
                    return Err(BackendError::cancelled());
                }
            }
            Some(Action::Lose(loss)) => {
                lock(&self.script.state).lose(loss);
                return Err(lost());
            }
        }
        // It may have been lost while the call waited.
        self.check_lost()?;
        Ok(match self.action {
            Some(Action::Corrupt(how)) => Some(how),
            _ => None,
        })
    }

    fn check_lost(&self) -> Result<(), BackendError> {
        let state = lock(&self.script.state);
        let stale = self.epoch.is_some_and(|epoch| epoch != state.epoch);
        if state.lost || stale { Err(lost()) } else { Ok(()) }
    }
}

fn lost() -> BackendError {
    let mut error = BackendError::new(ErrorKind::Device, "the device is lost, as its script says");
    error.context_lost = true;
    error
}

/// What is too long for a clock is for ever.
fn scaled(time: Duration, scale: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * scale).unwrap_or(Duration::MAX)
}
