/* Everything a pass over the particles reads and writes: the constants of this step, materials, state, neighbours. */
#ifndef MN_RUN_WORLD_H
#define MN_RUN_WORLD_H

#include "kernels/constants.h"
#include "kernels/turn.h"
#include "space/neighbours.h"
#include "state/particles.h"

typedef struct mnWorld {
    mnConstants constants;
    mnTurn turn;
    const mnFluidConstants *fluids;
    const mnSolidConstants *solids;
    int32_t solid_count;
    const mnPairConstants *pairs;
    mnFluidState fluid;
    mnBoundaryState boundary;
    mnNeighbours neighbours;
    mnVec *history;       /* of the accelerator: kernels/pass_accelerate.h */
    double gravity[3];    /* m/s² */
    double force_slack;   /* by how much the tolerance of forces is wider than in a short step, ≥ 1 */
    double recovery_dt;   /* s; in this time the share `volume_recovery` of a compression is undone */
    double stiffness;     /* α^ST = 1/(1 + stiffness·Δt²), 1/s² */
    bool keeps_stiffness; /* that of an earlier step does for this one */
    bool has_tension;     /* an interface with an energy, or an attraction, exists */
    double *scratch;      /* of mn_parallel_sum */
    int64_t scratch_capacity;
    int threads;
    const struct mnBackend *backend; /* where the particles are: run/backend.h */
    struct mnDeviceWorld *device;    /* that of opencl/; NULL: here */
} mnWorld;

/* Particles of all walls, asleep and awake. */
static inline int64_t mn_wall_count(const mnWorld *world) {
    return world->neighbours.sleepers.count > 0 ? world->neighbours.sleepers.count : world->boundary.count;
}

#endif
