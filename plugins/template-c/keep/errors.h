/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Error objects: what the host gets for a failed call. */
#ifndef KEEP_ERRORS_H
#define KEEP_ERRORS_H

#include "failure.h"

/* The error of a failure; NULL when nothing has failed. `device` is its index, or UINT32_MAX. */
InterlockError *error_make(const Failure *failure, uint32_t device);

/* The table's `error_get` and `error_destroy`. */
void error_get(const InterlockError *error, InterlockErrorInfo *out);
void error_destroy(InterlockError *error);

#endif
