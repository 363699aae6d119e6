/* The backend of shell.c, which does something else at one point: `-DAT_OPEN`, say, and `-DDO=statement`. With
 * `-DTRACE="file"` it adds a line to that file whenever it is opened. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "interlock_backend.h"

/* Which shell.c defines itself. */
#undef _DEFAULT_SOURCE
#define interlock_get_api shell_get_api
const InterlockApi *shell_get_api(const InterlockHost *h);
#include "shell.c"
#undef interlock_get_api

#ifdef THROWS
extern void throw_something(void);
#endif

static void say(int fd, const char *words) {
    if (write(fd, words, strlen(words)) < 0) _exit(99);
}

static void crash(void) {
    volatile int *nothing = NULL;
    *nothing = 1;
}

static void hang(void) {
    for (;;) pause();
}

/* Prints on and on. */
static void flood(void) {
    for (;;) say(2, "water\n");
}

/* Prints a long line and ends. */
static void count_digits(void) {
    for (int i = 0; i < 9999; i++) say(2, "0123456789");
    _exit(2);
}

/* Leaves a process behind and ends. */
static void leave_one_behind(void) {
    pid_t pid = fork();
    if (pid == 0) hang();
    char words[64];
    snprintf(words, sizeof words, "left %d\n", (int)pid);
    say(2, words);
    _exit(5);
}

/* Says which limits it has and ends. */
static void tell_limits(void) {
    struct rlimit core, data;
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_DATA, &data);
    char words[128];
    snprintf(words, sizeof words, "core %llu data %llu group %d\n", (unsigned long long)core.rlim_cur,
             (unsigned long long)data.rlim_cur, getpgrp() == getpid());
    say(2, words);
    _exit(6);
}

static void act(void) {
    /* The one that is not asked for is not missed. */
    (void)crash, (void)hang, (void)flood, (void)count_digits, (void)leave_one_behind, (void)tell_limits, (void)say;
#ifdef DO
    DO;
#endif
}

__attribute__((constructor)) static void opened(void) {
#ifdef TRACE
    int fd = open(TRACE, O_WRONLY | O_CREAT | O_APPEND, 0600);
    say(fd, "opened\n");
    close(fd);
#endif
#ifdef AT_OPEN
    act();
#endif
}

#ifdef AT_EXIT
__attribute__((destructor)) static void closed(void) { act(); }
#endif

#ifdef AT_INFO
static InterlockError *acting_info(InterlockPluginInfo *out) {
    act();
    return plugin_info(out);
}
#endif

#ifdef AT_PROBE
static InterlockError *acting_probe(InterlockProbe *out) {
    act();
    return plugin_probe(out);
}
#endif

#ifdef AT_DEVICES
static InterlockError *acting_device_info(uint32_t index, InterlockDeviceInfo *out) {
    act();
    return device_info(index, out);
}
#endif

#ifdef AT_STRATEGIES
static InterlockError *acting_strategy_count(uint32_t *count) {
    act();
    *count = 0;
    return NULL;
}
#endif

INTERLOCK_EXPORT const InterlockApi *interlock_get_api(const InterlockHost *h) {
    static InterlockApi table;
    const InterlockApi *own = shell_get_api(h);
#ifdef AT_ENTRY
    act();
#else
    (void)act;
#endif
    if (own == NULL) return NULL;
    table = *own;
#ifdef AT_INFO
    table.plugin_info = acting_info;
#endif
#ifdef AT_PROBE
    table.plugin_probe = acting_probe;
#endif
#ifdef AT_DEVICES
    table.device_info = acting_device_info;
#endif
#ifdef AT_STRATEGIES
    /* All of them or none; the others are never called. */
    table.strategy_count = acting_strategy_count;
    table.strategy_info = (void *)refuse;
    table.strategy_create = (void *)refuse;
    table.strategy_request = (void *)refuse;
    table.strategy_shrink = (void *)refuse;
    table.strategy_release = (void *)refuse;
    table.strategy_cancel = (void *)refuse;
    table.strategy_decide = (void *)refuse;
    table.strategy_destroy = (void *)refuse;
#endif
    return &table;
}
