/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The handle table: what the host holds is a number, not an address. A handle that was freed, is of another kind or was
 * made up is then an error instead of memory corruption. Numbers carry a generation, so a dead handle does not come
 * back to life when its slot is used again.
 */
#ifndef KEEP_HANDLES_H
#define KEEP_HANDLES_H

#include <stddef.h>

#include "failure.h"

typedef enum Kind {
    KIND_DEVICE,
    KIND_LANE,
    KIND_SCALARS,
    KIND_BASES,
    KIND_MATRIX,
    KIND_DOMAIN,
    KIND_ERROR,
} Kind;

/*
 * Head of everything that a handle stands for. Objects count their references: one of the handle's, one of each call
 * that uses it, and, for a device, one of each object made from it. The last one destroys it.
 */
typedef struct Object {
    Kind kind;
    unsigned references;
    struct Object *owner; /* the device it was made from, or NULL */
    void (*destroy)(struct Object *object); /* frees what it holds; the object's own memory is freed for it */
} Object;

/* A zeroed object with one reference, the caller's; NULL when there is no memory. It keeps its owner alive. */
Object *object_new(size_t size, Kind kind, Object *owner, void (*destroy)(Object *object));
void object_release(Object *object);

/* Gives an object a handle, which takes a reference of its own; NULL when there is no memory. */
void *handle_make(Object *object);

/* The object of a handle, with a reference for the caller. */
Object *handle_get(const void *handle, Kind kind, Failure *failure);

/*
 * Ends a handle and gives its reference to the caller. With `alone`, returns when no other call uses the object any
 * more, so that the caller may take back the memory that it lent to it.
 */
Object *handle_end(const void *handle, Kind kind, bool alone, Failure *failure);

#endif
