/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Prime fields in Montgomery form, of 4 or 6 limbs of 64 bits, least significant first: an element stands for
 * value · R mod p with R = 2^(64 · limbs). All results are below p; so must all operands be, except where said.
 */
#ifndef CPU_FIELD_H
#define CPU_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_LIMBS = 6, SCALAR_LIMBS = 4, SCALAR_BYTES = 32 };

typedef struct Field {
    unsigned limbs;
    uint64_t modulus[MOST_LIMBS];
    uint64_t inverse;         /* −p⁻¹ mod 2^64 */
    uint64_t one[MOST_LIMBS]; /* R mod p */
    uint64_t r2[MOST_LIMBS];  /* R² mod p */
} Field;

/* The two fields of a curve. */
typedef struct CurveFields {
    Field base;   /* where coordinates live */
    Field scalar; /* the integers modulo the order of the groups */
} CurveFields;

/* Those of INTERLOCK_CURVE_BN254 or INTERLOCK_CURVE_BLS12_381. */
const CurveFields *curve_fields(uint32_t curve);

/* `out` may be an operand. */
void field_add(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f);
void field_sub(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f);
/* a · b / R. One operand may be anything below R: the result is below p all the same. */
void field_mul(uint64_t *out, const uint64_t *a, const uint64_t *b, const Field *f);
/* a^exponent, `limbs` of them. */
void field_power(uint64_t *out, const uint64_t *a, const uint64_t *exponent, unsigned limbs, const Field *f);
/* a⁻¹; zero gives zero. */
void field_invert(uint64_t *out, const uint64_t *a, const Field *f);
/* An integer's element. */
void field_small(uint64_t *out, uint64_t value, const Field *f);

bool field_is_zero(const uint64_t *a, const Field *f);
bool field_equal(const uint64_t *a, const uint64_t *b, const Field *f);
/* Whether limbs are an element: below p. */
bool field_reduced(const uint64_t *a, const Field *f);

static inline void field_copy(uint64_t *out, const uint64_t *a, const Field *f) {
    for (unsigned i = 0; i < f->limbs; i++) out[i] = a[i];
}

/* Limbs from and to bytes on the wire: little-endian, whatever this machine is, at any address. */
void limbs_load(uint64_t *out, const uint8_t *bytes, size_t limbs);
void limbs_store(uint8_t *bytes, const uint64_t *limbs, size_t count);

#endif
