// Number-theoretic transforms of 2^n scalars in natural order, in and out, for any generator and coset shift.
//
// Stockham's algorithm (the self-sorting form, so that no pass reorders): a pass of radix R takes columns of R elements that lie N/R
// apart, transforms each in shared memory, multiplies by powers of ω and stores them s apart, s being the product of the radices
// before. With
//
//     c = q + s·p   (q < s, p < N/(s·R)),      in[c + (N/R)·r]  →  out[q + s·R·p + s·k] = ω^(s·p·k) · Σ in[c + (N/R)·r] · ω^((N/R)·r·k)
//
// the passes give out[k] = Σ in[i]·ω^(ik). In the last pass p is 0, so it needs no powers, and reads and writes the same places.
//
// Powers are had from two tables of 2^⌈n/2⌉ elements at most, low and high bits of the exponent: one product instead of tables as large
// as the data.
#pragma once

#include "block.cuh"
#include "field.cuh"

namespace il {

// log2 of the largest radix: 256 elements of 8 columns are 64 KiB.
constexpr int NTT_MAX_LOG_RADIX = 8;
constexpr int NTT_MAX_LOG_COLUMNS = 3;

// base^e for e below 2^(low_bits + high_bits).
template <class F>
struct Powers {
    const F *low, *high;
    int low_bits;

    IL_INLINE F at(uint64_t e) const {
        return low[e & ((1ull << low_bits) - 1)] * high[e >> low_bits];
    }
};

// Makes both tables of powers, `factor` included in the high one.
template <class F>
IL_INLINE void make_powers(F *low, F *high, int low_bits, int high_bits, F base, F factor) {
    F power = F::one();
    for (uint32_t i = 0; i < 1u << low_bits; i++) {
        low[i] = power;
        power = power * base;
    }
    F step = power;
    power = factor;
    for (uint32_t i = 0; i < 1u << high_bits; i++) {
        high[i] = power;
        power = power * step;
    }
}

// What a pass is given.
template <class F>
struct NttPass {
    const F *in;
    F *out;
    int log_size;       // n
    int log_radix;      // of this pass
    int log_stride;     // s
    Powers<F> root;     // of ω
    // What the data is multiplied with before the first pass (powers of a coset's shift), after the last one (powers of its
    // inverse, with 1/N), or throughout (1/N alone).
    bool scales_in, scales_out, has_factor;
    Powers<F> scale;
    F factor;

    IL_INLINE int log_columns() const {
        int columns = log_size - log_radix;
        return columns < NTT_MAX_LOG_COLUMNS ? columns : NTT_MAX_LOG_COLUMNS;
    }
    IL_INLINE uint64_t blocks() const { return 1ull << (log_size - log_radix - log_columns()); }
    // Elements of shared memory: the columns, and the powers of their root of unity.
    IL_INLINE uint32_t shared() const { return (1u << (log_radix + log_columns())) + (1u << log_radix) / 2; }
};

IL_INLINE uint32_t reversed_bits(uint32_t value, int bits) {
    uint32_t reversed = 0;
    for (int i = 0; i < bits; i++) reversed |= ((value >> i) & 1) << (bits - 1 - i);
    return reversed;
}

// One block of a pass: some columns.
template <class F>
IL_INLINE void ntt_block(const Block &block, const NttPass<F> &pass, F *shared) {
    const int log_radix = pass.log_radix, log_columns = pass.log_columns();
    const uint32_t radix = 1u << log_radix, columns = 1u << log_columns, elements = radix << log_columns;
    const uint64_t first_column = block.index << log_columns;
    F *tile = shared, *roots = shared + elements;

    for (uint32_t i = block.first(); i < elements; i += block.step()) {
        uint64_t at = first_column + (i & (columns - 1)) + ((uint64_t)(i >> log_columns) << (pass.log_size - log_radix));
        F value = pass.in[at];
        tile[i] = pass.scales_in ? value * pass.scale.at(at) : value;
    }
    for (uint32_t i = block.first(); i < radix / 2; i += block.step())
        roots[i] = pass.root.at((uint64_t)i << (pass.log_size - log_radix));
    block.barrier();

    // Decimation in frequency: element k of a column comes to stand at the reversed bits of k.
    for (int log_half = log_radix - 1; log_half >= 0; log_half--) {
        const uint32_t half = 1u << log_half;
        for (uint32_t i = block.first(); i < elements / 2; i += block.step()) {
            uint32_t column = i & (columns - 1), pair = i >> log_columns;
            uint32_t offset = pair & (half - 1), low = ((pair >> log_half) << (log_half + 1)) + offset;
            F *a = &tile[(low << log_columns) + column], *b = a + ((size_t)half << log_columns);
            F sum = *a + *b, difference = *a - *b;
            *a = sum;
            *b = offset == 0 ? difference : difference * roots[offset << (log_radix - 1 - log_half)];
        }
        block.barrier();
    }

    const uint64_t stride_mask = (1ull << pass.log_stride) - 1;
    for (uint32_t i = block.first(); i < elements; i += block.step()) {
        // Neighbouring threads store to neighbouring places: along q where the stride allows it, else along k.
        bool along_q = pass.log_stride >= log_columns;
        uint32_t column = along_q ? i & (columns - 1) : i >> log_radix;
        uint32_t k = along_q ? i >> log_columns : i & (radix - 1);
        uint64_t c = first_column + column, q = c & stride_mask, p = c >> pass.log_stride;
        F value = tile[(reversed_bits(k, log_radix) << log_columns) + column];
        if (p != 0 && k != 0) value = value * pass.root.at((p * k) << pass.log_stride);
        uint64_t at = q + (((p << log_radix) + k) << pass.log_stride);
        if (pass.scales_out) value = value * pass.scale.at(at);
        if (pass.has_factor) value = value * pass.factor;
        pass.out[at] = value;
    }
}

// The passes of 2^n elements: how many, and the radix of each, as equal as they get.
IL_INLINE int ntt_passes(int log_size) {
    return log_size == 0 ? 1 : (log_size + NTT_MAX_LOG_RADIX - 1) / NTT_MAX_LOG_RADIX;
}

IL_INLINE int ntt_log_radix(int log_size, int pass) {
    int passes = ntt_passes(log_size);
    return log_size / passes + (pass < log_size % passes ? 1 : 0);
}

}  // namespace il
