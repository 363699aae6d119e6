// SPDX-License-Identifier: MIT OR Apache-2.0
//
// SHA-256 of 512 bits: the big one, with mostly zero and one in its witness.
pragma circom 2.1.0;

include "circomlib/circuits/sha256/sha256.circom";

template Digest(bits) {
    signal input message[bits];
    signal output digest[256];

    digest <== Sha256(bits)(message);
}

component main = Digest(512);
