// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One Poseidon hash of two inputs.
pragma circom 2.1.0;

include "circomlib/circuits/poseidon.circom";

template PoseidonOfTwo() {
    signal input left;
    signal input right;
    signal output hash;

    hash <== Poseidon(2)([left, right]);
}

component main = PoseidonOfTwo();
