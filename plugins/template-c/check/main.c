/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

const InterlockApi *api;

void check_that(bool condition, const char *what, const char *file, int line) {
    if (condition) return;
    fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
    exit(1);
}

void check_error(InterlockError *error, uint32_t code, const char *call, const char *file, int line) {
    InterlockErrorInfo info = {.struct_size = sizeof info};
    if (error != NULL) {
        api->error_get(error, &info);
        bool clean = info.message.len > 0 && memchr(info.message.ptr, '\n', info.message.len) == NULL;
        check_that(clean, "an error's message is one line", file, line);
    }
    if (info.code != code) {
        fprintf(stderr, "%s:%d: %s: code %" PRIu32 " where %" PRIu32 " belongs: %.*s\n", file, line, call, info.code,
                code, (int)info.message.len, (const char *)info.message.ptr);
        exit(1);
    }
    api->error_destroy(error);
}

InterlockDevice *open_device(uint32_t curve, uint64_t memory_limit) {
    InterlockDeviceParams params = {.struct_size = sizeof params, .curve = curve, .memory_limit = memory_limit};
    InterlockDevice *device = NULL;
    GOOD(api->device_open(&params, &device));
    return device;
}

InterlockLane *open_lane(const InterlockDevice *device) {
    InterlockLane *lane = NULL;
    GOOD(api->lane_create(device, &lane));
    return lane;
}

InterlockScalars *upload(const InterlockDevice *device, const InterlockLane *lane, const uint8_t *bytes, uint64_t count,
                         uint32_t form) {
    InterlockScalars *scalars = NULL;
    GOOD(api->scalars_alloc(device, count, &scalars));
    GOOD(api->scalars_upload(lane, scalars, 0, bytes, count, form));
    GOOD(api->lane_sync(lane));
    return scalars;
}

InterlockBases *load_bases(const InterlockDevice *device, uint32_t group, const uint8_t *points, uint64_t count,
                           const uint32_t *index) {
    InterlockBasesDesc desc = {
        .struct_size = sizeof desc, .group = group, .points = points, .count = count, .index = index};
    InterlockBases *bases = NULL;
    GOOD(api->bases_create(device, &desc, &bases));
    return bases;
}

InterlockDomain *load_domain(const InterlockDevice *device, uint32_t log_size, const uint8_t *generator,
                             const uint8_t *shift) {
    InterlockDomainDesc desc = {.struct_size = sizeof desc, .log_size = log_size};
    memcpy(desc.generator, generator, sizeof desc.generator);
    memcpy(desc.shift, shift, sizeof desc.shift);
    InterlockDomain *domain = NULL;
    GOOD(api->domain_create(device, &desc, &domain));
    return domain;
}

void close_all(InterlockDevice *device, InterlockLane *lane) {
    InterlockMemoryInfo memory = {.struct_size = sizeof memory};
    GOOD(api->device_memory(device, &memory));
    CHECK(memory.scalars_bytes == 0);
    CHECK(memory.keys_bytes == 0);
    GOOD(api->lane_destroy(lane));
    GOOD(api->device_close(device));
}

static void log_to_stderr(void *user, uint32_t level, InterlockStr line) {
    (void)user;
    fprintf(stderr, "plugin, level %" PRIu32 ": %.*s\n", level, (int)line.len, (const char *)line.ptr);
}

int main(void) {
    static InterlockHost host = {.struct_size = sizeof host,
                                 .abi_major = INTERLOCK_ABI_MAJOR,
                                 .abi_minor = INTERLOCK_ABI_MINOR,
                                 .log = log_to_stderr};
    api = interlock_get_api(&host);
    CHECK(api != NULL);
    const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {{"known answers", test_answers},
                 {"sums of products", test_sums},
                 {"handles, memory, arguments", test_contract},
                 {"older and newer structs", test_sizes},
                 {"threads and cancellation", test_threads}};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tests[i].run();
        printf("ok: %s\n", tests[i].name);
    }
    return 0;
}
