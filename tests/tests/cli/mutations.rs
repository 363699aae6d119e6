//! Damaged keys and witnesses: a proof that verifies, or exit 3, 4 or 7. Never a panic, a signal, or an output left behind.

use std::sync::atomic::{AtomicUsize, Ordering};

use interlock_core::format::Zkey;
use interlock_core::format::snarkjs_json::{JsonFile, proof_from_json, public_from_json};
use interlock_core::groth16::verify;
use interlock_core::setup::export_vk;
use interlock_curves::{Curve, ProvingCurve, with_curve};
use interlock_tests::places::{fixture, program};
use interlock_tests::program::{interlock, run};
use interlock_tests::random::generator;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use crate::{Home, key_and_witness};

const MUTATIONS: usize = 300;

/// 8 GiB of address space, in KiB as `ulimit` wants it.
const ADDRESS_SPACE_KIB: usize = 8 << 20;

#[test]
fn three_hundred_random_mutations() {
    let fixtures = [Curve::Bn254, Curve::Bls12_381]
        .map(|curve| ["multiplier", "membership"].map(|name| fixture(curve, name)))
        .concat();
    let inputs: Vec<_> = fixtures.iter().map(key_and_witness).collect();
    let next = AtomicUsize::new(0);
    let proofs = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= MUTATIONS {
                        break;
                    }
                    let which = number % fixtures.len();
                    let code = one(number as u64, fixtures[which].curve, &inputs[which]);
                    proofs.fetch_add(usize::from(code == 0), Ordering::Relaxed);
                }
            });
        }
    });
    // Some damage is harmless (a ceremony's contributions, a base that meets a zero): the rest must not be.
    let proofs = proofs.into_inner();
    assert!(proofs < MUTATIONS / 2, "{proofs} of {MUTATIONS} mutations were not noticed");
}

/// Runs one mutation and gives the exit code.
fn one(seed: u64, curve: Curve, (key, witness): &(Vec<u8>, Vec<u8>)) -> i32 {
    let mut rng = generator(seed);
    let home = Home::new();
    let (mut key, mut witness) = (key.clone(), witness.clone());
    let what = if rng.next_u32().is_multiple_of(3) {
        mutate(&mut witness, &mut rng)
    } else {
        mutate(&mut key, &mut rng)
    };
    let (key, witness) = (home.write("circuit.zkey", &key), home.write("witness.wtns", &witness));
    let mut command = std::process::Command::new("sh");
    let template = interlock(home.path());
    for (name, value) in template.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .current_dir(home.path())
        .args(["-c", &format!("ulimit -v {ADDRESS_SPACE_KIB}; exec \"$0\" \"$@\"")])
        .arg(program())
        .args(["prove", "-q", "--threads", "1"])
        .args([&key, &witness, &home.at("proof.json"), &home.at("public.json")]);
    let (code, stdout, stderr) = run(&mut command);
    let place = format!("seed {seed} ({what}): exit {code}\n{stdout}\n{stderr}");
    assert!(!stderr.contains("panicked"), "{place}");
    match code {
        0 => with_curve!(curve, E => assert!(proof_verifies::<E>(&home), "{place}")),
        3 | 4 | 7 => {
            assert_eq!(home.files(), ["circuit.zkey", "witness.wtns"], "{place}");
            assert!(stderr.contains("error: "), "{place}");
        }
        _ => panic!("{place}"),
    }
    code
}

/// Whether the proof that was written verifies under the (damaged) key's own verification key.
fn proof_verifies<E: ProvingCurve>(home: &Home) -> bool {
    let key = export_vk::<E>(&Zkey::open(home.at("circuit.zkey")).unwrap()).unwrap();
    let proof = proof_from_json::<E>(&JsonFile::open(home.at("proof.json")).unwrap()).unwrap();
    let signals = public_from_json::<E>(&JsonFile::open(home.at("public.json")).unwrap()).unwrap();
    verify(&key, &signals, &proof).unwrap()
}

/// Damages bytes in one of the ways in which files are damaged, and says how.
fn mutate(bytes: &mut Vec<u8>, rng: &mut ChaCha20Rng) -> String {
    // Half of the damage goes to the first kilobyte, where counts and lengths are.
    let range = if rng.next_u32().is_multiple_of(2) { bytes.len().min(1024) } else { bytes.len() };
    let at = rng.next_u64() as usize % range;
    match rng.next_u32() % 7 {
        0 => {
            let bit = rng.next_u32() % 8;
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at}")
        }
        1 => {
            for _ in 0..20 {
                let at = rng.next_u64() as usize % range;
                bytes[at] ^= 1 << (rng.next_u32() % 8);
            }
            "twenty bits".into()
        }
        2 => {
            bytes.truncate(at);
            format!("cut at {at}")
        }
        3 => {
            let inserted: Vec<u8> = (0..1 + rng.next_u32() % 40).map(|_| rng.next_u32() as u8).collect();
            let n = inserted.len();
            bytes.splice(at..at, inserted);
            format!("{n} bytes inserted at {at}")
        }
        4 => {
            let end = bytes.len().min(at + 1 + (rng.next_u32() % 40) as usize);
            bytes.drain(at..end);
            format!("bytes {at}..{end} removed")
        }
        5 => {
            let at = at / 4 * 4;
            let huge = [0xff, 0xff, 0xff, 0x7f];
            bytes[at..].iter_mut().zip(huge).for_each(|(byte, value)| *byte = value);
            format!("a huge count at {at}")
        }
        _ => {
            let end = bytes.len().min(at + 96);
            bytes[at..end].fill(0);
            format!("bytes {at}..{end} zeroed")
        }
    }
}
