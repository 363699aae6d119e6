// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Anonymous membership: "I belong to this group, and I say this here for the first time."
//
// A member's leaf is the hash of a secret, and a group is the Merkle tree of its leaves. A proof shows the group's
// root without showing which leaf. The nullifier is the same each time one secret is used in one scope (a vote, a
// day, a faucet), so that a second use is seen; nullifiers of different scopes cannot be linked. The message is
// bound to the proof, so that nobody can attach another one.
pragma circom 2.1.0;

include "mimc5.circom";

// The root of the tree in which `leaf` lies; `right[i]` tells whether our node is the right one at level i.
template MerkleRoot(depth) {
    signal input leaf;
    signal input siblings[depth];
    signal input right[depth];
    signal output root;

    signal swap[depth];
    signal nodes[depth + 1];
    nodes[0] <== leaf;
    for (var i = 0; i < depth; i++) {
        right[i] * (1 - right[i]) === 0;
        // One product gives both children: it moves the difference from one side to the other.
        swap[i] <== right[i] * (siblings[i] - nodes[i]);
        nodes[i + 1] <== Mimc5Hash()(nodes[i] + swap[i], siblings[i] - swap[i]);
    }
    root <== nodes[depth];
}

template Membership(depth) {
    signal input secret;
    signal input siblings[depth];
    signal input right[depth];
    signal input scope;
    signal input message;
    signal output root;
    signal output nullifier;

    signal leaf <== Mimc5Hash()(mimc5_leaf_tag(), secret);
    root <== MerkleRoot(depth)(leaf, siblings, right);
    nullifier <== Mimc5Hash()(secret, scope);

    // Without a constraint of its own a public input could be exchanged after the fact in some proof systems.
    signal bound <== message * message;
}

component main {public [scope, message]} = Membership(8);
