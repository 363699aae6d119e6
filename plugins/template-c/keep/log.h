/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A line to the host's log, which `interlock -v` shows. */
#ifndef KEEP_LOG_H
#define KEEP_LOG_H

#include "interlock_backend.h"

/* Remembers the host, which lives as long as the process. */
void log_install(const InterlockHost *host);

/* `level` is one of INTERLOCK_LOG_*. Never pass witness values. Does nothing when the host keeps no log. */
void log_line(uint32_t level, const char *line);

#endif
