//! From a snarkjs `.zkey`.

use std::sync::Arc;

use interlock_curves::roots::{RootFamily, coset_shift_snarkjs, root_of_unity};
use interlock_curves::{ProvingCurve, with_curve};

use super::{BaseSet, Head, ProvingKey, Quotient};
use crate::backend::DomainSpec;
use crate::format::{FormatError, FormatErrorKind, Section, Zkey};

impl ProvingKey {
    /// Takes a key apart. Points stay in the mapped file; the coefficients are sorted into rows.
    ///
    /// # Errors
    /// A coefficient's index or value is out of range, or the field has no domain of the key's size.
    pub fn from_zkey(zkey: &Zkey) -> Result<Self, FormatError> {
        let (a_matrix, b_matrix) = zkey.matrices()?;
        let domain = with_curve!(zkey.curve(), E => domain::<E>(zkey))?;
        let whole = |points: Section| BaseSet { points, index: None };
        Ok(Self {
            curve: zkey.curve(),
            n_vars: zkey.n_vars() as usize,
            n_public: zkey.n_public() as usize,
            domain,
            quotient: Quotient::CosetValues,
            a_matrix: Arc::new(a_matrix),
            b_matrix: Arc::new(b_matrix),
            a: whole(zkey.a()),
            b_g1: whole(zkey.b1()),
            b_g2: whole(zkey.b2()),
            l: whole(zkey.l()),
            h: whole(zkey.h()),
            head: Head::of_zkey(zkey),
            warning: warning(zkey),
            label: zkey.path().display().to_string(),
        })
    }
}

impl Head {
    /// The single points of a `.zkey`, which were checked when it was opened.
    pub fn of_zkey(zkey: &Zkey) -> Self {
        Self {
            alpha_g1: zkey.alpha_g1().to_vec(),
            beta_g1: zkey.beta_g1().to_vec(),
            beta_g2: zkey.beta_g2().to_vec(),
            gamma_g2: zkey.gamma_g2().to_vec(),
            delta_g1: zkey.delta_g1().to_vec(),
            delta_g2: zkey.delta_g2().to_vec(),
            ic: zkey.ic().to_vec(),
        }
    }
}

/// What the file says of the key's making.
pub(crate) fn warning(zkey: &Zkey) -> Option<String> {
    zkey.insecure_marker().or_else(|| no_contribution(zkey))
}

/// `groth16 setup` begins with δ = γ, and every contribution changes δ. As long as they are equal, a proof can be put
/// together from the verification key alone: A = α, B = β, C = −Σ x_i·IC_i.
fn no_contribution(zkey: &Zkey) -> Option<String> {
    (zkey.gamma_g2() == zkey.delta_g2()).then(|| {
        "no contribution was made to it (gamma = delta): INSECURE, anybody can forge proofs; run `snarkjs zkey contribute`"
            .into()
    })
}

/// snarkjs derives its roots from the smallest quadratic non-residue; on BLS12-381 that is another root than bellman's
/// and arkworks'. The coset is that of the domain of twice the size.
fn domain<E: ProvingCurve>(zkey: &Zkey) -> Result<DomainSpec, FormatError> {
    let log_size = zkey.log_domain();
    let spec = root_of_unity::<E>(log_size, RootFamily::Snarkjs).zip(coset_shift_snarkjs::<E>(log_size)).map(
        |(generator, shift)| DomainSpec {
            log_size,
            generator: E::scalar_to_montgomery(&generator),
            shift: E::scalar_to_montgomery(&shift),
        },
    );
    let max_log = E::CURVE.scalar_two_adicity();
    spec.ok_or_else(|| {
        FormatError::new(zkey.path(), FormatErrorKind::DomainSize { found: zkey.domain_size(), max_log })
    })
}
