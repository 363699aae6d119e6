//! snarkjs's proving keys.

use interlock_core::format::zkey_write::ZkeyParts;
use interlock_core::format::{Csr, Zkey, bellman::BellmanVerifyingKey};
use interlock_core::key::ProvingKey;
use interlock_core::setup::export_vk;
use interlock_curves::{Bls12_381, Curve, ProvingCurve, with_curve};

use crate::{one_in, written};

/// The longest marker that is read; a longer one is cut off.
const MARKER: usize = 256;

/// Opens a key, looks at all of it, and (one in eight: points are checked anew) writes it.
pub fn zkey(data: &[u8]) {
    let Ok(key) = Zkey::from_bytes("fuzz.zkey", data.to_vec()) else { return };
    assert!(key.sections().iter().all(|(_, range)| range.end <= data.len()));
    key.content_hash();
    key.contribution_count();
    match (key.matrices(), ProvingKey::from_zkey(&key)) {
        (Ok((a, b)), Ok(proving)) => {
            rows(&key, &a);
            rows(&key, &b);
            assert_eq!(a.nnz() + b.nnz(), key.coefficient_count() as usize);
            assert_eq!((proving.domain_size(), proving.n_vars), (key.domain_size() as usize, a.cols));
            with_curve!(key.curve(), E => proving_key::<E>(&key, &proving));
        }
        (Err(_), Err(_)) => {}
        (matrices, _) => panic!("the matrices alone: {matrices:?}"),
    }
    if one_in(8, data) {
        round_trip(&key);
    }
}

fn rows(key: &Zkey, matrix: &Csr) {
    assert_eq!((matrix.rows, matrix.cols), (key.domain_size() as usize, key.n_vars() as usize));
    assert!(matrix.row_offsets.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!(matrix.row_offsets.last().copied(), Some(matrix.nnz() as u64));
    assert_eq!((matrix.row_offsets.len(), matrix.values.len()), (matrix.rows + 1, 32 * matrix.nnz()));
    assert!(matrix.col_indices.iter().all(|column| (*column as usize) < matrix.cols));
}

fn proving_key<E: ProvingCurve>(key: &Zkey, proving: &ProvingKey) {
    let vk = proving.verifying_key::<E>().expect("its points were checked");
    let infinite = |point: &[u8]| point.iter().all(|byte| *byte == 0);
    assert!(!infinite(key.gamma_g2()) && !infinite(key.delta_g2()) && !infinite(key.delta_g1()));
    assert_eq!(vk.n_public(), key.n_public() as usize);
    let on_curve = proving.check_bases_on_curve::<E>();
    assert!(on_curve.is_ok() || proving.check_bases::<E>().is_err(), "{on_curve:?}, but all bases are good");
    if !one_in(8, key.file().bytes()) {
        return;
    }
    assert_eq!(vk, export_vk::<E>(key).expect("its points were checked"));
    let mut bellman = Vec::new();
    match proving.write_bellman_vk(&mut bellman) {
        Ok(()) => {
            let read = BellmanVerifyingKey::from_bytes("fuzz.vk", bellman).expect("what was written is read");
            let ours = export_vk::<Bls12_381>(key).expect("bellman's keys are for this curve only");
            assert_eq!(read.verifying_key(), ours);
        }
        // An infinity among the public inputs' points, which that format does not have.
        Err(_) => assert!(key.curve() != Curve::Bls12_381 || !bellman.is_empty()),
    }
}

fn round_trip(key: &Zkey) {
    let header =
        [key.alpha_g1(), key.beta_g1(), key.beta_g2(), key.gamma_g2(), key.delta_g1(), key.delta_g2()];
    let parts = ZkeyParts {
        curve: key.curve(),
        n_vars: key.n_vars(),
        n_public: key.n_public(),
        domain_size: key.domain_size(),
        header_points: header.concat().into(),
        ic: key.ic().to_vec().into(),
        coefficients: key.coefficients_section()[4..].to_vec().into(),
        a: key.a().to_vec().into(),
        b1: key.b1().to_vec().into(),
        b2: key.b2().to_vec().into(),
        l: key.l().to_vec().into(),
        h: key.h().to_vec().into(),
        insecure_marker: key.insecure_marker().filter(|marker| marker.len() <= MARKER),
    };
    let bytes = written(|out| parts.write(out));
    let again = Zkey::from_bytes("again.zkey", bytes.clone()).expect("what was written is read");
    assert_eq!((again.curve(), again.n_public()), (key.curve(), key.n_public()));
    assert_eq!(again.contribution_count(), Some(0));
    assert_eq!(again.insecure_marker(), parts.insecure_marker);
    let sections =
        |key: &Zkey| [key.ic(), key.coefficients_section(), key.a(), key.b1(), key.b2(), key.l(), key.h()];
    for (again, first) in sections(&again).iter().zip(sections(key)) {
        assert!(again[..] == first[..], "a section changed");
    }
    let (Ok(first), Ok(second)) = (key.matrices(), again.matrices()) else {
        assert!(key.matrices().is_err() && again.matrices().is_err());
        return;
    };
    assert!(first == second, "the matrices changed");
}
