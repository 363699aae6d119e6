// Points of y² = x³ + b as X, Y, ZZ, ZZZ with x = X/ZZ, y = Y/ZZZ and ZZ³ = ZZZ²; ZZ = 0 is infinity. b does not occur.
//
// Formulas: Sutherland's, in the Explicit-Formulas Database under "short Weierstrass, XYZZ": madd-2008-s (8M + 2S), add-2008-s
// (12M + 2S), dbl-2008-s-1, mdbl-2008-s-1 (a = 0). Additions are complete: what is infinity, equal or opposite is looked at, since
// equal bases and opposite sums do meet.
#pragma once

#include "fp2.cuh"

namespace il {

// An affine point as on the wire: all zero is infinity.
template <class F>
struct Affine {
    F x, y;

    IL_INLINE bool is_infinity() const { return x.is_zero() && y.is_zero(); }
    IL_INLINE Affine operator-() const { return {x, -y}; }
};

template <class F>
struct Xyzz {
    F x, y, zz, zzz;

    IL_INLINE static Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
    IL_INLINE bool is_infinity() const { return zz.is_zero(); }

    IL_INLINE static Xyzz of(const Affine<F> &point) {
        if (point.is_infinity()) return infinity();
        return {point.x, point.y, F::one(), F::one()};
    }

    // Twice an affine point that is not infinity. A point of order two does not occur in a group of odd prime order, and would
    // be given ZZ = 0, which is right.
    IL_INLINE static Xyzz twice(const Affine<F> &point) {
        F u = point.y.doubled(), v = u.squared(), w = u * v, s = point.x * v;
        F xx = point.x.squared(), m = xx.doubled() + xx;
        F x = m.squared() - s.doubled();
        return {x, m * (s - x) - w * point.y, v, w};
    }

    IL_INLINE Xyzz doubled() const {
        // Infinity stays: ZZ is a factor.
        F u = y.doubled(), v = u.squared(), w = u * v, s = x * v;
        F xx = x.squared(), m = xx.doubled() + xx;
        F x3 = m.squared() - s.doubled();
        return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
    }

    // + an affine point.
    IL_INLINE void add(const Affine<F> &point) {
        if (point.is_infinity()) return;
        if (is_infinity()) {
            *this = of(point);
            return;
        }
        F p = point.x * zz - x, r = point.y * zzz - y;
        if (p.is_zero()) {
            *this = r.is_zero() ? twice(point) : infinity();
            return;
        }
        F pp = p.squared(), ppp = p * pp, q = x * pp;
        x = r.squared() - ppp - q.doubled();
        y = r * (q - x) - y * ppp;
        zz = zz * pp;
        zzz = zzz * ppp;
    }

    IL_INLINE void add(const Xyzz &other) {
        if (other.is_infinity()) return;
        if (is_infinity()) {
            *this = other;
            return;
        }
        F u = x * other.zz, s = y * other.zzz;
        F p = other.x * zz - u, r = other.y * zzz - s;
        if (p.is_zero()) {
            *this = r.is_zero() ? doubled() : infinity();
            return;
        }
        F pp = p.squared(), ppp = p * pp, q = u * pp;
        x = r.squared() - ppp - q.doubled();
        y = r * (q - x) - s * ppp;
        zz = zz * other.zz * pp;
        zzz = zzz * other.zzz * ppp;
    }

    // The same point as Jacobian X, Y, Z: with Z = ZZ no inversion is needed, since X·ZZ/ZZ² = X/ZZ and Y·ZZZ/ZZ³ = Y/ZZZ.
    IL_INLINE void jacobian(F &jx, F &jy, F &jz) const {
        jx = x * zz;
        jy = y * zzz;
        jz = zz;
    }
};

}  // namespace il
