//! Verification keys and proofs.

use interlock_core::files::{Family, ProofFile, VerifyingKeyFile, write_proof, write_verifying_key};
use interlock_core::format::bellman::{self, BellmanVerifyingKey};
use interlock_core::key::Head;
use interlock_curves::{Curve, with_curve};

use super::{Converted, begin, expect_curve};
use crate::args::ConvertArgs;
use crate::commands::NO_CONTRIBUTION;
use crate::commands::export::{differs, expect_vk};
use crate::errors::{Unfit, Usage};
use crate::output::atomic::Draft;
use crate::output::target::Target;

/// Converts a verification key.
pub(super) fn verification_key(args: &ConvertArgs, target: &Target) -> anyhow::Result<Converted> {
    let file = VerifyingKeyFile::open(&args.input)?;
    let curve = file.curve();
    expect_curve(args, curve)?;
    let mut about = begin(args, "verification_key", file.family(), curve);
    let mut bytes = Vec::new();
    let draft = with_curve!(curve, E => {
        let key = file.read::<E>()?;
        about.count("public", key.n_public() as u64);
        if key.gamma_g2 == key.delta_g2 {
            about.warnings.push(NO_CONTRIBUTION.to_owned());
        }
        match (file.family(), args.to) {
            // It has the two points that others lack.
            (Family::Bellman, Family::Bellman) => {
                Head::from(BellmanVerifyingKey::open(&args.input)?.head()).write_bellman_vk(curve, &mut bytes)?;
            }
            (_, to) => write_verifying_key(&key, to, &mut bytes)?,
        }
        let draft = Draft::with_bytes(target, &bytes)?;
        expect_vk(&draft, &key)?;
        draft
    });
    Ok(Converted { draft, about })
}

/// Converts a proof.
pub(super) fn proof(args: &ConvertArgs, target: &Target) -> anyhow::Result<Converted> {
    let file = ProofFile::open(&args.input)?;
    let curve = proof_curve(args, &file)?;
    expect_curve(args, curve)?;
    let about = begin(args, "proof", file.family(curve), curve);
    let mut bytes = Vec::new();
    let draft = with_curve!(curve, E => {
        let proof = file.read::<E>()?;
        write_proof(&proof, args.to, &mut bytes)?;
        let draft = Draft::with_bytes(target, &bytes)?;
        if let Some(path) = draft.unfinished_path()
            && ProofFile::open(path)?.read::<E>()? != proof
        {
            return Err(differs(&draft).into());
        }
        draft
    });
    if args.to == Family::Bellman
        && let Err(error) = bellman::read_proof(&draft.reopened()?)
    {
        let what = format!("{}: bellman would refuse this proof: {}", args.input.display(), error.kind());
        return Err(Unfit { what, hint: None }.into());
    }
    Ok(Converted { draft, about })
}

/// The curve of a proof: its own word, else its points', else the user's.
fn proof_curve(args: &ConvertArgs, file: &ProofFile) -> anyhow::Result<Curve> {
    match (file.curves().as_slice(), args.curve) {
        ([curve], _) => Ok(*curve),
        // Reading it says what is wrong.
        (_, Some(curve)) => Ok(curve),
        ([], None) => {
            let [bn254, bls] = Curve::ALL.map(
                |curve| with_curve!(curve, E => file.read::<E>().err().map(|error| error.kind().to_string())),
            );
            let [bn254, bls] = [bn254, bls].map(Option::unwrap_or_default);
            let what = format!(
                "{}: a proof on neither curve: bn254: {bn254}; bls12-381: {bls}",
                args.input.display()
            );
            Err(Unfit { what, hint: Some("`interlock inspect FILE` tells what a file holds") }.into())
        }
        (_, None) => {
            let text =
                format!("{} could be for several curves: say which with --curve", args.input.display());
            Err(Usage(text).into())
        }
    }
}
