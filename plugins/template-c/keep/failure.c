/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "failure.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool fail(Failure *failure, uint32_t code, const char *format, ...) {
    if (failure->code != 0) return false;
    failure->code = code;
    va_list arguments;
    va_start(arguments, format);
    /* A message that is too long is cut, which a person survives. */
    (void)vsnprintf(failure->message, sizeof failure->message, format, arguments);
    va_end(arguments);
    return false;
}

bool fail_never_fits(Failure *failure, uint64_t wanted, uint64_t most) {
    return fail(failure, INTERLOCK_OUT_OF_MEMORY_NEVER,
                "%" PRIu64 " bytes are wanted; the device can never give more than %" PRIu64, wanted, most);
}

bool fail_not_now(Failure *failure, uint64_t wanted, uint64_t free) {
    fail(failure, INTERLOCK_OUT_OF_MEMORY_NOW,
         "%" PRIu64 " bytes are wanted; %" PRIu64 " are free at the moment", wanted, free);
    failure->flags |= INTERLOCK_ERROR_RETRYABLE;
    return false;
}
