//! Whole proofs of small circuits, in both quotient conventions: equal to the one that the trapdoor gives, and verified by
//! arkworks.

use std::sync::Arc;

use ark_groth16::Groth16;
use ark_snark::SNARK;
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, prove};
use interlock_core::key::ProvingKey;
use interlock_core::types::Proof;
use interlock_curves::ProvingCurve;
use rand_chacha::ChaCha20Rng;

use crate::outcome::{Outcome, Stop, equal, failed, holds};
use crate::reference::Fr;
use crate::reference::circuits::{Circuit, booleans, squarings, wide_values};
use crate::reference::proof::Trapdoor;
use crate::reference::scalars::scalar;
use crate::row::{Rows, Setting};

type Make<E> = Box<dyn Fn(&mut ChaCha20Rng) -> Result<Circuit<E>, Stop>>;

pub(crate) fn rows<E: ProvingCurve>(rows: &mut Rows) {
    let large = 1 << (rows.level.largest_log() - 2);
    let circuits: Vec<(String, Make<E>)> = vec![
        ("one constraint".into(), Box::new(|rng| squarings(1, rng))),
        ("a domain exactly full".into(), Box::new(|rng| squarings(14, rng))),
        ("a domain one over".into(), Box::new(|rng| squarings(15, rng))),
        ("values at the edges of the field".into(), Box::new(|_| wide_values())),
        (format!("{large} boolean signals"), Box::new(move |rng| booleans(large, rng))),
        (format!("{large} squarings"), Box::new(move |rng| squarings(large, rng))),
    ];
    for (name, make) in circuits {
        rows.add(name.clone(), move |setting| {
            let circuit = make(&mut setting.rng)?;
            both_conventions::<E>(setting, &name, &circuit)
        });
    }
    rows.add("proofs from 4 threads at once", at_once::<E>);
}

fn both_conventions<E: ProvingCurve>(setting: &mut Setting<'_>, name: &str, circuit: &Circuit<E>) -> Outcome {
    let trapdoor = Trapdoor::<E>::random(&mut setting.rng);
    let key = trapdoor.key(&circuit.r1cs)?;
    let (r, s): (Fr<E>, Fr<E>) = (scalar(&mut setting.rng), scalar(&mut setting.rng));
    let expected = trapdoor.proof(circuit, &key.domain, r, s)?;
    let coefficients = trapdoor.with_coefficients(key.clone())?;
    for (convention, key) in [("values on the coset", key), ("coefficients", coefficients)] {
        let key = Arc::new(key);
        let input = format!("{name}, the quotient by {convention}, r = {r}, s = {s}");
        verified::<E>(&input, &key, circuit, &expected, true)?;
        let proof = proof::<E>(setting, &input, &key, circuit, r, s)?;
        same::<E>(&input, &expected, &proof)?;
        verified::<E>(&input, &key, circuit, &proof, true)?;
    }
    Ok(())
}

/// Without the self-check: what comes out is what the backend's sums make, right or wrong.
fn proof<E: ProvingCurve>(
    setting: &Setting<'_>,
    input: &str,
    key: &Arc<ProvingKey>,
    circuit: &Circuit<E>,
    r: Fr<E>,
    s: Fr<E>,
) -> Result<Proof<E>, Stop> {
    let options = ProveOptions {
        backends: std::slice::from_ref(setting.plugin),
        device: setting.device,
        self_check: false,
        check_against: None,
        reference: None,
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    let proved = prove::<E>(key, &circuit.witness(), &Blinding::from_scalars(r, s), &options)
        .map_err(|error| failed(input, "a proof", error))?;
    Ok(proved.proof)
}

fn same<E: ProvingCurve>(input: &str, expected: &Proof<E>, got: &Proof<E>) -> Outcome {
    holds(format_args!("A of {input}"), expected.a, expected.a == got.a, got.a)?;
    holds(format_args!("B of {input}"), expected.b, expected.b == got.b, got.b)?;
    holds(format_args!("C of {input}"), expected.c, expected.c == got.c, got.c)
}

/// arkworks' verifier: it accepts the public signals, and no others.
fn verified<E: ProvingCurve>(
    input: &str,
    key: &ProvingKey,
    circuit: &Circuit<E>,
    proof: &Proof<E>,
    expected: bool,
) -> Outcome {
    let vk = key.verifying_key::<E>().map_err(|error| failed(input, "a verification key", error))?;
    let vk = ark_groth16::VerifyingKey::<E> {
        alpha_g1: vk.alpha_g1,
        beta_g2: vk.beta_g2,
        gamma_g2: vk.gamma_g2,
        delta_g2: vk.delta_g2,
        gamma_abc_g1: vk.ic,
    };
    let theirs = ark_groth16::Proof::<E> { a: proof.a, b: proof.b, c: proof.c };
    let verify = |signals: &[Fr<E>]| {
        Groth16::<E>::verify(&vk, signals, &theirs)
            .map_err(|error| failed(input, "a verdict of arkworks'", error))
    };
    let mut signals = circuit.values[1..=key.n_public].to_vec();
    equal(format_args!("arkworks' verdict on {input}"), expected, verify(&signals)?)?;
    if let Some(first) = signals.first_mut() {
        *first += Fr::<E>::from(1_u64);
        equal(format_args!("arkworks' verdict on {input}, with another signal"), false, verify(&signals)?)?;
    }
    Ok(())
}

fn at_once<E: ProvingCurve>(setting: &mut Setting<'_>) -> Outcome {
    let circuit = squarings::<E>(30, &mut setting.rng)?;
    let trapdoor = Trapdoor::<E>::random(&mut setting.rng);
    let key = Arc::new(trapdoor.key(&circuit.r1cs)?);
    let blinding: Vec<(Fr<E>, Fr<E>)> =
        (0..4).map(|_| (scalar(&mut setting.rng), scalar(&mut setting.rng))).collect();
    let (key, circuit, trapdoor) = (&key, &circuit, &trapdoor);
    let (plugin, device, rng) = (setting.plugin, setting.device, &setting.rng);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let one = |(i, &(r, s)): (usize, &(Fr<E>, Fr<E>))| {
            let setting = Setting { plugin, device, rng: rng.clone() };
            scope.spawn(move || {
                let input = format!("30 squarings, thread {i} of 4, r = {r}, s = {s}");
                let expected = trapdoor.proof(circuit, &key.domain, r, s)?;
                same::<E>(&input, &expected, &proof::<E>(&setting, &input, key, circuit, r, s)?)
            })
        };
        let running: Vec<_> = blinding.iter().enumerate().map(one).collect();
        let lost = || Err(failed("a thread of the suite's", "its end", "a panic"));
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    outcomes.into_iter().collect()
}
