// The kernels' arithmetic as functions of a host library, for the tests: the same headers, compiled as C++.
#include "../digits.cuh"
#include "../xyzz.cuh"

#include <string.h>

using namespace il;

namespace {

enum FieldOp { ADD, SUB, MUL, SQUARE, NEGATE, DOUBLE, CANONICAL, MONTGOMERY };

template <class F>
F apply(uint32_t op, const F &a, const F &b) {
    switch (op) {
        case ADD: return a + b;
        case SUB: return a - b;
        case MUL: return a * b;
        case SQUARE: return a.squared();
        case NEGATE: return -a;
        default: return a.doubled();
    }
}

template <class P>
Field<P> apply_prime(uint32_t op, const Field<P> &a, const Field<P> &b) {
    if (op == CANONICAL) return a.canonical();
    if (op == MONTGOMERY) return a.montgomery();
    return apply(op, a, b);
}

template <class T>
T load(const uint8_t *bytes, size_t index) {
    T value;
    memcpy(&value, bytes + index * sizeof(T), sizeof value);
    return value;
}

template <class T>
void store(uint8_t *bytes, size_t index, const T &value) {
    memcpy(bytes + index * sizeof(T), &value, sizeof value);
}

template <class P>
void field_ops(uint32_t op, size_t count, const uint8_t *a, const uint8_t *b, uint8_t *out) {
    for (size_t i = 0; i < count; i++)
        store(out, i, apply_prime(op, load<Field<P>>(a, i), load<Field<P>>(b, i)));
}

template <class P>
void fp2_ops(uint32_t op, size_t count, const uint8_t *a, const uint8_t *b, uint8_t *out) {
    for (size_t i = 0; i < count; i++) store(out, i, apply(op, load<Fp2<P>>(a, i), load<Fp2<P>>(b, i)));
}

// Adds points up: each to the one accumulator, or (`in_halves`) in two accumulators that are added, and doubles the sum `doublings`
// times. The result is Jacobian.
template <class F>
void sum(size_t count, const uint8_t *points, bool in_halves, uint32_t doublings, uint8_t *out) {
    Xyzz<F> sums[2] = {Xyzz<F>::infinity(), Xyzz<F>::infinity()};
    for (size_t i = 0; i < count; i++) sums[in_halves && i >= count / 2].add(load<Affine<F>>(points, i));
    sums[0].add(sums[1]);
    for (uint32_t i = 0; i < doublings; i++) sums[0] = sums[0].doubled();
    F coordinates[3];
    sums[0].jacobian(coordinates[0], coordinates[1], coordinates[2]);
    for (int i = 0; i < 3; i++) store(out, i, coordinates[i]);
}

}  // namespace

extern "C" {

void il_field(uint32_t field, uint32_t op, size_t count, const uint8_t *a, const uint8_t *b, uint8_t *out) {
    switch (field) {
        case 0: return field_ops<BlsFp>(op, count, a, b, out);
        case 1: return field_ops<BlsFr>(op, count, a, b, out);
        case 2: return field_ops<BnFp>(op, count, a, b, out);
        case 3: return field_ops<BnFr>(op, count, a, b, out);
        case 4: return fp2_ops<BlsFp>(op, count, a, b, out);
        case 5: return fp2_ops<BnFp>(op, count, a, b, out);
    }
}

void il_sum(uint32_t group, size_t count, const uint8_t *points, uint32_t in_halves, uint32_t doublings, uint8_t *out) {
    switch (group) {
        case 0: return sum<Field<BlsFp>>(count, points, in_halves, doublings, out);
        case 1: return sum<Fp2<BlsFp>>(count, points, in_halves, doublings, out);
        case 2: return sum<Field<BnFp>>(count, points, in_halves, doublings, out);
        case 3: return sum<Fp2<BnFp>>(count, points, in_halves, doublings, out);
    }
}

// The digits of a canonical scalar; how many.
int il_digits(const uint32_t *scalar, int width, int32_t *out) {
    ShiftedScalar shifted = ShiftedScalar::of(scalar, width);
    for (int i = 0; i < digit_count(width); i++) out[i] = shifted.digit(i, width);
    return digit_count(width);
}
}
