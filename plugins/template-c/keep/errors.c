/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "errors.h"

#include <string.h>

#include "handles.h"
#include "sizes.h"

typedef struct ErrorObject {
    Object object;
    Failure failure;
    uint32_t device;
} ErrorObject;

/* When there is not even memory for an error object, the host gets this handle, which no table slot has. */
#define LOST_ERROR ((InterlockError *)UINTPTR_MAX)
static const char LOST_MESSAGE[] = "a call failed, and there was no memory left to say how";

static void nothing(Object *object) { (void)object; }

InterlockError *error_make(const Failure *failure, uint32_t device) {
    if (failure->code == 0) return NULL;
    ErrorObject *error = (ErrorObject *)object_new(sizeof *error, KIND_ERROR, NULL, nothing);
    if (error == NULL) return LOST_ERROR;
    error->failure = *failure;
    error->device = device;
    void *handle = handle_make(&error->object);
    object_release(&error->object);
    return handle != NULL ? handle : LOST_ERROR;
}

void error_get(const InterlockError *handle, InterlockErrorInfo *out) {
    Failure dead = {0};
    InterlockErrorInfo info = {.code = INTERLOCK_INVALID_HANDLE, .device = UINT32_MAX};
    ErrorObject *error = NULL;
    if (handle == LOST_ERROR) {
        info.code = INTERLOCK_OUT_OF_MEMORY_NOW;
        info.flags = INTERLOCK_ERROR_RETRYABLE;
        info.message = (InterlockStr){(const uint8_t *)LOST_MESSAGE, sizeof LOST_MESSAGE - 1};
    } else {
        error = (ErrorObject *)handle_get(handle, KIND_ERROR, &dead);
    }
    if (error != NULL) {
        info.code = error->failure.code;
        info.flags = error->failure.flags;
        info.device = error->device;
        info.native_code = error->failure.native_code;
        /* The handle keeps the text alive until `error_destroy`. */
        info.message = (InterlockStr){(const uint8_t *)error->failure.message, strlen(error->failure.message)};
    }
    /* There is nobody to tell of a struct that is too small. */
    (void)WRITE_STRUCT(InterlockErrorInfo, out, &info, message, &dead);
    if (error != NULL) object_release(&error->object);
}

void error_destroy(InterlockError *handle) {
    Failure dead = {0};
    if (handle == NULL || handle == LOST_ERROR) return;
    object_release(handle_end(handle, KIND_ERROR, false, &dead));
}
