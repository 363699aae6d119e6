//! bellman's parameters, verification keys and proofs.

use bellman::SynthesisError;
use bls12_381::{Bls12, G1Projective, G2Projective, Scalar};
use groth16::{Parameters, create_proof, generate_parameters, prepare_verifying_key, verify_proof};
use interlock_core::format::bellman::{
    BellmanParams, BellmanVerifyingKey, PROOF_BYTES, read_proof, write_proof,
};
use interlock_core::format::{FileKind, FormatErrorKind, MappedFile, detect};
use interlock_core::key::{ExportError, ProvingKey};
use interlock_curves::{Bls12_381, ProvingCurve};
use interlock_tests::circuits::Sample;

use crate::synthesis::{Synthesis, theirs};
use crate::{blinding, our_proof, samples};

/// `None` when bellman refuses the circuit, because a private variable occurs nowhere.
pub(crate) fn their_params(sample: &Sample) -> Option<Parameters<Bls12>> {
    let [alpha, beta, gamma, delta, tau] = [3, 5, 7, 11, 1_234_567].map(|seed| Scalar::from(seed).square());
    let (g1, g2) = (G1Projective::generator(), G2Projective::generator());
    match generate_parameters::<Bls12, _>(Synthesis(sample), g1, g2, alpha, beta, gamma, delta, tau) {
        Ok(params) => Some(params),
        Err(SynthesisError::UnconstrainedVariable) => None,
        Err(error) => panic!("{}: {error}", sample.name),
    }
}

pub(crate) fn written(params: &Parameters<Bls12>) -> Vec<u8> {
    let mut bytes = Vec::new();
    params.write(&mut bytes).unwrap();
    bytes
}

pub(crate) fn their_proof(sample: &Sample, params: &Parameters<Bls12>) -> Vec<u8> {
    let (r, s) = blinding::<Bls12_381>();
    let [r, s] = [r, s].map(|scalar| theirs(&Bls12_381::scalar_to_canonical(&scalar)));
    let mut bytes = Vec::new();
    create_proof(Synthesis(sample), params, r, s).unwrap().write(&mut bytes).unwrap();
    bytes
}

#[test]
fn their_parameters_give_their_proofs_and_bytes() {
    let mut compared = 0;
    for sample in samples::<Bls12_381>() {
        let name = sample.name;
        let Some(params) = their_params(&sample) else { continue };
        let bytes = written(&params);
        let tail = [bytes.as_slice(), &[0xab; 52]].concat();
        let opened = BellmanParams::from_bytes("some.params", tail).unwrap();
        assert_eq!(opened.trailing_bytes(), 52);
        let opened_exactly = BellmanParams::from_bytes("some.params", bytes.clone()).unwrap();
        assert_eq!(opened_exactly.trailing_bytes(), 0);

        let key = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap();
        let mut ours = Vec::new();
        key.write_bellman(&mut ours).unwrap();
        assert_eq!(ours, bytes, "{name}");
        verifying_key(&key, &opened, &params);

        let proof = our_proof::<Bls12_381>(key, &sample.witness);
        let mut ours = Vec::new();
        write_proof(&proof, &mut ours).unwrap();
        assert_eq!(ours.len(), PROOF_BYTES);
        assert_eq!(ours, their_proof(&sample, &params), "{name}");
        assert_eq!(read_proof(&MappedFile::from_bytes("proof", ours).unwrap()).unwrap(), proof);
        compared += 1;
    }
    assert!(compared >= 8, "bellman took only {compared} circuits");
}

fn verifying_key(key: &ProvingKey, opened: &BellmanParams, params: &Parameters<Bls12>) {
    let mut theirs = Vec::new();
    params.vk.write(&mut theirs).unwrap();
    let mut ours = Vec::new();
    key.write_bellman_vk(&mut ours).unwrap();
    assert_eq!(ours, theirs);
    let vk = BellmanVerifyingKey::from_bytes("some.vk", ours).unwrap();
    assert_eq!(vk.trailing_bytes(), 0);
    assert_eq!(vk.verifying_key(), opened.verifying_key());
    assert_eq!(vk.verifying_key(), key.verifying_key::<Bls12_381>().unwrap());
}

#[test]
fn queries_that_leave_signals_out() {
    let samples = samples::<Bls12_381>();
    let sample = samples.iter().find(|sample| sample.name == "scattered").unwrap();
    let opened = BellmanParams::from_bytes("some.params", written(&their_params(sample).unwrap())).unwrap();
    let key = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap();
    // Inputs 0..=3 always, x and t; in B the constant, the input p, y and t.
    assert_eq!(key.a.index.as_deref(), Some([0, 1, 2, 3, 4, 7].as_slice()));
    assert_eq!(key.b_g1.index.as_deref(), Some([0, 2, 5, 7].as_slice()));
    assert_eq!(key.b_g2.index, key.b_g1.index);
}

/// x − x in A: bellman's generator leaves x out of the query, its prover counts it, and so cannot use its own key. Ours
/// goes by the key; bellman's verifier accepts the proof.
#[test]
fn what_cancels_out_is_proved_all_the_same() {
    let mut builder = interlock_core::format::R1cs::builder(Bls12_381::CURVE, 1, 0, 2);
    builder.constraint(&[(2, 1), (2, -1), (3, 1)], &[(2, 1)], &[(1, 1)]);
    let values = [1_u64, 35, 5, 7].map(crate::Fr::<Bls12_381>::from);
    let sample = crate::sample::<Bls12_381>("cancelled", builder.build().unwrap(), &values);
    let params = their_params(&sample).unwrap();
    let opened = BellmanParams::from_bytes("some.params", written(&params)).unwrap();
    let key = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap();
    assert_eq!(key.a.index.as_deref(), Some([0, 1, 3].as_slice()));
    let theirs = create_proof(Synthesis(&sample), &params, Scalar::from(2), Scalar::from(3));
    assert!(matches!(theirs, Err(SynthesisError::IoError(_))), "it runs out of points: {:?}", theirs.err());
    let mut ours = Vec::new();
    write_proof(&our_proof::<Bls12_381>(key, &sample.witness), &mut ours).unwrap();
    let proof = groth16::Proof::read(ours.as_slice()).unwrap();
    let verifier = prepare_verifying_key(&params.vk);
    verify_proof(&verifier, &proof, &[Scalar::from(35)]).unwrap();
    assert!(verify_proof(&verifier, &proof, &[Scalar::from(36)]).is_err());
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let samples = samples::<Bls12_381>();
    let find = |name| samples.iter().find(|sample| sample.name == name).unwrap();
    let sample = find("scattered");
    let params = their_params(sample).unwrap();
    let bytes = written(&params);
    let opened = BellmanParams::from_bytes("some.params", bytes.clone()).unwrap();
    let error = ProvingKey::from_bellman(&opened, &find("wide values").r1cs).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::Count { .. }), "{error}");

    // The same shape, but one signal more in B.
    let mut builder = interlock_core::format::R1cs::builder(Bls12_381::CURVE, 1, 2, 4);
    for row in 0..4 {
        builder.constraint(&[(4, 1), (7, row)], &[(0, 1), (2, 1), (3, 1), (5, 1), (7, 1)], &[(1, 1)]);
    }
    let error = ProvingKey::from_bellman(&opened, &builder.build().unwrap()).unwrap_err();
    assert!(error.to_string().contains("the number of B points is 4"), "{error}");
    assert_eq!(error.offset(), Some(opened.b_g1().offset()));

    // Infinity where the format leaves it out.
    let mut bad = bytes.clone();
    let at = opened.a().offset() as usize + 96;
    bad[at..at + 96].fill(0);
    bad[at] = 0x40;
    let opened = BellmanParams::from_bytes("some.params", bad).unwrap();
    let error = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::UnexpectedInfinity { .. }), "{error}");
    assert_eq!(error.offset(), Some(at as u64));

    // A point of the curve outside the subgroup, in IC: x = 4 has one.
    let mut bad = bytes;
    let at = 96 + 96 + 192 + 192 + 96 + 192 + 4;
    bad[at..at + 96].copy_from_slice(&outside_the_subgroup());
    let error = BellmanParams::from_bytes("some.params", bad).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::Subgroup { .. }), "{error}");
    assert_eq!(error.offset(), Some(at as u64));
}

/// A point of E(Fq), uncompressed, that the cofactor was not cleared from.
fn outside_the_subgroup() -> Vec<u8> {
    use ark_serialize::CanonicalSerialize;
    let point = (1_u64..)
        .filter_map(|x| ark_bls12_381::G1Affine::get_point_from_x_unchecked(x.into(), false))
        .find(|point| !point.is_in_correct_subgroup_assuming_on_curve());
    let mut bytes = Vec::new();
    point.unwrap().serialize_uncompressed(&mut bytes).unwrap();
    bytes
}

#[test]
fn proofs_with_infinity_are_refused() {
    let sample = &samples::<Bls12_381>()[1];
    let good = their_proof(sample, &their_params(sample).unwrap());
    for (at, length) in [(0, 48), (48, 96), (144, 48)] {
        let mut bad = good.clone();
        bad[at..at + length].fill(0);
        bad[at] = 0xc0;
        let error = read_proof(&MappedFile::from_bytes("proof", bad.clone()).unwrap()).unwrap_err();
        assert!(matches!(error.kind(), FormatErrorKind::UnexpectedInfinity { .. }), "{error}");
        assert_eq!(error.offset(), Some(at as u64));
        assert!(groth16::Proof::<Bls12>::read(bad.as_slice()).is_err());
        // Infinity with something beside it, with a sign, or not compressed.
        for (place, value) in [(at + length - 1, 1), (at, 0xe0), (at, 0x40)] {
            let mut worse = bad.clone();
            worse[place] = value;
            let error = read_proof(&MappedFile::from_bytes("proof", worse).unwrap()).unwrap_err();
            assert!(matches!(error.kind(), FormatErrorKind::PointFlags { .. }), "{error}");
        }
    }
}

#[test]
fn no_other_curve_and_no_other_quotient() {
    let sample = &crate::samples::<interlock_curves::Bn254>()[1];
    let folder = tempfile::tempdir().unwrap();
    sample.write(folder.path());
    let zkey = interlock_core::format::Zkey::open(folder.path().join("circuit.zkey")).unwrap();
    let key = ProvingKey::from_zkey(&zkey).unwrap();
    let error = key.write_bellman(&mut Vec::new()).unwrap_err();
    assert!(matches!(error, ExportError::Quotient), "{error}");
    let error = key.write_bellman_vk(&mut Vec::new()).unwrap_err();
    assert!(matches!(error, ExportError::Curve(_)), "{error}");
}

#[test]
fn files_are_recognised() {
    let params = their_params(&samples::<Bls12_381>()[1]).unwrap();
    let mut vk = Vec::new();
    params.vk.write(&mut vk).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let kind = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        detect(&path).unwrap()
    };
    assert_eq!(kind(&vk), FileKind::BellmanVerifyingKey);
    assert_eq!(kind(&written(&params)), FileKind::BellmanParams);
    assert_eq!(kind(&[written(&params), vec![1; 99]].concat()), FileKind::BellmanParams);
    assert_eq!(kind(&vk[1..]), FileKind::Unknown);
}
