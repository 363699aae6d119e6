//! snarkjs's JSON files. A file may do without its curve's name, so both curves are tried.

use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, proof_to_json, public_from_json, public_to_json, verifying_key_from_json,
    verifying_key_to_json,
};
use interlock_curves::{Curve, ProvingCurve, with_curve};

use crate::one_in;

/// The longest list that is written and read again: the memory for that would be counted with the first reading's. The
/// fuzzer's inputs are shorter.
const ROUND_TRIP: usize = 1 << 18;

fn json(text: &str) -> JsonFile {
    JsonFile::from_bytes("again.json", text.as_bytes()).expect("what was written is read")
}

/// Reads a file, asks for its curve, and passes it on for each curve.
fn with_file(data: &[u8], use_file: impl Fn(&JsonFile, Curve) -> bool) {
    let Ok(file) = JsonFile::from_bytes("fuzz.json", data) else { return };
    let named = file.curve().ok();
    for curve in Curve::ALL {
        let accepted = use_file(&file, curve);
        assert!(!accepted || named.is_none_or(|named| named == curve), "{named:?} was read as {curve}");
    }
}

/// Reads a verification key and (one in 16: that takes a pairing) writes it.
pub fn verifying_key(data: &[u8]) {
    let write = one_in(16, data);
    with_file(data, |file, curve| with_curve!(curve, E => verifying_key_of::<E>(file, write)));
}

fn verifying_key_of<E: ProvingCurve>(file: &JsonFile, write: bool) -> bool {
    let Ok(key) = verifying_key_from_json::<E>(file) else { return false };
    if !write {
        return true;
    }
    let again = verifying_key_from_json::<E>(&json(&verifying_key_to_json(&key)));
    assert!(again.expect("what was written is read") == key, "the key changed");
    true
}

/// Reads a proof and (one in four) writes it.
pub fn proof(data: &[u8]) {
    let write = one_in(4, data);
    with_file(data, |file, curve| with_curve!(curve, E => proof_of::<E>(file, write)));
}

fn proof_of<E: ProvingCurve>(file: &JsonFile, write: bool) -> bool {
    let Ok(proof) = proof_from_json::<E>(file) else { return false };
    if !write {
        return true;
    }
    let again = proof_from_json::<E>(&json(&proof_to_json(&proof)));
    assert!(again.expect("what was written is read") == proof, "the proof changed");
    true
}

/// Reads public signals, which name no curve, and writes them.
pub fn public(data: &[u8]) {
    let Ok(file) = JsonFile::from_bytes("fuzz.json", data) else { return };
    for curve in Curve::ALL {
        with_curve!(curve, E => {
            let Ok(signals) = public_from_json::<E>(&file) else { continue };
            if data.len() > ROUND_TRIP {
                continue;
            }
            let again = public_from_json::<E>(&json(&public_to_json(&signals)));
            assert!(again.expect("what was written is read") == signals, "the signals changed");
        });
    }
}
