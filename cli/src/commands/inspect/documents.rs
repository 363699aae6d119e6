//! snarkjs's JSON files.

use std::path::Path;

use interlock_core::format::FormatError;
use interlock_core::format::detect::JsonKind;
use interlock_core::format::snarkjs_json::{
    JsonFile, proof_from_json, public_from_json, verifying_key_from_json,
};
use interlock_curves::{Bls12_381, Bn254, Curve, with_curve};

use crate::commands::NO_CONTRIBUTION;
use crate::commands::description::Description;
use crate::output::clean;

pub(super) fn key(path: &Path, said: &JsonKind, about: &mut Description) -> Result<(), FormatError> {
    protocol(said, about);
    if is_groth16(said) {
        let file = JsonFile::open(path)?;
        let curve = file.curve()?;
        let (public, insecure) = with_curve!(curve, E => {
            let key = verifying_key_from_json::<E>(&file)?;
            (key.n_public(), key.gamma_g2 == key.delta_g2)
        });
        about.curve(curve);
        about.count("public", public as u64);
        sound(about);
        if insecure {
            about.warning(NO_CONTRIBUTION);
        }
    }
    Ok(())
}

pub(super) fn proof(path: &Path, said: &JsonKind, about: &mut Description) -> Result<(), FormatError> {
    protocol(said, about);
    if is_groth16(said) {
        let file = JsonFile::open(path)?;
        let fits = |curve: &Curve| with_curve!(*curve, E => proof_from_json::<E>(&file).is_ok());
        // rapidsnark's proofs do not name their curve: the points tell.
        let unnamed = file.value().get("curve").is_none();
        let curve = match Curve::ALL.iter().find(|curve| unnamed && fits(curve)) {
            Some(curve) => *curve,
            None => file.curve()?,
        };
        with_curve!(curve, E => { proof_from_json::<E>(&file)?; });
        about.curve(curve);
        sound(about);
    }
    Ok(())
}

pub(super) fn public(path: &Path, count: usize, about: &mut Description) -> Result<(), FormatError> {
    about.count("signals", count as u64);
    let file = JsonFile::open(path)?;
    let mut fits = Vec::new();
    if public_from_json::<Bn254>(&file).is_ok() {
        fits.push(Curve::Bn254.name());
    }
    if public_from_json::<Bls12_381>(&file).is_ok() {
        fits.push(Curve::Bls12_381.name());
    }
    // The file does not name its curve; the larger field has values that the smaller one has not.
    let shown = if fits.is_empty() { "no supported one".to_owned() } else { fits.join(" or ") };
    about.row("curve", shown);
    about.field("possible_curves", fits);
    Ok(())
}

fn is_groth16(said: &JsonKind) -> bool {
    said.protocol.as_deref() == Some("groth16")
}

fn protocol(said: &JsonKind, about: &mut Description) {
    // A word, if the file is what it seems to be: no need to show all of a longer text.
    let protocol = clean::value(said.protocol.as_deref().unwrap_or("none named"));
    let shown: String = protocol.chars().take(40).collect();
    about.text("protocol", &shown);
}

pub(super) fn sound(about: &mut Description) {
    about.row("points", "on the curve and in the subgroup");
    about.field("points_ok", true);
}
