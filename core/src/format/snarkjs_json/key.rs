//! `verification_key.json`.

use ark_ec::AffineRepr;
use ark_ff::Field;
use interlock_curves::ProvingCurve;
use serde::Serialize;

use super::{
    document::{JsonFile, to_snarkjs_json},
    point::{G1Json, G2Json, read_g1, read_g2, write_g1, write_g2},
};
use crate::{format::FormatError, types::VerifyingKey};

/// An element of the pairing's target field, a tower 2 · 3 · 2 over the base field.
type GtJson = [[[String; 2]; 3]; 2];

/// In snarkjs's order of fields.
#[derive(Serialize)]
struct KeyJson {
    protocol: &'static str,
    curve: &'static str,
    #[serde(rename = "nPublic")]
    n_public: usize,
    vk_alpha_1: G1Json,
    vk_beta_2: G2Json,
    vk_gamma_2: G2Json,
    vk_delta_2: G2Json,
    vk_alphabeta_12: GtJson,
    #[serde(rename = "IC")]
    ic: Vec<G1Json>,
}

/// Reads a verification key. `vk_alphabeta_12` is redundant and ignored.
///
/// # Errors
/// When the protocol is not Groth16, the curve is not `E`, a point is malformed, off the curve or outside the
/// subgroup, or the number of points `IC` is not `nPublic + 1`.
pub fn verifying_key_from_json<E: ProvingCurve>(file: &JsonFile) -> Result<VerifyingKey<E>, FormatError> {
    let root = file.root();
    root.expect_groth16(E::CURVE)?;
    let n_public = root.get("nPublic")?.count()?;
    let ic = root.get("IC")?;
    let points = ic.items()?;
    if Some(points.len() as u64) != n_public.checked_add(1) {
        let found = points.len();
        return Err(ic.error(format!(
            "has {found} points, but nPublic is {n_public}, which takes one more than that"
        )));
    }
    // With γ or δ at infinity a pairing drops out of the equation, and proofs can be made up.
    let finite = |name: &str| {
        let node = root.get(name)?;
        let point = read_g2::<E>(&node)?;
        if point.is_zero() { Err(node.error("must not be the point at infinity")) } else { Ok(point) }
    };
    Ok(VerifyingKey {
        alpha_g1: read_g1::<E>(&root.get("vk_alpha_1")?)?,
        beta_g2: read_g2::<E>(&root.get("vk_beta_2")?)?,
        gamma_g2: finite("vk_gamma_2")?,
        delta_g2: finite("vk_delta_2")?,
        ic: points.map(|node| read_g1::<E>(&node)).collect::<Result<_, _>>()?,
    })
}

/// A verification key as snarkjs writes it, `vk_alphabeta_12 = e(α, β)` included.
pub fn verifying_key_to_json<E: ProvingCurve>(key: &VerifyingKey<E>) -> String {
    to_snarkjs_json(&KeyJson {
        protocol: "groth16",
        curve: E::CURVE.snarkjs_name(),
        n_public: key.n_public(),
        vk_alpha_1: write_g1::<E>(&key.alpha_g1),
        vk_beta_2: write_g2::<E>(&key.beta_g2),
        vk_gamma_2: write_g2::<E>(&key.gamma_g2),
        vk_delta_2: write_g2::<E>(&key.delta_g2),
        vk_alphabeta_12: alpha_beta::<E>(key),
        ic: key.ic.iter().map(|point| write_g1::<E>(point)).collect(),
    })
}

/// The components of `e(α, β)`; arkworks' tower has snarkjs's order.
fn alpha_beta<E: ProvingCurve>(key: &VerifyingKey<E>) -> GtJson {
    let product = E::pairing(key.alpha_g1, key.beta_g2).0;
    let mut components = product.to_base_prime_field_elements();
    std::array::from_fn(|_| {
        std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                components.next().map(|component| component.to_string()).unwrap_or_default()
            })
        })
    })
}
