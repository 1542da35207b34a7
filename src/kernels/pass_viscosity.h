/* Passes of the implicit viscous step, conjugate gradients of (M + Δt·K) v = M v⁰ + Δt·K_b v_b preconditioned with M
 * (solve/viscosity.h). Fields of the solver, which are made anew afterwards, hold the vectors. */
#ifndef MN_KERNELS_PASS_VISCOSITY_H
#define MN_KERNELS_PASS_VISCOSITY_H

#include "kernels/viscosity.h"
#include "kernels/world.h"

#define MN_VISCOUS_SOLUTION predicted
#define MN_VISCOUS_RESIDUAL site
#define MN_VISCOUS_DIRECTION flow /* nobody's stays 0 */
#define MN_VISCOUS_IMAGE push

MN_BODY mnVec mn_drag_of(const mnWorld *world, int32_t i, MN_GLOBAL const mnVec *velocity, int with_wall_velocity) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    mn_fetch_near(world, mn_later(world, i));
    return mn_viscosity_drag_at(i, world->constants, mn_around_fluid(world, i), fluid->position, velocity, fluid->phase,
                                boundary->position, boundary->velocity, boundary->solid, world->fluids, world->solids,
                                with_wall_velocity);
}

/* r⁰ = −Δt·K(v⁰ − v_b), since the guess is v⁰; adds r·M⁻¹r. */
MN_BODY void mn_viscous_begin_at(const mnWorld *world, int32_t i, mnSum *product) {
    const mnFluidState *fluid = &world->fluid;
    mnVec residual = mn_scale(-world->constants.dt, mn_drag_of(world, i, fluid->start, 1));
    mnVec direction = mn_scale(1 / mn_mass_of(world, i), residual);
    fluid->MN_VISCOUS_SOLUTION[i] = fluid->start[i];
    fluid->MN_VISCOUS_RESIDUAL[i] = residual;
    fluid->MN_VISCOUS_DIRECTION[i] = direction;
    product[0] += (mnSum)mn_dot(residual, direction);
}

/* (M + Δt·K) d; adds d·(M + Δt·K) d. */
MN_BODY void mn_viscous_image_at(const mnWorld *world, int32_t i, mnSum *curvature) {
    const mnFluidState *fluid = &world->fluid;
    mnVec direction = fluid->MN_VISCOUS_DIRECTION[i];
    mnVec drag = mn_scale(world->constants.dt, mn_drag_of(world, i, fluid->MN_VISCOUS_DIRECTION, 0));
    mnVec image = mn_axpy(mn_mass_of(world, i), direction, drag);
    fluid->MN_VISCOUS_IMAGE[i] = image;
    curvature[0] += (mnSum)mn_dot(direction, image);
}

/* v + α d, r − α (M + Δt·K) d; adds the new r·M⁻¹r. */
MN_BODY void mn_viscous_advance_at(const mnWorld *world, int32_t i, mnSum *product) {
    const mnFluidState *fluid = &world->fluid;
    mnReal alpha = world->turn.alpha;
    mnVec residual = mn_axpy(-alpha, fluid->MN_VISCOUS_IMAGE[i], fluid->MN_VISCOUS_RESIDUAL[i]);
    fluid->MN_VISCOUS_SOLUTION[i] = mn_axpy(alpha, fluid->MN_VISCOUS_DIRECTION[i], fluid->MN_VISCOUS_SOLUTION[i]);
    fluid->MN_VISCOUS_RESIDUAL[i] = residual;
    product[0] += (mnSum)mn_dot(residual, mn_scale(1 / mn_mass_of(world, i), residual));
}

/* M⁻¹r + β d */
MN_BODY void mn_viscous_turn_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnVec preconditioned = mn_scale(1 / mn_mass_of(world, i), fluid->MN_VISCOUS_RESIDUAL[i]);
    fluid->MN_VISCOUS_DIRECTION[i] = mn_axpy(world->turn.beta, fluid->MN_VISCOUS_DIRECTION[i], preconditioned);
}

/* v → start. What the first solver of a separated pair found becomes the start of the second in the same way. */
MN_BODY void mn_carry_over_at(const mnWorld *world, int32_t i) {
    const mnFluidState *fluid = &world->fluid;
    fluid->start[i] = mn_with_place(fluid->start[i], fluid->MN_VISCOUS_SOLUTION[i]);
}

#endif
