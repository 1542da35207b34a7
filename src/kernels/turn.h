/* The numbers that change from one pass over the particles to the next. */
#ifndef MN_KERNELS_TURN_H
#define MN_KERNELS_TURN_H

#include "kernels/language.h"

enum { MN_ANDERSON_DEPTH_MAX = 8 };

/* Which of the unknowns are being solved for: all of them in the unified solver, one part after the other in the
 * separated ones of fig. 18. Friction belongs to pressure, which bounds it. */
enum { MN_PART_PRESSURE = 1, MN_PART_TENSION = 2, MN_PART_ALL = 3 };

typedef struct mnTurn {
    mnReal gravity[3];      /* m/s² */
    int32_t parts;          /* MN_PART_… */
    int32_t has_friction;   /* a pair with μ > 0 exists */
    int32_t sees_far;       /* lists reach to 3h and steps find the numbers: there is tension, or a device */
    int32_t is_tension_old; /* F^ST is the last step's and exerts a torque about today's positions: the first iteration
                               must replace it whole, or angular momentum drifts (0.05 % of m·R·√(γ/ρR) in 1,000
                               steps) */
    int32_t leaves_out;     /* what was inside the fluid when all of it was looked at last, and what that would pull */
    mnReal tension_step;    /* α^ST, the same for all particles so that momentum is conserved (eq. 34a) */
    mnReal warmth;          /* share of the last step's p that a step starts from; below 0: it starts from nothing */
    mnReal alpha, beta;     /* of conjugate gradients */

    /* Of kernels/pass_scene.h. Numbers in two parts whose sum they are, since a device may have no double. */
    int32_t solid;
    mnReal frame[15], frame_rest[15];

    /* Of the accelerator: kernels/pass_accelerate.h. */
    int32_t solver;                       /* mnSolverKind */
    int32_t depth;                        /* of Anderson's history */
    int32_t columns, column;              /* of it that are filled, and the newest; −1: none yet */
    int64_t contacts_at;                  /* where friction's entries start in a row of the history */
    int64_t row;                          /* entries of a row */
    mnReal pressure_scale;                /* N/Pa */
    mnReal mixing[MN_ANDERSON_DEPTH_MAX]; /* θ */
} mnTurn;

#ifndef __OPENCL_VERSION__
/* frame[first …] = values, in two parts. */
static inline void mn_turn_frame(mnTurn *turn, int first, const double *values, int count) {
    for (int k = 0; k < count; k++) {
        turn->frame[first + k] = (mnReal)values[k];
        double rest = values[k] - (double)turn->frame[first + k];
        turn->frame_rest[first + k] = isfinite(rest) ? (mnReal)rest : 0; /* a box may be without end */
    }
}
#endif

#endif
