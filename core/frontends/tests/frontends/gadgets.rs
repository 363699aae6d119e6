//! One circuit of the gadgets that bellman and bellpepper-core have in common, for each of them.

/// Defines the circuit in a module `$name` for a framework and its generation of `ff`.
macro_rules! gadget_circuit {
    ($name:ident, $framework:ident, $boolean:path, $num:path, $ff:ident) => {
        pub(crate) mod $name {
            use ::$ff::{PrimeField, PrimeFieldBits};
            use ::$framework::{Circuit, ConstraintSystem, SynthesisError};
            use $boolean::{AllocatedBit, Boolean};
            use $num::{AllocatedNum, Num};

            /// Public: (x² · x)·2 + bits, and x² + 1. Private: x and some bits. `lie` is added to x² + 1, which makes the
            /// circuit unsatisfied.
            #[derive(Clone, Copy)]
            pub(crate) struct Gadgets<F> {
                pub(crate) x: Option<F>,
                pub(crate) lie: F,
            }

            impl<F: PrimeField + PrimeFieldBits> Circuit<F> for Gadgets<F> {
                fn synthesize<CS: ConstraintSystem<F>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
                    let missing = SynthesisError::AssignmentMissing;
                    let x = AllocatedNum::alloc(cs.namespace(|| "x"), || self.x.ok_or(missing))?;
                    let square = x.square(cs.namespace(|| "square"))?;
                    // An input in the midst of auxiliary variables.
                    let claimed = {
                        let mut cs = cs.namespace(|| "claim");
                        let mut cs = cs.namespace(|| "x^2 + 1");
                        let value = square.get_value().map(|square| square + F::ONE + self.lie);
                        let missing = SynthesisError::AssignmentMissing;
                        let claimed = cs.alloc_input(|| "claimed", || value.ok_or(missing))?;
                        cs.enforce(
                            || "is right",
                            // The constant one twice, a zero, and a variable that cancels out in C.
                            |lc| lc + square.get_variable() + CS::one() + (F::ZERO, x.get_variable()),
                            |lc| lc + (F::ONE.double(), CS::one()) - CS::one(),
                            |lc| lc + claimed + x.get_variable() - x.get_variable(),
                        );
                        claimed
                    };
                    let cube = square.mul(cs.namespace(|| "cube"), &x)?;
                    cube.assert_nonzero(cs.namespace(|| "not zero"))?;
                    let bits = x.to_bits_le_strict(cs.namespace(|| "bits"))?;
                    let (a, b, c) = (&bits[0], &bits[1], &bits[200]);
                    let xor = Boolean::xor(cs.namespace(|| "xor"), a, b)?;
                    let and = Boolean::and(cs.namespace(|| "and"), &xor, &c.not())?;
                    let ch = Boolean::sha256_ch(cs.namespace(|| "ch"), a, &b.not(), c)?;
                    let maj = Boolean::sha256_maj(cs.namespace(|| "maj"), &xor, &ch, &and)?;
                    let value = maj.get_value();
                    let chosen = Boolean::from(AllocatedBit::alloc(cs.namespace(|| "chosen"), value)?);
                    Boolean::enforce_equal(cs.namespace(|| "same"), &chosen, &maj)?;
                    let (low, _) = AllocatedNum::conditionally_reverse(
                        cs.namespace(|| "reverse"),
                        &cube,
                        &square,
                        &chosen,
                    )?;
                    let mut sum = Num::<F>::zero();
                    let mut power = F::ONE;
                    for bit in [xor, and, ch, maj, Boolean::constant(true)] {
                        sum = sum.add_bool_with_coeff(CS::one(), &bit, power);
                        power = power.double();
                    }
                    let total = sum.get_value().zip(low.get_value()).map(|(sum, low)| sum + low.double());
                    let missing = SynthesisError::AssignmentMissing;
                    let out = AllocatedNum::alloc(cs.namespace(|| "out"), || total.ok_or(missing))?;
                    cs.enforce(
                        || "sum",
                        |lc| lc + &sum.lc(F::ONE) + (F::ONE.double(), low.get_variable()),
                        |lc| lc + CS::one(),
                        |lc| lc + out.get_variable(),
                    );
                    out.inputize(cs.namespace(|| "public"))?;
                    let _ = claimed;
                    Ok(())
                }
            }
        }
    };
}

gadget_circuit!(of_bellman, bellman, ::bellman::gadgets::boolean, ::bellman::gadgets::num, ff);
gadget_circuit!(of_bellpepper, bellpepper_core, ::bellpepper_core::boolean, ::bellpepper_core::num, ff_013);
