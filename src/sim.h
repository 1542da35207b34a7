/* The simulation's inside, for the library's own files and for tests that look behind the handle. */
#ifndef MN_SIM_H
#define MN_SIM_H

#include "meniscus/meniscus.h"
#include "methods/unified.h"
#include "scene/emit.h"
#include "scene/schedule.h"
#include "state/materials.h"

/* A copy of what can be seen of walls that sleep, made when somebody looks and gone with the next step. */
typedef struct mnShownWalls {
    mnVec *position, *velocity;
    int32_t *solid;
    bool is_told;
} mnShownWalls;

struct mnSim {
    mnScene *scene_copy;
    mnScene *later_schedules; /* that the scene's description points to since they were set; NULL: they are its own */
    const mnSceneDesc *scene;
    mnMemory memory;
    mnWorld world;
    mnMaterials materials;
    mnSceneNow *now;
    mnEmitters *emitters;
    mnUnified method;
    mnSampling sampling;
    double time; /* s */
    int64_t step;
    int64_t next_id;
    double dt_ceiling;       /* after a retry Δt grows back slowly, s */
    double max_velocity;     /* m/s, after the last step */
    double typical_velocity; /* m/s, root of the mean square */
    double height;           /* m, of the fluid along gravity */
    double max_acceleration; /* m/s² */
    double last_move;        /* m, the farthest that a particle or wall went in the last step */
    int last_iterations;
    mnShownWalls *shown;
    bool solids_move;
    bool has_failed; /* the last try of a step: what it has left of the unknowns is no start for the next */
    mnStatus ended;  /* not MN_OK: why no step can be made any more */
};

/* Δt over the capillary limit √(ρh³/(2πγ)); 0 without tension. */
static inline double mn_capillary_ratio(const mnSim *sim, double dt) {
    return isfinite(sim->materials.capillary_step) ? dt / sim->materials.capillary_step : 0;
}

/* The same as tension feels it: with the paper's rest areas γ acts with a share of 0.13. */
static inline double mn_felt_ratio(const mnSim *sim, double dt) {
    return mn_capillary_ratio(sim, dt) * (sim->scene->solver.paper_rest_areas ? sqrt(0.13) : 1);
}

/* Fluid at rest volume h^d; false: no memory. */
bool mn_sim_add_fluid(mnSim *sim, const double position[3], const double velocity[3], int32_t phase);
/* A particle of a wall, which is awake all the time, or sleeps where no solid moves; false: no memory. */
bool mn_sim_add_boundary(mnSim *sim, const double position[3], double volume, int32_t solid);
bool mn_sim_add_sleeper(mnSim *sim, const double position[3], double volume, int32_t solid);
/* Walls that were shown are not any more. */
void mn_sim_hide_walls(mnSim *sim);

/* A simulation without particles. */
mnStatus mn_sim_create_empty(const mnSceneDesc *scene, const mnOptions *options, mnSim **sim, mnError *error);
/* To be called when all initial particles are there. */
mnStatus mn_sim_finish(mnSim *sim, mnError *error);
/* Makes materials and gravity those of the simulation's time. */
void mn_sim_refresh(mnSim *sim);
/* Lists that end too soon are made again, of the same particles in the same order: tension that begins in the middle of
 * a run must not change how the run would go on without it. */
mnStatus mn_sim_reach_out(mnSim *sim, mnError *error);
/* Takes the particles to where they will be from now on, the backend of `options`. */
mnStatus mn_sim_move(mnSim *sim, const mnOptions *options, mnError *error);

#endif
