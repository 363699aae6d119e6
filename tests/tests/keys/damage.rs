//! Files cut off anywhere are refused; files with changed bytes never cause a panic.

use interlock_core::format::FormatError;
use interlock_core::format::MappedFile;
use interlock_core::format::arkworks::{
    ArkProvingKey, Compressed, candidates, read_proof, read_verifying_key,
};
use interlock_core::format::bellman::{BellmanParams, BellmanVerifyingKey};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::circuits::Sample;
use interlock_tests::random::generator;
use rand_chacha::rand_core::Rng;

use crate::arkworks::{BOTH, serialised, their_key, their_proof};
use crate::bellman::{their_params, written};
use crate::samples;

fn truncations<T>(good: &[u8], parse: impl Fn(Vec<u8>) -> Result<T, FormatError>) {
    for length in 0..good.len() {
        let Err(error) = parse(good[..length].to_vec()) else {
            panic!("accepted when cut to {length} of {} bytes", good.len());
        };
        assert!(error.offset().is_none_or(|offset| offset <= length as u64), "{error}");
    }
    parse(good.to_vec()).unwrap();
}

fn flips<T>(good: &[u8], rounds: usize, parse: impl Fn(Vec<u8>) -> Result<T, FormatError>) {
    let mut rng = generator(9);
    let mut errors = 0;
    for _ in 0..rounds {
        let mut bytes = good.to_vec();
        for _ in 0..=rng.next_u32() % 3 {
            let at = rng.next_u32() as usize % bytes.len();
            bytes[at] = if rng.next_u32().is_multiple_of(2) { 0xff } else { rng.next_u32() as u8 };
        }
        errors += usize::from(parse(bytes).is_err());
    }
    assert!(errors > rounds / 2, "only {errors} of {rounds} damaged files were noticed");
}

fn small<E: ProvingCurve>() -> Sample {
    samples::<E>().into_iter().find(|sample| sample.name == "one constraint").unwrap()
}

fn arkworks<E: ProvingCurve>() {
    let sample = small::<E>();
    let key = their_key::<E>(&sample);
    let proof = their_proof(&sample, &key);
    for compressed in BOTH {
        let file = |bytes| MappedFile::from_bytes("damaged", bytes);
        let open = |bytes| ArkProvingKey::from_file(&file(bytes)?, E::CURVE, compressed);
        let whole = |bytes| ProvingKey::from_arkworks(&open(bytes)?, &sample.r1cs);
        truncations(&serialised(&key, compressed), open);
        flips(&serialised(&key, compressed), 400, whole);
        let verifying = |bytes| read_verifying_key::<E>(&file(bytes)?, compressed);
        truncations(&serialised(&key.vk, compressed), verifying);
        flips(&serialised(&key.vk, compressed), 200, verifying);
        let read = |bytes| read_proof::<E>(&file(bytes)?, compressed);
        truncations(&serialised(&proof, compressed), read);
        flips(&serialised(&proof, compressed), 200, read);
    }
}

#[test]
fn arkworks_on_bn254() {
    arkworks::<Bn254>();
}

#[test]
fn arkworks_on_bls12_381() {
    arkworks::<Bls12_381>();
}

#[test]
fn bellman() {
    let sample = small::<Bls12_381>();
    let params = their_params(&sample).unwrap();
    let open = |bytes| BellmanParams::from_bytes("damaged", bytes);
    truncations(&written(&params), open);
    flips(&written(&params), 400, |bytes| ProvingKey::from_bellman(&open(bytes)?, &sample.r1cs));
    let mut vk = Vec::new();
    params.vk.write(&mut vk).unwrap();
    truncations(&vk, |bytes| BellmanVerifyingKey::from_bytes("damaged", bytes));
    flips(&vk, 200, |bytes| BellmanVerifyingKey::from_bytes("damaged", bytes));
}

#[test]
fn noise_is_nothing() {
    let mut rng = generator(10);
    for length in [1, 31, 128, 192, 256, 384, 5000] {
        let mut bytes = vec![0; length];
        rng.fill_bytes(&mut bytes);
        let file = MappedFile::from_bytes("noise", bytes).unwrap();
        assert_eq!(candidates(&file), []);
        BellmanParams::from_file(&file).unwrap_err();
        ArkProvingKey::from_file(&file, Bn254::CURVE, Compressed::Yes).unwrap_err();
    }
}
