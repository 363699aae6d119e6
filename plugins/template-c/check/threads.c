/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Many threads on one device, a lane cancelled from another thread, keys freed while they are used. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "vectors.h"

enum { THREADS = 8, ROUNDS = 20 };

typedef struct Shared {
    const Vectors *v;
    const InterlockDevice *device;
    const InterlockBases *bases;
    const InterlockScalars *scalars;
    uint8_t sum[96 * 3 / 2];
    size_t sum_bytes;
} Shared;

/* A lane and buffers of its own, bases and scalars shared: every sum is the same. */
static void *work(void *argument) {
    const Shared *s = argument;
    InterlockLane *lane = open_lane(s->device);
    uint8_t *bytes = bytes_of(s->v->canonical, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        InterlockScalars *own = upload(s->device, lane, bytes, POOL, INTERLOCK_CANONICAL);
        uint8_t result[sizeof s->sum], back[POOL * 32];
        uint32_t form;
        InterlockMsm request = {.struct_size = sizeof request, .bases = s->bases, .result = result};
        request.result_bytes = s->sum_bytes;
        GOOD(api->msm(lane, round % 2 ? own : s->scalars, &request, 1, sizeof request));
        GOOD(api->scalars_download(lane, own, 0, back, POOL, &form));
        GOOD(api->lane_sync(lane));
        CHECK(memcmp(result, s->sum, s->sum_bytes) == 0);
        CHECK(memcmp(back, bytes, sizeof back) == 0);
        /* Errors are made and destroyed by all of them too. */
        BAD(INVALID_HANDLE, api->bases_free((InterlockBases *)own));
        GOOD(api->scalars_free(own));
    }
    free(bytes);
    GOOD(api->lane_destroy(lane));
    return NULL;
}

static void together(const Vectors *v) {
    InterlockDevice *device = open_device(v->curve, 0);
    InterlockLane *lane = open_lane(device);
    uint8_t *points = bytes_of(v->g1, NULL), *bytes = bytes_of(v->canonical, NULL);
    InterlockBases *bases = load_bases(device, INTERLOCK_G1, points, POINTS, NULL);
    InterlockScalars *scalars = upload(device, lane, bytes, POOL, INTERLOCK_CANONICAL);
    Shared shared = {.v = v, .device = device, .bases = bases, .scalars = scalars, .sum_bytes = 24 * (size_t)v->limbs};
    InterlockMsm request = {.struct_size = sizeof request, .bases = bases, .result = shared.sum};
    request.result_bytes = shared.sum_bytes;
    GOOD(api->msm(lane, scalars, &request, 1, sizeof request));
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, &shared) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(scalars));
    free(points);
    free(bytes);
    close_all(device, lane);
}

typedef struct Long {
    const InterlockLane *lane;
    InterlockBases *bases;
    const InterlockScalars *scalars;
    atomic_bool began;
} Long;

/* Sums until it is cancelled. */
static void *until_cancelled(void *argument) {
    Long *job = argument;
    uint8_t result[96];
    InterlockMsm request = {.struct_size = sizeof request, .bases = job->bases, .result = result};
    request.result_bytes = sizeof result;
    InterlockError *error = NULL;
    while (error == NULL) {
        error = api->msm(job->lane, job->scalars, &request, 1, sizeof request);
        atomic_store(&job->began, true);
    }
    BAD(CANCELLED, error);
    /* It stays cancelled until the lane is waited for. */
    BAD(CANCELLED, api->msm(job->lane, job->scalars, &request, 1, sizeof request));
    GOOD(api->lane_sync(job->lane));
    GOOD(api->msm(job->lane, job->scalars, &request, 1, sizeof request));
    return NULL;
}

static void cancelled(const Vectors *v) {
    InterlockDevice *device = open_device(v->curve, 0);
    InterlockLane *lane = open_lane(device);
    uint8_t *points = bytes_of(v->g1, NULL), *bytes = bytes_of(v->canonical, NULL);
    InterlockBases *bases = load_bases(device, INTERLOCK_G1, points, POINTS, NULL);
    InterlockScalars *scalars = upload(device, lane, bytes, POOL, INTERLOCK_CANONICAL);
    Long job = {.lane = lane, .bases = bases, .scalars = scalars};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, until_cancelled, &job) == 0);
    while (!atomic_load(&job.began)) {
    }
    GOOD(api->lane_cancel(lane));
    CHECK(pthread_join(thread, NULL) == 0);
    GOOD(api->bases_free(bases));
    GOOD(api->scalars_free(scalars));
    free(points);
    free(bytes);
    close_all(device, lane);
}

/* Freed under a working thread: the free waits for the sum that runs, the next one finds the handle dead. */
static void *until_freed(void *argument) {
    Long *job = argument;
    uint8_t result[96];
    InterlockMsm request = {.struct_size = sizeof request, .bases = job->bases, .result = result};
    request.result_bytes = sizeof result;
    InterlockError *error = NULL;
    while (error == NULL) {
        error = api->msm(job->lane, job->scalars, &request, 1, sizeof request);
        atomic_store(&job->began, true);
    }
    BAD(INVALID_HANDLE, error);
    return NULL;
}

static void freed(const Vectors *v) {
    InterlockDevice *device = open_device(v->curve, 0);
    InterlockLane *lane = open_lane(device);
    uint8_t *points = bytes_of(v->g1, NULL), *bytes = bytes_of(v->canonical, NULL);
    size_t length = POINTS * 2 * 8 * (size_t)v->limbs;
    InterlockBases *bases = load_bases(device, INTERLOCK_G1, points, POINTS, NULL);
    InterlockScalars *scalars = upload(device, lane, bytes, POOL, INTERLOCK_CANONICAL);
    Long job = {.lane = lane, .bases = bases, .scalars = scalars};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, until_freed, &job) == 0);
    while (!atomic_load(&job.began)) {
    }
    GOOD(api->bases_free(bases));
    /* From here on the host's memory is the host's again, and the device's is given back. */
    memset(points, 0xff, length);
    InterlockMemoryInfo memory = {.struct_size = sizeof memory};
    GOOD(api->device_memory(device, &memory));
    CHECK(memory.keys_bytes == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    GOOD(api->scalars_free(scalars));
    free(points);
    free(bytes);
    close_all(device, lane);
}

void test_threads(void) {
    for (int curve = 0; curve < 2; curve++) together(all_vectors[curve]);
    cancelled(all_vectors[0]);
    freed(all_vectors[0]);
}
