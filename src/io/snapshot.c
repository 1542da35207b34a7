#include "io/frames.h"

mnSnapshot mn_snapshot_take(const mnSim *sim) {
    return (mnSnapshot){.scene = mn_sim_scene(sim),
                        .time = mn_sim_time(sim),
                        .particles = mn_sim_particles(sim),
                        .boundary = mn_sim_boundary(sim),
                        .totals = mn_sim_totals(sim),
                        .sampling = mn_sim_sampling(sim),
                        .held_back = mn_sim_held_back(sim),
                        .memory = mn_sim_memory(sim),
                        .threads = mn_sim_threads(sim)};
}
