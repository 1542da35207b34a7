/* Three doubles at a time: the little vector algebra that shapes, meshes and sampling share. */
#ifndef MN_GEOMETRY_VECTOR_H
#define MN_GEOMETRY_VECTOR_H

#include <math.h>
#include <string.h>

static inline double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double length3(const double a[3]) {
    return sqrt(dot3(a, a));
}

static inline void copy3(double to[3], const double from[3]) {
    memcpy(to, from, 3 * sizeof *to);
}

static inline void subtract3(double result[3], const double a[3], const double b[3]) {
    for (int c = 0; c < 3; c++) result[c] = a[c] - b[c];
}

/* result = a + s·b; the result may be a or b. */
static inline void add_scaled3(double result[3], const double a[3], double s, const double b[3]) {
    for (int c = 0; c < 3; c++) result[c] = a[c] + s * b[c];
}

static inline void cross3(double result[3], const double a[3], const double b[3]) {
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double distance_squared3(const double a[3], const double b[3]) {
    double d[3];
    subtract3(d, a, b);
    return dot3(d, d);
}

/* Gives a unit length and returns the old length; a zero vector stays zero. */
static inline double normalise3(double a[3]) {
    double length = length3(a);
    if (length > 0)
        for (int c = 0; c < 3; c++) a[c] /= length;
    return length;
}

/* result = x[0]·u + x[1]·v + x[2]·w, which must not be any of them. */
static inline void combine3(double result[3], const double x[3], const double u[3], const double v[3],
                            const double w[3]) {
    for (int c = 0; c < 3; c++) result[c] = x[0] * u[c] + x[1] * v[c] + x[2] * w[c];
}

#endif
