// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The smallest circuit with everything a file format has to carry: one output, one public and two private inputs,
// a constraint whose A, B and C are all non-trivial, and a constant term.
//
// Statement: "I know a and b with product = a * b * scale + b + 7."
pragma circom 2.1.0;

template Multiplier() {
    signal input a;
    signal input b;
    signal input scale;
    signal output product;

    signal ab <== a * b;
    product <== ab * scale + b + 7;
}

component main {public [scale]} = Multiplier();
