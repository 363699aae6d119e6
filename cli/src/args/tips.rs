//! What to write instead, for words that other programs' users try.

use clap::error::{ContextKind, ContextValue};

/// A word where a command should be, and what to say to it.
const TIPS: [(&str, &str); 11] = [
    (
        "groth16",
        "`interlock prove` and `interlock verify` take the same files in the same order, without `groth16`",
    ),
    ("zkey", "`interlock export` writes verification keys, contracts and their arguments, without `zkey`"),
    ("verificationkey", "`interlock export vk KEY VKEY.json` writes a key's verification key"),
    ("solidityverifier", "`interlock export solidity KEY OUT.sol` writes the contract"),
    ("soliditycalldata", "`interlock export calldata PROOF PUBLIC` prints the contract's arguments"),
    ("generatecall", "`interlock export calldata PROOF PUBLIC` prints the contract's arguments"),
    ("wtns", "Interlock makes no witnesses; `interlock prove --r1cs CIRCUIT.r1cs` checks one"),
    ("list", "`interlock backends` lists backends"),
    ("remove", "to remove a backend, delete its .so and the .toml beside it"),
    ("uninstall", "to remove a backend, delete its .so and the .toml beside it"),
    ("version", "`interlock --version` prints the version"),
];

/// Adds the tip for an unknown command.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    let word = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => word,
        _ => return error,
    };
    if let Some((_, tip)) = TIPS.iter().find(|(known, _)| known == word) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*tip).into()]));
    }
    error
}
