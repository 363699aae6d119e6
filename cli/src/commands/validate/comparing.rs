//! Two processes, and what they answer.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use interlock_conformance::Subject;
use interlock_conformance::compare::{
    Answer, Case, Difference, FORMAT, Mismatch, Operation, Plan, Side, Worker, WorkerError, cases, shrink,
};
use interlock_core::files::KeyFile;
use interlock_curves::Curve;
use serde_json::{Value, json};

use crate::args::ValidateArgs;
use crate::commands::Context;
use crate::commands::candidate::{Candidate, pass_on};
use crate::errors::{BadDifference, Failure, Unfit, Unusable, Usage};
use crate::exit::Exit;
use crate::output::atomic::{self, Draft};
use crate::output::target::Target;
use crate::output::{json as output, print};

/// Runs of both backends that a smaller difference is looked for with.
const TRIES: usize = 400;

/// Bytes of a file with a difference: those of the largest inputs of `--max-log`, in hexadecimal digits, are fewer.
const LONGEST_FILE: u64 = 256 << 20;

/// Differences that are told; with one more there is enough to do.
const TOLD: usize = 20;

/// Two backends.
struct Pair {
    backend: Worker,
    against: Worker,
}

/// Where they differ.
struct Found {
    case: Case,
    mismatch: Mismatch,
    answers: (Answer, Answer),
}

/// Compares them.
pub(super) fn run(args: &ValidateArgs, context: &Context) -> anyhow::Result<Exit> {
    if !args.files.len().is_multiple_of(2) {
        return Err(Usage("keys and witnesses come in pairs: KEY WITNESS [KEY WITNESS …]".into()).into());
    }
    let replay = args.replay.as_deref().map(read).transpose()?;
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let out = match args.replay {
        None => context.targets(&[&args.out], &inputs)?.pop(),
        Some(_) => None,
    };
    let backend = match (&args.backend, &replay) {
        (Some(word), _) => word.clone(),
        (None, Some(difference)) => difference.backend.backend.clone(),
        (None, None) => return Err(Usage("--backend: which one is to be validated?".into()).into()),
    };
    let against = args.against.clone().unwrap_or_else(|| "embedded".into());
    let mut pair =
        Pair { backend: worker(&backend, args, context)?, against: worker(&against, args, context)? };
    match replay {
        Some(difference) => again(&mut pair, &difference, args),
        None => compare(&mut pair, [&backend, &against], out.as_ref(), args, context),
    }
}

/// This program again, for one backend.
fn worker(word: &str, args: &ValidateArgs, context: &Context) -> anyhow::Result<Worker> {
    let candidate = Candidate::of(word)?;
    let program = std::env::current_exe().context("this program cannot find its own file")?;
    let mut flags = Command::new(&program);
    flags.args(["validate", "--in-child", word]);
    pass_on(&mut flags, &args.opening, &args.threads, context);
    let words: Vec<_> = flags.get_args().map(ToOwned::to_owned).collect();
    let start = move || {
        let mut command = Command::new(&program);
        command.args(&words);
        command
    };
    Worker::start(start, args.patience).map_err(|error| match (error, candidate) {
        (WorkerError::Refused(reason), Candidate::File(path)) => {
            Unfit { what: format!("{}: {reason}", path.display()), hint: None }.into()
        }
        (error, _) => anyhow::Error::from(Unusable(format!("{word}: {error}"))),
    })
}

impl Pair {
    /// Runs a case on both.
    fn run(&mut self, case: &Case) -> anyhow::Result<(Option<Mismatch>, (Answer, Answer))> {
        let unusable = |error: WorkerError| Unusable(error.to_string());
        let (answer, reference) =
            (self.backend.answer(case).map_err(unusable)?, self.against.answer(case).map_err(unusable)?);
        Ok((answer.differs_from(&reference), (answer, reference)))
    }

    /// Curves that both have, or the one that was asked for.
    fn curves(&self, wanted: Option<Curve>) -> Result<Vec<Curve>, Usage> {
        let (ours, theirs) = (&self.backend.subject().curves, &self.against.subject().curves);
        let both = ours.iter().copied().filter(|curve| theirs.contains(curve));
        let curves: Vec<Curve> = both.filter(|curve| wanted.is_none_or(|wanted| wanted == *curve)).collect();
        if curves.is_empty() {
            let which = wanted.map_or_else(|| "a curve".to_owned(), |curve| format!("the curve {curve}"));
            return Err(Usage(format!("the two backends do not both have {which}")));
        }
        Ok(curves)
    }
}

fn compare(
    pair: &mut Pair,
    names: [&str; 2],
    out: Option<&Target>,
    args: &ValidateArgs,
    context: &Context,
) -> anyhow::Result<Exit> {
    let plan = Plan {
        curves: pair.curves(args.curve)?,
        seed: args.seed,
        max_log: args.max_log,
        random: args.random as usize,
    };
    let files = args.files.chunks_exact(2).map(|pair| of_files(&pair[0], &pair[1]));
    let files: Vec<Case> = files.collect::<Result<_, _>>()?;
    let (mut ran, mut found) = (0_u64, Vec::<Found>::new());
    for case in cases(&plan).chain(files) {
        if print::stderr_is_terminal() && ran.is_multiple_of(100) {
            context.note(&format!("{ran} compared; {case}"));
        }
        ran += 1;
        let (mismatch, answers) = pair.run(&case)?;
        if let Some(mismatch) = mismatch {
            found.push(Found { case, mismatch, answers });
            if found.len() > TOLD {
                break;
            }
        }
    }
    let written = match found.first().zip(out) {
        Some((first, out)) => written(pair, first, names, out)?,
        None => None,
    };
    answer(pair, args, ran, &found, written.as_ref())
}

fn of_files(key: &Path, witness: &Path) -> anyhow::Result<Case> {
    // What is wrong with it is told before anything runs; witnesses are secret and are read where they are used.
    let curve = KeyFile::open(key)?.curve();
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    Ok(Case { curve, operation: Operation::Files { key: absolute(key), witness: absolute(witness) } })
}

/// Makes the first difference small and writes it down, but for one of the user's files.
fn written(
    pair: &mut Pair,
    found: &Found,
    [backend, against]: [&str; 2],
    out: &Target,
) -> anyhow::Result<Option<(Case, usize)>> {
    if matches!(found.case.operation, Operation::Files { .. }) {
        return Ok(None);
    }
    let mut failed = None;
    let (case, tried) = shrink(&found.case, TRIES, &mut |case| match pair.run(case) {
        Ok((mismatch, _)) => mismatch.is_some(),
        Err(error) => {
            failed.get_or_insert(error);
            false
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let (mismatch, (answer, reference)) = pair.run(&case)?;
    // One that comes and goes is written as it was found.
    let (case, answer, reference) = match mismatch {
        Some(_) => (case, answer, reference),
        None => (found.case.clone(), found.answers.0.clone(), found.answers.1.clone()),
    };
    let side = |word: &str, subject: &Subject, answer| Side {
        backend: word.to_owned(),
        sha256: subject.sha256.clone(),
        answer,
    };
    let difference = Difference {
        interlock_difference: FORMAT,
        case: case.clone(),
        backend: side(backend, pair.backend.subject(), answer),
        against: side(against, pair.against.subject(), reference),
    };
    let text = serde_json::to_string_pretty(&difference)? + "\n";
    atomic::commit(vec![Draft::with_text(out, &text)?])?;
    Ok(Some((case, tried)))
}

fn read(path: &Path) -> Result<Difference, BadDifference> {
    let bad = |problem: String| BadDifference { path: path.to_owned(), problem };
    let cannot = |error: std::io::Error| bad(format!("cannot read: {error}"));
    // What is no file has no length, so it is read no further than one could be long.
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(cannot)?;
    file.take(LONGEST_FILE + 1).read_to_string(&mut text).map_err(cannot)?;
    if text.len() as u64 > LONGEST_FILE {
        return Err(bad(format!("longer than {} MiB, as no difference is", LONGEST_FILE >> 20)));
    }
    Difference::parse(&text).map_err(bad)
}

fn again(pair: &mut Pair, difference: &Difference, args: &ValidateArgs) -> anyhow::Result<Exit> {
    let (mismatch, answers) = pair.run(&difference.case)?;
    let found: Vec<Found> = mismatch
        .map(|mismatch| Found { case: difference.case.clone(), mismatch, answers })
        .into_iter()
        .collect();
    answer(pair, args, 1, &found, None)
}

fn answer(
    pair: &Pair,
    args: &ValidateArgs,
    ran: u64,
    found: &[Found],
    written: Option<&(Case, usize)>,
) -> anyhow::Result<Exit> {
    let failure = found.first().map(|first| Failure {
        exit: Exit::SelfCheck,
        message: format!("the backends differ in {}: {}", operation(first), first.case),
        hint: Some(
            "the file with the difference can be sent to the backend's vendor: `interlock validate --replay` runs it again",
        )
        .filter(|_| written.is_some()),
    });
    if args.json {
        let body = json!({
            "backend": pair.backend.subject(),
            "against": pair.against.subject(),
            "seed": args.seed,
            "cases": ran,
            "differences": found.iter().map(in_json).collect::<Vec<_>>(),
            "written": written.map(|(case, tried)| json!({
                "file": args.out,
                "case": case.to_string(),
                "size": case.size(),
                "tries": tried,
            })),
        });
        print::data(&match &failure {
            None => output::done("validate", body),
            Some(failure) => output::failed_with("validate", failure, body),
        })?;
    } else {
        print::data(&text(pair, args, ran, found, written))?;
    }
    if let Some(failure) = &failure {
        print::failure(failure);
    }
    Ok(failure.map_or(Exit::Ok, |failure| failure.exit))
}

/// The operation that is at fault.
fn operation(found: &Found) -> &str {
    found.mismatch.step.as_deref().unwrap_or(found.case.name())
}

fn in_json(found: &Found) -> Value {
    json!({ "operation": operation(found), "case": found.case.to_string(), "mismatch": found.mismatch })
}

fn text(
    pair: &Pair,
    args: &ValidateArgs,
    ran: u64,
    found: &[Found],
    written: Option<&(Case, usize)>,
) -> String {
    let describe = |subject: &Subject| {
        format!("{} {} ({}), {}", subject.name, subject.version, subject.origin, subject.device)
    };
    let mut text = format!(
        "backend  {}\nagainst  {}\nseed     {}\n\n",
        describe(pair.backend.subject()),
        describe(pair.against.subject()),
        args.seed
    );
    for found in found.iter().take(TOLD) {
        let at = found.mismatch.index.map_or_else(String::new, |index| format!(", scalar {index}"));
        text += &format!(
            "DIFFERS  {}{at}\n  input     {}\n  expected  {}\n  got       {}\n\n",
            operation(found),
            found.case,
            found.mismatch.expected,
            found.mismatch.got
        );
    }
    if let Some((case, tried)) = written {
        text += &format!(
            "The smallest input with a difference after {tried} tries, in {}: {case}\n\n",
            args.out.display()
        );
    }
    text += &match found.len() {
        0 => format!("{ran} cases compared, all the same\n"),
        n if n > TOLD => format!("{ran} cases compared, more than {TOLD} differ; the others were not run\n"),
        n => format!("{ran} cases compared, {n} differ\n"),
    };
    text
}
