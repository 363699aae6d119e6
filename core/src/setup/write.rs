//! From polynomials at τ to the points of a key.

use std::io;

use ark_ec::{
    PrimeGroup,
    scalar_mul::{BatchMulPreprocessing, ScalarMul},
};
use ark_ff::Field;
use interlock_curves::ProvingCurve;
use zeroize::Zeroizing;

use super::{SetupError, ToxicWaste, qap::Qap};
use crate::format::{R1cs, zkey_write::ZkeyParts};

/// The text inside every key made here.
pub const INSECURE_TEXT: &str = "single-party setup by interlock: INSECURE, for tests only";

/// Scalars multiplied at a time, to bound the memory for points that are not encoded yet.
const CHUNK: usize = 1 << 16;

/// Generates a key for a circuit and writes it as a `.zkey`.
///
/// Uses all threads of the current rayon pool, and memory of about twice the file's size. The same circuit and secrets
/// give the same bytes.
///
/// # Errors
/// When the curves differ, the circuit is too large, the secrets are degenerate, or `out` fails.
pub fn setup_zkey<E: ProvingCurve>(
    r1cs: &R1cs,
    toxic: &ToxicWaste<E>,
    out: &mut impl io::Write,
) -> Result<(), SetupError> {
    if r1cs.curve() != E::CURVE {
        return Err(SetupError::CurveMismatch { circuit: r1cs.curve(), secrets: E::CURVE });
    }
    let delta_inverse = Zeroizing::new(toxic.delta.inverse().ok_or(SetupError::DegenerateSecrets)?);
    let mut qap = Qap::new(r1cs, toxic)?;

    // K = β·A + α·B + C, over γ = 1 for the constant and public signals, over δ for the private ones.
    let public = r1cs.n_public() as usize + 1;
    let mut k = std::mem::take(&mut qap.c);
    for (i, (k, (a, b))) in k.iter_mut().zip(qap.a.iter().zip(qap.b.iter())).enumerate() {
        *k += toxic.beta * a + toxic.alpha * b;
        if i >= public {
            *k *= *delta_inverse;
        }
    }
    for value in qap.odd.iter_mut() {
        *value *= *delta_inverse;
    }

    let wires = r1cs.n_wires() as usize;
    let g1_count = 3 * wires + qap.odd.len();
    let g1 = BatchMulPreprocessing::new(E::G1::generator(), g1_count);
    let g2 = BatchMulPreprocessing::new(E::G2::generator(), wires);
    let encode_g1 = |scalars: &[E::ScalarField]| {
        encode(
            scalars,
            E::CURVE.g1_bytes(),
            |part| E::G1::batch_mul_with_preprocessing(&g1, part),
            E::write_g1,
        )
    };
    let encode_g2 = |scalars: &[E::ScalarField]| {
        encode(
            scalars,
            E::CURVE.g2_bytes(),
            |part| E::G2::batch_mul_with_preprocessing(&g2, part),
            E::write_g2,
        )
    };

    let one = E::ScalarField::ONE;
    let mut header_points = encode_g1(&[toxic.alpha, toxic.beta]);
    header_points.extend(encode_g2(&[toxic.beta, one]));
    header_points.extend(encode_g1(&[toxic.delta]));
    header_points.extend(encode_g2(&[toxic.delta]));

    let (ic, l) = k.split_at(public.min(k.len()));
    let parts = ZkeyParts {
        curve: E::CURVE,
        n_vars: r1cs.n_wires(),
        n_public: r1cs.n_public(),
        domain_size: 1 << qap.log_domain,
        header_points: header_points.into(),
        ic: encode_g1(ic).into(),
        coefficients: std::mem::take(&mut qap.coefficients).into(),
        a: encode_g1(&qap.a).into(),
        b1: encode_g1(&qap.b).into(),
        b2: encode_g2(&qap.b).into(),
        l: encode_g1(l).into(),
        h: encode_g1(&qap.odd).into(),
        insecure_marker: Some(INSECURE_TEXT.to_owned()),
    };
    parts.write(out)?;
    Ok(())
}

/// The points that `multiply` makes of scalars, in wire encoding of `size` bytes each.
fn encode<S, P>(
    scalars: &[S],
    size: usize,
    multiply: impl Fn(&[S]) -> Vec<P>,
    write: impl Fn(&P, &mut [u8]),
) -> Vec<u8> {
    let mut bytes = vec![0; size * scalars.len()];
    for (out, chunk) in bytes.chunks_mut(size * CHUNK).zip(scalars.chunks(CHUNK)) {
        for (out, point) in out.chunks_exact_mut(size).zip(multiply(chunk)) {
            write(&point, out);
        }
    }
    bytes
}
