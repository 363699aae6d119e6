//! What the measurements are made on.
//!
//! | module | holds |
//! |---|---|
//! | [`sha256`] | SHA-256 as constraints, as much of it as fits a given number of them |
//! | [`profile`] | what of a circuit and a witness decides how long a proof takes |
//! | [`points`] | points and scalars for sums of multiples |

pub mod points;
pub mod profile;
pub mod sha256;
