/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of this device share: its objects, and memory that is wiped. */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "device.h"
#include "points.h"

/* A scalar as it lies in memory; its form is keep/'s business. */
typedef struct Scalar {
    uint64_t limb[SCALAR_LIMBS];
} Scalar;

struct DevDevice {
    const CurveFields *fields;
    Account *account;
};

struct DevLane {
    DevDevice *device;
    const Cancel *cancel;
};

struct DevScalars {
    DevDevice *device;
    size_t count;
    Scalar *scalars;
};

struct DevBases {
    DevDevice *device;
    Group group;
    uint64_t bytes;  /* on the account */
    size_t count;    /* finite points only */
    uint8_t *points; /* as on the wire */
    uint32_t *index; /* the scalar that each one meets */
};

struct DevMatrix {
    DevDevice *device;
    uint64_t bytes;
    size_t rows;
    uint64_t *offsets;
    uint32_t *columns;
    Scalar *values; /* coefficient · R² mod r */
};

struct DevDomain {
    DevDevice *device;
    uint64_t bytes;
    uint32_t log_size;
    Scalar *powers; /* ω^i, i below half the size */
    uint64_t size_inverse[SCALAR_LIMBS], shift[SCALAR_LIMBS], shift_inverse[SCALAR_LIMBS];
};

/* How many elements of work lie between two looks at a lane's cancellation. */
enum { PIECE = 4096 };

/* Zeroed memory of at least one byte, or "not now". */
void *obtain(size_t count, size_t size, Failure *failure);
/* Overwrites memory that held secrets, in a way that the compiler cannot leave out. */
void wipe(void *memory, size_t bytes);

#endif
