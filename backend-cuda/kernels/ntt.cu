// The kernels of transforms: tables of powers, and a pass.
#include "ntt.cuh"

using namespace il;

namespace {

constexpr int THREADS = 256;

// out[i] = factor · base^i.
template <class F>
__device__ void powers(F *out, uint32_t count, F base, F factor) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    F power = factor;
    for (uint32_t rest = i; rest != 0; rest >>= 1) {
        if (rest & 1) power = power * base;
        base = base.squared();
    }
    out[i] = power;
}

}  // namespace

// A pass has 256 threads and as many blocks and as much dynamic shared memory as `NttPass` says.
#define TRANSFORMS(name, F)                                                                                     \
    static_assert(sizeof(NttPass<F>) == 120, "the host packs this struct");                                     \
    extern "C" __global__ void name##_powers(F *out, uint32_t count, const F base, const F factor) {           \
        powers(out, count, base, factor);                                                                       \
    }                                                                                                           \
    extern "C" __global__ void __launch_bounds__(THREADS) name##_ntt_pass(const __grid_constant__ NttPass<F> pass) { \
        extern __shared__ uint32_t shared[];                                                                    \
        ntt_block(Block::here(), pass, reinterpret_cast<F *>(shared));                                          \
    }

TRANSFORMS(bls_fr, Field<BlsFr>)
TRANSFORMS(bn_fr, Field<BnFr>)
