//! Keys and proofs of formats without a mark: arkworks' and bellman's.

use std::path::Path;

use interlock_core::files::{KeyFile, VerifyingKeyFile};
use interlock_core::format::arkworks::{
    ArkProvingKey, Candidate, Compressed, Encoding, PointList, read_proof,
};
use interlock_core::format::bellman::{BellmanParams, BellmanVerifyingKey};
use interlock_core::format::{FormatError, MappedFile};
use interlock_curves::{Curve, with_curve};
use serde_json::{Map, Value};

use super::{documents, key};
use crate::commands::NO_CONTRIBUTION;
use crate::commands::circuits::domain_size;
use crate::commands::description::Description;
use crate::output::{json, text};

pub(super) fn arkworks(path: &Path, found: Candidate, about: &mut Description) -> Result<(), FormatError> {
    let file = MappedFile::open(path)?;
    match found {
        Candidate::ProvingKey(encoding) => {
            let opened = ArkProvingKey::from_file(&file, encoding.curve, encoding.compressed)?;
            compression(encoding, about);
            let lists =
                [opened.a(), opened.b_g1(), opened.b_g2(), opened.h(), opened.l()].map(PointList::clone);
            proving_key(&KeyFile::Arkworks(opened), &lists, about);
        }
        Candidate::VerifyingKey(encoding) => {
            compression(encoding, about);
            verifying_key(path, about)?;
        }
        Candidate::Proof(encoding) => {
            about.text("protocol", "groth16");
            about.curve(encoding.curve);
            compression(encoding, about);
            with_curve!(encoding.curve, E => { read_proof::<E>(&file, encoding.compressed)?; });
            if encoding.curve == Curve::Bls12_381 && encoding.compressed == Compressed::Yes {
                about.row("also", "a proof of bellman, bellperson and Zcash");
            }
            documents::sound(about);
        }
    }
    about.text("sha256", &json::sha256(file.bytes()));
    Ok(())
}

pub(super) fn bellman_params(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let params = BellmanParams::open(path)?;
    let (file, trailing) = (params.file().clone(), params.trailing_bytes());
    let lists = [params.a(), params.b_g1(), params.b_g2(), params.h(), params.l()].map(PointList::clone);
    proving_key(&KeyFile::Bellman(params), &lists, about);
    about.count("trailing bytes", trailing);
    about.text("sha256", &json::sha256(file.bytes()));
    Ok(())
}

pub(super) fn bellman_key(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    verifying_key(path, about)?;
    about.count("trailing bytes", BellmanVerifyingKey::open(path)?.trailing_bytes());
    about.text("sha256", &json::sha256(MappedFile::open(path)?.bytes()));
    Ok(())
}

fn compression(encoding: Encoding, about: &mut Description) {
    let compressed = encoding.compressed == Compressed::Yes;
    about.row("points are", if compressed { "compressed" } else { "uncompressed" });
    about.field("compressed", compressed);
}

/// The head, the domain, and how many bases each query has. What is left of a circuit is its numbers.
fn proving_key(key: &KeyFile, lists: &[PointList; 5], about: &mut Description) {
    key::head(key, about);
    let domain = domain_size(key) as u64;
    about.row("domain", format!("{} = 2^{}", text::count(domain), domain.trailing_zeros()));
    about.field("domain", domain);
    let mut bases = Map::new();
    for (name, list) in ["a", "b1", "b2", "h", "l"].into_iter().zip(lists) {
        about.row(&format!("bases in {}", name.to_uppercase()), text::count(list.len() as u64));
        bases.insert(name.to_owned(), Value::from(list.len()));
    }
    about.field("bases", bases);
    about.row("constraints", "not in the file, which needs its circuit (--r1cs)");
}

fn verifying_key(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let file = VerifyingKeyFile::open(path)?;
    let (public, insecure) = with_curve!(file.curve(), E => {
        let key = file.read::<E>()?;
        (key.n_public(), key.gamma_g2 == key.delta_g2)
    });
    about.text("protocol", "groth16");
    about.curve(file.curve());
    about.count("public", public as u64);
    documents::sound(about);
    if insecure {
        about.warning(NO_CONTRIBUTION);
    }
    Ok(())
}
