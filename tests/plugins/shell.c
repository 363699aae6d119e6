/* A backend in plain C against the generated header: it is found, loaded, described and probed, and refuses to open its
 * device. `-DFAULT_…` and `-DTABLE_SIZE=…` build it with one fault each, for the tests of the loader; `-DON_LOAD=…` and `-DON_DEVICE_OPEN=…` are what it
 * does when it is loaded and when its device is opened, for those of the conformance check. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interlock_backend.h"

#ifndef NAME
#define NAME "shell"
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(InterlockApi)
#endif

static const InterlockHost *host;

static InterlockStr text(const char *s) {
    InterlockStr str = {(const uint8_t *)s, strlen(s)};
    return str;
}

/* Writes as much of `value` as the caller's struct has, and leaves its two head fields alone. */
static void give(void *out, const void *value, size_t size) {
    const size_t head = sizeof(size_t) + sizeof(void *);
    const size_t theirs = *(const size_t *)out;
    memcpy((char *)out + head, (const char *)value + head, (theirs < size ? theirs : size) - head);
}

static const char unsupported[] = "this backend is a shell: it has no arithmetic";

static InterlockError *refuse(void) { return (InterlockError *)unsupported; }

static void error_get(const InterlockError *error, InterlockErrorInfo *out) {
    InterlockErrorInfo info = {0};
    info.code = INTERLOCK_UNSUPPORTED;
    info.device = UINT32_MAX;
    info.message = text((const char *)error);
    give(out, &info, sizeof info);
}

static void error_destroy(InterlockError *error) { (void)error; }

static InterlockError *plugin_info(InterlockPluginInfo *out) {
    InterlockPluginInfo info = {0};
    info.name = text(NAME);
    info.version = text("0.0.1");
    info.description = text("A shell without arithmetic");
    info.license = text("MIT OR Apache-2.0");
    info.curves = (1u << INTERLOCK_CURVE_BN254) | (1u << INTERLOCK_CURVE_BLS12_381);
    give(out, &info, sizeof info);
    return NULL;
}

static InterlockError *plugin_probe(InterlockProbe *out) {
    InterlockProbe probe = {0};
    probe.score = 1;
#ifdef FAULT_MANY_DEVICES
    probe.device_count = 4000000000u;
#else
    probe.device_count = 1;
#endif
    probe.reason = text("it is only a shell");
    give(out, &probe, sizeof probe);
    if (host->log != NULL) host->log(host->user, INTERLOCK_LOG_DEBUG, text("shell probed"));
    return NULL;
}

static InterlockError *device_info(uint32_t index, InterlockDeviceInfo *out) {
    InterlockDeviceInfo info = {0};
    (void)index;
    info.name = text("nothing");
    give(out, &info, sizeof info);
    return NULL;
}

/* Every other mandatory function: never reached, because no device opens. */
#define REFUSING(name, ...) \
    static InterlockError *name(__VA_ARGS__) { return refuse(); }
#ifdef ON_DEVICE_OPEN
static InterlockError *device_open(const InterlockDeviceParams *p, InterlockDevice **o) {
    ON_DEVICE_OPEN;
    return refuse();
}
#else
REFUSING(device_open, const InterlockDeviceParams *p, InterlockDevice **o)
#endif
REFUSING(device_memory, const InterlockDevice *d, InterlockMemoryInfo *o)
REFUSING(device_close, InterlockDevice *d)
REFUSING(lane_create, const InterlockDevice *d, InterlockLane **o)
REFUSING(lane_sync, const InterlockLane *l)
REFUSING(lane_destroy, InterlockLane *l)
REFUSING(scalars_alloc, const InterlockDevice *d, uint64_t n, InterlockScalars **o)
REFUSING(scalars_upload, const InterlockLane *l, const InterlockScalars *d, uint64_t f, const uint8_t *s, uint64_t n,
         uint32_t form)
REFUSING(scalars_download, const InterlockLane *l, const InterlockScalars *s, uint64_t f, uint8_t *d, uint64_t n,
         uint32_t *form)
REFUSING(scalars_free, InterlockScalars *s)
REFUSING(bases_create, const InterlockDevice *d, const InterlockBasesDesc *b, InterlockBases **o)
REFUSING(bases_free, InterlockBases *b)
REFUSING(domain_create, const InterlockDevice *d, const InterlockDomainDesc *s, InterlockDomain **o)
REFUSING(domain_free, InterlockDomain *d)
REFUSING(ntt, const InterlockLane *l, const InterlockDomain *d, const InterlockScalars *s, uint32_t op)
REFUSING(msm, const InterlockLane *l, const InterlockScalars *s, const InterlockMsm *m, uint64_t n, size_t stride)

static const InterlockApi api = {
    .struct_size = TABLE_SIZE,
    .abi_major = INTERLOCK_ABI_MAJOR,
#ifdef FAULT_VERSION
    .abi_minor = INTERLOCK_ABI_MINOR + 1,
#else
    .abi_minor = INTERLOCK_ABI_MINOR,
#endif
    .error_get = error_get,
    .error_destroy = error_destroy,
    .plugin_info = plugin_info,
    .plugin_probe = plugin_probe,
    .device_info = device_info,
    .device_open = device_open,
    .device_memory = device_memory,
    .device_close = device_close,
    .lane_create = lane_create,
    .lane_sync = lane_sync,
    .lane_destroy = lane_destroy,
    .scalars_alloc = scalars_alloc,
    .scalars_upload = scalars_upload,
    .scalars_download = scalars_download,
    .scalars_free = scalars_free,
    .bases_create = bases_create,
    .bases_free = bases_free,
    .domain_create = domain_create,
    .domain_free = domain_free,
    .ntt = ntt,
#ifndef FAULT_MISSING_FUNCTION
    .msm = msm,
#endif
};

#ifdef ON_LOAD
__attribute__((constructor)) static void at_load(void) { ON_LOAD; }
#endif

#ifdef EXPORTS
INTERLOCK_EXPORT void *EXPORTS(void *place, size_t size);
INTERLOCK_EXPORT void *EXPORTS(void *place, size_t size) { return memset(place, 0, size); }
#endif

#ifdef FAULT_UNDEFINED_SYMBOL
extern int interlock_no_such_function(void);
#endif

#ifdef FAULT_NO_SYMBOL
#define interlock_get_api some_other_name
/* Leaves a trace when its code runs, which it must not: there is no door. */
__attribute__((constructor)) static void ran(void) { setenv("INTERLOCK_SHELL_RAN", "1", 1); }
INTERLOCK_EXPORT const InterlockApi *some_other_name(const InterlockHost *h);
#endif

INTERLOCK_EXPORT const InterlockApi *interlock_get_api(const InterlockHost *h) {
#ifdef FAULT_UNDEFINED_SYMBOL
    if (interlock_no_such_function()) return NULL;
#endif
#ifdef FAULT_NULL
    return NULL;
#endif
    if (h->abi_major != INTERLOCK_ABI_MAJOR || h->abi_minor != INTERLOCK_ABI_MINOR) return NULL;
    host = h;
    return &api;
}
