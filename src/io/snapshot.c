#include <math.h>

#include "io/frames.h"

static const double pi = 3.14159265358979323846;

/* A device that has failed gives zeros for sums, which a file would show as something that was found. */
static mnTotals totals_of(const mnSim *sim) {
    mnTotals totals = mn_sim_totals(sim);
    if (mn_sim_look(sim, NULL) == MN_OK) return totals;
    return (mnTotals){.mass = NAN,
                      .momentum = {NAN, NAN, NAN},
                      .angular_momentum = {NAN, NAN, NAN},
                      .centre = {NAN, NAN, NAN},
                      .kinetic_energy = NAN,
                      .surface_energy = NAN,
                      .potential_energy = NAN,
                      .mean_pressure = NAN,
                      .normal_force = NAN,
                      .max_compression = NAN};
}

mnSnapshot mn_snapshot_take(const mnSim *sim) {
    return (mnSnapshot){.scene = mn_sim_scene(sim),
                        .time = mn_sim_time(sim),
                        .particles = mn_sim_particles(sim),
                        .totals = totals_of(sim),
                        .sampling = mn_sim_sampling(sim),
                        .held_back = mn_sim_held_back(sim),
                        .memory = mn_sim_memory(sim),
                        .threads = mn_sim_threads(sim)};
}

double mn_snapshot_radius(const mnSnapshot *snapshot, int64_t i) {
    double volume = (double)snapshot->particles.position[i].w;
    bool flat = snapshot->scene && snapshot->scene->dimension == 2;
    return flat ? sqrt(volume / pi) : cbrt(3 * volume / (4 * pi));
}

double mn_volume_of_radius(double radius, int dimension) {
    return dimension == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius;
}
