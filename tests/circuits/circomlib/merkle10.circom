// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Membership in a Merkle tree of depth 10 with a nullifier, on Poseidon: the shape of Semaphore and of mixers.
pragma circom 2.1.0;

include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/mux1.circom";

template Merkle(depth) {
    signal input secret;
    signal input siblings[depth];
    signal input right[depth];
    signal input scope;
    signal output root;
    signal output nullifier;

    signal nodes[depth + 1];
    component children[depth];
    nodes[0] <== Poseidon(1)([secret]);
    for (var i = 0; i < depth; i++) {
        right[i] * (1 - right[i]) === 0;
        children[i] = MultiMux1(2);
        children[i].c[0] <== [nodes[i], siblings[i]];
        children[i].c[1] <== [siblings[i], nodes[i]];
        children[i].s <== right[i];
        nodes[i + 1] <== Poseidon(2)(children[i].out);
    }
    root <== nodes[depth];
    nullifier <== Poseidon(2)([secret, scope]);
}

component main {public [scope]} = Merkle(10);
