//! File formats: what circom and snarkjs write, read and checked before anything is sized or computed from it.
//!
//! | module | files |
//! |---|---|
//! | [`zkey`] | proving keys (`.zkey`), mapped into memory; [`zkey_write`] makes them |
//! | [`wtns`] | witnesses (`.wtns`), read into memory that is zeroised |
//! | [`r1cs`] | circuits (`.r1cs`) |
//! | [`snarkjs_json`] | verification keys, proofs and public signals |
//! | [`arkworks`] | arkworks' keys and proofs, compressed and not |
//! | [`bellman`] | parameters (`.params`), keys (`.vk`) and proofs of bellman, bellperson and Zcash |
//! | [`mod@detect`] | which of these a file is |
//!
//! Three of them share a container ([`sections`]). Files come through [`source`]; every failure is a
//! [`FormatError`], which says where in which file it was found. Bad input is an error, never a panic, and never
//! an allocation larger than the file (twice as large where compressed points are unpacked).

pub mod arkworks;
pub mod bellman;
pub mod detect;
mod error;
pub mod r1cs;
mod reader;
pub mod sections;
pub mod snarkjs_json;
pub mod source;
pub mod wtns;
pub mod zkey;
pub mod zkey_write;

#[cfg(test)]
mod damage;

pub use detect::{FileKind, detect, detect_file};
pub use error::{FormatError, FormatErrorKind, SectionName};
pub use r1cs::R1cs;
pub use source::{MappedFile, Section};
pub use wtns::Witness;
pub use zkey::{Csr, Zkey};

#[cfg(not(target_pointer_width = "64"))]
compile_error!("Interlock maps keys of many GiB and needs a 64-bit host");
