//! arkworks' keys and proofs. The first byte of an input chooses one of the four encodings, the rest is the file.

use std::sync::Arc;

use interlock_core::format::arkworks::{
    ArkProvingKey, Compressed, Encoding, PointList, read_proof, read_verifying_key, write_proof,
    write_verifying_key,
};
use interlock_core::format::{MappedFile, R1cs};
use interlock_core::key::ProvingKey;
use interlock_curves::{Curve, ProvingCurve, with_curve};

use crate::written;

/// The encoding and the file of an input.
fn split(data: &[u8]) -> Option<(Encoding, Arc<MappedFile>)> {
    let (choice, file) = data.split_first()?;
    let encoding = Encoding::ALL[usize::from(*choice) % Encoding::ALL.len()];
    Some((encoding, MappedFile::from_bytes("fuzz.ark", file.to_vec()).ok()?))
}

fn mapped(bytes: Vec<u8>) -> Arc<MappedFile> {
    MappedFile::from_bytes("again.ark", bytes).expect("something was written")
}

/// Whether a value has one spelling in an encoding. BN254's uncompressed points have a sign that nobody looks at.
fn has_one_spelling(encoding: Encoding) -> bool {
    (encoding.curve, encoding.compressed) != (Curve::Bn254, Compressed::No)
}

const BOTH: [Compressed; 2] = [Compressed::Yes, Compressed::No];

/// Reads a proof and writes it both ways.
pub fn proof(data: &[u8]) {
    let Some((encoding, file)) = split(data) else { return };
    with_curve!(encoding.curve, E => {
        let Ok(proof) = read_proof::<E>(&file, encoding.compressed) else { return };
        for compressed in BOTH {
            let bytes = written(|out| write_proof(&proof, compressed, out));
            if compressed == encoding.compressed && has_one_spelling(encoding) {
                assert!(bytes == file.bytes(), "the proof is spelt differently");
            }
            let again = read_proof::<E>(&mapped(bytes), compressed).expect("what was written is read");
            assert!(again == proof, "the proof changed");
        }
    });
}

/// Reads a verification key and writes it both ways.
pub fn verifying_key(data: &[u8]) {
    let Some((encoding, file)) = split(data) else { return };
    with_curve!(encoding.curve, E => {
        let Ok(key) = read_verifying_key::<E>(&file, encoding.compressed) else { return };
        for compressed in BOTH {
            let bytes = written(|out| write_verifying_key(&key, compressed, out));
            if compressed == encoding.compressed && has_one_spelling(encoding) {
                assert!(bytes == file.bytes(), "the key is spelt differently");
            }
            let again = read_verifying_key::<E>(&mapped(bytes), compressed).expect("what was written is read");
            assert!(again == key, "the key changed");
        }
    });
}

/// Opens a proving key, converts its points, joins it with a circuit of its shape, and writes it both ways.
pub fn proving_key(data: &[u8]) {
    let Some((encoding, file)) = split(data) else { return };
    let Ok(key) = ArkProvingKey::from_file(&file, encoding.curve, encoding.compressed) else { return };
    key.head().warning();
    with_curve!(encoding.curve, E => proving_key_of::<E>(&key));
}

fn proving_key_of<E: ProvingCurve>(key: &ArkProvingKey) {
    let encoding = key.encoding();
    let vk = key.verifying_key::<E>().expect("the key is for this curve");
    assert_eq!(vk.n_public(), key.n_public());
    let lists = [key.a(), key.b_g1(), key.b_g2(), key.h(), key.l()];
    let sound = lists.iter().all(|list| list.to_wire().is_ok());
    let Some(circuit) = circuit_of_shape(key) else { return };
    let Ok(proving) = ProvingKey::from_arkworks(key, &circuit) else {
        assert!(!sound, "a sound key and a circuit of its shape do not fit");
        return;
    };
    assert!(sound, "points that do not convert were taken");
    for compressed in BOTH {
        let bytes = written(|out| proving.write_arkworks(compressed, out));
        if compressed == encoding.compressed && has_one_spelling(encoding) {
            assert!(bytes == key.file().bytes(), "the key is spelt differently");
        }
        let again =
            ArkProvingKey::from_file(&mapped(bytes), E::CURVE, compressed).expect("what was written is read");
        assert!(again.verifying_key::<E>().expect("the same curve") == vk, "the verification key changed");
        let wire = |list: &PointList| list.to_wire().expect("it was converted before").to_vec();
        let others = [again.a(), again.b_g1(), again.b_g2(), again.h(), again.l()];
        assert!(lists.iter().zip(others).all(|(list, other)| wire(list) == wire(other)), "a list changed");
    }
}

/// A circuit without a term that has the key's shape; none when no circuit has.
fn circuit_of_shape(key: &ArkProvingKey) -> Option<R1cs> {
    let constraints = key.domain_size().checked_sub(key.n_public() + 1)?;
    let private = key.n_vars() - key.n_public() - 1;
    let mut builder = R1cs::builder(key.encoding().curve, 0, key.n_public() as u32, private as u32);
    for _ in 0..constraints {
        builder.constraint::<i64>(&[], &[], &[]);
    }
    Some(builder.build().expect("no term, nothing to be wrong"))
}
