/* Particles that fill bodies of a test's own, and what is measured of them. */
#ifndef MN_TEST_DROP_HELPERS_H
#define MN_TEST_DROP_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analysis/drops.h"
#include "geometry/vector.h"

#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double found_ = (double)(value), wanted_ = (double)(expected), allowed_ = (double)(tolerance);                 \
        if (!(fabs(found_ - wanted_) <= allowed_))                                                                     \
            fail_msg("%s is %.9g, not %.9g within %.3g", #value, found_, wanted_, allowed_);                           \
    } while (0)

static const double h = 0.0005, degree = 3.14159265358979323846 / 180;

typedef struct Cloud {
    mnVec *position, *velocity;
    int32_t *phase;
    int64_t *id;
    int64_t count, capacity;
} Cloud;

/* Lengths in h. */
static inline void put(Cloud *cloud, int dimension, const double place[3], const double velocity[3], int phase) {
    if (cloud->count == cloud->capacity) {
        cloud->capacity = 2 * cloud->capacity + 1024;
        cloud->position = realloc(cloud->position, (size_t)cloud->capacity * sizeof *cloud->position);
        cloud->velocity = realloc(cloud->velocity, (size_t)cloud->capacity * sizeof *cloud->velocity);
        cloud->phase = realloc(cloud->phase, (size_t)cloud->capacity * sizeof *cloud->phase);
        cloud->id = realloc(cloud->id, (size_t)cloud->capacity * sizeof *cloud->id);
    }
    int64_t i = cloud->count++;
    cloud->position[i] = (mnVec){(mnReal)(h * place[0]), (mnReal)(h * place[1]), (mnReal)(h * place[2]),
                                 (mnReal)(dimension == 3 ? h * h * h : h * h)};
    cloud->velocity[i] = (mnVec){(mnReal)velocity[0], (mnReal)velocity[1], (mnReal)velocity[2], 0};
    cloud->phase[i] = phase;
    cloud->id[i] = i;
}

static inline mnParticles particles_of(const Cloud *cloud) {
    return (mnParticles){.count = cloud->count,
                         .position = cloud->position,
                         .velocity = cloud->velocity,
                         .phase = cloud->phase,
                         .id = cloud->id};
}

static inline void cloud_clear(Cloud *cloud) {
    free(cloud->position);
    free(cloud->velocity);
    free(cloud->phase);
    free(cloud->id);
}

/* A lattice point, shifted and turned against all that the body has, or its surface would be terraces that no liquid
 * has. `shift` is any number. In 2D points lie in the plane z = 0. */
static inline void lattice_point(int dimension, double shift, const int at[3], double place[3]) {
    double p[3] = {at[0] + 0.13 + shift, dimension == 3 ? at[1] + 0.37 - 0.7 * shift : 0, at[2] + 0.5 + 0.3 * shift};
    double a = 0.7 + 0.1 * shift, b = 0.5;
    place[0] = cos(a) * p[0] + sin(a) * p[2];
    double z = cos(a) * p[2] - sin(a) * p[0];
    place[1] = dimension == 3 ? cos(b) * p[1] + sin(b) * z : 0;
    place[2] = dimension == 3 ? cos(b) * z - sin(b) * p[1] : z;
}

/* Fluids of two densities and one solid, a plane through the origin, unless a test gives it another shape. Never copy
 * one: the description points into it. */
typedef struct Bench {
    mnSceneDesc scene;
    mnFluid fluids[2];
    mnSolid solid;
    mnWalls walls;
    mnDrops drops;
} Bench;

static inline void bench_begin(Bench *bench, int dimension, const double normal[3]) {
    *bench = (Bench){.scene = mn_default_scene(), .solid = mn_default_solid()};
    bench->fluids[0] = bench->fluids[1] = mn_default_fluid();
    bench->fluids[1].density = 800;
    bench->solid.shape = mn_default_shape(MN_SHAPE_PLANE);
    copy3(bench->solid.shape.normal, normal);
    bench->solid.shape.size[0] = bench->solid.shape.size[1] = 400 * h;
    bench->scene.dimension = dimension;
    bench->scene.spacing = h;
    bench->scene.fluids = bench->fluids;
    bench->scene.fluid_count = 2;
    bench->scene.solids = &bench->solid;
    bench->scene.solid_count = 1;
}

static inline const mnDrops *bench_measure(Bench *bench, const Cloud *cloud, double time, int threads) {
    mnError error = {0};
    mnParticles particles = particles_of(cloud);
    if (mn_walls_create(&bench->scene, &bench->walls, &error) != MN_OK) fail_msg("%s", error.text);
    mn_walls_move(&bench->walls, time);
    if (mn_drops_measure(&particles, &bench->scene, &bench->walls, time, threads, &bench->drops, &error) != MN_OK)
        fail_msg("%s", error.text);
    return &bench->drops;
}

static inline void bench_end(Bench *bench) {
    mn_drops_clear(&bench->drops);
    mn_walls_clear(&bench->walls);
}

#endif
