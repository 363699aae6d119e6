//! Proving keys.

use std::io::{BufWriter, Write};
use std::time::Duration;

use interlock_core::files::{Family, KeyFile};
use interlock_core::key::{ExportError, ProvingKey, Quotient};
use serde_json::json;

use super::{Converted, begin, expect_curve};
use crate::args::ConvertArgs;
use crate::commands::export::differs;
use crate::commands::files::CONVERT;
use crate::commands::key_check::{Told, Voice, check};
use crate::commands::{Context, circuits};
use crate::errors::{CannotWrite, Usage};
use crate::output::atomic::Draft;
use crate::output::target::Target;
use crate::output::{print, text};
use crate::threads;

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

/// Converts a proving key.
pub(super) fn convert(args: &ConvertArgs, context: &Context, target: &Target) -> anyhow::Result<Converted> {
    let file = KeyFile::open(&args.input)?;
    if file.family() == args.to {
        let text = format!("{} has this format already: {}", args.input.display(), args.to);
        return Err(Usage(text).into());
    }
    expect_curve(args, file.curve())?;
    let circuit = args.circuit.r1cs.as_deref();
    circuits::expect(&file, circuit)?;
    let circuit = circuit.map(|path| circuits::open(path, &file, CONVERT)).transpose()?;
    let key = file.proving_key(circuit.as_ref())?;
    drop(circuit);
    let wanted = if args.to == Family::Snarkjs { Quotient::CosetValues } else { Quotient::Coefficients };
    if wanted == Quotient::Coefficients {
        key.check_rows_as_coefficients()?;
    }

    // A base that is none would become a wrong key.
    let voice = Voice { note: &|text| context.note(text), warn: &print::warning };
    let when = context.config.check_key(&args.check);
    let checked = check(file.file(), &key, when, None, Told::ByContents, &voice)?;
    if key.quotient != wanted {
        context.note(&announcement(&key, context.config.threads(&args.threads)));
    }
    let key = match wanted {
        Quotient::CosetValues => key.to_coset_values()?,
        Quotient::Coefficients => key.to_coefficients()?,
    };

    let marker = file.insecure_marker();
    let draft = write(target, |out| match args.to {
        Family::Snarkjs => key.write_zkey(marker.clone(), out),
        Family::Arkworks(compressed) => key.write_arkworks(compressed, out),
        Family::Bellman => key.write_bellman(out),
    })?;
    drop(key);
    expect_same(&draft, &file, args.to)?;

    let mut about = begin(args, "proving_key", file.family(), file.curve());
    about.count("signals", file.n_vars() as u64);
    about.count("public", file.n_public() as u64);
    about.count("domain", circuits::domain_size(&file) as u64);
    about.row("key check", checked.say());
    about.field("check", json!(checked));
    let lost = marker.is_some() && args.to != Family::Snarkjs;
    match (&marker, file.warning()) {
        (Some(marker), _) if lost => about.warnings.push(format!(
            "{marker}; the format {} has no place for this mark: the result does not say so any more",
            args.to
        )),
        (_, Some(text)) => about.warnings.push(text),
        _ => {}
    }
    about.field("insecure_marker", marker.filter(|_| !lost));
    Ok(Converted { draft, about })
}

/// Fills an unfinished file.
fn write(
    target: &Target,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> anyhow::Result<Draft> {
    let cannot = |source| CannotWrite { path: target.path().to_owned(), source };
    let mut out = BufWriter::with_capacity(BUFFER, Draft::begin(target)?);
    fill(&mut out).map_err(|error| match error {
        ExportError::Write(source) => anyhow::Error::new(cannot(source)),
        error => error.into(),
    })?;
    out.flush().map_err(cannot)?;
    Ok(out.into_inner().map_err(|error| cannot(error.into_error()))?)
}

/// That what was written reads as a key of this format with the numbers and single points of the one that was read.
fn expect_same(draft: &Draft, file: &KeyFile, to: Family) -> anyhow::Result<()> {
    let written = KeyFile::from_file(&draft.reopened()?)?;
    let counts = |key: &KeyFile| (key.curve(), key.n_vars(), key.n_public(), circuits::domain_size(key));
    let (ours, theirs) = (written.head(), file.head());
    let points = [
        (&ours.alpha_g1, &theirs.alpha_g1),
        (&ours.beta_g1, &theirs.beta_g1),
        (&ours.beta_g2, &theirs.beta_g2),
        (&ours.gamma_g2, &theirs.gamma_g2),
        (&ours.delta_g1, &theirs.delta_g1),
        (&ours.delta_g2, &theirs.delta_g2),
        (&ours.ic, &theirs.ic),
    ];
    let same = written.family() == to
        && counts(&written) == counts(file)
        && points.iter().all(|(ours, theirs)| ours == theirs);
    if same { Ok(()) } else { Err(differs(draft).into()) }
}

fn announcement(key: &ProvingKey, threads: Option<u32>) -> String {
    let mut said = format!("transforming {}", text::plural(key.domain_size() as u64, "quotient base"));
    // N/2·log N multiplications of a point: a minute for 2^16 on one thread.
    let log = u64::from(key.domain.log_size);
    let time =
        Duration::from_micros(57 * (key.domain_size() as u64 * log)) / threads::effective(threads) as u32;
    if time >= Duration::from_secs(1) {
        said.push_str(&format!("; takes about {:.0} s", time.as_secs_f64()));
    }
    said
}
