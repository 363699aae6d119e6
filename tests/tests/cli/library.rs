//! What the library makes of the same inputs, and files of other provers made by those provers.

use std::path::PathBuf;
use std::sync::Arc;

use ark_groth16::Groth16;
use ark_serialize::{CanonicalSerialize, Compress};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use bls12_381::{Bls12, G1Projective, G2Projective, Scalar};
use interlock_core::backend::DeviceOptions;
use interlock_core::files::{Family, write_proof};
use interlock_core::format::Witness;
use interlock_core::format::arkworks::Compressed;
use interlock_core::groth16::{Blinding, CancelFlag, ProveOptions, Proved, prove};
use interlock_core::key::ProvingKey;
use interlock_curves::ProvingCurve;
use interlock_tests::circuits::{Sample, edge_cases};

use crate::Home;
use crate::synthesis::Synthesis;

/// A circuit by its name.
pub(crate) fn sample<E: ProvingCurve>(name: &str) -> Sample {
    edge_cases::<E>().into_iter().find(|sample| sample.name == name).unwrap()
}

/// Writes a sample's circuit and witness to a home folder.
pub(crate) fn write(home: &Home, sample: &Sample) -> (PathBuf, PathBuf) {
    let (mut circuit, mut witness) = (Vec::new(), Vec::new());
    sample.r1cs.write(&mut circuit).unwrap();
    sample.witness.write(&mut witness).unwrap();
    (home.write("circuit.r1cs", &circuit), home.write("witness.wtns", &witness))
}

/// A key by arkworks' generator.
pub(crate) fn arkworks_key<E: ProvingCurve>(sample: &Sample, compressed: Compressed) -> Vec<u8> {
    let mut rng = StdRng::seed_from_u64(11);
    let key = Groth16::<E>::generate_random_parameters_with_reduction(Synthesis(sample), &mut rng).unwrap();
    let mode = if compressed == Compressed::Yes { Compress::Yes } else { Compress::No };
    let mut bytes = Vec::new();
    key.serialize_with_mode(&mut bytes, mode).unwrap();
    bytes
}

/// Parameters by bellman's generator.
pub(crate) fn bellman_params(sample: &Sample) -> groth16::Parameters<Bls12> {
    let [alpha, beta, gamma, delta, tau] = [3, 5, 7, 11, 1_234_567].map(|seed| Scalar::from(seed).square());
    let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
    groth16::generate_parameters::<Bls12, _>(Synthesis(sample), g1, g2, alpha, beta, gamma, delta, tau)
        .unwrap()
}

/// Those parameters as a file.
pub(crate) fn bellman_bytes(sample: &Sample) -> Vec<u8> {
    let mut bytes = Vec::new();
    bellman_params(sample).write(&mut bytes).unwrap();
    bytes
}

/// Proves in this process.
pub(crate) fn proved<E: ProvingCurve>(key: &Arc<ProvingKey>, witness: &Witness, seed: [u8; 32]) -> Proved<E> {
    let backend = interlock_tests::linked();
    let options = ProveOptions {
        backends: &[Arc::clone(&backend)],
        device: DeviceOptions { threads: Some(1), ..DeviceOptions::default() },
        self_check: true,
        check_against: None,
        reference: Some(&backend),
        observer: &(),
        cancel: &CancelFlag::default(),
    };
    prove(key, witness, &Blinding::<E>::from_seed(&seed), &options).unwrap()
}

/// A proof as a file of a family.
pub(crate) fn proof_bytes<E: ProvingCurve>(proved: &Proved<E>, family: Family) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_proof(&proved.proof, family, &mut bytes).unwrap();
    bytes
}
