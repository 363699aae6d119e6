/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The device: what there is, opening it, lanes, scalar buffers, element-wise work. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu.h"

DevProbe dev_probe(void) {
    /* A score of 1: `--backend auto` takes this plugin only when there is nothing else. */
    return (DevProbe){.score = 1, .devices = 1, .reason = "plain C on one CPU core, to start a backend from"};
}

void dev_describe(uint32_t index, DevInfo *info) {
    (void)index;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    *info = (DevInfo){.name = "CPU, one core", .uuid = "", .compute_units = 1};
    if (pages > 0 && page > 0) info->memory_bytes = (uint64_t)pages * (uint64_t)page;
}

void *obtain(size_t count, size_t size, Failure *failure) {
    void *memory = calloc(count != 0 ? count : 1, size);
    if (memory == NULL) fail_not_now(failure, (uint64_t)count * size, 0);
    return memory;
}

void wipe(void *memory, size_t bytes) {
    if (memory == NULL) return;
    memset(memory, 0, bytes);
    /* Says that somebody reads the memory, so that the stores before are not dead. */
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

bool dev_open(uint32_t index, uint32_t curve, uint32_t threads, Account *account, DevDevice **out, Failure *failure) {
    (void)index;
    (void)threads; /* all work is done on the caller's thread, which is within any bound */
    DevDevice *device = obtain(1, sizeof *device, failure);
    if (device == NULL) return false;
    device->fields = curve_fields(curve);
    device->account = account;
    *out = device;
    return true;
}

void dev_close(DevDevice *device) { free(device); }

bool dev_lane_open(DevDevice *device, const Cancel *cancel, DevLane **out, Failure *failure) {
    DevLane *lane = obtain(1, sizeof *lane, failure);
    if (lane == NULL) return false;
    lane->device = device;
    lane->cancel = cancel;
    *out = lane;
    return true;
}

bool dev_lane_wait(DevLane *lane, Failure *failure) {
    /* Nothing is ever queued. A device with a queue waits for it here, and reports what failed in it. */
    (void)lane;
    (void)failure;
    return true;
}

void dev_lane_close(DevLane *lane) { free(lane); }

bool dev_alloc(DevDevice *device, size_t count, DevScalars **out, Failure *failure) {
    uint64_t bytes = (uint64_t)count * sizeof(Scalar);
    if (!account_take(device->account, FOR_SCALARS, bytes, failure)) return false;
    DevScalars *scalars = obtain(1, sizeof *scalars, failure);
    Scalar *memory = obtain(count, sizeof *memory, failure);
    if (scalars == NULL || memory == NULL) {
        free(scalars);
        free(memory);
        account_give(device->account, FOR_SCALARS, bytes);
        return false;
    }
    *scalars = (DevScalars){.device = device, .count = count, .scalars = memory};
    *out = scalars;
    return true;
}

void dev_free(DevScalars *scalars) {
    uint64_t bytes = (uint64_t)scalars->count * sizeof(Scalar);
    wipe(scalars->scalars, (size_t)bytes);
    free(scalars->scalars);
    account_give(scalars->device->account, FOR_SCALARS, bytes);
    free(scalars);
}

bool dev_upload(DevLane *lane, DevScalars *dst, size_t first, const uint8_t *src, size_t count, Failure *failure) {
    for (size_t i = 0; i < count; i++) {
        if (i % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
        limbs_load(dst->scalars[first + i].limb, src + i * SCALAR_BYTES, SCALAR_LIMBS);
    }
    return true;
}

bool dev_download(DevLane *lane, const DevScalars *src, size_t first, uint8_t *dst, size_t count, Failure *failure) {
    for (size_t i = 0; i < count; i++) {
        if (i % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
        limbs_store(dst + i * SCALAR_BYTES, src->scalars[first + i].limb, SCALAR_LIMBS);
    }
    return true;
}

bool dev_pointwise(DevLane *lane, uint32_t op, DevScalars *dst, const DevScalars *a, const DevScalars *b,
                   Failure *failure) {
    const Field *f = &lane->device->fields->scalar;
    for (size_t i = 0; i < dst->count; i++) {
        if (i % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
        uint64_t product[SCALAR_LIMBS];
        uint64_t *out = dst->scalars[i].limb;
        field_mul(product, a->scalars[i].limb, b->scalars[i].limb, f);
        if (op == INTERLOCK_POINTWISE_MUL_SUB) field_sub(product, product, out, f);
        field_copy(out, product, f);
    }
    return true;
}

bool dev_scale(DevLane *lane, DevScalars *data, const uint8_t *factor, Failure *failure) {
    const Field *f = &lane->device->fields->scalar;
    uint64_t by[SCALAR_LIMBS];
    limbs_load(by, factor, SCALAR_LIMBS);
    if (!field_reduced(by, f)) {
        return fail(failure, INTERLOCK_INVALID_ARGUMENT, "the factor is not below the scalar modulus");
    }
    for (size_t i = 0; i < data->count; i++) {
        if (i % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
        field_mul(data->scalars[i].limb, data->scalars[i].limb, by, f);
    }
    return true;
}
