/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Structs of older and newer hosts, extensions, and hosts of another version. */
#include <string.h>

#include "check.h"

/* A host of a later minor version, whose structs have grown. */
typedef struct NewerProbe {
    InterlockProbe today;
    uint64_t appended;
} NewerProbe;

typedef struct NewerParams {
    InterlockDeviceParams today;
    uint64_t appended;
} NewerParams;

/* The plugin stays inside a struct, whatever its size. */
static void sizes(void) {
    NewerProbe newer = {.today.struct_size = sizeof newer, .appended = 7};
    GOOD(api->plugin_probe(&newer.today));
    CHECK(newer.today.struct_size == sizeof newer && newer.today.device_count > 0 && newer.appended == 7);

    /* The size of an older struct ends with its last field; what lies behind belongs to somebody else. */
    InterlockDeviceInfo older = {.struct_size = offsetof(InterlockDeviceInfo, reserved), .reserved = 0xabcd};
    GOOD(api->device_info(0, &older));
    CHECK(older.name.len > 0 && older.reserved == 0xabcd);
    BAD(INVALID_ARGUMENT, api->device_info(1000, &older));

    const size_t wrong[] = {0, 1, offsetof(InterlockDeviceInfo, reserved) - 1, (1 << 16) + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        older.struct_size = wrong[i];
        BAD(ABI_MISMATCH, api->device_info(0, &older));
    }
    BAD(ABI_MISMATCH, api->plugin_info(NULL));
}

static void extensions(void) {
    InterlockDevice *device = NULL;
    InterlockExtension ext = {.struct_size = sizeof ext, .id = 0xabc};
    NewerParams params = {.today = {.struct_size = sizeof params, .ext = &ext}, .appended = UINT64_MAX};
    params.today.curve = INTERLOCK_CURVE_BN254;
    GOOD(api->device_open(&params.today, &device));
    GOOD(api->device_close(device));
    InterlockProbe probe = {.struct_size = sizeof probe, .ext = &ext};
    GOOD(api->plugin_probe(&probe));
    ext.flags = INTERLOCK_EXTENSION_REQUIRED;
    BAD(ABI_MISMATCH, api->plugin_probe(&probe));
    BAD(ABI_MISMATCH, api->device_open(&params.today, &device));
    ext.flags = 0;
    ext.next = &ext;
    BAD(ABI_MISMATCH, api->device_open(&params.today, &device));
    params.today.ext = NULL;
    params.today.index = 1000;
    BAD(INVALID_ARGUMENT, api->device_open(&params.today, &device));
    params.today.curve = 77;
    BAD(UNSUPPORTED, api->device_open(&params.today, &device));
}

/* Requests of a host whose InterlockMsm has grown lie further apart. */
static void strides(void) {
    struct {
        InterlockMsm today;
        uint64_t appended;
    } requests[2];
    InterlockDevice *device = open_device(INTERLOCK_CURVE_BN254, 0);
    InterlockLane *lane = open_lane(device);
    InterlockBases *bases = load_bases(device, INTERLOCK_G1, NULL, 0, NULL);
    InterlockScalars *scalars = NULL;
    uint8_t results[2][96];
    GOOD(api->scalars_alloc(device, 1, &scalars));
    memset(requests, 0xff, sizeof requests);
    for (int i = 0; i < 2; i++) {
        InterlockMsm request = {.struct_size = sizeof requests[i], .bases = bases, .result = results[i]};
        request.result_bytes = sizeof results[i];
        requests[i].today = request;
        memset(results[i], 0xff, sizeof results[i]);
    }
    GOOD(api->msm(lane, scalars, &requests[0].today, 2, sizeof requests[0]));
    /* The sum of nothing is infinity: Z = 0. */
    for (int i = 0; i < 2; i++) CHECK(results[i][64] == 0 && results[i][95] == 0);
    BAD(INVALID_ARGUMENT, api->msm(lane, scalars, &requests[0].today, 2, 0));
    BAD(INVALID_ARGUMENT, api->msm(lane, scalars, &requests[0].today, 2, 57));
    requests[1].today.result_bytes = 192;
    BAD(INVALID_ARGUMENT, api->msm(lane, scalars, &requests[0].today, 2, sizeof requests[0]));
    requests[1].today.struct_size = 16;
    BAD(ABI_MISMATCH, api->msm(lane, scalars, &requests[0].today, 2, sizeof requests[0]));
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(scalars));
    close_all(device, lane);
}

static void hosts(void) {
    InterlockHost host = {.struct_size = sizeof host, .abi_major = INTERLOCK_ABI_MAJOR};
    host.abi_minor = INTERLOCK_ABI_MINOR;
    CHECK(interlock_get_api(&host) == api);
    CHECK(interlock_get_api(NULL) == NULL);
    host.abi_minor++;
    CHECK(interlock_get_api(&host) == NULL || INTERLOCK_ABI_MAJOR != 0);
    host.abi_minor--;
    host.abi_major++;
    CHECK(interlock_get_api(&host) == NULL);
    host.abi_major--;
    host.struct_size = 24;
    CHECK(interlock_get_api(&host) == NULL);
    CHECK(api->struct_size == sizeof(InterlockApi) && api->abi_major == INTERLOCK_ABI_MAJOR);
}

void test_sizes(void) {
    sizes();
    extensions();
    strides();
    hosts();
}
