//! A program that proves with bellman, and the call that changes: `cargo run -p interlock-frontends --example bellman`.

use std::error::Error;

use bellman::gadgets::boolean::{AllocatedBit, Boolean};
use bellman::gadgets::{multipack, sha256::sha256_block_no_padding};
use bellman::{Circuit, ConstraintSystem, SynthesisError};
use bls12_381::{Bls12, Scalar};
use groth16::{Parameters, Proof, generate_random_parameters, prepare_verifying_key, verify_proof};
use interlock_core::backend::Plugin;
use interlock_core::format::bellman::BellmanParams;
use interlock_frontends::bellman as interlock_bellman;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// I know 64 bytes whose SHA-256 block hash is public.
#[derive(Clone)]
struct Block(Option<[u8; 64]>);

impl Circuit<Scalar> for Block {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let bit = |i: usize| self.0.map(|bytes| bytes[i / 8] >> (7 - i % 8) & 1 == 1);
        let bits = (0..512)
            .map(|i| AllocatedBit::alloc(cs.namespace(|| format!("bit {i}")), bit(i)).map(Boolean::from))
            .collect::<Result<Vec<_>, _>>()?;
        let hash = sha256_block_no_padding(cs.namespace(|| "hash"), &bits)?;
        multipack::pack_into_inputs(cs.namespace(|| "pack"), &hash)
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it did")]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A program has its parameters in a file, from a ceremony: `BellmanParams::open(path)`.
    let theirs: Parameters<Bls12> =
        generate_random_parameters(Block(None), &mut ChaCha20Rng::seed_from_u64(1))?;
    let mut bytes = Vec::new();
    theirs.write(&mut bytes)?;
    let params = BellmanParams::from_bytes("block.params", bytes)?;

    // Once: open a backend for the parameters.
    let backend = Plugin::linked(interlock_cpu::interlock_api())?;
    let prover = interlock_bellman::open(&backend, &params, Block(None))?;

    let circuit = Block(Some([7; 64]));
    // Before: let proof = create_random_proof(circuit, &theirs, &mut rng)?;
    let proof = interlock_bellman::create_random_proof(circuit, &prover)?;

    // What bellman's own verifier says to the 192 bytes. The hash was computed elsewhere.
    let proof = Proof::<Bls12>::read(proof.to_bytes().as_slice())?;
    let hash = multipack::compute_multipacking::<Scalar>(&multipack::bytes_to_bits(&HASH));
    verify_proof(&prepare_verifying_key(&theirs.vk), &proof, &hash)?;
    println!("bellman accepts a proof of a SHA-256 block of {} constraints", {
        interlock_bellman::circuit::<Scalar, _>(Block(None))?.n_constraints()
    });
    Ok(())
}

/// SHA-256's compression of 64 bytes of 7, from its initial state, without padding.
const HASH: [u8; 32] = [
    0x82, 0xd9, 0xd7, 0x5f, 0x46, 0xaf, 0x41, 0x86, 0x03, 0x71, 0xed, 0x07, 0x54, 0x0c, 0x4f, 0xa5, 0x16,
    0xe1, 0x37, 0x9b, 0xe5, 0x30, 0xfe, 0xab, 0x6f, 0x5d, 0xa2, 0x5f, 0x18, 0x02, 0x14, 0xb3,
];
