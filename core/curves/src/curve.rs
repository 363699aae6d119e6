//! The run-time name of a curve.

use std::{fmt, str::FromStr};

use ark_ff::{BigInt, FftField, PrimeField};
use serde::{Deserialize, Serialize};

/// A curve that Interlock proves on. Serialised (serde, `Display`) as `bn254` and `bls12-381`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Curve {
    /// BN254, the Ethereum precompile's curve; snarkjs calls it `bn128`.
    #[serde(rename = "bn254", alias = "bn128")]
    Bn254,
    /// BLS12-381; snarkjs calls it `bls12381`.
    #[serde(rename = "bls12-381", alias = "bls12381", alias = "bls12_381")]
    Bls12_381,
}

/// A name that is none of the supported curves'.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown curve {0:?}; supported are bn254 (also bn128) and bls12-381 (also bls12381, bls12_381)")]
pub struct UnknownCurve(pub String);

static BN254_Q: [u8; 32] = to_le_bytes(<ark_bn254::Fq as PrimeField>::MODULUS);
static BN254_R: [u8; 32] = to_le_bytes(<ark_bn254::Fr as PrimeField>::MODULUS);
static BLS12_381_Q: [u8; 48] = to_le_bytes(<ark_bls12_381::Fq as PrimeField>::MODULUS);
static BLS12_381_R: [u8; 32] = to_le_bytes(<ark_bls12_381::Fr as PrimeField>::MODULUS);

/// `B` must be `8 N`; the compiler evaluates every call, so a wrong pair does not build.
const fn to_le_bytes<const N: usize, const B: usize>(limbs: BigInt<N>) -> [u8; B] {
    let mut out = [0; B];
    let mut i = 0;
    while i < B {
        out[i] = (limbs.0[i / 8] >> (8 * (i % 8))) as u8;
        i += 1;
    }
    out
}

impl Curve {
    /// Every supported curve.
    pub const ALL: [Self; 2] = [Self::Bn254, Self::Bls12_381];

    /// Bytes of a scalar on the wire; the same on both curves.
    pub const SCALAR_BYTES: usize = 32;

    /// The name used in messages, on the command line and in JSON: `bn254` or `bls12-381`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bn254 => "bn254",
            Self::Bls12_381 => "bls12-381",
        }
    }

    /// The name in snarkjs's JSON files: `bn128` or `bls12381`.
    pub const fn snarkjs_name(self) -> &'static str {
        match self {
            Self::Bn254 => "bn128",
            Self::Bls12_381 => "bls12381",
        }
    }

    /// The curve of a name in either spelling, or `None`. Exact, lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "bn254" | "bn128" => Some(Self::Bn254),
            "bls12-381" | "bls12381" | "bls12_381" => Some(Self::Bls12_381),
            _ => None,
        }
    }

    /// Bytes of a base field element on the wire: 32 or 48.
    pub const fn base_field_bytes(self) -> usize {
        match self {
            Self::Bn254 => 32,
            Self::Bls12_381 => 48,
        }
    }

    /// Bytes of an affine G1 point on the wire: 64 or 96.
    pub const fn g1_bytes(self) -> usize {
        2 * self.base_field_bytes()
    }

    /// Bytes of an affine G2 point on the wire: 128 or 192.
    pub const fn g2_bytes(self) -> usize {
        4 * self.base_field_bytes()
    }

    /// Bytes of a Jacobian G1 point on the wire: 96 or 144.
    pub const fn g1_jacobian_bytes(self) -> usize {
        3 * self.base_field_bytes()
    }

    /// Bytes of a Jacobian G2 point on the wire: 192 or 288.
    pub const fn g2_jacobian_bytes(self) -> usize {
        6 * self.base_field_bytes()
    }

    /// The base field's modulus `q`, little-endian, [`base_field_bytes`](Self::base_field_bytes) long.
    pub fn base_modulus_le(self) -> &'static [u8] {
        match self {
            Self::Bn254 => &BN254_Q,
            Self::Bls12_381 => &BLS12_381_Q,
        }
    }

    /// The scalar field's modulus `r`, little-endian.
    pub fn scalar_modulus_le(self) -> &'static [u8; 32] {
        match self {
            Self::Bn254 => &BN254_R,
            Self::Bls12_381 => &BLS12_381_R,
        }
    }

    /// The `s` of `r − 1 = 2^s · odd`: 28 or 32. No domain is larger than `2^s`.
    pub const fn scalar_two_adicity(self) -> u32 {
        match self {
            Self::Bn254 => <ark_bn254::Fr as FftField>::TWO_ADICITY,
            Self::Bls12_381 => <ark_bls12_381::Fr as FftField>::TWO_ADICITY,
        }
    }

    /// The curve whose moduli are `q` and `r`, both little-endian; `None` when no curve has both.
    pub fn from_moduli_le(q: &[u8], r: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.base_modulus_le() == q && c.scalar_modulus_le() == r)
    }

    /// The curve whose scalar field's modulus is `r`, little-endian. Files without points name only this one.
    pub fn from_scalar_modulus_le(r: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.scalar_modulus_le() == r)
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Curve {
    type Err = UnknownCurve;

    fn from_str(name: &str) -> Result<Self, UnknownCurve> {
        Self::from_name(name).ok_or_else(|| UnknownCurve(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_every_spelling() {
        for curve in Curve::ALL {
            assert_eq!(curve.name().parse(), Ok(curve));
            assert_eq!(Curve::from_name(curve.snarkjs_name()), Some(curve));
            let json = serde_json::to_string(&curve).unwrap();
            assert_eq!(json, format!("{:?}", curve.name()));
            assert_eq!(serde_json::from_str::<Curve>(&json).unwrap(), curve);
            assert_eq!(curve.to_string(), curve.name());
        }
        assert_eq!(Curve::from_name("bls12_381"), Some(Curve::Bls12_381));
        assert!("secp256k1".parse::<Curve>().unwrap_err().to_string().contains("secp256k1"));
    }

    #[test]
    fn moduli_identify_the_curve() {
        for curve in Curve::ALL {
            assert_eq!(
                Curve::from_moduli_le(curve.base_modulus_le(), curve.scalar_modulus_le()),
                Some(curve)
            );
            assert_eq!(Curve::from_scalar_modulus_le(curve.scalar_modulus_le()), Some(curve));
            assert_eq!(curve.base_modulus_le().len(), curve.base_field_bytes());
        }
        let (bn, bls) = (Curve::Bn254, Curve::Bls12_381);
        assert_eq!(Curve::from_moduli_le(bn.base_modulus_le(), bls.scalar_modulus_le()), None);
        assert_eq!(Curve::from_moduli_le(&[], &[]), None);
        // q of BN254 ends (big-endian) in ...d87cfd47, r in ...f0000001; r of BLS12-381 in ...00000001.
        assert_eq!(bn.base_modulus_le()[..4], [0x47, 0xfd, 0x7c, 0xd8]);
        assert_eq!(bn.scalar_modulus_le()[..4], [0x01, 0x00, 0x00, 0xf0]);
        assert_eq!(bls.scalar_modulus_le()[..8], [1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!((bn.scalar_two_adicity(), bls.scalar_two_adicity()), (28, 32));
    }
}
