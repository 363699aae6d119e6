//! A circuit as bellperson's users write them: `cargo run -p interlock-frontends --example bellpepper`.

use std::error::Error;

use bellpepper_core::num::AllocatedNum;
use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar;
use interlock_core::backend::Plugin;
use interlock_core::format::Zkey;
use interlock_core::format::snarkjs_json::proof_to_json;
use interlock_core::groth16::{Prover, verify};
use interlock_core::key::ProvingKey;
use interlock_core::setup::{ToxicWaste, setup_zkey};
use interlock_curves::Bls12_381;
use interlock_frontends::{FrontendError, bellpepper};

/// I know the fourth root of a public number.
#[derive(Clone)]
struct FourthRoot(Option<Scalar>);

impl Circuit<Scalar> for FourthRoot {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let root =
            AllocatedNum::alloc(cs.namespace(|| "root"), || self.0.ok_or(SynthesisError::AssignmentMissing))?;
        let square = root.square(cs.namespace(|| "square"))?;
        let fourth = square.square(cs.namespace(|| "fourth power"))?;
        fourth.inputize(cs.namespace(|| "public"))
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it made")]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // With parameters of bellperson's, the two lines that follow are `BellmanParams::open(path)` and `bellpepper::open`.
    // Here is a circuit that has none yet: its rows, and a key that is for trying out only.
    let rows = bellpepper::circuit(FourthRoot(None))?;
    let mut key = Vec::new();
    setup_zkey::<Bls12_381>(&rows, &ToxicWaste::random()?, &mut key)?;

    let backend = Plugin::linked(interlock_cpu::interlock_api())?;
    let zkey = Zkey::from_bytes("fourth_root.zkey", key)?;
    let prover = Prover::<Bls12_381>::new(&backend, ProvingKey::from_zkey(&zkey)?)?;

    let witness = bellpepper::witness(FourthRoot(Some(Scalar::from(3))))?;
    let proved = prover.prove(&witness)?;
    if !verify(prover.verifying_key(), &proved.signals, &proved.proof)? {
        return Err("the proof does not verify".into());
    }
    println!("public: {}\n{}", proved.signals.0[0], proof_to_json(&proved.proof));

    // The same with bellperson's call.
    let proof: Result<_, FrontendError> =
        bellpepper::create_random_proof(FourthRoot(Some(Scalar::from(5))), &prover);
    println!("192 bytes: {} …", hex(&proof?.to_bytes()[..8]));
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
