/* Passes from one Jacobi iterate to the next (solve/accelerate.h says by which rule).
 *
 * z = (F^ST, p·h^(d−1)) has an entry for every particle and F^F, where there is friction, one for every particle at a
 * wall. The history has rows of such entries; those of friction come behind those of all particles:
 *     NNCG:      d
 *     Anderson:  J(z) of the last iteration, r of the last iteration, then Δr and ΔJ of each column */
#ifndef MN_KERNELS_PASS_ACCELERATE_H
#define MN_KERNELS_PASS_ACCELERATE_H

#include "kernels/friction.h"
#include "kernels/world.h"

/* The forces of J(z), the iterate that one Jacobi iteration makes of z, lie in fields that are free from an update
 * until z is replaced: `ahead` is made anew by the next forces, and `push` when z is replaced. */
#define MN_NEXT_TENSION ahead
#define MN_NEXT_FRICTION push

enum { MN_ROW_NEXT, MN_ROW_RESIDUAL, MN_ROW_COLUMNS };

/* Where the accelerator's products are among the sums of an update: Δr_new·Δr_j and r·Δr_j of the columns j, and |r|².
 */
enum {
    MN_SUM_CHANGES = 3,
    MN_SUM_RESIDUALS = MN_SUM_CHANGES + MN_ANDERSON_DEPTH_MAX,
    MN_SUM_SQUARE = MN_SUM_RESIDUALS + MN_ANDERSON_DEPTH_MAX,
    MN_SUMS_OF_UPDATE
};

MN_BODY MN_GLOBAL mnVec *mn_history_row(const mnWorld *world, int row) {
    return world->history + row * world->turn.row;
}

MN_BODY MN_GLOBAL mnVec *mn_residual_change(const mnWorld *world, int column) {
    return mn_history_row(world, MN_ROW_COLUMNS + 2 * column);
}

MN_BODY MN_GLOBAL mnVec *mn_next_change(const mnWorld *world, int column) {
    return mn_history_row(world, MN_ROW_COLUMNS + 2 * column + 1);
}

MN_BODY mnVec mn_stacked(mnVec force, mnReal pressure, mnReal scale) {
    force.w = pressure * scale;
    return force;
}

/* Sums and products over all four components. */
MN_BODY mnVec mn_plus(mnVec a, mnReal s, mnVec b) {
    return mn_vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w);
}

MN_BODY mnSum mn_product(mnVec a, mnVec b) {
    return (mnSum)a.x * (mnSum)b.x + (mnSum)a.y * (mnSum)b.y + (mnSum)a.z * (mnSum)b.z + (mnSum)a.w * (mnSum)b.w;
}

/* Friction has a lane of its own, and only where there is some. */
MN_BODY int mn_lanes_of(const mnWorld *world, int32_t i) {
    return world->turn.has_friction && world->fluid.mu[i] > 0 ? 2 : 1;
}

MN_BODY int64_t mn_history_entry(const mnWorld *world, int32_t i, int lane) {
    return lane ? world->turn.contacts_at + world->fluid.contact[i] : i;
}

/* z and J(z) of particle i in one lane. */
MN_BODY mnVec mn_unknowns(const mnWorld *world, int32_t i, int lane) {
    const mnFluidState *fluid = &world->fluid;
    return lane ? mn_stacked(fluid->friction[i], 0, 0)
                : mn_stacked(fluid->tension[i], fluid->pressure[i], world->turn.pressure_scale);
}

MN_BODY mnVec mn_iterate(const mnWorld *world, int32_t i, int lane) {
    const mnFluidState *fluid = &world->fluid;
    return lane ? mn_stacked(fluid->MN_NEXT_FRICTION[i], 0, 0)
                : mn_stacked(fluid->MN_NEXT_TENSION[i], fluid->next_pressure[i], world->turn.pressure_scale);
}

/* position, pressure → push */
MN_BODY void mn_push_at(const mnWorld *world, int32_t i) {
    mnVec x = world->fluid.position[i];
    x.w *= world->fluid.pressure[i];
    world->fluid.push[i] = x;
}

/* Stores r and J(z), and, unless this is the first time, their changes. */
MN_BODY void mn_remember_entry(const mnWorld *world, int64_t at, mnVec z, mnVec next, mnSum *sums) {
    int column = world->turn.column;
    mnVec r = mn_plus(next, -1, z);
    sums[MN_SUM_SQUARE] += mn_product(r, r);
    if (world->turn.solver != MN_SOLVER_ANDERSON) return;
    if (column >= 0) {
        mnVec change = mn_plus(r, -1, mn_history_row(world, MN_ROW_RESIDUAL)[at]);
        mn_residual_change(world, column)[at] = change;
        mn_next_change(world, column)[at] = mn_plus(next, -1, mn_history_row(world, MN_ROW_NEXT)[at]);
        MN_UNROLLED
        for (int j = 0; j < MN_ANDERSON_DEPTH_MAX; j++) {
            if (j >= world->turn.columns) continue;
            mnVec other = j == column ? change : mn_residual_change(world, j)[at];
            sums[MN_SUM_CHANGES + j] += mn_product(change, other);
            sums[MN_SUM_RESIDUALS + j] += mn_product(r, other);
        }
    }
    mn_history_row(world, MN_ROW_RESIDUAL)[at] = r;
    mn_history_row(world, MN_ROW_NEXT)[at] = next;
}

/* z, J(z) → history, products */
MN_BODY void mn_remember(const mnWorld *world, int32_t i, mnSum *sums) {
    if (world->turn.solver == MN_SOLVER_JACOBI) return;
    for (int lane = 0; lane < mn_lanes_of(world, i); lane++)
        mn_remember_entry(world, mn_history_entry(world, i, lane), mn_unknowns(world, i, lane),
                          mn_iterate(world, i, lane), sums);
}

/* → pressure, push */
MN_BODY void mn_set_pressure(const mnWorld *world, int32_t i, mnReal pressure) {
    world->fluid.pressure[i] = pressure;
    mn_push_at(world, i);
}

/* J(z) → pressure, tension, friction */
MN_BODY void mn_accept_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    fluid->tension[i] = fluid->MN_NEXT_TENSION[i];
    fluid->friction[i] = fluid->MN_NEXT_FRICTION[i];
    mn_set_pressure(world, i, fluid->next_pressure[i]);
}

/* The same with β times the last direction added; a β below 0 throws the direction away. */
MN_BODY void mn_turn_nncg_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnReal beta = world->turn.beta, pressure = 0;
    for (int lane = 0; lane < mn_lanes_of(world, i); lane++) {
        mnVec next = mn_iterate(world, i, lane), z = mn_unknowns(world, i, lane);
        MN_GLOBAL mnVec *direction = world->history + mn_history_entry(world, i, lane);
        mnVec carried = mn_vec(0, 0, 0, 0);
        if (beta > 0) carried = mn_plus(carried, beta, *direction);
        *direction = mn_plus(carried, beta < 0 ? MN_REAL(0) : MN_REAL(1), mn_plus(next, -1, z));
        next = mn_plus(next, 1, carried);
        if (lane)
            fluid->friction[i] = mn_scale(1, next);
        else {
            fluid->tension[i] = mn_scale(1, next);
            pressure = next.w / world->turn.pressure_scale;
        }
    }
    mn_set_pressure(world, i, pressure);
}

MN_BODY mnVec mn_mixed(const mnWorld *world, int64_t at) {
    mnVec mixed = mn_history_row(world, MN_ROW_NEXT)[at];
    MN_UNROLLED
    for (int j = 0; j < MN_ANDERSON_DEPTH_MAX; j++)
        if (j < world->turn.columns) mixed = mn_plus(mixed, -world->turn.mixing[j], mn_next_change(world, j)[at]);
    return mixed;
}

/* history → pressure, tension, friction: J(z) − Σ θ ΔJ, kept to p ≥ 0 and to the cone of friction */
MN_BODY void mn_mix_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnVec mixed = mn_mixed(world, i);
    fluid->tension[i] = mn_scale(1, mixed);
    mn_set_pressure(world, i, mn_max(0, mixed.w / world->turn.pressure_scale));
    if (mn_lanes_of(world, i) > 1) {
        mnReal strength = world->neighbours.contacts.normal[fluid->contact[i]].w;
        mnReal normal_force = mn_friction_normal_force(fluid->position[i].w, fluid->pressure[i], strength);
        mnVec friction = mn_scale(1, mn_mixed(world, mn_history_entry(world, i, 1)));
        fluid->friction[i] = mn_friction_project(friction, fluid->mu[i] * normal_force);
    }
}

#endif
