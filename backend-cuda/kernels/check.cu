// Kernels that apply the arithmetic to arrays, so that a device can be checked against a host and timed.
#include "digits.cuh"
#include "xyzz.cuh"

using namespace il;

namespace {

template <class F>
__device__ void apply(uint32_t op, size_t count, const F *a, const F *b, F *out) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    switch (op) {
        case 0: out[i] = a[i] + b[i]; break;
        case 1: out[i] = a[i] - b[i]; break;
        case 2: out[i] = a[i] * b[i]; break;
        case 3: out[i] = a[i].squared(); break;
        case 4: out[i] = -a[i]; break;
        default: out[i] = a[i].doubled(); break;
    }
}

// Multiplies over and over, for the rate at which that goes: `rounds` products of each of `count` values, two chains a thread.
template <class F>
__device__ void multiply(uint32_t rounds, size_t count, const F *a, F *out) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    F x = a[i], y = a[(i + 1) % count], factor = a[(i + 2) % count];
    for (uint32_t round = 0; round < rounds; round += 2) {
        x = x * factor;
        y = y * factor;
    }
    out[i] = x + y;
}

// Each thread adds `length` points, from its own on, and gives the sum's Jacobian coordinates.
template <class F>
__device__ void add_up(uint32_t length, size_t count, const Affine<F> *points, F *out) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    Xyzz<F> sum = Xyzz<F>::infinity();
    for (uint32_t j = 0; j < length; j++) sum.add(points[(i + j) % count]);
    sum.jacobian(out[3 * i], out[3 * i + 1], out[3 * i + 2]);
}

}  // namespace

#define FIELD(name, F)                                                                                        \
    extern "C" __global__ void name##_apply(uint32_t op, size_t count, const F *a, const F *b, F *out) {     \
        apply(op, count, a, b, out);                                                                          \
    }                                                                                                         \
    extern "C" __global__ void name##_multiply(uint32_t rounds, size_t count, const F *a, F *out) {          \
        multiply(rounds, count, a, out);                                                                      \
    }

#define GROUP(name, F)                                                                                        \
    extern "C" __global__ void name##_add_up(uint32_t length, size_t count, const Affine<F> *p, F *out) {    \
        add_up(length, count, p, out);                                                                        \
    }

FIELD(bls_fp, Field<BlsFp>)
FIELD(bls_fr, Field<BlsFr>)
FIELD(bn_fp, Field<BnFp>)
FIELD(bn_fr, Field<BnFr>)
FIELD(bls_fp2, Fp2<BlsFp>)
FIELD(bn_fp2, Fp2<BnFp>)
GROUP(bls_g1, Field<BlsFp>)
GROUP(bn_g1, Field<BnFp>)

extern "C" __global__ void digits(int width, size_t count, const uint32_t *scalars, int32_t *out) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    ShiftedScalar shifted = ShiftedScalar::of(scalars + SCALAR_WORDS * i, width);
    int n = digit_count(width);
    for (int j = 0; j < n; j++) out[n * i + j] = shifted.digit(j, width);
}
