//! A vendor with a key, who signs as minisign does.

use std::path::{Path, PathBuf};

use interlock_core::loader::{Signature, VendorKey};
use minisign::KeyPair;

pub(crate) struct Vendor(KeyPair);

impl Vendor {
    pub(crate) fn new() -> Self {
        Self(KeyPair::generate_unencrypted_keypair().unwrap())
    }

    /// The public key's line.
    pub(crate) fn line(&self) -> String {
        self.0.pk.to_base64()
    }

    pub(crate) fn key(&self) -> VendorKey {
        self.line().parse().unwrap()
    }

    /// The text of a signature.
    pub(crate) fn sign(&self, bytes: &[u8]) -> String {
        let (public, secret) = (Some(&self.0.pk), &self.0.sk);
        minisign::sign(public, secret, bytes, Some("file:library"), Some("a signature")).unwrap().to_string()
    }

    /// Signs a file and writes the signature beside it.
    pub(crate) fn sign_file(&self, library: &Path) -> PathBuf {
        let path = Signature::path_for(library);
        std::fs::write(&path, self.sign(&std::fs::read(library).unwrap())).unwrap();
        path
    }
}
