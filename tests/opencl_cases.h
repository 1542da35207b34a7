/* Short simulations of shipped scenes, on the CPU and on a device, and what the tests that run them share. With a fixed
 * step and a fixed number of iterations nothing in them is decided by rounding. */
#ifndef MN_TEST_OPENCL_CASES_H
#define MN_TEST_OPENCL_CASES_H

#include "sim_helpers.h"

#include "opencl_helpers.h"
#include "run/opencl/world_inside.h"

static inline mnStatus try_create(const mnSceneDesc *scene, const char *backend, mnSim **sim) {
    mnOptions options = mn_default_options();
    options.threads = 1;
    options.backend = backend;
    return mn_sim_create(scene, &options, sim, &error);
}

static inline mnSim *create_on(const mnSceneDesc *scene, const char *backend) {
    mnSim *sim = NULL;
    if (try_create(scene, backend, &sim) != MN_OK) fail_msg("%s", error.text);
    return sim;
}

enum { SETS_MAX = 8 };

#define SLOPE                                                                                                          \
    "spacing=0.0003", "solids.slope.shape.size=[0.008,0.008]", "solids.slope.shape.translation=[0,0,0]",               \
        "fluids.water.bodies[0].velocity=[-0.1,0.05,-0.5]"

typedef struct Case {
    const char *name, *scene;
    double step; /* s */
    const char *sets[SETS_MAX];
} Case;

static const Case cases[] = {
    {"a cube in free fall", "free_drop", 5e-4, {"spacing=0.0016"}},
    {"two fluids in 2D", "two_fluids", 4e-4, {"spacing=0.0008"}},
    {"two plates in a bath in 2D", "capillary_rise", 2e-4, {"spacing=0.0005"}},
    {"friction on a slope", "drop_on_slope", 1e-4, {SLOPE}},
    {"by Jacobi", "drop_on_slope", 1e-4, {SLOPE, "solver.kind=jacobi"}},
    {"by NNCG", "drop_on_slope", 1e-4, {SLOPE, "solver.kind=nncg"}},
    {"high viscosity", "drop_on_slope", 1e-4, {SLOPE, "fluids.water.viscosity=1"}},
    {"pressure, then tension", "drop_on_slope", 1e-4, {SLOPE, "solver.coupling=pressure-then-tension"}},
    {"tension, then pressure", "drop_on_slope", 1e-4, {SLOPE, "solver.coupling=tension-then-pressure"}},
    {"pairwise attraction", "drop_on_slope", 1e-4, {SLOPE, "solver.tension_model=pairwise"}},
    {"robust CSF", "drop_on_slope", 1e-4, {SLOPE, "solver.tension_model=robust-csf"}},
    {"the paper's setting", "sessile", 1.2e-4, {"spacing=0.0016", "solver.preset=paper"}},
    /* With eight iterations, far from where they lead to, differences grow tenfold from step to step. */
    {"twice the capillary limit",
     "drop_on_slope",
     4.9e-4,
     {SLOPE, "fluids.water.bodies[0].velocity=[-0.1,0.05,-0.1]", "solver.min_iterations=24",
      "solver.max_iterations=24"}},
    {"a plate that moves",
     "moving_plate",
     1e-4,
     {"spacing=0.0003",
      "solids.plate.motion=[{\"time\":0},{\"time\":0.01,\"translation\":[0.002,0,0.002],\"rotation\":{\"axis\":[0,1,0],"
      "\"angle\":20}}]"}},
    {"rain and a sink",
     "rain_on_window",
     1e-3,
     {"spacing=0.0008", "emitters[0].rate=1500", "emitters[0].speed=0.6",
      "sinks=[{\"lower\":[-1,-1,-1],\"upper\":[1,0.0095,0.014]}]"}},
    {"a jet and a sink",
     "jet_on_sphere",
     5e-4,
     {"spacing=0.0005", "emitters[0].speed=1.5", "sinks=[{\"lower\":[-1,-1,-1],\"upper\":[1,1,0.0185]}]"}},
};
enum { CASES = sizeof cases / sizeof *cases, JET = CASES - 1, SLIDE = 3, PLATE = CASES - 3, LONG = PLATE - 1 };

static inline mnScene *load_case(const Case *c) {
    const char *sets[SETS_MAX + 3] = {"solver.min_iterations=8", "solver.max_iterations=8"};
    char path[64], step[64];
    int count = 3;
    snprintf(path, sizeof path, "scenes/%s.json", c->scene);
    snprintf(step, sizeof step, "time_step.fixed=%g", c->step);
    sets[2] = step;
    for (int k = 0; k < SETS_MAX && c->sets[k]; k++) sets[count++] = c->sets[k];
    mnScene *scene = NULL;
    mnReport report = {0};
    if (mn_scene_load(path, sets, count, &scene, &report) != MN_OK) fail_msg("%s: %s", c->name, report.problems->text);
    mn_report_clear(&report);
    return scene;
}

static inline mnSim *create_case(int index, const char *backend) {
    mnScene *scene = load_case(&cases[index]);
    mnSim *sim = create_on(mn_scene_desc(scene), backend);
    mn_scene_destroy(scene);
    return sim;
}

static inline mnVec *copy_of(const mnVec *array, int64_t count) {
    mnVec *copy = malloc((size_t)(count + 1) * sizeof *copy);
    memcpy(copy, array, (size_t)count * sizeof *copy);
    return copy;
}

#endif
