/* What a body sees of the world: constants, materials, fields, neighbours. In C that is a part of the mnWorld of
 * run/world.h; OpenCL has one with the same names, which a kernel makes of its arguments. */
#ifndef MN_KERNELS_WORLD_H
#define MN_KERNELS_WORLD_H

#ifdef __OPENCL_VERSION__
#include "kernels/constants.h"
#include "kernels/fields.h"
#include "kernels/turn.h"

#define MN_FIELD_POINTER(type, name, kept) MN_GLOBAL type *name;

typedef struct mnContactState {
    MN_CONTACT_FIELDS(MN_FIELD_POINTER)
} mnContactState;

typedef struct mnFluidState {
    MN_FLUID_FIELDS(MN_FIELD_POINTER)
} mnFluidState;

typedef struct mnBoundaryState {
    MN_BOUNDARY_FIELDS(MN_FIELD_POINTER)
} mnBoundaryState;

typedef struct mnNeighbours {
    MN_GLOBAL const int32_t *near_list, *far_list;
    mnContactState contacts;
} mnNeighbours;

typedef struct mnWorld {
    mnConstants constants;
    mnTurn turn;
    MN_GLOBAL const mnFluidConstants *fluids;
    MN_GLOBAL const mnSolidConstants *solids;
    MN_GLOBAL const mnPairConstants *pairs;
    mnFluidState fluid;
    mnBoundaryState boundary;
    mnNeighbours neighbours;
    MN_GLOBAL mnVec *history;
} mnWorld;
#else
#include "base/parallel.h"
#include "run/world.h"
#endif

MN_BODY mnAround mn_around_fluid(const mnWorld *world, int64_t i) {
    return mn_around(world->fluid.span[i], world->neighbours.near_list, world->neighbours.far_list);
}

MN_BODY mnAround mn_around_boundary(const mnWorld *world, int64_t b) {
    return mn_around(world->boundary.span[b], world->neighbours.near_list, world->neighbours.far_list);
}

/* Lists are far too long to stay in the caches from one pass to the next, and whoever meets a new one waits for it. So
 * a particle asks for the lists of one whose turn comes later, by about as much as they need to arrive. A device has
 * other lanes to turn to meanwhile. */
#ifdef __OPENCL_VERSION__
#define mn_later(world, i) (i)
#define mn_fetch_near(world, i) ((void)0)
#define mn_fetch_all(world, i) ((void)0)
#else
/* Of the same block, so that the same thread has its turn. */
MN_BODY int64_t mn_later(const mnWorld *world, int64_t i) {
    int64_t later = i + 16;
    return later / MN_BLOCK == i / MN_BLOCK && later < world->fluid.count ? later : i;
}

/* So many entries as there usually are: to ask for exactly those would take longer than to ask for some in vain. */
MN_BODY void mn_fetch_list(const int32_t *list, int usual) {
    enum { LINE = 64 / sizeof(int32_t) };
    for (int k = 0; k < usual; k += LINE) __builtin_prefetch(list + k);
}

MN_BODY void mn_fetch_near(const mnWorld *world, int64_t i) {
    mn_fetch_list(mn_around_fluid(world, i).near, 48);
}

MN_BODY void mn_fetch_all(const mnWorld *world, int64_t i) {
    mn_fetch_near(world, i);
    mn_fetch_list(mn_around_fluid(world, i).far, 96);
}
#endif

MN_BODY mnVec mn_gravity(const mnWorld *world) {
    return mn_vec(world->turn.gravity[0], world->turn.gravity[1], world->turn.gravity[2], 0);
}

MN_BODY mnReal mn_mass_of(const mnWorld *world, int32_t i) {
    return world->fluids[world->fluid.phase[i]].density * world->fluid.position[i].w;
}

/* `to` with the x, y, z of `from`. */
MN_BODY mnVec mn_with_place(mnVec to, mnVec from) {
    return mn_vec(from.x, from.y, from.z, to.w);
}

/* What is not a number counts as infinite. */
MN_BODY void mn_raise(mnSum *largest, mnSum value) {
    if (!(value <= *largest)) *largest = value == value ? value : (mnSum)INFINITY;
}

#endif
