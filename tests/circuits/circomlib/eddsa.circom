// SPDX-License-Identifier: MIT OR Apache-2.0
//
// An EdDSA signature over BabyJubjub with Poseidon. BN254 only: the curve's constants belong to that field.
pragma circom 2.1.0;

include "circomlib/circuits/eddsaposeidon.circom";

template Signed() {
    signal input keyX;
    signal input keyY;
    signal input message;
    signal input r8X;
    signal input r8Y;
    signal input s;

    component verifier = EdDSAPoseidonVerifier();
    verifier.enabled <== 1;
    verifier.Ax <== keyX;
    verifier.Ay <== keyY;
    verifier.M <== message;
    verifier.R8x <== r8X;
    verifier.R8y <== r8Y;
    verifier.S <== s;
}

component main {public [keyX, keyY, message]} = Signed();
