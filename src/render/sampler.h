/* Evenly spread random numbers: pairs of the Sobol sequence, scrambled after Owen by hashing [Burley 2020].
 *
 * Every decision along a path takes its own pair; the samples of a pixel cover each pair's unit square evenly, also
 * those of the first half and of the second alone. What comes out depends on the pixel's seed, the number of the sample
 * and how many pairs were taken before, and on nothing else, so that a picture does not depend on threads. */
#ifndef MN_RENDER_SAMPLER_H
#define MN_RENDER_SAMPLER_H

#include <stdint.h>

typedef struct mnSampler {
    uint32_t seed, sample, pair;
} mnSampler;

static inline uint32_t mn_hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

static inline uint32_t mn_reverse_bits(uint32_t x) {
    x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
    x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
    x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
    x = (x >> 8 & 0x00ff00ffU) | (x & 0x00ff00ffU) << 8;
    return x >> 16 | x << 16;
}

/* Owen's scrambling of bits that are already reversed: each bit is flipped or not by a hash of those below it. */
static inline uint32_t mn_scramble_reversed(uint32_t x, uint32_t seed) {
    x ^= x * 0x3d20adeaU;
    x += seed;
    x *= seed >> 16 | 1;
    x ^= x * 0x05526c56U;
    return x ^ x * 0x53a22864U;
}

static inline uint32_t mn_scramble(uint32_t x, uint32_t seed) {
    return mn_reverse_bits(mn_scramble_reversed(mn_reverse_bits(x), seed));
}

static inline float mn_unit_float(uint32_t x) {
    return (float)(x >> 8) * 0x1p-24F;
}

/* Two numbers, 0 ≤ u < 1. */
static inline void mn_sampler_pair(mnSampler *sampler, float u[2]) {
    uint32_t seed = mn_hash(sampler->seed + 0x9e3779b9U * ++sampler->pair);
    uint32_t index = mn_scramble(sampler->sample, seed);
    uint32_t second = 0;
    for (uint32_t rest = index, column = 1U << 31; rest; rest >>= 1, column ^= column >> 1)
        if (rest & 1) second ^= column;
    /* The first number of Sobol's pair is the index with its bits reversed. */
    u[0] = mn_unit_float(mn_reverse_bits(mn_scramble_reversed(index, mn_hash(seed ^ 0x68bc21ebU))));
    u[1] = mn_unit_float(mn_scramble(second, mn_hash(seed ^ 0x02e5be93U)));
}

#endif
