/* Random numbers that come again: PCG32 (O'Neill 2014), seeded from a seed, usually the scene's, and the number of a
 * stream. What a stream yields depends on these two and on how many numbers were taken from it, on nothing else. */
#ifndef MN_BASE_RANDOM_H
#define MN_BASE_RANDOM_H

#include <stdint.h>

typedef struct mnRandom {
    uint64_t state, increment;
} mnRandom;

mnRandom mn_random_start(uint64_t seed, uint64_t stream);
uint32_t mn_random_next(mnRandom *random);
double mn_random_uniform(mnRandom *random);     /* 0 ≤ u < 1, 53 bits; takes two numbers */
double mn_random_exponential(mnRandom *random); /* mean 1; takes two numbers */

#endif
