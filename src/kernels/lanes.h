/* Neighbours are taken MN_WIDTH at a time, each in a lane of its own: eight on a CPU, whose vector registers then hold
 * a component of eight neighbours, and one in OpenCL, where lanes are the device's business.
 *
 * The entries of a particle's neighbours are padded to whole multiples of MN_WIDTH with "nobody": the entry behind the
 * last particle, which is far away and has neither volume nor weight. A body can so take all lanes of a block without
 * asking which of them count. Sums are kept per lane and added up once, always in the same order.
 *
 *     mnReal sum[MN_WIDTH] = {0};
 *     for (int32_t k = 0; k < around.near_fluid; k += MN_WIDTH) {
 *         mnLanes block = mn_load_lanes(position, mn_entries(around.near, k));
 *         MN_EACH_LANE(l) {
 *             mnVec xj = mn_lane(&block, l);
 *             …
 *             sum[l] += …;
 *         }
 *     }
 *     … mn_total(sum) … */
#ifndef MN_KERNELS_LANES_H
#define MN_KERNELS_LANES_H

#ifndef __OPENCL_VERSION__
#include <string.h>
#endif

#include "kernels/language.h"

#ifdef __OPENCL_VERSION__
#define MN_WIDTH 1
/* The entries of MN_STRIDE particles that follow each other alternate, MN_RUN of each at a time, so that neighbouring
 * lanes read neighbouring entries, and write them in one go. */
#define MN_RUN 4
#define MN_STRIDE 32
#define MN_GRAIN MN_RUN
/* Before a loop over neighbours: eight of them are read before the first is needed. A device with little else to do
 * meanwhile waits for each otherwise: twice as long in all. */
#define MN_AHEAD _Pragma("unroll 8")
#define MN_EACH_LANE(l) for (int l = 0; l < MN_WIDTH; l++)
#else
#define MN_WIDTH 8
#define MN_STRIDE 1
#define MN_RUN 1
#define MN_GRAIN MN_WIDTH
#define MN_AHEAD
#define MN_EACH_LANE(l) MN_PRAGMA(omp simd) for (int l = 0; l < MN_WIDTH; l++)
#if defined(__has_builtin) && !defined(MN_DOUBLE)
#if __has_builtin(__builtin_shufflevector)
#define MN_CAN_TRANSPOSE 1
#ifdef __AVX__
#include <immintrin.h>
#endif
#endif
#endif
#endif

/* A component each of MN_WIDTH vectors. */
typedef struct mnLanes {
    mnReal x[MN_WIDTH], y[MN_WIDTH], z[MN_WIDTH], w[MN_WIDTH];
} mnLanes;

#ifdef MN_CAN_TRANSPOSE
typedef float mnFour __attribute__((vector_size(16)));
typedef float mnEight __attribute__((vector_size(32)));

/* Two entries, four apart, in the halves of a register. Compilers read both and join them, unless they are told that
 * one instruction does it, which takes a build for processors that have it. (Given back by a pointer, since without AVX
 * it is not settled how such a register is returned.) */
MN_BODY void mn_two_entries(const mnVec *array, const int32_t *entries, mnEight *both) {
    mnFour low, high;
    memcpy(&low, &array[entries[0]], sizeof low);
    memcpy(&high, &array[entries[4]], sizeof high);
#ifdef __AVX__
    *both = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
#else
    *both = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* Whole vectors are read and then transposed: gather instructions take three times as long. */
MN_BODY mnLanes mn_load_lanes(const mnVec *array, const int32_t *entries) {
    mnEight a, b, c, d;
    mn_two_entries(array, entries, &a);
    mn_two_entries(array, entries + 1, &b);
    mn_two_entries(array, entries + 2, &c);
    mn_two_entries(array, entries + 3, &d);
    mnEight ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    mnEight ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    mnEight cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    mnEight cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    mnEight x = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
    mnEight y = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
    mnEight z = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
    mnEight w = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
    mnLanes lanes;
    memcpy(lanes.x, &x, sizeof x);
    memcpy(lanes.y, &y, sizeof y);
    memcpy(lanes.z, &z, sizeof z);
    memcpy(lanes.w, &w, sizeof w);
    return lanes;
}

/* Lane l and l + 4. */
MN_BODY mnFour mn_halves(const mnReal sum[MN_WIDTH]) {
    mnFour low, high;
    memcpy(&low, sum, sizeof low);
    memcpy(&high, sum + 4, sizeof high);
    return low + high;
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

/* Four of these sums. Transposed on the way, each addition serves all of them. */
MN_BODY mnVec mn_totals(const mnReal x[MN_WIDTH], const mnReal y[MN_WIDTH], const mnReal z[MN_WIDTH],
                        const mnReal w[MN_WIDTH]) {
#ifdef MN_CAN_TRANSPOSE
    mnFour a = mn_halves(x), b = mn_halves(y), c = mn_halves(z), d = mn_halves(w);
    mnFour ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
    mnFour cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
    mnFour all = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    return mn_vec(all[0], all[1], all[2], all[3]);
#else
    return mn_vec(mn_total(x), mn_total(y), mn_total(z), mn_total(w));
#endif
}

MN_BODY mnVec mn_total_vec(const mnReal x[MN_WIDTH], const mnReal y[MN_WIDTH], const mnReal z[MN_WIDTH]) {
    const mnReal none[MN_WIDTH] = {0};
    return mn_totals(x, y, z, none);
}

/* A particle's neighbours in the lists of space/neighbours.h. */
typedef struct mnSpan {
    uint32_t near, far;            /* where its entries start in the two lists, in multiples of MN_GRAIN */
    uint16_t near_fluid, near_all; /* within 2h: fluid in [0, near_fluid), boundary in [near_fluid, near_all) */
    uint16_t far_fluid, far_all;   /* from there to 3h, likewise; all are multiples of MN_WIDTH */
} mnSpan;

/* The most entries that a span can tell, a thousand times as many as there should be. */
enum { MN_SPAN_MOST = 65535 };

/* The same, ready to be read. */
typedef struct mnAround {
    MN_GLOBAL const int32_t *near, *far;
    int32_t near_fluid, near_all, far_fluid, far_all;
} mnAround;

/* A list from a place on that a span tells. */
MN_BODY MN_GLOBAL const int32_t *mn_list_at(MN_GLOBAL const int32_t *list, uint32_t place) {
    return list + (int64_t)place * MN_GRAIN;
}

/* How far a particle's k-th entry is from its first. */
MN_BODY int32_t mn_entry_offset(int32_t k) {
    return MN_STRIDE == 1 ? k : (k & -MN_RUN) * MN_STRIDE + (k & (MN_RUN - 1));
}

/* A particle's entries from the k-th on, and the k-th itself. */
MN_BODY MN_GLOBAL const int32_t *mn_entries(MN_GLOBAL const int32_t *list, int32_t k) {
    return list + mn_entry_offset(k);
}

MN_BODY int32_t mn_entry(MN_GLOBAL const int32_t *list, int32_t k) {
    return list[mn_entry_offset(k)];
}

MN_BODY mnAround mn_around(mnSpan span, MN_GLOBAL const int32_t *near_list, MN_GLOBAL const int32_t *far_list) {
    mnAround around;
    around.near = mn_list_at(near_list, span.near);
    around.far = mn_list_at(far_list, span.far);
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
