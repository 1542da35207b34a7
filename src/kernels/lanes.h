/* Neighbours are taken MN_WIDTH at a time, each in a lane of its own: eight on a CPU, whose vector registers then hold
 * a component of eight neighbours, and one in OpenCL, where lanes are the device's business.
 *
 * The entries of a particle's neighbours are padded to whole multiples of MN_WIDTH with "nobody": the entry behind the
 * last particle, which is far away and has neither volume nor weight. A body can so take all lanes of a block without
 * asking which of them count. Sums are kept per lane and added up once, always in the same order.
 *
 *     mnReal sum[MN_WIDTH] = {0};
 *     for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
 *         mnLanes block = mn_load_lanes(position, around.near + k);
 *         MN_EACH_LANE(l) {
 *             mnVec xj = mn_lane(&block, l);
 *             …
 *             sum[l] += …;
 *         }
 *     }
 *     … mn_total(sum) … */
#ifndef MN_KERNELS_LANES_H
#define MN_KERNELS_LANES_H

#include "kernels/language.h"

#ifdef __OPENCL_VERSION__
#define MN_WIDTH 1
#define MN_EACH_LANE(l) for (int l = 0; l < MN_WIDTH; l++)
#else
#define MN_WIDTH 8
#define MN_EACH_LANE(l) MN_PRAGMA(omp simd) for (int l = 0; l < MN_WIDTH; l++)
#if defined(__AVX__) && !defined(MN_DOUBLE)
#define MN_LANES_AVX 1
#include <immintrin.h>
#endif
#endif

/* A component each of MN_WIDTH vectors. */
typedef struct mnLanes {
    mnReal x[MN_WIDTH], y[MN_WIDTH], z[MN_WIDTH], w[MN_WIDTH];
} mnLanes;

#ifdef MN_LANES_AVX
/* Two entries, four apart, in the halves of a register. */
MN_BODY __m256 mn_two_entries(const mnVec *array, const int32_t *entries) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(&array[entries[0]].x)),
                                _mm_loadu_ps(&array[entries[4]].x), 1);
}

/* Whole vectors are read and then transposed: gather instructions take three times as long. */
MN_BODY mnLanes mn_load_lanes(const mnVec *array, const int32_t *entries) {
    __m256 a = mn_two_entries(array, entries), b = mn_two_entries(array, entries + 1);
    __m256 c = mn_two_entries(array, entries + 2), d = mn_two_entries(array, entries + 3);
    __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    mnLanes lanes;
    _mm256_storeu_ps(lanes.x, _mm256_shuffle_ps(ab_low, cd_low, 0x44));
    _mm256_storeu_ps(lanes.y, _mm256_shuffle_ps(ab_low, cd_low, 0xEE));
    _mm256_storeu_ps(lanes.z, _mm256_shuffle_ps(ab_high, cd_high, 0x44));
    _mm256_storeu_ps(lanes.w, _mm256_shuffle_ps(ab_high, cd_high, 0xEE));
    return lanes;
}
#else
MN_BODY mnLanes mn_load_lanes(MN_GLOBAL const mnVec *array, MN_GLOBAL const int32_t *entries) {
    mnLanes lanes;
    for (int l = 0; l < MN_WIDTH; l++) {
        mnVec a = array[entries[l]];
        lanes.x[l] = a.x;
        lanes.y[l] = a.y;
        lanes.z[l] = a.z;
        lanes.w[l] = a.w;
    }
    return lanes;
}
#endif

MN_BODY mnVec mn_lane(const mnLanes *lanes, int l) {
    return mn_vec(lanes->x[l], lanes->y[l], lanes->z[l], lanes->w[l]);
}

/* By halves, so that it takes three additions in a row and not seven. */
MN_BODY mnReal mn_total(const mnReal sum[MN_WIDTH]) {
#if MN_WIDTH == 1
    return sum[0];
#else
    mnReal half[4];
    for (int l = 0; l < 4; l++) half[l] = sum[l] + sum[l + 4];
    return (half[0] + half[2]) + (half[1] + half[3]);
#endif
}

MN_BODY mnVec mn_total_vec(const mnReal x[MN_WIDTH], const mnReal y[MN_WIDTH], const mnReal z[MN_WIDTH]) {
    return mn_vec(mn_total(x), mn_total(y), mn_total(z), 0);
}

/* A particle's neighbours in the lists of space/neighbours.h. */
typedef struct mnSpan {
    int64_t near, far;                          /* where its entries start in the two lists */
    int32_t near_fluid, near_all;               /* within 2h: fluid in [0, near_fluid), boundary in [near_fluid, near_all) */
    int32_t far_fluid, far_all;                 /* from there to 3h, likewise; all are multiples of MN_WIDTH */
} mnSpan;

/* The same, ready to be read. */
typedef struct mnAround {
    MN_GLOBAL const int32_t *near, *far;
    int32_t near_fluid, near_all, far_fluid, far_all;
} mnAround;

MN_BODY mnAround mn_around(mnSpan span, MN_GLOBAL const int32_t *near_list, MN_GLOBAL const int32_t *far_list) {
    mnAround around;
    around.near = near_list + span.near;
    around.far = far_list + span.far;
    around.near_fluid = span.near_fluid;
    around.near_all = span.near_all;
    around.far_fluid = span.far_fluid;
    around.far_all = span.far_all;
    return around;
}

/* The neighbours of all distances, part 0 being the near and part 1 the far ones. */
MN_BODY MN_GLOBAL const int32_t *mn_part(mnAround around, int part) {
    return part ? around.far : around.near;
}

MN_BODY int32_t mn_part_fluid(mnAround around, int part) {
    return part ? around.far_fluid : around.near_fluid;
}

MN_BODY int32_t mn_part_all(mnAround around, int part) {
    return part ? around.far_all : around.near_all;
}

#endif
