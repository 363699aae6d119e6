// Scans of counts, for all curves.
#include "msm_kernels.cuh"

extern "C" __global__ void msm_scan_up(uint32_t n, const uint32_t *counts, uint32_t *sums) {
    il::msm_scan_up(thread_number(), n, counts, sums);
}

extern "C" __global__ void msm_scan_down(uint32_t n, uint32_t *counts, const uint32_t *before) {
    il::msm_scan_down(thread_number(), n, counts, before);
}
