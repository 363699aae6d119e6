/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Your device. Implement these functions on your hardware and nothing else: keep/ turns them into Interlock's function
 * table, and cpu/ is an implementation in plain C to start from.
 *
 * Before each call keep/ has checked: handles are alive and of one device, lengths and ranges fit (all counts are at
 * most 2^40), forms are as an operation needs them, an output aliases no input, pointers are aligned and not NULL where
 * elements are expected. What it cannot check: that scalars are below r and that points lie on the curve; the host has
 * done that with its files, so it is enough that bad ones do no harm beyond a wrong result.
 *
 * Functions that return bool say true, or fill the failure by `fail(…)` and return false. Calls come from any thread;
 * one lane is used by one thread at a time, and a buffer by one lane, or by several that only read it.
 *
 * Work may be queued: then it runs in the order of the lane, `dev_lane_wait` waits for it and returns the first failure
 * among it, and dev_…_free waits for what still uses the object. Host memory given to an operation stays valid until
 * `dev_lane_wait`, that of keys until they are freed. The CPU here is done when a call returns.
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

#include "keep/account.h"
#include "keep/cancel.h"
#include "keep/failure.h"

/* Yours to define, in whatever way you need; keep/ only passes pointers. */
typedef struct DevDevice DevDevice;
typedef struct DevLane DevLane;
typedef struct DevScalars DevScalars;
typedef struct DevBases DevBases;
typedef struct DevMatrix DevMatrix;
typedef struct DevDomain DevDomain;

typedef struct DevProbe {
    uint32_t score;     /* 0: cannot work here. A CPU is 10, a portable GPU 50, a native GPU 100 */
    uint32_t devices;   /* how many `dev_describe` knows */
    const char *reason; /* why the score is what it is; static */
} DevProbe;

typedef struct DevInfo {
    const char *name, *uuid; /* static; the uuid may be empty */
    uint64_t memory_bytes;   /* 0 when unknown */
    uint32_t compute_units;
} DevInfo;

/* One sum: Σ scalars[first + index[i]] · base[i]. */
typedef struct DevSum {
    const DevBases *bases;
    size_t first;
    uint8_t *result; /* Jacobian X, Y, Z, Montgomery limbs; Z = 0 is infinity. Written at the latest by dev_lane_wait */
} DevSum;

/* Finds devices. Allocates no device memory, uses no network, and may be called often. */
DevProbe dev_probe(void);
void dev_describe(uint32_t index, DevInfo *info);

/*
 * Opens a device for a curve. `threads` bounds the host threads that you compute with, 0 leaves it to you. The account
 * lives as long as the device: take bytes from it before you allocate, give them back after you have freed.
 */
bool dev_open(uint32_t index, uint32_t curve, uint32_t threads, Account *account, DevDevice **out, Failure *failure);
void dev_close(DevDevice *device); /* everything made from it is gone by then */

/* A lane polls `cancel` between pieces of its work; it lives as long as the lane. */
bool dev_lane_open(DevDevice *device, const Cancel *cancel, DevLane **out, Failure *failure);
bool dev_lane_wait(DevLane *lane, Failure *failure);
void dev_lane_close(DevLane *lane);

/* A buffer of `count` scalars, all zero. Freeing overwrites it first: witnesses are secret. */
bool dev_alloc(DevDevice *device, size_t count, DevScalars **out, Failure *failure);
void dev_free(DevScalars *scalars);

/* Copies scalars of 32 bytes; what they mean is `form`'s business, which keep/ remembers. */
bool dev_upload(DevLane *lane, DevScalars *dst, size_t first, const uint8_t *src, size_t count, Failure *failure);
bool dev_download(DevLane *lane, const DevScalars *src, size_t first, uint8_t *dst, size_t count, Failure *failure);

/* Keys. The descriptions are complete and checked, whatever version of them the host has. */
bool dev_bases_load(DevDevice *device, const InterlockBasesDesc *source, DevBases **out, Failure *failure);
void dev_bases_free(DevBases *bases);
bool dev_matrix_load(DevDevice *device, const InterlockMatrixDesc *source, DevMatrix **out, Failure *failure);
void dev_matrix_free(DevMatrix *matrix);
/* Refuses a generator that is not of order 2^log_size, a shift that is zero, and values that are not below r. */
bool dev_domain_load(DevDevice *device, const InterlockDomainDesc *source, DevDomain **out, Failure *failure);
void dev_domain_free(DevDomain *domain);

/* In place, natural order in and out; `op` is one of INTERLOCK_NTT_*. Linear, so either form stays what it is. */
bool dev_ntt(DevLane *lane, const DevDomain *domain, DevScalars *data, uint32_t op, Failure *failure);
/* `op` is one of INTERLOCK_POINTWISE_*; Montgomery form. `a` and `b` may be one buffer. */
bool dev_pointwise(DevLane *lane, uint32_t op, DevScalars *dst, const DevScalars *a, const DevScalars *b,
                   Failure *failure);
/* By 32 bytes in Montgomery form; refuses a factor that is not below r. */
bool dev_scale(DevLane *lane, DevScalars *data, const uint8_t *factor, Failure *failure);
/* `x` canonical, `y` gets Montgomery form. */
bool dev_spmv(DevLane *lane, const DevMatrix *matrix, const DevScalars *x, DevScalars *y, Failure *failure);
/* `sums` is gone when the call returns: copy what queued work needs. */
bool dev_msm(DevLane *lane, const DevScalars *scalars, uint32_t form, const DevSum *sums, size_t count,
             Failure *failure);

#endif
