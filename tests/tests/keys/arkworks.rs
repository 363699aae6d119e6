//! arkworks' keys and proofs.

use ark_groth16::Groth16;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystem, Matrix, OptimizationGoal, R1CS_PREDICATE_LABEL,
};
use ark_serialize::{CanonicalSerialize, Compress};
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use interlock_core::format::arkworks::{
    ArkProvingKey, Candidate, Compressed, Encoding, candidates, read_proof, read_verifying_key, write_proof,
    write_verifying_key,
};
use interlock_core::format::{Csr, FileKind, FormatErrorKind, MappedFile, detect};
use interlock_core::key::{CircuitRows, ProvingKey};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};
use interlock_tests::circuits::Sample;

use crate::synthesis::Synthesis;
use crate::{Fr, blinding, our_proof, samples};

pub(crate) const BOTH: [Compressed; 2] = [Compressed::Yes, Compressed::No];

pub(crate) fn serialised(value: &impl CanonicalSerialize, compressed: Compressed) -> Vec<u8> {
    let mode = if compressed == Compressed::Yes { Compress::Yes } else { Compress::No };
    let mut bytes = Vec::new();
    value.serialize_with_mode(&mut bytes, mode).unwrap();
    bytes
}

pub(crate) fn their_key<E: ProvingCurve>(sample: &Sample) -> ark_groth16::ProvingKey<E> {
    let mut rng = StdRng::seed_from_u64(5);
    Groth16::<E>::generate_random_parameters_with_reduction(Synthesis(sample), &mut rng).unwrap()
}

pub(crate) fn their_proof<E: ProvingCurve>(
    sample: &Sample,
    key: &ark_groth16::ProvingKey<E>,
) -> ark_groth16::Proof<E> {
    let (r, s) = blinding::<E>();
    Groth16::<E>::create_proof_with_reduction(Synthesis(sample), key, r, s).unwrap()
}

#[test]
fn their_keys_give_their_proofs_and_bytes() {
    round::<Bn254>();
    round::<Bls12_381>();
}

fn round<E: ProvingCurve>() {
    for sample in samples::<E>() {
        let name = sample.name;
        let theirs = their_key::<E>(&sample);
        let proof = their_proof(&sample, &theirs);
        for compressed in BOTH {
            let encoding = Encoding { curve: E::CURVE, compressed };
            let file = MappedFile::from_bytes("ark.key", serialised(&theirs, compressed)).unwrap();
            assert_eq!(candidates(&file), [Candidate::ProvingKey(encoding)], "{name}");
            let opened = ArkProvingKey::from_file(&file, E::CURVE, compressed).unwrap();
            let key = ProvingKey::from_arkworks(&opened, &sample.r1cs).unwrap();
            assert_eq!(key.warning, None);
            for other in BOTH {
                let mut written = Vec::new();
                key.write_arkworks(other, &mut written).unwrap();
                assert_eq!(written, serialised(&theirs, other), "{name}");
            }
            verifying_key(&opened, &theirs.vk, compressed);
            let ours = our_proof::<E>(key, &sample.witness);
            let mut written = Vec::new();
            write_proof(&ours, compressed, &mut written).unwrap();
            assert_eq!(written, serialised(&proof, compressed), "{name} on {}", E::CURVE);
            let length = if compressed == Compressed::Yes { 4 } else { 8 } * E::CURVE.base_field_bytes();
            assert_eq!(written.len(), length);
            let file = MappedFile::from_bytes("proof", written).unwrap();
            assert_eq!(read_proof::<E>(&file, compressed).unwrap(), ours);
            assert_eq!(candidates(&file), [Candidate::Proof(encoding)], "{name}");
        }
    }
}

fn verifying_key<E: ProvingCurve>(
    opened: &ArkProvingKey,
    theirs: &ark_groth16::VerifyingKey<E>,
    compressed: Compressed,
) {
    let bytes = serialised(theirs, compressed);
    let file = MappedFile::from_bytes("ark.vk", bytes.clone()).unwrap();
    let key = read_verifying_key::<E>(&file, compressed).unwrap();
    assert_eq!(key, opened.verifying_key::<E>().unwrap());
    let mut written = Vec::new();
    write_verifying_key(&key, compressed, &mut written).unwrap();
    assert_eq!(written, bytes);
    let encoding = Encoding { curve: E::CURVE, compressed };
    assert_eq!(candidates(&file), [Candidate::VerifyingKey(encoding)]);
}

#[test]
fn their_matrices_are_the_circuits_rows() {
    for sample in samples::<Bn254>() {
        let cs = ConstraintSystem::new_ref();
        cs.set_optimization_goal(OptimizationGoal::Constraints);
        Synthesis(&sample).generate_constraints(cs.clone()).unwrap();
        cs.finalize();
        let matrices = &cs.to_matrices().unwrap()[R1CS_PREDICATE_LABEL];
        let cols = sample.r1cs.n_wires() as usize;
        let [a, b] = [0, 1].map(|part| csr::<Bn254>(&matrices[part], cols));
        let public = sample.r1cs.n_public() as usize;
        let rows = CircuitRows::from_matrices(Bn254::CURVE, public, a.clone(), b.clone()).unwrap();

        let bytes = serialised(&their_key::<Bn254>(&sample), Compressed::No);
        let opened = ArkProvingKey::from_bytes("ark.key", bytes, Bn254::CURVE, Compressed::No).unwrap();
        let key = ProvingKey::from_arkworks_rows(&opened, &rows).unwrap();
        let from_r1cs = ProvingKey::from_arkworks(&opened, &sample.r1cs).unwrap();
        assert_eq!(our_proof::<Bn254>(key, &sample.witness), our_proof(from_r1cs, &sample.witness));

        let malformed = |spoil: &dyn Fn(&mut Csr)| {
            let mut bad = a.clone();
            spoil(&mut bad);
            CircuitRows::from_matrices(Bn254::CURVE, public, bad, b.clone()).unwrap_err()
        };
        malformed(&|csr| csr.rows += 1);
        malformed(&|csr| csr.cols += 1);
        malformed(&|csr| csr.row_offsets.push(0));
        malformed(&|csr| csr.values.push(0));
        malformed(&|csr| csr.row_offsets[0] = 1);
        if !a.col_indices.is_empty() {
            malformed(&|csr| csr.col_indices[0] = csr.cols as u32);
            let error = malformed(&|csr| csr.values[..32].fill(0xff));
            assert!(matches!(error.kind(), FormatErrorKind::NotReduced { index: 0 }), "{error}");
        }
        CircuitRows::from_matrices(Bn254::CURVE, cols, a.clone(), b.clone()).unwrap_err();
    }
}

fn csr<E: ProvingCurve>(matrix: &Matrix<Fr<E>>, cols: usize) -> Csr {
    let mut csr = Csr { rows: matrix.len(), cols, row_offsets: vec![0], col_indices: vec![], values: vec![] };
    for row in matrix {
        for (coefficient, column) in row {
            csr.col_indices.push(*column as u32);
            let doubled = E::scalar_from_canonical(&E::scalar_to_montgomery(coefficient)).unwrap();
            csr.values.extend_from_slice(&E::scalar_to_montgomery(&doubled));
        }
        csr.row_offsets.push(csr.col_indices.len() as u64);
    }
    csr
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let samples = samples::<Bn254>();
    let (sample, other) = (&samples[0], &samples[3]);
    let bytes = serialised(&their_key::<Bn254>(sample), Compressed::Yes);
    let open = |bytes: &[u8], curve, compressed| {
        ArkProvingKey::from_bytes("ark.key", bytes.to_vec(), curve, compressed)
    };
    let key = open(&bytes, Bn254::CURVE, Compressed::Yes).unwrap();
    let error = ProvingKey::from_arkworks(&key, &other.r1cs).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::Count { .. }), "{error}");
    let error = ProvingKey::from_arkworks(&key, &crate::samples::<Bls12_381>()[0].r1cs).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::CurveMismatch { .. }), "{error}");
    key.verifying_key::<Bls12_381>().unwrap_err();
    open(&bytes, Bn254::CURVE, Compressed::No).unwrap_err();
    open(&bytes, Bls12_381::CURVE, Compressed::Yes).unwrap_err();
    let longer = [bytes.as_slice(), &[0]].concat();
    let error = open(&longer, Bn254::CURVE, Compressed::Yes).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::SectionLength { .. }), "{error}");

    // A length that would overflow, then one that is too long by one point: the errors give place and need.
    let ic = 32 + 3 * 64;
    let mut huge = bytes.clone();
    huge[ic..ic + 8].fill(0xff);
    let error = open(&huge, Bn254::CURVE, Compressed::Yes).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::Truncated { needed: u64::MAX, .. }), "{error}");
    assert_eq!(error.offset(), Some(ic as u64 + 8));

    // A bad point of a long list is found when the list is converted, and named.
    let mut bad = bytes.clone();
    let at = key.a().offset() as usize + 32;
    bad[at..at + 31].fill(0xff);
    bad[at + 31] = 0x3f;
    let opened = open(&bad, Bn254::CURVE, Compressed::Yes).unwrap();
    let error = ProvingKey::from_arkworks(&opened, &sample.r1cs).unwrap_err();
    assert_eq!(error.offset(), Some(at as u64));
    assert!(error.to_string().contains("A[1]: coordinate x"), "{error}");
    bad[at + 31] = 0xc0;
    let opened = open(&bad, Bn254::CURVE, Compressed::Yes).unwrap();
    let error = ProvingKey::from_arkworks(&opened, &sample.r1cs).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::PointFlags { .. }), "{error}");
}

#[test]
fn files_are_recognised() {
    let sample = &samples::<Bn254>()[1];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, serialised(&their_key::<Bn254>(sample), Compressed::No)).unwrap();
    let kind = detect(&path).unwrap();
    let encoding = Encoding { curve: Bn254::CURVE, compressed: Compressed::No };
    assert_eq!(kind, FileKind::Arkworks(Candidate::ProvingKey(encoding)));
    assert_eq!(kind.to_string(), "Groth16 proving key (arkworks, bn254, uncompressed)");
}
