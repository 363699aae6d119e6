// A block of threads, so that a kernel's body is the same on the device and on the host.
//
// Bodies are loops `for (i = block.first(); i < n; i += block.step())` between barriers, in which no iteration needs another one of
// the same loop. On the host a block has one thread, which runs each loop to its end: barriers are nothing then.
#pragma once

#include "words.cuh"

namespace il {

struct Block {
    // Of the grid.
    uint64_t index;

#if defined(__CUDA_ARCH__)
    __device__ __forceinline__ static Block here() { return {blockIdx.x}; }
    __device__ __forceinline__ uint32_t first() const { return threadIdx.x; }
    __device__ __forceinline__ uint32_t step() const { return blockDim.x; }
    __device__ __forceinline__ void barrier() const { __syncthreads(); }
#else
    uint32_t first() const { return 0; }
    uint32_t step() const { return 1; }
    void barrier() const {}
#endif
};

}  // namespace il
