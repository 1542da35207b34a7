/* The common tongue of C17 and OpenCL C in which every law is written once.
 *
 * A law's header holds a pair function and a body "…_at(i, …)" that computes everything for particle i from plain
 * values and read-only arrays. The headers pass_….h apply laws to the world (world.h): each of their bodies is a pass
 * over the particles (passes.h), which writes only to index i. Structs with pointers inside, mnAround and mnWorld, are
 * made by whoever calls, so that the same text can be handed to an OpenCL compiler. */
#ifndef MN_KERNELS_LANGUAGE_H
#define MN_KERNELS_LANGUAGE_H

#ifdef __OPENCL_VERSION__
#define MN_GLOBAL __global
#define MN_BODY static inline
typedef float mnReal;
typedef float4 mnVec;
typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;
typedef ushort uint16_t;
typedef long int64_t;
#define mn_sqrt sqrt
#ifdef MN_HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double mnSum;
#else
typedef float mnSum;
#endif
#else
#include <math.h>
#include <stdint.h>

#include "meniscus/meniscus.h"
#define MN_GLOBAL
typedef double mnSum; /* what sums over all particles are kept in */
                      /* Always a part of the loop that calls it, and so compiled for the processor that the loop is (base/clones.h). */
#define MN_BODY static inline __attribute__((always_inline))
#ifdef MN_DOUBLE
#define mn_sqrt sqrt
#else
#define mn_sqrt sqrtf
#endif
#endif

/* Before a loop of constant length that must not be one, since a device has no arrays in registers. */
#ifdef __OPENCL_VERSION__
#define MN_UNROLLED _Pragma("unroll")
#else
#define MN_UNROLLED
#endif

#define MN_REAL(x) ((mnReal)(x))

/* Before a loop whose sums may be taken in lanes: MN_LANES(a, b). The lanes are the same for every run of a binary, so
 * results stay bit-identical. */
#ifndef __OPENCL_VERSION__
#define MN_PRAGMA(...) _Pragma(#__VA_ARGS__)
#define MN_LANES(...) MN_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#endif

MN_BODY mnVec mn_vec(mnReal x, mnReal y, mnReal z, mnReal w) {
    mnVec v;
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    return v;
}

/* An array's entry, read field by field: gcc turns loops over entries that follow each other into vector code only that
 * way. */
MN_BODY mnVec mn_load(MN_GLOBAL const mnVec *array, int32_t i) {
    return mn_vec(array[i].x, array[i].y, array[i].z, array[i].w);
}

/* Vector arithmetic acts on x, y, z; the result's w is 0. */
MN_BODY mnVec mn_sub(mnVec a, mnVec b) {
    return mn_vec(a.x - b.x, a.y - b.y, a.z - b.z, 0);
}

MN_BODY mnVec mn_scale(mnReal s, mnVec a) {
    return mn_vec(s * a.x, s * a.y, s * a.z, 0);
}

MN_BODY mnVec mn_axpy(mnReal s, mnVec a, mnVec b) {
    return mn_vec(s * a.x + b.x, s * a.y + b.y, s * a.z + b.z, 0);
}

MN_BODY mnReal mn_dot(mnVec a, mnVec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

MN_BODY mnReal mn_max(mnReal a, mnReal b) {
    return a > b ? a : b;
}

MN_BODY mnReal mn_min(mnReal a, mnReal b) {
    return a < b ? a : b;
}

#endif
