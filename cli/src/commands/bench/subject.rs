//! What is proved, from flags.

use interlock_core::files::Family;

use super::synthetic::Shape;
use crate::args::{BatchArgs, ProofType};
use crate::commands::inputs::Files;
use crate::errors::Usage;

/// Key and witness, or the shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject<'a> {
    Files(Files<'a>),
    Shape(Shape),
}

impl<'a> Subject<'a> {
    /// From flags.
    ///
    /// # Errors
    /// They do not go together.
    pub(super) fn of(args: &'a BatchArgs) -> Result<Self, Usage> {
        let usage = |text: String| Err(Usage(text));
        match (args.kind, &args.key, &args.witness) {
            (ProofType::Porep, ..) => usage(
                "--type porep: PoRep proofs are not available yet; `interlock simulate` models them"
                    .to_owned(),
            ),
            (ProofType::Circom, Some(key), Some(witness)) => match args.shape.given() {
                Some(flag) => usage(format!("{flag} is for --type synthetic: files have their own shape")),
                None => Ok(Self::Files(Files {
                    key,
                    witness,
                    r1cs: args.r1cs.as_deref(),
                    proof_format: Family::Snarkjs,
                })),
            },
            (ProofType::Circom, ..) => {
                usage("name key and witness: KEY WITNESS.wtns; --type synthetic makes its own".to_owned())
            }
            (ProofType::Synthetic, None, None) if args.r1cs.is_none() => {
                Ok(Self::Shape(Shape::new(&args.shape)?))
            }
            (ProofType::Synthetic, ..) => {
                usage("--type synthetic takes no files: its circuit is made in memory".to_owned())
            }
        }
    }
}
