/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The moduli, and what follows from them. */
#include <pthread.h>

#include "field.h"
#include "interlock_backend.h"

/* BN254 and BLS12-381 as EIP-196 and the IETF draft on pairing-friendly curves give them. Both curves have the form
 * y² = x³ + b, and both build their quadratic extension with u² = −1; that is all that point arithmetic needs. */
static CurveFields bn254 = {
    .base = {.limbs = 4,
             .modulus = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}},
    .scalar = {.limbs = 4,
               .modulus = {0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}},
};
static CurveFields bls12_381 = {
    .base = {.limbs = 6,
             .modulus = {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf,
                         0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}},
    .scalar = {.limbs = 4,
               .modulus = {0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}},
};

static void prepare(Field *f) {
    /* Newton: each step doubles the bits that are right. An odd number is its own inverse modulo 8. */
    uint64_t inverse = f->modulus[0];
    for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - f->modulus[0] * inverse;
    f->inverse = 0 - inverse;
    /* R and R² by doubling 1. */
    uint64_t power[MOST_LIMBS] = {1};
    for (unsigned i = 0; i < 64 * f->limbs; i++) field_add(power, power, power, f);
    field_copy(f->one, power, f);
    for (unsigned i = 0; i < 64 * f->limbs; i++) field_add(power, power, power, f);
    field_copy(f->r2, power, f);
}

static void prepare_all(void) {
    prepare(&bn254.base);
    prepare(&bn254.scalar);
    prepare(&bls12_381.base);
    prepare(&bls12_381.scalar);
}

const CurveFields *curve_fields(uint32_t curve) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_all);
    return curve == INTERLOCK_CURVE_BN254 ? &bn254 : &bls12_381;
}
