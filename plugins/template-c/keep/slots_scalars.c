/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The memory group of the table: scalar buffers. */
#include <inttypes.h>

#include "call.h"
#include "slots.h"

static void scalars_gone(Object *object) {
    ScalarsObject *scalars = (ScalarsObject *)object;
    if (scalars->scalars != NULL) dev_free(scalars->scalars);
}

InterlockError *scalars_alloc(const InterlockDevice *handle, uint64_t count, InterlockScalars **out) {
    Call call;
    call_begin(&call);
    DeviceObject *device = call_device(&call, handle);
    (void)call_count(&call, count, "scalars_alloc");
    (void)call_pointer(&call, out, 1, sizeof(void *), "the place for the buffer");
    ScalarsObject *scalars = (ScalarsObject *)call_new(&call, sizeof *scalars, KIND_SCALARS, scalars_gone);
    if (scalars != NULL && dev_alloc(device->device, (size_t)count, &scalars->scalars, &call.failure)) {
        scalars->count = (size_t)count;
        scalars->form = INTERLOCK_MONTGOMERY;
        void *made = call_publish(&call, &scalars->object);
        if (made != NULL) *out = made;
    }
    return call_end(&call);
}

/* Whether a buffer has scalars `first` to `first + count`. */
static bool in_range(Call *call, uint64_t first, uint64_t count, const ScalarsObject *scalars) {
    if (!call_count(call, first, "the first scalar") || !call_count(call, count, "the scalars")) return false;
    if (scalars == NULL) return false;
    if (first + count <= scalars->count) return true;
    return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "scalars %" PRIu64 "..%" PRIu64 " of a buffer of %zu",
                first, first + count, scalars->count);
}

InterlockError *scalars_upload(const InterlockLane *lane_handle, const InterlockScalars *dst, uint64_t first,
                               const uint8_t *src, uint64_t count, uint32_t form) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    ScalarsObject *scalars = call_write(&call, dst);
    bool fits = in_range(&call, first, count, scalars) && call_pointer(&call, src, count, 1, "the source");
    if (fits && form != INTERLOCK_CANONICAL && form != INTERLOCK_MONTGOMERY) {
        fits = fail(&call.failure, INTERLOCK_INVALID_ARGUMENT, "scalar form number %u", form);
    }
    if (fits && dev_upload(lane->lane, scalars->scalars, (size_t)first, src, (size_t)count, &call.failure)) {
        scalars->form = form;
    }
    return call_end(&call);
}

InterlockError *scalars_download(const InterlockLane *lane_handle, const InterlockScalars *src, uint64_t first,
                                 uint8_t *dst, uint64_t count, uint32_t *form) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_work(&call, lane_handle);
    ScalarsObject *scalars = call_read(&call, src);
    bool fits = in_range(&call, first, count, scalars) && call_pointer(&call, dst, count, 1, "the destination") &&
                call_pointer(&call, form, 1, sizeof *form, "the place for the form");
    if (fits && dev_download(lane->lane, scalars->scalars, (size_t)first, dst, (size_t)count, &call.failure)) {
        *form = scalars->form;
    }
    return call_end(&call);
}

InterlockError *scalars_free(InterlockScalars *handle) {
    Call call;
    call_begin(&call);
    (void)call_end_handle(&call, handle, KIND_SCALARS);
    return call_end(&call);
}
