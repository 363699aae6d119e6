/* A host in plain C against the header: it opens a library, asks what it is, computes a little of everything and prints what
 * came, one line each. The tests build it with the header of today and with one whose structs have grown (-DGROWN); a grown
 * host fills what it has more before each call. `inputs.h` is written by the test.
 *
 * Every struct lies before a row of sentinels, so that a plugin that writes past the size it was told is noticed. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interlock_backend.h"

#include "inputs.h"

static const unsigned char sentinel = 0xEE;
static const unsigned char later = 0xA5;

static void fail(const char *what) {
    printf("failed %s\n", what);
    exit(1);
}

/* Zeroes a struct, says its size, and fills what a later version has more. */
static void begin(void *at, size_t size, size_t known) {
    memset(at, 0, size);
    *(size_t *)at = size;
    memset((char *)at + known, later, size - known);
}

/* Where what every version has ends: at the first field that a later one appended, or at the end. */
#ifdef GROWN
#define KNOWN(type) offsetof(type, appended_small)
#else
#define KNOWN(type) sizeof(type)
#endif

#define STRUCT(type, name)                            \
    struct {                                          \
        type value;                                   \
        unsigned char behind[64];                     \
    } name##_place;                                   \
    type *const name = &name##_place.value;           \
    memset(name##_place.behind, sentinel, sizeof name##_place.behind); \
    begin(name, sizeof *name, KNOWN(type))

static void check_behind(const unsigned char *behind, const char *what) {
    for (int i = 0; i < 64; i++)
        if (behind[i] != sentinel) fail(what);
}

#define UNTOUCHED(name) check_behind(name##_place.behind, "bytes behind " #name " were written")

/* What a struct that came back has in the fields of a later version: as they were, or what a plugin of that version says. */
#ifdef GROWN
#define LATER(name) printf(#name " appended %x %llx\n", name->appended_small, (unsigned long long)name->appended_large)
#else
#define LATER(name) (void)name
#endif

static void hex(const char *what, const unsigned char *bytes, size_t count) {
    printf("%s ", what);
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static void line(const char *what, InterlockStr text) { printf("%s %.*s\n", what, (int)text.len, (const char *)text.ptr); }

static InterlockApi api;

/* Ends the program when a call failed. */
static void done(const char *what, InterlockError *error) {
    if (error == NULL) return;
    STRUCT(InterlockErrorInfo, info);
    api.error_get(error, info);
    UNTOUCHED(info);
    line(what, info->message);
    fail(what);
}

static void heard(void *user, uint32_t level, InterlockStr message) {
    (void)level;
    (void)message;
    ++*(int *)user;
}

static void describe(void) {
    STRUCT(InterlockPluginInfo, info);
    done("plugin_info", api.plugin_info(info));
    UNTOUCHED(info);
    line("name", info->name);
    line("version", info->version);
    printf("curves %llx\n", (unsigned long long)info->curves);
    LATER(info);
    STRUCT(InterlockProbe, probe);
    done("plugin_probe", api.plugin_probe(probe));
    UNTOUCHED(probe);
    printf("probed %d devices\n", probe->score > 0 ? (int)probe->device_count : -1);
    LATER(probe);
    STRUCT(InterlockDeviceInfo, device);
    done("device_info", api.device_info(0, device));
    UNTOUCHED(device);
    printf("device named %d\n", device->name.len > 0);
    LATER(device);
}

static InterlockScalars *scalars_of(const InterlockDevice *device, uint64_t count) {
    InterlockScalars *scalars = NULL;
    done("scalars_alloc", api.scalars_alloc(device, count, &scalars));
    return scalars;
}

static void show(const char *what, const InterlockLane *lane, const InterlockScalars *scalars, uint64_t count) {
    unsigned char bytes[32 * COUNT];
    uint32_t form = 0;
    done("scalars_download", api.scalars_download(lane, scalars, 0, bytes, count, &form));
    done("lane_sync", api.lane_sync(lane));
    printf("form %u\n", form);
    hex(what, bytes, 32 * count);
}

/* A range past the end: an error with a code and a message. */
static void provoke(const InterlockLane *lane, const InterlockScalars *scalars) {
    InterlockError *error = api.scalars_upload(lane, scalars, 1, SCALARS, COUNT, INTERLOCK_CANONICAL);
    if (error == NULL) fail("an upload past the end was taken");
    STRUCT(InterlockErrorInfo, info);
    api.error_get(error, info);
    UNTOUCHED(info);
    printf("error %u with a message %d\n", info->code, info->message.len > 0);
    LATER(info);
    api.error_destroy(error);
}

static void transforms(const InterlockDevice *device, const InterlockLane *lane, const InterlockScalars *scalars) {
    STRUCT(InterlockDomainDesc, desc);
    InterlockDomain *domain = NULL;
    desc->log_size = LOG_SIZE;
    memcpy(desc->generator, GENERATOR, 32);
    memcpy(desc->shift, SHIFT, 32);
    done("domain_create", api.domain_create(device, desc, &domain));
    done("ntt", api.ntt(lane, domain, scalars, INTERLOCK_NTT_FORWARD));
    show("ntt", lane, scalars, COUNT);
    done("domain_free", api.domain_free(domain));
}

static void products(const InterlockDevice *device, const InterlockLane *lane, const InterlockScalars *scalars) {
    if (api.spmv == NULL) return;
    STRUCT(InterlockMatrixDesc, desc);
    InterlockMatrix *matrix = NULL;
    InterlockScalars *rows = scalars_of(device, ROWS);
    desc->rows = ROWS;
    desc->cols = COUNT;
    desc->nnz = ROW_OFFSETS[ROWS];
    desc->row_offsets = ROW_OFFSETS;
    desc->columns = COLUMNS;
    desc->values = VALUES;
    done("matrix_create", api.matrix_create(device, desc, &matrix));
    done("spmv", api.spmv(lane, matrix, scalars, rows));
    show("spmv", lane, rows, ROWS);
    if (api.pointwise != NULL) {
        InterlockScalars *squares = scalars_of(device, ROWS);
        done("pointwise", api.pointwise(lane, INTERLOCK_POINTWISE_MUL, squares, rows, rows));
        show("squares", lane, squares, ROWS);
        done("scalars_free", api.scalars_free(squares));
    }
    done("matrix_free", api.matrix_free(matrix));
    done("scalars_free", api.scalars_free(rows));
}

static void sums(const InterlockDevice *device, const InterlockLane *lane, const InterlockScalars *scalars) {
    STRUCT(InterlockBasesDesc, g1);
    STRUCT(InterlockBasesDesc, g2);
    InterlockBases *bases[2] = {NULL, NULL};
    g1->group = INTERLOCK_G1;
    g1->points = POINTS_G1;
    g1->count = COUNT;
    g2->group = INTERLOCK_G2;
    g2->points = POINTS_G2;
    g2->count = 2;
    g2->index = INDEX_G2;
    done("bases_create", api.bases_create(device, g1, &bases[0]));
    done("bases_create", api.bases_create(device, g2, &bases[1]));
    /* Elements of an array lie a caller's size apart. */
    InterlockMsm requests[2];
    unsigned char sum_g1[sizeof POINTS_G1 / COUNT / 2 * 3], sum_g2[sizeof POINTS_G2 / 2 / 2 * 3];
    for (int i = 0; i < 2; i++) {
        begin(&requests[i], sizeof requests[i], KNOWN(InterlockMsm));
        requests[i].bases = bases[i];
        requests[i].result = i == 0 ? sum_g1 : sum_g2;
        requests[i].result_bytes = i == 0 ? sizeof sum_g1 : sizeof sum_g2;
    }
    done("msm", api.msm(lane, scalars, requests, 2, sizeof requests[0]));
    done("lane_sync", api.lane_sync(lane));
    hex("sum-g1", sum_g1, sizeof sum_g1);
    hex("sum-g2", sum_g2, sizeof sum_g2);
    for (int i = 0; i < 2; i++) done("bases_free", api.bases_free(bases[i]));
}

static void compute(void) {
    STRUCT(InterlockDeviceParams, params);
    InterlockDevice *device = NULL;
    InterlockLane *lane = NULL;
    params->curve = CURVE;
    params->threads = 1;
    params->memory_limit = 1 << 30;
    done("device_open", api.device_open(params, &device));
    done("lane_create", api.lane_create(device, &lane));
    InterlockScalars *scalars = scalars_of(device, COUNT);
    STRUCT(InterlockMemoryInfo, memory);
    done("device_memory", api.device_memory(device, memory));
    UNTOUCHED(memory);
    printf("budget of 1 GiB %d, scalars counted %d\n", memory->budget_bytes == 1 << 30, memory->scalars_bytes >= 32 * COUNT);
    LATER(memory);
    done("scalars_upload", api.scalars_upload(lane, scalars, 0, SCALARS, COUNT, INTERLOCK_CANONICAL));
    provoke(lane, scalars);
    sums(device, lane, scalars);
    products(device, lane, scalars);
    transforms(device, lane, scalars);
    done("scalars_free", api.scalars_free(scalars));
    done("lane_destroy", api.lane_destroy(lane));
    done("device_close", api.device_close(device));
}

/* Two partitions ask for the device; the second has to wait. */
static void interlocks(void) {
    if (api.strategy_count == NULL) return;
    uint32_t count = 0;
    done("strategy_count", api.strategy_count(&count));
    for (uint32_t i = 0; i < count; i++) {
        STRUCT(InterlockStrategyInfo, info);
        done("strategy_info", api.strategy_info(i, info));
        UNTOUCHED(info);
        line("strategy", info->name);
        LATER(info);
        STRUCT(InterlockStrategyLimits, limits);
        InterlockStrategy *strategy = NULL;
        limits->budget_bytes = 1000;
        limits->max_staged = 1;
        done("strategy_create", api.strategy_create(info->name, limits, &strategy));
        for (uint64_t id = 1; id <= 2; id++) {
            STRUCT(InterlockTicket, ticket);
            ticket->id = id;
            ticket->age = id;
            ticket->priority = INTERLOCK_PRIORITY_NORMAL;
            ticket->phase = INTERLOCK_PHASE_STAGE;
            ticket->bytes = 600;
            ticket->peak = 900;
            done("strategy_request", api.strategy_request(strategy, ticket));
        }
        InterlockDecision decisions[4];
        for (int d = 0; d < 4; d++) begin(&decisions[d], sizeof decisions[d], KNOWN(InterlockDecision));
        STRUCT(InterlockStrategyAccount, account);
        uint64_t made = 0;
        done("strategy_decide", api.strategy_decide(strategy, decisions, 4, sizeof decisions[0], &made, account));
        UNTOUCHED(account);
        for (uint64_t d = 0; d < made; d++)
            printf("decided %llu kind %u phase %u\n", (unsigned long long)decisions[d].ticket, decisions[d].kind,
                   decisions[d].phase);
        printf("account %llu waiting %u\n", (unsigned long long)account->budget_bytes, account->waiting);
        LATER(account);
        done("strategy_destroy", api.strategy_destroy(strategy));
    }
}

int main(int argc, char **argv) {
    if (argc != 2) fail("usage: host LIBRARY");
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail(dlerror());
    const InterlockApi *(*entry)(const InterlockHost *) = NULL;
    *(void **)&entry = dlsym(library, "interlock_get_api");
    if (entry == NULL) fail("no interlock_get_api");
    int lines = 0;
    STRUCT(InterlockHost, host);
    host->abi_major = INTERLOCK_ABI_MAJOR;
    host->abi_minor = INTERLOCK_ABI_MINOR;
    host->user = &lines;
    host->log = heard;
    const InterlockApi *table = entry(host);
    if (table == NULL) fail("the plugin refuses this host");
    /* As much as both know; what the plugin does not have is NULL. */
    memset(&api, 0, sizeof api);
    memcpy(&api, table, table->struct_size < sizeof api ? table->struct_size : sizeof api);
    printf("table larger %d, smaller %d\n", table->struct_size > sizeof api, table->struct_size < sizeof api);
#ifdef GROWN
    printf("later function %d\n", api.appended_call != NULL);
#endif
    describe();
    compute();
    interlocks();
    UNTOUCHED(host);
    printf("done\n");
    return 0;
}
