//! Signatures of vendors, as minisign makes them: `minisign -Sm libmine.so` writes `libmine.so.minisig`.
//!
//! A signature is an Ed25519 signature of the BLAKE2b-512 hash of the library, and another one of the first and the trusted
//! comment. The older kind, of the file itself, which minisign makes with `-l`, is refused: one kind is enough to get right.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use minisign_verify::PublicKey;

use super::error::LoadError;

/// A signature is four short lines; more is refused unread.
const MAX_BYTES: u64 = 4096;

/// The number that minisign gives to a key; shown as minisign does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId([u8; 8]);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", u64::from_le_bytes(self.0))
    }
}

/// A vendor's public key: the line that begins with `RW` in minisign's `.pub` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VendorKey {
    text: String,
    id: KeyId,
    key: PublicKey,
}

impl VendorKey {
    /// Its number.
    pub fn id(&self) -> KeyId {
        self.id
    }
}

impl FromStr for VendorKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad =
            || format!("{text:?} is not a minisign public key, which is 56 characters and begins with RW");
        let key = PublicKey::from_base64(text).map_err(|_| bad())?;
        let (_, id) = head(text).ok_or_else(bad)?;
        Ok(Self { text: text.to_owned(), id, key })
    }
}

impl fmt::Display for VendorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is known of who signed a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// Nobody.
    No,
    /// There is a signature by a key that is not trusted. It cannot be checked, so it says nothing.
    Unknown(KeyId),
    /// The holder of this trusted key.
    By(VendorKey),
}

/// A signature, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    place: PathBuf,
    text: String,
    id: KeyId,
}

impl Signature {
    /// Where the signature of a library is that has no manifest: `libmine.so.minisig`.
    pub fn path_for(library: &Path) -> PathBuf {
        let mut path = library.as_os_str().to_owned();
        path.push(".minisig");
        path.into()
    }

    /// Reads a signature file.
    ///
    /// # Errors
    /// It cannot be read, or is not what minisign writes.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        let io = |error| LoadError::io(path, "read", error);
        let metadata = std::fs::metadata(path).map_err(io)?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            let problem = format!("it is not a file of at most {MAX_BYTES} bytes");
            return Err(LoadError::Signature { place: path.to_owned(), problem });
        }
        let mut text = Vec::new();
        std::fs::File::open(path).map_err(io)?.take(MAX_BYTES).read_to_end(&mut text).map_err(io)?;
        Self::parse(&String::from_utf8_lossy(&text), path)
    }

    /// Reads the signature file beside a library, if there is one.
    ///
    /// # Errors
    /// As [`Signature::read`].
    pub fn beside(library: &Path) -> Result<Option<Self>, LoadError> {
        let path = Self::path_for(library);
        match std::fs::symlink_metadata(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            _ => Self::read(&path).map(Some),
        }
    }

    /// Takes the text of a signature file, found in `place`.
    ///
    /// # Errors
    /// It is not what minisign writes, or of the older kind.
    pub fn parse(text: &str, place: &Path) -> Result<Self, LoadError> {
        let bad =
            |problem: &str| LoadError::Signature { place: place.to_owned(), problem: problem.to_owned() };
        let damaged = || bad("it is damaged, or not what minisign writes");
        minisign_verify::Signature::decode(text).map_err(|_| damaged())?;
        let (kind, id) = text.lines().nth(1).and_then(head).ok_or_else(damaged)?;
        if &kind != b"ED" {
            return Err(bad("it is of minisign's older kind: sign again with `minisign -S`, without -l"));
        }
        Ok(Self { place: place.to_owned(), text: text.to_owned(), id })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of the key that made it, as it says itself.
    pub fn key_id(&self) -> KeyId {
        self.id
    }

    /// Who of `trusted` signed these bytes.
    ///
    /// # Errors
    /// A trusted key is said to have signed them, and has not.
    pub fn check<'a>(
        &self,
        bytes: &[u8],
        trusted: impl Iterator<Item = &'a VendorKey>,
    ) -> Result<Signed, LoadError> {
        let wrong = |problem: String| LoadError::Signature { place: self.place.clone(), problem };
        let signature =
            minisign_verify::Signature::decode(&self.text).map_err(|error| wrong(error.to_string()))?;
        let mut named = None;
        for key in trusted.filter(|key| key.id == self.id) {
            if key.key.verify(bytes, &signature, false).is_ok() {
                return Ok(Signed::By(key.clone()));
            }
            named = Some(key);
        }
        match named {
            None => Ok(Signed::Unknown(self.id)),
            Some(key) => Err(wrong(format!(
                "it is not a signature of this library by the key {key} (ID {}): the library or the signature was \
                 changed, or belongs to another version",
                key.id
            ))),
        }
    }
}

/// Kind and number of a key or signature: the first ten bytes behind its base64.
fn head(text: &str) -> Option<([u8; 2], KeyId)> {
    let digit = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let mut bits: u128 = 0;
    for &byte in text.as_bytes().first_chunk::<16>()? {
        bits = bits << 6 | u128::from(digit(byte)?);
    }
    // 96 bits: twelve bytes, big-endian.
    let bytes = &bits.to_be_bytes()[4..];
    Some((bytes.first_chunk().copied()?, KeyId(*bytes[2..].first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // The example of minisign-verify's documentation, made with minisign itself: a signature of `test`.
    const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    const TEXT: &str = "untrusted comment: signature from minisign secret key\n\
        RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=\n\
        trusted comment: timestamp:1556193335\tfile:test\n\
        y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==\n";
    // Another one of its tests, of the older kind.
    const OLD: &str = "untrusted comment: signature from minisign secret key\n\
        RWQf6LRCGA9i59SLOFxz6NxvASXDJeRtuZykwQepbDEGt87ig1BNpWaVWuNrm73YiIiJbq71Wi+dP9eKL8OC351vwIasSSbXxwA=\n\
        trusted comment: timestamp:1555779966\tfile:test\n\
        QtKMXWyYcwdpZAlPF7tE2ENJkRd1ujvKjlj1m9RtHTBnZPa5WKU5uWRs5GoP5M/VqE81QFuMKI5k/SfNQUaOAA==\n";

    fn parse(text: &str) -> Result<Signature, String> {
        Signature::parse(text, "x.minisig".as_ref()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_published_signature_and_what_is_wrong_with_others() {
        let key: VendorKey = KEY.parse().unwrap();
        // The number is in the comment of the published .pub file.
        assert_eq!(key.id().to_string(), "E7620F1842B4E81F");
        assert_eq!(key.to_string(), KEY);
        let signature = parse(TEXT).unwrap();
        assert_eq!(signature.key_id(), key.id());
        assert_eq!(signature.check(b"test", [&key].into_iter()).unwrap(), Signed::By(key.clone()));
        assert_eq!(signature.check(b"test", [].into_iter()).unwrap(), Signed::Unknown(key.id()));
        let error = signature.check(b"Test", [&key].into_iter()).unwrap_err().to_string();
        assert!(error.starts_with("signature x.minisig: it is not a signature of this library"), "{error}");
        // The trusted comment is signed, too; the other one is not.
        let check = |text: &str| parse(text).unwrap().check(b"test", [&key].into_iter());
        assert!(check(&TEXT.replace("file:test", "file:best")).is_err());
        assert!(check(&TEXT.replace("from minisign", "from nobody")).is_ok());
        assert!(check(&TEXT.replace('\n', "\r\n")).is_ok());

        assert!(parse(OLD).unwrap_err().contains("older kind"));
        for text in
            ["", "\n\n\n\n", &TEXT[..200], &TEXT.replace("RUQf", "RUQé"), &TEXT.replace("RUQf", "QUQf")]
        {
            assert!(parse(text).unwrap_err().contains("damaged"), "{text}");
        }
    }

    #[test]
    fn what_is_no_key() {
        for text in
            ["", "RW", &KEY[..55], &format!("{KEY}A"), &KEY.replace("RW", "QW"), &KEY.replace('Q', "é")]
        {
            let error = text.parse::<VendorKey>().unwrap_err();
            assert!(error.contains("not a minisign public key"), "{error}");
        }
    }
}
