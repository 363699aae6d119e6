//! Inputs, and what should come of them.

pub(crate) mod circuits;
pub(crate) mod dft;
pub(crate) mod points;
pub(crate) mod proof;
pub(crate) mod scalars;
pub(crate) mod sparse;

pub(crate) type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;
