// Writes ../circuits/mimc5_constants.circom: the round constants of the hash of the `membership` circuit.
//
//     node tests/tools/mimc5_constants.mjs
//
// Each constant is SHA-256("Interlock MiMC-5 <label>") cut to its first 248 bits: anyone can recompute it, nobody
// could have chosen it, and it is below the scalar field's modulus on both curves, so that one file serves both.

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

// ceil(log_5(2^255)): after so many rounds the algebraic degree exceeds both field sizes.
const ROUNDS = 110;

function constant(label) {
  const digest = createHash("sha256").update(`Interlock MiMC-5 ${label}`).digest("hex");
  return BigInt(`0x${digest.slice(0, 62)}`).toString();
}

// The first round's constant is zero, as in the cipher's definition: a constant there only renames the input.
const rounds = Array.from({ length: ROUNDS }, (_, i) => (i === 0 ? "0" : constant(`round ${i}`)));

const text = `// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Round constants of the hash in mimc5.circom. Written by tests/tools/mimc5_constants.mjs: do not edit.
pragma circom 2.1.0;

function mimc5_rounds() {
    return ${ROUNDS};
}

// Sets the hash of a member's secret apart from every other use of the hash.
function mimc5_leaf_tag() {
    return ${constant("leaf")};
}

function mimc5_constants() {
    return [
${rounds.map((c) => `        ${c}`).join(",\n")}
    ];
}
`;

writeFileSync(new URL("../circuits/mimc5_constants.circom", import.meta.url), text);
