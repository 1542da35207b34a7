#include "space/reach.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef mnHits (*mnHitsAmong)(const mnPlaces *places, int32_t first, int32_t count, mnVec at, mnRadii radii);

/* Writes the numbers of such bits, the lowest of which is `first`, and returns where they end. */
typedef int32_t *(*mnHitsWriter)(int32_t *to, uint64_t hits, int32_t first);

/* ---- in plain C -------------------------------------------------------------------------------------------------- */

INLINE mnHits hits_plain(const mnPlaces *places, int32_t first, int32_t count, mnVec at, mnRadii radii) {
    mnHits hits = {0, 0};
    for (int32_t k = 0; k < count; k++) {
        mnReal x = at.x - places->x[first + k], y = at.y - places->y[first + k], z = at.z - places->z[first + k];
        mnReal rr = x * x + y * y + z * z;
        hits.near |= (uint64_t)(rr < radii.near) << k;
        hits.wide |= (uint64_t)(rr < radii.wide) << k;
    }
    return hits;
}

INLINE int32_t *write_plain(int32_t *to, uint64_t hits, int32_t first) {
    for (; hits; hits &= hits - 1) *to++ = first + (int32_t)__builtin_ctzll(hits);
    return to;
}

static int32_t chunk_size(const mnRuns *runs, int run, int32_t first) {
    return runs->end[run] - first < MN_CHUNK ? runs->end[run] - first : MN_CHUNK;
}

/* The two bodies, which each of the processors below makes its own: `among` and `writer` become parts of them. `again`
 * does what `among` does and does not, since both need one and the same: were its multiply-adds contracted differently
 * in each, a pair at the very edge could be counted and not written. */
INLINE void find(const mnRuns *runs, const mnPlaces *places, mnVec x, mnRadii radii, mnCatch *found, mnHitsAmong among,
                 mnHitsAmong again) {
    int chunk = 0;
    found->near = found->far = 0;
    for (int a = 0; a < runs->count; a++)
        for (int32_t first = runs->first[a]; first < runs->end[a]; first += MN_CHUNK, chunk++) {
            int32_t count = chunk_size(runs, a, first);
            mnHits hits;
            if (chunk < MN_CHUNKS_KEPT)
                hits = found->kept[chunk] = among(places, first, count, x, radii);
            else
                hits = again(places, first, count, x, radii);
            found->near += __builtin_popcountll(hits.near);
            found->far += __builtin_popcountll(hits.wide & ~hits.near);
        }
}

static void fill_up(int32_t *from, const int32_t *end, int32_t nobody) {
    while (from < end) *from++ = nobody;
}

INLINE void write(const mnRuns *runs, const mnPlaces *places, mnVec x, int64_t self, mnRadii radii,
                  const mnCatch *found, const mnRoom *room, mnHitsAmong again, mnHitsWriter writer) {
    int32_t *near = room->near, *far = room->far;
    int chunk = 0;
    for (int a = 0; a < runs->count; a++)
        for (int32_t first = runs->first[a]; first < runs->end[a]; first += MN_CHUNK, chunk++) {
            mnHits hits = chunk < MN_CHUNKS_KEPT ? found->kept[chunk]
                                                 : again(places, first, chunk_size(runs, a, first), x, radii);
            bool has_self = self >= first && self < first + MN_CHUNK;
            uint64_t others = has_self ? ~((uint64_t)1 << (self - first)) : ~(uint64_t)0;
            near = writer(near, hits.near & others, first);
            far = writer(far, hits.wide & ~hits.near, first);
        }
    fill_up(near, room->near_end, room->nobody);
    fill_up(far, room->far_end, room->nobody);
}

#define DEFINE_REACH(name, attributes, among, writer)                                                                  \
    attributes __attribute__((noinline)) static mnHits again_##name(const mnPlaces *places, int32_t first,             \
                                                                    int32_t count, mnVec at, mnRadii radii) {          \
        return among(places, first, count, at, radii);                                                                 \
    }                                                                                                                  \
    attributes static void find_##name(const mnRuns *runs, const mnPlaces *places, mnVec x, mnRadii radii,             \
                                       mnCatch *found) {                                                               \
        find(runs, places, x, radii, found, among, again_##name);                                                      \
    }                                                                                                                  \
    attributes static void write_##name(const mnRuns *runs, const mnPlaces *places, mnVec x, int64_t self,             \
                                        mnRadii radii, const mnCatch *found, const mnRoom *room) {                     \
        write(runs, places, x, self, radii, found, room, again_##name, writer);                                        \
    }

DEFINE_REACH(anywhere, , hits_plain, write_plain)

/* ---- with vectors ------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__) && !defined(MN_DOUBLE)

static inline mnHits first_of(mnHits hits, int32_t count) {
    uint64_t all = count < MN_CHUNK ? ((uint64_t)1 << count) - 1 : ~(uint64_t)0;
    return (mnHits){hits.near & all, hits.wide & all};
}

/* Compilers do not find this by themselves: eight comparisons in one go, whose results come as eight bits. */
__attribute__((target("avx"))) static inline mnHits hits_avx(const mnPlaces *places, int32_t first, int32_t count,
                                                             mnVec at, mnRadii radii) {
    mnHits hits = {0, 0};
    __m256 ax = _mm256_set1_ps(at.x), ay = _mm256_set1_ps(at.y), az = _mm256_set1_ps(at.z);
    __m256 near = _mm256_set1_ps(radii.near), wide = _mm256_set1_ps(radii.wide);
    for (int32_t k = 0; k < count; k += 8) {
        __m256 x = _mm256_sub_ps(ax, _mm256_loadu_ps(places->x + first + k));
        __m256 y = _mm256_sub_ps(ay, _mm256_loadu_ps(places->y + first + k));
        __m256 z = _mm256_sub_ps(az, _mm256_loadu_ps(places->z + first + k));
        __m256 rr = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(y, y)), _mm256_mul_ps(z, z));
        hits.near |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps(rr, near, _CMP_LT_OQ)) << k;
        hits.wide |= (uint64_t)_mm256_movemask_ps(_mm256_cmp_ps(rr, wide, _CMP_LT_OQ)) << k;
    }
    return first_of(hits, count);
}

DEFINE_REACH(avx, __attribute__((target("avx,bmi,popcnt"))), hits_avx, write_plain)

/* The same with sixteen. */
#define AVX512 __attribute__((target("avx512f,bmi,popcnt")))

AVX512 static inline mnHits hits_avx512(const mnPlaces *places, int32_t first, int32_t count, mnVec at, mnRadii radii) {
    mnHits hits = {0, 0};
    __m512 ax = _mm512_set1_ps(at.x), ay = _mm512_set1_ps(at.y), az = _mm512_set1_ps(at.z);
    __m512 near = _mm512_set1_ps(radii.near), wide = _mm512_set1_ps(radii.wide);
    for (int32_t k = 0; k < count; k += 16) {
        __m512 x = _mm512_sub_ps(ax, _mm512_loadu_ps(places->x + first + k));
        __m512 y = _mm512_sub_ps(ay, _mm512_loadu_ps(places->y + first + k));
        __m512 z = _mm512_sub_ps(az, _mm512_loadu_ps(places->z + first + k));
        __m512 rr = _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(x, x), _mm512_mul_ps(y, y)), _mm512_mul_ps(z, z));
        hits.near |= (uint64_t)_mm512_cmp_ps_mask(rr, near, _CMP_LT_OQ) << k;
        hits.wide |= (uint64_t)_mm512_cmp_ps_mask(rr, wide, _CMP_LT_OQ) << k;
    }
    return first_of(hits, count);
}

/* Sixteen bits become as many numbers as are set. */
AVX512 static inline int32_t *writer_avx512(int32_t *to, uint64_t hits, int32_t first) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (__m512i number = _mm512_add_epi32(_mm512_set1_epi32(first), lanes); hits; hits >>= 16) {
        __mmask16 some = (__mmask16)hits;
        int count = __builtin_popcount(some);
        _mm512_mask_storeu_epi32(to, (__mmask16)((1u << count) - 1), _mm512_maskz_compress_epi32(some, number));
        number = _mm512_add_epi32(number, _mm512_set1_epi32(16));
        to += count;
    }
    return to;
}

DEFINE_REACH(avx512, AVX512, hits_avx512, writer_avx512)

#endif

int mn_reaches(mnReach reaches[MN_REACHES_MOST]) {
    int count = 0;
#if defined(__x86_64__) && !defined(MN_DOUBLE)
    bool counts = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
    if (counts && __builtin_cpu_supports("avx512f")) reaches[count++] = (mnReach){find_avx512, write_avx512};
    if (counts && __builtin_cpu_supports("avx")) reaches[count++] = (mnReach){find_avx, write_avx};
#endif
    reaches[count++] = (mnReach){find_anywhere, write_anywhere};
    return count;
}
