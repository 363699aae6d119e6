// The kernels of sums over bases: one step of msm.cuh each, a thread for each of its pieces of work. Each curve and group is a file of
// its own, so that they are compiled beside each other.
#pragma once

#include "msm.cuh"

using namespace il;

namespace {

__device__ __forceinline__ uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace

#define SCALARS(name, P)                                                                                               \
    extern "C" __global__ void name##_msm_count(MsmShape shape, const Field<P> *scalars, const uint32_t *index,       \
                                                uint32_t montgomery, uint32_t *counts) {                              \
        msm_count(thread_number(), shape, scalars, index, montgomery != 0, counts);                                   \
    }                                                                                                                  \
    extern "C" __global__ void name##_msm_scatter(MsmShape shape, const Field<P> *scalars, const uint32_t *index,     \
                                                  uint32_t montgomery, uint32_t *places, uint32_t *keys,              \
                                                  uint32_t *entries) {                                                 \
        msm_scatter(thread_number(), shape, scalars, index, montgomery != 0, places, keys, entries);                  \
    }

#define GROUP(name, F)                                                                                                 \
    extern "C" __global__ void name##_gather(uint32_t n, const uint32_t *keys, const uint32_t *entries,               \
                                             const Affine<F> *bases, Xyzz<F> *buckets, uint32_t *partial_keys,        \
                                             Xyzz<F> *partials) {                                                      \
        msm_gather(thread_number(), n, keys, entries, bases, buckets, partial_keys, partials);                        \
    }                                                                                                                  \
    extern "C" __global__ void name##_merge(uint32_t n, const uint32_t *keys, const Xyzz<F> *sums, Xyzz<F> *buckets,  \
                                            uint32_t *partial_keys, Xyzz<F> *partials) {                              \
        msm_merge(thread_number(), n, keys, sums, buckets, partial_keys, partials);                                    \
    }                                                                                                                  \
    extern "C" __global__ void name##_reduce(MsmShape shape, const Xyzz<F> *buckets, Xyzz<F> *sums) {                 \
        msm_reduce(thread_number(), shape, buckets, sums);                                                             \
    }                                                                                                                  \
    extern "C" __global__ void name##_fold(uint32_t windows, uint32_t n, const Xyzz<F> *points, Xyzz<F> *sums) {      \
        msm_fold(thread_number(), windows, n, points, sums);                                                           \
    }                                                                                                                  \
    extern "C" __global__ void name##_finish(MsmShape shape, const Xyzz<F> *windows, F *result) {                     \
        if (thread_number() == 0) msm_finish(shape, windows, result);                                                  \
    }
