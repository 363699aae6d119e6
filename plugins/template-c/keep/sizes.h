/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Reading and writing structs whose other side may be older or newer.
 *
 * Every struct carries its size and only ever grows at its end. So a reader copies what both sides have and takes the
 * rest for zero, and a writer stays inside what the caller has. What the size must at least cover is named by the last
 * field that this version of the header has: keep naming that field when you move to a newer header of the same major
 * version, and older hosts go on working.
 */
#ifndef KEEP_SIZES_H
#define KEEP_SIZES_H

#include <stddef.h>

#include "failure.h"

/* Bytes up to the end of a field: not sizeof, whose padding would hide a field that is appended into it. */
#define END_OF(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Copies a caller's struct into `*copy`, a variable of that type; `last` is the last field that it must have. */
#define READ_STRUCT(type, copy, source, last, failure) \
    struct_read((copy), sizeof(type), END_OF(type, last), (source), (failure))

/* Copies `*value` into a caller's struct, but for `struct_size` and `ext`, which stay the caller's. */
#define WRITE_STRUCT(type, out, value, last, failure) \
    struct_write((out), (value), sizeof(type), END_OF(type, last), (failure))

bool struct_read(void *copy, size_t size, size_t minimum, const void *source, Failure *failure);
bool struct_write(void *out, const void *value, size_t size, size_t minimum, Failure *failure);

#endif
