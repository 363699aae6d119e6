/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "log.h"

#include <stdatomic.h>
#include <string.h>

/* The first host stays: all of a process are the same program. */
static _Atomic(const InterlockHost *) host;

void log_install(const InterlockHost *ours) {
    const InterlockHost *none = NULL;
    atomic_compare_exchange_strong(&host, &none, ours);
}

void log_line(uint32_t level, const char *line) {
    /* Its size was checked when it was installed: it reaches to `log`. */
    const InterlockHost *ours = atomic_load(&host);
    if (ours == NULL || ours->log == NULL) return;
    ours->log(ours->user, level, (InterlockStr){(const uint8_t *)line, strlen(line)});
}
