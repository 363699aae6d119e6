//! Which libraries a program loads, said by whoever operates it.

use std::path::PathBuf;
use std::str::FromStr;

use super::error::LoadError;
use super::manifest::{hex, sha256_from_hex};
use super::signature::{Signed, VendorKey};

/// What every library must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Require {
    /// A manifest, unless the user names the file and accepts it without ([`Trust::Unsigned`](super::Trust)).
    #[default]
    Manifest,
    /// A signature by a trusted key as well, however the library was named.
    Signature,
}

impl FromStr for Require {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "manifest" => Ok(Self::Manifest),
            "signature" => Ok(Self::Signature),
            _ => Err(format!("{text:?} is neither \"manifest\" nor \"signature\"")),
        }
    }
}

/// An entry of an allow-list: `sha256:…` or `key:RW…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// The library with this SHA-256.
    Sha256([u8; 32]),
    /// All libraries with a signature by this key.
    Key(VendorKey),
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some(("sha256", digits)) => sha256_from_hex(digits)
                .map(Self::Sha256)
                .ok_or_else(|| format!("{text:?} is not sha256: and 64 hex digits")),
            Some(("key", key)) => key.parse().map(Self::Key),
            _ => Err(format!("{text:?} is neither \"sha256:…\" nor \"key:RW…\"")),
        }
    }
}

/// What a program loads. Each part restricts; none of them lets anything pass that another one stops, and a [`Trust`] given
/// for a single file changes nothing here. The default restricts nothing.
///
/// [`Trust`]: super::Trust
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// What every library must have.
    pub require: Require,
    /// Vendors whose signatures are trusted.
    pub keys: Vec<VendorKey>,
    /// When present, the only libraries that are loaded; its keys are trusted as those of `keys` are.
    pub allow: Option<Vec<Allowed>>,
    /// The file that says so, for messages.
    pub place: Option<PathBuf>,
}

impl Policy {
    /// All keys whose signatures are trusted.
    pub fn trusted(&self) -> impl Iterator<Item = &VendorKey> {
        let listed = self.allow.iter().flatten().filter_map(|allowed| match allowed {
            Allowed::Key(key) => Some(key),
            Allowed::Sha256(_) => None,
        });
        self.keys.iter().chain(listed)
    }

    /// Whether a library may be loaded. `signed` is trusted by this policy or by another one.
    ///
    /// # Errors
    /// [`LoadError::SignatureRequired`] or [`LoadError::NotAllowed`].
    pub fn admit(&self, sha256: &[u8; 32], signed: &Signed) -> Result<(), LoadError> {
        let signer = match signed {
            Signed::By(key) => Some(key),
            Signed::No | Signed::Unknown(_) => None,
        };
        if self.require == Require::Signature && !self.trusted().any(|key| Some(key) == signer) {
            let signer = match signed {
                Signed::No => None,
                Signed::Unknown(id) => Some(*id),
                Signed::By(key) => Some(key.id()),
            };
            return Err(LoadError::SignatureRequired { policy: self.name(), signer });
        }
        let Some(list) = &self.allow else { return Ok(()) };
        let named = list.iter().any(|allowed| match allowed {
            Allowed::Sha256(allowed) => allowed == sha256,
            Allowed::Key(allowed) => Some(allowed) == signer,
        });
        if named {
            return Ok(());
        }
        Err(LoadError::NotAllowed {
            policy: self.name(),
            sha256: hex(sha256),
            signer: signer.cloned().map(Box::new),
        })
    }

    fn name(&self) -> String {
        self.place.as_ref().map_or_else(|| "this program".to_owned(), |place| place.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

    /// The same number, another key: whoever chooses a number cannot choose the key behind it.
    fn other() -> VendorKey {
        KEY.replace("73Y7", "73Y8").parse().unwrap()
    }

    fn allowed(words: &[&str]) -> Option<Vec<Allowed>> {
        Some(words.iter().map(|word| word.parse().unwrap()).collect())
    }

    #[test]
    fn each_part_restricts_and_none_loosens() {
        let key: VendorKey = KEY.parse().unwrap();
        let (by, by_other) = (Signed::By(key.clone()), Signed::By(other()));
        assert_eq!(key.id(), other().id());
        let unknown = Signed::Unknown(key.id());
        let hash = format!("sha256:{}", "Ab".repeat(32));
        let listed = format!("key:{KEY}");
        let (sha256, another) = ([0xab; 32], [1; 32]);
        let open = Policy::default();
        let signed = Policy { require: Require::Signature, keys: vec![key.clone()], ..Policy::default() };
        let nothing = Policy { allow: allowed(&[]), keys: vec![key.clone()], ..Policy::default() };
        let by_hash = Policy { allow: allowed(&[&hash]), ..Policy::default() };
        let by_key = Policy { allow: allowed(&[&listed]), ..Policy::default() };
        let either = Policy { allow: allowed(&[&hash, &listed]), ..Policy::default() };
        let both = Policy { allow: allowed(&[&hash]), ..signed.clone() };
        let no_keys = Policy { require: Require::Signature, ..Policy::default() };
        let rows: [(&Policy, [bool; 8]); 8] = [
            // Each of: unsigned, by an unknown key, by the key, by another one; then the same for another library.
            (&open, [true; 8]),
            (&signed, [false, false, true, false, false, false, true, false]),
            (&nothing, [false; 8]),
            (&by_hash, [true, true, true, true, false, false, false, false]),
            (&by_key, [false, false, true, false, false, false, true, false]),
            (&either, [true, true, true, true, false, false, true, false]),
            (&both, [false, false, true, false, false, false, false, false]),
            (&no_keys, [false; 8]),
        ];
        for (policy, wanted) in rows {
            let cases = [sha256, another].into_iter().flat_map(|sha256| {
                [&Signed::No, &unknown, &by, &by_other].map(|signed| policy.admit(&sha256, signed).is_ok())
            });
            assert_eq!(cases.collect::<Vec<_>>(), wanted, "{policy:?}");
        }
    }

    #[test]
    fn a_refusal_says_what_to_add_and_where() {
        let key: VendorKey = KEY.parse().unwrap();
        let policy = Policy {
            allow: allowed(&[]),
            keys: vec![key.clone()],
            place: Some("/etc/x.toml".into()),
            ..Policy::default()
        };
        let sha256 = [0xcd; 32];
        let text = policy.admit(&sha256, &Signed::No).unwrap_err().to_string();
        let line = format!("\"sha256:{}\",", "cd".repeat(32));
        assert!(text.contains(&line) && text.contains("/etc/x.toml") && !text.contains("key:"), "{text}");
        let text = policy.admit(&sha256, &Signed::By(key.clone())).unwrap_err().to_string();
        assert!(text.contains(&line) && text.contains(&format!("\"key:{KEY}\",")), "{text}");

        let policy = Policy { require: Require::Signature, ..Policy::default() };
        let text = policy.admit(&sha256, &Signed::No).unwrap_err().to_string();
        assert!(text.contains("no signature") && text.contains(".minisig"), "{text}");
        let text = policy.admit(&sha256, &Signed::Unknown(key.id())).unwrap_err().to_string();
        assert!(text.contains("unknown key E7620F1842B4E81F"), "{text}");
    }

    #[test]
    fn entries_that_are_none() {
        for (word, says) in [
            ("", "neither"),
            ("sha256", "neither"),
            ("sha512:00", "neither"),
            ("sha256:00", "64 hex digits"),
            (&format!("sha256:{}", "+f".repeat(32)), "64 hex digits"),
            (&format!("sha256:{}", "é".repeat(32)), "64 hex digits"),
            ("key:RWQ", "not a minisign public key"),
        ] {
            let error = word.parse::<Allowed>().unwrap_err();
            assert!(error.contains(says), "{word}: {error}");
        }
        assert!("Signature".parse::<Require>().is_err());
    }
}
