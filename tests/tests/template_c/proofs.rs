//! Whole proofs: with the same blinding they are the CPU backend's, byte for byte. For both templates.

use std::sync::Arc;

use ark_groth16::Groth16;
use ark_serialize::CanonicalSerialize;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use bls12_381::{Bls12, G1Projective, G2Projective, Scalar};
use interlock_core::backend::{DeviceOptions, Plugin};
use interlock_core::files::{Family, KeyFile, write_proof};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, Proved, prove};
use interlock_core::key::ProvingKey;
use interlock_curves::{Bls12_381, Bn254, ProvingCurve, with_curve};
use interlock_tests::circuits::{Sample, edge_cases};
use interlock_tests::linked;
use interlock_tests::places::committed;
use interlock_tests::program::call;

use crate::synthesis::Synthesis;
use crate::{library, loaded};

const SEED: &str = "0505050505050505050505050505050505050505050505050505050505050505";

/// Proves with fixed blinding and the self-check.
fn proved<E: ProvingCurve>(
    plugin: Arc<Plugin>,
    key: &Arc<ProvingKey>,
    witness: &Witness,
    memory_limit: Option<u64>,
) -> Proved<E> {
    let options = ProveOptions {
        backends: &[plugin],
        device: DeviceOptions { threads: Some(1), memory_limit, ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    prove(key, witness, &Blinding::<E>::from_seed(&[5; 32]), &options).unwrap()
}

fn bytes<E: ProvingCurve>(proved: &Proved<E>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_proof(&proved.proof, Family::Snarkjs, &mut bytes).unwrap();
    bytes
}

fn same<E: ProvingCurve>(what: &str, key: &Arc<ProvingKey>, witness: &Witness) {
    let ours = proved::<E>(loaded(), key, witness, None);
    let reference = proved::<E>(linked(), key, witness, None);
    assert!(bytes(&ours) == bytes(&reference) && ours.signals == reference.signals, "{} {what}", E::CURVE);
}

#[test]
fn the_fixtures_by_the_library() {
    for fixture in committed() {
        let zkey = Zkey::open(fixture.file("circuit.zkey")).unwrap();
        let key = Arc::new(ProvingKey::from_zkey(&zkey).unwrap());
        let witness = Witness::open(fixture.file("witness.wtns")).unwrap();
        with_curve!(fixture.curve, E => same::<E>(&fixture.name, &key, &witness));
    }
}

#[test]
fn the_fixtures_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let library = library(&folder.path().join("build")).display().to_string();
    for fixture in committed() {
        let proof = |flags: &[&str]| {
            let files = [fixture.file("circuit.zkey"), fixture.file("witness.wtns"), "p".into(), "u".into()];
            let flags = ["prove", "-q", "--seed", SEED].iter().chain(flags).map(Into::into);
            let (code, _, stderr) = call(folder.path(), flags.chain(files));
            assert_eq!(code, 0, "{}: {stderr}", fixture.name);
            (std::fs::read(folder.path().join("p")).unwrap(), std::fs::read(folder.path().join("u")).unwrap())
        };
        let ours = proof(&["--backend", &library, "--allow-unsigned", "--check-against", "embedded"]);
        assert!(ours == proof(&["--backend", "embedded"]), "{}", fixture.name);
    }
}

/// Keys of the other convention, with the quotient's coefficients: the inverse coset transform is used.
#[test]
fn edge_circuits_with_keys_of_arkworks() {
    fn each<E: ProvingCurve>() {
        for sample in edge_cases::<E>() {
            let mut rng = StdRng::seed_from_u64(11);
            let circuit = Synthesis(&sample);
            let key = Groth16::<E>::generate_random_parameters_with_reduction(circuit, &mut rng).unwrap();
            let mut bytes = Vec::new();
            key.serialize_uncompressed(&mut bytes).unwrap();
            same::<E>(sample.name, &opened(&bytes, &sample), &sample.witness);
        }
    }
    each::<Bn254>();
    each::<Bls12_381>();
}

/// Bellman leaves out bases at infinity, so these have an index.
#[test]
fn edge_circuits_with_parameters_of_bellman() {
    let mut proved = 0;
    for sample in edge_cases::<Bls12_381>() {
        let [alpha, beta, gamma, delta, tau] =
            [3, 5, 7, 11, 1_234_567].map(|seed| Scalar::from(seed).square());
        let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
        let circuit = Synthesis(&sample);
        let parameters =
            groth16::generate_parameters::<Bls12, _>(circuit, g1, g2, alpha, beta, gamma, delta, tau);
        // Bellman makes none for a circuit with a variable that is in no constraint.
        let Ok(parameters) = parameters else { continue };
        proved += 1;
        let mut bytes = Vec::new();
        parameters.write(&mut bytes).unwrap();
        same::<Bls12_381>(sample.name, &opened(&bytes, &sample), &sample.witness);
    }
    assert!(proved >= 6, "{proved}");
}

fn opened(bytes: &[u8], sample: &Sample) -> Arc<ProvingKey> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, bytes).unwrap();
    Arc::new(KeyFile::open(&path).unwrap().proving_key(Some(&sample.r1cs)).unwrap())
}

/// The account holds under a limit: what a proof needs at most is enough, and a tenth of it is refused with a reason.
#[test]
fn a_memory_limit() {
    let fixture = committed().into_iter().find(|fixture| fixture.name.ends_with("bn254/membership")).unwrap();
    let zkey = Zkey::open(fixture.file("circuit.zkey")).unwrap();
    let key = Arc::new(ProvingKey::from_zkey(&zkey).unwrap());
    let witness = Witness::open(fixture.file("witness.wtns")).unwrap();
    let free = proved::<Bn254>(loaded(), &key, &witness, None);
    let limited = proved::<Bn254>(loaded(), &key, &witness, Some(8 << 20));
    assert!(bytes(&free) == bytes(&limited));
    let options = ProveOptions {
        backends: &[loaded()],
        device: DeviceOptions { memory_limit: Some(100 << 10), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    let error = prove(&key, &witness, &Blinding::<Bn254>::from_seed(&[5; 32]), &options).unwrap_err();
    assert!(error.is_out_of_memory(), "{error}");
}
