//! Keys of formats without a mark: arkworks' and bellman's.

use std::path::Path;

use interlock_core::format::arkworks::{ArkProvingKey, Candidate, HeadPoints};
use interlock_core::format::bellman::{BellmanParams, BellmanVerifyingKey};
use interlock_core::format::{FormatError, MappedFile};
use interlock_curves::Curve;

use super::Description;

pub(super) fn arkworks(path: &Path, found: Candidate, about: &mut Description) -> Result<(), FormatError> {
    let (Candidate::ProvingKey(encoding) | Candidate::VerifyingKey(encoding) | Candidate::Proof(encoding)) =
        found;
    about.curve(encoding.curve);
    if let Candidate::ProvingKey(encoding) = found {
        let file = MappedFile::open(path)?;
        let key = ArkProvingKey::from_file(&file, encoding.curve, encoding.compressed)?;
        counts(key.n_vars(), key.n_public(), key.domain_size(), about);
        warn(key.head(), about);
    }
    Ok(())
}

pub(super) fn bellman_params(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let params = BellmanParams::open(path)?;
    about.curve(Curve::Bls12_381);
    counts(params.n_vars(), params.n_public(), params.domain_size(), about);
    about.count("A points", params.a().len() as u64);
    about.count("B points", params.b_g1().len() as u64);
    about.count("trailing bytes", params.trailing_bytes());
    warn(params.head(), about);
    Ok(())
}

pub(super) fn bellman_key(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let key = BellmanVerifyingKey::open(path)?;
    about.curve(Curve::Bls12_381);
    about.count("public signals", key.verifying_key().n_public() as u64);
    warn(key.head(), about);
    Ok(())
}

fn counts(signals: usize, public: usize, domain: usize, about: &mut Description) {
    about.count("signals", signals as u64);
    about.count("public signals", public as u64);
    about.count("domain", domain as u64);
}

fn warn(head: &HeadPoints, about: &mut Description) {
    if let Some(warning) = head.warning() {
        about.warning(&warning);
    }
}
