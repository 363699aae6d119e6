//! From an error to what the user gets: an exit code, a message and a hint. The table is [`verdict`]; its part about the
//! library's errors is in [`library`].

mod library;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use interlock_core::key::BadBase;

use crate::exit::Exit;
use crate::output::text::{self, plural};

/// The command line is wrong in a way that only shows beyond parsing it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

/// The configuration is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("configuration {}: {problem}", path.display())]
pub(crate) struct BadConfig {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What is wrong, the key first.
    pub(crate) problem: String,
}

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot write: {source}", path.display())]
pub(crate) struct CannotWrite {
    /// Which file.
    pub(crate) path: PathBuf,
    /// Why not.
    pub(crate) source: std::io::Error,
}

/// What a command has to say cannot be printed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: cannot write: {source}{}", .done.map(|done| format!("; {done}")).unwrap_or_default())]
pub(crate) struct CannotPrint {
    /// Why not.
    pub(crate) source: std::io::Error,
    /// What was done nevertheless.
    pub(crate) done: Option<&'static str>,
}

/// The host has not as much memory as something takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} takes about {} of memory, which this process cannot have", text::bytes(*.bytes))]
pub(crate) struct HostMemory {
    /// What takes it.
    pub(crate) what: String,
    /// How much, roughly.
    pub(crate) bytes: u64,
}

/// A file of no known kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub(crate) struct UnknownFile {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What it seems to be.
    pub(crate) kind: String,
}

/// A file of another kind than the one that is needed in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Misplaced(pub(crate) String);

/// More or fewer public signals than the verification key is for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} holds {}, {} is for {}: they belong to different circuits",
    public.display(), plural(*given, "public signal"), key.display(), plural(*wanted, "public signal")
)]
pub(crate) struct SignalCount {
    /// The public signals.
    pub(crate) public: PathBuf,
    /// How many there are.
    pub(crate) given: u64,
    /// The verification key.
    pub(crate) key: PathBuf,
    /// How many it is for.
    pub(crate) wanted: u64,
}

/// A sound file that cannot be used for what was asked, with what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub(crate) struct Unfit {
    /// Which file, and why not.
    pub(crate) what: String,
    /// What to do.
    pub(crate) hint: Option<&'static str>,
}

/// A circuit that is not the key's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} does not belong to {}: {problem}", circuit.display(), key.display())]
pub(crate) struct WrongCircuit {
    /// The circuit.
    pub(crate) circuit: PathBuf,
    /// The key.
    pub(crate) key: PathBuf,
    /// In what they differ.
    pub(crate) problem: String,
}

/// A constraint that does not hold for a witness.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} does not satisfy the circuit: constraint {index} (counted from 0) of the {} in {} does not hold",
    witness.display(), text::count(*constraints), circuit.display()
)]
pub(crate) struct UnsatisfiedConstraint {
    /// The witness.
    pub(crate) witness: PathBuf,
    /// The circuit.
    pub(crate) circuit: PathBuf,
    /// The first constraint that does not hold, from 0.
    pub(crate) index: usize,
    /// How many there are.
    pub(crate) constraints: u64,
}

/// A key whose proof fails for a witness that satisfies the circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} satisfies all constraints of {}, and the proof that {} makes of it does not verify: the key is damaged, or was \
     made from another circuit or another version of this one",
    witness.display(), circuit.display(), key.display()
)]
pub(crate) struct KeyAtFault {
    /// The witness.
    pub(crate) witness: PathBuf,
    /// The circuit.
    pub(crate) circuit: PathBuf,
    /// The key.
    pub(crate) key: PathBuf,
}

/// A key with a base that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: the key is damaged or hostile: base {} of its query {}: {}", key.display(), base.index, base.query, base.problem)]
pub(crate) struct BadKey {
    /// The key.
    pub(crate) key: PathBuf,
    /// Which base, and what is wrong with it.
    pub(crate) base: BadBase,
}

/// A list of proofs that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", list.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub(crate) struct BadList {
    /// The list.
    pub(crate) list: PathBuf,
    /// Which line, from 1.
    pub(crate) line: Option<usize>,
    /// What is wrong.
    pub(crate) problem: String,
}

/// A timeline that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub(crate) struct BadTimeline {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What is wrong, and in which line.
    pub(crate) error: interlock_timeline::Error,
}

/// A table of expected failures that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub(crate) struct BadExpected {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What is wrong.
    pub(crate) problem: String,
}

/// A file with a difference that cannot be run again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub(crate) struct BadDifference {
    /// Which file.
    pub(crate) path: PathBuf,
    /// What is wrong.
    pub(crate) problem: String,
}

/// A device would need more memory than `--memory-limit` allows, or than it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct OverLimit(pub(crate) String);

/// The engine did not do what it was to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct EngineFailed(pub(crate) String);

/// Proofs that must be the same differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ProofsDiffer(pub(crate) String);

/// A timeline could not be written to its end. What it is of was done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the timeline is not whole: {0}")]
pub(crate) struct TimelineLost(pub(crate) String);

/// This machine cannot do the work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unusable(pub(crate) String);

/// The command was told to end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Interrupted {
    /// By a signal.
    #[error("cancelled; no result was written")]
    Signal,
    /// By the clock.
    #[error("not done within {} s; no result was written", .0.as_secs_f64())]
    Timeout(Duration),
}

/// What the user gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What happened.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<&'static str>,
}

/// The failure of an error: the first entry of its chain that the table knows decides.
pub(crate) fn failure(error: &anyhow::Error) -> Failure {
    // `{:#}` would repeat sources that our errors already show in their own line.
    let message = error.to_string();
    let (exit, hint) = error.chain().find_map(verdict).unwrap_or((Exit::Backend, None));
    Failure { exit, message, hint }
}

const ONE_CIRCUIT: &str = "take the three files of one circuit";
const OTHER_KEY: &str = "do not use this key: compare its SHA-256 (`interlock inspect KEY`) with its publisher's, and get it anew";
const WRONG_RESULTS: &str = "the device, its driver or its backend computes wrong results: `interlock prove --check-against embedded` tells which operation";
const DOCTOR: &str = "`interlock doctor` checks this machine";

/// The table.
fn verdict(error: &(dyn Error + 'static)) -> Option<(Exit, Option<&'static str>)> {
    if error.is::<OverLimit>() {
        return Some((
            Exit::Memory,
            Some(
                "raise --memory-limit or leave it out (also INTERLOCK_MEMORY_LIMIT, or memory_limit in the configuration); without one, the device is too small",
            ),
        ));
    }
    if let Some(verdict) = library::verdict(error) {
        return Some(verdict);
    }
    let plain = |exit, hint| Some((exit, hint));
    if error.is::<Usage>() {
        return plain(Exit::Usage, Some("`interlock help COMMAND` lists what a command takes"));
    }
    if error.is::<BadConfig>() {
        return plain(
            Exit::Usage,
            Some("correct the file, or name another one with --config or INTERLOCK_CONFIG"),
        );
    }
    if error.is::<CannotWrite>() {
        return plain(
            Exit::Input,
            Some("outputs need an existing folder in which you may write, with room on its disk"),
        );
    }
    if let Some(error) = error.downcast_ref::<CannotPrint>() {
        return plain(
            Exit::Input,
            error.done.map(|_| "only the report is missing: there is no need to do it again"),
        );
    }
    if error.is::<HostMemory>() {
        return plain(Exit::Memory, Some("ask for less, or raise what the process may have (`ulimit -v`)"));
    }
    if error.is::<UnknownFile>() {
        return plain(
            Exit::Input,
            Some(
                "known are .zkey, .wtns, .r1cs, snarkjs's JSON files, arkworks' and bellman's keys and proofs, and backends",
            ),
        );
    }
    if error.is::<Interrupted>() {
        return plain(Exit::Cancelled, None);
    }
    if error.is::<Misplaced>() {
        return plain(Exit::Input, None);
    }
    if let Some(error) = error.downcast_ref::<Unfit>() {
        return plain(Exit::Input, error.hint);
    }
    if error.is::<SignalCount>() {
        return plain(Exit::Input, Some(ONE_CIRCUIT));
    }
    if error.is::<KeyAtFault>() {
        return plain(
            Exit::Input,
            Some("make the key anew from this .r1cs, or take the .r1cs from which the key was made"),
        );
    }
    if error.is::<WrongCircuit>() {
        return plain(Exit::Input, Some("take the .r1cs from which the key was made"));
    }
    if error.is::<UnsatisfiedConstraint>() {
        return plain(
            Exit::Witness,
            Some(
                "an .r1cs names nothing: the circuit's .sym file names signals, the line in the .circom file is not known; make the witness anew, with the inputs and the version of this circuit",
            ),
        );
    }
    if error.is::<BadKey>() {
        return plain(Exit::Input, Some(OTHER_KEY));
    }
    if error.is::<BadList>() {
        return plain(
            Exit::Input,
            Some(
                "each line is the path of the public signals, a tab or spaces, and that of the proof, or a JSON list of both",
            ),
        );
    }
    if let Some(error) = error.downcast_ref::<BadTimeline>() {
        return plain(Exit::Input, library::timeline(&error.error));
    }
    if error.is::<TimelineLost>() {
        return plain(Exit::Input, Some("all else was done; what there is of the timeline can be looked at"));
    }
    if error.is::<ProofsDiffer>() {
        return plain(Exit::SelfCheck, Some(WRONG_RESULTS));
    }
    if error.is::<BadDifference>() {
        return plain(
            Exit::Input,
            Some("`interlock validate --backend NAME --out FILE` writes such a file when something differs"),
        );
    }
    if error.is::<BadExpected>() {
        return plain(Exit::Input, Some("each entry is [[expected]] with backend, device, row and reason"));
    }
    if error.is::<Unusable>() || error.is::<EngineFailed>() {
        return plain(Exit::Backend, Some(DOCTOR));
    }
    None
}

#[cfg(test)]
mod tests;
