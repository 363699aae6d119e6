// The four prime fields: moduli and what follows from them. Words are 32 bits, the lowest first.
//
// Sources: the moduli are those of the curves' definitions (BLS12-381: the IETF draft on pairing-friendly curves, section 4.2.1;
// BN254: EIP-196); the other numbers follow from them, and a test compares all with arkworks'.
#pragma once

#include "words.cuh"

namespace il {

#if defined(__CUDACC__)
// In constant memory, not in the code: with the literal 0xffffffff of BLS12-381's scalar field the assembler makes shifts and
// additions of the multiplication, which are slower.
static __constant__ uint32_t BlsFp_m0 = 0xfffcfffdu;
static __constant__ uint32_t BlsFr_m0 = 0xffffffffu;
static __constant__ uint32_t BnFp_m0 = 0xe4866389u;
static __constant__ uint32_t BnFr_m0 = 0xefffffffu;
#endif

// The base field of BLS12-381.
struct BlsFp {
    static constexpr int WORDS = 12;
    IL_INLINE static uint32_t modulus(int i) {
        constexpr uint32_t words[WORDS] = {
            0xffffaaabu, 0xb9feffffu, 0xb153ffffu, 0x1eabfffeu, 0xf6b0f624u, 0x6730d2a0u,
            0xf38512bfu, 0x64774b84u, 0x434bacd7u, 0x4b1ba7b6u, 0x397fe69au, 0x1a0111eau,
        };
        return words[i];
    }
    // 2^384 mod p: one, in Montgomery form.
    IL_INLINE static uint32_t one(int i) {
        constexpr uint32_t words[WORDS] = {
            0x0002fffdu, 0x76090000u, 0xc40c0002u, 0xebf4000bu, 0x53c758bau, 0x5f489857u,
            0x70525745u, 0x77ce5853u, 0xa256ec6du, 0x5c071a97u, 0xfa80e493u, 0x15f65ec3u,
        };
        return words[i];
    }
    // 2^768 mod p, which takes a canonical number to Montgomery form.
    IL_INLINE static uint32_t r2(int i) {
        constexpr uint32_t words[WORDS] = {
            0x1c341746u, 0xf4df1f34u, 0x09d104f1u, 0x0a76e6a6u, 0x4c95b6d5u, 0x8de5476cu,
            0x939d83c0u, 0x67eb88a9u, 0xb519952du, 0x9a793e85u, 0x92cae3aau, 0x11988fe5u,
        };
        return words[i];
    }
    // −1/p mod 2^32.
    IL_INLINE static uint32_t m0() {
#if defined(__CUDA_ARCH__)
        return BlsFp_m0;
#else
        return 0xfffcfffdu;
#endif
    }
};

// The scalar field of BLS12-381.
struct BlsFr {
    static constexpr int WORDS = 8;
    IL_INLINE static uint32_t modulus(int i) {
        constexpr uint32_t words[WORDS] = {
            0x00000001u, 0xffffffffu, 0xfffe5bfeu, 0x53bda402u, 0x09a1d805u, 0x3339d808u,
            0x299d7d48u, 0x73eda753u,
        };
        return words[i];
    }
    // 2^256 mod p: one, in Montgomery form.
    IL_INLINE static uint32_t one(int i) {
        constexpr uint32_t words[WORDS] = {
            0xfffffffeu, 0x00000001u, 0x00034802u, 0x5884b7fau, 0xecbc4ff5u, 0x998c4fefu,
            0xacc5056fu, 0x1824b159u,
        };
        return words[i];
    }
    // 2^512 mod p, which takes a canonical number to Montgomery form.
    IL_INLINE static uint32_t r2(int i) {
        constexpr uint32_t words[WORDS] = {
            0xf3f29c6du, 0xc999e990u, 0x87925c23u, 0x2b6cedcbu, 0x7254398fu, 0x05d31496u,
            0x9f59ff11u, 0x0748d9d9u,
        };
        return words[i];
    }
    // −1/p mod 2^32.
    IL_INLINE static uint32_t m0() {
#if defined(__CUDA_ARCH__)
        return BlsFr_m0;
#else
        return 0xffffffffu;
#endif
    }
};

// The base field of BN254.
struct BnFp {
    static constexpr int WORDS = 8;
    IL_INLINE static uint32_t modulus(int i) {
        constexpr uint32_t words[WORDS] = {
            0xd87cfd47u, 0x3c208c16u, 0x6871ca8du, 0x97816a91u, 0x8181585du, 0xb85045b6u,
            0xe131a029u, 0x30644e72u,
        };
        return words[i];
    }
    // 2^256 mod p: one, in Montgomery form.
    IL_INLINE static uint32_t one(int i) {
        constexpr uint32_t words[WORDS] = {
            0xc58f0d9du, 0xd35d438du, 0xf5c70b3du, 0x0a78eb28u, 0x7879462cu, 0x666ea36fu,
            0x9a07df2fu, 0x0e0a77c1u,
        };
        return words[i];
    }
    // 2^512 mod p, which takes a canonical number to Montgomery form.
    IL_INLINE static uint32_t r2(int i) {
        constexpr uint32_t words[WORDS] = {
            0x538afa89u, 0xf32cfc5bu, 0xd44501fbu, 0xb5e71911u, 0x0a417ff6u, 0x47ab1effu,
            0xcab8351fu, 0x06d89f71u,
        };
        return words[i];
    }
    // −1/p mod 2^32.
    IL_INLINE static uint32_t m0() {
#if defined(__CUDA_ARCH__)
        return BnFp_m0;
#else
        return 0xe4866389u;
#endif
    }
};

// The scalar field of BN254.
struct BnFr {
    static constexpr int WORDS = 8;
    IL_INLINE static uint32_t modulus(int i) {
        constexpr uint32_t words[WORDS] = {
            0xf0000001u, 0x43e1f593u, 0x79b97091u, 0x2833e848u, 0x8181585du, 0xb85045b6u,
            0xe131a029u, 0x30644e72u,
        };
        return words[i];
    }
    // 2^256 mod p: one, in Montgomery form.
    IL_INLINE static uint32_t one(int i) {
        constexpr uint32_t words[WORDS] = {
            0x4ffffffbu, 0xac96341cu, 0x9f60cd29u, 0x36fc7695u, 0x7879462eu, 0x666ea36fu,
            0x9a07df2fu, 0x0e0a77c1u,
        };
        return words[i];
    }
    // 2^512 mod p, which takes a canonical number to Montgomery form.
    IL_INLINE static uint32_t r2(int i) {
        constexpr uint32_t words[WORDS] = {
            0xae216da7u, 0x1bb8e645u, 0xe35c59e3u, 0x53fe3ab1u, 0x53bb8085u, 0x8c49833du,
            0x7f4e44a5u, 0x0216d0b1u,
        };
        return words[i];
    }
    // −1/p mod 2^32.
    IL_INLINE static uint32_t m0() {
#if defined(__CUDA_ARCH__)
        return BnFr_m0;
#else
        return 0xefffffffu;
#endif
    }
};

}  // namespace il
