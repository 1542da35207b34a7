/* The table of per-particle arrays. Allocation, growth and sorting are generated from it; adding a quantity is one
 * line.
 *
 *     FIELD(type, name, kept)    kept = 1: state that lives from step to step, moved when particles are sorted
 *                                kept = 0: computed anew in every step by the stage named behind it
 *
 * Behind the last particle every array has an entry for nobody: see kernels/lanes.h. */
#ifndef MN_KERNELS_FIELDS_H
#define MN_KERNELS_FIELDS_H

#include "kernels/lanes.h"

#define MN_FLUID_FIELDS(FIELD)                                                                                         \
    FIELD(mnVec, position, 1)       /* m; w: rest volume V, m³ */                                                     \
    FIELD(mnVec, velocity, 1)       /* m/s */                                                                          \
    FIELD(mnReal, last_pressure, 1) /* p of the last good step, Pa */                                                  \
    FIELD(mnVec, tension, 1)        /* solver: F^ST, N; with the next and p the iterate z */                           \
    FIELD(mnVec, friction, 1)       /* solver: F^F, N */                                                               \
    FIELD(mnVec, measure, 1)        /* C^FV, C^FF, C^FB of the last step or look */                                    \
    FIELD(int32_t, phase, 1)        /* index into fluids */                                                            \
    FIELD(int64_t, id, 1)           /* stable name of the particle */                                                  \
    FIELD(uint8_t, dead, 0)         /* sinks: 1 where one has taken it */                                              \
    FIELD(mnSpan, span, 0)          /* neighbours: its part of the lists */                                            \
    FIELD(int32_t, contact, 0)      /* neighbours: its number among the contacts below, or −1 */                     \
    FIELD(mnVec, start, 0)          /* explicit, viscosity: velocity before the solver, m/s; w: Δt/m, s/kg */         \
    FIELD(mnReal, fill, 0)          /* diagonals: Σ V W^P at time t */                                                \
    FIELD(mnReal, mu, 0)            /* diagonals: friction coefficient at this particle */                             \
    FIELD(mnReal, pressure_step, 0) /* diagonals: α^P, Pa */                                                          \
    FIELD(mnVec, slope_wide, 0)     /* diagonals: with the next two the sums of slopes.h */                            \
    FIELD(mnVec, slope_near, 0)                                                                                        \
    FIELD(mnVec, slope_pressure, 0)                                                                                    \
    FIELD(mnReal, pressure, 0)      /* solver: p, Pa */                                                                \
    FIELD(mnVec, predicted, 0)      /* solver: v(t+Δt), m/s */                                                        \
    FIELD(mnVec, ahead, 0)          /* solver: x + Δt·v(t+Δt), m; w: V */                                           \
    FIELD(mnVec, numbers, 0)        /* solver: number densities, see measure.h */                                      \
    FIELD(mnVec, weights, 0)        /* solver: weights a, b, c, d, see measure.h */                                    \
    FIELD(uint8_t, calm, 0)         /* solver: 1 where no fluid around has a weight */                                 \
    FIELD(mnVec, push, 0)           /* solver: position; w: V·p */                                                    \
    FIELD(mnVec, site, 0)           /* solver: position; w: weight a */                                                \
    FIELD(mnVec, flow, 0)           /* solver: V·v(t+Δt); w: weight b */                                             \
    FIELD(mnReal, next_pressure, 0) /* solver: p of J(z); for the rest of it see MN_NEXT_TENSION */

/* Contacts: fluid particles with a wall within 2h. That of particle i is entry contact[i]. */
#define MN_CONTACT_FIELDS(FIELD)                                                                                       \
    FIELD(mnVec, normal, 0) /* diagonals: contact normal; w: |G|, 1/m */                                               \
    FIELD(mnVec, slide, 0)  /* diagonals: Σ V_b v_b W^F, m/s; w: Σ V_b W^F */

#define MN_BOUNDARY_FIELDS(FIELD)                                                                                      \
    FIELD(mnVec, position, 1)                                                                                          \
    FIELD(mnVec, velocity, 1)                                                                                          \
    FIELD(mnVec, origin, 1)   /* position at scene time 0 before any motion, m; w: V */                                \
    FIELD(mnVec, own, 1)      /* x, y: what the boundary itself adds to n^ST and n^P */                                \
    FIELD(int32_t, solid, 1)  /* index into solids */                                                                  \
    FIELD(mnSpan, span, 0)    /* neighbours: fluid within 3h, of the active ones alone */                              \
    FIELD(mnVec, ahead, 0)    /* solver: x + Δt·v, m; w: V */                                                        \
    FIELD(mnVec, numbers, 0)  /* solver */                                                                             \
    FIELD(mnVec, weights, 0)  /* solver */                                                                             \
    FIELD(int32_t, active, 0) /* neighbours: indices of boundary particles with fluid within 3h, ascending */

#endif
