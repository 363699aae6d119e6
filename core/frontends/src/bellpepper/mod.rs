//! Circuits of bellpepper (`bellpepper-core` 0.2), as bellperson 0.27 and Filecoin have them, proved with bellperson's,
//! bellman's or Zcash's parameters.
//!
//! | bellperson 0.27 | here |
//! |---|---|
//! | `let params = Parameters::read(file, checked)?` | `let params = BellmanParams::open(path)?` |
//! | | `let prover = bellpepper::open::<Scalar, _>(&backend, &params, circuit)?` |
//! | `create_random_proof(circuit, &params, &mut rng)?` | `bellpepper::create_random_proof(circuit, &prover)?` |
//! | `create_proof(circuit, &params, r, s)?` | `bellpepper::create_proof(circuit, &prover, &blinding)?` |
//!
//! [`Proof`](crate::Proof) writes the 192 bytes that bellperson's does. [`open`] takes any instance of the circuit, with
//! or without values; later instances give a witness only, and their linear combinations are not built.
//!
//! Signals are the constant one, inputs, auxiliary variables, each in the order of allocation. A circuit that synthesises
//! parts of itself in parallel can do so, as with bellperson's prover (`ConstraintSystem::extend`): a part begins by
//! allocating an input for the constant one, which is dropped when the part is joined. As there,
//! `is_witness_generator` is false: circuits allocate one variable at a time.
//!
//! Rows, values and checks ([`circuit`], [`witness`], [`synthesize`], [`check`]) work over the scalar field of every
//! supported curve; other fields are refused. Parameters exist for BLS12-381.
//!
//! What a circuit keeps of its own values is not zeroised; the witness is. A panic in the circuit's own code passes
//! through.

#[path = "../family.rs"]
mod family;
mod system;

use ::bellpepper_core::{Circuit, ConstraintSystem};
use ::ff_013::PrimeField;

pub use family::{check, circuit, create_proof, create_random_proof, key, open, synthesize, witness};

/// The canonical little-endian bytes of a scalar; the field has been looked at.
fn canonical<F: PrimeField>(scalar: &F) -> [u8; 32] {
    let repr = scalar.to_repr();
    let mut bytes = [0; 32];
    if repr.as_ref().len() == bytes.len() {
        bytes.copy_from_slice(repr.as_ref());
    }
    bytes
}
