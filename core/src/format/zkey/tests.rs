use interlock_curves::{Bls12_381, Bn254, Curve, ProvingCurve};

use super::{layout::*, *};
use crate::{
    format::{R1cs, damage},
    setup::{ToxicWaste, setup_zkey},
};

/// The key of x · y = out with one more public input: 5 signals, 2 public, 1 constraint, domain 4.
fn key<E: ProvingCurve>() -> Vec<u8> {
    let mut builder = R1cs::builder(E::CURVE, 1, 1, 2);
    builder.constraint(&[(3, 1), (2, 7)], &[(4, -1)], &[(1, 1)]);
    let mut out = Vec::new();
    setup_zkey(&builder.build().unwrap(), &ToxicWaste::<E>::from_seed([3; 32]), &mut out).unwrap();
    out
}

fn open(bytes: Vec<u8>) -> Result<Zkey, FormatError> {
    Zkey::from_bytes("circuit.zkey", bytes)
}

fn sections(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let table = SectionTable::parse("k".as_ref(), bytes, &CONTAINER).unwrap();
    table.iter().map(|(id, range)| (id, bytes[range].to_vec())).collect()
}

fn join(sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let parts: Vec<_> = sections.iter().map(|(id, content)| (*id, vec![content.as_slice()])).collect();
    let mut out = Vec::new();
    CONTAINER.write(&mut out, &parts).unwrap();
    out
}

/// The key with one section changed.
fn with<E: ProvingCurve>(id: u32, change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut sections = sections(&key::<E>());
    change(&mut sections.iter_mut().find(|section| section.0 == id).unwrap().1);
    join(&sections)
}

/// Place of the counts in section 2: n_vars, n_public and domain_size follow; then the points.
fn counts_at(curve: Curve) -> usize {
    4 + curve.base_field_bytes() + 4 + 32
}

#[test]
fn accessors() {
    fn check<E: ProvingCurve>() {
        let bytes = key::<E>();
        let key = open(bytes.clone()).unwrap();
        let (g1, g2) = (E::CURVE.g1_bytes(), E::CURVE.g2_bytes());
        assert_eq!(key.curve(), E::CURVE);
        assert_eq!((key.n_vars(), key.n_public(), key.domain_size(), key.log_domain()), (5, 2, 4, 2));
        assert_eq!((key.a().len(), key.b1().len(), key.b2().len()), (5 * g1, 5 * g1, 5 * g2));
        assert_eq!((key.l().len(), key.h().len(), key.ic().len()), (2 * g1, 4 * g1, 3 * g1));
        assert_eq!((key.alpha_g1().len(), key.beta_g1().len(), key.delta_g1().len()), (g1, g1, g1));
        assert_eq!((key.beta_g2().len(), key.gamma_g2().len(), key.delta_g2().len()), (g2, g2, g2));
        assert_eq!(key.coefficient_count(), 3 + 3);
        assert_eq!(key.content_hash(), <[u8; 32]>::from(Sha256::digest(&bytes)));
        assert_eq!(key.sections().trailing_bytes(), 0);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.zkey");
        std::fs::write(&path, &bytes).unwrap();
        let mapped = Zkey::open(&path).unwrap();
        assert_eq!(mapped.content_hash(), key.content_hash());
        let h = mapped.h();
        drop(mapped);
        assert_eq!(*h, *key.h(), "a section outlives the key");
    }
    check::<Bn254>();
    check::<Bls12_381>();
}

#[test]
fn matrices_in_rows() {
    let key = open(key::<Bn254>()).unwrap();
    let (a, b) = key.matrices().unwrap();
    assert_eq!((a.rows, a.cols, a.nnz(), b.nnz()), (4, 5, 5, 1));
    assert_eq!(a.row_offsets, [0, 2, 3, 4, 5]);
    assert_eq!(a.col_indices, [3, 2, 0, 1, 2]);
    assert_eq!(
        (b.row_offsets.as_slice(), b.col_indices.as_slice()),
        ([0, 1, 1, 1, 1].as_slice(), [4].as_slice())
    );
    assert_eq!(a.values.len(), 32 * 5);

    // Any order of entries gives the same rows, up to the order within a row.
    let reversed = with::<Bn254>(COEFFICIENTS, |section| {
        let entries: Vec<u8> = section[4..].rchunks(COEFFICIENT_BYTES).flatten().copied().collect();
        section[4..].copy_from_slice(&entries);
    });
    let (other, other_b) = open(reversed).unwrap().matrices().unwrap();
    assert_eq!(
        (&other.row_offsets, other.col_indices.as_slice()),
        (&a.row_offsets, [2, 3, 0, 1, 2].as_slice())
    );
    assert_eq!((&other.values[..32], &other.values[32..64]), (&a.values[32..64], &a.values[..32]));
    assert_eq!(other_b, b);
}

#[test]
fn order_and_extra_sections_do_not_matter() {
    let mut sections = sections(&key::<Bls12_381>());
    sections.reverse();
    sections.insert(2, (77, vec![1; 100]));
    for section in &mut sections {
        if section.0 == CONTRIBUTIONS {
            section.1.resize(2 << 20, 0xab);
            section.1[64..68].copy_from_slice(&3000u32.to_le_bytes());
        }
    }
    let mut bytes = join(&sections);
    bytes.extend([0; 10]);
    let parsed = open(bytes).unwrap();
    assert_eq!(parsed.contribution_count(), Some(3000));
    assert_eq!(parsed.sections().trailing_bytes(), 10);
    let plain = open(key::<Bls12_381>()).unwrap();
    assert_eq!(parsed.matrices().unwrap(), plain.matrices().unwrap());
    assert_eq!((&*parsed.h(), &*parsed.b2()), (&*plain.h(), &*plain.b2()));

    sections.retain(|section| section.0 != CONTRIBUTIONS && section.0 != INSECURE_MARKER);
    let parsed = open(join(&sections)).unwrap();
    assert_eq!((parsed.contribution_count(), parsed.insecure_marker()), (None, None));
    for id in [PROTOCOL, HEADER, IC, COEFFICIENTS, A, B1, B2, L, H] {
        let mut incomplete = sections.clone();
        incomplete.retain(|section| section.0 != id);
        let error = open(join(&incomplete)).unwrap_err();
        assert!(matches!(error.kind(), Kind::MissingSection), "{error}");
        assert_eq!(error.section().unwrap().id, id);
    }
}

#[test]
fn bad_headers() {
    let curve = Curve::Bn254;
    let at = counts_at(curve);
    let header = |change: &dyn Fn(&mut Vec<u8>)| open(with::<Bn254>(HEADER, change)).unwrap_err();
    let error = open(with::<Bn254>(PROTOCOL, |section| section[0] = 2)).unwrap_err();
    assert!(
        matches!(error.kind(), Kind::Protocol { found: 2 }) && error.to_string().contains("PLONK"),
        "{error}"
    );
    let error = open(with::<Bn254>(PROTOCOL, |section| section[0] = 10)).unwrap_err();
    assert!(error.to_string().contains("FFLONK"), "{error}");
    let error = header(&|section| section[4] ^= 1);
    assert!(matches!(error.kind(), Kind::UnknownField { .. }), "{error}");
    let error = header(&|section| section[0..4].fill(0xff));
    assert!(matches!(error.kind(), Kind::UnknownField { .. }), "{error}");
    let error = header(&|section| section[at..at + 4].fill(0xff));
    assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
    let error = header(&|section| section[at + 4] = 5);
    assert!(matches!(error.kind(), Kind::Count { .. }), "{error}");
    for size in [0u32, 3, 1 << 29, u32::MAX] {
        let error = header(&|section| section[at + 8..at + 12].copy_from_slice(&size.to_le_bytes()));
        assert!(matches!(error.kind(), Kind::DomainSize { .. }), "{size}: {error}");
    }
    let error = header(&|section| section[at + 8..at + 12].copy_from_slice(&(1u32 << 28).to_le_bytes()));
    assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
    let error = header(&|section| section.push(0));
    assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
}

#[test]
fn bad_points() {
    let (curve, at) = (Curve::Bls12_381, counts_at(Curve::Bls12_381) + 12);
    let (g1, g2) = (curve.g1_bytes(), curve.g2_bytes());
    let places = [0, g1, 2 * g1, 2 * g1 + g2, 2 * g1 + 2 * g2, 3 * g1 + 2 * g2];
    for (place, name) in places.into_iter().zip(["alpha1", "beta1", "beta2", "gamma2", "delta1", "delta2"]) {
        let error = open(with::<Bls12_381>(HEADER, |section| section[at + place] ^= 1)).unwrap_err();
        assert!(matches!(error.kind(), Kind::Point { what, .. } if what == name), "{name}: {error}");
        assert_eq!(error.section().unwrap().id, HEADER);
    }
    for (place, size, name) in
        [(places[3], g2, "gamma2"), (places[4], g1, "delta1"), (places[5], g2, "delta2")]
    {
        let zero = |section: &mut Vec<u8>| section[at + place..at + place + size].fill(0);
        let error = open(with::<Bls12_381>(HEADER, zero)).unwrap_err();
        assert!(matches!(error.kind(), Kind::Infinity { what } if *what == name), "{error}");
    }
    // (0, 2) is on BLS12-381's G1 curve, of order 3.
    let mut small_order = vec![0; g1];
    interlock_curves::WireField::write_montgomery(&ark_bls12_381::Fq::from(2), &mut small_order[g1 / 2..]);
    let error =
        open(with::<Bls12_381>(IC, |section| section[g1..2 * g1].copy_from_slice(&small_order))).unwrap_err();
    assert!(matches!(error.kind(), Kind::Subgroup { what } if what == "IC[1]"), "{error}");
    let error = open(with::<Bls12_381>(HEADER, |section| section[at..at + g1].copy_from_slice(&small_order)));
    assert!(matches!(error.unwrap_err().kind(), Kind::Subgroup { .. }));
    let error = open(with::<Bls12_381>(IC, |section| section[2 * g1] ^= 1)).unwrap_err();
    assert!(error.to_string().contains("section 3 (public input points) at byte"), "{error}");
    assert!(error.to_string().contains("IC[2]"), "{error}");
}

#[test]
fn bad_coefficients() {
    let entry = |position: usize, word: usize| 4 + position * COEFFICIENT_BYTES + 4 * word;
    let matrices = |at: usize, value: u32| {
        let bytes = with::<Bn254>(COEFFICIENTS, |section| {
            section[at..at + 4].copy_from_slice(&value.to_le_bytes());
        });
        open(bytes).unwrap().matrices().unwrap_err()
    };
    let error = matrices(entry(1, 0), 2);
    assert!(matches!(error.kind(), Kind::Index { entry: 1, what: "matrix", index: 2, limit: 2 }), "{error}");
    let error = matrices(entry(2, 1), 4);
    assert!(matches!(error.kind(), Kind::Index { entry: 2, what: "row", index: 4, limit: 4 }), "{error}");
    let error = matrices(entry(3, 2), 5);
    assert!(matches!(error.kind(), Kind::Index { entry: 3, what: "signal", index: 5, limit: 5 }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("circuit.zkey: section 4 (coefficients) at byte "), "{text}");
    assert!(text.contains("entry 3 names signal 5, but there are only 5"), "{text}");
    let error = matrices(entry(4, 10), u32::MAX);
    assert!(matches!(error.kind(), Kind::NotReduced { index: 4 }), "{error}");
    for count in [0u32, 7, u32::MAX] {
        let bytes = with::<Bn254>(COEFFICIENTS, |section| section[..4].copy_from_slice(&count.to_le_bytes()));
        let error = open(bytes).unwrap_err();
        assert!(matches!(error.kind(), Kind::SectionLength { .. }), "{error}");
    }
}

#[test]
fn damaged_files() {
    let good = key::<Bn254>();
    damage::truncations(&good, open);
    damage::flips(&good, 2000, |bytes| open(bytes).and_then(|key| key.matrices()));
    damage::flips(&key::<Bls12_381>(), 1000, |bytes| open(bytes).and_then(|key| key.matrices()));
}

#[test]
fn curves_are_not_mixed() {
    let key = open(key::<Bn254>()).unwrap();
    let error = key.header_points::<Bls12_381>().unwrap_err();
    assert!(
        matches!(error.kind(), Kind::CurveMismatch { expected: Curve::Bls12_381, found: Curve::Bn254 }),
        "{error}"
    );
    assert!(key.ic_points::<Bls12_381>().is_err());
}
