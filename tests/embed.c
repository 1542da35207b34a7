/* A drop of water, half a millimetre in radius and free of gravity: ten steps, then its mean pressure. */
#include <math.h>
#include <meniscus/meniscus.h>
#include <stdio.h>

int main(void) {
    mnBody drop = {.shape = mn_default_shape(MN_SHAPE_SPHERE)};
    drop.shape.radius = 0.5e-3;
    mnFluid water = mn_default_fluid();
    water.bodies = &drop;
    water.body_count = 1;
    mnSceneDesc scene = mn_default_scene();
    scene.spacing = 0.08e-3;
    scene.gravity[2] = 0;
    scene.fluids = &water;
    scene.fluid_count = 1;

    mnOptions options = mn_default_options();
    mnSim *sim = NULL;
    mnStepReport report;
    mnError error;
    mnStatus status = mn_sim_create(&scene, &options, &sim, &error);
    for (int step = 0; step < 10 && status == MN_OK; step++) status = mn_sim_step(sim, INFINITY, &report, &error);
    if (status == MN_OK)
        printf("%.3e s: mean pressure %.0f Pa\n", mn_sim_time(sim), mn_sim_totals(sim).mean_pressure);
    else
        fprintf(stderr, "%s\n", error.text);
    mn_sim_destroy(sim);
    return status != MN_OK;
}
