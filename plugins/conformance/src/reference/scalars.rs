//! Scalars: random ones, and to and from the wire.

use ark_ff::PrimeField;
use interlock_core::backend::{Form, Lane, Scalars};
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use super::Fr;
use crate::outcome::{Outcome, Stop, equal, failed};

/// Both forms.
pub(crate) const FORMS: [Form; 2] = [Form::Canonical, Form::Montgomery];

/// A uniform scalar, up to a bias below 2^-250.
pub(crate) fn scalar<F: PrimeField>(rng: &mut ChaCha20Rng) -> F {
    let mut bytes = [0; 64];
    rng.fill_bytes(&mut bytes);
    F::from_le_bytes_mod_order(&bytes)
}

pub(crate) fn vector<F: PrimeField>(n: usize, rng: &mut ChaCha20Rng) -> Vec<F> {
    (0..n).map(|_| scalar(rng)).collect()
}

/// Mostly zeros and ones, as witnesses are: `percent` of them.
pub(crate) fn mostly_bits<F: PrimeField>(n: usize, percent: u32, rng: &mut ChaCha20Rng) -> Vec<F> {
    let mut value = || match rng.next_u32() % 100 {
        dice if dice >= percent => scalar(rng),
        dice if dice % 2 == 0 => F::zero(),
        _ => F::one(),
    };
    (0..n).map(|_| value()).collect()
}

pub(crate) fn to_wire<E: ProvingCurve>(values: &[Fr<E>], form: Form) -> Vec<u8> {
    match form {
        Form::Canonical => values.iter().flat_map(E::scalar_to_canonical).collect(),
        Form::Montgomery => values.iter().flat_map(E::scalar_to_montgomery).collect(),
    }
}

/// The scalars of a buffer, which must be reduced and in the form that is expected.
pub(crate) fn read<E: ProvingCurve>(
    lane: &Lane,
    buffer: &Scalars,
    expected: Form,
) -> Result<Vec<Fr<E>>, Stop> {
    let (bytes, form) = lane.download(buffer, 0, buffer.len())?;
    equal("the form of the result", expected, form)?;
    let value = |(at, bytes): (usize, &[u8; 32])| {
        let value = match form {
            Form::Canonical => E::scalar_from_canonical(bytes),
            Form::Montgomery => E::scalar_from_montgomery(bytes),
        };
        value.ok_or_else(|| failed(format_args!("scalar {at} of the result"), "below r", hex(bytes)))
    };
    bytes.as_chunks::<32>().0.iter().enumerate().map(value).collect()
}

/// A buffer with these scalars.
pub(crate) fn upload<E: ProvingCurve>(lane: &Lane, values: &[Fr<E>], form: Form) -> Result<Scalars, Stop> {
    let mut buffer = Scalars::alloc(lane.device(), values.len())?;
    lane.upload(&mut buffer, 0, &to_wire::<E>(values, form), form)?;
    Ok(buffer)
}

/// That two vectors are equal; tells of the first difference.
pub(crate) fn same<F: PrimeField>(input: &str, expected: &[F], got: &[F]) -> Outcome {
    let Some(at) = expected.iter().zip(got).position(|(expected, got)| expected != got) else {
        return equal(input, expected.len(), got.len());
    };
    let differing = expected.iter().zip(got).filter(|(expected, got)| expected != got).count();
    Err(failed(
        input,
        format_args!("{} at index {at}", expected[at]),
        format_args!("{} at index {at}; {differing} of {} differ", got[at], expected.len()),
    ))
}

/// How a list of inputs begins, for a report.
pub(crate) fn shown<F: PrimeField>(values: &[F]) -> String {
    let first: Vec<String> = values.iter().take(2).map(ToString::to_string).collect();
    let zeros = values.iter().filter(|value| value.is_zero()).count();
    match values.len() {
        0 => "no scalars".into(),
        1..=2 => format!("scalars {}", first.join(", ")),
        n => format!("{n} scalars ({zeros} zeros) {} …", first.join(", ")),
    }
}

/// Big-endian hex of little-endian bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}
