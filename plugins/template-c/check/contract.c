/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Handles, memory, lengths, forms and aliases: what a careless host gets is an error. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "vectors.h"

/* Dead, foreign, made-up and mistaken handles. */
static void handles(uint32_t curve) {
    InterlockDevice *device = open_device(curve, 0), *other = open_device(curve, 0);
    InterlockLane *lane = open_lane(device), *other_lane = open_lane(other);
    InterlockScalars *scalars = NULL, *again = NULL;
    const uint8_t zeros[64] = {0};
    GOOD(api->scalars_alloc(device, 2, &scalars));
    BAD(INVALID_HANDLE, api->scalars_upload(other_lane, scalars, 0, zeros, 1, INTERLOCK_CANONICAL));
    BAD(INVALID_HANDLE, api->scalars_upload((InterlockLane *)scalars, scalars, 0, zeros, 1, INTERLOCK_CANONICAL));
    BAD(INVALID_HANDLE, api->scalars_upload(lane, (InterlockScalars *)lane, 0, zeros, 1, INTERLOCK_CANONICAL));
    BAD(INVALID_HANDLE, api->bases_free((InterlockBases *)scalars));
    BAD(INVALID_HANDLE, api->scalars_free(NULL));
    BAD(INVALID_HANDLE, api->scalars_free((InterlockScalars *)UINTPTR_MAX));
    BAD(INVALID_HANDLE, api->scalars_free((InterlockScalars *)(uintptr_t)api));
    GOOD(api->scalars_free(scalars));
    BAD(INVALID_HANDLE, api->scalars_free(scalars));
    /* Its slot has a new owner, which the old handle does not reach. */
    GOOD(api->scalars_alloc(device, 2, &again));
    CHECK(again != scalars);
    BAD(INVALID_HANDLE, api->scalars_upload(lane, scalars, 0, zeros, 1, INTERLOCK_CANONICAL));
    GOOD(api->scalars_upload(lane, again, 0, zeros, 2, INTERLOCK_CANONICAL));

    /* What was made from a device works on when its handle is closed. */
    GOOD(api->device_close(device));
    BAD(INVALID_HANDLE, api->device_close(device));
    BAD(INVALID_HANDLE, api->lane_create(device, &lane));
    GOOD(api->scalars_upload(lane, again, 0, zeros, 2, INTERLOCK_CANONICAL));
    GOOD(api->scalars_free(again));
    GOOD(api->lane_destroy(lane));
    BAD(INVALID_HANDLE, api->lane_destroy(lane));
    BAD(INVALID_HANDLE, api->lane_sync(lane));
    BAD(INVALID_HANDLE, api->lane_cancel(lane));
    close_all(other, other_lane);
}

/* An error is an object as well: asking a dead one does no harm. */
static void errors(void) {
    InterlockErrorInfo info = {.struct_size = sizeof info};
    InterlockError *error = api->scalars_free(NULL);
    api->error_get(error, &info);
    CHECK(info.code == INTERLOCK_INVALID_HANDLE && info.device == UINT32_MAX && info.message.len > 0);
    api->error_destroy(error);
    api->error_destroy(error);
    api->error_destroy(NULL);
    api->error_get(error, &info);
    CHECK(info.code == INTERLOCK_INVALID_HANDLE && info.message.len == 0);
}

static void memory(uint32_t curve) {
    InterlockDevice *device = open_device(curve, 3200);
    InterlockLane *lane = open_lane(device);
    InterlockMemoryInfo info = {.struct_size = sizeof info};
    InterlockScalars *one = NULL, *two = NULL;
    BAD(OUT_OF_MEMORY_NEVER, api->scalars_alloc(device, 101, &one));
    BAD(OUT_OF_MEMORY_NEVER, api->scalars_alloc(device, UINT64_C(1) << 39, &one));
    BAD(INVALID_ARGUMENT, api->scalars_alloc(device, UINT64_MAX, &one));
    CHECK(one == NULL);
    GOOD(api->scalars_alloc(device, 60, &one));
    BAD(OUT_OF_MEMORY_NOW, api->scalars_alloc(device, 60, &two));
    GOOD(api->device_memory(device, &info));
    CHECK(info.budget_bytes == 3200 && info.scalars_bytes == 1920 && info.keys_bytes == 0);
    GOOD(api->scalars_free(one));
    GOOD(api->scalars_alloc(device, 100, &two));
    GOOD(api->scalars_free(two));
    close_all(device, lane);
}

/* Lengths, ranges, forms, aliases; and that zero of anything is allowed. */
static void arguments(uint32_t curve) {
    InterlockDevice *device = open_device(curve, 0);
    InterlockLane *lane = open_lane(device);
    InterlockScalars *three = NULL, *two = NULL, *none = NULL;
    uint8_t bytes[96], zeros[96] = {0}, ones[96];
    uint32_t form = 0;
    memset(ones, 1, sizeof ones);
    BAD(INVALID_ARGUMENT, api->scalars_alloc(device, 3, NULL));
    GOOD(api->scalars_alloc(device, 3, &three));
    GOOD(api->scalars_alloc(device, 2, &two));
    GOOD(api->scalars_alloc(device, 0, &none));
    /* New buffers are zeros, in Montgomery form. */
    GOOD(api->scalars_download(lane, three, 0, bytes, 3, &form));
    CHECK(form == INTERLOCK_MONTGOMERY && memcmp(bytes, zeros, 96) == 0);
    GOOD(api->scalars_upload(lane, three, 1, ones, 2, INTERLOCK_CANONICAL));
    GOOD(api->scalars_download(lane, three, 0, bytes, 3, &form));
    CHECK(form == INTERLOCK_CANONICAL && memcmp(bytes, zeros, 32) == 0 && memcmp(bytes + 32, ones, 64) == 0);
    BAD(INVALID_ARGUMENT, api->scalars_upload(lane, three, 2, ones, 2, INTERLOCK_CANONICAL));
    BAD(INVALID_ARGUMENT, api->scalars_upload(lane, three, UINT64_MAX, ones, 2, INTERLOCK_CANONICAL));
    BAD(INVALID_ARGUMENT, api->scalars_upload(lane, three, 0, ones, 3, 7));
    BAD(INVALID_ARGUMENT, api->scalars_upload(lane, three, 0, NULL, 1, INTERLOCK_CANONICAL));
    BAD(INVALID_ARGUMENT, api->scalars_download(lane, three, 0, bytes, 4, &form));
    BAD(INVALID_ARGUMENT, api->scalars_download(lane, three, 0, bytes, 3, NULL));
    GOOD(api->scalars_upload(lane, none, 0, NULL, 0, INTERLOCK_CANONICAL));
    GOOD(api->scalars_download(lane, none, 0, NULL, 0, &form));

    /* Montgomery form is needed, lengths differ, the output is an input. */
    BAD(INVALID_ARGUMENT, api->pointwise(lane, INTERLOCK_POINTWISE_MUL, two, two, two));
    BAD(INVALID_ARGUMENT, api->pointwise(lane, INTERLOCK_POINTWISE_MUL, two, three, three));
    BAD(INVALID_ARGUMENT, api->pointwise(lane, 2, two, two, two));
    GOOD(api->scalars_upload(lane, three, 0, zeros, 3, INTERLOCK_MONTGOMERY));
    memset(ones, 0xff, sizeof ones);
    BAD(INVALID_ARGUMENT, api->scale(lane, three, ones));
    BAD(INVALID_ARGUMENT, api->scale(lane, three, NULL));
    GOOD(api->scale(lane, none, zeros));
    GOOD(api->msm(lane, three, NULL, 0, 0));
    GOOD(api->scalars_free(three));
    GOOD(api->scalars_free(two));
    GOOD(api->scalars_free(none));
    close_all(device, lane);
}

/* Keys whose arrays do not fit, and domains that are none. */
static void keys(const Vectors *v) {
    InterlockDevice *device = open_device(v->curve, 0);
    InterlockLane *lane = open_lane(device);
    uint8_t *points = bytes_of(v->g1, NULL);
    const uint32_t twice[] = {4, 4};
    InterlockBases *bases = NULL;
    InterlockBasesDesc base = {.struct_size = sizeof base, .group = 3, .points = points, .count = 2};
    BAD(INVALID_ARGUMENT, api->bases_create(device, &base, &bases));
    base.group = INTERLOCK_G1;
    base.index = twice;
    BAD(INVALID_ARGUMENT, api->bases_create(device, &base, &bases));
    base.index = NULL;
    base.points = NULL;
    BAD(INVALID_ARGUMENT, api->bases_create(device, &base, &bases));

    const struct {
        uint64_t offsets[3];
        uint32_t column;
    } matrices[] = {{{0, 1, 1}, 1}, {{0, 2, 1}, 0}, {{1, 1, 1}, 0}, {{0, 0, 0}, 0}};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
        const uint8_t value[32] = {1};
        InterlockMatrix *matrix = NULL;
        InterlockMatrixDesc desc = {.struct_size = sizeof desc, .rows = 2, .cols = 1, .nnz = 1, .values = value};
        desc.row_offsets = matrices[i].offsets;
        desc.columns = &matrices[i].column;
        BAD(INVALID_ARGUMENT, api->matrix_create(device, &desc, &matrix));
    }

    uint8_t *generator = bytes_of(v->generator8, NULL), *shift = bytes_of(v->shift, NULL);
    for (uint32_t log_size = 0; log_size < 50; log_size++) {
        InterlockDomain *domain = NULL;
        InterlockDomainDesc desc = {.struct_size = sizeof desc, .log_size = log_size};
        memcpy(desc.generator, generator, 32);
        /* The generator is of order 8 and of no other; then there is no shift by zero. */
        if (log_size != 3) memcpy(desc.shift, shift, 32);
        BAD(INVALID_ARGUMENT, api->domain_create(device, &desc, &domain));
    }
    InterlockDomain *domain = load_domain(device, 3, generator, shift);
    InterlockScalars *seven = NULL;
    GOOD(api->scalars_alloc(device, 7, &seven));
    BAD(INVALID_ARGUMENT, api->ntt(lane, domain, seven, INTERLOCK_NTT_FORWARD));
    BAD(INVALID_ARGUMENT, api->ntt(lane, domain, seven, 4));
    GOOD(api->scalars_free(seven));
    GOOD(api->domain_free(domain));
    BAD(INVALID_HANDLE, api->domain_free(domain));
    free(points);
    free(generator);
    free(shift);
    close_all(device, lane);
}

void test_contract(void) {
    errors();
    for (int curve = 0; curve < 2; curve++) {
        handles(all_vectors[curve]->curve);
        memory(all_vectors[curve]->curve);
        arguments(all_vectors[curve]->curve);
        keys(all_vectors[curve]);
    }
}
