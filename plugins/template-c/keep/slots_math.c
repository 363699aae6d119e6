/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The arithmetic group of the table. */
#include <inttypes.h>
#include <stdlib.h>

#include "call.h"
#include "sizes.h"
#include "slots.h"

static bool same_length(Call *call, const char *what, size_t got, const char *other, size_t wanted) {
    if (got == wanted) return true;
    return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "%s: %zu, but %s: %zu", what, got, other, wanted);
}

InterlockError *ntt(const InterlockLane *lane_handle, const InterlockDomain *domain_handle,
                    const InterlockScalars *data_handle, uint32_t op) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    DomainObject *domain = (DomainObject *)call_key(&call, domain_handle, KIND_DOMAIN);
    ScalarsObject *data = call_write(&call, data_handle);
    if (call_fine(&call) && op > INTERLOCK_NTT_COSET_INVERSE) {
        fail(&call.failure, INTERLOCK_INVALID_ARGUMENT, "NTT operation number %u", op);
    }
    if (call_fine(&call) &&
        same_length(&call, "the buffer", data->count, "the domain", (size_t)1 << domain->log_size)) {
        (void)dev_ntt(lane->lane, domain->domain, data->scalars, op, &call.failure);
    }
    return call_end(&call);
}

InterlockError *pointwise(const InterlockLane *lane_handle, uint32_t op, const InterlockScalars *dst_handle,
                          const InterlockScalars *a_handle, const InterlockScalars *b_handle) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    ScalarsObject *dst = call_write(&call, dst_handle);
    ScalarsObject *a = call_read(&call, a_handle), *b = call_read(&call, b_handle);
    if (call_fine(&call) && op > INTERLOCK_POINTWISE_MUL_SUB) {
        fail(&call.failure, INTERLOCK_INVALID_ARGUMENT, "pointwise operation number %u", op);
    }
    bool good = call_fine(&call) && same_length(&call, "a", a->count, "the result", dst->count) &&
                same_length(&call, "b", b->count, "the result", dst->count) &&
                call_form(&call, INTERLOCK_MONTGOMERY, a->form) && call_form(&call, INTERLOCK_MONTGOMERY, b->form) &&
                (op == INTERLOCK_POINTWISE_MUL || call_form(&call, INTERLOCK_MONTGOMERY, dst->form));
    if (good && dev_pointwise(lane->lane, op, dst->scalars, a->scalars, b->scalars, &call.failure)) {
        dst->form = INTERLOCK_MONTGOMERY;
    }
    return call_end(&call);
}

InterlockError *scale(const InterlockLane *lane_handle, const InterlockScalars *data_handle, const uint8_t *factor) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    ScalarsObject *data = call_write(&call, data_handle);
    if (call_pointer(&call, factor, 32, 1, "the factor")) {
        (void)dev_scale(lane->lane, data->scalars, factor, &call.failure);
    }
    return call_end(&call);
}

InterlockError *spmv(const InterlockLane *lane_handle, const InterlockMatrix *matrix_handle,
                     const InterlockScalars *x_handle, const InterlockScalars *y_handle) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    MatrixObject *matrix = (MatrixObject *)call_key(&call, matrix_handle, KIND_MATRIX);
    ScalarsObject *y = call_write(&call, y_handle), *x = call_read(&call, x_handle);
    bool good = call_fine(&call) && same_length(&call, "x", x->count, "the columns", matrix->cols) &&
                same_length(&call, "y", y->count, "the rows", matrix->rows) &&
                call_form(&call, INTERLOCK_CANONICAL, x->form);
    if (good && dev_spmv(lane->lane, matrix->matrix, x->scalars, y->scalars, &call.failure)) {
        y->form = INTERLOCK_MONTGOMERY;
    }
    return call_end(&call);
}

/* Bytes of a sum: three coordinates of the group's field. */
static size_t sum_bytes(uint32_t curve, uint32_t group) {
    size_t coordinate = curve == INTERLOCK_CURVE_BN254 ? 32 : 48;
    return 3 * coordinate * (group == INTERLOCK_G2 ? 2 : 1);
}

/* Reads request `i` of a batch and checks it. */
static bool read_sum(Call *call, const InterlockMsm *request, uint64_t i, size_t length, DevSum *sum) {
    InterlockMsm known;
    if (!READ_STRUCT(InterlockMsm, &known, request, result_bytes, &call->failure)) return false;
    BasesObject *bases = (BasesObject *)call_key(call, known.bases, KIND_BASES);
    if (bases == NULL || !call_count(call, known.first, "the first scalar")) return false;
    if (known.first + bases->span > length) {
        return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT,
                    "MSM %" PRIu64 " reads scalars %" PRIu64 "..%" PRIu64 " of a buffer of %zu", i, known.first,
                    known.first + bases->span, length);
    }
    *sum = (DevSum){bases->bases, (size_t)known.first, known.result};
    return same_length(call, "the result in bytes", known.result_bytes, "a Jacobian point",
                       sum_bytes(call->device->curve, bases->group)) &&
           call_pointer(call, known.result, known.result_bytes, 1, "the place for a sum");
}

InterlockError *msm(const InterlockLane *lane_handle, const InterlockScalars *scalars_handle, const InterlockMsm *msms,
                    uint64_t count, size_t stride) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    ScalarsObject *scalars = call_read(&call, scalars_handle);
    bool good = call_count(&call, count, "MSM requests") &&
                call_pointer(&call, msms, count, _Alignof(InterlockMsm), "the requests");
    /* The caller's elements may be larger than ours, or smaller if they come from an older header. */
    bool steps = stride % _Alignof(InterlockMsm) == 0 && (count < 2 || stride >= END_OF(InterlockMsm, result_bytes));
    if (good && !steps) {
        good = fail(&call.failure, INTERLOCK_INVALID_ARGUMENT, "a stride of %zu bytes between MSM requests", stride);
    }
    DevSum *sums = NULL;
    if (good && count > 0) {
        sums = malloc((size_t)count * sizeof *sums);
        if (sums == NULL) good = fail_not_now(&call.failure, count * sizeof *sums, 0);
    }
    for (uint64_t i = 0; good && i < count; i++) {
        const char *request = (const char *)msms + (size_t)i * stride;
        good = read_sum(&call, (const InterlockMsm *)(const void *)request, i, scalars->count, &sums[i]);
    }
    if (good) {
        (void)dev_msm(lane->lane, scalars->scalars, scalars->form, sums, (size_t)count, &call.failure);
    }
    free(sums);
    return call_end(&call);
}
