/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "handles.h"

#include <pthread.h>
#include <stdlib.h>

/* A handle is the generation in the upper half of a pointer and the slot's number plus one in the lower. */
_Static_assert(sizeof(void *) == 8, "handles pack two 32-bit numbers into a pointer");

typedef struct Slot {
    Object *object; /* NULL: free */
    uint32_t generation;
    uint32_t next; /* of a free slot: the next free one plus one, or 0 */
} Slot;

/* One lock for the table and all reference counts: calls hold it for a few instructions, kernels run outside of it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static Slot *slots;
static uint32_t slot_count, slot_capacity, first_free;

/* A last slot number is left out, so that no handle ever has all bits set: that one stands for a lost error. */
static const uint32_t MOST_SLOTS = UINT32_MAX - 2;

static const char *const kind_names[] = {"device", "lane", "scalars", "bases", "matrix", "domain", "error"};

Object *object_new(size_t size, Kind kind, Object *owner, void (*destroy)(Object *object)) {
    Object *object = calloc(1, size);
    if (object == NULL) return NULL;
    object->kind = kind;
    object->references = 1;
    object->destroy = destroy;
    object->owner = owner;
    if (owner != NULL) {
        pthread_mutex_lock(&lock);
        owner->references++;
        pthread_mutex_unlock(&lock);
    }
    return object;
}

void object_release(Object *object) {
    /* A loop, because what goes may hold the last reference of its owner. */
    while (object != NULL) {
        pthread_mutex_lock(&lock);
        bool last = --object->references == 0;
        if (!last) pthread_cond_broadcast(&released);
        pthread_mutex_unlock(&lock);
        if (!last) return;
        Object *owner = object->owner;
        object->destroy(object);
        free(object);
        object = owner;
    }
}

/* With the lock held: the number of a free slot, or MOST_SLOTS when there is none to be had. */
static uint32_t free_slot(void) {
    if (first_free != 0) {
        uint32_t slot = first_free - 1;
        first_free = slots[slot].next;
        return slot;
    }
    if (slot_count == slot_capacity) {
        uint32_t capacity = slot_capacity == 0 ? 64 : slot_capacity * 2;
        if (slot_capacity > MOST_SLOTS / 2) return MOST_SLOTS;
        Slot *more = realloc(slots, capacity * sizeof *slots);
        if (more == NULL) return MOST_SLOTS;
        slots = more;
        slot_capacity = capacity;
    }
    slots[slot_count] = (Slot){0};
    return slot_count++;
}

void *handle_make(Object *object) {
    uintptr_t bits = 0;
    pthread_mutex_lock(&lock);
    uint32_t slot = free_slot();
    if (slot != MOST_SLOTS) {
        slots[slot].object = object;
        object->references++;
        bits = ((uintptr_t)slots[slot].generation << 32) | ((uintptr_t)slot + 1);
    }
    pthread_mutex_unlock(&lock);
    return (void *)bits;
}

/* With the lock held: the slot of a live handle of this kind, or NULL. */
static Slot *locate(const void *handle, Kind kind) {
    uint64_t number = (uintptr_t)handle & UINT32_MAX;
    if (number == 0 || number > slot_count) return NULL;
    Slot *slot = &slots[number - 1];
    bool alive = slot->object != NULL && slot->generation == (uintptr_t)handle >> 32;
    return alive && slot->object->kind == kind ? slot : NULL;
}

static Object *dead(Kind kind, Failure *failure) {
    fail(failure, INTERLOCK_INVALID_HANDLE, "the %s handle is not alive, or is of another kind", kind_names[kind]);
    return NULL;
}

Object *handle_get(const void *handle, Kind kind, Failure *failure) {
    pthread_mutex_lock(&lock);
    Slot *slot = locate(handle, kind);
    Object *object = slot == NULL ? NULL : slot->object;
    if (object != NULL) object->references++;
    pthread_mutex_unlock(&lock);
    return object != NULL ? object : dead(kind, failure);
}

Object *handle_end(const void *handle, Kind kind, bool alone, Failure *failure) {
    pthread_mutex_lock(&lock);
    Slot *slot = locate(handle, kind);
    Object *object = slot == NULL ? NULL : slot->object;
    if (object != NULL) {
        slot->object = NULL;
        /* A slot whose generations are used up is not used again. */
        if (slot->generation != UINT32_MAX) {
            slot->generation++;
            slot->next = first_free;
            first_free = (uint32_t)(slot - slots) + 1;
        }
        while (alone && object->references > 1) pthread_cond_wait(&released, &lock);
    }
    pthread_mutex_unlock(&lock);
    return object != NULL ? object : dead(kind, failure);
}
