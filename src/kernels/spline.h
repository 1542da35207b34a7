/* The cubic spline kernel [Monaghan 1992], which the paper uses for every sum (section 5.1).
 *
 * With q = r/ħ and support ħ
 *     W(r) = σ·(2·(1−q)₊³ − 8·(½−q)₊³),   σ = 8/(π·ħ³) in 3D, 40/(7π·ħ²) in 2D,
 * which is the usual two-piece form without its branch. The gradient by x_i is ∇W_ij = g(r)·(x_i − x_j) with
 *     g(r) = W'(r)/r = σ/ħ·(24·(½−q)₊² − 6·(1−q)₊²)/r,
 * and finite at r = 0, where the gradient vanishes; W''(r) = σ/ħ²·(12·(1−q)₊ − 48·(½−q)₊). From q = ½ on only the terms
 * of 1 − q are left. */
#ifndef MN_KERNELS_SPLINE_H
#define MN_KERNELS_SPLINE_H

#include "kernels/lanes.h"

typedef struct mnSpline {
    mnReal inverse_support; /* 1/ħ */
    mnReal sigma;           /* σ = W(0), 1/m³ (1/m² in 2D) */
    mnReal sigma_gradient;  /* σ/ħ */
} mnSpline;

/* How a neighbour lies to a particle: d = x_i − x_j, its length and the inverse of that. */
typedef struct mnPair {
    mnVec d;
    mnReal r, inverse;
} mnPair;

MN_BODY mnPair mn_pair(mnVec x, mnVec other) {
    mnPair pair;
    pair.d = mn_sub(x, other);
    /* At least 1e-15 m, so that there is an inverse; no distance of particles is changed by 1e-30, which stands where
     * it is added along with a product. */
    pair.r = mn_sqrt(pair.d.x * pair.d.x + (pair.d.y * pair.d.y + MN_REAL(1e-30)) + pair.d.z * pair.d.z);
    pair.inverse = 1 / pair.r;
    return pair;
}

MN_BODY mnReal mn_spline_value(mnSpline s, mnReal r) {
    mnReal q = r * s.inverse_support;
    mnReal u = mn_max(1 - q, 0), t = mn_max(MN_REAL(0.5) - q, 0);
    return s.sigma * (2 * u * u * u - 8 * t * t * t);
}

/* g(r) */
MN_BODY mnReal mn_spline_gradient(mnSpline s, mnPair pair) {
    mnReal q = pair.r * s.inverse_support;
    mnReal u = mn_max(1 - q, 0), t = mn_max(MN_REAL(0.5) - q, 0);
    return s.sigma_gradient * (24 * t * t - 6 * u * u) * pair.inverse;
}

/* W''(r) */
MN_BODY mnReal mn_spline_curvature(mnSpline s, mnReal r) {
    mnReal q = r * s.inverse_support;
    mnReal u = mn_max(1 - q, 0), t = mn_max(MN_REAL(0.5) - q, 0);
    return s.sigma_gradient * s.inverse_support * (12 * u - 48 * t);
}

/* The value and the gradient for r ≥ ħ/2. */
MN_BODY mnReal mn_spline_outer_value(mnSpline s, mnReal r) {
    mnReal u = mn_max(1 - r * s.inverse_support, 0);
    return s.sigma * 2 * u * u * u;
}

MN_BODY mnReal mn_spline_outer_gradient(mnSpline s, mnPair pair) {
    mnReal u = mn_max(1 - pair.r * s.inverse_support, 0);
    return s.sigma_gradient * -6 * u * u * pair.inverse;
}

#endif
