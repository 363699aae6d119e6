/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The account of a device's memory. The host plans with it, so it is exact: bytes are taken before they are allocated
 * and given back after they are freed, scratch memory of a running operation excepted.
 */
#ifndef KEEP_ACCOUNT_H
#define KEEP_ACCOUNT_H

#include <pthread.h>

#include "failure.h"

/* What bytes are held for. */
typedef enum Purpose { FOR_SCALARS, FOR_KEYS, PURPOSES } Purpose;

typedef struct Account {
    pthread_mutex_t lock;
    uint64_t budget; /* bytes that may be held in all; 0: unknown, nothing is refused */
    uint64_t held[PURPOSES];
} Account;

/* An account of `budget` bytes, the smaller of the device's memory and the host's limit; 0 counts as none. */
bool account_open(Account *account, uint64_t device_bytes, uint64_t limit, Failure *failure);
void account_close(Account *account);

/* Books bytes. Fails with "never fits" or "not now". */
bool account_take(Account *account, Purpose purpose, uint64_t bytes, Failure *failure);
void account_give(Account *account, Purpose purpose, uint64_t bytes);

uint64_t account_held(Account *account, Purpose purpose);

#endif
