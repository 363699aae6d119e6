/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Sums of products by the bucket method: Pippenger 1976; Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery
 * identification", 2012, section 4. Scalars are cut into windows of `width` bits. For each window, from the top:
 * double the sum `width` times; add each point to the bucket of its digit; add up digit · bucket by running sums.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

enum { SCALAR_BITS = 256, WIDEST = 12 };

/* A window costs a bucket addition per point and two per bucket, so as many buckets as a quarter of the points. */
static unsigned window_width(size_t points) {
    unsigned width = 2;
    while (width < WIDEST && (size_t)4 << width < points) width++;
    return width;
}

/* Bits `first` to `first + width` of a scalar. */
static size_t digit(const Scalar *scalar, unsigned first, unsigned width) {
    unsigned limb = first / 64, shift = first % 64;
    uint64_t bits = scalar->limb[limb] >> shift;
    if (shift + width > 64 && limb + 1 < SCALAR_LIMBS) bits |= scalar->limb[limb + 1] << (64 - shift);
    return (size_t)(bits & ((UINT64_C(1) << width) - 1));
}

/* The scalars that the bases meet, canonical: digits are those of the integer. */
static void gather(Scalar *out, const DevBases *bases, const Scalar *scalars, uint32_t form) {
    const Field *f = &bases->device->fields->scalar;
    const uint64_t one[SCALAR_LIMBS] = {1};
    for (size_t i = 0; i < bases->count; i++) {
        out[i] = scalars[bases->index[i]];
        if (form == INTERLOCK_MONTGOMERY) field_mul(out[i].limb, out[i].limb, one, f);
    }
}

/* Adds window `first` to `sum`. */
static bool add_window(Point *sum, Point *buckets, const DevBases *bases, const Scalar *scalars, unsigned first,
                       unsigned width, const DevLane *lane, Failure *failure) {
    const Group *g = &bases->group;
    size_t most = ((size_t)1 << width) - 1, point_bytes = 2 * coordinate_bytes(g);
    /* Digit 0 adds nothing and has no bucket. */
    memset(buckets, 0, most * sizeof *buckets);
    for (size_t i = 0; i < bases->count; i++) {
        if (i % (PIECE / 4) == 0 && !cancel_poll(lane->cancel, failure)) return false;
        size_t d = digit(&scalars[i], first, width);
        if (d == 0) continue;
        Affine point;
        affine_load(&point, bases->points + i * point_bytes, g);
        point_add_affine(&buckets[d - 1], &point, g);
    }
    /* Σ d · bucket[d]: bucket d is in the running sum from its turn on, that is in d of the sums. */
    Point running, window;
    point_infinity(&running);
    point_infinity(&window);
    for (size_t d = most; d > 0; d--) {
        point_add(&running, &buckets[d - 1], g);
        point_add(&window, &running, g);
    }
    point_add(sum, &window, g);
    return true;
}

/* Σ scalars[index[i]] · point[i]; `scalars` begin at the request's first. */
static bool sum_of_products(Point *sum, const DevBases *bases, const Scalar *scalars, uint32_t form,
                            const DevLane *lane, Failure *failure) {
    point_infinity(sum);
    if (bases->count == 0) return true;
    unsigned width = window_width(bases->count);
    size_t buckets_count = ((size_t)1 << width) - 1;
    Scalar *canonical = obtain(bases->count, sizeof *canonical, failure);
    Point *buckets = obtain(buckets_count, sizeof *buckets, failure);
    bool done = canonical != NULL && buckets != NULL;
    if (done) gather(canonical, bases, scalars, form);
    for (unsigned window = (SCALAR_BITS + width - 1) / width; done && window-- > 0;) {
        for (unsigned i = 0; i < width; i++) point_double(sum, &bases->group);
        done = add_window(sum, buckets, bases, canonical, window * width, width, lane, failure);
    }
    /* Both tell of the witness. */
    wipe(canonical, bases->count * sizeof *canonical);
    wipe(buckets, buckets_count * sizeof *buckets);
    free(canonical);
    free(buckets);
    return done;
}

bool dev_msm(DevLane *lane, const DevScalars *scalars, uint32_t form, const DevSum *sums, size_t count,
             Failure *failure) {
    for (size_t i = 0; i < count; i++) {
        Point sum;
        if (!sum_of_products(&sum, sums[i].bases, scalars->scalars + sums[i].first, form, lane, failure)) return false;
        point_store(sums[i].result, &sum, &sums[i].bases->group);
    }
    return true;
}
