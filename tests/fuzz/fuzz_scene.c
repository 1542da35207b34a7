/* Scene files. What check accepts must also be fit to run: it is estimated, and if it is small, stepped once. */
#include <math.h>

#include "fuzz.h"
#include "meniscus/meniscus.h"

enum { MOST_PARTICLES = 200, MOST_ITERATIONS = 5, MOST_MEMORY = 64 << 20 };

static void step_once(const mnSceneDesc *desc) {
    mnSceneDesc scene = *desc;
    if (scene.solver.min_iterations > MOST_ITERATIONS) scene.solver.min_iterations = MOST_ITERATIONS;
    if (scene.solver.max_iterations > MOST_ITERATIONS) scene.solver.max_iterations = MOST_ITERATIONS;
    mnOptions options = mn_default_options();
    options.threads = 1;
    options.memory_limit = MOST_MEMORY;
    mnSim *sim = NULL;
    mnError error = {0};
    mnStatus status = mn_sim_create(&scene, &options, &sim, &error);
    REQUIRE((status == MN_OK) == (sim != NULL) && (status == MN_OK) == (error.text[0] == '\0'));
    if (!sim) return;
    mnStepReport report;
    status = mn_sim_step(sim, INFINITY, &report, &error);
    REQUIRE((status == MN_OK) == (error.text[0] == '\0'));
    if (status == MN_OK) REQUIRE(report.dt > 0 && isfinite(report.max_velocity));
    mn_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mnScene *scene = NULL;
    mnReport report = {0};
    mnStatus status = mn_scene_parse((const char *)data, size, "input", NULL, NULL, 0, &scene, &report);
    REQUIRE((status == MN_OK) == (scene != NULL) && (status == MN_OK) == (report.errors == 0));
    mn_report_clear(&report);
    if (scene) {
        int64_t particles = 0;
        size_t bytes = 0;
        mnError error = {0};
        status = mn_sim_estimate(mn_scene_desc(scene), &particles, &bytes, &error);
        REQUIRE((status == MN_OK) == (error.text[0] == '\0') && particles >= 0);
        if (status == MN_OK && particles <= MOST_PARTICLES) step_once(mn_scene_desc(scene));
    }
    mn_scene_destroy(scene);
    return 0;
}
