/* The numbers that are the same for all particles during a step. */
#ifndef MN_KERNELS_CONSTANTS_H
#define MN_KERNELS_CONSTANTS_H

#include "kernels/spline.h"

typedef struct mnConstants {
    mnReal dt;           /* Δt, s */
    mnReal spacing;      /* h, m */
    int32_t dimension;   /* d: 2 or 3 */
    int32_t fluid_count; /* phases */
    int32_t model;       /* mnTensionModel, see models.h */
    int32_t normalised;  /* 1: C = c − n^ST/√n^P; 0: C = c − n^ST, the paper's eq. 8 */
    mnReal inside;       /* c: what is above it is inside, see measure.h */
    mnReal wall;         /* β: weight of boundary volumes in the fill, see pressure.h */
    mnReal per_volume;   /* 1/h³ (1/h² in 2D) */
    mnSpline near;       /* W^P and W^F: support 2h */
    mnSpline wide;       /* W^ST: support 3h */
    mnReal smoothing;    /* ε of eq. 9 */
    mnReal area_fv, area_ff, area_fb, area_bv, area_bf; /* rest areas A⁰ of eq. 10, m² (m in 2D) */
    mnReal relaxation_pressure, relaxation_tension;     /* ω of eq. 18 */
    mnReal recovery;                                    /* see pressure.h, 0 … 1 */
    mnReal lateness;                                    /* θ of repulsion.h */
} mnConstants;

/* Per fluid. */
typedef struct mnFluidConstants {
    mnReal density;                      /* kg/m³ */
    mnReal viscosity;                    /* Pa·s */
    mnReal gamma_fv, gamma_ff, gamma_fb; /* N/m */
    mnReal attraction;                   /* κ of pairwise.h, Pa, or of robust_csf.h, N */
} mnFluidConstants;

/* Per solid. */
typedef struct mnSolidConstants {
    mnReal gamma_bv; /* N/m */
    mnReal gamma_bf; /* N/m; the largest of all fluids, see mnPairConstants */
    mnReal drag;     /* 1: walls take part in viscosity; 0: slip */
} mnSolidConstants;

/* Per pair, index solid·fluid_count + fluid. */
typedef struct mnPairConstants {
    mnReal friction;   /* μ */
    mnReal wet_weight; /* ω_bf: γ^BF of this pair over the solid's largest, 0 … 1; in pairwise.h −κ cos θ, Pa */
    mnReal adhesion;   /* (1 + cos θ)/2, for robust_csf.h */
} mnPairConstants;

#endif
