/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What went wrong in a call. It lives on the caller's stack and becomes an InterlockError when the call ends, so that
 * code in between allocates nothing when it fails.
 */
#ifndef KEEP_FAILURE_H
#define KEEP_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

#include "interlock_backend.h"

typedef struct Failure {
    uint32_t code;       /* INTERLOCK_INVALID_ARGUMENT …; 0 while nothing has failed */
    uint32_t flags;      /* INTERLOCK_ERROR_* */
    int64_t native_code; /* your driver's own code, or 0 */
    char message[200];   /* one line for a person; never a witness value */
} Failure;

/* Fills a failure and returns false, for `return fail(…)`. The first one stays: what follows from it says less. */
__attribute__((format(printf, 3, 4))) bool fail(Failure *failure, uint32_t code, const char *format, ...);

/* `wanted` bytes, where the device can never give more than `most`. */
bool fail_never_fits(Failure *failure, uint64_t wanted, uint64_t most);

/* `wanted` bytes, where `free` are free at the moment. The host may try again. */
bool fail_not_now(Failure *failure, uint64_t wanted, uint64_t free);

#endif
