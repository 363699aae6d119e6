/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The plugin as a whole: its entry, its table, what it says of itself and of its devices. */
#include <string.h>

#include "call.h"
#include "errors.h"
#include "log.h"
#include "sizes.h"
#include "slots.h"

/* From the Makefile, which also writes them to the manifest. */
#if !defined(PLUGIN_NAME) || !defined(PLUGIN_VERSION) || !defined(PLUGIN_DESCRIPTION) || !defined(PLUGIN_LICENSE)
#error "build with the Makefile: it defines what the plugin is called"
#endif

static InterlockStr text(const char *s) { return (InterlockStr){(const uint8_t *)s, strlen(s)}; }

static InterlockError *plugin_info(InterlockPluginInfo *out) {
    Failure failure = {0};
    InterlockPluginInfo info = {
        .name = text(PLUGIN_NAME),
        .version = text(PLUGIN_VERSION),
        .description = text(PLUGIN_DESCRIPTION),
        .license = text(PLUGIN_LICENSE),
        .curves = (UINT64_C(1) << INTERLOCK_CURVE_BN254) | (UINT64_C(1) << INTERLOCK_CURVE_BLS12_381),
    };
    (void)WRITE_STRUCT(InterlockPluginInfo, out, &info, curves, &failure);
    return error_make(&failure, UINT32_MAX);
}

static InterlockError *plugin_probe(InterlockProbe *out) {
    Failure failure = {0};
    DevProbe found = dev_probe();
    InterlockProbe probe = {
        .score = found.score,
        .device_count = found.devices,
        .reason = text(found.reason),
    };
    (void)WRITE_STRUCT(InterlockProbe, out, &probe, reason, &failure);
    return error_make(&failure, UINT32_MAX);
}

static InterlockError *device_info(uint32_t index, InterlockDeviceInfo *out) {
    Failure failure = {0};
    uint32_t devices = dev_probe().devices;
    if (index >= devices) {
        fail(&failure, INTERLOCK_INVALID_ARGUMENT, "there is no device %u: the plugin found %u", index, devices);
    } else {
        DevInfo device = {0};
        dev_describe(index, &device);
        InterlockDeviceInfo info = {
            .name = text(device.name),
            .uuid = text(device.uuid),
            .memory_bytes = device.memory_bytes,
            .compute_units = device.compute_units,
        };
        (void)WRITE_STRUCT(InterlockDeviceInfo, out, &info, compute_units, &failure);
    }
    return error_make(&failure, UINT32_MAX);
}

/* A slot that is left out is NULL, "not supported". The mandatory ones are all here. The host brings its own interlock
 * strategies to a plugin whose strategy slots are NULL, all of them. */
static const InterlockApi table = {
    .struct_size = sizeof(InterlockApi),
    .abi_major = INTERLOCK_ABI_MAJOR,
    .abi_minor = INTERLOCK_ABI_MINOR,
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
    .lane_cancel = lane_cancel,
    .lane_destroy = lane_destroy,
    .scalars_alloc = scalars_alloc,
    .scalars_upload = scalars_upload,
    .scalars_download = scalars_download,
    .scalars_free = scalars_free,
    .bases_create = bases_create,
    .bases_free = bases_free,
    .matrix_create = matrix_create,
    .matrix_free = matrix_free,
    .domain_create = domain_create,
    .domain_free = domain_free,
    .ntt = ntt,
    .pointwise = pointwise,
    .scale = scale,
    .spmv = spmv,
    .msm = msm,
};

INTERLOCK_EXPORT const InterlockApi *interlock_get_api(const InterlockHost *host) {
    Failure failure = {0};
    InterlockHost known;
    if (!READ_STRUCT(InterlockHost, &known, host, log, &failure)) return NULL;
    /* Before version 1.0 the two must agree exactly; from then on the major version alone decides. */
    bool same = known.abi_major == INTERLOCK_ABI_MAJOR &&
                (INTERLOCK_ABI_MAJOR != 0 || known.abi_minor == INTERLOCK_ABI_MINOR);
    if (!same) return NULL;
    log_install(host);
    return &table;
}
