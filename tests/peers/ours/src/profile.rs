//! What of a circuit and a witness decides how long a proof takes.

use interlock_core::format::{R1cs, Witness};
use serde_json::{Value, json};

/// Counts: rows and terms of the matrices, and kinds of witness values.
pub fn profile(r1cs: &R1cs, witness: &Witness) -> Value {
    let rows = r1cs.n_constraints() as f64;
    let mut terms = [0_usize; 3];
    let mut occurs = [0, 1, 2].map(|_| vec![false; r1cs.n_wires() as usize]);
    let mut booleans = 0_usize;
    let mut linear = 0_usize;
    for combinations in r1cs.constraints() {
        for (part, combination) in combinations.into_iter().enumerate() {
            terms[part] += combination.len();
            combination.terms().for_each(|(wire, _)| occurs[part][wire as usize] = true);
        }
        let [a, b, c] = combinations;
        linear += usize::from(a.is_empty() || b.is_empty());
        booleans += usize::from(c.is_empty() && a.len() + b.len() == 3);
    }
    let (mut zeros, mut ones, mut short, mut wide) = (0_usize, 0_usize, 0_usize, 0_usize);
    for value in witness.values().as_chunks::<32>().0 {
        match (value[0], value[1..8].iter().all(|&b| b == 0), value[8..].iter().all(|&b| b == 0)) {
            (0, true, true) => zeros += 1,
            (1, true, true) => ones += 1,
            (_, _, true) => short += 1,
            _ => wide += 1,
        }
    }
    json!({
        "constraints": r1cs.n_constraints(),
        "wires": r1cs.n_wires(),
        "public": r1cs.n_public(),
        "boolean_constraints": booleans,
        "linear_constraints": linear,
        "terms_per_row": terms.map(|n| n as f64 / rows),
        "wires_in": occurs.map(|wires| wires.iter().filter(|&&wire| wire).count()),
        "witness": { "zero": zeros, "one": ones, "below_2_64": short, "wide": wide },
    })
}
