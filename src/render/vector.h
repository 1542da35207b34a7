/* Three floats at a time: what light needs of vector algebra. Shapes have their own in double (geometry/vector.h). */
#ifndef MN_RENDER_VECTOR_H
#define MN_RENDER_VECTOR_H

#include <math.h>

typedef struct mnV3 {
    float x, y, z;
} mnV3;

static inline mnV3 v3(float x, float y, float z) {
    return (mnV3){x, y, z};
}

static inline mnV3 v3_from(const double a[3]) {
    return (mnV3){(float)a[0], (float)a[1], (float)a[2]};
}

static inline mnV3 v3_add(mnV3 a, mnV3 b) {
    return (mnV3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline mnV3 v3_sub(mnV3 a, mnV3 b) {
    return (mnV3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline mnV3 v3_scale(float s, mnV3 a) {
    return (mnV3){s * a.x, s * a.y, s * a.z};
}

/* a + s·b */
static inline mnV3 v3_along(mnV3 a, float s, mnV3 b) {
    return (mnV3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* Component by component, for colours. */
static inline mnV3 v3_times(mnV3 a, mnV3 b) {
    return (mnV3){a.x * b.x, a.y * b.y, a.z * b.z};
}

/* a for t = 0, b for t = 1. */
static inline mnV3 v3_mix(mnV3 a, mnV3 b, float t) {
    return v3_along(v3_scale(1 - t, a), t, b);
}

static inline float v3_dot(mnV3 a, mnV3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mnV3 v3_cross(mnV3 a, mnV3 b) {
    return (mnV3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float v3_length(mnV3 a) {
    return sqrtf(v3_dot(a, a));
}

/* A zero vector stays zero. */
static inline mnV3 v3_unit(mnV3 a) {
    float length = v3_length(a);
    return length > 0 ? v3_scale(1 / length, a) : a;
}

static inline float v3_max(mnV3 a) {
    return fmaxf(a.x, fmaxf(a.y, a.z));
}

/* How bright a linear colour looks. */
static inline float v3_luminance(mnV3 a) {
    return 0.2126F * a.x + 0.7152F * a.y + 0.0722F * a.z;
}

/* Two unit vectors across the unit vector n [Duff et al. 2017]. */
static inline void v3_frame(mnV3 n, mnV3 *a, mnV3 *b) {
    float sign = copysignf(1, n.z), u = -1 / (sign + n.z), v = n.x * n.y * u;
    *a = (mnV3){1 + sign * n.x * n.x * u, sign * v, -sign * n.x};
    *b = (mnV3){v, sign + n.y * n.y * u, -n.y};
}

#endif
