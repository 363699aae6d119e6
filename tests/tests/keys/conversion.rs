//! From one prover's key to the other's: arkworks' and bellman's keys differ in their spelling only.

use ark_serialize::CanonicalDeserialize;
use groth16::Parameters;
use interlock_core::format::arkworks::{ArkProvingKey, Compressed};
use interlock_core::format::bellman::BellmanParams;
use interlock_core::key::{ExportError, ProvingKey};
use interlock_curves::{Bls12_381, ProvingCurve};

use crate::arkworks::{serialised, their_key, their_proof as arkworks_proof};
use crate::bellman::{their_params, their_proof as bellman_proof, written};
use crate::samples;

#[test]
fn bellman_proves_with_arkworks_keys() {
    for sample in samples::<Bls12_381>() {
        let theirs = their_key::<Bls12_381>(&sample);
        let bytes = serialised(&theirs, Compressed::Yes);
        let opened = ArkProvingKey::from_bytes("ark.key", bytes, Bls12_381::CURVE, Compressed::Yes).unwrap();
        let key = ProvingKey::from_arkworks(&opened, &sample.r1cs).unwrap();
        let mut converted = Vec::new();
        if sample.name == "variables unused in A or B" {
            // One of them is used in C neither: bellman has no such keys.
            let error = key.write_bellman(&mut converted).unwrap_err();
            assert!(matches!(error, ExportError::Infinity { query: "L", .. }), "{error}");
            continue;
        }
        key.write_bellman(&mut converted).unwrap();
        let params = Parameters::read(converted.as_slice(), true).unwrap();
        let proof = serialised(&arkworks_proof(&sample, &theirs), Compressed::Yes);
        assert_eq!(bellman_proof(&sample, &params), proof, "{}", sample.name);
    }
}

#[test]
fn arkworks_proves_with_bellman_parameters() {
    for sample in samples::<Bls12_381>() {
        let Some(params) = their_params(&sample) else { continue };
        let opened = BellmanParams::from_bytes("some.params", written(&params)).unwrap();
        let key = ProvingKey::from_bellman(&opened, &sample.r1cs).unwrap();
        let mut converted = Vec::new();
        key.write_arkworks(Compressed::No, &mut converted).unwrap();
        let theirs =
            ark_groth16::ProvingKey::<Bls12_381>::deserialize_uncompressed(converted.as_slice()).unwrap();
        let proof = serialised(&arkworks_proof(&sample, &theirs), Compressed::Yes);
        assert_eq!(proof, bellman_proof(&sample, &params), "{}", sample.name);
    }
}
