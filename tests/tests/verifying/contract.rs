//! The exported contract and its calldata.

use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use interlock_core::export::{ExportError, calldata, solidity};
use interlock_core::groth16::verify;
use interlock_core::types::{Proof, PublicSignals, VerifyingKey};
use interlock_curves::{Bn254, Curve, ProvingCurve};
use interlock_tests::places::fixture;
use interlock_tests::random::{g1_points, g2_points, generator};

use crate::evm::Evm;
use crate::{Judged, fresh, judged, made};

type Scalar = <Bn254 as ark_ec::pairing::Pairing>::ScalarField;
type G1 = <Bn254 as ark_ec::pairing::Pairing>::G1;
type G2 = <Bn254 as ark_ec::pairing::Pairing>::G2;

/// The words of calldata, in order.
fn words(text: &str) -> Vec<&str> {
    text.split('"').filter(|part| part.starts_with("0x")).collect()
}

/// Calldata with another word in one place.
fn with_word(text: &str, index: usize, word: &str) -> String {
    let mut parts: Vec<&str> = text.split('"').collect();
    let is_word = |part: &&str| part.starts_with("0x");
    let at = (0..parts.len()).filter(|&at| is_word(&parts[at])).nth(index).expect("there is that word");
    parts[at] = word;
    parts.join("\"")
}

/// The big-endian sum of a word and a little-endian modulus.
fn plus(word: &str, modulus: &[u8; 32]) -> String {
    let digits = word.trim_start_matches("0x");
    let mut sum = [0; 32];
    let mut carry = 0;
    for i in 0..32 {
        let at = 62 - 2 * i;
        let byte = u16::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let total = byte + u16::from(modulus[i]) + carry;
        sum[31 - i] = total as u8;
        carry = total >> 8;
    }
    assert_eq!(carry, 0, "the sum fits a word");
    format!("0x{}", sum.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

#[test]
fn calldata_is_snarkjs_own() {
    let Some(mut evm) = Evm::start() else { return };
    for name in ["multiplier", "membership"] {
        let fixture = fixture(Curve::Bn254, name);
        let Judged { signals, theirs, .. } = judged::<Bn254>(&fixture);
        let text = evm.snarkjs_calldata(&fixture.file("proof.json"), &fixture.file("public.json"));
        assert_eq!(calldata(&theirs, &signals), text);
    }
}

#[test]
fn fixtures_are_accepted_and_every_change_is_refused() {
    let Some(mut evm) = Evm::start() else { return };
    for name in ["multiplier", "membership"] {
        fixture_in_evm(&mut evm, name);
    }
}

fn fixture_in_evm(evm: &mut Evm, name: &str) {
    let fixture = fixture(Curve::Bn254, name);
    let Judged { key, signals, theirs } = judged::<Bn254>(&fixture);
    let contract = evm.deploy(&solidity(&key, "Verifier").unwrap(), "Verifier");
    let mut accepts = |text: &str| evm.call(contract, text).accepted;

    let text = calldata(&theirs, &signals);
    assert!(accepts(&text), "{name}: snarkjs' proof");
    assert!(accepts(&calldata(&fresh(&fixture), &signals)), "{name}: our proof");

    // Each word changed on its own: by one, and by the modulus of its field, which leaves its value modulo that as it was.
    let (q, r) = (Curve::Bn254.base_modulus_le().first_chunk().unwrap(), Curve::Bn254.scalar_modulus_le());
    let one = std::array::from_fn(|i| u8::from(i == 0));
    for (i, word) in words(&text).into_iter().enumerate() {
        let modulus = if i < 8 { q } else { r };
        for added in [&one, modulus] {
            let changed = with_word(&text, i, &plus(word, added));
            assert!(!accepts(&changed), "{name}: word {i}");
        }
    }

    let mut swapped = signals.clone();
    swapped.0.swap(0, signals.0.len() - 1);
    assert_ne!(swapped, signals);
    assert!(!accepts(&calldata(&theirs, &swapped)), "{name}: signals in another order");
    for wrong in wrong_proofs(&theirs) {
        assert!(!verify(&key, &signals, &wrong).unwrap());
        assert!(!accepts(&calldata(&wrong, &signals)), "{name}: {wrong:?}");
    }
}

/// Points of their groups, but not the proof's.
fn wrong_proofs(proof: &Proof<Bn254>) -> Vec<Proof<Bn254>> {
    let Proof { a, b, c } = *proof;
    let infinity = <Bn254 as ark_ec::pairing::Pairing>::G1Affine::zero();
    vec![
        Proof { a: -a, ..*proof },
        Proof { a: c, c: a, ..*proof },
        Proof { a: infinity, ..*proof },
        Proof { b: -b, ..*proof },
        Proof { b: (b + G2::generator()).into_affine(), ..*proof },
        Proof { c: infinity, ..*proof },
        Proof { c: (c + G1::generator()).into_affine(), ..*proof },
    ]
}

#[test]
fn any_number_of_signals() {
    let Some(mut evm) = Evm::start() else { return };
    for n in [0, 1, 3, 40] {
        let (key, signals, proof) = made::<Bn254>(n, 5);
        assert!(verify(&key, &signals, &proof).unwrap(), "{n}");
        let contract = evm.deploy(&solidity(&key, "Groth16_Verifier2").unwrap(), "Groth16_Verifier2");
        let called = evm.call(contract, &calldata(&proof, &signals));
        assert!(called.accepted, "{n}");
        // Four pairings, and a product and a sum for each signal (EIP-1108).
        let precompiles = 45_000 + 4 * 34_000 + 6_150 * n as u64;
        assert!(
            called.gas > precompiles && called.gas < precompiles + 10_000 + 2_000 * n as u64,
            "{called:?}"
        );
        let wrong = Proof { a: g1_points::<Bn254>(1, &mut generator(1))[0], ..proof };
        assert!(!evm.call(contract, &calldata(&wrong, &signals)).accepted, "{n}");
        let wrong = Proof { b: g2_points::<Bn254>(1, &mut generator(1))[0], ..proof };
        assert!(!evm.call(contract, &calldata(&wrong, &signals)).accepted, "{n}");
    }
}

#[test]
fn names_and_keys_that_make_no_contract() {
    let (key, ..) = made::<Bn254>(1, 1);
    for name in ["", "verifier", "1Verifier", "_Verifier", "contract", "Veri fier", "V{}", "Vérifier", "V\n"]
    {
        assert_eq!(solidity(&key, name).unwrap_err(), ExportError::Name(name.to_owned()));
    }
    assert!(solidity(&key, "V").is_ok());
    let empty = VerifyingKey { ic: Vec::new(), ..key };
    assert_eq!(solidity(&empty, "V").unwrap_err(), ExportError::NoConstant);
    // The words of calldata are what the signals are.
    let text =
        calldata(&made::<Bn254>(2, 1).2, &PublicSignals(vec![Scalar::from(1_u64), -Scalar::from(1_u64)]));
    let last = format!(
        "0x{}",
        Bn254::scalar_to_canonical(&-Scalar::from(1_u64))
            .iter()
            .rev()
            .map(|b| format!("{b:02x}"))
            .collect::<String>()
    );
    assert_eq!(words(&text)[9], last);
}

/// There a call succeeds and returns nothing, which leaves A's x where the answer would be; it is 1 for the generator.
#[test]
fn a_chain_without_precompiles_accepts_nothing() {
    let Some(mut evm) = Evm::start() else { return };
    for n in [0, 2] {
        let (key, signals, proof) = made::<Bn254>(n, 6);
        let source = solidity(&key, "V").unwrap();
        let wrong = Proof { a: G1::generator().into_affine(), ..proof };
        let bare = evm.deploy_without_precompiles(&source, "V");
        for proof in [proof, wrong] {
            assert!(!evm.call(bare, &calldata(&proof, &signals)).accepted, "{n}");
        }
        let contract = evm.deploy(&source, "V");
        assert!(evm.call(contract, &calldata(&proof, &signals)).accepted, "{n}");
        // Without the checks of what came back the wrong proof passes: they are what is tested here.
        let unguarded: String = source
            .lines()
            .filter(|line| !line.contains("returndatasize"))
            .map(|line| format!("{line}\n"))
            .collect();
        let unguarded = evm.deploy_without_precompiles(&unguarded, "V");
        assert!(evm.call(unguarded, &calldata(&wrong, &signals)).accepted, "{n}");
    }
}
