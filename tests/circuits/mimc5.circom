// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A two-to-one hash that works over both scalar fields.
//
// MiMC is a block cipher made of one field operation repeated: add the key and a constant, raise to a power. The
// power is 5, because 5 is coprime to r - 1 on BN254 and on BLS12-381 alike, so that each round is a permutation.
// The Miyaguchi-Preneel construction, E_left(right) + left + right, turns the cipher into a one-way compression.
pragma circom 2.1.0;

include "mimc5_constants.circom";

// out = E_key(in)
template Mimc5Cipher() {
    signal input in;
    signal input key;
    signal output out;

    var rounds = mimc5_rounds();
    var constants[rounds] = mimc5_constants();
    signal squared[rounds];
    signal fourth[rounds];
    signal fifth[rounds];

    for (var i = 0; i < rounds; i++) {
        var state = (i == 0 ? in : fifth[i - 1]) + key + constants[i];
        squared[i] <== state * state;
        fourth[i] <== squared[i] * squared[i];
        fifth[i] <== fourth[i] * state;
    }
    out <== fifth[rounds - 1] + key;
}

// out = H(left, right)
template Mimc5Hash() {
    signal input left;
    signal input right;
    signal output out;

    signal encrypted <== Mimc5Cipher()(right, left);
    out <== encrypted + left + right;
}
