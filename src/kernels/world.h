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
#include "run/world.h"
#endif

MN_BODY mnAround mn_around_fluid(const mnWorld *world, int64_t i) {
    return mn_around(world->fluid.span[i], world->neighbours.near_list, world->neighbours.far_list);
}

MN_BODY mnAround mn_around_boundary(const mnWorld *world, int64_t b) {
    return mn_around(world->boundary.span[b], world->neighbours.near_list, world->neighbours.far_list);
}

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
