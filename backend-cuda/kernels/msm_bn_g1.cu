// Sums over bases of G1 of BN254.
#include "msm_kernels.cuh"

SCALARS(bn, BnFr)
GROUP(bn_g1, Field<BnFp>)
