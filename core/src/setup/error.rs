//! Why a key cannot be generated.

use std::io;

use interlock_curves::Curve;

/// Why a key cannot be generated.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The circuit and the secrets are for different curves.
    #[error("the circuit is for {circuit}, the secrets are for {secrets}")]
    CurveMismatch {
        /// The circuit's curve.
        circuit: Curve,
        /// The secrets' curve.
        secrets: Curve,
    },
    /// The circuit has too many constraints for the field.
    #[error(
        "{rows} constraints and public signals need a domain of 2^{log_domain}, but on {curve} a key goes up to \
         2^{max}; split the circuit"
    )]
    TooManyRows {
        /// Constraints plus public signals plus one.
        rows: u64,
        /// The domain they would need.
        log_domain: u32,
        /// The largest domain that has one of twice the size.
        max: u32,
        /// The curve.
        curve: Curve,
    },
    /// τ lies in the domain. Only secrets that someone chose on purpose do.
    #[error("the secrets are degenerate: tau is a root of unity, or a secret is zero; take other ones")]
    DegenerateSecrets,
    /// The operating system gave no randomness.
    #[error("the operating system gave no randomness: {0}")]
    Randomness(getrandom::Error),
    /// The key cannot be written.
    #[error("cannot write the key: {0}")]
    Write(#[from] io::Error),
}
