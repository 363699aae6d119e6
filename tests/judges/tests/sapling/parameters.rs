//! The ceremony's two parameter files.

use std::sync::LazyLock;

use interlock_core::format::bellman::BellmanParams;
use sha2::{Digest, Sha256};

/// What follows the parameters in both files: the transcript of the ceremony's second phase.
pub(crate) const TRANSCRIPT_BYTES: usize = 52_836;

/// Both files, in memory.
pub(crate) struct Files {
    pub(crate) spend: Vec<u8>,
    pub(crate) output: Vec<u8>,
}

pub(crate) fn parameters() -> &'static Files {
    static FILES: LazyLock<Files> = LazyLock::new(|| {
        let (spend, output) = wagyu_zcash_parameters::load_sapling_parameters();
        Files { spend, output }
    });
    &FILES
}

/// What is published about a file.
pub(crate) struct Published {
    /// `sha256sum` of `sapling-*.params`.
    sha256: &'static str,
    /// Signals without the constant one, of all and of the public kind; log2 of the rows.
    shape: (usize, u32),
}

pub(crate) const SPEND: Published =
    Published { sha256: "8e48ffd23abb3a5fd9c5589204f32d9c31285a04b78096ba40a79b75677efc13", shape: (7, 17) };

pub(crate) const OUTPUT: Published =
    Published { sha256: "2f0ebbcbb9bb0bcffe95a397e7eba89c29eb4dde6191c339db88570e3f3fb0e4", shape: (5, 13) };

impl Published {
    pub(crate) fn check(&self, name: &str, file: &[u8]) {
        let hash: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, self.sha256, "{name}");
        let opened = opened(name, file);
        let (n_public, log_rows) = self.shape;
        assert_eq!((opened.n_public(), opened.domain_size()), (n_public, 1 << log_rows), "{name}");
        assert_eq!(opened.trailing_bytes(), TRANSCRIPT_BYTES as u64, "{name}");
    }
}

/// The file as our reader sees it: mapped, as the command line would.
pub(crate) fn opened(name: &str, file: &[u8]) -> BellmanParams {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("sapling-{name}.params"));
    std::fs::write(&path, file).unwrap();
    // It stays mapped when the folder goes.
    BellmanParams::open(&path).unwrap()
}
