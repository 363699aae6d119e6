/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "call.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"

void call_begin(Call *call) {
    memset(call, 0, sizeof *call);
    call->held = call->few;
    call->capacity = sizeof call->few / sizeof call->few[0];
}

static bool use_begin(Use *use, bool writing) {
    int users = 0;
    if (writing) return atomic_compare_exchange_strong(&use->users, &users, -1);
    users = atomic_load(&use->users);
    while (users >= 0) {
        if (atomic_compare_exchange_weak(&use->users, &users, users + 1)) return true;
    }
    return false;
}

static void use_end(Use *use, bool writing) {
    if (writing) {
        atomic_store(&use->users, 0);
    } else {
        atomic_fetch_sub(&use->users, 1);
    }
}

InterlockError *call_end(Call *call) {
    uint32_t device = call->device != NULL ? call->device->index : UINT32_MAX;
    /* Backwards: the device that the call is about was the first, and goes last. */
    while (call->count > 0) {
        Held *held = &call->held[--call->count];
        if (held->use != NULL) use_end(held->use, held->writing);
        object_release(held->object);
    }
    if (call->held != call->few) free(call->held);
    return error_make(&call->failure, device);
}

/* Notes an object whose reference the call has. False, and released, when it cannot be noted. */
static bool hold(Call *call, Object *object) {
    if (object == NULL) return false;
    if (call->count == call->capacity) {
        size_t capacity = 2 * call->capacity;
        Held *more = malloc(capacity * sizeof *more);
        if (more == NULL) {
            object_release(object);
            return fail_not_now(&call->failure, capacity * sizeof *more, 0);
        }
        memcpy(more, call->held, call->count * sizeof *more);
        if (call->held != call->few) free(call->held);
        call->held = more;
        call->capacity = capacity;
    }
    call->held[call->count++] = (Held){.object = object};
    return true;
}

/* Takes the use of the object that was noted last. */
static bool take(Call *call, Use *use, bool writing, const char *busy) {
    if (!use_begin(use, writing)) return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "%s", busy);
    call->held[call->count - 1].use = use;
    call->held[call->count - 1].writing = writing;
    return true;
}

/* The object of a handle. */
static Object *look_up(Call *call, const void *handle, Kind kind) {
    if (!call_fine(call)) return NULL;
    Object *object = handle_get(handle, kind, &call->failure);
    return hold(call, object) ? object : NULL;
}

DeviceObject *call_device(Call *call, const InterlockDevice *handle) {
    call->device = (DeviceObject *)look_up(call, handle, KIND_DEVICE);
    return call->device;
}

LaneObject *call_lane(Call *call, const InterlockLane *handle) {
    LaneObject *lane = (LaneObject *)look_up(call, handle, KIND_LANE);
    if (lane == NULL) return NULL;
    call->device = (DeviceObject *)lane->object.owner;
    if (!take(call, &lane->use, true, "the lane is in use by another thread")) return NULL;
    call->lane = lane;
    return lane;
}

LaneObject *call_work(Call *call, const InterlockLane *handle) {
    LaneObject *lane = call_lane(call, handle);
    return lane != NULL && cancel_poll(&lane->cancel, &call->failure) ? lane : NULL;
}

Object *call_key(Call *call, const void *handle, Kind kind) {
    Object *object = look_up(call, handle, kind);
    if (object == NULL) return NULL;
    if (object->owner != &call->device->object) {
        fail(&call->failure, INTERLOCK_INVALID_HANDLE, "a handle belongs to another device than the lane");
        return NULL;
    }
    return object;
}

static ScalarsObject *buffer(Call *call, const InterlockScalars *handle, bool writing) {
    ScalarsObject *scalars = (ScalarsObject *)call_key(call, handle, KIND_SCALARS);
    if (scalars == NULL) return NULL;
    const char *busy = "an output aliases another argument, or another lane uses the buffer";
    return take(call, &scalars->use, writing, busy) ? scalars : NULL;
}

ScalarsObject *call_read(Call *call, const InterlockScalars *handle) { return buffer(call, handle, false); }
ScalarsObject *call_write(Call *call, const InterlockScalars *handle) { return buffer(call, handle, true); }

Object *call_end_handle(Call *call, const void *handle, Kind kind) {
    /* What a device was opened for outlives its handle; everything else is waited for, see handles.h. */
    Object *object = handle_end(handle, kind, kind != KIND_DEVICE, &call->failure);
    if (!hold(call, object)) return NULL;
    call->device = (DeviceObject *)(kind == KIND_DEVICE ? object : object->owner);
    return object;
}

Object *call_new(Call *call, size_t size, Kind kind, void (*destroy)(Object *object)) {
    if (!call_fine(call)) return NULL;
    Object *owner = call->device != NULL ? &call->device->object : NULL;
    Object *object = object_new(size, kind, owner, destroy);
    if (object == NULL) fail_not_now(&call->failure, size, 0);
    return hold(call, object) ? object : NULL;
}

void *call_publish(Call *call, Object *object) {
    if (!call_fine(call) || object == NULL) return NULL;
    void *handle = handle_make(object);
    if (handle == NULL) fail_not_now(&call->failure, sizeof(void *), 0);
    return handle;
}

bool call_count(Call *call, uint64_t n, const char *what) {
    /* 2^40 elements are more than any key has. Larger numbers are mistakes, and keeping them out means that products
     * with an element's size never overflow. */
    if (!call_fine(call)) return false;
    if (n <= UINT64_C(1) << 40) return true;
    return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "%s: %" PRIu64 " elements are more than any memory holds",
                what, n);
}

bool call_pointer(Call *call, const void *pointer, uint64_t elements, size_t alignment, const char *what) {
    if (!call_fine(call)) return false;
    if (pointer == NULL && elements != 0) return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "%s is NULL", what);
    if ((uintptr_t)pointer % alignment == 0) return true;
    return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "%s is not aligned", what);
}

bool call_form(Call *call, uint32_t wanted, uint32_t got) {
    if (!call_fine(call)) return false;
    if (wanted == got) return true;
    const char *form = wanted == INTERLOCK_MONTGOMERY ? "Montgomery" : "canonical";
    return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "the operation needs scalars in %s form", form);
}
