#include "run/disorder.h"

#include "base/parallel.h"
#include "base/random.h"
#include "run/run.h"

/* Of Σ (fill_i + fill_j) V ∇W·h², in h; and what a sweep may move a particle by. */
static const mnReal RATE = MN_REAL(0.2), LONGEST_MOVE = MN_REAL(0.1);

/* Whether a particle of a lattice has all neighbours nearer than 3h, and no others. The next ones lie at 3h exactly,
 * where rounding would decide, so the line is drawn before them. */
static bool is_inside(const mnWorld *world, int64_t i) {
    const mnFluidState *fluid = &world->fluid;
    mnAround around = mn_around_fluid(world, i);
    mnReal h = world->constants.spacing, limit = MN_REAL(8.5) * h * h;
    int whole = world->constants.dimension == 3 ? 92 : 24, own = 0, foreign = 0;
    for (int part = 0; part < 2; part++)
        for (int32_t k = 0; k < mn_part_all(around, part); k++) {
            int32_t j = mn_part(around, part)[k];
            bool is_fluid = k < mn_part_fluid(around, part);
            mnVec d = mn_sub(fluid->position[i], is_fluid ? fluid->position[j] : world->boundary.position[j]);
            if (mn_dot(d, d) > limit) continue;
            bool is_own = is_fluid && fluid->phase[j] == fluid->phase[i];
            own += is_own;
            foreign += !is_own;
        }
    return own >= whole && foreign == 0;
}

int64_t mn_disorder_throw(mnWorld *world, uint64_t seed, uint8_t *inside) {
    mnFluidState *fluid = &world->fluid;
    int64_t count = 0;
    for (int64_t i = 0; i < fluid->count; i++) count += inside[fluid->id[i]] = is_inside(world, i);
    for (int64_t i = 0; i < fluid->count; i++) {
        if (!inside[fluid->id[i]]) continue;
        mnRandom random = mn_random_start(seed, ~(uint64_t)fluid->id[i]); /* emitters have the streams from 0 up */
        mnReal throw[3] = {0};
        for (int c = 0; c < world->constants.dimension; c++)
            throw[c] = world->constants.spacing * (mnReal)(mn_random_uniform(&random) - 0.5);
        fluid->position[i].x += throw[0];
        fluid->position[i].y += throw[1];
        fluid->position[i].z += throw[2];
    }
    return count;
}

/* ∂(½Σ fill²)/∂x_i = Σ_j (fill_i + fill_j) V ∇W: the law of eq. 4 with the fill in place of the pressure. */
void mn_disorder_sweep(mnWorld *world, const uint8_t *inside) {
    mnFluidState *fluid = &world->fluid;
    mnReal h = world->constants.spacing;
    mn_run(world, MN_PASS_find_slopes);
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) fluid->pressure[i] = fluid->fill[i];
    mn_run(world, MN_PASS_push);
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnVec push = mn_own_pressure_force(world, (int32_t)i);
        mnReal scale = inside[fluid->id[i]] ? RATE * h * h / fluid->position[i].w : 0;
        mnReal length = scale * mn_sqrt(mn_dot(push, push)), longest = LONGEST_MOVE * h;
        fluid->ahead[i] = mn_scale(length > longest ? scale * longest / length : scale, push);
    }
    MN_PARALLEL_FOR(world->threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        fluid->position[i].x += fluid->ahead[i].x;
        fluid->position[i].y += fluid->ahead[i].y;
        fluid->position[i].z += fluid->ahead[i].z;
    }
}
