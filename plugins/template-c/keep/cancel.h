/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A lane's cancellation: any thread asks for it, the device's work polls it between pieces. */
#ifndef KEEP_CANCEL_H
#define KEEP_CANCEL_H

#include <stdatomic.h>

#include "failure.h"

typedef struct Cancel {
    atomic_bool asked;
} Cancel;

/* True to go on; false, with the failure filled, when the lane was cancelled. */
static inline bool cancel_poll(const Cancel *cancel, Failure *failure) {
    /* Relaxed: the flag carries no data, it only has to be seen some time. */
    if (!atomic_load_explicit(&cancel->asked, memory_order_relaxed)) return true;
    return fail(failure, INTERLOCK_CANCELLED, "the work was cancelled");
}

#endif
