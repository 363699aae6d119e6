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
//! ```
//! use bellpepper_core::num::AllocatedNum;
//! use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
//! use blstrs::Scalar;
//! use interlock_frontends::{FrontendError, bellpepper as interlock};
//!
//! /// x · y, of which x is private.
//! #[derive(Clone)]
//! struct Product { x: Option<Scalar>, y: Option<Scalar>, product: Option<Scalar> }
//!
//! impl Circuit<Scalar> for Product {
//!     fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
//!         let missing = || SynthesisError::AssignmentMissing;
//!         let x = AllocatedNum::alloc(cs.namespace(|| "x"), || self.x.ok_or_else(missing))?;
//!         let y = cs.alloc_input(|| "y", || self.y.ok_or_else(missing))?;
//!         let product = cs.alloc_input(|| "product", || self.product.ok_or_else(missing))?;
//!         let mut cs = cs.namespace(|| "multiplication");
//!         cs.enforce(|| "x · y", |lc| lc + x.get_variable(), |lc| lc + y, |lc| lc + product);
//!         Ok(())
//!     }
//! }
//!
//! let rows = interlock::circuit(Product { x: None, y: None, product: None })?;
//! assert_eq!((rows.n_wires(), rows.n_public(), rows.n_constraints()), (4, 2, 1));
//!
//! let [six, seven, forty_two] = [6, 7, 42].map(|value| Some(Scalar::from(value)));
//! let right = Product { x: six, y: seven, product: forty_two };
//! let witness = interlock::witness(right)?;
//! assert_eq!(rows.first_unsatisfied(&witness)?, None);
//!
//! let wrong = Product { x: six, y: six, product: forty_two };
//! let FrontendError::Unsatisfied { constraint, name } = interlock::check(wrong).unwrap_err() else { panic!() };
//! assert_eq!((constraint, name.as_deref()), (0, Some("multiplication/x · y")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
