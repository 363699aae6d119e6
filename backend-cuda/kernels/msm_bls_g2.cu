// Sums over bases of G2 of BLS12-381.
#include "msm_kernels.cuh"

GROUP(bls_g2, Fp2<BlsFp>)
