// A prime field in Montgomery form.
//
// `P` gives the modulus p and what follows from it (fields.cuh). Values are below p between calls: each result is reduced. All
// loops are unrolled, so that a value lives in registers.
#pragma once

#include "fields.cuh"

namespace il {

template <class P>
struct Field {
    static constexpr int N = P::WORDS;
    uint32_t word[N];

    IL_INLINE static Field zero() {
        Field r;
        IL_UNROLL for (int i = 0; i < N; i++) r.word[i] = 0;
        return r;
    }

    IL_INLINE static Field one() {
        Field r;
        IL_UNROLL for (int i = 0; i < N; i++) r.word[i] = P::one(i);
        return r;
    }

    IL_INLINE bool is_zero() const {
        uint32_t any = 0;
        IL_UNROLL for (int i = 0; i < N; i++) any |= word[i];
        return any == 0;
    }

    IL_INLINE bool operator==(const Field &other) const {
        uint32_t differs = 0;
        IL_UNROLL for (int i = 0; i < N; i++) differs |= word[i] ^ other.word[i];
        return differs == 0;
    }

    IL_INLINE friend Field operator+(const Field &a, const Field &b) {
        Field sum;
#if defined(__CUDA_ARCH__)
        sum.word[0] = add_cc(a.word[0], b.word[0]);
        IL_UNROLL for (int i = 1; i < N - 1; i++) sum.word[i] = addc_cc(a.word[i], b.word[i]);
        // Both are below p, which leaves the highest bit free.
        sum.word[N - 1] = addc(a.word[N - 1], b.word[N - 1]);
#else
        uint64_t carry = 0;
        for (int i = 0; i < N; i++) {
            carry += (uint64_t)a.word[i] + b.word[i];
            sum.word[i] = (uint32_t)carry;
            carry >>= 32;
        }
#endif
        return sum.reduced_once();
    }

    IL_INLINE friend Field operator-(const Field &a, const Field &b) {
        Field difference;
        uint32_t borrow = subtract(difference, a, b);
        // p is added where the difference is negative.
#if defined(__CUDA_ARCH__)
        difference.word[0] = add_cc(difference.word[0], P::modulus(0) & borrow);
        IL_UNROLL for (int i = 1; i < N - 1; i++) difference.word[i] = addc_cc(difference.word[i], P::modulus(i) & borrow);
        difference.word[N - 1] = addc(difference.word[N - 1], P::modulus(N - 1) & borrow);
#else
        uint64_t carry = 0;
        for (int i = 0; i < N; i++) {
            carry += (uint64_t)difference.word[i] + (P::modulus(i) & borrow);
            difference.word[i] = (uint32_t)carry;
            carry >>= 32;
        }
#endif
        return difference;
    }

    IL_INLINE Field operator-() const { return zero() - *this; }

    IL_INLINE Field doubled() const { return *this + *this; }

    // a·b/2^(32N): the product in Montgomery form.
    IL_INLINE friend Field operator*(const Field &a, const Field &b) { return product(a, b); }

    IL_INLINE Field squared() const { return product(*this, *this); }

    // The number itself, from its Montgomery form.
    IL_INLINE Field canonical() const {
        Field one_as_number = zero();
        one_as_number.word[0] = 1;
        return product(*this, one_as_number);
    }

    // The Montgomery form of a number below p.
    IL_INLINE Field montgomery() const {
        Field r2;
        IL_UNROLL for (int i = 0; i < N; i++) r2.word[i] = P::r2(i);
        return product(*this, r2);
    }

  private:
    // a − b, and all ones where that is negative, else 0.
    IL_INLINE static uint32_t subtract(Field &difference, const Field &a, const Field &b) {
#if defined(__CUDA_ARCH__)
        difference.word[0] = sub_cc(a.word[0], b.word[0]);
        IL_UNROLL for (int i = 1; i < N; i++) difference.word[i] = subc_cc(a.word[i], b.word[i]);
        return subc(0, 0);
#else
        uint64_t borrow = 0;
        for (int i = 0; i < N; i++) {
            uint64_t d = (uint64_t)a.word[i] - b.word[i] - borrow;
            difference.word[i] = (uint32_t)d;
            borrow = d >> 63;
        }
        return (uint32_t)(0 - borrow);
#endif
    }

    // A value below 2p becomes one below p.
    IL_INLINE Field reduced_once() const {
        Field p, less;
        IL_UNROLL for (int i = 0; i < N; i++) p.word[i] = P::modulus(i);
        uint32_t below = subtract(less, *this, p);
        IL_UNROLL for (int i = 0; i < N; i++) less.word[i] = below ? word[i] : less.word[i];
        return less;
    }

#if defined(__CUDA_ARCH__)
    // even += x[0, 2, …]·y, each product on its two words; what is carried out goes to the top of odd.
    __device__ __forceinline__ static void add_even(uint32_t *even, uint32_t *odd, const uint32_t *x, uint32_t y) {
        even[0] = mad_lo_cc(x[0], y, even[0]);
        even[1] = madc_hi_cc(x[0], y, even[1]);
        IL_UNROLL for (int j = 2; j < N; j += 2) {
            even[j] = madc_lo_cc(x[j], y, even[j]);
            even[j + 1] = madc_hi_cc(x[j], y, even[j + 1]);
        }
        odd[N - 1] = addc(odd[N - 1], 0);
    }

    // odd += x[1, 3, …]·y.
    __device__ __forceinline__ static void add_odd(uint32_t *odd, const uint32_t *x, uint32_t y) {
        odd[0] = mad_lo_cc(x[1], y, odd[0]);
        odd[1] = madc_hi_cc(x[1], y, odd[1]);
        IL_UNROLL for (int j = 2; j < N - 2; j += 2) {
            odd[j] = madc_lo_cc(x[j + 1], y, odd[j]);
            odd[j + 1] = madc_hi_cc(x[j + 1], y, odd[j + 1]);
        }
        odd[N - 2] = madc_lo_cc(x[N - 1], y, odd[N - 2]);
        odd[N - 1] = madc_hi(x[N - 1], y, odd[N - 1]);
    }

    // Montgomery multiplication word by word (CIOS). The running value is even + 2^32·odd, so that products of even and of odd
    // words of a factor land on whole pairs of words and their carries are two chains (32 × 32 + 64 bits an instruction, IMAD.WIDE).
    // A division by 2^32 exchanges the two.
    __device__ __forceinline__ static Field product(const Field &a, const Field &b) {
        uint32_t first[N], second[N], p[N];
        IL_UNROLL for (int i = 0; i < N; i++) {
            p[i] = P::modulus(i);
            first[i] = 0;
            second[i] = 0;
        }
        uint32_t *even = first, *odd = second;
        IL_UNROLL for (int i = 0; i < N; i++) {
            if (i > 0) {
                // The value was divided: the old odd words are the even ones now, the old even words from the third on the odd
                // ones; the second one is added to the lowest, and its carry is where the odd chain begins.
                uint32_t *was_even = even;
                even = odd;
                odd = was_even;
                even[0] = add_cc(even[0], odd[1]);
                IL_UNROLL for (int j = 0; j < N - 2; j += 2) {
                    odd[j] = madc_lo_cc(a.word[j + 1], b.word[i], odd[j + 2]);
                    odd[j + 1] = madc_hi_cc(a.word[j + 1], b.word[i], odd[j + 3]);
                }
                odd[N - 2] = madc_lo_cc(a.word[N - 1], b.word[i], 0);
                odd[N - 1] = madc_hi(a.word[N - 1], b.word[i], 0);
            } else {
                add_odd(odd, a.word, b.word[0]);
            }
            add_even(even, odd, a.word, b.word[i]);
            uint32_t m = even[0] * P::m0();
            add_odd(odd, p, m);
            add_even(even, odd, p, m);
        }
        Field r;
        r.word[0] = add_cc(odd[0], even[1]);
        IL_UNROLL for (int i = 1; i < N - 1; i++) r.word[i] = addc_cc(odd[i], even[i + 1]);
        r.word[N - 1] = addc(odd[N - 1], 0);
        return r.reduced_once();
    }
#else
    // The same product, written plainly.
    static Field product(const Field &a, const Field &b) {
        uint32_t t[N + 1] = {0};
        for (int i = 0; i < N; i++) {
            uint64_t carry = 0;
            for (int j = 0; j < N; j++) {
                carry += (uint64_t)a.word[j] * b.word[i] + t[j];
                t[j] = (uint32_t)carry;
                carry >>= 32;
            }
            uint64_t top = carry + t[N];
            uint32_t m = t[0] * P::m0();
            carry = ((uint64_t)m * P::modulus(0) + t[0]) >> 32;
            for (int j = 1; j < N; j++) {
                carry += (uint64_t)m * P::modulus(j) + t[j];
                t[j - 1] = (uint32_t)carry;
                carry >>= 32;
            }
            carry += top;
            t[N - 1] = (uint32_t)carry;
            t[N] = (uint32_t)(carry >> 32);
        }
        Field r;
        for (int i = 0; i < N; i++) r.word[i] = t[i];
        return r.reduced_once();
    }
#endif
};

}  // namespace il
