/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The wire ABI between Interlock and a backend. Generated from plugins/abi by `cargo xtask header`: do not edit.
 *
 * A backend is a shared library that exports one function, interlock_get_api, which hands over one table, InterlockApi.
 * Rules that hold everywhere:
 *
 *  - Every struct begins with `struct_size`, filled by the side that made the struct, and `ext`, a chain of optional
 *    extensions. Structs only ever grow at the end within a major version: look at a field only when `struct_size`
 *    covers it.
 *  - A NULL slot of the table means "not supported".
 *  - Functions return NULL for success or an InterlockError that the caller destroys. Nothing unwinds across the
 *    boundary in either direction: a backend in C++ catches its exceptions.
 *  - Any thread may call any function; a lane is used by one thread at a time. There is no current device.
 *  - A scalar is four 64-bit little-endian limbs (32 bytes). A G1 point is affine x, y in little-endian Montgomery limbs
 *    (BLS12-381: 48 bytes each; BN254: 32 bytes each); G2 has c0, c1 per coordinate; infinity is all zero; alignment 1.
 */

#ifndef INTERLOCK_BACKEND_H
#define INTERLOCK_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define INTERLOCK_EXPORT __declspec(dllexport)
#else
#define INTERLOCK_EXPORT __attribute__((visibility("default")))
#endif

struct InterlockApi;
struct InterlockHost;

#ifdef __cplusplus
extern "C" {
#endif

// The entry of a plugin in C or C++, which defines it. `host` lives as long as the process. Returns NULL when the
// plugin refuses this host.
INTERLOCK_EXPORT const struct InterlockApi *interlock_get_api(const struct InterlockHost *host);

#ifdef __cplusplus
}
#endif

// Scalars in canonical form: the integer itself, below r.
#define INTERLOCK_CANONICAL 1

// Scalars in Montgomery form: value · 2^256 mod r.
#define INTERLOCK_MONTGOMERY 2

// Points of G1.
#define INTERLOCK_G1 1

// Points of G2.
#define INTERLOCK_G2 2

// Coefficients to values on the domain.
#define INTERLOCK_NTT_FORWARD 0

// Values on the domain to coefficients (the factor 1/N included).
#define INTERLOCK_NTT_INVERSE 1

// Coefficients to values on the coset `shift · domain`.
#define INTERLOCK_NTT_COSET_FORWARD 2

// Values on the coset `shift · domain` to coefficients.
#define INTERLOCK_NTT_COSET_INVERSE 3

// `dst[i] ← a[i] · b[i]`
#define INTERLOCK_POINTWISE_MUL 0

// `dst[i] ← a[i] · b[i] − dst[i]`
#define INTERLOCK_POINTWISE_MUL_SUB 1

// An argument is out of range, of the wrong length or form, or two arguments alias.
#define INTERLOCK_INVALID_ARGUMENT 1

// A handle was freed before, is of another kind, or belongs to another device.
#define INTERLOCK_INVALID_HANDLE 2

// The plugin does not offer this operation, curve or size.
#define INTERLOCK_UNSUPPORTED 3

// The request exceeds what the device could ever give; retrying is pointless.
#define INTERLOCK_OUT_OF_MEMORY_NEVER 4

// The request does not fit now, but may once others have released memory.
#define INTERLOCK_OUT_OF_MEMORY_NOW 5

// The device, its driver or its runtime failed; see the native code.
#define INTERLOCK_DEVICE_FAILED 6

// The work was cancelled by `lane_cancel`.
#define INTERLOCK_CANCELLED 7

// The plugin broke one of its own invariants (a caught panic or exception).
#define INTERLOCK_INTERNAL 8

// A struct was smaller than its minimum, or carried an unknown required extension, or versions differ.
#define INTERLOCK_ABI_MISMATCH 9

// The same call may succeed when repeated.
#define INTERLOCK_ERROR_RETRYABLE 1

// The device handle is lost: close it and open it again.
#define INTERLOCK_ERROR_CONTEXT_LOST 2

// Something failed.
#define INTERLOCK_LOG_ERROR 1

// Something is odd, but the work goes on.
#define INTERLOCK_LOG_WARN 2

// Worth knowing once.
#define INTERLOCK_LOG_INFO 3

// For developers.
#define INTERLOCK_LOG_DEBUG 4

// The curve BN254 (alt_bn128, snarkjs' `bn128`).
#define INTERLOCK_CURVE_BN254 1

// The curve BLS12-381.
#define INTERLOCK_CURVE_BLS12_381 2

// Work on the CPU that needs no device.
#define INTERLOCK_PHASE_PREPARE 0

// Inputs go to the device.
#define INTERLOCK_PHASE_STAGE 1

// Kernels run.
#define INTERLOCK_PHASE_COMPUTE 2

// What is left to the CPU.
#define INTERLOCK_PHASE_FINISH 3

// When nothing else is to be done.
#define INTERLOCK_PRIORITY_LOW 0

// As most jobs are.
#define INTERLOCK_PRIORITY_NORMAL 1

// Before those.
#define INTERLOCK_PRIORITY_HIGH 2

// Before everything.
#define INTERLOCK_PRIORITY_CRITICAL 3

// One partition at a time is on the device.
#define INTERLOCK_MEMORY_EXCLUSIVE 0

// Granted bytes, later peaks included, never exceed the budget.
#define INTERLOCK_MEMORY_RESERVING 1

// Bytes are not looked at: allocations can fail, and their partitions then stage within compute.
#define INTERLOCK_MEMORY_OVERCOMMITTING 2

// The ticket may be in `phase`.
#define INTERLOCK_DECISION_GRANT 0

// The ticket, which is staged and waits for compute, is to drop its bytes, to be cancelled and to ask for stage again;
// `other` takes its place.
#define INTERLOCK_DECISION_REVOKE 1

// The ticket needs `needed` bytes, more than the whole budget. It is forgotten.
#define INTERLOCK_DECISION_NEVER_FITS 2

// The ticket goes on waiting for `phase`, because of `reason`. Told again when the kind of reason or `other` changes.
#define INTERLOCK_DECISION_HOLD 3

// `other` has the lock that it needs.
#define INTERLOCK_REASON_LOCK 0

// `other` waits as well, and is before it.
#define INTERLOCK_REASON_ORDER 1

// It needs `needed` bytes, and could have `free`.
#define INTERLOCK_REASON_ROOM 2

// As many partitions, namely `needed`, are staged ahead as may be.
#define INTERLOCK_REASON_AHEAD 3

// Major version; a difference is always refused.
#define INTERLOCK_ABI_MAJOR 0

// Minor version; must be equal while the major version is 0.
#define INTERLOCK_ABI_MINOR 2

// Bit of `InterlockExtension::flags`: a reader that does not know this extension must refuse the struct.
#define INTERLOCK_EXTENSION_REQUIRED 1

// Bases of an MSM (part of a proving key) known to a device.
typedef struct InterlockBases InterlockBases;

// An opened device, for one curve.
typedef struct InterlockDevice InterlockDevice;

// A multiplicative subgroup with its coset shift, and whatever tables the device keeps for it.
typedef struct InterlockDomain InterlockDomain;

// A failed call's report. Destroyed by the caller through `error_destroy`.
typedef struct InterlockError InterlockError;

// An in-order command queue of a device, used by one thread at a time.
typedef struct InterlockLane InterlockLane;

// A sparse matrix over the scalar field known to a device.
typedef struct InterlockMatrix InterlockMatrix;

// A buffer of scalars in a device's memory. Its memory is zeroised before it is reused or returned.
typedef struct InterlockScalars InterlockScalars;

// An interlock strategy. It belongs to no device.
typedef struct InterlockStrategy InterlockStrategy;

// Head of an extension: an element of the chain that begins in a struct's `ext` field.
//
// Unknown extensions are skipped unless they are flagged `INTERLOCK_EXTENSION_REQUIRED`.
typedef struct InterlockExtension {
    // Bytes of the whole extension, this head included.
    size_t struct_size;
    // Next extension, or NULL.
    const struct InterlockExtension *next;
    // Which extension this is. Numbers below 2^32 belong to Interlock, the others to vendors.
    uint64_t id;
    // Bits `INTERLOCK_EXTENSION_*`.
    uint32_t flags;
    // Zero.
    uint32_t reserved;
} InterlockExtension;

// A UTF-8 string that is not NUL-terminated. Lives as long as the struct's documentation says.
typedef struct InterlockStr {
    // First byte; may be NULL when `len` is 0.
    const uint8_t *ptr;
    // Bytes.
    size_t len;
} InterlockStr;

// What `error_get` tells of an error. The message lives until `error_destroy`.
typedef struct InterlockErrorInfo {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // One of the error codes above; never 0.
    uint32_t code;
    // Bits `INTERLOCK_ERROR_*`.
    uint32_t flags;
    // Index of the device concerned, or `UINT32_MAX`.
    uint32_t device;
    // Zero.
    uint32_t reserved;
    // The driver's or runtime's own code, or 0.
    int64_t native_code;
    // What went wrong, for a person: UTF-8, one line.
    struct InterlockStr message;
} InterlockErrorInfo;

// The plugin. Strings are static.
typedef struct InterlockPluginInfo {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // The name that `--backend` selects: lower case, digits and `-`, 1 to 32 bytes.
    struct InterlockStr name;
    // Version of the plugin, as `1.2.3`.
    struct InterlockStr version;
    // One line on what it runs on.
    struct InterlockStr description;
    // SPDX licence expression.
    struct InterlockStr license;
    // Bit n set: curve number n is supported.
    uint64_t curves;
} InterlockPluginInfo;

// Whether the plugin can work on this machine, found without allocating device memory. Strings are static or live
// until the next call of `plugin_probe`.
typedef struct InterlockProbe {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // 0: cannot work here (then `reason` says why). A CPU is 10, a portable GPU 50, a native GPU 100.
    uint32_t score;
    // How many devices `device_info` will describe.
    uint32_t device_count;
    // Why the score is what it is.
    struct InterlockStr reason;
} InterlockProbe;

// One device. Strings live until the next call of `device_info` with the same index.
typedef struct InterlockDeviceInfo {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Model, for a person.
    struct InterlockStr name;
    // Stable identity (a GPU's UUID), or empty.
    struct InterlockStr uuid;
    // Bytes of memory in all; 0 when unknown.
    uint64_t memory_bytes;
    // Compute units: cores of a CPU, multiprocessors of a GPU.
    uint32_t compute_units;
    // Zero.
    uint32_t reserved;
} InterlockDeviceInfo;

// How to open a device.
typedef struct InterlockDeviceParams {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Index of the device, below the probe's `device_count`.
    uint32_t index;
    // One of `INTERLOCK_CURVE_*`.
    uint32_t curve;
    // Most bytes of device memory to use; 0 for no limit of the caller's.
    uint64_t memory_limit;
    // Most host threads that the device may use, its own pools included; 0 for the plugin's choice.
    uint32_t threads;
    // Zero.
    uint32_t reserved;
} InterlockDeviceParams;

// A device's memory as the plugin accounts for it.
typedef struct InterlockMemoryInfo {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Bytes that the device may use (the smaller of the device's and the limit given), 0 when unknown.
    uint64_t budget_bytes;
    // Bytes now held by scalar buffers.
    uint64_t scalars_bytes;
    // Bytes now held by bases and matrices; memory of the caller's that is only borrowed does not count.
    uint64_t keys_bytes;
} InterlockMemoryInfo;

// Bases of an MSM.
//
// Base `i` is multiplied with scalar `index[i]` of the request's range (or scalar `i` when `index` is NULL). Bases at
// infinity are legal anywhere and cost nothing: a plugin drops them when it loads the bases.
// Both arrays stay valid and unchanged until `bases_free`, so a plugin may stream from them again.
typedef struct InterlockBasesDesc {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // `INTERLOCK_G1` or `INTERLOCK_G2`.
    uint32_t group;
    // Zero.
    uint32_t reserved;
    // `count` points, packed, alignment 1: affine, little-endian Montgomery limbs, infinity all zero.
    const uint8_t *points;
    // How many points.
    uint64_t count;
    // `count` positions, strictly ascending, or NULL.
    const uint32_t *index;
} InterlockBasesDesc;

// A sparse matrix in compressed-row form.
//
// The arrays stay valid and unchanged until `matrix_free`. `values` are the coefficients times R² mod r
// (R = 2^256), as a `.zkey` has them: one Montgomery multiplication with a canonical witness value gives the product
// in Montgomery form.
typedef struct InterlockMatrixDesc {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Rows.
    uint64_t rows;
    // Columns: the witness length.
    uint64_t cols;
    // Entries.
    uint64_t nnz;
    // `rows + 1` ascending offsets into the next two arrays, from 0 to `nnz`.
    const uint64_t *row_offsets;
    // `nnz` column numbers, each below `cols`.
    const uint32_t *columns;
    // `nnz` scalars of 32 bytes, alignment 1.
    const uint8_t *values;
} InterlockMatrixDesc;

// A multiplicative subgroup of the scalar field and a coset of it.
//
// The generator is always given and never derived from the curve: families of keys use different roots of unity.
typedef struct InterlockDomainDesc {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // The domain has 2^log_size elements.
    uint32_t log_size;
    // Zero.
    uint32_t reserved;
    // ω, of order exactly 2^log_size, Montgomery form.
    uint8_t generator[32];
    // The coset's shift, not zero, Montgomery form.
    uint8_t shift[32];
} InterlockDomainDesc;

// One sum of a batch of MSMs that read the same scalars: `Σ scalars[first + index[i]] · base[i]`.
typedef struct InterlockMsm {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // The bases.
    const struct InterlockBases *bases;
    // First scalar of the range.
    uint64_t first;
    // Where the sum goes, in host memory: Jacobian `X, Y, Z`, 3 coordinates of the group's field, Montgomery limbs.
    // Written when the lane has been waited for.
    uint8_t *result;
    // Bytes at `result`: exactly 3 coordinates (BN254 96 or 192, BLS12-381 144 or 288).
    size_t result_bytes;
} InterlockMsm;

// A strategy that a backend offers. Strings are static.
typedef struct InterlockStrategyInfo {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // The name that `--interlock` selects: lower case, digits and `-`, 1 to 32 bytes.
    struct InterlockStr name;
    // One line about it.
    struct InterlockStr summary;
    // One of `INTERLOCK_MEMORY_*`.
    uint32_t memory;
    // Zero.
    uint32_t reserved;
} InterlockStrategyInfo;

// What a strategy may use.
typedef struct InterlockStrategyLimits {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Bytes of the device that partitions may have; resident keys are not among them.
    uint64_t budget_bytes;
    // Partitions that may be staged or staging ahead of the one that computes; at least 1.
    uint32_t max_staged;
    // Zero.
    uint32_t reserved;
} InterlockStrategyLimits;

// A partition that wants to be in a phase.
typedef struct InterlockTicket {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Unique among the tickets that the strategy knows; the same in all phases.
    uint64_t id;
    // Smaller is older; the same in all phases.
    uint64_t age;
    // One of `INTERLOCK_PRIORITY_*`; the same in all phases.
    uint32_t priority;
    // One of `INTERLOCK_PHASE_*`.
    uint32_t phase;
    // For stage: the bytes that it takes and leaves. For compute: the bytes that it has there already.
    uint64_t bytes;
    // For stage and compute: the most that it will have on the device at once until its compute ends.
    uint64_t peak;
} InterlockTicket;

// What a strategy has decided.
typedef struct InterlockDecision {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Whose.
    uint64_t ticket;
    // One of `INTERLOCK_DECISION_*`.
    uint32_t kind;
    // One of `INTERLOCK_PHASE_*`.
    uint32_t phase;
    // One of `INTERLOCK_REASON_*`, for `INTERLOCK_DECISION_HOLD`.
    uint32_t reason;
    // Zero.
    uint32_t reserved;
    // Another ticket, where kind or reason name one.
    uint64_t other;
    // Bytes or partitions, where kind or reason name them.
    uint64_t needed;
    // Bytes, where the reason names them.
    uint64_t free;
} InterlockDecision;

// A strategy's books.
typedef struct InterlockStrategyAccount {
    // Size of this struct as the caller knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // Bytes that there are.
    uint64_t budget_bytes;
    // Bytes that are granted, later peaks included.
    uint64_t reserved_bytes;
    // Tickets that wait.
    uint32_t waiting;
    // Tickets that are in a phase, or staged.
    uint32_t holding;
} InterlockStrategyAccount;

// Everything a backend offers. Static for the life of the process; a plugin is never unloaded.
//
// Slots marked *optional* may be NULL: the host then composes them from the others or computes them itself, visibly.
// All work given to a lane runs in order; `lane_sync` waits for it. Host memory passed to an asynchronous call stays
// valid and unchanged until the lane has been waited for.
//
// Freeing an object while work that uses it is queued or running is allowed: the free waits for that work, or defers the
// release behind it. When `bases_free` or `matrix_free` has returned, the plugin no longer reads the host's memory.
typedef struct InterlockApi {
    // Size of this struct as the plugin knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // `INTERLOCK_ABI_MAJOR` of the plugin.
    uint32_t abi_major;
    // `INTERLOCK_ABI_MINOR` of the plugin.
    uint32_t abi_minor;
    // Fills `out` from an error.
    void (*error_get)(const struct InterlockError *error, struct InterlockErrorInfo *out);
    // Destroys an error; NULL is allowed.
    void (*error_destroy)(struct InterlockError *error);
    // What the plugin is. Touches no device.
    struct InterlockError *(*plugin_info)(struct InterlockPluginInfo *out);
    // Whether it can work here. Allocates no device memory and uses no network.
    struct InterlockError *(*plugin_probe)(struct InterlockProbe *out);
    // Describes device `index`.
    struct InterlockError *(*device_info)(uint32_t index, struct InterlockDeviceInfo *out);
    // Opens a device for a curve.
    struct InterlockError *(*device_open)(const struct InterlockDeviceParams *params,
                                          struct InterlockDevice **out);
    // The device's memory account.
    struct InterlockError *(*device_memory)(const struct InterlockDevice *device,
                                            struct InterlockMemoryInfo *out);
    // Closes a device. Objects made from it stay valid until they are freed.
    struct InterlockError *(*device_close)(struct InterlockDevice *device);
    // Makes a lane.
    struct InterlockError *(*lane_create)(const struct InterlockDevice *device, struct InterlockLane **out);
    // Waits for all work of the lane; returns the first failure among it.
    struct InterlockError *(*lane_sync)(const struct InterlockLane *lane);
    // Asks the lane's running and queued work to end with `INTERLOCK_CANCELLED`; any thread may call it. The lane
    // accepts work again after the next `lane_sync`. *Optional.*
    struct InterlockError *(*lane_cancel)(const struct InterlockLane *lane);
    // Waits for the lane and destroys it.
    struct InterlockError *(*lane_destroy)(struct InterlockLane *lane);
    // Makes a buffer of `count` scalars, all zero, Montgomery form.
    struct InterlockError *(*scalars_alloc)(const struct InterlockDevice *device,
                                            uint64_t count,
                                            struct InterlockScalars **out);
    // Copies `count` scalars of 32 bytes to `dst[first..]`. The whole buffer then counts as being in `form`, so a
    // buffer is filled in one form only. Each scalar must be below r; the plugin need not check it.
    struct InterlockError *(*scalars_upload)(const struct InterlockLane *lane,
                                             const struct InterlockScalars *dst,
                                             uint64_t first,
                                             const uint8_t *src,
                                             uint64_t count,
                                             uint32_t form);
    // Copies `count` scalars from `src[first..]` to host memory, in the buffer's form, which goes to `form`.
    struct InterlockError *(*scalars_download)(const struct InterlockLane *lane,
                                               const struct InterlockScalars *src,
                                               uint64_t first,
                                               uint8_t *dst,
                                               uint64_t count,
                                               uint32_t *form);
    // Zeroises and frees a buffer.
    struct InterlockError *(*scalars_free)(struct InterlockScalars *scalars);
    // Makes bases known to the device.
    struct InterlockError *(*bases_create)(const struct InterlockDevice *device,
                                           const struct InterlockBasesDesc *desc,
                                           struct InterlockBases **out);
    // Forgets bases.
    struct InterlockError *(*bases_free)(struct InterlockBases *bases);
    // Makes a matrix known to the device. *Optional, with `matrix_free` and `spmv`.*
    struct InterlockError *(*matrix_create)(const struct InterlockDevice *device,
                                            const struct InterlockMatrixDesc *desc,
                                            struct InterlockMatrix **out);
    // Forgets a matrix.
    struct InterlockError *(*matrix_free)(struct InterlockMatrix *matrix);
    // Makes a domain known to the device.
    struct InterlockError *(*domain_create)(const struct InterlockDevice *device,
                                            const struct InterlockDomainDesc *desc,
                                            struct InterlockDomain **out);
    // Forgets a domain.
    struct InterlockError *(*domain_free)(struct InterlockDomain *domain);
    // Transforms `data` (exactly the domain's size, natural order in and out, either form) in place;
    // `op` is one of `INTERLOCK_NTT_*`.
    struct InterlockError *(*ntt)(const struct InterlockLane *lane,
                                  const struct InterlockDomain *domain,
                                  const struct InterlockScalars *data,
                                  uint32_t op);
    // `op` is one of `INTERLOCK_POINTWISE_*`; all buffers have one length, operands are in Montgomery form and so is the
    // result. `dst` aliases neither `a` nor `b`. *Optional.*
    struct InterlockError *(*pointwise)(const struct InterlockLane *lane,
                                        uint32_t op,
                                        const struct InterlockScalars *dst,
                                        const struct InterlockScalars *a,
                                        const struct InterlockScalars *b);
    // `data[i] ← data[i] · factor`, the factor being 32 bytes in Montgomery form. *Optional.*
    struct InterlockError *(*scale)(const struct InterlockLane *lane,
                                    const struct InterlockScalars *data,
                                    const uint8_t *factor);
    // `y ← matrix · x`: `x` is canonical and has the matrix's columns, `y` has its rows and gets Montgomery form.
    struct InterlockError *(*spmv)(const struct InterlockLane *lane,
                                   const struct InterlockMatrix *matrix,
                                   const struct InterlockScalars *x,
                                   const struct InterlockScalars *y);
    // Computes `count` sums over one scalar buffer, which may be in either form. `stride` is the caller's size of
    // `InterlockMsm`, so that the array's elements can grow.
    struct InterlockError *(*msm)(const struct InterlockLane *lane,
                                  const struct InterlockScalars *scalars,
                                  const struct InterlockMsm *msms,
                                  uint64_t count,
                                  size_t stride);
    // How many strategies there are. Touches no device.
    struct InterlockError *(*strategy_count)(uint32_t *out);
    // Describes strategy `index`; the first is the default.
    struct InterlockError *(*strategy_info)(uint32_t index, struct InterlockStrategyInfo *out);
    // Makes a strategy. Needs no device.
    struct InterlockError *(*strategy_create)(struct InterlockStr name,
                                              const struct InterlockStrategyLimits *limits,
                                              struct InterlockStrategy **out);
    // A ticket wants to be in a phase. `INTERLOCK_INVALID_ARGUMENT` when it waits or is in one already.
    struct InterlockError *(*strategy_request)(const struct InterlockStrategy *strategy,
                                               const struct InterlockTicket *ticket);
    // From now on the ticket will have at most `peak` bytes on the device at once.
    struct InterlockError *(*strategy_shrink)(const struct InterlockStrategy *strategy,
                                              uint64_t ticket,
                                              uint64_t peak);
    // A phase has ended, and what it used on the device is drained.
    struct InterlockError *(*strategy_release)(const struct InterlockStrategy *strategy,
                                               uint64_t ticket,
                                               uint32_t phase);
    // Forgets a ticket, whatever it waits for or holds; its lane has drained. Unknown ones are allowed.
    struct InterlockError *(*strategy_cancel)(const struct InterlockStrategy *strategy, uint64_t ticket);
    // Writes up to `capacity` decisions, `stride` bytes apart (the caller's size of `InterlockDecision`, which is also in
    // each element's `struct_size`), and how many they are to `count`. As many as `capacity`: there may be more, the
    // next call gives them. `account`, if not NULL, gets the books.
    struct InterlockError *(*strategy_decide)(const struct InterlockStrategy *strategy,
                                              struct InterlockDecision *decisions,
                                              uint64_t capacity,
                                              size_t stride,
                                              uint64_t *count,
                                              struct InterlockStrategyAccount *account);
    // Destroys a strategy.
    struct InterlockError *(*strategy_destroy)(struct InterlockStrategy *strategy);
} InterlockApi;

// The host's side of the table. Lives as long as the process. Callbacks may be called from any thread, must not
// unwind, and must not call back into the plugin.
typedef struct InterlockHost {
    // Size of this struct as the host knows it.
    size_t struct_size;
    // Extensions, or NULL.
    const struct InterlockExtension *ext;
    // `INTERLOCK_ABI_MAJOR` of the host.
    uint32_t abi_major;
    // `INTERLOCK_ABI_MINOR` of the host.
    uint32_t abi_minor;
    // Passed back to every callback.
    void *user;
    // Writes a line to the host's log: level `INTERLOCK_LOG_*`, UTF-8 text. Never pass witness values. May be NULL.
    void (*log)(void *user, uint32_t level, struct InterlockStr text);
} InterlockHost;

// The entry of a plugin. `host` lives as long as the process. Returns NULL when the plugin refuses this host.
typedef const struct InterlockApi *(*InterlockGetApi)(const struct InterlockHost *host);

#endif  /* INTERLOCK_BACKEND_H */
