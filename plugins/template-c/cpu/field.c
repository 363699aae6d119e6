/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "field.h"

/* 128 bits are an extension of gcc's and clang's, without which this file would be twice as long. */
__extension__ typedef unsigned __int128 Wide;

/* The low 64 bits of a sum that fits in 128; `carry` gets the rest. */
static inline uint64_t low(Wide sum, uint64_t *carry) {
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

/* out ← a − p if that is not negative, or if the carry says that a has one bit more; else a. No branch: the value may
 * be secret. */
static inline void reduce(uint64_t *out, const uint64_t *a, uint64_t carry, const uint64_t *p, unsigned n) {
    uint64_t difference[MOST_LIMBS], borrow = 0;
    for (unsigned i = 0; i < n; i++) {
        Wide d = (Wide)a[i] - p[i] - borrow;
        difference[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    uint64_t keep = 0 - (uint64_t)(borrow > carry);
    for (unsigned i = 0; i < n; i++) out[i] = (a[i] & keep) | (difference[i] & ~keep);
}

void field_add(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f) {
    uint64_t sum[MOST_LIMBS], carry = 0;
    for (unsigned i = 0; i < f->limbs; i++) sum[i] = low((Wide)a[i] + b[i] + carry, &carry);
    reduce(out, sum, carry, f->modulus, f->limbs);
}

void field_sub(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f) {
    uint64_t borrow = 0, carry = 0;
    uint64_t difference[MOST_LIMBS];
    for (unsigned i = 0; i < f->limbs; i++) {
        Wide d = (Wide)a[i] - b[i] - borrow;
        difference[i] = (uint64_t)d;
        borrow = (uint64_t)(d >> 64) & 1;
    }
    uint64_t mask = 0 - borrow;
    for (unsigned i = 0; i < f->limbs; i++) {
        out[i] = low((Wide)difference[i] + (f->modulus[i] & mask) + carry, &carry);
    }
}

/*
 * Montgomery's product by coarsely integrated operand scanning (CIOS): Koç, Acar, Kaliski, "Analyzing and comparing
 * Montgomery multiplication algorithms", 1996. With `n` a constant the compiler unrolls the loops.
 *
 * With a < R, b < p the sum before the last step is below 2p, as (a·b + m·p) / R < (R·p + R·p) / R, so one subtraction
 * ends it.
 */
static inline void multiply(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f, unsigned n) {
    uint64_t t[MOST_LIMBS + 2] = {0};
    for (unsigned i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < n; j++) t[j] = low((Wide)a[j] * b[i] + t[j] + carry, &carry);
        t[n] = low((Wide)t[n] + carry, &t[n + 1]);

        uint64_t m = t[0] * f->inverse;
        (void)low((Wide)m * f->modulus[0] + t[0], &carry);
        for (unsigned j = 1; j < n; j++) t[j - 1] = low((Wide)m * f->modulus[j] + t[j] + carry, &carry);
        t[n - 1] = low((Wide)t[n] + carry, &carry);
        t[n] = t[n + 1] + carry;
    }
    reduce(out, t, t[n], f->modulus, n);
}

void field_mul(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f) {
    if (f->limbs == 4) {
        multiply(out, a, b, f, 4);
    } else {
        multiply(out, a, b, f, 6);
    }
}

void field_power(uint64_t *out, const uint64_t *a, const uint64_t *exponent, unsigned limbs, const Field *f) {
    uint64_t base[MOST_LIMBS], result[MOST_LIMBS];
    field_copy(base, a, f);
    field_copy(result, f->one, f);
    for (unsigned bit = 64 * limbs; bit-- > 0;) {
        field_mul(result, result, result, f);
        if (exponent[bit / 64] >> (bit % 64) & 1) field_mul(result, result, base, f);
    }
    field_copy(out, result, f);
}

void field_invert(uint64_t *out, const uint64_t *a, const Field *f) {
    /* Fermat: a^(p − 2). */
    uint64_t exponent[MOST_LIMBS], borrow = 2;
    for (unsigned i = 0; i < f->limbs; i++) {
        exponent[i] = f->modulus[i] - borrow;
        borrow = f->modulus[i] < borrow;
    }
    field_power(out, a, exponent, f->limbs, f);
}

void field_small(uint64_t *out, uint64_t value, const Field *f) {
    uint64_t limbs[MOST_LIMBS] = {value};
    field_mul(out, limbs, f->r2, f);
}

bool field_is_zero(const uint64_t *a, const Field *f) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < f->limbs; i++) bits |= a[i];
    return bits == 0;
}

bool field_equal(const uint64_t *a, const uint64_t *b, const Field *f) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < f->limbs; i++) bits |= a[i] ^ b[i];
    return bits == 0;
}

bool field_reduced(const uint64_t *a, const Field *f) {
    for (unsigned i = f->limbs; i-- > 0;) {
        if (a[i] != f->modulus[i]) return a[i] < f->modulus[i];
    }
    return false;
}

void limbs_load(uint64_t *out, const uint8_t *bytes, size_t limbs) {
    for (size_t i = 0; i < limbs; i++) {
        uint64_t limb = 0;
        for (unsigned j = 0; j < 8; j++) limb |= (uint64_t)bytes[8 * i + j] << (8 * j);
        out[i] = limb;
    }
}

void limbs_store(uint8_t *bytes, const uint64_t *limbs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = 0; j < 8; j++) bytes[8 * i + j] = (uint8_t)(limbs[i] >> (8 * j));
    }
}
