/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Bases and matrices. They are copied, as a device with memory of its own does; one that reads the host's memory may
 * keep the pointers instead, which stay valid until the key is freed, and then has nothing to put on the account.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

static bool is_infinity(const uint8_t *point, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (point[i] != 0) return false;
    }
    return true;
}

bool dev_bases_load(DevDevice *device, const InterlockBasesDesc *source, DevBases **out, Failure *failure) {
    DevBases bases = {.device = device, .group = {&device->fields->base, source->group == INTERLOCK_G2 ? 2 : 1}};
    size_t point_bytes = 2 * coordinate_bytes(&bases.group), count = (size_t)source->count;
    /* Up to two thirds of a key's A and B bases are infinity, and add nothing. */
    for (size_t i = 0; i < count; i++) {
        if (!is_infinity(source->points + i * point_bytes, point_bytes)) bases.count++;
    }
    bases.bytes = (uint64_t)bases.count * (point_bytes + sizeof(uint32_t));
    /* Positions are 32 bits on the wire, so without an index there are no more bases than that either. */
    if (source->index == NULL && source->count > UINT64_C(1) << 32) {
        return fail(failure, INTERLOCK_UNSUPPORTED, "more than 2^32 bases");
    }
    if (!account_take(device->account, FOR_KEYS, bases.bytes, failure)) return false;
    bases.points = obtain(bases.count, point_bytes, failure);
    bases.index = obtain(bases.count, sizeof *bases.index, failure);
    DevBases *made = obtain(1, sizeof *made, failure);
    if (bases.points == NULL || bases.index == NULL || made == NULL) {
        free(bases.points);
        free(bases.index);
        free(made);
        account_give(device->account, FOR_KEYS, bases.bytes);
        return false;
    }
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *point = source->points + i * point_bytes;
        if (is_infinity(point, point_bytes)) continue;
        memcpy(bases.points + next * point_bytes, point, point_bytes);
        bases.index[next++] = source->index != NULL ? source->index[i] : (uint32_t)i;
    }
    *made = bases;
    *out = made;
    return true;
}

void dev_bases_free(DevBases *bases) {
    free(bases->points);
    free(bases->index);
    account_give(bases->device->account, FOR_KEYS, bases->bytes);
    free(bases);
}

bool dev_matrix_load(DevDevice *device, const InterlockMatrixDesc *source, DevMatrix **out, Failure *failure) {
    size_t rows = (size_t)source->rows, nnz = (size_t)source->nnz;
    DevMatrix matrix = {.device = device, .rows = rows};
    matrix.bytes = (uint64_t)(rows + 1) * sizeof(uint64_t) + (uint64_t)nnz * (sizeof(uint32_t) + sizeof(Scalar));
    if (!account_take(device->account, FOR_KEYS, matrix.bytes, failure)) return false;
    matrix.offsets = obtain(rows + 1, sizeof *matrix.offsets, failure);
    matrix.columns = obtain(nnz, sizeof *matrix.columns, failure);
    matrix.values = obtain(nnz, sizeof *matrix.values, failure);
    DevMatrix *made = obtain(1, sizeof *made, failure);
    if (matrix.offsets == NULL || matrix.columns == NULL || matrix.values == NULL || made == NULL) {
        free(matrix.offsets);
        free(matrix.columns);
        free(matrix.values);
        free(made);
        account_give(device->account, FOR_KEYS, matrix.bytes);
        return false;
    }
    memcpy(matrix.offsets, source->row_offsets, (rows + 1) * sizeof *matrix.offsets);
    if (nnz > 0) memcpy(matrix.columns, source->columns, nnz * sizeof *matrix.columns);
    for (size_t i = 0; i < nnz; i++) limbs_load(matrix.values[i].limb, source->values + i * SCALAR_BYTES, SCALAR_LIMBS);
    *made = matrix;
    *out = made;
    return true;
}

void dev_matrix_free(DevMatrix *matrix) {
    free(matrix->offsets);
    free(matrix->columns);
    free(matrix->values);
    account_give(matrix->device->account, FOR_KEYS, matrix->bytes);
    free(matrix);
}

bool dev_spmv(DevLane *lane, const DevMatrix *matrix, const DevScalars *x, DevScalars *y, Failure *failure) {
    const Field *f = &lane->device->fields->scalar;
    for (size_t row = 0; row < matrix->rows; row++) {
        if (row % PIECE == 0 && !cancel_poll(lane->cancel, failure)) return false;
        uint64_t sum[SCALAR_LIMBS] = {0}, product[SCALAR_LIMBS];
        for (uint64_t i = matrix->offsets[row]; i < matrix->offsets[row + 1]; i++) {
            /* coefficient · R² times a canonical value, divided by R: the product in Montgomery form, in one step. */
            field_mul(product, x->scalars[matrix->columns[i]].limb, matrix->values[i].limb, f);
            field_add(sum, sum, product, f);
        }
        field_copy(y->scalars[row].limb, sum, f);
    }
    return true;
}
