//! bellperson (Filecoin's prover): its generator makes the keys, its prover the bytes that ours must equal, its
//! verifier judges our proofs.

mod circuits;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use bellperson::groth16::{
    Parameters, Proof, VerifyingKey, create_proof, generate_random_parameters, prepare_verifying_key,
    verify_proof,
};
use bellperson::{Circuit, SynthesisError};
use blstrs::{Bls12, Scalar};
use interlock_core::format::bellman::{BellmanParams, BellmanVerifyingKey};
use interlock_core::key::ProvingKey;
use interlock_judges::adapter::from_bellpepper;
use interlock_judges::proving::{FACTORS, accepts, random, reproducible, signals};
use rand_core::SeedableRng;
use rand_xorshift::XorShiftRng;

use crate::circuits::Case;

/// What their generator made for a case; the tests share it.
struct Generated {
    params: Parameters<Bls12>,
    /// As they write it.
    bytes: Vec<u8>,
}

fn generated(case: Case) -> &'static Generated {
    static ALL: LazyLock<Vec<Generated>> = LazyLock::new(|| {
        let generate = |case: Case| {
            let params = parameters(case).unwrap();
            let mut bytes = Vec::new();
            params.write(&mut bytes).unwrap();
            Generated { params, bytes }
        };
        Case::ALL.map(generate).into()
    });
    let index = Case::ALL.iter().position(|other| *other == case).unwrap();
    &ALL[index]
}

fn parameters(circuit: impl Circuit<Scalar>) -> Result<Parameters<Bls12>, SynthesisError> {
    generate_random_parameters(circuit, &mut XorShiftRng::from_seed([0x2b; 16]))
}

fn their_proof(case: Case, params: &Parameters<Bls12>) -> Vec<u8> {
    let [r, s] = FACTORS.map(|factor| Scalar::from_bytes_le(&factor).unwrap());
    let mut bytes = Vec::new();
    create_proof(case, params, r, s).unwrap().write(&mut bytes).unwrap();
    bytes
}

/// Their key as ours.
fn our_key(case: Case) -> Arc<ProvingKey> {
    let bytes = generated(case).bytes.clone();
    let opened = BellmanParams::from_bytes("bellperson.params", bytes).unwrap();
    assert_eq!(opened.trailing_bytes(), 0, "{case:?}");
    let (r1cs, witness) = from_bellpepper(case);
    assert_eq!(r1cs.first_unsatisfied(&witness).unwrap(), None, "{case:?}");
    Arc::new(ProvingKey::from_bellman(&opened, &r1cs).unwrap_or_else(|error| panic!("{case:?}: {error}")))
}

#[test]
fn with_their_keys_and_factors_our_proofs_are_their_bytes() {
    for case in Case::ALL {
        let params = &generated(case).params;
        let key = our_key(case);
        let (_, witness) = from_bellpepper(case);
        let proof = reproducible(&key, &witness);
        assert_eq!(proof.len(), Proof::<Bls12>::size(), "{case:?}");
        assert_eq!(proof, their_proof(case, params), "{case:?}");
    }
}

#[test]
fn their_verifier_accepts_our_proofs_and_refuses_other_signals() {
    for case in Case::ALL {
        let params = &generated(case).params;
        let key = our_key(case);
        let (_, witness) = from_bellpepper(case);
        let proof = random(&key, &witness);
        assert_ne!(proof, random(&key, &witness), "{case:?}: blinded");

        let (ours, theirs) = (key.verifying_key().unwrap(), prepare_verifying_key(&params.vk));
        let both = |signals: &[[u8; 32]]| {
            let accepted = accepts(&ours, signals, &proof);
            let as_theirs: Vec<_> =
                signals.iter().map(|signal| Scalar::from_bytes_le(signal).unwrap()).collect();
            let parsed = Proof::<Bls12>::read(proof.as_slice()).unwrap();
            assert_eq!(verify_proof(&theirs, &parsed, &as_theirs).unwrap(), accepted, "{case:?}");
            accepted
        };
        let good = signals(&key, &witness);
        assert_eq!(good.len(), case.inputs(), "{case:?}");
        assert!(both(&good), "{case:?}");
        for changed in 0..good.len() {
            let mut bad = good.clone();
            bad[changed][0] ^= 1;
            assert!(!both(&bad), "{case:?}: signal {changed}");
        }
    }
}

#[test]
fn keys_that_we_write_are_theirs() {
    let folder = tempfile::tempdir().unwrap();
    for case in Case::ALL {
        let Generated { params, bytes } = generated(case);
        let key = our_key(case);
        let mut written = Vec::new();
        key.write_bellman(&mut written).unwrap();
        assert!(written == *bytes, "{case:?}: .params");
        let read = Parameters::<Bls12>::read(written.as_slice(), true).unwrap();
        let proof = their_proof(case, &read);
        assert_eq!(proof, their_proof(case, params), "{case:?}");
        // Filecoin maps its parameters and reads points where it needs them.
        assert_eq!(their_proof_mapped(case, folder.path(), &written), proof, "{case:?}");

        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        key.write_bellman_vk(&mut ours).unwrap();
        params.vk.write(&mut theirs).unwrap();
        assert_eq!(ours, theirs, "{case:?}: .vk");
        assert_eq!(VerifyingKey::<Bls12>::read(ours.as_slice()).unwrap(), params.vk, "{case:?}");
        let vk = BellmanVerifyingKey::from_bytes("bellperson.vk", theirs).unwrap();
        assert_eq!(vk.verifying_key(), key.verifying_key().unwrap(), "{case:?}");
    }
}

fn their_proof_mapped(case: Case, folder: &Path, params: &[u8]) -> Vec<u8> {
    let path = folder.join("written.params");
    std::fs::write(&path, params).unwrap();
    let mapped = Parameters::<Bls12>::build_mapped_parameters(path, false).unwrap();
    let [r, s] = FACTORS.map(|factor| Scalar::from_bytes_le(&factor).unwrap());
    let mut bytes = Vec::new();
    create_proof(case, &mapped, r, s).unwrap().write(&mut bytes).unwrap();
    bytes
}

/// Which signals have points: bellperson's generator leaves a variable out of A or B when its coefficient in each
/// combination has come to zero, by itself (`0·x`) or by merging (`x − x`), and its prover skips the same ones. (That both prove with such keys, the other tests show.)
#[test]
fn what_comes_to_zero_has_no_point() {
    for case in [Case::Cancelled, Case::CancelledInput, Case::ZeroCoefficient] {
        let params = &generated(case).params;
        assert_eq!((params.a.len(), params.b_g1.len(), params.b_g2.len()), (3, 1, 1), "{case:?}");
        let key = our_key(case);
        // Signal 0 is the constant, 1 the input `square`, 2 is x, 3 is y. All inputs are in A.
        assert_eq!(key.a.index.as_deref(), Some([0, 1, 3].as_slice()), "{case:?}");
        assert_eq!(key.b_g1.index.as_deref(), Some([3].as_slice()), "{case:?}");
        assert_eq!(key.b_g2.index, key.b_g1.index, "{case:?}");
    }
}

/// There is no key for such a circuit, so that L never holds an infinity.
#[test]
fn a_variable_that_occurs_nowhere_is_refused_by_them() {
    let error = parameters(circuits::Unconstrained).map(|_| ()).unwrap_err();
    assert!(matches!(error, SynthesisError::UnconstrainedVariable), "{error}");
}
