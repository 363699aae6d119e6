/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Coordinates and points of G1 and G2. A coordinate is one element of the base field (G1) or c0 + c1·u with u² = −1
 * (G2); the same code does both, by the group's degree.
 */
#ifndef CPU_POINTS_H
#define CPU_POINTS_H

#include "field.h"

typedef struct Coordinate {
    uint64_t c[2][MOST_LIMBS]; /* c[1] is not used when the degree is 1 */
} Coordinate;

/* Extended Jacobian "XYZZ": x = X/ZZ, y = Y/ZZZ, ZZ³ = ZZZ². Infinity has ZZ = 0. */
typedef struct Point {
    Coordinate x, y, zz, zzz;
} Point;

typedef struct Affine {
    Coordinate x, y;
} Affine;

typedef struct Group {
    const Field *field;
    unsigned degree; /* 1: G1, 2: G2 */
} Group;

/* Bytes of a coordinate on the wire; a point has two of them, a sum three. */
static inline size_t coordinate_bytes(const Group *g) { return (size_t)8 * g->field->limbs * g->degree; }

void affine_load(Affine *out, const uint8_t *bytes, const Group *g);

void point_infinity(Point *out);
/* p ← p + q, for any two points: equal, opposite, infinity. */
void point_add(Point *p, const Point *q, const Group *g);
/* The same with an affine q that is not infinity. */
void point_add_affine(Point *p, const Affine *q, const Group *g);
void point_double(Point *p, const Group *g);
/* Jacobian X, Y, Z on the wire. */
void point_store(uint8_t *bytes, const Point *p, const Group *g);

#endif
