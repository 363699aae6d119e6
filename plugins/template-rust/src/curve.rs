// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two curves, so that the rest is written once.

use ark_ec::short_weierstrass::SWCurveConfig;

use crate::element::{Element, ScalarField};

/// A curve.
pub trait Curve: Send + Sync + 'static {
    /// The field of the scalars.
    type Scalar: ScalarField;
    /// The group over the prime field.
    type G1: SWCurveConfig<BaseField: Element>;
    /// The group over its quadratic extension.
    type G2: SWCurveConfig<BaseField: Element>;
}

/// BN254 (alt_bn128).
pub enum Bn254 {}

impl Curve for Bn254 {
    type Scalar = ark_bn254::Fr;
    type G1 = ark_bn254::g1::Config;
    type G2 = ark_bn254::g2::Config;
}

/// BLS12-381.
pub enum Bls12_381 {}

impl Curve for Bls12_381 {
    type Scalar = ark_bls12_381::Fr;
    type G1 = ark_bls12_381::g1::Config;
    type G2 = ark_bls12_381::g2::Config;
}
