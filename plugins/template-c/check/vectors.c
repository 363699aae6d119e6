/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "vectors_bls12_381.h"
#include "vectors_bn254.h"

const Vectors *const all_vectors[2] = {&bn254_vectors, &bls12_381_vectors};

static unsigned digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

uint8_t *bytes_of(const char *hex, size_t *length) {
    size_t count = strlen(hex) / 2;
    uint8_t *bytes = malloc(count + 1);
    CHECK(bytes != NULL);
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    if (length != NULL) *length = count;
    return bytes;
}

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

void long_scalars(uint8_t *bytes, size_t count) {
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++) {
        /* A quarter zeros and a quarter ones, as a witness has them. */
        uint64_t kind = splitmix(&state) % 4, limbs[4];
        for (int j = 0; j < 4; j++) limbs[j] = splitmix(&state);
        limbs[3] >>= 3;
        if (kind < 2) memcpy(limbs, (uint64_t[4]){kind}, sizeof limbs);
        for (int j = 0; j < 32; j++) bytes[32 * i + (size_t)j] = (uint8_t)(limbs[j / 8] >> (8 * (j % 8)));
    }
}
