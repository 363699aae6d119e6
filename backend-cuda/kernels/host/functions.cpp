// The kernels' arithmetic as functions of a host library, for the tests: the same headers, compiled as C++.
#include "../digits.cuh"
#include "../msm.cuh"
#include "../ntt.cuh"
#include "../xyzz.cuh"

#include <string.h>

#include <vector>

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

// Runs all passes of a transform as a device would, block after block.
template <class P>
void transform(int op, int log_size, const uint8_t *generator, const uint8_t *shift, const uint8_t *inverses, uint8_t *data) {
    using F = Field<P>;
    std::vector<F> values((size_t)1 << log_size), scratch(values.size());
    memcpy(values.data(), data, values.size() * sizeof(F));
    bool inverse = op & 1, coset = op & 2;
    // Inverses of generator, shift and size come from the caller: the device gets them from its host as well.
    F root = load<F>(inverse ? inverses : generator, 0), by = inverse ? load<F>(inverses, 1) : load<F>(shift, 0);
    F size_inverse = load<F>(inverses, 2);
    int low = (log_size + 1) / 2, high = log_size - low;
    std::vector<F> tables[4];
    for (auto &table : tables) table.resize((size_t)1 << low);
    make_powers(tables[0].data(), tables[1].data(), low, high, root, F::one());
    make_powers(tables[2].data(), tables[3].data(), low, high, by, inverse ? size_inverse : F::one());
    int passes = ntt_passes(log_size), log_stride = 0;
    F *in = values.data(), *out;
    for (int i = 0; i < passes; i++) {
        bool last = i + 1 == passes;
        out = last ? values.data() : (i % 2 == 0 ? scratch.data() : values.data());
        NttPass<F> pass = {};
        pass.in = in;
        pass.out = out;
        pass.log_size = log_size;
        pass.log_radix = ntt_log_radix(log_size, i);
        pass.log_stride = log_stride;
        pass.root = {tables[0].data(), tables[1].data(), low};
        pass.scale = {tables[2].data(), tables[3].data(), low};
        pass.scales_in = i == 0 && coset && !inverse;
        pass.scales_out = last && coset && inverse;
        pass.has_factor = last && inverse && !coset;
        pass.factor = size_inverse;
        std::vector<F> shared(pass.shared());
        for (uint64_t block = 0; block < pass.blocks(); block++) ntt_block(Block{block}, pass, shared.data());
        log_stride += pass.log_radix;
        in = out;
    }
    memcpy(data, values.data(), values.size() * sizeof(F));
}

// A sum by all steps of msm.cuh, thread after thread.
template <class P, class F>
void multi_scalar(size_t count, int width, const uint8_t *points, const uint32_t *index, const uint8_t *scalars, size_t n_scalars,
                  bool montgomery, uint8_t *out) {
    MsmShape shape = {(uint32_t)count, width};
    std::vector<Affine<F>> bases(count);
    memcpy(bases.data(), points, count * sizeof(Affine<F>));
    std::vector<Field<P>> given(n_scalars);
    memcpy(given.data(), scalars, n_scalars * sizeof(Field<P>));
    uint32_t keys_count = shape.windows() * shape.buckets();
    std::vector<uint32_t> counts(keys_count);
    for (uint32_t i = 0; i < count; i++) msm_count(i, shape, given.data(), index, montgomery, counts.data());
    // Counts, sums of them, sums of those, until one thread can do with the rest.
    std::vector<std::vector<uint32_t>> levels = {counts};
    while (levels.back().size() > MSM_SCAN) {
        const std::vector<uint32_t> &last = levels.back();
        std::vector<uint32_t> sums(msm_runs(last.size(), MSM_SCAN));
        for (uint32_t i = 0; i < sums.size(); i++) msm_scan_up(i, last.size(), last.data(), sums.data());
        levels.push_back(sums);
    }
    uint32_t total = 0;
    for (uint32_t n : counts) total += n;
    for (size_t level = levels.size(); level-- > 0;) {
        const uint32_t *before = level + 1 < levels.size() ? levels[level + 1].data() : nullptr;
        for (uint32_t i = 0; i < msm_runs(levels[level].size(), MSM_SCAN); i++)
            msm_scan_down(i, levels[level].size(), levels[level].data(), before);
    }
    std::vector<uint32_t> keys(total), entries(total);
    for (uint32_t i = 0; i < count; i++)
        msm_scatter(i, shape, given.data(), index, montgomery, levels[0].data(), keys.data(), entries.data());
    std::vector<Xyzz<F>> buckets(keys_count, Xyzz<F>::infinity());
    std::vector<uint32_t> partial_keys(2 * msm_runs(total, MSM_RUN));
    std::vector<Xyzz<F>> partials(partial_keys.size());
    for (uint32_t i = 0; i < msm_runs(total, MSM_RUN); i++)
        msm_gather(i, total, keys.data(), entries.data(), bases.data(), buckets.data(), partial_keys.data(), partials.data());
    while (!partials.empty()) {
        uint32_t n = partials.size(), runs = msm_runs(n, MSM_MERGE);
        bool last = n <= MSM_MERGE;
        std::vector<uint32_t> next_keys(last ? 0 : 2 * runs);
        std::vector<Xyzz<F>> next(next_keys.size());
        for (uint32_t i = 0; i < runs; i++)
            msm_merge(i, n, partial_keys.data(), partials.data(), buckets.data(), next_keys.data(), next.data());
        partial_keys = next_keys;
        partials = next;
    }
    std::vector<Xyzz<F>> sums(shape.windows() * shape.pieces());
    for (uint32_t i = 0; i < sums.size(); i++) msm_reduce(i, shape, buckets.data(), sums.data());
    for (uint32_t n = shape.pieces(); n > 1; n = msm_runs(n, MSM_FOLD)) {
        std::vector<Xyzz<F>> folded(shape.windows() * msm_runs(n, MSM_FOLD));
        for (uint32_t i = 0; i < folded.size(); i++) msm_fold(i, shape.windows(), n, sums.data(), folded.data());
        sums = folded;
    }
    F result[3];
    msm_finish(shape, sums.data(), result);
    for (int i = 0; i < 3; i++) store(out, i, result[i]);
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

// A transform in place: op is 0 forward, 1 inverse, 2 and 3 the same on the coset. `inverses` are those of generator, shift and size.
void il_ntt(uint32_t field, int op, int log_size, const uint8_t *generator, const uint8_t *shift, const uint8_t *inverses,
            uint8_t *data) {
    if (field == 1) transform<BlsFr>(op, log_size, generator, shift, inverses, data);
    if (field == 3) transform<BnFr>(op, log_size, generator, shift, inverses, data);
}

// Σ scalar · point; `index` is NULL or which scalar each point belongs to. The result is Jacobian.
void il_msm(uint32_t group, size_t count, int width, const uint8_t *points, const uint32_t *index, const uint8_t *scalars,
            size_t n_scalars, uint32_t montgomery, uint8_t *out) {
    switch (group) {
        case 0: return multi_scalar<BlsFr, Field<BlsFp>>(count, width, points, index, scalars, n_scalars, montgomery, out);
        case 1: return multi_scalar<BlsFr, Fp2<BlsFp>>(count, width, points, index, scalars, n_scalars, montgomery, out);
        case 2: return multi_scalar<BnFr, Field<BnFp>>(count, width, points, index, scalars, n_scalars, montgomery, out);
        case 3: return multi_scalar<BnFr, Fp2<BnFp>>(count, width, points, index, scalars, n_scalars, montgomery, out);
    }
}

// The digits of a canonical scalar; how many.
int il_digits(const uint32_t *scalar, int width, int32_t *out) {
    ShiftedScalar shifted = ShiftedScalar::of(scalar, width);
    for (int i = 0; i < digit_count(width); i++) out[i] = shifted.digit(i, width);
    return digit_count(width);
}
}
