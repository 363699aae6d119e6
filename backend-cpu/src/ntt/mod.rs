//! Number-theoretic transforms over any given multiplicative subgroup.

mod domain;
mod transform;

pub use domain::Domain;
