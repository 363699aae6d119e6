//! The arguments of the contract's call.

use interlock_curves::Bn254;

use super::words::{g1_words, g2_words, scalar_word};
use crate::types::{Proof, PublicSignals};

/// A proof and its signals as the arguments of `verifyProof`, in the text that `snarkjs zkey export soliditycalldata`
/// prints, without an end of line: four lists of quoted words, `a,b,c,input`.
///
/// The one difference: a point at infinity, which no honest proof has, is `0, 0` as the precompiles want it; snarkjs
/// writes `0, 1`, which they refuse. For a circuit without public signals the last list is empty; its contract's function
/// takes only the first three.
pub fn calldata(proof: &Proof<Bn254>, signals: &PublicSignals<Bn254>) -> String {
    let [a, c] = [&proof.a, &proof.c].map(|point| {
        let [x, y] = g1_words(point);
        format!(r#"["{x}", "{y}"]"#)
    });
    let [x1, x0, y1, y0] = g2_words(&proof.b);
    let inputs: Vec<_> = signals.0.iter().map(|signal| format!(r#""{}""#, scalar_word(signal))).collect();
    format!(r#"{a},[["{x1}", "{x0}"],["{y1}", "{y0}"]],{c},[{}]"#, inputs.join(","))
}
