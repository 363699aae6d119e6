//! From events to a report.

use std::time::Instant;

use super::{Counts, Ended, FailedRow, Report, seconds};
use crate::event::{Event, RowId, Subject};
use crate::expected::ExpectedFailures;
use crate::options::Level;
use crate::outcome::Failure;

/// Adds events up.
#[derive(Debug)]
pub struct Collector {
    begin: Instant,
    level: Level,
    seed: u64,
    subject: Option<Subject>,
    file: Option<(String, String)>,
    refused: Option<String>,
    running: Option<RowId>,
    passed: Vec<RowId>,
    not_offered: u64,
    failed: Vec<(RowId, Failure)>,
    ended: Vec<Ended>,
}

impl Collector {
    /// Nothing has happened yet.
    pub fn new(level: Level, seed: u64) -> Self {
        Self {
            begin: Instant::now(),
            level,
            seed,
            subject: None,
            file: None,
            refused: None,
            running: None,
            passed: Vec::new(),
            not_offered: 0,
            failed: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Takes an event.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Opening { path, sha256 } => self.file = Some((path, sha256)),
            Event::Refused { message } => self.refused = Some(message),
            Event::Loaded(subject) => self.subject = Some(subject),
            Event::Begins(id) => self.running = Some(id),
            Event::Passed(id) => {
                self.running = None;
                self.passed.push(id);
            }
            Event::NotOffered { .. } => {
                self.running = None;
                self.not_offered += 1;
            }
            Event::Failed { id, failure } => {
                self.running = None;
                self.failed.push((id, failure));
            }
            Event::Done => self.running = None,
        }
    }

    /// The row that is running.
    pub fn running(&self) -> Option<&RowId> {
        self.running.as_ref()
    }

    /// Whether the library was refused.
    pub fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// The process in which the rows ran did not come to its end: the row that was running does not hold.
    pub fn ended(&mut self, how: String, stderr: String) {
        let row = self.running.take();
        if let Some(id) = &row {
            let failure = Failure {
                input: "the row as a whole".into(),
                expected: "an answer, and a process that lives on".into(),
                got: format!("the process ended: {how}"),
            };
            self.failed.push((id.clone(), failure));
        }
        self.ended.push(Ended { row, how, stderr });
    }

    /// The report.
    pub fn finish(self, expected: &ExpectedFailures) -> Report {
        let unknown = Subject::default();
        let subject = self.subject.as_ref().unwrap_or(&unknown);
        let failed: Vec<FailedRow> = self
            .failed
            .into_iter()
            .map(|(id, failure)| {
                let expected_because = expected.entry(subject, &id).map(|entry| entry.reason.clone());
                FailedRow { id, failure, expected_because }
            })
            .collect();
        let (unexpected, passed): (Vec<RowId>, Vec<RowId>) =
            self.passed.into_iter().partition(|id| expected.entry(subject, id).is_some());
        let as_expected = failed.iter().filter(|row| row.expected_because.is_some()).count() as u64;
        let counts = Counts {
            passed: passed.len() as u64,
            failed: failed.len() as u64 - as_expected,
            failed_as_expected: as_expected,
            passed_unexpectedly: unexpected.len() as u64,
            not_offered: self.not_offered,
        };
        let ended_unexpectedly = self
            .ended
            .iter()
            .any(|ended| ended.row.as_ref().is_none_or(|id| expected.entry(subject, id).is_none()));
        Report {
            conforms: self.subject.is_some()
                && self.refused.is_none()
                && !ended_unexpectedly
                && counts.failed == 0
                && counts.passed_unexpectedly == 0
                && counts.passed > 0,
            subject: self.subject,
            file: self.file,
            refused: self.refused,
            level: self.level,
            seed: self.seed,
            counts,
            seconds: seconds(self.begin.elapsed()),
            failed,
            passed_unexpectedly: unexpected,
            ended: self.ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected::ExpectedFailure;
    use crate::group::Group;

    fn id(row: &str) -> RowId {
        RowId { group: Group::Msm, row: row.into(), curve: None, seed: 1 }
    }

    #[test]
    fn expected_failures_are_told_apart_both_ways() {
        let expected = ExpectedFailures {
            expected: vec![ExpectedFailure {
                backend: "b".into(),
                device: "*".into(),
                row: "msm / length *".into(),
                reason: "not yet".into(),
            }],
        };
        let mut collector = Collector::new(Level::Quick, 1);
        collector.take(Event::Loaded(Subject { name: "b".into(), ..Subject::default() }));
        let failure = Failure { input: "i".into(), expected: "e".into(), got: "g".into() };
        collector.take(Event::Passed(id("scalars all one")));
        collector.take(Event::Failed { id: id("length 0"), failure });
        assert!(clone(&collector).finish(&expected).conforms);
        assert!(!clone(&collector).finish(&ExpectedFailures::default()).conforms);
        collector.take(Event::Passed(id("length 1")));
        let report = clone(&collector).finish(&expected);
        assert!(!report.conforms && report.passed_unexpectedly == [id("length 1")]);
        collector.take(Event::Begins(id("scalars all zero")));
        collector.ended("signal 11 (SIGSEGV)".into(), String::new());
        let report = collector.finish(&expected);
        assert_eq!(report.ended[0].row, Some(id("scalars all zero")));
        assert_eq!((report.counts.failed, report.counts.failed_as_expected), (1, 1));
    }

    fn clone(collector: &Collector) -> Collector {
        Collector {
            subject: collector.subject.clone(),
            file: None,
            refused: None,
            running: collector.running.clone(),
            passed: collector.passed.clone(),
            failed: collector.failed.clone(),
            ended: collector.ended.clone(),
            ..Collector::new(Level::Quick, 1)
        }
    }
}
