//! The verifier contract.

use interlock_curves::{Bn254, Curve};

use super::words::{g1_words, g2_words, word_le};
use crate::types::VerifyingKey;

/// Why there is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Solidity would take the name for something else. All its keywords begin with a small letter.
    #[error(
        "{0:?} is no name for a contract: it takes letters, digits, underscores, and a capital letter first"
    )]
    Name(String),
    /// The key has no point for the constant one, so no proof can be verified with it.
    #[error("the verifying key has no IC points at all: it is damaged")]
    NoConstant,
}

/// The source of a contract that verifies proofs under one key: Solidity 0.8, no dependencies, no owner, no state.
///
/// Its one function is
///
/// ```text
/// function verifyProof(uint256[2] calldata a, uint256[2][2] calldata b, uint256[2] calldata c, uint256[N] calldata input)
///     external view returns (bool)
/// ```
///
/// with the arguments that [`calldata`](super::calldata) writes; without `input` when the circuit has no public signals,
/// since Solidity has no empty arrays. It checks `e(−A, B)·e(α, β)·e(IC_0 + Σ input_i·IC_i, γ)·e(C, δ) = 1` with the
/// precompiles 6, 7 and 8 (EIP-196, EIP-197), which refuse points off the curve and, in G2, outside the subgroup. It
/// returns false, and does not revert, for a proof that does not verify, for a coordinate that is not below the base
/// field's modulus, and for an input that is not below the group's order: `x` and `x + r` would otherwise be two names
/// of one statement.
///
/// On a chain that lacks the precompiles it returns false for everything.
///
/// Every public signal takes some 115 bytes of code (90 with the compiler's optimiser), so the limit of 24,576 bytes for
/// a contract (EIP-170) is reached at about 180 signals (250).
///
/// # Errors
/// See [`ExportError`].
pub fn solidity(key: &VerifyingKey<Bn254>, contract_name: &str) -> Result<String, ExportError> {
    let capital = contract_name.starts_with(|first: char| first.is_ascii_uppercase());
    if !capital || !contract_name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(ExportError::Name(contract_name.to_owned()));
    }
    let Some((constant, points)) = key.ic.split_first() else { return Err(ExportError::NoConstant) };
    let n = points.len();
    let (parameter, check) = match n {
        0 => (String::new(), String::new()),
        _ => (format!(",\n        uint256[{n}] calldata input"), check_inputs(n)),
    };
    let [alpha_x, alpha_y] = g1_words(&key.alpha_g1);
    let [constant_x, constant_y] = g1_words(constant);
    let terms: String = points.iter().enumerate().map(|(i, point)| term(i, &g1_words(point))).collect();
    let [beta, gamma, delta] = [&key.beta_g2, &key.gamma_g2, &key.delta_g2].map(g2_words);
    let (beta, gamma, delta) = (pair_tail(8, &beta), pair_tail(14, &gamma), pair_tail(20, &delta));
    let q = modulus(Curve::Bn254.base_modulus_le());
    let r = modulus(Curve::Bn254.scalar_modulus_le());
    Ok(format!(
        r"// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Interlock for one verifying key; do not edit.
pragma solidity >=0.8.0 <0.9.0;

/// @title Verifier of Groth16 proofs on BN254 under one verifying key
contract {contract_name} {{
    // The modulus of the field of coordinates.
    uint256 private constant BASE_MODULUS = {q};
    // The order of the groups, the modulus of the field of signals.
    uint256 private constant GROUP_ORDER = {r};

    /// @notice Whether a proof holds for the given public signals. Never reverts on a bad proof. A point that is not in
    /// its group makes a precompile consume the gas it was given, 63/64 of what is left.
    /// @param a A in G1: x, y
    /// @param b B in G2: x, y, each with the imaginary part first
    /// @param c C in G1: x, y{input_doc}
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c{parameter}
    ) external view returns (bool) {{
        if (
            a[0] >= BASE_MODULUS || a[1] >= BASE_MODULUS ||
            b[0][0] >= BASE_MODULUS || b[0][1] >= BASE_MODULUS ||
            b[1][0] >= BASE_MODULUS || b[1][1] >= BASE_MODULUS ||
            c[0] >= BASE_MODULUS || c[1] >= BASE_MODULUS
        ) return false;
{check}
        // The sum of the points of the signals, in words 0 and 1; the others are for the term that is added.
        uint256[5] memory sum;
        sum[0] = {constant_x};
        sum[1] = {constant_y};
{terms}
        // e(-A, B) e(alpha, beta) e(sum, gamma) e(C, delta) = 1
        uint256[24] memory pairs;
        pairs[0] = a[0];
        pairs[1] = (BASE_MODULUS - a[1]) % BASE_MODULUS;
        pairs[2] = b[0][0];
        pairs[3] = b[0][1];
        pairs[4] = b[1][0];
        pairs[5] = b[1][1];
        pairs[6] = {alpha_x};
        pairs[7] = {alpha_y};
{beta}        pairs[12] = sum[0];
        pairs[13] = sum[1];
{gamma}        pairs[18] = c[0];
        pairs[19] = c[1];
{delta}
        bool ok;
        assembly {{
            ok := staticcall(gas(), 8, pairs, 0x300, pairs, 0x20)
            // A chain without the precompile answers with success and no data.
            ok := and(ok, eq(returndatasize(), 0x20))
        }}
        return ok && pairs[0] == 1;
    }}
{helper}}}
",
        input_doc = if n == 0 { "" } else { INPUT_DOC },
        helper = if n == 0 { "" } else { ADD_TERM },
    ))
}

const INPUT_DOC: &str = "\n    /// @param input The public signals: outputs, then inputs";

/// The helper that the terms call.
const ADD_TERM: &str = r"
    // Adds scalar * (x, y) to the point in words 0 and 1 of sum; false when a precompile fails.
    function addTerm(uint256[5] memory sum, uint256 x, uint256 y, uint256 scalar) private view returns (bool ok) {
        sum[2] = x;
        sum[3] = y;
        sum[4] = scalar;
        assembly {
            let product := add(sum, 0x40)
            ok := staticcall(gas(), 7, product, 0x60, product, 0x40)
            if ok {
                ok := staticcall(gas(), 6, sum, 0x80, sum, 0x40)
                ok := and(ok, eq(returndatasize(), 0x40))
            }
        }
    }
";

fn check_inputs(n: usize) -> String {
    format!(
        "        for (uint256 i = 0; i < {n}; ++i) {{\n            if (input[i] >= GROUP_ORDER) return false;\n        }}\n"
    )
}

fn term(index: usize, [x, y]: &[String; 2]) -> String {
    format!(
        "        if (!addTerm(\n            sum,\n            {x},\n            {y},\n            input[{index}]\n        )) return false;\n"
    )
}

/// The four words of a G2 point of the key from word `at` of the pairs.
fn pair_tail(at: usize, words: &[String; 4]) -> String {
    (at..).zip(words).map(|(at, word)| format!("        pairs[{at}] = {word};\n")).collect()
}

fn modulus(little_endian: &[u8]) -> String {
    little_endian.first_chunk().map_or_else(String::new, word_le)
}
