//! What is read of a backend before it is opened, and telling a file's kind.

use interlock_core::format::arkworks::{
    ArkProvingKey, Candidate, candidates, read_proof, read_verifying_key,
};
use interlock_core::format::bellman::{BellmanParams, BellmanVerifyingKey};
use interlock_core::format::{FileKind, MappedFile, detect_file};
use interlock_core::loader::{Manifest, elf as library};
use interlock_curves::with_curve;

/// Tells a file's kind; one that was found by trying must be readable as that.
pub fn detect(data: &[u8]) {
    let Ok(file) = MappedFile::from_bytes("fuzz", data.to_vec()) else { return };
    let kind = detect_file(&file);
    assert!(!kind.to_string().is_empty());
    match kind {
        FileKind::Arkworks(candidate) => {
            assert!(candidates(&file).contains(&candidate));
            match candidate {
                Candidate::ProvingKey(encoding) => {
                    let key = ArkProvingKey::from_file(&file, encoding.curve, encoding.compressed);
                    assert!(key.is_ok(), "no proving key: {key:?}");
                }
                Candidate::VerifyingKey(encoding) => {
                    with_curve!(encoding.curve, E => {
                        assert!(read_verifying_key::<E>(&file, encoding.compressed).is_ok());
                    });
                }
                Candidate::Proof(encoding) => {
                    with_curve!(encoding.curve, E => assert!(read_proof::<E>(&file, encoding.compressed).is_ok()));
                }
            }
        }
        FileKind::BellmanParams => assert!(BellmanParams::from_file(&file).is_ok()),
        FileKind::BellmanVerifyingKey => assert!(BellmanVerifyingKey::from_file(&file).is_ok()),
        _ => {}
    }
}

/// Reads a manifest and writes it.
pub fn manifest(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Manifest::parse(text) {
        Ok(contents) => {
            let written = toml::to_string(&contents).expect("strings and a number are written");
            assert_eq!(Manifest::parse(&written).expect("what was written is read"), contents);
        }
        Err(problem) => assert!(!problem.contains('\n'), "more than one line: {problem:?}"),
    }
}

/// Looks at a library.
pub fn elf(data: &[u8]) {
    if let Err(error) = library::check(data) {
        assert!(!error.to_string().is_empty());
    }
}
