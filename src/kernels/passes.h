/* The table of passes. Each is a body of the headers below, run for every particle of a kind; adding one is one line.
 *
 *     PLAIN(name, over)        mn_name_at(world, i)
 *     BOTH(name)               mn_name_at(world, i) over FLUID, mn_name_wall_at(world, b) over WALLS
 *     SUM(name, over, width)   mn_name_at(world, i, sums) adds its part to each of `width` sums
 *     MAX(name, over, width)   mn_name_at(world, i, largest) raises `width` values
 *
 * over: FLUID, all fluid particles; WALLS, boundary particles that have fluid within 3h; BOUNDARY, all of them. Of the
 * two bodies of a pass over both neither reads what the other writes, so they are run at once. */
#ifndef MN_KERNELS_PASSES_H
#define MN_KERNELS_PASSES_H

#include "kernels/pass_accelerate.h"
#include "kernels/pass_finish.h"
#include "kernels/pass_prepare.h"
#include "kernels/pass_scene.h"
#include "kernels/pass_solver.h"
#include "kernels/pass_total.h"
#include "kernels/pass_viscosity.h"

#define MN_PASSES(PLAIN, BOTH, SUM, MAX)                                                                               \
    PLAIN(revive, FLUID)                                                                                               \
    SUM(sink, FLUID, 1)                                                                                                \
    PLAIN(place_wall, BOUNDARY)                                                                                        \
    PLAIN(steer_wall, BOUNDARY)                                                                                        \
    MAX(nearest, FLUID, 1)                                                                                             \
    MAX(nearest_wall, BOUNDARY, 1)                                                                                     \
    PLAIN(start, FLUID)                                                                                                \
    SUM(viscous_begin, FLUID, 1)                                                                                       \
    SUM(viscous_image, FLUID, 1)                                                                                       \
    SUM(viscous_advance, FLUID, 1)                                                                                     \
    PLAIN(viscous_turn, FLUID)                                                                                         \
    PLAIN(carry_over, FLUID)                                                                                           \
    PLAIN(warm_start, FLUID)                                                                                           \
    BOTH(hold)                                                                                                         \
    PLAIN(advance_wall, WALLS)                                                                                         \
    PLAIN(find_slopes, FLUID)                                                                                          \
    PLAIN(contact, FLUID)                                                                                              \
    BOTH(weight_slopes)                                                                                                \
    MAX(stiffness, FLUID, 2)                                                                                           \
    PLAIN(push, FLUID)                                                                                                 \
    PLAIN(force, FLUID)                                                                                                \
    BOTH(measure)                                                                                                      \
    SUM(update, FLUID, MN_SUMS_OF_UPDATE)                                                                              \
    SUM(update_late, FLUID, MN_SUMS_OF_UPDATE)                                                                         \
    PLAIN(accept, FLUID)                                                                                               \
    PLAIN(turn_nncg, FLUID)                                                                                            \
    PLAIN(mix, FLUID)                                                                                                  \
    MAX(motion, FLUID, 2)                                                                                              \
    PLAIN(blame, FLUID)                                                                                                \
    PLAIN(integrate, FLUID)                                                                                            \
    PLAIN(keep_measure, FLUID)                                                                                         \
    SUM(speed, FLUID, 1)                                                                                               \
    MAX(reach, FLUID, 3)                                                                                               \
    MAX(wall_speed, BOUNDARY, 1)                                                                                       \
    SUM(total, FLUID, MN_TOTAL_COUNT)                                                                                  \
    SUM(wall_energy, WALLS, 1)                                                                                         \
    MAX(compression, FLUID, 1)                                                                                         \
    SUM(pair_count, FLUID, 2)

#ifndef __OPENCL_VERSION__
#define MN_PASS_NAME(name, ...) MN_PASS_##name,
#define MN_PASS_NAME_BOTH(name) MN_PASS_##name,
typedef enum mnPass { MN_PASSES(MN_PASS_NAME, MN_PASS_NAME_BOTH, MN_PASS_NAME, MN_PASS_NAME) MN_PASS_COUNT } mnPass;
#endif

#endif
