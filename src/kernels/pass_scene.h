/* Passes of what the scene does to particles: sinks take fluid, solids move, emitters ask for a free place. */
#ifndef MN_KERNELS_PASS_SCENE_H
#define MN_KERNELS_PASS_SCENE_H

#include "kernels/world.h"

/* A number of turn.frame. */
MN_BODY mnSum mn_frame(const mnWorld *world, int k) {
    return (mnSum)world->turn.frame[k] + (mnSum)world->turn.frame_rest[k];
}

/* dead, unless somebody has taken the particle already: whether it lies in the box from frame 0 … 2 to 3 … 5, bounds
 * included; adds those newly taken */
MN_BODY void mn_sink_at(const mnWorld *world, int32_t i, mnSum *taken) {
    mnVec x = world->fluid.position[i];
    mnSum place[3] = {(mnSum)x.x, (mnSum)x.y, (mnSum)x.z};
    int is_inside = !world->fluid.dead[i];
    for (int a = 0; a < 3; a++)
        is_inside = is_inside && place[a] >= mn_frame(world, a) && place[a] <= mn_frame(world, 3 + a);
    if (!is_inside) return;
    world->fluid.dead[i] = 1;
    taken[0] += 1;
}

/* → dead: nobody */
MN_BODY void mn_revive_at(const mnWorld *world, int32_t i) {
    world->fluid.dead[i] = 0;
}

/* M·(x − centre) + shift in double where there is such: M in frame 0 … 8 by rows, shift in 9 … 11, centre in 12 … 14.
 */
MN_BODY mnVec mn_frame_apply(const mnWorld *world, mnVec x, mnReal w) {
    mnSum arm[3] = {(mnSum)x.x - mn_frame(world, 12), (mnSum)x.y - mn_frame(world, 13),
                    (mnSum)x.z - mn_frame(world, 14)};
    mnReal moved[3];
    for (int a = 0; a < 3; a++)
        moved[a] = (mnReal)(mn_frame(world, 9 + a) + mn_frame(world, 3 * a) * arm[0] +
                            mn_frame(world, 3 * a + 1) * arm[1] + mn_frame(world, 3 * a + 2) * arm[2]);
    return mn_vec(moved[0], moved[1], moved[2], w);
}

/* origin → position, of the particles of one solid */
MN_BODY void mn_place_wall_at(const mnWorld *world, int32_t b) {
    const mnBoundaryState *boundary = &world->boundary;
    if (boundary->solid[b] == world->turn.solid)
        boundary->position[b] = mn_frame_apply(world, boundary->origin[b], boundary->origin[b].w);
}

/* position → velocity, of the particles of one solid */
MN_BODY void mn_steer_wall_at(const mnWorld *world, int32_t b) {
    const mnBoundaryState *boundary = &world->boundary;
    if (boundary->solid[b] == world->turn.solid)
        boundary->velocity[b] = mn_frame_apply(world, boundary->position[b], 0);
}

/* How near particles are to the point in frame 0 … 2: the largest of minus the squared distance, m². */
MN_BODY mnSum mn_nearness(const mnWorld *world, mnVec x) {
    mnSum dx = (mnSum)x.x - mn_frame(world, 0), dy = (mnSum)x.y - mn_frame(world, 1),
          dz = (mnSum)x.z - mn_frame(world, 2);
    return -(dx * dx + dy * dy + dz * dz);
}

MN_BODY void mn_nearest_at(const mnWorld *world, int32_t i, mnSum *largest) {
    mn_raise(&largest[0], mn_nearness(world, world->fluid.position[i]));
}

MN_BODY void mn_nearest_wall_at(const mnWorld *world, int32_t b, mnSum *largest) {
    mn_raise(&largest[0], mn_nearness(world, world->boundary.position[b]));
}

#endif
