//! What loads backends, and who signed them.

use std::time::Duration;

use interlock_core::loader::{Loader, Policy, Prober, Signed};
use serde::Serialize;

use crate::cache;

/// The word by which this program is told to do nothing but to open a backend.
pub(crate) const PROBE: &str = "probe-backend-from-stdin";

/// Loads backends as these policies allow, unknown ones in a child process first.
pub(crate) fn loader(policies: &[Policy], time: Option<Duration>) -> Loader {
    // What runs now, even if another version has taken its place on the disk.
    let mut prober = Prober::new("/proc/self/exe", [PROBE]);
    if let Some(time) = time {
        prober = prober.within(time);
    }
    if let Ok(folder) = cache::folder("plugins") {
        prober = prober.remembering_in(folder);
    }
    policies.iter().cloned().fold(Loader::default().with_prober(prober), Loader::with_policy)
}

/// Who signed a library, as a result names him.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Signer {
    /// The key's number.
    key_id: String,
    /// The key, if it is trusted.
    key: Option<String>,
    /// Whether it is, and so was checked.
    trusted: bool,
}

impl Signer {
    /// `None` without a signature.
    pub(crate) fn of(signed: &Signed) -> Option<Self> {
        match signed {
            Signed::No => None,
            Signed::Unknown(id) => Some(Self { key_id: id.to_string(), key: None, trusted: false }),
            Signed::By(key) => {
                Some(Self { key_id: key.id().to_string(), key: Some(key.to_string()), trusted: true })
            }
        }
    }
}

impl std::fmt::Display for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.key {
            Some(key) => write!(f, "by the trusted key {key} (ID {})", self.key_id),
            None => write!(
                f,
                "by the key with the ID {}, which is not in `keys` of the configuration: not checked",
                self.key_id
            ),
        }
    }
}
