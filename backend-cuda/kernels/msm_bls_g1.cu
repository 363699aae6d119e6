// Sums over bases of G1 of BLS12-381.
#include "msm_kernels.cuh"

SCALARS(bls, BlsFr)
GROUP(bls_g1, Field<BlsFp>)
