//! `proof.json` and `public.json`.

use interlock_curves::ProvingCurve;
use serde::Serialize;

use super::{
    document::{JsonFile, to_decimal, to_snarkjs_json},
    point::{G1Json, G2Json, read_g1, read_g2, write_g1, write_g2},
};
use crate::{
    format::FormatError,
    types::{Proof, PublicSignals},
};

/// In snarkjs's order of fields.
#[derive(Serialize)]
struct ProofJson {
    pi_a: G1Json,
    pi_b: G2Json,
    pi_c: G1Json,
    protocol: &'static str,
    curve: &'static str,
}

/// Reads a proof.
///
/// # Errors
/// When the protocol is not Groth16, the curve is not `E`, or a point is malformed, off the curve or outside the
/// subgroup.
pub fn proof_from_json<E: ProvingCurve>(file: &JsonFile) -> Result<Proof<E>, FormatError> {
    let root = file.root();
    root.expect_groth16(E::CURVE)?;
    Ok(Proof {
        a: read_g1::<E>(&root.get("pi_a")?)?,
        b: read_g2::<E>(&root.get("pi_b")?)?,
        c: read_g1::<E>(&root.get("pi_c")?)?,
    })
}

/// A proof as snarkjs writes it.
pub fn proof_to_json<E: ProvingCurve>(proof: &Proof<E>) -> String {
    to_snarkjs_json(&ProofJson {
        pi_a: write_g1::<E>(&proof.a),
        pi_b: write_g2::<E>(&proof.b),
        pi_c: write_g1::<E>(&proof.c),
        protocol: "groth16",
        curve: E::CURVE.snarkjs_name(),
    })
}

/// Reads public signals: a list of decimal strings, each below `r`. The file does not name its curve.
///
/// # Errors
/// When it is no such list.
pub fn public_from_json<E: ProvingCurve>(file: &JsonFile) -> Result<PublicSignals<E>, FormatError> {
    let signals = file.root().items()?.map(|node| {
        let le = node.decimal(32)?;
        let scalar = le.first_chunk().and_then(E::scalar_from_canonical);
        scalar.ok_or_else(|| node.error("is not below the field's modulus; is it of another curve?"))
    });
    Ok(PublicSignals(signals.collect::<Result<_, _>>()?))
}

/// Public signals as snarkjs writes them.
pub fn public_to_json<E: ProvingCurve>(signals: &PublicSignals<E>) -> String {
    let strings: Vec<_> =
        signals.0.iter().map(|signal| to_decimal(&E::scalar_to_canonical(signal))).collect();
    to_snarkjs_json(&strings)
}
