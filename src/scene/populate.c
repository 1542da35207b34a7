/* Sampling happens once, before the first step; geometry lives only while it is needed. */
#include "scene/populate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geometry/sample.h"
#include "scene/validate.h"
#include "sim.h"

/* Fluid nearer to a solid's surface than this share of h is taken to overlap it: a lattice that touches a wall has its
 * first layer h/2 away, and rounding must not cost that layer. */
static const double CLEARANCE = 0.4;

typedef struct mnShapes {
    mnGeometry **all; /* solids first, then all bodies of all fluids */
    int count;
} mnShapes;

static void release_shapes(mnShapes *shapes) {
    for (int i = 0; i < shapes->count; i++) mn_geometry_destroy(shapes->all[i]);
    free(shapes->all);
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
    *shapes = (mnShapes){.all = calloc((size_t)most + 1, sizeof(mnGeometry *))};
    if (!shapes->all) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory");
    mnStatus status = MN_OK;
    for (int s = 0; status == MN_OK && s < scene->solid_count; s++) {
        status = mn_geometry_create(&scene->solids[s].shape, scene->folder, scene->dimension, scene->spacing,
                                    &shapes->all[shapes->count], error);
        if (status != MN_OK) return blame(error, status, "solid", scene->solids[s].name, -1);
        shapes->count++;
    }
    for (int f = 0; status == MN_OK && f < scene->fluid_count; f++)
        for (int b = 0; status == MN_OK && b < scene->fluids[f].body_count; b++) {
            status = mn_geometry_create(&scene->fluids[f].bodies[b].shape, scene->folder, scene->dimension,
                                        scene->spacing, &shapes->all[shapes->count], error);
            if (status != MN_OK) return blame(error, status, "fluid", scene->fluids[f].name, b);
            shapes->count++;
        }
    return status;
}

static mnStatus add_solids(mnSim *sim, const mnShapes *shapes, mnError *error) {
    const mnSceneDesc *scene = sim->scene;
    for (int s = 0; s < scene->solid_count; s++) {
        mnPoints points;
        mn_points_init(&points);
        mnStatus status = mn_sample_solid(shapes->all[s], scene->dimension, scene->spacing, &points, error);
        bool ok = status == MN_OK &&
                  mn_boundary_reserve(&sim->world.boundary, &sim->memory, sim->world.boundary.count + points.count);
        for (int64_t i = 0; ok && i < points.count; i++)
            ok = mn_sim_add_boundary(sim, points.position[i], points.volume[i], s);
        mn_points_clear(&points);
        if (status != MN_OK) return blame(error, status, "solid", scene->solids[s].name, -1);
        if (!ok) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory while sampling solids");
    }
    return MN_OK;
}

/* Whether a fluid point lies in a solid or in a body that was sampled before. */
static bool is_taken(const mnSceneDesc *scene, const mnShapes *shapes, int own, const double point[3]) {
    for (int k = 0; k < own; k++)
        if (k < scene->solid_count ? mn_geometry_in_material(shapes->all[k], point, CLEARANCE * scene->spacing)
                                   : mn_geometry_distance(shapes->all[k], point) < 0)
            return true;
    return false;
}

static bool add_body(mnSim *sim, const mnShapes *shapes, int own, const mnBody *body, int fluid,
                     const mnPoints *points) {
    const double *w = body->angular_velocity, *c = body->shape.translation;
    if (!mn_fluid_reserve(&sim->world.fluid, &sim->memory, sim->world.fluid.count + points->count)) return false;
    for (int64_t i = 0; i < points->count; i++) {
        const double *x = points->position[i];
        if (is_taken(sim->scene, shapes, own, x)) {
            sim->sampling.overlap_removed++;
            continue;
        }
        double r[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]}, velocity[3];
        for (int a = 0; a < 3; a++) {
            int p = (a + 1) % 3, q = (a + 2) % 3;
            velocity[a] = body->velocity[a] + w[p] * r[q] - w[q] * r[p];
        }
        if (!mn_sim_add_fluid(sim, x, velocity, fluid)) return false;
    }
    return true;
}

static mnStatus add_fluids(mnSim *sim, const mnShapes *shapes, mnError *error) {
    const mnSceneDesc *scene = sim->scene;
    int own = scene->solid_count;
    for (int f = 0; f < scene->fluid_count; f++)
        for (int b = 0; b < scene->fluids[f].body_count; b++, own++) {
            mnPoints points;
            mn_points_init(&points);
            mnStatus status = mn_sample_fluid(shapes->all[own], scene->dimension, scene->spacing, &points, error);
            bool ok = status == MN_OK && add_body(sim, shapes, own, &scene->fluids[f].bodies[b], f, &points);
            mn_points_clear(&points);
            if (status != MN_OK) return blame(error, status, "fluid", scene->fluids[f].name, b);
            if (!ok) return mn_error_set(error, MN_ERROR_MEMORY, "out of memory while sampling fluids");
        }
    return MN_OK;
}

/* Counts and bytes of what the shapes will become. */
static mnStatus estimate(const mnSceneDesc *scene, const mnShapes *shapes, int64_t *particles, size_t *bytes,
                         mnError *error) {
    enum { TYPICAL_NEIGHBOURS = 160, MOST_PARTICLES = INT32_MAX / 2 };
    bool has_friction = false, has_viscosity = false;
    for (int s = 0; s < scene->solid_count; s++)
        has_friction = has_friction || scene->solids[s].friction > 0 || scene->solids[s].friction_of;
    for (int f = 0; f < scene->fluid_count; f++) has_viscosity = has_viscosity || scene->fluids[f].viscosity > 0;
    double fluid = 0, boundary = 0;
    for (int k = 0; k < shapes->count; k++)
        if (k < scene->solid_count)
            boundary += (double)mn_sample_estimate_solid(shapes->all[k], scene->dimension, scene->spacing);
        else
            fluid += (double)mn_sample_estimate_fluid(shapes->all[k], scene->dimension, scene->spacing);
    /* Sorting keys and cells: 40 bytes; half as much again for room to grow. */
    double per_fluid = (double)(mn_fluid_bytes() + mn_unified_bytes(&scene->solver, has_friction, has_viscosity)) +
                       1.5 * TYPICAL_NEIGHBOURS * sizeof(int32_t) + 40;
    double needed = fluid * per_fluid + boundary * (double)(mn_boundary_bytes() + 60);
    double limit = scene->max_particles > 0 ? (double)scene->max_particles : (double)MOST_PARTICLES;
    *particles = (int64_t)fmin(fluid + boundary, 9e18);
    *bytes = needed < 1e18 ? (size_t)needed : SIZE_MAX;
    if (fluid + boundary > 1.2 * limit)
        return mn_error_set(
            error, MN_ERROR_INPUT,
            "the scene would have about %.3g fluid and %.3g boundary particles (%.3g GB), more than the "
            "%s of %.3g; use a larger spacing (it is %g m) or smaller shapes",
            fluid, boundary, 1e-9 * needed, scene->max_particles > 0 ? "max_particles" : "largest number", limit,
            scene->spacing);
    return MN_OK;
}

mnStatus mn_sim_estimate(const mnSceneDesc *scene, int64_t *particles, size_t *bytes, mnError *error) {
    mnStatus status = mn_scene_validate(scene, error);
    if (status != MN_OK) return status;
    mnShapes shapes;
    status = make_shapes(scene, &shapes, error);
    if (status == MN_OK) status = estimate(scene, &shapes, particles, bytes, error);
    release_shapes(&shapes);
    return status;
}

mnStatus mn_populate(mnSim *sim, mnError *error) {
    mnShapes shapes;
    int64_t particles;
    size_t bytes;
    mnStatus status = make_shapes(sim->scene, &shapes, error);
    if (status == MN_OK) status = estimate(sim->scene, &shapes, &particles, &bytes, error);
    if (status == MN_OK && bytes > sim->memory.limit)
        status = mn_error_set(
            error, MN_ERROR_MEMORY,
            "the scene would have about %.3g particles and need %.3g GB, but only %.3g GB may be used; "
            "use a larger spacing (it is %g m) or smaller shapes",
            (double)particles, 1e-9 * (double)bytes, 1e-9 * (double)sim->memory.limit, sim->scene->spacing);
    if (status == MN_OK) status = add_solids(sim, &shapes, error);
    if (status == MN_OK) status = add_fluids(sim, &shapes, error);
    release_shapes(&shapes);
    return status;
}
