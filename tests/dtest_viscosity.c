/* The viscous operator K: symmetric, positive, the gradient of the power that viscosity takes, and solved for. */
#include "sim_helpers.h"

#include "kernels/viscosity.h"

static const double h = 1e-3;

static mnSim *make_cloud(int dimension, double viscosity) {
    Setup setup;
    setup_begin(&setup, dimension, h, 2, 2);
    setup.fluids[0].viscosity = viscosity;
    setup.fluids[1].viscosity = 3 * viscosity;
    setup.fluids[1].density = 1400;
    setup.solids[1].slip = true;
    mnSim *sim = sim_begin(&setup, 1);
    put_cloud(sim, dimension == 3 ? 5 : 10, 0.3, 77);
    sim_end(sim);
    sim->world.constants.dt = 1e-3;
    return sim;
}

static void fill_random(mnVec *v, int64_t count, int dimension, uint64_t seed) {
    for (int64_t i = 0; i < count; i++)
        for (int a = 0; a < dimension; a++) set(&v[i], a, uniform(&seed, -1, 1));
}

static mnVec drag_at(const mnWorld *world, int64_t i, const mnVec *velocity, int with_wall) {
    return mn_viscosity_drag_at((int32_t)i, world->constants, mn_around_fluid(world, i), world->fluid.position,
                                velocity, world->fluid.phase, world->boundary.position, world->boundary.velocity,
                                world->boundary.solid, world->fluids, world->solids, with_wall);
}

static double product(const mnWorld *world, const mnVec *u, const mnVec *v) {
    double sum = 0;
    for (int64_t i = 0; i < world->fluid.count; i++) sum += mn_dot(u[i], drag_at(world, i, v, 0));
    return sum;
}

static void symmetric_and_positive(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_cloud(dimension, 0.1);
        size_t count = (size_t)sim->world.fluid.count;
        mnVec *u = calloc(count + 1, sizeof *u), *v = calloc(count + 1, sizeof *v); /* and nobody's, which stays 0 */
        for (uint64_t seed = 1; seed < 20; seed++) {
            fill_random(u, (int64_t)count, dimension, seed);
            fill_random(v, (int64_t)count, dimension, 100 + seed);
            double uv = product(&sim->world, u, v), vu = product(&sim->world, v, u), uu = product(&sim->world, u, u);
            assert_true(uu > 0);
            assert_near(uv, vu, 1e-12 * uu);
        }
        free(u);
        free(v);
        mn_sim_destroy(sim);
    }
}

/* ½ Σ_pairs κ ((v_i − v_j)·x_ij)², over all pairs, from the formula alone. */
static double power(const mnWorld *world) {
    const mnFluidState *fluid = &world->fluid;
    const mnBoundaryState *boundary = &world->boundary;
    int d = world->constants.dimension;
    double sum = 0;
    for (int64_t i = 0; i < fluid->count; i++)
        for (int64_t k = i + 1; k < fluid->count + boundary->count; k++) {
            int64_t b = k - fluid->count;
            mnVec y = b < 0 ? fluid->position[k] : boundary->position[b],
                  u = b < 0 ? fluid->velocity[k] : boundary->velocity[b];
            mnVec x = mn_sub(fluid->position[i], y), w = mn_sub(fluid->velocity[i], u);
            double r = sqrt(mn_dot(x, x)), own = world->fluids[fluid->phase[i]].viscosity, mean = own;
            if (b < 0) {
                double other = world->fluids[fluid->phase[k]].viscosity;
                mean = 2 * own * other / (own + other);
            } else if (boundary->solid[b] == 1) {
                continue; /* slips */
            }
            double kappa = -2 * (d + 2) * mean * fluid->position[i].w * y.w * classic_slope(d, 2 * h, r) / r /
                           (r * r + 0.04 * h * h);
            sum += 0.5 * kappa * mn_dot(w, x) * mn_dot(w, x);
        }
    return sum;
}

static void gradient_of_its_power(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mnSim *sim = make_cloud(dimension, 0.1);
        mnWorld *world = &sim->world;
        fill_random(world->fluid.velocity, world->fluid.count, dimension, 5);
        fill_random(world->boundary.velocity, world->boundary.count, dimension, 6);
        double largest = 0;
        for (int64_t i = 0; i < world->fluid.count; i++) {
            mnVec drag = drag_at(world, i, world->fluid.velocity, 1);
            largest = fmax(largest, sqrt(mn_dot(drag, drag)));
        }
        for (int64_t i = 0; i < world->fluid.count; i += 3)
            for (int a = 0; a < dimension; a++) {
                double v = get(world->fluid.velocity[i], a), e = 1e-2; /* a quadratic: the step may be wide */
                set(&world->fluid.velocity[i], a, v + e);
                double above = power(world);
                set(&world->fluid.velocity[i], a, v - e);
                double below = power(world);
                set(&world->fluid.velocity[i], a, v);
                assert_near(get(drag_at(world, i, world->fluid.velocity, 1), a), (above - below) / (2 * e),
                            1e-6 * largest);
            }
        mn_sim_destroy(sim);
    }
}

/* M (v − v⁰) + Δt K (v, v_b) = 0 to the tolerance of conjugate gradients, which is looser for thin liquids. */
static void the_step_solves_its_equation(void **state) {
    (void)state;
    const double viscosities[] = {1e-3, 1, 1e3};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 3; k++) {
            mnSim *sim = make_cloud(dimension, viscosities[k]);
            mnWorld *world = &sim->world;
            mnFluidState *fluid = &world->fluid;
            fill_random(fluid->velocity, fluid->count, dimension, 8);
            fill_random(world->boundary.velocity, world->boundary.count, dimension, 9);
            mn_run(world, MN_PASS_start);
            assert_true(mn_viscosity_solve(world) > 0);
            double residual = 0, start = 0, dt = world->constants.dt;
            for (int64_t i = 0; i < fluid->count; i++) {
                double mass = world->fluids[fluid->phase[i]].density * fluid->position[i].w;
                mnVec before = mn_scale(dt, drag_at(world, i, fluid->velocity, 1));
                mnVec after = mn_scale(dt, drag_at(world, i, fluid->start, 1));
                after = mn_axpy(mass, mn_sub(fluid->start[i], fluid->velocity[i]), after);
                residual += mn_dot(after, after) / mass;
                start += mn_dot(before, before) / mass;
                assert_near(fluid->start[i].w, dt / mass, 1e-12 * dt / mass);
            }
            assert_true(sqrt(residual) <= (viscosities[k] < 1 ? 1e-2 : 1.001e-3) * sqrt(start));
            mn_sim_destroy(sim);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_and_positive),
        cmocka_unit_test(gradient_of_its_power),
        cmocka_unit_test(the_step_solves_its_equation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
