//! Field elements as the EVM's 256-bit words.

use ark_ec::AffineRepr;
use interlock_curves::{Bn254, ProvingCurve, WireField};

type G1 = <Bn254 as ark_ec::pairing::Pairing>::G1Affine;
type G2 = <Bn254 as ark_ec::pairing::Pairing>::G2Affine;
type Base = <Bn254 as ark_ec::pairing::Pairing>::BaseField;
type Scalar = <Bn254 as ark_ec::pairing::Pairing>::ScalarField;

/// `0x` and 64 hexadecimal digits.
pub(super) fn word_le(little_endian: &[u8; 32]) -> String {
    let digits = little_endian.iter().rev().map(|byte| format!("{byte:02x}"));
    std::iter::once("0x".to_owned()).chain(digits).collect()
}

pub(super) fn scalar_word(scalar: &Scalar) -> String {
    word_le(&Bn254::scalar_to_canonical(scalar))
}

fn base_word(element: &Base) -> String {
    let mut bytes = [0; 32];
    element.write_canonical(&mut bytes);
    word_le(&bytes)
}

/// `x, y`; zeros for infinity.
pub(super) fn g1_words(point: &G1) -> [String; 2] {
    let (x, y) = point.xy().unwrap_or_default();
    [base_word(&x), base_word(&y)]
}

/// `x.c1, x.c0, y.c1, y.c0`; zeros for infinity.
pub(super) fn g2_words(point: &G2) -> [String; 4] {
    let (x, y) = point.xy().unwrap_or_default();
    [base_word(&x.c1), base_word(&x.c0), base_word(&y.c1), base_word(&y.c0)]
}
