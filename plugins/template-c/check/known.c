/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Transforms, element-wise operations and the matrix product, with known answers. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cpu/field.h"
#include "vectors.h"

typedef struct Bench {
    const Vectors *v;
    InterlockDevice *device;
    InterlockLane *lane;
} Bench;

/* The buffer holds these scalars in this form; frees it. */
static void holds(const Bench *b, InterlockScalars *scalars, const char *hex, uint32_t form) {
    size_t length;
    uint8_t *wanted = bytes_of(hex, &length), *got = malloc(length);
    uint32_t got_form = 0;
    GOOD(api->scalars_download(b->lane, scalars, 0, got, length / 32, &got_form));
    GOOD(api->lane_sync(b->lane));
    CHECK(memcmp(got, wanted, length) == 0);
    CHECK(got_form == form);
    free(got);
    free(wanted);
    GOOD(api->scalars_free(scalars));
}

static InterlockScalars *pool(const Bench *b, uint32_t form) {
    uint8_t *bytes = bytes_of(form == INTERLOCK_MONTGOMERY ? b->v->montgomery : b->v->canonical, NULL);
    InterlockScalars *scalars = upload(b->device, b->lane, bytes, POOL, form);
    free(bytes);
    return scalars;
}

/* The check of sums needs the base field: here it is tried on its own. */
static void base_field(const Vectors *v) {
    const Field *f = &curve_fields(v->curve)->base;
    uint8_t *in = bytes_of(v->factors, NULL), *out = bytes_of(v->products, NULL);
    uint64_t a[3][MOST_LIMBS], wanted[3][MOST_LIMBS], got[MOST_LIMBS];
    const int pairs[3][2] = {{0, 1}, {2, 2}, {0, 2}};
    CHECK(f->limbs == v->limbs);
    for (int i = 0; i < 3; i++) {
        limbs_load(a[i], in + (size_t)i * 8 * f->limbs, f->limbs);
        limbs_load(wanted[i], out + (size_t)i * 8 * f->limbs, f->limbs);
    }
    for (int i = 0; i < 3; i++) {
        field_mul(got, a[pairs[i][0]], a[pairs[i][1]], f);
        CHECK(field_equal(got, wanted[i], f));
    }
    /* −a + a = 0, and (a · b) · b⁻¹ = a. */
    field_add(got, wanted[2], a[0], f);
    CHECK(field_is_zero(got, f));
    field_invert(got, a[1], f);
    field_mul(got, got, wanted[0], f);
    CHECK(field_equal(got, a[0], f));
    free(in);
    free(out);
}

static void small_transforms(const Bench *b) {
    uint8_t *generator = bytes_of(b->v->generator8, NULL), *shift = bytes_of(b->v->shift, NULL);
    InterlockDomain *domain = load_domain(b->device, 3, generator, shift);
    for (uint32_t op = 0; op < 4; op++) {
        InterlockScalars *data = pool(b, INTERLOCK_MONTGOMERY);
        GOOD(api->ntt(b->lane, domain, data, op));
        holds(b, data, b->v->ntt8[op], INTERLOCK_MONTGOMERY);
    }
    GOOD(api->domain_free(domain));
    free(generator);
    free(shift);
}

/* Canonical scalars are transformed as they are: the operation is linear. */
static void long_transforms(const Bench *b) {
    static const size_t shown[LONG_SHOWN] = {0, 1, 2, 255, 511};
    uint8_t *generator = bytes_of(b->v->generator512, NULL), *shift = bytes_of(b->v->shift, NULL);
    uint8_t *in = calloc(LONG_NTT, 32), *out = calloc(LONG_NTT, 32);
    for (size_t i = 0; i < LONG_NTT; i++) {
        in[32 * i] = (uint8_t)(i + 1);
        in[32 * i + 1] = (uint8_t)((i + 1) >> 8);
    }
    InterlockDomain *domain = load_domain(b->device, 9, generator, shift);
    for (uint32_t op = 0; op < 4; op++) {
        InterlockScalars *data = upload(b->device, b->lane, in, LONG_NTT, INTERLOCK_CANONICAL);
        uint32_t form = 0;
        GOOD(api->ntt(b->lane, domain, data, op));
        GOOD(api->scalars_download(b->lane, data, 0, out, LONG_NTT, &form));
        GOOD(api->lane_sync(b->lane));
        CHECK(form == INTERLOCK_CANONICAL);
        uint8_t *wanted = bytes_of(b->v->ntt512[op], NULL);
        for (size_t i = 0; i < LONG_SHOWN; i++) CHECK(memcmp(out + 32 * shown[i], wanted + 32 * i, 32) == 0);
        free(wanted);
        /* The operation that undoes it: 0 and 1, 2 and 3. */
        GOOD(api->ntt(b->lane, domain, data, op ^ 1));
        GOOD(api->scalars_download(b->lane, data, 0, out, LONG_NTT, &form));
        CHECK(memcmp(out, in, 32 * (size_t)LONG_NTT) == 0);
        GOOD(api->scalars_free(data));
    }
    GOOD(api->domain_free(domain));
    free(generator);
    free(shift);
    free(in);
    free(out);
}

static void element_wise(const Bench *b) {
    uint8_t flipped[POOL * 32], *bytes = bytes_of(b->v->montgomery, NULL);
    for (size_t i = 0; i < POOL; i++) memcpy(flipped + 32 * i, bytes + 32 * (POOL - 1 - i), 32);
    InterlockScalars *x = pool(b, INTERLOCK_MONTGOMERY), *product = pool(b, INTERLOCK_CANONICAL);
    InterlockScalars *y = upload(b->device, b->lane, flipped, POOL, INTERLOCK_MONTGOMERY);
    InterlockScalars *less = pool(b, INTERLOCK_MONTGOMERY);
    /* The product may go over canonical scalars, which it does not read. */
    GOOD(api->pointwise(b->lane, INTERLOCK_POINTWISE_MUL, product, x, y));
    GOOD(api->pointwise(b->lane, INTERLOCK_POINTWISE_MUL_SUB, less, x, y));
    holds(b, product, b->v->multiplied, INTERLOCK_MONTGOMERY);
    holds(b, less, b->v->multiplied_less, INTERLOCK_MONTGOMERY);
    GOOD(api->scale(b->lane, x, bytes + 7 * 32));
    GOOD(api->lane_sync(b->lane));
    holds(b, x, b->v->scaled, INTERLOCK_MONTGOMERY);
    GOOD(api->scalars_free(y));
    free(bytes);
}

static void matrix(const Bench *b) {
    /* A row is empty, one names a column twice. */
    static const uint64_t offsets[] = {0, 2, 2, 5, 6};
    static const uint32_t columns[] = {0, 6, 7, 7, 1, 3};
    uint8_t *values = bytes_of(b->v->values, NULL);
    InterlockMatrixDesc desc = {.struct_size = sizeof desc, .rows = 4, .cols = POOL, .nnz = 6};
    desc.row_offsets = offsets;
    desc.columns = columns;
    desc.values = values;
    InterlockMatrix *m = NULL;
    GOOD(api->matrix_create(b->device, &desc, &m));
    InterlockScalars *x = pool(b, INTERLOCK_CANONICAL), *y = NULL;
    GOOD(api->scalars_alloc(b->device, 4, &y));
    GOOD(api->spmv(b->lane, m, x, y));
    holds(b, y, b->v->rows, INTERLOCK_MONTGOMERY);
    GOOD(api->scalars_free(x));
    GOOD(api->matrix_free(m));
    free(values);
}

void test_answers(void) {
    for (int curve = 0; curve < 2; curve++) {
        Bench b = {.v = all_vectors[curve]};
        base_field(b.v);
        b.device = open_device(b.v->curve, 0);
        b.lane = open_lane(b.device);
        small_transforms(&b);
        long_transforms(&b);
        element_wise(&b);
        matrix(&b);
        close_all(b.device, b.lane);
    }
}
