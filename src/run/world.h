/* Everything a pass over the particles reads and writes: the constants of this step, materials, state, neighbours. */
#ifndef MN_RUN_WORLD_H
#define MN_RUN_WORLD_H

#include "kernels/constants.h"
#include "space/neighbours.h"
#include "state/particles.h"

/* Which of the unknowns are being solved for: all of them in the unified solver, one part after the other in the
 * separated ones of fig. 18. Friction belongs to pressure, which bounds it. */
typedef enum mnParts { MN_PART_PRESSURE = 1, MN_PART_TENSION = 2, MN_PART_ALL = 3 } mnParts;

typedef struct mnWorld {
    mnConstants constants;
    const mnFluidConstants *fluids;
    const mnSolidConstants *solids;
    const mnPairConstants *pairs;
    mnFluidState fluid;
    mnBoundaryState boundary;
    mnNeighbours neighbours;
    mnParts parts;
    double gravity[3];    /* m/s² */
    double force_slack;   /* by how much the tolerance of forces is wider than in a short step, ≥ 1 */
    double recovery_dt;   /* s; in this time the share `volume_recovery` of a compression is undone */
    mnReal tension_step;  /* α^ST, the same for all particles so that momentum is conserved (eq. 34a) */
    double stiffness;     /* α^ST = 1/(1 + stiffness·Δt²), 1/s² */
    bool keeps_stiffness; /* that of an earlier step does for this one */
    bool is_tension_old;  /* F^ST is the last step's and exerts a torque about today's positions: the first iteration
                             must replace it whole, or angular momentum drifts (0.05 % of m·R·√(γ/ρR) in 1,000 steps) */
    bool has_friction;    /* a pair with μ > 0 exists */
    bool has_tension;     /* an interface with an energy, or an attraction, exists */
    double *scratch;      /* of mn_parallel_sum */
    int64_t scratch_capacity;
    int threads;
} mnWorld;

MN_BODY mnAround mn_around_fluid(const mnWorld *world, int64_t i) {
    return mn_around(world->fluid.span[i], world->neighbours.near_list, world->neighbours.far_list);
}

MN_BODY mnAround mn_around_boundary(const mnWorld *world, int64_t b) {
    return mn_around(world->boundary.span[b], world->neighbours.near_list, world->neighbours.far_list);
}

#endif
