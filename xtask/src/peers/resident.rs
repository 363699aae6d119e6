//! A process that has everything loaded and works when told.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// One of the programs of `tests/peers`, waiting.
#[derive(Debug)]
pub(super) struct Resident {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    line: String,
}

impl Resident {
    /// Starts it and waits until it has loaded. Returns what it told of that.
    pub(super) fn start(mut command: Command) -> Result<(Self, Value)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let line = format!("{command:?}");
        let mut child = command.spawn().with_context(|| format!("cannot start {line}"))?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().context("its output is piped")?);
        let mut resident = Self { child, requests, answers, line };
        let loaded = resident.answer()?;
        ensure!(loaded["what"] == "load", "{} told {loaded} first", resident.line);
        Ok((resident, loaded))
    }

    /// Lets it work once.
    pub(super) fn work(&mut self) -> Result<Value> {
        let requests = self.requests.as_mut().context("its input is piped")?;
        requests.write_all(b"\n").and_then(|()| requests.flush()).context("it does not listen")?;
        self.answer()
    }

    /// Lets it end.
    pub(super) fn end(mut self) -> Result<()> {
        drop(self.requests.take());
        let status = self.child.wait()?;
        ensure!(status.success(), "failed ({status}): {}", self.line);
        Ok(())
    }

    fn answer(&mut self) -> Result<Value> {
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        serde_json::from_str(&answer)
            .with_context(|| format!("no measurement but {answer:?} from {}", self.line))
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        // It ends at the end of its input; when it hangs, a comparison has failed anyway.
        drop(self.requests.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
