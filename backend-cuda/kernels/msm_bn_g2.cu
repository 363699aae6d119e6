// Sums over bases of G2 of BN254.
#include "msm_kernels.cuh"

GROUP(bn_g2, Fp2<BnFp>)
