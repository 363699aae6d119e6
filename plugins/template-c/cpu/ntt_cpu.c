/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Domains and their transforms: radix-2 decimation in time (Cooley, Tukey 1965), natural order in and out, by the ω
 * that the host gives. Never take a root of unity of your own: families of keys use different ones.
 */
#include <stdlib.h>

#include "cpu.h"

/* ω must have the order 2^log_size exactly: ω^(N/2) = −1, or ω = 1 for a single element. */
static bool check_order(const uint64_t *generator, uint32_t log_size, const Field *f, Failure *failure) {
    uint64_t power[SCALAR_LIMBS], sum[SCALAR_LIMBS];
    field_copy(power, generator, f);
    for (uint32_t i = 1; i < log_size; i++) field_mul(power, power, power, f);
    field_add(sum, power, f->one, f);
    bool right = log_size == 0 ? field_equal(power, f->one, f) : field_is_zero(sum, f);
    return right || fail(failure, INTERLOCK_INVALID_ARGUMENT, "the generator is not of order 2^%u", log_size);
}

static bool read_element(uint64_t *out, const uint8_t *bytes, const char *what, const Field *f, Failure *failure) {
    limbs_load(out, bytes, SCALAR_LIMBS);
    if (field_reduced(out, f)) return true;
    return fail(failure, INTERLOCK_INVALID_ARGUMENT, "the %s is not below the scalar modulus", what);
}

bool dev_domain_load(DevDevice *device, const InterlockDomainDesc *source, DevDomain **out, Failure *failure) {
    const Field *f = &device->fields->scalar;
    DevDomain domain = {.device = device, .log_size = source->log_size};
    uint64_t generator[SCALAR_LIMBS], size[SCALAR_LIMBS];
    if (!read_element(generator, source->generator, "generator", f, failure) ||
        !read_element(domain.shift, source->shift, "coset shift", f, failure) ||
        !check_order(generator, source->log_size, f, failure)) {
        return false;
    }
    if (field_is_zero(domain.shift, f)) {
        return fail(failure, INTERLOCK_INVALID_ARGUMENT, "the coset shift is zero");
    }
    field_invert(domain.shift_inverse, domain.shift, f);
    field_small(size, UINT64_C(1) << source->log_size, f);
    field_invert(domain.size_inverse, size, f);

    size_t half = ((size_t)1 << source->log_size) / 2;
    domain.bytes = (uint64_t)half * sizeof(Scalar);
    if (!account_take(device->account, FOR_KEYS, domain.bytes, failure)) return false;
    domain.powers = obtain(half, sizeof(Scalar), failure);
    DevDomain *made = obtain(1, sizeof *made, failure);
    if (domain.powers == NULL || made == NULL) {
        free(domain.powers);
        free(made);
        account_give(device->account, FOR_KEYS, domain.bytes);
        return false;
    }
    uint64_t power[SCALAR_LIMBS];
    field_copy(power, f->one, f);
    for (size_t i = 0; i < half; i++) {
        field_copy(domain.powers[i].limb, power, f);
        field_mul(power, power, generator, f);
    }
    *made = domain;
    *out = made;
    return true;
}

void dev_domain_free(DevDomain *domain) {
    free(domain->powers);
    account_give(domain->device->account, FOR_KEYS, domain->bytes);
    free(domain);
}

static void swap(Scalar *a, Scalar *b) {
    Scalar kept = *a;
    *a = *b;
    *b = kept;
}

static size_t reverse_bits(size_t i, uint32_t bits) {
    size_t reversed = 0;
    for (uint32_t bit = 0; bit < bits; bit++) reversed |= (i >> bit & 1) << (bits - 1 - bit);
    return reversed;
}

/* data[i] ← Σ data[j] · ω^(i·j) */
static bool forward(const DevDomain *domain, Scalar *data, const DevLane *lane, Failure *failure) {
    const Field *f = &domain->device->fields->scalar;
    size_t size = (size_t)1 << domain->log_size;
    for (size_t i = 0; i < size; i++) {
        size_t j = reverse_bits(i, domain->log_size);
        if (i < j) swap(&data[i], &data[j]);
    }
    for (uint32_t stage = 0; stage < domain->log_size; stage++) {
        size_t half = (size_t)1 << stage;
        size_t stride = size / 2 >> stage;
        /* Butterfly b joins element k of a block's lower half with element k of its upper half. */
        for (size_t b = 0; b < size / 2; b++) {
            if (b % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
            size_t k = b & (half - 1);
            Scalar *low = &data[2 * (b - k) + k], *high = low + half;
            uint64_t turned[SCALAR_LIMBS];
            field_mul(turned, high->limb, domain->powers[k * stride].limb, f);
            field_sub(high->limb, low->limb, turned, f);
            field_add(low->limb, low->limb, turned, f);
        }
    }
    return true;
}

/* data[i] ← data[i] · start · base^i */
static void scale_by_powers(Scalar *data, size_t size, const uint64_t *start, const uint64_t *base, const Field *f) {
    uint64_t power[SCALAR_LIMBS];
    field_copy(power, start, f);
    for (size_t i = 0; i < size; i++) {
        field_mul(data[i].limb, data[i].limb, power, f);
        field_mul(power, power, base, f);
    }
}

bool dev_ntt(DevLane *lane, const DevDomain *domain, DevScalars *data, uint32_t op, Failure *failure) {
    const Field *f = &lane->device->fields->scalar;
    size_t size = data->count;
    if (op == INTERLOCK_NTT_COSET_FORWARD) scale_by_powers(data->scalars, size, f->one, domain->shift, f);
    if (!forward(domain, data->scalars, lane, failure)) return false;
    if (op == INTERLOCK_NTT_FORWARD || op == INTERLOCK_NTT_COSET_FORWARD) return true;
    /* The inverse is the forward transform by ω⁻¹, divided by N; ω^(−i) stands at index N − i. */
    for (size_t i = 1; i < size - i; i++) swap(&data->scalars[i], &data->scalars[size - i]);
    const uint64_t *base = op == INTERLOCK_NTT_COSET_INVERSE ? domain->shift_inverse : f->one;
    scale_by_powers(data->scalars, size, domain->size_inverse, base, f);
    return true;
}
