/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Known answers for one curve, in hex, as on the wire. vectors.py computes them and says what they are. */
#ifndef CHECK_VECTORS_H
#define CHECK_VECTORS_H

#include <stddef.h>
#include <stdint.h>

/* A sum over pools: a digit of `bases` is a point's place in its pool, one of `scalars` a scalar's. Affine results. */
typedef struct SumCase {
    const char *name, *bases, *scalars, *g1, *g2;
} SumCase;

enum { POOL = 8, POINTS = 6, SUM_CASES = 15, LONG_SUM = 1500, LONG_NTT = 512, LONG_SHOWN = 5 };

typedef struct Vectors {
    uint32_t curve;
    unsigned limbs;                    /* of a coordinate in G1 */
    const char *factors, *products;    /* base field: a, b, −1 and a·b, (−1)², −a */
    const char *g1, *g2;               /* POINTS points: four unlike ones, minus the first, infinity */
    const char *canonical, *montgomery; /* POOL scalars */
    const char *long_g1, *long_g2;     /* LONG_SUM terms of a generator's scalars */
    const char *shift, *generator8, *generator512;
    const char *values, *rows;         /* a matrix's values, and its product with the pool */
    const char *multiplied, *multiplied_less, *scaled;
    const char *ntt8[4];               /* INTERLOCK_NTT_*: of the pool */
    const char *ntt512[4];             /* of 1, 2, … 512, canonical, at five positions */
    SumCase sums[SUM_CASES];
} Vectors;

/* One for each curve. */
extern const Vectors *const all_vectors[2];

/* Bytes of hex digits, to be freed; `length`, if not NULL, gets how many. */
uint8_t *bytes_of(const char *hex, size_t *length);

/* The generator of the long sum's scalars: a multiple of 32 bytes, canonical. */
void long_scalars(uint8_t *bytes, size_t count);

#endif
