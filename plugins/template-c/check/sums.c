/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sums of products with known answers, in both groups and from scalars of both forms. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu/points.h"
#include "vectors.h"

typedef struct Bench {
    const Vectors *v;
    InterlockDevice *device;
    InterlockLane *lane;
    uint32_t group;
    Group coordinates;
    size_t point_bytes, sum_bytes;
    uint8_t *points; /* the group's pool */
} Bench;

static void coordinate(Coordinate *out, const uint8_t *bytes, const Group *g) {
    Affine pair;
    uint8_t twice[2 * 2 * 8 * MOST_LIMBS];
    memcpy(twice, bytes, coordinate_bytes(g));
    memcpy(twice + coordinate_bytes(g), bytes, coordinate_bytes(g));
    affine_load(&pair, twice, g);
    *out = pair.x;
}

/* out ← a · b, by the schoolbook. */
static void times(Coordinate *out, const Coordinate *a, const Coordinate *b, const Group *g) {
    Coordinate r = {{{0}}};
    uint64_t part[MOST_LIMBS];
    field_mul(r.c[0], a->c[0], b->c[0], g->field);
    if (g->degree == 2) {
        field_mul(part, a->c[1], b->c[1], g->field);
        field_sub(r.c[0], r.c[0], part, g->field);
        field_mul(r.c[1], a->c[0], b->c[1], g->field);
        field_mul(part, a->c[1], b->c[0], g->field);
        field_add(r.c[1], r.c[1], part, g->field);
    }
    *out = r;
}

static bool equal(const Coordinate *a, const Coordinate *b, const Group *g) {
    return field_equal(a->c[0], b->c[0], g->field) && (g->degree == 1 || field_equal(a->c[1], b->c[1], g->field));
}

/* A Jacobian sum is this affine point, all zero for infinity: X = x·Z², Y = y·Z³. */
static void is_point(const Bench *b, const uint8_t *sum, const char *hex) {
    const Group *g = &b->coordinates;
    size_t bytes = coordinate_bytes(g);
    uint8_t *wanted = bytes_of(hex, NULL);
    Coordinate x, y, z, wanted_x, wanted_y, power, zero = {{{0}}};
    coordinate(&x, sum, g);
    coordinate(&y, sum + bytes, g);
    coordinate(&z, sum + 2 * bytes, g);
    coordinate(&wanted_x, wanted, g);
    coordinate(&wanted_y, wanted + bytes, g);
    free(wanted);
    /* No point of these curves has x = y = 0. */
    bool infinity = equal(&wanted_x, &zero, g) && equal(&wanted_y, &zero, g);
    CHECK(equal(&z, &zero, g) == infinity);
    if (infinity) return;
    times(&power, &z, &z, g);
    times(&wanted_x, &wanted_x, &power, g);
    times(&power, &power, &z, g);
    times(&wanted_y, &wanted_y, &power, g);
    CHECK(equal(&x, &wanted_x, g));
    CHECK(equal(&y, &wanted_y, g));
}

/* A sum of a buffer, twice in one batch: both results must be there. */
static void sum(const Bench *b, const InterlockBases *bases, const InterlockScalars *scalars, uint64_t first,
                const char *wanted) {
    uint8_t results[2][3 * 2 * 8 * MOST_LIMBS];
    InterlockMsm requests[2];
    for (int i = 0; i < 2; i++) {
        requests[i] = (InterlockMsm){.struct_size = sizeof requests[i], .bases = bases, .first = first};
        requests[i].result = results[i];
        requests[i].result_bytes = b->sum_bytes;
        memset(results[i], 0xff, sizeof results[i]);
    }
    GOOD(api->msm(b->lane, scalars, requests, 2, sizeof requests[0]));
    GOOD(api->lane_sync(b->lane));
    is_point(b, results[0], wanted);
    CHECK(memcmp(results[0], results[1], b->sum_bytes) == 0);
    CHECK(b->sum_bytes == sizeof results[0] || results[0][b->sum_bytes] == 0xff);
}

static void small_sum(const Bench *b, const SumCase *s, uint32_t form) {
    size_t count = strlen(s->bases);
    uint8_t *pool = bytes_of(form == INTERLOCK_MONTGOMERY ? b->v->montgomery : b->v->canonical, NULL);
    uint8_t *scalars = malloc(32 * count + 1), *points = malloc(b->point_bytes * count + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(scalars + 32 * i, pool + 32 * (s->scalars[i] - '0'), 32);
        const uint8_t *point = b->points + b->point_bytes * (size_t)(s->bases[i] - '0');
        memcpy(points + 1 + b->point_bytes * i, point, b->point_bytes);
    }
    /* Points have alignment 1, and stay at an odd address to prove it. */
    InterlockBases *bases = load_bases(b->device, b->group, points + 1, count, NULL);
    InterlockScalars *buffer = upload(b->device, b->lane, scalars, count, form);
    sum(b, bases, buffer, 0, b->group == INTERLOCK_G1 ? s->g1 : s->g2);
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(buffer));
    free(pool);
    free(scalars);
    free(points);
}

/* Base i meets scalar index[i] of a range that begins somewhere. */
static void indexed_sum(const Bench *b, const SumCase *s) {
    static const uint32_t index[] = {0, 3, 5};
    uint8_t *pool = bytes_of(b->v->canonical, NULL);
    InterlockBases *bases = load_bases(b->device, b->group, b->points, 3, index);
    InterlockScalars *buffer = upload(b->device, b->lane, pool, POOL, INTERLOCK_CANONICAL);
    sum(b, bases, buffer, 1, b->group == INTERLOCK_G1 ? s->g1 : s->g2);
    uint8_t result[3 * 2 * 8 * MOST_LIMBS];
    InterlockMsm beyond = {.struct_size = sizeof beyond, .bases = bases, .first = 3, .result = result};
    beyond.result_bytes = b->sum_bytes;
    BAD(INVALID_ARGUMENT, api->msm(b->lane, buffer, &beyond, 1, sizeof beyond));
    beyond.first = 2;
    GOOD(api->msm(b->lane, buffer, &beyond, 1, sizeof beyond));
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(buffer));
    free(pool);
}

static void long_sum(const Bench *b) {
    uint8_t *scalars = malloc(32 * LONG_SUM), *points = malloc(b->point_bytes * LONG_SUM);
    long_scalars(scalars, LONG_SUM);
    for (size_t i = 0; i < LONG_SUM; i++) {
        memcpy(points + b->point_bytes * i, b->points + b->point_bytes * (i * 7 % POINTS), b->point_bytes);
    }
    InterlockBases *bases = load_bases(b->device, b->group, points, LONG_SUM, NULL);
    InterlockScalars *buffer = upload(b->device, b->lane, scalars, LONG_SUM, INTERLOCK_CANONICAL);
    sum(b, bases, buffer, 0, b->group == INTERLOCK_G1 ? b->v->long_g1 : b->v->long_g2);
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(buffer));
    free(scalars);
    free(points);
}

void test_sums(void) {
    for (int curve = 0; curve < 2; curve++) {
        for (uint32_t group = INTERLOCK_G1; group <= INTERLOCK_G2; group++) {
            Bench b = {.v = all_vectors[curve], .group = group};
            b.coordinates = (Group){&curve_fields(b.v->curve)->base, group == INTERLOCK_G2 ? 2 : 1};
            b.point_bytes = 2 * coordinate_bytes(&b.coordinates);
            b.sum_bytes = 3 * coordinate_bytes(&b.coordinates);
            b.points = bytes_of(group == INTERLOCK_G1 ? b.v->g1 : b.v->g2, NULL);
            b.device = open_device(b.v->curve, 0);
            b.lane = open_lane(b.device);
            for (int i = 0; i < SUM_CASES; i++) {
                const SumCase *s = &b.v->sums[i];
                small_sum(&b, s, INTERLOCK_CANONICAL);
                small_sum(&b, s, INTERLOCK_MONTGOMERY);
                if (strcmp(s->name, "for an index") == 0) indexed_sum(&b, s);
            }
            long_sum(&b);
            close_all(b.device, b.lane);
            free(b.points);
        }
    }
}
