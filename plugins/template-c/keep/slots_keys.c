/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The keys group of the table: bases, matrices, domains. */
#include <inttypes.h>

#include "call.h"
#include "sizes.h"
#include "slots.h"

static void bases_gone(Object *object) {
    BasesObject *bases = (BasesObject *)object;
    if (bases->bases != NULL) dev_bases_free(bases->bases);
}

/* Checks a description; `span` gets one more than the largest scalar position that it refers to. */
static bool check_bases(Call *call, const InterlockBasesDesc *desc, uint64_t *span) {
    if (desc->group != INTERLOCK_G1 && desc->group != INTERLOCK_G2) {
        return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "group number %u", desc->group);
    }
    if (!call_count(call, desc->count, "bases") || !call_pointer(call, desc->points, desc->count, 1, "points") ||
        !call_pointer(call, desc->index, 0, sizeof *desc->index, "index")) {
        return false;
    }
    *span = desc->count;
    if (desc->index == NULL) return true;
    *span = 0;
    for (uint64_t i = 0; i < desc->count; i++) {
        if (desc->index[i] < *span) {
            return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "the index is not ascending at entry %" PRIu64, i);
        }
        *span = (uint64_t)desc->index[i] + 1;
    }
    return true;
}

InterlockError *bases_create(const InterlockDevice *handle, const InterlockBasesDesc *desc, InterlockBases **out) {
    Call call;
    call_begin(&call);
    InterlockBasesDesc known;
    uint64_t span = 0;
    DeviceObject *device = call_device(&call, handle);
    bool good = device != NULL && READ_STRUCT(InterlockBasesDesc, &known, desc, index, &call.failure) &&
                check_bases(&call, &known, &span) &&
                call_pointer(&call, out, 1, sizeof(void *), "the place for the bases");
    BasesObject *bases = (BasesObject *)call_new(&call, sizeof *bases, KIND_BASES, bases_gone);
    if (good && bases != NULL && dev_bases_load(device->device, &known, &bases->bases, &call.failure)) {
        bases->group = known.group;
        bases->span = span;
        void *made = call_publish(&call, &bases->object);
        if (made != NULL) *out = made;
    }
    return call_end(&call);
}

InterlockError *bases_free(InterlockBases *handle) {
    Call call;
    call_begin(&call);
    (void)call_end_handle(&call, handle, KIND_BASES);
    return call_end(&call);
}

static void matrix_gone(Object *object) {
    MatrixObject *matrix = (MatrixObject *)object;
    if (matrix->matrix != NULL) dev_matrix_free(matrix->matrix);
}

/* A kernel reads columns without looking, so that they are all inside is checked here, once. */
static bool check_matrix(Call *call, const InterlockMatrixDesc *desc) {
    if (!call_count(call, desc->rows, "rows") || !call_count(call, desc->cols, "columns") ||
        !call_count(call, desc->nnz, "entries") ||
        !call_pointer(call, desc->row_offsets, desc->rows + 1, sizeof *desc->row_offsets, "row_offsets") ||
        !call_pointer(call, desc->columns, desc->nnz, sizeof *desc->columns, "columns") ||
        !call_pointer(call, desc->values, desc->nnz, 1, "values")) {
        return false;
    }
    if (desc->row_offsets[0] != 0 || desc->row_offsets[desc->rows] != desc->nnz) {
        return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT,
                    "row_offsets do not run from 0 to the number of entries");
    }
    for (uint64_t row = 0; row < desc->rows; row++) {
        if (desc->row_offsets[row] > desc->row_offsets[row + 1]) {
            return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "row_offsets descend at row %" PRIu64, row);
        }
    }
    for (uint64_t entry = 0; entry < desc->nnz; entry++) {
        if (desc->columns[entry] >= desc->cols) {
            return fail(&call->failure, INTERLOCK_INVALID_ARGUMENT, "entry %" PRIu64 " names column %u of %" PRIu64,
                        entry, desc->columns[entry], desc->cols);
        }
    }
    return true;
}

InterlockError *matrix_create(const InterlockDevice *handle, const InterlockMatrixDesc *desc, InterlockMatrix **out) {
    Call call;
    call_begin(&call);
    InterlockMatrixDesc known;
    DeviceObject *device = call_device(&call, handle);
    bool good = device != NULL && READ_STRUCT(InterlockMatrixDesc, &known, desc, values, &call.failure) &&
                check_matrix(&call, &known) && call_pointer(&call, out, 1, sizeof(void *), "the place for the matrix");
    MatrixObject *matrix = (MatrixObject *)call_new(&call, sizeof *matrix, KIND_MATRIX, matrix_gone);
    if (good && matrix != NULL && dev_matrix_load(device->device, &known, &matrix->matrix, &call.failure)) {
        matrix->rows = (size_t)known.rows;
        matrix->cols = (size_t)known.cols;
        void *made = call_publish(&call, &matrix->object);
        if (made != NULL) *out = made;
    }
    return call_end(&call);
}

InterlockError *matrix_free(InterlockMatrix *handle) {
    Call call;
    call_begin(&call);
    (void)call_end_handle(&call, handle, KIND_MATRIX);
    return call_end(&call);
}

static void domain_gone(Object *object) {
    DomainObject *domain = (DomainObject *)object;
    if (domain->domain != NULL) dev_domain_free(domain->domain);
}

InterlockError *domain_create(const InterlockDevice *handle, const InterlockDomainDesc *desc, InterlockDomain **out) {
    Call call;
    call_begin(&call);
    InterlockDomainDesc known;
    DeviceObject *device = call_device(&call, handle);
    bool good = device != NULL && READ_STRUCT(InterlockDomainDesc, &known, desc, shift, &call.failure) &&
                call_pointer(&call, out, 1, sizeof(void *), "the place for the domain");
    /* Not above 2^40 elements, as everywhere: `1 << log_size` is then a count that overflows nothing. */
    if (good && known.log_size > 40) {
        good = fail(&call.failure, INTERLOCK_INVALID_ARGUMENT, "a domain of 2^%u elements", known.log_size);
    }
    DomainObject *domain = (DomainObject *)call_new(&call, sizeof *domain, KIND_DOMAIN, domain_gone);
    if (good && domain != NULL && dev_domain_load(device->device, &known, &domain->domain, &call.failure)) {
        domain->log_size = known.log_size;
        void *made = call_publish(&call, &domain->object);
        if (made != NULL) *out = made;
    }
    return call_end(&call);
}

InterlockError *domain_free(InterlockDomain *handle) {
    Call call;
    call_begin(&call);
    (void)call_end_handle(&call, handle, KIND_DOMAIN);
    return call_end(&call);
}
