// Valid inputs of the circuits whose keys are published on npm, and the public signals that they must give.
//
//     node tests/tools/npm/inputs.mjs POSEIDON_LITE OUT
//
// POSEIDON_LITE is the folder of an unpacked `poseidon-lite`. For each circuit OUT/NAME.input.json and
// OUT/NAME.public.json are written. The signals are computed from what the circuits state, not by the circuits, so that
// a proof's public inputs are compared with something that neither the witness nor the prover computed.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [poseidonFolder, out] = process.argv.slice(2);
if (!out) {
  console.error("usage: node inputs.mjs POSEIDON_LITE OUT");
  process.exit(2);
}
const poseidonLite = createRequire(resolve(poseidonFolder, "inputs.cjs"))("./index.js");

/** BN254's scalar field. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

const mod = (x) => ((x % R) + R) % R;

const hash = (...values) => poseidonLite[`poseidon${values.length}`](values.map(mod));

/** A number that nobody chose: below 2^bits, 248 at most. */
function number(label, bits = 248) {
  const digest = createHash("sha256").update(`Interlock npm fixtures: ${label}`).digest("hex");
  return BigInt(`0x${digest}`) >> BigInt(256 - bits);
}

/** A Merkle path: `index` says in its bits, lowest first, at which levels the node is the right one. */
function path(label, depth, leaf, index) {
  const siblings = [];
  const bits = [];
  let node = leaf;
  for (let level = 0; level < depth; level++) {
    const sibling = number(`${label} ${level}`);
    const bit = (index >> BigInt(level)) & 1n;
    node = bit === 1n ? hash(sibling, node) : hash(node, sibling);
    siblings.push(sibling);
    bits.push(bit);
  }
  return { siblings, bits, root: node };
}

/** BabyJubJub: a·x² + y² = 1 + d·x²·y², and its base point of prime order. */
const JUBJUB = {
  a: 168700n,
  d: 168696n,
  base: [
    5299619240641551281634865583518297030282874472190772894086521144482721001553n,
    16950150798460657717958625567821834550301663161624707787222815936182638968203n,
  ],
};

function inverse(x) {
  let [result, base] = [1n, mod(x)];
  for (let exponent = R - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * base);
    base = mod(base * base);
  }
  return result;
}

function addPoints([x1, y1], [x2, y2]) {
  const cross = mod(JUBJUB.d * x1 * x2 * y1 * y2);
  return [
    mod((x1 * y2 + y1 * x2) * inverse(1n + cross)),
    mod((y1 * y2 - JUBJUB.a * x1 * x2) * inverse(1n - cross)),
  ];
}

function publicKey(secret) {
  let [sum, power] = [[0n, 1n], JUBJUB.base];
  for (let rest = secret; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = addPoints(sum, power);
    power = addPoints(power, power);
  }
  return sum;
}

const circuits = {};

/** Semaphore 4: membership in a group of at most 2^maxDepth, here in a tree of a smaller depth where there is one. */
function semaphore(maxDepth) {
  const secret = number("semaphore secret", 240);
  const depth = Math.max(1, maxDepth - 3);
  const index = number("semaphore index", depth);
  const { siblings, root } = path("semaphore sibling", depth, hash(...publicKey(secret)), index);
  const [message, scope] = [number("semaphore message"), number("semaphore scope")];
  const padding = Array(maxDepth - depth).fill(0n);
  circuits[`semaphore-${maxDepth}`] = {
    input: {
      secret,
      merkleProofLength: BigInt(depth),
      merkleProofIndex: index,
      merkleProofSiblings: [...siblings, ...padding],
      message,
      scope,
    },
    signals: [root, hash(scope, secret), message, scope],
  };
}
for (const maxDepth of [1, 20, 32]) semaphore(maxDepth);

/** Unirep 2: its published keys are for these sizes. */
const UNIREP = { depth: 17, nonces: 3, fields: 6, sumFields: 4, replacementNonceBits: 48n };

const unirep = {
  identity_secret: number("unirep secret"),
  attester_id: number("unirep attester", 160),
  epoch: 12n,
  chain_id: 31337n,
};
const sig_data = number("unirep data to sign");
const unirepControl = (epoch, nonce, nonceBits) =>
  unirep.attester_id + (epoch << 160n) + (nonce << 208n) + (unirep.chain_id << (208n + nonceBits));
const epochKey = (epoch, nonce) => hash(unirep.identity_secret, unirepControl(epoch, nonce, 8n));
const stateLeaf = (data, epoch) =>
  hash(
    hash(unirep.identity_secret, unirepControl(epoch, 0n, 0n)),
    data.slice(1).reduce((sum, field) => hash(sum, field), data[0]),
  );
const keyControl = (epoch, nonce, reveal) =>
  reveal * nonce + (epoch << 8n) + (unirep.attester_id << 56n) + (reveal << 216n) + (unirep.chain_id << 217n);

{
  const noData = Array(UNIREP.fields).fill(0n);
  circuits["unirep-signup"] = {
    input: unirep,
    signals: [
      hash(unirep.identity_secret),
      stateLeaf(noData, unirep.epoch),
      unirepControl(unirep.epoch, 0n, 0n),
    ],
  };
}

// A user whom others have attested: 70 up, 25 down, and a graffito with a nonce below it.
const graffiti = number("unirep graffiti", 200);
const data = [70n, 25n, 3n, 4n, (graffiti << UNIREP.replacementNonceBits) + 5n, 6n];
const key = { ...unirep, reveal_nonce: 1n, nonce: 2n, sig_data };
const state = path("unirep state", UNIREP.depth, stateLeaf(data, unirep.epoch), number("unirep index", UNIREP.depth));
const inState = { data, state_tree_indices: state.bits, state_tree_elements: state.siblings };
const keyOf = epochKey(unirep.epoch, key.nonce);
const controlOf = keyControl(unirep.epoch, key.nonce, key.reveal_nonce);

circuits["unirep-epochKeyLite"] = { input: key, signals: [controlOf, keyOf, sig_data] };

circuits["unirep-epochKey"] = { input: { ...key, ...inState }, signals: [keyOf, state.root, controlOf, sig_data] };

{
  const scope = number("unirep scope");
  circuits["unirep-scopeNullifier"] = {
    input: { ...key, ...inState, scope },
    signals: [keyOf, state.root, controlOf, hash(scope, unirep.identity_secret), sig_data, scope],
  };
}

{
  const claim = { min_rep: 40n, max_rep: 0n, prove_min_rep: 1n, prove_max_rep: 0n, prove_zero_rep: 0n };
  const claimed = claim.min_rep + (claim.prove_min_rep << 128n) + (1n << 131n);
  circuits["unirep-reputation"] = {
    input: { ...key, ...inState, ...claim, prove_graffiti: 1n, graffiti },
    signals: [keyOf, state.root, controlOf, claimed, graffiti, sig_data],
  };
}

{
  // One of the three epoch keys has received data: its leaf is in the epoch tree, and the others' data are zero.
  const to_epoch = unirep.epoch + 3n;
  const attested = 1;
  const received = [10n, 2n, 0n, 1n, (number("unirep new graffiti", 200) << UNIREP.replacementNonceBits) + 9n, 1n];
  const new_data = Array.from({ length: UNIREP.nonces }, (_, nonce) =>
    nonce === attested ? received : Array(UNIREP.fields).fill(0n),
  );
  const leaf = received.reduce((sum, field) => hash(sum, field), epochKey(unirep.epoch, BigInt(attested)));
  const tree = path("unirep epoch tree", UNIREP.depth, leaf, number("unirep epoch index", UNIREP.depth));
  const history = path("unirep history", UNIREP.depth, hash(state.root, tree.root), 9n);
  // Sums add up; a replacement field takes the value with the higher nonce, which is in its low bits.
  const nonceOf = (field) => field & ((1n << UNIREP.replacementNonceBits) - 1n);
  const after = data.map((field, i) => {
    if (i < UNIREP.sumFields) return field + received[i];
    return nonceOf(received[i]) > nonceOf(field) ? received[i] : field;
  });
  // An epoch key that was used is not revealed: another nonce's stands in its place.
  const revealed = new_data.map((_, nonce) =>
    epochKey(unirep.epoch, BigInt(nonce === attested ? UNIREP.nonces + nonce : nonce)),
  );
  const { epoch: from_epoch, ...user } = unirep;
  circuits["unirep-userStateTransition"] = {
    input: {
      ...user,
      ...inState,
      from_epoch,
      to_epoch,
      history_tree_indices: history.bits,
      history_tree_elements: history.siblings,
      new_data,
      epoch_tree_root: tree.root,
      epoch_tree_elements: new_data.map(() => tree.siblings),
      epoch_tree_indices: new_data.map(() => tree.bits),
    },
    signals: [history.root, stateLeaf(after, to_epoch), ...revealed, unirep.attester_id + (to_epoch << 160n)],
  };
}

{
  // RLN 1, as Waku uses it: two messages in one epoch would reveal the secret as a line's intercept.
  const depth = 20;
  const identity_secret = number("rln secret");
  const [x, epoch, rln_identifier] = [number("rln message"), number("rln epoch"), number("rln identifier")];
  const { siblings, bits, root } = path("rln sibling", depth, hash(identity_secret), number("rln index", depth));
  const slope = hash(identity_secret, epoch);
  circuits["rln-20"] = {
    input: { identity_secret, path_elements: siblings, identity_path_index: bits, x, epoch, rln_identifier },
    signals: [mod(identity_secret + slope * x), root, hash(slope, rln_identifier), x, epoch, rln_identifier],
  };
}

mkdirSync(out, { recursive: true });
const text = (value) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? v.toString() : v), 1);
for (const [name, { input, signals }] of Object.entries(circuits)) {
  writeFileSync(join(out, `${name}.input.json`), text(input));
  writeFileSync(join(out, `${name}.public.json`), text(signals));
}
