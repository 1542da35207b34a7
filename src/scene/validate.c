#include "scene/validate.h"

#include <math.h>

#include "scene/defaults.h"
#include "scene/motion.h"
#include "solve/accelerate.h"

/* Whether lower ≤ value ≤ upper; false for NaN. */
static bool within(double value, double lower, double upper) {
    return value >= lower && value <= upper;
}

#define REQUIRE(condition, ...)                                                                                        \
    if (!(condition)) return mn_error_set(error, MN_ERROR_INPUT, __VA_ARGS__)

static mnStatus validate_fluid(const mnSceneDesc *scene, int f, mnError *error) {
    const mnFluid *fluid = &scene->fluids[f];
    REQUIRE(fluid->density > 0 && isfinite(fluid->density), "fluid %d: density must be positive and finite, it is %g",
            f, fluid->density);
    REQUIRE(within(fluid->viscosity, 0, HUGE_VAL) && isfinite(fluid->viscosity),
            "fluid %d: viscosity must be finite and not negative, it is %g", f, fluid->viscosity);
    REQUIRE(within(fluid->tension_vapor, 0, 1e6) && within(fluid->tension_fluid, 0, 1e6) &&
                within(fluid->tension_solid, 0, 1e6),
            "fluid %d: tensions must be finite and not negative", f);
    REQUIRE(fluid->body_count == 0 || fluid->bodies, "fluid %d: bodies are missing", f);
    return MN_OK;
}

static mnStatus validate_solid(const mnSceneDesc *scene, int s, mnError *error) {
    const mnSolid *solid = &scene->solids[s];
    REQUIRE(within(solid->tension_vapor, 0, 1e6) && within(solid->tension_fluid, 0, 1e6),
            "solid %d: tensions must be finite and not negative", s);
    REQUIRE(within(solid->friction, 0, 1e6), "solid %d: friction must be finite and not negative", s);
    for (int f = 0; solid->friction_of && f < scene->fluid_count; f++)
        REQUIRE(within(solid->friction_of[f], 0, 1e6), "solid %d: friction must be finite and not negative", s);
    for (int f = 0; solid->contact_angle && f < scene->fluid_count; f++)
        REQUIRE(isnan(solid->contact_angle[f]) || within(solid->contact_angle[f], 0, 3.15),
                "solid %d: the contact angle must lie between 0 and pi, it is %g", s, solid->contact_angle[f]);
    REQUIRE(mn_motion_is_valid(solid->motion, solid->motion_count),
            "solid %d: motion keys need finite, rising times and rotations of unit length", s);
    return MN_OK;
}

static mnStatus validate_solver(const mnSolverDesc *solver, mnError *error) {
    REQUIRE(solver->volume_tolerance > 0 && solver->force_tolerance > 0, "solver tolerances must be positive");
    REQUIRE(within(solver->volume_recovery, 1e-6, 1), "the volume recovery must lie between 0 and 1");
    REQUIRE(solver->min_iterations >= 1 && solver->max_iterations >= solver->min_iterations,
            "solver iterations: need 1 <= least (%d) <= most (%d)", solver->min_iterations, solver->max_iterations);
    REQUIRE(within(solver->relaxation_pressure, 1e-6, 2) && within(solver->relaxation_tension, 1e-6, 2),
            "solver relaxation must lie between 0 and 2");
    REQUIRE(within(solver->warm_start_pressure, 0, 1), "the warm start's pressure factor must lie between 0 and 1");
    REQUIRE(solver->anderson_depth >= 1 && solver->anderson_depth <= MN_ANDERSON_DEPTH_MAX,
            "the Anderson depth must lie between 1 and %d, it is %d", MN_ANDERSON_DEPTH_MAX, solver->anderson_depth);
    return MN_OK;
}

static mnStatus validate_time(const mnTimeDesc *time, mnError *error) {
    if (!time->adaptive) {
        REQUIRE(time->step > 0 && isfinite(time->step), "the time step must be positive, it is %g s", time->step);
        return MN_OK;
    }
    REQUIRE(time->min_step > 0 && time->max_step >= time->min_step, "time steps: need 0 < least (%g s) <= most (%g s)",
            time->min_step, time->max_step);
    REQUIRE(time->cfl_velocity > 0 && time->cfl_acceleration > 0 && time->capillary_ratio > 0,
            "the factors of the adaptive time step must be positive");
    return MN_OK;
}

mnStatus mn_scene_validate(const mnSceneDesc *scene, mnError *error) {
    REQUIRE(scene->cookie == MN_SCENE_COOKIE, "the description was not started from mn_default_scene");
    REQUIRE(scene->dimension == 2 || scene->dimension == 3, "the dimension must be 2 or 3, it is %d", scene->dimension);
    REQUIRE(scene->spacing > 0 && isfinite(scene->spacing), "the spacing must be positive, it is %g m", scene->spacing);
    REQUIRE(isfinite(scene->gravity[0]) && isfinite(scene->gravity[1]) && isfinite(scene->gravity[2]),
            "gravity must be finite");
    REQUIRE(scene->fluid_count >= 1 && scene->fluids, "a scene needs at least one fluid");
    REQUIRE(scene->solid_count == 0 || scene->solids, "solids are missing");
    mnStatus status = validate_time(&scene->time, error);
    if (status == MN_OK) status = validate_solver(&scene->solver, error);
    for (int f = 0; status == MN_OK && f < scene->fluid_count; f++) status = validate_fluid(scene, f, error);
    for (int s = 0; status == MN_OK && s < scene->solid_count; s++) status = validate_solid(scene, s, error);
    return status;
}
