/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "sizes.h"

#include <inttypes.h>
#include <string.h>

/* `struct_size` and `ext`, with which every struct begins. */
typedef struct Head {
    size_t struct_size;
    const InterlockExtension *ext;
} Head;

/* No struct of this ABI comes near this size; a larger one is garbage, such as an uninitialised variable. */
enum { SANE_SIZE = 1 << 16 };

/* More extensions than this on one struct are taken for a loop. */
enum { MOST_EXTENSIONS = 64 };

/* This plugin knows no extension: optional ones are skipped, a required one makes it refuse the struct. */
static bool check_extensions(const InterlockExtension *ext, Failure *failure) {
    for (int i = 0; i < MOST_EXTENSIONS; i++) {
        if (ext == NULL) return true;
        if (ext->flags & INTERLOCK_EXTENSION_REQUIRED) {
            return fail(failure, INTERLOCK_ABI_MISMATCH, "extension %#" PRIx64 " is required but not known here",
                        ext->id);
        }
        ext = ext->next;
    }
    return fail(failure, INTERLOCK_ABI_MISMATCH, "the chain of extensions does not end");
}

/* How many bytes the other side's struct has. */
static bool check_size(const void *theirs, size_t minimum, size_t *size, Failure *failure) {
    if (theirs == NULL) return fail(failure, INTERLOCK_ABI_MISMATCH, "the pointer to a struct is NULL");
    memcpy(size, theirs, sizeof *size);
    if (*size < minimum) {
        return fail(failure, INTERLOCK_ABI_MISMATCH, "struct_size is %zu, at least %zu is needed", *size, minimum);
    }
    if (*size > SANE_SIZE) {
        return fail(failure, INTERLOCK_ABI_MISMATCH, "struct_size is %zu, which no version of this struct has", *size);
    }
    return true;
}

bool struct_read(void *copy, size_t size, size_t minimum, const void *source, Failure *failure) {
    size_t theirs = 0;
    if (!check_size(source, minimum, &theirs, failure)) return false;
    memset(copy, 0, size);
    memcpy(copy, source, theirs < size ? theirs : size);
    Head head;
    memcpy(&head, copy, sizeof head);
    return check_extensions(head.ext, failure);
}

bool struct_write(void *out, const void *value, size_t size, size_t minimum, Failure *failure) {
    size_t theirs = 0;
    if (!check_size(out, minimum, &theirs, failure)) return false;
    Head head;
    memcpy(&head, out, sizeof head);
    if (!check_extensions(head.ext, failure)) return false;
    size_t end = theirs < size ? theirs : size;
    memcpy((char *)out + sizeof head, (const char *)value + sizeof head, end - sizeof head);
    return true;
}
