// Sums Σ scalar · base over either group, by Pippenger's method with signed digits, in which no distribution of scalars makes one
// thread work more than another.
//
//   count    how many digits fall into each bucket of each window
//   scan     where each bucket's entries begin
//   scatter  entries (which base, which sign) in the order of their buckets
//   gather   each thread adds up a run of entries of one length, whatever bucket borders lie in it: whole buckets are written; what
//            touches the run's ends is a partial sum
//   merge    the same over partial sums, two of a run, until one run has them all
//   reduce   Σ j · bucket[j] of each window, in pieces
//   fold     sums of pieces, until one is left of each window; then windows are put together
//
// With equal scalars all entries are in one bucket of each window, and gather and merge are the same work as with random ones.
// Each function is the work of one thread, number `thread`; there is no shared memory.
#pragma once

#include "digits.cuh"
#include "xyzz.cuh"

namespace il {

// Entries of a run.
constexpr uint32_t MSM_RUN = 32;
// Partial sums of a run.
constexpr uint32_t MSM_MERGE = 16;
// Buckets of a piece.
constexpr uint32_t MSM_PIECE = 32;
// Points that are folded into one.
constexpr uint32_t MSM_FOLD = 16;
// Counts that a thread adds up in a scan.
constexpr uint32_t MSM_SCAN = 256;

struct MsmShape {
    uint32_t count;  // bases
    int32_t width;   // bits of a digit

    IL_INLINE uint32_t windows() const { return digit_count(width); }
    // Of a window: digits ±1 … ±2^(width − 1).
    IL_INLINE uint32_t buckets() const { return 1u << (width - 1); }
    IL_INLINE uint32_t pieces() const { return (buckets() + MSM_PIECE - 1) / MSM_PIECE; }
};

// Adds one to a counter that other threads add to, and gives its value before. Threads of a warp that have the same counter do so
// together: with equal scalars all have.
IL_INLINE uint32_t claim(uint32_t *counter) {
#if defined(__CUDA_ARCH__)
    uint32_t same = __match_any_sync(__activemask(), (unsigned long long)counter);
    uint32_t lane = threadIdx.x % 32, leader = __ffs(same) - 1;
    uint32_t before = 0;
    if (lane == leader) before = atomicAdd(counter, __popc(same));
    return __shfl_sync(same, before, leader) + __popc(same & ((1u << lane) - 1));
#else
    return (*counter)++;
#endif
}

// Calls `each(key, negative)` for the digits of a base's scalar that are not zero; a key is a bucket of a window.
template <class P, class Each>
IL_INLINE void msm_digits(uint32_t base, const MsmShape &shape, const Field<P> *scalars, const uint32_t *index, bool montgomery,
                          Each each) {
    Field<P> scalar = scalars[index ? index[base] : base];
    if (montgomery) scalar = scalar.canonical();
    if (scalar.is_zero()) return;
    ShiftedScalar shifted = ShiftedScalar::of(scalar.word, shape.width);
    for (uint32_t window = 0; window < shape.windows(); window++) {
        int32_t digit = shifted.digit(window, shape.width);
        if (digit != 0) {
            uint32_t bucket = (uint32_t)(digit < 0 ? -digit : digit) - 1;
            each(window * shape.buckets() + bucket, digit < 0);
        }
    }
}

template <class P>
IL_INLINE void msm_count(uint32_t thread, const MsmShape &shape, const Field<P> *scalars, const uint32_t *index, bool montgomery,
                         uint32_t *counts) {
    if (thread >= shape.count) return;
    msm_digits(thread, shape, scalars, index, montgomery, [&](uint32_t key, bool) { claim(&counts[key]); });
}

// The sum of MSM_SCAN counts.
IL_INLINE void msm_scan_up(uint32_t thread, uint32_t n, const uint32_t *counts, uint32_t *sums) {
    uint32_t from = thread * MSM_SCAN, sum = 0;
    if (from >= n) return;
    for (uint32_t i = from; i < n && i < from + MSM_SCAN; i++) sum += counts[i];
    sums[thread] = sum;
}

// Counts become where their entries begin, `before` being that of each MSM_SCAN of them.
IL_INLINE void msm_scan_down(uint32_t thread, uint32_t n, uint32_t *counts, const uint32_t *before) {
    uint32_t from = thread * MSM_SCAN;
    if (from >= n) return;
    uint32_t sum = before ? before[thread] : 0;
    for (uint32_t i = from; i < n && i < from + MSM_SCAN; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

// Writes entries to their places; `places` is the scan's result, and afterwards where each bucket's entries end.
template <class P>
IL_INLINE void msm_scatter(uint32_t thread, const MsmShape &shape, const Field<P> *scalars, const uint32_t *index, bool montgomery,
                           uint32_t *places, uint32_t *keys, uint32_t *entries) {
    if (thread >= shape.count) return;
    msm_digits(thread, shape, scalars, index, montgomery, [&](uint32_t key, bool negative) {
        uint32_t place = claim(&places[key]);
        keys[place] = key;
        entries[place] = thread << 1 | negative;
    });
}

// Sums of a run by its keys: those that touch its ends go to `partial`, the others are whole buckets.
template <class F, class Next>
IL_INLINE void msm_run(uint32_t from, uint32_t to, const uint32_t *keys, Xyzz<F> *buckets, uint32_t *partial_keys, Xyzz<F> *partials,
                       bool is_last, Next next) {
    uint32_t key = keys[from];
    bool head = true;
    Xyzz<F> sum = Xyzz<F>::infinity();
    for (uint32_t i = from; i < to; i++) {
        if (keys[i] != key) {
            if (head && !is_last) {
                partial_keys[0] = key;
                partials[0] = sum;
            } else {
                buckets[key] = sum;
            }
            head = false;
            key = keys[i];
            sum = Xyzz<F>::infinity();
        }
        next(i, sum);
    }
    if (is_last) {
        buckets[key] = sum;
        return;
    }
    partial_keys[1] = key;
    partials[1] = sum;
    if (head) {
        partial_keys[0] = key;
        partials[0] = Xyzz<F>::infinity();
    }
}

// Runs of `n` entries, and partial sums that come of `n` things in runs of `length`.
IL_INLINE uint32_t msm_runs(uint32_t n, uint32_t length) { return (n + length - 1) / length; }

template <class F>
IL_INLINE void msm_gather(uint32_t thread, uint32_t n, const uint32_t *keys, const uint32_t *entries, const Affine<F> *bases,
                          Xyzz<F> *buckets, uint32_t *partial_keys, Xyzz<F> *partials) {
    uint32_t from = thread * MSM_RUN;
    if (from >= n) return;
    uint32_t to = from + MSM_RUN < n ? from + MSM_RUN : n;
    msm_run(from, to, keys, buckets, partial_keys + 2 * thread, partials + 2 * thread, false, [&](uint32_t i, Xyzz<F> &sum) {
        Affine<F> base = bases[entries[i] >> 1];
        sum.add(entries[i] & 1 ? -base : base);
    });
}

// With a single run all that is left are whole buckets.
template <class F>
IL_INLINE void msm_merge(uint32_t thread, uint32_t n, const uint32_t *keys, const Xyzz<F> *sums, Xyzz<F> *buckets,
                         uint32_t *partial_keys, Xyzz<F> *partials) {
    uint32_t from = thread * MSM_MERGE;
    if (from >= n) return;
    uint32_t to = from + MSM_MERGE < n ? from + MSM_MERGE : n;
    msm_run(from, to, keys, buckets, partial_keys + 2 * thread, partials + 2 * thread, n <= MSM_MERGE,
            [&](uint32_t i, Xyzz<F> &sum) { sum.add(sums[i]); });
}

// Σ (j + 1) · bucket[j] over a piece of a window's buckets, by running sums from its end, and its beginning times the sum of all.
template <class F>
IL_INLINE void msm_reduce(uint32_t thread, const MsmShape &shape, const Xyzz<F> *buckets, Xyzz<F> *sums) {
    uint32_t pieces = shape.pieces(), window = thread / pieces, first = thread % pieces * MSM_PIECE;
    if (window >= shape.windows()) return;
    const Xyzz<F> *of_window = buckets + (size_t)window * shape.buckets();
    uint32_t end = first + MSM_PIECE < shape.buckets() ? first + MSM_PIECE : shape.buckets();
    Xyzz<F> all = Xyzz<F>::infinity(), weighted = Xyzz<F>::infinity();
    for (uint32_t j = end; j-- > first;) {
        all.add(of_window[j]);
        weighted.add(all);
    }
    Xyzz<F> times = Xyzz<F>::infinity();
    for (int bit = shape.width - 1; bit >= 0; bit--) {
        times = times.doubled();
        if (first >> bit & 1) times.add(all);
    }
    weighted.add(times);
    sums[thread] = weighted;
}

// Sums of MSM_FOLD points of a window, of which there are `n` each.
template <class F>
IL_INLINE void msm_fold(uint32_t thread, uint32_t windows, uint32_t n, const Xyzz<F> *points, Xyzz<F> *sums) {
    uint32_t runs = msm_runs(n, MSM_FOLD), window = thread / runs, from = thread % runs * MSM_FOLD;
    if (window >= windows) return;
    Xyzz<F> sum = Xyzz<F>::infinity();
    for (uint32_t i = from; i < n && i < from + MSM_FOLD; i++) sum.add(points[(size_t)window * n + i]);
    sums[thread] = sum;
}

// Windows put together, the highest first: the result's Jacobian coordinates.
template <class F>
IL_INLINE void msm_finish(const MsmShape &shape, const Xyzz<F> *windows, F *result) {
    Xyzz<F> sum = Xyzz<F>::infinity();
    for (uint32_t window = shape.windows(); window-- > 0;) {
        for (int i = 0; i < shape.width; i++) sum = sum.doubled();
        sum.add(windows[window]);
    }
    sum.jacobian(result[0], result[1], result[2]);
}

}  // namespace il
