/* Sampling happens once, before the first step; geometry lives only while it is needed. */
#include "scene/populate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/sample.h"
#include "scene/motion.h"
#include "sim.h"

/* Fluid nearer to a solid's surface than this share of h is taken to overlap it: a lattice that touches a wall has its
 * first layer h/2 away, and rounding must not cost that layer. */
static const double CLEARANCE = 0.4;

typedef struct mnShapes {
    mnGeometry **all; /* solids first, then all bodies of all fluids */
    int count;
    mnPose *poses; /* of the solids at the start; the geometry knows them where their description puts them */
} mnShapes;

/* How many particles there are, or will be. In doubles: a description may ask for more than an integer holds. */
typedef struct Counts {
    double fluid, boundary;
} Counts;

static void release_shapes(mnShapes *shapes) {
    for (int i = 0; i < shapes->count; i++) mn_geometry_destroy(shapes->all[i]);
    free(shapes->all);
    free(shapes->poses);
}

/* Prefixes an error's text with what it is about. */
static mnStatus blame(mnError *error, mnStatus status, const char *kind, const char *name, int body) {
    if (!error) return status;
    mnError inner = *error;
    char part[32] = "";
    if (body >= 0) snprintf(part, sizeof part, " body %d", body);
    return mn_error_set(error, status, "%s \"%.60s\"%s: %.800s", kind, name ? name : "", part, inner.text);
}

static mnStatus make_shapes(const mnSceneDesc *scene, mnShapes *shapes, mnError *error) {
    int most = scene->solid_count;
    for (int f = 0; f < scene->fluid_count; f++) most += scene->fluids[f].body_count;
    *shapes = (mnShapes){.all = calloc((size_t)most + 1, sizeof(mnGeometry *)),
                         .poses = calloc((size_t)scene->solid_count + 1, sizeof(mnPose))};
    if (!shapes->all || !shapes->poses) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    for (int s = 0; s < scene->solid_count; s++) {
        const mnSolid *solid = &scene->solids[s];
        shapes->poses[s] = mn_motion_pose(solid->motion, solid->motion_count, 0);
        mnStatus status = mn_geometry_create(&solid->shape, scene->folder, scene->dimension, scene->spacing,
                                             &shapes->all[shapes->count], error);
        if (status != MN_OK) return blame(error, status, "solid", solid->name, -1);
        shapes->count++;
    }
    for (int f = 0; f < scene->fluid_count; f++)
        for (int b = 0; b < scene->fluids[f].body_count; b++) {
            mnGeometry **geometry = &shapes->all[shapes->count++];
            mnStatus status = mn_geometry_create(&scene->fluids[f].bodies[b].shape, scene->folder, scene->dimension,
                                                 scene->spacing, geometry, error);
            if (status == MN_OK) status = mn_sample_check_fluid(*geometry, error);
            if (status != MN_OK) return blame(error, status, "fluid", scene->fluids[f].name, b);
        }
    return MN_OK;
}

/* ---- sampling ---------------------------------------------------------------------------------------------------- */

static mnStatus sample_solid(const mnSceneDesc *scene, const mnShapes *shapes, int s, mnPoints *points,
                             mnError *error) {
    mnStatus status = mn_sample_solid(shapes->all[s], scene->dimension, scene->spacing, points, error);
    return status == MN_OK ? MN_OK : blame(error, status, "solid", scene->solids[s].name, -1);
}

static bool is_in_solid(const mnSceneDesc *scene, const mnShapes *shapes, int s, const double point[3]) {
    double described[3];
    mn_pose_undo(&shapes->poses[s], point, described);
    return mn_geometry_in_material(shapes->all[s], described, CLEARANCE * scene->spacing);
}

/* Whether a fluid point lies in a solid or in a body that was sampled before. */
static bool is_taken(const mnSceneDesc *scene, const mnShapes *shapes, int own, const double point[3]) {
    for (int k = 0; k < own; k++)
        if (k < scene->solid_count ? is_in_solid(scene, shapes, k, point)
                                   : mn_geometry_distance(shapes->all[k], point) < 0)
            return true;
    return false;
}

/* The points of body `b` of fluid `f`, whose shape is number `own`, less those that are taken. */
static mnStatus sample_body(const mnSceneDesc *scene, const mnShapes *shapes, int own, int f, int b, mnPoints *points,
                            int64_t *removed, mnError *error) {
    mnStatus status = mn_sample_fluid(shapes->all[own], scene->dimension, scene->spacing, points, error);
    if (status != MN_OK) return blame(error, status, "fluid", scene->fluids[f].name, b);
    int64_t kept = 0;
    for (int64_t i = 0; i < points->count; i++)
        if (!is_taken(scene, shapes, own, points->position[i]))
            memmove(points->position[kept++], points->position[i], sizeof *points->position);
    *removed += points->count - kept;
    points->count = kept;
    return MN_OK;
}

static bool add_solid(mnSim *sim, int s, const mnPoints *points) {
    mnBoundaryState *boundary = &sim->world.boundary;
    bool ok = sim->solids_move ? mn_boundary_reserve(boundary, &sim->memory, boundary->count + points->count)
                               : mn_sleepers_reserve(&sim->world.neighbours.sleepers, &sim->memory, points->count);
    for (int64_t i = 0; ok && i < points->count; i++)
        ok = (sim->solids_move ? mn_sim_add_boundary : mn_sim_add_sleeper)(sim, points->position[i], points->volume[i],
                                                                           s);
    return ok;
}

/* At rest, with the body's number within its fluid as the fourth component of the velocity. */
static bool add_body(mnSim *sim, int fluid, int body, const mnPoints *points) {
    mnFluidState *state = &sim->world.fluid;
    bool ok = mn_fluid_reserve(state, &sim->memory, state->count + points->count);
    for (int64_t i = 0; ok && i < points->count; i++) {
        ok = mn_sim_add_fluid(sim, points->position[i], (double[3]){0}, fluid);
        if (ok) state->velocity[state->count - 1].w = (mnReal)body;
    }
    return ok;
}

void mn_populate_velocities(mnSim *sim) {
    mnFluidState *state = &sim->world.fluid;
    for (int64_t i = 0; i < state->count; i++) {
        const mnBody *body = &sim->scene->fluids[state->phase[i]].bodies[(int)state->velocity[i].w];
        const double *w = body->angular_velocity, *c = body->shape.translation;
        const mnVec *x = &state->position[i];
        double r[3] = {(double)x->x - c[0], (double)x->y - c[1], (double)x->z - c[2]}, velocity[3];
        for (int a = 0; a < 3; a++) {
            int p = (a + 1) % 3, q = (a + 2) % 3;
            velocity[a] = body->velocity[a] + w[p] * r[q] - w[q] * r[p];
        }
        state->velocity[i] = mn_vec((mnReal)velocity[0], (mnReal)velocity[1], (mnReal)velocity[2], 0);
    }
}

static mnStatus place_solids(const mnSceneDesc *scene, const mnShapes *shapes, mnSim *sim, Counts *counts,
                             mnError *error) {
    mnStatus status = MN_OK;
    for (int s = 0; s < scene->solid_count && status == MN_OK; s++) {
        mnPoints points;
        mn_points_init(&points);
        status = sample_solid(scene, shapes, s, &points, error);
        if (status == MN_OK && sim && !add_solid(sim, s, &points))
            status = mn_error_set(error, MN_ERROR_MEMORY, "out of memory while sampling solids");
        counts->boundary += (double)points.count;
        mn_points_clear(&points);
    }
    return status;
}

static mnStatus place_fluids(const mnSceneDesc *scene, const mnShapes *shapes, mnSim *sim, Counts *counts,
                             mnError *error) {
    mnStatus status = MN_OK;
    int own = scene->solid_count;
    for (int f = 0; f < scene->fluid_count; f++)
        for (int b = 0; b < scene->fluids[f].body_count && status == MN_OK; b++, own++) {
            mnPoints points;
            int64_t removed = 0;
            mn_points_init(&points);
            status = sample_body(scene, shapes, own, f, b, &points, &removed, error);
            if (status == MN_OK && sim && !add_body(sim, f, b, &points))
                status = mn_error_set(error, MN_ERROR_MEMORY, "out of memory while sampling fluids");
            if (sim) sim->sampling.overlap_removed += removed;
            counts->fluid += (double)points.count;
            mn_points_clear(&points);
        }
    return status;
}

/* Samples everything. The particles go into `sim`; without one they are only counted. */
static mnStatus place_all(const mnSceneDesc *scene, const mnShapes *shapes, mnSim *sim, Counts *counts,
                          mnError *error) {
    *counts = (Counts){0};
    mnStatus status = place_solids(scene, shapes, sim, counts, error);
    return status == MN_OK ? place_fluids(scene, shapes, sim, counts, error) : status;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* An estimated number of particles may be off by this factor. */
static const double DOUBT = 1.2;

static Counts estimate_counts(const mnSceneDesc *scene, const mnShapes *shapes) {
    Counts counts = {0};
    for (int k = 0; k < shapes->count; k++)
        if (k < scene->solid_count)
            counts.boundary += (double)mn_sample_estimate_solid(shapes->all[k], scene->dimension, scene->spacing);
        else
            counts.fluid += (double)mn_sample_estimate_fluid(shapes->all[k], scene->dimension, scene->spacing);
    return counts;
}

/* A wall's particle that sleeps, and that is sorted before it does. */
enum { SLEEPER_BYTES = 10, SORTED_BYTES = 52 };
/* Particles of walls that are awake, for each of fluid: of a drop of some thousand. Films and small drops have more. */
static const double AWAKE_PER_FLUID = 0.3;

static double bytes_needed(const mnSceneDesc *scene, Counts counts) {
    double typical_neighbours = scene->dimension == 3 ? 150 : 50; /* in the bulk, with skin, padding and room to grow */
    double per_fluid =
        (double)(mn_fluid_bytes() + mn_unified_bytes(&scene->solver)) + typical_neighbours * sizeof(int32_t);
    double per_awake = (double)mn_boundary_bytes() + 40; /* lists of those near fluid */
    if (mn_motion_is_there(scene)) return counts.fluid * per_fluid + counts.boundary * per_awake;
    double awake = fmin(counts.boundary, AWAKE_PER_FLUID * counts.fluid);
    return fmax(counts.fluid * per_fluid + counts.boundary * SLEEPER_BYTES + awake * per_awake,
                counts.fluid * (double)mn_fluid_bytes() + counts.boundary * SORTED_BYTES);
}

static double most_particles(const mnSceneDesc *scene) {
    return scene->max_particles > 0 ? (double)scene->max_particles : INT32_MAX / 2.0;
}

static mnStatus too_many(const mnSceneDesc *scene, Counts counts, mnError *error) {
    return mn_error_set(error, MN_ERROR_INPUT,
                        "the scene would have about %.4g fluid and %.4g boundary particles (%.3g GB), more than the "
                        "%s of %.4g; use a larger spacing (it is %g m) or smaller shapes",
                        counts.fluid, counts.boundary, 1e-9 * bytes_needed(scene, counts),
                        scene->max_particles > 0 ? "max_particles" : "largest number", most_particles(scene),
                        scene->spacing);
}

/* Refuses what cannot be held, beside the meshes that are, as far as that can be told without sampling. */
static mnStatus check_counts(const mnSceneDesc *scene, Counts counts, size_t memory_limit, mnError *error) {
    double bytes = bytes_needed(scene, counts);
    size_t left = mn_memory_left();
    if (memory_limit > left) memory_limit = left;
    if (counts.fluid + counts.boundary > DOUBT * most_particles(scene)) return too_many(scene, counts, error);
    if (bytes > (double)memory_limit)
        return mn_error_set(error, MN_ERROR_MEMORY,
                            "the scene would have about %.3g particles and need %.3g GB, but only %.3g GB may be used; "
                            "use a larger spacing (it is %g m) or smaller shapes",
                            counts.fluid + counts.boundary, 1e-9 * bytes, 1e-9 * (double)memory_limit, scene->spacing);
    return MN_OK;
}

/* Judges by exact numbers. */
static mnStatus check_limit(const mnSceneDesc *scene, Counts counts, mnError *error) {
    bool fits = counts.fluid + counts.boundary <= most_particles(scene);
    return fits ? MN_OK : too_many(scene, counts, error);
}

/* Where an estimate comes too near to the limit to tell, particles are placed and counted. */
static mnStatus count(const mnSceneDesc *scene, const mnShapes *shapes, size_t memory_limit, Counts *counts,
                      mnError *error) {
    *counts = estimate_counts(scene, shapes);
    mnStatus status = check_counts(scene, *counts, memory_limit, error);
    bool is_near = DOUBT * (counts->fluid + counts->boundary) > most_particles(scene);
    if (status != MN_OK || !is_near) return status;
    status = place_all(scene, shapes, NULL, counts, error);
    return status == MN_OK ? check_limit(scene, *counts, error) : status;
}

mnStatus mn_sim_estimate(const mnSceneDesc *scene, int64_t *particles, size_t *bytes, mnError *error) {
    mnOptions options = mn_default_options();
    mnSim *sim;
    mnStatus status = mn_sim_create_empty(scene, &options, &sim, error); /* refuses what mn_sim_create would */
    if (status != MN_OK) return status;
    mnShapes shapes;
    Counts counts = {0};
    status = make_shapes(scene, &shapes, error);
    if (status == MN_OK) {
        status = count(scene, &shapes, sim->memory.limit, &counts, error);
        *particles = (int64_t)fmin(counts.fluid + counts.boundary, 9e18);
        *bytes = (size_t)fmin(bytes_needed(scene, counts), 9e18);
    }
    release_shapes(&shapes);
    mn_sim_destroy(sim);
    return status;
}

mnStatus mn_populate(mnSim *sim, mnError *error) {
    mnShapes shapes;
    Counts counts;
    mnStatus status = make_shapes(sim->scene, &shapes, error);
    if (status == MN_OK)
        status = check_counts(sim->scene, estimate_counts(sim->scene, &shapes), sim->memory.limit, error);
    if (status == MN_OK) status = place_all(sim->scene, &shapes, sim, &counts, error);
    if (status == MN_OK) status = check_limit(sim->scene, counts, error);
    release_shapes(&shapes);
    return status;
}
