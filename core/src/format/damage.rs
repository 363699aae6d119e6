//! What every parser's tests do to a good file.

use std::fmt::Debug;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Cutting a file anywhere must be an error.
pub(crate) fn truncations<T, E: Debug>(good: &[u8], parse: impl Fn(Vec<u8>) -> Result<T, E>) {
    for length in 0..good.len() {
        assert!(
            parse(good[..length].to_vec()).is_err(),
            "accepted when cut to {length} of {} bytes",
            good.len()
        );
    }
    assert!(parse(good.to_vec()).is_ok());
}

/// Changing bytes may or may not be an error, but must not panic.
pub(crate) fn flips<T, E: Debug>(good: &[u8], rounds: usize, parse: impl Fn(Vec<u8>) -> Result<T, E>) {
    let mut rng = ChaCha8Rng::from_seed([7; 32]);
    for _ in 0..rounds {
        let mut bytes = good.to_vec();
        for _ in 0..=rng.next_u32() % 4 {
            let at = rng.next_u32() as usize % bytes.len();
            // Half of the changes are the values that overflow counts.
            bytes[at] = if rng.next_u32() % 2 == 0 { 0xff } else { rng.next_u32() as u8 };
        }
        let _ = parse(bytes);
    }
}
