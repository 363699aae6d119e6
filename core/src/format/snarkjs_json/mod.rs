//! The JSON files of snarkjs: `verification_key.json`, `proof.json`, `public.json`.
//!
//! Numbers are decimal strings. A G1 point is `[x, y, "1"]`, a G2 point `[[x0, x1], [y0, y1], ["1", "0"]]`; infinity
//! is `["0", "1", "0"]` and `[["0","0"], ["1","0"], ["0","0"]]`. Other projective forms are refused: snarkjs does not
//! write them, and a reader that normalises would accept many spellings of one proof.
//!
//! Reading checks everything: protocol, curve, that numbers are reduced, and that points are on the curve and in the
//! subgroup. Writing gives the bytes that snarkjs writes (`JSON.stringify(…, null, 1)`).

mod document;
mod key;
mod point;
mod proof;

pub use document::{JsonFile, MAX_BYTES, json_curve};
pub(super) use document::{parse, shown};
pub use key::{verifying_key_from_json, verifying_key_to_json};
pub use proof::{proof_from_json, proof_to_json, public_from_json, public_to_json};

#[cfg(test)]
mod tests;
