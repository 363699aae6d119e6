//! What each fuzz target does with its input: everything that a program does with a file of that kind, short of proving.
//!
//! A target panics when the code under test does, when what was read is not what is read again from what our writer
//! made of it, or when two ways to the same answer differ. It is an ordinary function on bytes: libFuzzer calls it
//! from `fuzz/fuzz_targets`, the test `replay` with the committed inputs, under the same [`memory`] limit.
//!
//! | module | targets |
//! |---|---|
//! | [`mod@zkey`] | snarkjs's proving keys |
//! | [`circuit`] | circuits and witnesses |
//! | [`snarkjs`] | snarkjs's JSON files |
//! | [`arkworks`] | arkworks' keys and proofs; the first byte says which curve, and whether compressed |
//! | [`bellman`] | bellman's parameters, keys and proofs |
//! | [`loader`] | what is read of a backend before it is opened; telling a file's kind |

pub mod arkworks;
pub mod bellman;
pub mod circuit;
pub mod loader;
pub mod memory;
pub mod snarkjs;
pub mod zkey;

/// A target's work.
pub type Target = fn(&[u8]);

/// All targets: their names, which are those of their folders under `fuzz/corpus`, and their work.
pub const TARGETS: &[(&str, Target)] = &[
    ("zkey", zkey::zkey),
    ("wtns", circuit::wtns),
    ("r1cs", circuit::r1cs),
    ("vk_json", snarkjs::verifying_key),
    ("proof_json", snarkjs::proof),
    ("public_json", snarkjs::public),
    ("ark_pk", arkworks::proving_key),
    ("ark_vk", arkworks::verifying_key),
    ("ark_proof", arkworks::proof),
    ("bellman_params", bellman::params),
    ("bellman_vk", bellman::verifying_key),
    ("bellman_proof", bellman::proof),
    ("detect", loader::detect),
    ("manifest", loader::manifest),
    ("elf", loader::elf),
];

/// The work of a target.
///
/// # Panics
/// There is no target of that name.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no target {name:?}")).1
}

/// To be called once, by the thread that runs targets: parallel loops run on that thread, so that a run is repeatable
/// and no time goes into waking others.
pub fn use_this_thread() {
    // An error says that there is a pool already; then it has the machine's threads, which only costs speed.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
}

/// Whether an expensive check is made for this input: for one in `n`, told by its bytes, so that a run is repeatable.
fn one_in(n: u64, data: &[u8]) -> bool {
    // FNV-1a, of which the upper half is mixed better.
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    (data.iter().fold(0xcbf2_9ce4_8422_2325, step) >> 32).is_multiple_of(n)
}

/// What `write` writes.
fn written<E: std::fmt::Debug>(write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("what was read can be written");
    bytes
}
