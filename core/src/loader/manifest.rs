//! The manifest beside a library: `libmine.so` has `libmine.toml`.
//!
//! ```toml
//! manifest = 1
//! file = "libmine.so"
//! name = "mine"
//! version = "1.2.3"
//! abi_min = "0.2"
//! abi_max = "0.2"
//! sha256 = "…64 hex digits…"
//! devices = "what it is for, in words"
//! signature = """…"""   # optional: the text of the vendor's libmine.so.minisig
//! ```
//!
//! It is read before the library is opened, so it decides whether the library's code runs at all.

use std::path::{Path, PathBuf};

use interlock_abi::{INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR};
use serde::{Deserialize, Serialize};

use super::error::LoadError;
use super::permissions;
use super::signature::Signature;
use crate::backend::PluginInfo;

/// A manifest is a few lines; more is refused unread.
const MAX_BYTES: u64 = 64 << 10;

/// What a manifest says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// Version of this format: 1.
    pub manifest: u32,
    /// The library's file name.
    pub file: String,
    /// The plugin's name.
    pub name: String,
    /// The plugin's version.
    pub version: String,
    /// Oldest ABI version that the plugin works with.
    pub abi_min: String,
    /// Newest ABI version that the plugin works with.
    pub abi_max: String,
    /// SHA-256 of the library, hex.
    pub sha256: String,
    /// What it is for, in words.
    pub devices: String,
    /// The vendor's signature of the library, as minisign writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// A manifest that was read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    path: PathBuf,
    contents: Contents,
}

impl Manifest {
    /// Where a library's manifest is.
    pub fn path_for(library: &Path) -> PathBuf {
        library.with_extension("toml")
    }

    /// Reads the manifest of a library; `None` when there is none.
    ///
    /// # Errors
    /// It is not readable, others may write it, it is malformed, or it is for another file.
    pub fn beside(library: &Path) -> Result<Option<Self>, LoadError> {
        let path = Self::path_for(library);
        match std::fs::symlink_metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LoadError::io(&path, "read", error)),
            Ok(_) => {}
        }
        permissions::check(&path.canonicalize().map_err(|error| LoadError::io(&path, "find", error))?)?;
        let bad = |problem: String| LoadError::Manifest { path: path.clone(), problem };
        let metadata = std::fs::metadata(&path).map_err(|error| LoadError::io(&path, "read", error))?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return Err(bad(format!("not a file of at most {MAX_BYTES} bytes")));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| LoadError::io(&path, "read", error))?;
        let contents = Self::parse(&text).map_err(bad)?;
        if library.file_name().is_none_or(|name| name != contents.file.as_str()) {
            return Err(bad(format!("it is for the file {:?}", contents.file)));
        }
        Ok(Some(Self { path, contents }))
    }

    /// Parses a manifest's text; the error is one line.
    pub fn parse(text: &str) -> Result<Contents, String> {
        let contents: Contents =
            toml::from_str(text).map_err(|error| error.message().trim().replace('\n', " "))?;
        if contents.manifest != 1 {
            return Err(format!("it has format {}, this program reads format 1", contents.manifest));
        }
        if !crate::backend::valid_plugin_name(&contents.name) {
            return Err(format!(
                "the name {:?} is not 1 to 32 lower-case letters, digits and '-', or is reserved",
                contents.name
            ));
        }
        if sha256_from_hex(&contents.sha256).is_none() {
            return Err("sha256 is not 64 hex digits".into());
        }
        for version in [&contents.abi_min, &contents.abi_max] {
            parse_version(version)
                .ok_or_else(|| format!("{version:?} is not an ABI version such as \"0.1\""))?;
        }
        Ok(contents)
    }

    /// What it says.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Refuses a plugin for another ABI before it is opened.
    ///
    /// # Errors
    /// This program's ABI version is outside the range.
    pub fn check_abi(&self) -> Result<(), LoadError> {
        let ours = (INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR);
        let (min, max) = (&self.contents.abi_min, &self.contents.abi_max);
        let fits = parse_version(min).is_some_and(|min| min <= ours)
            && parse_version(max).is_some_and(|max| ours <= max);
        if fits {
            return Ok(());
        }
        Err(self.problem(format!(
            "the plugin is for ABI {min} to {max}, this program speaks {}.{}",
            ours.0, ours.1
        )))
    }

    /// Refuses bytes that the manifest does not vouch for.
    ///
    /// # Errors
    /// The hash differs.
    pub fn check_hash(&self, sha256: &[u8; 32]) -> Result<(), LoadError> {
        let got = hex(sha256);
        if got.eq_ignore_ascii_case(&self.contents.sha256) {
            return Ok(());
        }
        Err(LoadError::Hash { manifest: self.path.clone(), wanted: self.contents.sha256.clone(), got })
    }

    /// Refuses a plugin that calls itself something else than its manifest does.
    ///
    /// # Errors
    /// Name or version differ.
    pub fn check_info(&self, info: &PluginInfo) -> Result<(), LoadError> {
        if (&info.name, &info.version) == (&self.contents.name, &self.contents.version) {
            return Ok(());
        }
        Err(self.problem(format!(
            "it is for {} {}, the library calls itself {} {}",
            self.contents.name, self.contents.version, info.name, info.version
        )))
    }

    /// The vendor's signature, if it holds one.
    ///
    /// # Errors
    /// It is damaged.
    pub fn signature(&self) -> Result<Option<Signature>, LoadError> {
        self.contents.signature.as_deref().map(|text| Signature::parse(text, &self.path)).transpose()
    }

    fn problem(&self, problem: String) -> LoadError {
        LoadError::Manifest { path: self.path.clone(), problem }
    }
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Lower-case hex digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A SHA-256 from its 64 hex digits, in either case.
pub fn sha256_from_hex(digits: &str) -> Option<[u8; 32]> {
    let mut hash = [0; 32];
    if digits.len() != 2 * hash.len() {
        return None;
    }
    for (byte, digits) in hash.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *byte = (digit(digits[0])? << 4 | digit(digits[1])?) as u8;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        manifest = 1
        file = "libmine.so"
        name = "mine"
        version = "1.2.3"
        abi_min = "0.1"
        abi_max = "0.1"
        sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
        devices = "any"
    "#;

    #[test]
    fn a_good_one_and_each_fault() {
        assert_eq!(Manifest::parse(GOOD).unwrap().name, "mine");
        let faults = [
            ("manifest = 1", "manifest = 2", "format 2"),
            ("name = \"mine\"", "name = \"Mine/../x\"", "lower-case"),
            ("sha256 = \"0", "sha256 = \"g", "hex"),
            ("abi_min = \"0.1\"", "abi_min = \"one\"", "ABI version"),
            ("devices", "device", "unknown field"),
            ("version = \"1.2.3\"", "", "version"),
        ];
        for (from, to, says) in faults {
            let error = Manifest::parse(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(says) && !error.contains('\n'), "{to}: {error}");
        }
    }

    #[test]
    fn a_signature_is_kept_as_it_is() {
        let mut contents = Manifest::parse(GOOD).unwrap();
        assert_eq!(contents.signature, None);
        assert!(!toml::to_string(&contents).unwrap().contains("signature"));
        contents.signature = Some("untrusted comment: \"x\" \\\nRUQ=\ntrusted comment: a\tb\nAA==\n".into());
        assert_eq!(Manifest::parse(&toml::to_string(&contents).unwrap()).unwrap(), contents);
    }

    #[test]
    fn the_abi_range_is_inclusive() {
        let with = |min: &str, max: &str| {
            let contents =
                Contents { abi_min: min.into(), abi_max: max.into(), ..Manifest::parse(GOOD).unwrap() };
            Manifest { path: "m.toml".into(), contents }.check_abi().is_ok()
        };
        assert!(with("0.2", "0.2") && with("0.0", "1.0"));
        assert!(!with("0.3", "0.9") && !with("0.0", "0.0"));
    }
}
