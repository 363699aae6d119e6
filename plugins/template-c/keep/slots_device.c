/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The device and lane groups of the table. */
#include "call.h"
#include "sizes.h"
#include "slots.h"

static void device_destroy(Object *object) {
    DeviceObject *device = (DeviceObject *)object;
    if (device->device != NULL) dev_close(device->device);
    if (device->account_is_open) account_close(&device->account);
}

/* Whether the plugin has the device and the curve. */
static bool can_open(const InterlockDeviceParams *params, Failure *failure) {
    uint32_t devices = dev_probe().devices;
    if (params->curve != INTERLOCK_CURVE_BN254 && params->curve != INTERLOCK_CURVE_BLS12_381) {
        return fail(failure, INTERLOCK_UNSUPPORTED, "curve number %u", params->curve);
    }
    if (params->index < devices) return true;
    return fail(failure, INTERLOCK_INVALID_ARGUMENT, "there is no device %u: the plugin found %u", params->index,
                devices);
}

InterlockError *device_open(const InterlockDeviceParams *params, InterlockDevice **out) {
    Call call;
    call_begin(&call);
    InterlockDeviceParams known;
    bool can = READ_STRUCT(InterlockDeviceParams, &known, params, threads, &call.failure) &&
               can_open(&known, &call.failure) &&
               call_pointer(&call, out, 1, sizeof(void *), "the place for the device");
    DeviceObject *device = (DeviceObject *)call_new(&call, sizeof *device, KIND_DEVICE, device_destroy);
    if (can && device != NULL) {
        DevInfo info = {0};
        dev_describe(known.index, &info);
        device->index = known.index;
        device->curve = known.curve;
        device->account_is_open =
            account_open(&device->account, info.memory_bytes, known.memory_limit, &call.failure);
        void *handle = NULL;
        if (device->account_is_open && dev_open(known.index, known.curve, known.threads, &device->account,
                                                &device->device, &call.failure)) {
            handle = call_publish(&call, &device->object);
        }
        if (handle != NULL) *out = handle;
    }
    return call_end(&call);
}

InterlockError *device_memory(const InterlockDevice *handle, InterlockMemoryInfo *out) {
    Call call;
    call_begin(&call);
    DeviceObject *device = call_device(&call, handle);
    if (device != NULL) {
        InterlockMemoryInfo info = {
            .budget_bytes = device->account.budget,
            .scalars_bytes = account_held(&device->account, FOR_SCALARS),
            .keys_bytes = account_held(&device->account, FOR_KEYS),
        };
        (void)WRITE_STRUCT(InterlockMemoryInfo, out, &info, keys_bytes, &call.failure);
    }
    return call_end(&call);
}

InterlockError *device_close(InterlockDevice *handle) {
    Call call;
    call_begin(&call);
    /* What was made from it keeps it open until the last of it is freed. */
    (void)call_end_handle(&call, handle, KIND_DEVICE);
    return call_end(&call);
}

static void lane_gone(Object *object) {
    LaneObject *lane = (LaneObject *)object;
    if (lane->lane != NULL) dev_lane_close(lane->lane);
}

InterlockError *lane_create(const InterlockDevice *handle, InterlockLane **out) {
    Call call;
    call_begin(&call);
    DeviceObject *device = call_device(&call, handle);
    (void)call_pointer(&call, out, 1, sizeof(void *), "the place for the lane");
    LaneObject *lane = (LaneObject *)call_new(&call, sizeof *lane, KIND_LANE, lane_gone);
    if (lane != NULL && dev_lane_open(device->device, &lane->cancel, &lane->lane, &call.failure)) {
        void *made = call_publish(&call, &lane->object);
        if (made != NULL) *out = made;
    }
    return call_end(&call);
}

InterlockError *lane_sync(const InterlockLane *handle) {
    Call call;
    call_begin(&call);
    LaneObject *lane = call_lane(&call, handle);
    if (lane != NULL) {
        (void)dev_lane_wait(lane->lane, &call.failure);
        /* A cancellation ends here: the lane takes work again. */
        atomic_store(&lane->cancel.asked, false);
    }
    return call_end(&call);
}

InterlockError *lane_cancel(const InterlockLane *handle) {
    Call call;
    call_begin(&call);
    /* Not `call_lane`: another thread has the lane in use, that is the point. */
    LaneObject *lane = (LaneObject *)handle_get(handle, KIND_LANE, &call.failure);
    if (lane != NULL) {
        atomic_store(&lane->cancel.asked, true);
        object_release(&lane->object);
    }
    return call_end(&call);
}

InterlockError *lane_destroy(InterlockLane *handle) {
    Call call;
    call_begin(&call);
    LaneObject *lane = (LaneObject *)call_end_handle(&call, handle, KIND_LANE);
    if (lane != NULL) (void)dev_lane_wait(lane->lane, &call.failure);
    return call_end(&call);
}
