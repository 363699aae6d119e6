// Scalars as signed digits of `width` bits, each of which can be had without the others.
//
// With 2^(width − 1) added at every digit's place, k' = k + Σ 2^(width·w + width − 1), the digit w of k is the plain digit w of k' less
// 2^(width − 1): from −2^(width − 1) to 2^(width − 1) − 1. (k' needs a word more than k.) Bases for negative digits are negated, so an
// MSM has half the buckets. Widths are from 3 to 24: with two bits the sum of the halves, two thirds of 2^256, and a scalar of
// BLS12-381, up to 0.46 · 2^256, would not fit the digits.
#pragma once

#include "words.cuh"

namespace il {

constexpr int SCALAR_WORDS = 8;

// Digits of a scalar, the last of which takes up what is carried into it.
IL_INLINE int digit_count(int width) { return 255 / width + 1; }

struct ShiftedScalar {
    uint32_t word[SCALAR_WORDS + 1];

    // From a canonical scalar below the modulus of either curve.
    IL_INLINE static ShiftedScalar of(const uint32_t *scalar, int width) {
        ShiftedScalar shifted;
        uint64_t carry = 0;
        for (int i = 0; i <= SCALAR_WORDS; i++) {
            uint32_t added = 0;
            // The places of halves in this word: width − 1, 2·width − 1, … below those of all digits.
            for (int place = width - 1; place < width * digit_count(width); place += width) {
                if (place / 32 == i) added |= 1u << (place % 32);
            }
            carry += (uint64_t)added + (i < SCALAR_WORDS ? scalar[i] : 0);
            shifted.word[i] = (uint32_t)carry;
            carry >>= 32;
        }
        return shifted;
    }

    IL_INLINE int32_t digit(int index, int width) const {
        int place = index * width, at = place / 32, bit = place % 32;
        uint64_t two = word[at];
        if (at < SCALAR_WORDS) two |= (uint64_t)word[at + 1] << 32;
        uint32_t plain = (uint32_t)(two >> bit) & ((1u << width) - 1);
        return (int32_t)plain - (int32_t)(1u << (width - 1));
    }
};

}  // namespace il
