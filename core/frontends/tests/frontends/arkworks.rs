//! `ark-groth16`'s own keys: with the same r and s, its own proofs.

use ark_ff::PrimeField;
use ark_groth16::Groth16;
use ark_snark::SNARK;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::groth16::Blinding;
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_frontends::arkworks;
use interlock_tests::linked;

use crate::zoo::{ALL, Kind, Zoo, inputs};
use crate::{Fr, r_and_s};

#[test]
fn their_keys_give_their_proofs() {
    ALL.into_iter().for_each(same_proof::<Bn254>);
    ALL.into_iter().for_each(same_proof::<Bls12_381>);
}

fn key<E: ProvingCurve>(kind: Kind) -> ark_groth16::ProvingKey<E> {
    let shape = Zoo { kind, x: None };
    Groth16::<E>::generate_random_parameters_with_reduction(shape, &mut StdRng::seed_from_u64(3)).unwrap()
}

fn same_proof<E: ProvingCurve>(kind: Kind) {
    let pk = key::<E>(kind);
    let x = Fr::<E>::from_le_bytes_mod_order(&[0x5a; 31]);
    let circuit = Zoo { kind, x: Some(x) };
    let prover = arkworks::open::<E, _>(&linked(), &pk, Zoo { kind, x: None }).unwrap();

    let (r, s) = r_and_s::<E>();
    let theirs = Groth16::<E>::create_proof_with_reduction(circuit, &pk, r, s).unwrap();
    let ours = arkworks::prove_blinded(&prover, circuit, &Blinding::from_scalars(r, s)).unwrap();
    assert_eq!(ours, theirs, "{kind:?} on {}", E::CURVE);

    let public = inputs(kind, x);
    let random = arkworks::prove(&prover, circuit).unwrap();
    assert_ne!(random, ours);
    assert!(Groth16::<E>::verify(&pk.vk, &public, &random).unwrap(), "{kind:?} on {}", E::CURVE);
    if let Some((first, rest)) = public.split_first() {
        let wrong = [&[*first + Fr::<E>::from(1_u64)], rest].concat();
        assert!(!Groth16::<E>::verify(&pk.vk, &wrong, &random).unwrap(), "{kind:?} on {}", E::CURVE);
    }

    // A circuit without values, one with, and both at once agree.
    let rows = arkworks::circuit::<E, _>(Zoo { kind, x: None }).unwrap();
    let witness = arkworks::witness::<E, _>(circuit).unwrap();
    assert_eq!(arkworks::synthesize::<E, _>(circuit).unwrap(), (rows.clone(), witness.clone()));
    assert_eq!(rows.first_unsatisfied(&witness).unwrap(), None, "{kind:?}");
    assert_eq!(rows.n_public() as usize, public.len());
    let signals = witness.scalars::<E>().unwrap();
    assert_eq!(signals[1..=public.len()], public);
    assert!(arkworks::check::<E, _>(circuit).is_ok());
    // The way for circuits that cannot be cloned.
    let proved = prover.prove(&witness).unwrap();
    assert_eq!(proved.signals.0, public);
    assert!(Groth16::<E>::verify(&pk.vk, &public, &arkworks::proof(&proved.proof)).unwrap());
}

#[test]
fn one_key_serves_several_threads() {
    let kind = Kind::Chain(7);
    let pk = key::<Bn254>(kind);
    let prover = arkworks::open::<Bn254, _>(&linked(), &pk, Zoo { kind, x: None }).unwrap();
    std::thread::scope(|scope| {
        for x in 1..5_u64 {
            let (prover, pk) = (&prover, &pk);
            scope.spawn(move || {
                let x = Fr::<Bn254>::from(x);
                let proof = arkworks::prove(prover, Zoo { kind, x: Some(x) }).unwrap();
                assert!(Groth16::<Bn254>::verify(&pk.vk, &inputs(kind, x), &proof).unwrap());
            });
        }
    });
}
