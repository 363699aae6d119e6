/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The formulas are those of the Explicit-Formulas Database for short Weierstrass curves in XYZZ coordinates, with
 * a = 0: https://hyperelliptic.org/EFD/g1p/auto-shortw-xyzz.html. Names of variables are the database's.
 */
#include "points.h"

#include <string.h>

static void add(Coordinate *out, const Coordinate *a, const Coordinate *b, const Group *g) {
    for (unsigned i = 0; i < g->degree; i++) field_add(out->c[i], a->c[i], b->c[i], g->field);
}

static void sub(Coordinate *out, const Coordinate *a, const Coordinate *b, const Group *g) {
    for (unsigned i = 0; i < g->degree; i++) field_sub(out->c[i], a->c[i], b->c[i], g->field);
}

/* In the extension by Karatsuba: (a0 + a1·u)(b0 + b1·u) = a0·b0 − a1·b1 + ((a0 + a1)(b0 + b1) − a0·b0 − a1·b1)·u. */
static void mul(Coordinate *out, const Coordinate *a, const Coordinate *b, const Group *g) {
    const Field *f = g->field;
    if (g->degree == 1) {
        field_mul(out->c[0], a->c[0], b->c[0], f);
        return;
    }
    uint64_t low[MOST_LIMBS], high[MOST_LIMBS], sum_a[MOST_LIMBS], sum_b[MOST_LIMBS];
    field_add(sum_a, a->c[0], a->c[1], f);
    field_add(sum_b, b->c[0], b->c[1], f);
    field_mul(low, a->c[0], b->c[0], f);
    field_mul(high, a->c[1], b->c[1], f);
    field_mul(sum_a, sum_a, sum_b, f);
    field_sub(sum_a, sum_a, low, f);
    field_sub(out->c[1], sum_a, high, f);
    field_sub(out->c[0], low, high, f);
}

/* In the extension: (a0 + a1)(a0 − a1) + 2·a0·a1·u. */
static void square(Coordinate *out, const Coordinate *a, const Group *g) {
    const Field *f = g->field;
    if (g->degree == 1) {
        field_mul(out->c[0], a->c[0], a->c[0], f);
        return;
    }
    uint64_t sum[MOST_LIMBS], difference[MOST_LIMBS], product[MOST_LIMBS];
    field_add(sum, a->c[0], a->c[1], f);
    field_sub(difference, a->c[0], a->c[1], f);
    field_mul(product, a->c[0], a->c[1], f);
    field_mul(out->c[0], sum, difference, f);
    field_add(out->c[1], product, product, f);
}

static bool is_zero(const Coordinate *a, const Group *g) {
    return field_is_zero(a->c[0], g->field) && (g->degree == 1 || field_is_zero(a->c[1], g->field));
}

static void one(Coordinate *out, const Group *g) {
    memset(out, 0, sizeof *out);
    field_copy(out->c[0], g->field->one, g->field);
}

static void load(Coordinate *out, const uint8_t *bytes, const Group *g) {
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < g->degree; i++) limbs_load(out->c[i], bytes + i * 8 * g->field->limbs, g->field->limbs);
}

static void store(uint8_t *bytes, const Coordinate *a, const Group *g) {
    for (unsigned i = 0; i < g->degree; i++) limbs_store(bytes + i * 8 * g->field->limbs, a->c[i], g->field->limbs);
}

void affine_load(Affine *out, const uint8_t *bytes, const Group *g) {
    load(&out->x, bytes, g);
    load(&out->y, bytes + coordinate_bytes(g), g);
}

void point_infinity(Point *out) { memset(out, 0, sizeof *out); }

/* dbl-2008-s-1. Infinity gives infinity: ZZ3 = V·ZZ1. */
void point_double(Point *p, const Group *g) {
    Coordinate u, v, w, s, m, x3;
    add(&u, &p->y, &p->y, g);
    square(&v, &u, g);
    mul(&w, &u, &v, g);
    mul(&s, &p->x, &v, g);
    square(&x3, &p->x, g);
    add(&m, &x3, &x3, g);
    add(&m, &m, &x3, g);
    square(&x3, &m, g);
    sub(&x3, &x3, &s, g);
    sub(&x3, &x3, &s, g);
    sub(&s, &s, &x3, g);
    mul(&s, &s, &m, g);
    mul(&u, &w, &p->y, g);
    sub(&p->y, &s, &u, g);
    p->x = x3;
    mul(&p->zz, &p->zz, &v, g);
    mul(&p->zzz, &p->zzz, &w, g);
}

/*
 * What add-2008-s and madd-2008-s have in common, from U1, S1 (p's coordinates over the common denominator) and
 * P = U2 − U1, R = S2 − S1, neither point being infinity. p's ZZ and ZZZ hold the common denominator before.
 */
static void add_differences(Point *p, const Coordinate *u1, const Coordinate *s1, const Coordinate *difference,
                            const Coordinate *r, const Group *g) {
    Coordinate pp, ppp, q, x3, y3;
    square(&pp, difference, g);
    mul(&ppp, difference, &pp, g);
    mul(&q, u1, &pp, g);
    square(&x3, r, g);
    sub(&x3, &x3, &ppp, g);
    sub(&x3, &x3, &q, g);
    sub(&x3, &x3, &q, g);
    sub(&q, &q, &x3, g);
    mul(&y3, r, &q, g);
    mul(&q, s1, &ppp, g);
    sub(&p->y, &y3, &q, g);
    p->x = x3;
    mul(&p->zz, &p->zz, &pp, g);
    mul(&p->zzz, &p->zzz, &ppp, g);
}

/* The formulas know neither P + P (0/0) nor P − P: true, and p is the sum, if the points are one of these. */
static bool same_x(Point *p, const Coordinate *difference, const Coordinate *r, const Group *g) {
    if (!is_zero(difference, g)) return false;
    if (is_zero(r, g)) {
        point_double(p, g);
    } else {
        point_infinity(p);
    }
    return true;
}

/* add-2008-s */
void point_add(Point *p, const Point *q, const Group *g) {
    if (is_zero(&q->zz, g)) return;
    if (is_zero(&p->zz, g)) {
        *p = *q;
        return;
    }
    Coordinate u1, s1, difference, r;
    mul(&u1, &p->x, &q->zz, g);
    mul(&difference, &q->x, &p->zz, g);
    mul(&s1, &p->y, &q->zzz, g);
    mul(&r, &q->y, &p->zzz, g);
    sub(&difference, &difference, &u1, g);
    sub(&r, &r, &s1, g);
    if (same_x(p, &difference, &r, g)) return;
    mul(&p->zz, &p->zz, &q->zz, g);
    mul(&p->zzz, &p->zzz, &q->zzz, g);
    add_differences(p, &u1, &s1, &difference, &r, g);
}

/* madd-2008-s */
void point_add_affine(Point *p, const Affine *q, const Group *g) {
    if (is_zero(&p->zz, g)) {
        p->x = q->x;
        p->y = q->y;
        one(&p->zz, g);
        one(&p->zzz, g);
        return;
    }
    Coordinate u1 = p->x, s1 = p->y, difference, r;
    mul(&difference, &q->x, &p->zz, g);
    mul(&r, &q->y, &p->zzz, g);
    sub(&difference, &difference, &u1, g);
    sub(&r, &r, &s1, g);
    if (same_x(p, &difference, &r, g)) return;
    add_differences(p, &u1, &s1, &difference, &r, g);
}

/* With Z = ZZ: X/ZZ = X·ZZ/Z², and Y/ZZZ = Y·ZZZ/Z³ because ZZ³ = ZZZ². */
void point_store(uint8_t *bytes, const Point *p, const Group *g) {
    Coordinate jacobian;
    mul(&jacobian, &p->x, &p->zz, g);
    store(bytes, &jacobian, g);
    mul(&jacobian, &p->y, &p->zzz, g);
    store(bytes + coordinate_bytes(g), &jacobian, g);
    store(bytes + 2 * coordinate_bytes(g), &p->zz, g);
}
