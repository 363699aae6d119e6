/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The functions of the table, under the names of its slots. interlock_backend.h says what each one promises. */
#ifndef KEEP_SLOTS_H
#define KEEP_SLOTS_H

#include "interlock_backend.h"

/* slots_device.c */
InterlockError *device_open(const InterlockDeviceParams *params, InterlockDevice **out);
InterlockError *device_memory(const InterlockDevice *device, InterlockMemoryInfo *out);
InterlockError *device_close(InterlockDevice *device);
InterlockError *lane_create(const InterlockDevice *device, InterlockLane **out);
InterlockError *lane_sync(const InterlockLane *lane);
InterlockError *lane_cancel(const InterlockLane *lane);
InterlockError *lane_destroy(InterlockLane *lane);

/* slots_scalars.c */
InterlockError *scalars_alloc(const InterlockDevice *device, uint64_t count, InterlockScalars **out);
InterlockError *scalars_upload(const InterlockLane *lane, const InterlockScalars *dst, uint64_t first,
                               const uint8_t *src, uint64_t count, uint32_t form);
InterlockError *scalars_download(const InterlockLane *lane, const InterlockScalars *src, uint64_t first, uint8_t *dst,
                                 uint64_t count, uint32_t *form);
InterlockError *scalars_free(InterlockScalars *scalars);

/* slots_keys.c */
InterlockError *bases_create(const InterlockDevice *device, const InterlockBasesDesc *desc, InterlockBases **out);
InterlockError *bases_free(InterlockBases *bases);
InterlockError *matrix_create(const InterlockDevice *device, const InterlockMatrixDesc *desc, InterlockMatrix **out);
InterlockError *matrix_free(InterlockMatrix *matrix);
InterlockError *domain_create(const InterlockDevice *device, const InterlockDomainDesc *desc, InterlockDomain **out);
InterlockError *domain_free(InterlockDomain *domain);

/* slots_math.c */
InterlockError *ntt(const InterlockLane *lane, const InterlockDomain *domain, const InterlockScalars *data,
                    uint32_t op);
InterlockError *pointwise(const InterlockLane *lane, uint32_t op, const InterlockScalars *dst,
                          const InterlockScalars *a, const InterlockScalars *b);
InterlockError *scale(const InterlockLane *lane, const InterlockScalars *data, const uint8_t *factor);
InterlockError *spmv(const InterlockLane *lane, const InterlockMatrix *matrix, const InterlockScalars *x,
                     const InterlockScalars *y);
InterlockError *msm(const InterlockLane *lane, const InterlockScalars *scalars, const InterlockMsm *msms,
                    uint64_t count, size_t stride);

#endif
