use std::io;
use std::path::Path;

use interlock_core::backend::{BackendError, BackendErrorKind, PluginError};
use interlock_core::export::ExportError as ContractError;
use interlock_core::files::{Family, KeyFileError, MissingCircuit, WriteVerifyingKeyError};
use interlock_core::format::arkworks::Compressed;
use interlock_core::format::{FormatError, FormatErrorKind};
use interlock_core::groth16::verify::WrongSignalCount;
use interlock_core::groth16::{BatchError, ProveError};
use interlock_core::key::{BaseProblem, ExportError};
use interlock_core::loader::{LoadError, Selection};
use interlock_core::setup::SetupError;
use interlock_curves::Curve;

use super::*;

fn exit(error: impl Into<anyhow::Error>) -> u8 {
    failure(&error.into()).exit.code()
}

fn backend_error(kind: BackendErrorKind) -> BackendError {
    BackendError {
        kind,
        backend: "cuda".into(),
        operation: "msm",
        message: "no".into(),
        native_code: 0,
        retryable: false,
        context_lost: false,
    }
}

#[test]
fn files_are_3() {
    let format = |kind| FormatError::new(Path::new("f"), kind);
    assert_eq!(exit(format(FormatErrorKind::Empty)), 3);
    assert_eq!(exit(format(FormatErrorKind::CustomGates)), 3);
    assert_eq!(exit(ProveError::WrongCurve { witness: Curve::Bn254, key: Curve::Bls12_381 }), 3);
    assert_eq!(exit(ProveError::WitnessLength { witness: 1, key: 2 }), 3);
    assert_eq!(exit(ProveError::DamagedKey { query: "A", index: 7 }), 3);
    assert_eq!(exit(CannotWrite { path: "x".into(), source: io::Error::other("full") }), 3);
    let print = |done| CannotPrint { source: io::Error::other("full"), done };
    assert_eq!((exit(print(None)), exit(print(Some("done")))), (3, 3));
    let said = failure(&print(Some("the proof was written")).into());
    assert_eq!(said.message, "standard output: cannot write: full; the proof was written");
    assert!(said.hint.is_some());
    assert_eq!(print(None).to_string(), "standard output: cannot write: full");
    assert_eq!(exit(UnknownFile { path: "x".into(), kind: "unknown".into() }), 3);
    assert_eq!(exit(WrongSignalCount { wanted: 1, got: 2 }), 3);
    assert_eq!(exit(SetupError::Write(io::Error::other("full"))), 3);
    assert_eq!(exit(Misplaced("a is b".into())), 3);
    let count = SignalCount { public: "p.json".into(), given: 1, key: "vk.json".into(), wanted: 2 };
    let text =
        "p.json holds 1 public signal, vk.json is for 2 public signals: they belong to different circuits";
    assert_eq!((count.to_string().as_str(), exit(count)), (text, 3));
}

#[test]
fn keys_circuits_and_lists() {
    let missing = || MissingCircuit { key: "k".into(), family: Family::Arkworks(Compressed::Yes) };
    assert_eq!((exit(missing()), exit(KeyFileError::MissingCircuit(missing()))), (2, 2));
    assert!(failure(&missing().into()).hint.unwrap().contains("--r1cs"));
    let format = || FormatError::new(Path::new("f"), FormatErrorKind::Empty);
    assert_eq!(exit(KeyFileError::Format(format())), 3);
    let base = BadBase { query: "B2", index: 17, problem: BaseProblem::Subgroup };
    let bad = failure(&BadKey { key: "k.zkey".into(), base }.into());
    assert_eq!(bad.exit.code(), 3);
    assert!(
        bad.message.starts_with("k.zkey: ") && bad.message.contains("base 17 of its query B2"),
        "{}",
        bad.message
    );
    let timeline = |error| BadTimeline { path: "t.ndjson".into(), error };
    let cut = failure(&timeline(interlock_timeline::Error::LongLine { line: 7 }).into());
    assert_eq!(
        (cut.exit.code(), cut.message.as_str()),
        (3, "t.ndjson: line 7 of the timeline is longer than 1048576 bytes")
    );
    assert!(cut.hint.unwrap().contains("head -n"));
    assert_eq!(exit(timeline(interlock_timeline::Error::NoHeader)), 3);
    let (circuit, key) = ("c.r1cs".into(), "k".into());
    assert_eq!(exit(WrongCircuit { circuit, key, problem: "no".into() }), 3);
    assert_eq!(exit(BadList { list: "l".into(), line: Some(7), problem: "no".into() }), 3);
    assert_eq!(
        BadList { list: "l".into(), line: Some(7), problem: "no".into() }.to_string(),
        "l, line 7: no"
    );
    let hint = Some("do");
    assert_eq!(failure(&Unfit { what: "x".into(), hint }.into()).hint, hint);
    assert_eq!((exit(ExportError::Rows), exit(ExportError::Curve(Curve::Bn254))), (3, 3));
    assert_eq!(exit(WriteVerifyingKeyError::NeedsProvingKey), 3);
    assert_eq!((exit(ContractError::Name("1".into())), exit(ContractError::NoConstant)), (2, 3));
    assert_eq!(exit(BatchError::Randomness { reason: "no".into() }), 5);
    let unsatisfied =
        UnsatisfiedConstraint { witness: "w".into(), circuit: "c.r1cs".into(), index: 0, constraints: 1234 };
    let said = failure(&unsatisfied.into());
    assert_eq!(said.exit.code(), 4);
    assert!(
        said.message.contains("constraint 0 (counted from 0) of the 1,234 in c.r1cs"),
        "{}",
        said.message
    );
}

#[test]
fn usage_is_2_and_witness_4() {
    assert_eq!(exit(Usage("no".into())), 2);
    assert_eq!(exit(BadConfig { path: "c.toml".into(), problem: "x: no".into() }), 2);
    assert_eq!(exit(ProveError::NotOne), 4);
    assert_eq!(exit(ProveError::Unsatisfied { evidence: "e".into() }), 4);
}

#[test]
fn backends_are_5_memory_6_self_check_7_and_an_end_8() {
    for kind in [BackendErrorKind::Device, BackendErrorKind::Internal, BackendErrorKind::InvalidArgument] {
        assert_eq!(exit(ProveError::Backend(backend_error(kind))), 5);
    }
    assert_eq!(exit(LoadError::NoDoor), 5);
    assert_eq!(exit(PluginError::RefusedHost), 5);
    assert_eq!(exit(Unusable("no".into())), 5);
    let nonsense =
        ProveError::Nonsense { backend: "cuda".into(), what: "msm", reason: "not on the curve".into() };
    assert_eq!(exit(nonsense), 5);
    let disagreement =
        ProveError::Disagreement { backend: "cuda".into(), reference: "cpu".into(), operation: "MSM over A" };
    assert_eq!(exit(disagreement), 5);

    for kind in [BackendErrorKind::NeverFits, BackendErrorKind::NotNow] {
        assert_eq!(exit(ProveError::Backend(backend_error(kind))), 6);
        assert_eq!(exit(PluginError::Call(backend_error(kind))), 6);
        assert_eq!(exit(backend_error(kind)), 6);
    }
    let memory = FormatErrorKind::OutOfMemory { bytes: 1 };
    assert_eq!(exit(FormatError::new(Path::new("f"), memory)), 6);
    let map = FormatErrorKind::Io { action: "map", source: io::ErrorKind::OutOfMemory.into() };
    assert_eq!(exit(FormatError::new(Path::new("f"), map)), 6);

    assert_eq!(exit(ProveError::SelfCheck { backend: "cuda".into(), times: 2, differs: None }), 7);
    assert_eq!(exit(ProofsDiffer("job 1".into())), 7);
    assert_eq!(exit(ProveError::Cancelled), 8);
    assert_eq!(exit(ProveError::Backend(backend_error(BackendErrorKind::Cancelled))), 8);
    assert_eq!(exit(Interrupted::Signal), 8);
    assert_eq!(exit(Interrupted::Timeout(Duration::from_millis(1500))), 8);
}

#[test]
fn a_limit_is_named_when_there_is_one() {
    let error = || ProveError::Backend(backend_error(BackendErrorKind::NeverFits));
    let hint = |error: anyhow::Error| failure(&error).hint.unwrap();
    assert!(!hint(error().into()).contains("--memory-limit"));
    let over = anyhow::Error::new(OverLimit(error().to_string()));
    assert_eq!((exit(OverLimit(error().to_string())), over.to_string()), (6, error().to_string()));
    assert!(hint(over).contains("--memory-limit"));
}

#[test]
fn a_failed_selection_is_5_and_lists_what_was_tried() {
    let mut registry = interlock_core::loader::Registry::discover(&Default::default(), &[]);
    let selection: Selection = "cuda".parse().unwrap();
    let error = registry.select(&selection, interlock_core::loader::Trust::Manifest).unwrap_err();
    let failure = failure(&error.into());
    assert_eq!(failure.exit, Exit::Backend);
    assert!(failure.message.contains("cuda") && failure.hint.is_some(), "{failure:?}");
}

#[test]
fn context_does_not_hide_the_verdict() {
    use anyhow::Context as _;
    let error = Err::<(), _>(ProveError::NotOne).context("while proving").unwrap_err();
    assert_eq!(failure(&error).exit, Exit::Witness);
    assert_eq!(failure(&anyhow::anyhow!("unheard of")).exit, Exit::Backend);
}
