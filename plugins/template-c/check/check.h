/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The self-test: it is a small host that links the plugin and calls it through its table, as Interlock does. A failed
 * check names its line and ends the program.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interlock_backend.h"

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
/* The call succeeds. */
#define GOOD(call) check_error((call), 0, #call, __FILE__, __LINE__)
/* The call fails with INTERLOCK_… `code`, and its message is a line of text. */
#define BAD(code, call) check_error((call), INTERLOCK_##code, #call, __FILE__, __LINE__)

void check_that(bool condition, const char *what, const char *file, int line);
void check_error(InterlockError *error, uint32_t code, const char *call, const char *file, int line);

/* The plugin's table, for all tests. */
extern const InterlockApi *api;

/* A device with a memory limit in bytes, 0 for none; a lane of it. */
InterlockDevice *open_device(uint32_t curve, uint64_t memory_limit);
InterlockLane *open_lane(const InterlockDevice *device);
/* A buffer with `count` scalars of 32 bytes. */
InterlockScalars *upload(const InterlockDevice *device, const InterlockLane *lane, const uint8_t *bytes, uint64_t count,
                         uint32_t form);
InterlockBases *load_bases(const InterlockDevice *device, uint32_t group, const uint8_t *points, uint64_t count,
                           const uint32_t *index);
InterlockDomain *load_domain(const InterlockDevice *device, uint32_t log_size, const uint8_t *generator,
                             const uint8_t *shift);
/* Everything freed, the memory account empty again; closes lane and device. */
void close_all(InterlockDevice *device, InterlockLane *lane);

void test_answers(void);  /* known.c */
void test_sums(void);     /* sums.c */
void test_contract(void); /* contract.c */
void test_sizes(void);    /* versions.c */
void test_threads(void);  /* threads.c */

#endif
