#include "base/random.h"

#include <math.h>

/* The finaliser of SplitMix64. Neighbouring seeds and streams differ in a bit or two, and PCG sequences that start so
 * close together are visibly alike. */
static uint64_t scramble(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

mnRandom mn_random_start(uint64_t seed, uint64_t stream) {
    uint64_t mixed = scramble(stream);
    mnRandom random = {.state = scramble(seed ^ mixed), .increment = mixed | 1};
    mn_random_next(&random);
    return random;
}

uint32_t mn_random_next(mnRandom *random) {
    uint64_t old = random->state;
    random->state = old * 6364136223846793005u + random->increment;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t turn = (uint32_t)(old >> 59);
    return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

double mn_random_uniform(mnRandom *random) {
    uint64_t high = mn_random_next(random) >> 5, low = mn_random_next(random) >> 6;
    return (double)((high << 26) | low) * 0x1p-53;
}

double mn_random_exponential(mnRandom *random) {
    return -log1p(-mn_random_uniform(random));
}
