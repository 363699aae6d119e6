// SPDX-License-Identifier: MIT OR Apache-2.0
//
// SHA-256 of 4,000 bits, eight blocks: for benchmarks, too large for tests.
pragma circom 2.1.0;

include "circomlib/circuits/sha256/sha256.circom";

template Digest(bits) {
    signal input message[bits];
    signal output digest[256];

    digest <== Sha256(bits)(message);
}

component main = Digest(4000);
