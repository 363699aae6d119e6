// The quadratic extension c0 + c1·u with u² = −1, over which G2 of either curve is.
#pragma once

#include "field.cuh"

namespace il {

template <class P>
struct Fp2 {
    using Base = Field<P>;
    Base c0, c1;

    IL_INLINE static Fp2 zero() { return {Base::zero(), Base::zero()}; }
    IL_INLINE static Fp2 one() { return {Base::one(), Base::zero()}; }
    IL_INLINE bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
    IL_INLINE bool operator==(const Fp2 &other) const { return c0 == other.c0 && c1 == other.c1; }
    IL_INLINE friend Fp2 operator+(const Fp2 &a, const Fp2 &b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
    IL_INLINE friend Fp2 operator-(const Fp2 &a, const Fp2 &b) { return {a.c0 - b.c0, a.c1 - b.c1}; }
    IL_INLINE Fp2 operator-() const { return {-c0, -c1}; }
    IL_INLINE Fp2 doubled() const { return {c0.doubled(), c1.doubled()}; }

    // Three products instead of four (Karatsuba). Called, not inlined, as the square is: a point addition over this field has a dozen
    // products, and inlined the compiler takes minutes for one kernel, whose code is larger than the instruction cache.
    IL_CALL friend Fp2 operator*(const Fp2 &a, const Fp2 &b) {
        Base low = a.c0 * b.c0, high = a.c1 * b.c1;
        Base cross = (a.c0 + a.c1) * (b.c0 + b.c1);
        return {low - high, cross - low - high};
    }

    // (c0 + c1)(c0 − c1) and 2·c0·c1.
    IL_CALL Fp2 squared() const { return {(c0 + c1) * (c0 - c1), (c0 * c1).doubled()}; }
};

}  // namespace il
