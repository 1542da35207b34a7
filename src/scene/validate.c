#include "scene/validate.h"

#include <math.h>

#include "geometry/geometry.h"
#include "scene/defaults.h"
#include "scene/motion.h"
#include "solve/accelerate.h"

/* Whether lower ≤ value ≤ upper; false for NaN. */
static bool within(double value, double lower, double upper) {
    return value >= lower && value <= upper;
}

#define REQUIRE(condition, ...)                                                                                        \
    if (!(condition)) return mn_error_set(error, MN_ERROR_INPUT, __VA_ARGS__)

static bool is_finite_vector(const double v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* A motion along x and y with a turn about z. */
static bool stays_in_plane(const double linear[3], const double turn[3]) {
    return linear[2] == 0 && turn[0] == 0 && turn[1] == 0;
}

/* Whether an array of `count` entries can be there. */
static bool is_array(const void *array, int count) {
    return count == 0 || (count > 0 && array);
}

/* `depth` unions lie around the shape; geometry refuses more than these, and a union may even contain itself. */
static mnStatus validate_shape(const mnShape *shape, int depth, mnError *error) {
    REQUIRE(within(shape->kind, MN_SHAPE_SPHERE, MN_SHAPE_UNION), "a shape is of no known kind (%d)", (int)shape->kind);
    if (shape->kind != MN_SHAPE_UNION) return MN_OK;
    REQUIRE(depth < MN_UNION_DEPTH_MAX, "unions lie in each other more than %d deep", MN_UNION_DEPTH_MAX);
    REQUIRE(is_array(shape->children, shape->child_count), "the children of a union are missing");
    mnStatus status = MN_OK;
    for (int i = 0; status == MN_OK && i < shape->child_count; i++)
        status = validate_shape(&shape->children[i], depth + 1, error);
    return status;
}

static mnStatus validate_fluid(const mnSceneDesc *scene, int f, mnError *error) {
    const mnFluid *fluid = &scene->fluids[f];
    REQUIRE(within(fluid->density, 1e-6, 1e6), "fluid %d: density must lie between 1e-6 and 1e6 kg/m3, it is %g", f,
            fluid->density);
    REQUIRE(within(fluid->viscosity, 0, 1e9), "fluid %d: viscosity must lie between 0 and 1e9 Pa s, it is %g", f,
            fluid->viscosity);
    REQUIRE(within(fluid->tension_vapor, 0, 1e6) && within(fluid->tension_fluid, 0, 1e6) &&
                within(fluid->tension_solid, 0, 1e6),
            "fluid %d: tensions must be finite and not negative", f);
    REQUIRE((isnan(fluid->cohesion) || within(fluid->cohesion, 0, 1e12)) &&
                (isnan(fluid->squared_gradient) || within(fluid->squared_gradient, 0, 1e12)),
            "fluid %d: cohesion and squared gradient must be finite and not negative, or NaN to follow the tension", f);
    REQUIRE(is_array(fluid->bodies, fluid->body_count), "fluid %d: bodies are missing", f);
    for (int b = 0; b < fluid->body_count; b++) {
        REQUIRE(is_finite_vector(fluid->bodies[b].velocity) && is_finite_vector(fluid->bodies[b].angular_velocity),
                "fluid %d: the velocity of body %d must be finite", f, b);
        REQUIRE(scene->dimension == 3 || stays_in_plane(fluid->bodies[b].velocity, fluid->bodies[b].angular_velocity),
                "fluid %d: body %d leaves the plane of a 2D scene: it may move along x and y and turn about z", f, b);
        mnStatus status = validate_shape(&fluid->bodies[b].shape, 0, error);
        if (status != MN_OK) return status;
    }
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
    REQUIRE(is_array(solid->motion, solid->motion_count), "solid %d: motion keys are missing", s);
    REQUIRE(mn_motion_is_valid(solid->motion, solid->motion_count),
            "solid %d: motion keys need finite, rising times and rotations of unit length", s);
    for (int k = 0; scene->dimension == 2 && k < solid->motion_count; k++)
        REQUIRE(stays_in_plane(solid->motion[k].translation, solid->motion[k].rotation),
                "solid %d: motion key %d leaves the plane of a 2D scene: it may move along x and y and turn about z", s,
                k);
    return validate_shape(&solid->shape, 0, error);
}

static mnStatus validate_solver(const mnSolverDesc *solver, mnError *error) {
    REQUIRE(within(solver->kind, MN_SOLVER_JACOBI, MN_SOLVER_ANDERSON) &&
                within(solver->coupling, MN_COUPLING_UNIFIED, MN_COUPLING_TENSION_THEN_PRESSURE) &&
                within(solver->tension_model, MN_TENSION_ENERGY, MN_TENSION_ROBUST_CSF) &&
                within(solver->measure, MN_MEASURE_NORMALISED, MN_MEASURE_NUMBER_DENSITY),
            "the solver's kind, coupling, tension model or measure is none of those there are");
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
    REQUIRE(within(scene->spacing, 1e-8, 1e3), "the spacing must lie between 1e-8 and 1e3 m, it is %g m",
            scene->spacing);
    for (int a = 0; a < 3; a++)
        REQUIRE(within(scene->gravity[a], -1e6, 1e6), "gravity must lie between -1e6 and 1e6 m/s2, it is %g",
                scene->gravity[a]);
    REQUIRE(scene->dimension == 3 || scene->gravity[2] == 0,
            "a 2D scene lies in the plane of x and y: gravity must have no z, it is %g m/s2", scene->gravity[2]);
    REQUIRE(scene->max_particles >= 0, "the largest number of particles must not be negative");
    REQUIRE(scene->fluid_count >= 1 && scene->fluids, "a scene needs at least one fluid");
    REQUIRE(is_array(scene->solids, scene->solid_count), "solids are missing");
    REQUIRE(is_array(scene->emitters, scene->emitter_count) && is_array(scene->sinks, scene->sink_count) &&
                is_array(scene->schedules, scene->schedule_count),
            "emitters, sinks or schedules are missing");
    for (int e = 0; e < scene->emitter_count; e++)
        REQUIRE(is_array(scene->emitters[e].drops, scene->emitters[e].drop_count), "emitter %d: drops are missing", e);
    for (int k = 0; k < scene->schedule_count; k++)
        REQUIRE(is_array(scene->schedules[k].keys, scene->schedules[k].key_count), "schedule %d: keys are missing", k);
    mnStatus status = validate_time(&scene->time, error);
    if (status == MN_OK) status = validate_solver(&scene->solver, error);
    for (int f = 0; status == MN_OK && f < scene->fluid_count; f++) status = validate_fluid(scene, f, error);
    for (int s = 0; status == MN_OK && s < scene->solid_count; s++) status = validate_solid(scene, s, error);
    return status;
}
