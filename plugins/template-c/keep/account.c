/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "account.h"

bool account_open(Account *account, uint64_t device_bytes, uint64_t limit, Failure *failure) {
    int problem = pthread_mutex_init(&account->lock, NULL);
    if (problem != 0) {
        fail(failure, INTERLOCK_INTERNAL, "a mutex cannot be made");
        failure->native_code = problem;
        return false;
    }
    account->budget = device_bytes;
    if (limit != 0 && (device_bytes == 0 || limit < device_bytes)) account->budget = limit;
    for (int purpose = 0; purpose < PURPOSES; purpose++) account->held[purpose] = 0;
    return true;
}

void account_close(Account *account) { pthread_mutex_destroy(&account->lock); }

bool account_take(Account *account, Purpose purpose, uint64_t bytes, Failure *failure) {
    /* Without a budget the only bound is the account's own arithmetic. */
    uint64_t budget = account->budget != 0 ? account->budget : UINT64_MAX;
    if (bytes > budget) return fail_never_fits(failure, bytes, budget);
    pthread_mutex_lock(&account->lock);
    uint64_t free = budget - account->held[FOR_SCALARS] - account->held[FOR_KEYS];
    bool fits = bytes <= free;
    if (fits) account->held[purpose] += bytes;
    pthread_mutex_unlock(&account->lock);
    return fits || fail_not_now(failure, bytes, free);
}

void account_give(Account *account, Purpose purpose, uint64_t bytes) {
    pthread_mutex_lock(&account->lock);
    account->held[purpose] -= bytes;
    pthread_mutex_unlock(&account->lock);
}

uint64_t account_held(Account *account, Purpose purpose) {
    pthread_mutex_lock(&account->lock);
    uint64_t bytes = account->held[purpose];
    pthread_mutex_unlock(&account->lock);
    return bytes;
}
