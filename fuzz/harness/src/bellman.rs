//! bellman's parameters, verification keys and proofs.

use std::sync::Arc;

use interlock_core::backend::DomainSpec;
use interlock_core::format::arkworks::HeadPoints;
use interlock_core::format::bellman::{
    BellmanParams, BellmanVerifyingKey, PROOF_BYTES, read_proof, write_proof,
};
use interlock_core::format::{Csr, MappedFile, R1cs, Section};
use interlock_core::key::{BaseSet, Head, ProvingKey, Quotient};
use interlock_curves::{Bls12_381, Curve};

use crate::written;

/// Reads a proof and writes it.
pub fn proof(data: &[u8]) {
    let Ok(file) = MappedFile::from_bytes("fuzz.proof", data.to_vec()) else { return };
    let Ok(proof) = read_proof(&file) else { return };
    let bytes = written(|out| write_proof(&proof, out));
    assert_eq!(bytes.len(), PROOF_BYTES);
    assert!(bytes == data, "the proof is spelt differently");
}

/// Reads a verification key and writes it.
pub fn verifying_key(data: &[u8]) {
    let Ok(key) = BellmanVerifyingKey::from_bytes("fuzz.vk", data.to_vec()) else { return };
    let (trailing, vk) = (key.trailing_bytes() as usize, key.verifying_key());
    let proving = only_head(key.head());
    assert!(proving.verifying_key::<Bls12_381>().expect("its points were checked") == vk);
    let bytes = written(|out| proving.write_bellman_vk(out));
    assert!(bytes == data[..data.len() - trailing], "the key is spelt differently");
}

/// Opens parameters, joins them with a circuit of their shape, and writes them.
pub fn params(data: &[u8]) {
    let Ok(params) = BellmanParams::from_bytes("fuzz.params", data.to_vec()) else { return };
    params.head().warning();
    let vk = params.verifying_key();
    assert_eq!(vk.n_public(), params.n_public());
    let lists = [params.h(), params.l(), params.a(), params.b_g1(), params.b_g2()];
    let sound = lists.iter().all(|list| list.to_wire_finite().is_ok());
    let Some(circuit) = circuit_of_shape(&params) else { return };
    let Ok(proving) = ProvingKey::from_bellman(&params, &circuit) else {
        assert!(!sound, "sound parameters and a circuit of their shape do not fit");
        return;
    };
    assert!(sound, "points that do not convert were taken");
    assert!(proving.verifying_key::<Bls12_381>().expect("its points were checked") == vk);
    let bytes = written(|out| proving.write_bellman(out));
    assert!(bytes == data[..data.len() - params.trailing_bytes() as usize], "they are spelt differently");
}

/// A circuit of the parameters' shape in which as many signals occur in A and in B as have points there; none when no
/// circuit has that shape.
fn circuit_of_shape(params: &BellmanParams) -> Option<R1cs> {
    let inputs = params.n_public() + 1;
    let constraints = params.domain_size().checked_sub(inputs)?;
    let (a, b): (Vec<_>, Vec<_>) = (
        (inputs as u32..params.a().len() as u32).map(|wire| (wire, 1_i64)).collect(),
        (0..params.b_g1().len() as u32).map(|wire| (wire, 1_i64)).collect(),
    );
    if constraints == 0 && !(a.is_empty() && b.is_empty()) {
        return None;
    }
    let private = params.n_vars() - inputs;
    let mut builder = R1cs::builder(Curve::Bls12_381, 0, params.n_public() as u32, private as u32);
    for constraint in 0..constraints {
        match constraint {
            0 => builder.constraint(&a, &b, &[]),
            _ => builder.constraint::<i64>(&[], &[], &[]),
        };
    }
    Some(builder.build().expect("every wire exists"))
}

/// A proving key that has nothing but its single points: all that a verification key takes.
fn only_head(head: &HeadPoints) -> ProvingKey {
    let nothing = MappedFile::from_bytes("nothing", vec![0]).expect("one byte");
    let none = || BaseSet {
        points: Section::new(Arc::clone(&nothing), 0..0).expect("within the file"),
        index: None,
    };
    let matrix =
        Arc::new(Csr { rows: 0, cols: 0, row_offsets: vec![0], col_indices: Vec::new(), values: Vec::new() });
    ProvingKey {
        curve: Curve::Bls12_381,
        n_vars: 0,
        n_public: 0,
        domain: DomainSpec { log_size: 0, generator: [0; 32], shift: [0; 32] },
        quotient: Quotient::Coefficients,
        a_matrix: Arc::clone(&matrix),
        b_matrix: matrix,
        a: none(),
        b_g1: none(),
        b_g2: none(),
        l: none(),
        h: none(),
        head: Head {
            alpha_g1: head.alpha_g1.clone(),
            beta_g1: head.beta_g1.clone(),
            beta_g2: head.beta_g2.clone(),
            gamma_g2: head.gamma_g2.clone(),
            delta_g1: head.delta_g1.clone(),
            delta_g2: head.delta_g2.clone(),
            ic: head.ic.to_vec(),
        },
        warning: None,
        label: "fuzz".to_owned(),
    }
}
