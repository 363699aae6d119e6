/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A call from the host: what it uses and what went wrong.
 *
 * Every function of the table has the same shape. Between `call_begin` and `call_end` it looks up its handles, checks
 * its arguments and does its work; each step does nothing once one before it has failed, and returns NULL or false.
 * `call_end` lets go of everything and gives the answer, so no path leaks a reference or a lock.
 */
#ifndef KEEP_CALL_H
#define KEEP_CALL_H

#include <stdatomic.h>

#include "account.h"
#include "cancel.h"
#include "device.h"
#include "handles.h"

/* What the handles stand for. `object` comes first, so a pointer to it is a pointer to the whole. */

typedef struct DeviceObject {
    Object object;
    Account account;
    bool account_is_open;
    uint32_t index, curve;
    DevDevice *device;
} DeviceObject;

/*
 * A try-lock: n readers, or −1 for one writer. Two calls that meet are a mistake of the host's (an output that is also
 * an input, a lane on two threads), so they are refused and nobody waits.
 */
typedef struct Use {
    atomic_int users;
} Use;

typedef struct LaneObject {
    Object object;
    Use use;
    Cancel cancel;
    DevLane *lane;
} LaneObject;

typedef struct ScalarsObject {
    Object object;
    Use use;
    uint32_t form; /* INTERLOCK_CANONICAL or INTERLOCK_MONTGOMERY; read and written by whoever has the use */
    size_t count;
    DevScalars *scalars;
} ScalarsObject;

typedef struct BasesObject {
    Object object;
    uint32_t group;
    uint64_t span; /* one more than the largest scalar position that a base refers to */
    DevBases *bases;
} BasesObject;

typedef struct MatrixObject {
    Object object;
    size_t rows, cols;
    DevMatrix *matrix;
} MatrixObject;

typedef struct DomainObject {
    Object object;
    uint32_t log_size;
    DevDomain *domain;
} DomainObject;

typedef struct Held {
    Object *object;
    Use *use; /* to be given up as well, or NULL */
    bool writing;
} Held;

typedef struct Call {
    Failure failure;
    DeviceObject *device; /* the one that the call is about, once known */
    LaneObject *lane;
    Held few[8]; /* enough for every call but a large batch of MSMs */
    Held *held;
    size_t count, capacity;
} Call;

void call_begin(Call *call);
InterlockError *call_end(Call *call);
static inline bool call_fine(const Call *call) { return call->failure.code == 0; }

/* Look-ups. Objects must belong to the device that `call_device` or `call_lane` has found before. */
DeviceObject *call_device(Call *call, const InterlockDevice *handle);
LaneObject *call_lane(Call *call, const InterlockLane *handle); /* for this call alone */
LaneObject *call_work(Call *call, const InterlockLane *handle); /* the same, and it was not cancelled */
ScalarsObject *call_read(Call *call, const InterlockScalars *handle);
ScalarsObject *call_write(Call *call, const InterlockScalars *handle);
Object *call_key(Call *call, const void *handle, Kind kind);

/* Ends a handle; the object lives until the end of the call. */
Object *call_end_handle(Call *call, const void *handle, Kind kind);

/* A new object of the call's device, and its handle when it is complete. */
Object *call_new(Call *call, size_t size, Kind kind, void (*destroy)(Object *object));
void *call_publish(Call *call, Object *object);

/* Argument checks. */
bool call_count(Call *call, uint64_t n, const char *what);
bool call_pointer(Call *call, const void *pointer, uint64_t elements, size_t alignment, const char *what);
bool call_form(Call *call, uint32_t wanted, uint32_t got);

#endif
