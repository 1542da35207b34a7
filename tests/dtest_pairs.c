/* Each law on two particles, against numbers that are worked out here from the formulas alone. */
#include "sim_helpers.h"

#include "kernels/friction.h"
#include "kernels/measure.h"
#include "kernels/pressure.h"
#include "kernels/tension.h"
#include "kernels/viscosity.h"

static const double h = 1e-3, dt = 1e-4, epsilon = 0.05;

/* Two particles a distance r apart along a direction that lies along no axis (in 2D: in the plane). */
typedef struct Pair {
    Setup setup;
    mnSim *sim;
    mnWorld *world;
    int d;
    double r, volume, wall_volume;
    double e[3];             /* from the first to the second */
    double w2, w3, s2, s3;   /* W and W' at r for the supports 2h and 3h */
    double w2_self, w3_self; /* W(0) */
    int first, second;       /* where sorting has put the two fluid particles */
} Pair;

static void pair_begin(Pair *pair, int d, double r, int fluids, bool with_wall) {
    *pair = (Pair){.d = d, .r = r};
    setup_begin(&pair->setup, d, h, fluids, with_wall);
    memcpy(pair->e, d == 3 ? (double[3]){2.0 / 3, -1.0 / 3, 2.0 / 3} : (double[3]){0.6, -0.8, 0}, sizeof pair->e);
    pair->volume = d == 3 ? h * h * h : h * h;
    pair->wall_volume = 0.8 * pair->volume;
    pair->w2 = classic_value(d, 2 * h, r), pair->w3 = classic_value(d, 3 * h, r);
    pair->s2 = classic_slope(d, 2 * h, r), pair->s3 = classic_slope(d, 3 * h, r);
    pair->w2_self = classic_sigma(d, 2 * h), pair->w3_self = classic_sigma(d, 3 * h);
}

static void pair_place(Pair *pair) {
    double from[3] = {0.3 * h, -0.2 * h, pair->d == 3 ? 0.1 * h : 0}, to[3];
    for (int a = 0; a < 3; a++) to[a] = from[a] + pair->r * pair->e[a];
    pair->sim = sim_begin(&pair->setup, 1);
    pair->world = &pair->sim->world;
    put_fluid(pair->sim, from[0], from[1], from[2], 0);
    if (pair->setup.desc.solid_count)
        put_boundary(pair->sim, to[0], to[1], to[2], pair->wall_volume, 0);
    else
        put_fluid(pair->sim, to[0], to[1], to[2], pair->setup.desc.fluid_count - 1);
    sim_end(pair->sim);
    pair->world->constants.dt = dt;
    pair->world->constants.recovery = 1;
    pair->world->turn.parts = MN_PART_ALL;
    pair->first = pair->world->fluid.id[0] == 0 ? 0 : 1;
    pair->second = 1 - pair->first;
}

/* The vector is `size` times the direction from the first to the second. */
static void assert_along(const Pair *pair, mnVec found, double size, double scale) {
    for (int a = 0; a < 3; a++) assert_near(get(found, a), size * pair->e[a], 1e-11 * fabs(scale));
}

static const double distances[] = {0.35e-3, 0.9e-3, 1.2e-3, 1.7e-3, 2.4e-3};
#define FOR_PAIRS                                                                                                      \
    for (int d = 2; d <= 3; d++)                                                                                       \
        for (size_t k = 0; k < sizeof distances / sizeof *distances; k++)

static mnVec pressure_force(const Pair *pair, int i) {
    prepare_sums(pair->world);
    return mn_own_pressure_force(pair->world, (int32_t)i);
}

/* F₁ = −V₁V₂(p₁ + p₂) W'·(−e): away from the other where p > 0. */
static void pressure_between_fluids(void **state) {
    (void)state;
    FOR_PAIRS {
        Pair pair;
        pair_begin(&pair, d, distances[k], 1, false);
        pair_place(&pair);
        pair.world->fluid.pressure[pair.first] = 30;
        pair.world->fluid.pressure[pair.second] = 50;
        double size = pair.volume * pair.volume * 80 * pair.s2,
               scale = pair.volume * pair.volume * 80 * pair.w2_self / h;
        assert_along(&pair, pressure_force(&pair, pair.first), size, scale);
        assert_along(&pair, pressure_force(&pair, pair.second), -size, scale);
        assert_true(pair.r > 2 * h || size < 0);
        mn_sim_destroy(pair.sim);
    }
}

/* A wall answers with the fluid's pressure alone, p_b = 0. */
static void pressure_at_a_wall(void **state) {
    (void)state;
    FOR_PAIRS {
        Pair pair;
        pair_begin(&pair, d, distances[k], 1, true);
        pair_place(&pair);
        pair.world->fluid.pressure[0] = 30;
        double each = pair.world->constants.wall * pair.volume * pair.wall_volume * 30;
        assert_along(&pair, pressure_force(&pair, 0), each * pair.s2, each * pair.w2_self / h);
        mn_sim_destroy(pair.sim);
    }
}

static mnGradient gradient(const Pair *pair, int i) {
    prepare_sums(pair->world);
    return mn_own_gradient(pair->world, (int32_t)i, false);
}

/* V₁^err = 1 − V W(0) − V W(r) − Δt V (v₁ − v₂)·∇W, ∇W = −W' e for the first; likewise with a moving wall. */
static void volume_errors(void **state) {
    (void)state;
    FOR_PAIRS for (int wall = 0; wall < 2; wall++) {
        Pair pair;
        pair_begin(&pair, d, distances[k], 1, wall);
        pair_place(&pair);
        mnWorld *world = pair.world;
        double v1[3] = {0.3, -0.1, d == 3 ? 0.2 : 0}, v2[3] = {-0.4, 0.25, d == 3 ? 0.1 : 0}, along = 0;
        int i = wall ? 0 : pair.first;
        mnVec *other = wall ? world->boundary.velocity : &world->fluid.predicted[pair.second];
        for (int a = 0; a < 3; a++) {
            set(&world->fluid.predicted[i], a, v1[a]);
            set(other, a, v2[a]);
            along += (v1[a] - v2[a]) * pair.e[a];
        }
        mn_run(world, MN_PASS_find_slopes);
        double other_volume = wall ? world->constants.wall * pair.wall_volume : pair.volume;
        double expected = 1 - pair.volume * pair.w2_self - other_volume * pair.w2 + dt * other_volume * along * pair.s2;
        assert_near(mn_volume_error(world->constants, world->fluid.fill[i], gradient(&pair, i).volume_error), expected,
                    1e-12);
        mn_sim_destroy(pair.sim);
    }
}

/* A compression that is there already is undone by a share; a gap is taken as it is. */
static void volume_recovery(void **state) {
    (void)state;
    mnConstants c = {.recovery = 0.25};
    assert_near(mn_volume_error(c, 1.2, 0.07), -0.05 + 0.07, 1e-15);
    assert_near(mn_volume_error(c, 0.8, 0.07), 0.2 + 0.07, 1e-15);
}

static double smooth(double c) {
    return c > 0 ? sqrt(c * c + epsilon * epsilon) - epsilon : 0;
}

static double slope(double c) {
    return c > 0 ? c / sqrt(c * c + epsilon * epsilon) : 0;
}

/* C and dC/dr of one of the two, when `self` and `other` are the volumes. */
typedef struct Measure {
    double contribution, change;
} Measure;

static Measure measure(const Pair *pair, bool normalised, double self, double other) {
    double wide = self * pair->w3_self + other * pair->w3, near = self * pair->w2_self + other * pair->w2;
    double dwide = other * pair->s3, dnear = other * pair->s2;
    double inside = pair->world->constants.inside;
    if (!normalised) return (Measure){inside - wide, -dwide};
    return (Measure){inside - wide / sqrt(near), -dwide / sqrt(near) + 0.5 * wide * dnear / (near * sqrt(near))};
}

/* The force between two fluids is −dE/dr of E = Σ γ^FV A max(C) + Σ γ^FF A max(V W). */
static void tension_between_fluids(void **state) {
    (void)state;
    FOR_PAIRS for (int variant = 0; variant < 4; variant++) {
        bool normalised = variant % 2, two = variant / 2;
        Pair pair;
        pair_begin(&pair, d, distances[k], two ? 2 : 1, false);
        pair.setup.desc.solver.measure = normalised ? MN_MEASURE_NORMALISED : MN_MEASURE_NUMBER_DENSITY;
        pair.setup.fluids[0].tension_vapor = 0.07, pair.setup.fluids[0].tension_fluid = 0.02;
        pair.setup.fluids[1].tension_vapor = 0.05, pair.setup.fluids[1].tension_fluid = 0.03;
        pair_place(&pair);
        mn_pass_numbers_now(pair.world);
        mnConstants c = pair.world->constants;
        Measure m = measure(&pair, normalised, pair.volume, pair.volume);
        double other = two ? pair.volume * pair.w3 : 0, vapor = two ? 0.07 + 0.05 : 2 * 0.07;
        double force = -vapor * c.area_fv * slope(m.contribution) * m.change; /* of the second, along e */
        force -= (0.02 + 0.03) * c.area_ff * slope(other) * (two ? pair.volume * pair.s3 : 0);
        double scale = vapor * c.area_fv / h;
        assert_along(&pair, gradient(&pair, pair.second).force, force, scale);
        assert_along(&pair, gradient(&pair, pair.first).force, -force, scale);

        mnVec found = mn_measure_fluid(c, pair.world->fluid.numbers[pair.first]);
        assert_near(found.x, m.contribution, 1e-12);
        assert_near(found.y, other, 1e-12);
        assert_true(found.z == 0);
        assert_near(mn_measure_fluid_energy(c, pair.world->fluids[0], pair.world->fluid.numbers[pair.first]),
                    0.07 * c.area_fv * smooth(m.contribution) + 0.02 * c.area_ff * smooth(other), 1e-11 * scale * h);
        mn_sim_destroy(pair.sim);
    }
}

/* One fluid particle at one wall particle: all four energies of walls and their derivatives by r. */
static void tension_at_a_wall(void **state) {
    (void)state;
    FOR_PAIRS for (int normalised = 0; normalised < 2; normalised++) {
        Pair pair;
        pair_begin(&pair, d, distances[k], 1, true);
        pair.setup.desc.solver.measure = normalised ? MN_MEASURE_NORMALISED : MN_MEASURE_NUMBER_DENSITY;
        pair_place(&pair);
        double fv = 0.07, fb = 0.02, bv = 0.05, bf = 0.04, wet = 0.6;
        pair.sim->materials.fluids[0].gamma_fv = fv, pair.sim->materials.fluids[0].gamma_fb = fb;
        pair.sim->materials.solids[0].gamma_bv = bv, pair.sim->materials.solids[0].gamma_bf = bf;
        pair.sim->materials.pairs[0].wet_weight = wet;
        mn_pass_numbers_now(pair.world);
        mnConstants c = pair.world->constants;
        Measure fluid = measure(&pair, normalised, pair.volume, pair.wall_volume);
        Measure wall = measure(&pair, normalised, pair.wall_volume, pair.volume);
        double share = pair.wall_volume / pow(h, d); /* rest areas are those of a lattice's particle */
        double solid = pair.wall_volume * pair.w3, wetted = wet * pair.volume * pair.w3;
        double by_r = fv * c.area_fv * slope(fluid.contribution) * fluid.change +
                      fb * c.area_fb * slope(solid) * pair.wall_volume * pair.s3 +
                      share * bv * c.area_bv * slope(wall.contribution) * wall.change +
                      share * bf * c.area_bf * slope(wetted) * wet * pair.volume * pair.s3;
        assert_along(&pair, gradient(&pair, 0).force, by_r, fv * c.area_fv / h);
        double energy = share * (bv * c.area_bv * smooth(wall.contribution) + bf * c.area_bf * smooth(wetted));
        mnVec numbers = pair.world->boundary.numbers[0];
        assert_near(mn_measure_boundary_energy(c, pair.world->solids[0], pair.wall_volume, numbers), energy,
                    1e-11 * fv * c.area_fv);
        mn_sim_destroy(pair.sim);
    }
}

/* What a particle's force has more where repulsion is taken late. */
static mnVec late_part(const Pair *pair, int i) {
    mnVec usual = gradient(pair, i).force;
    return mn_sub(update_tension(pair->world)[i], usual);
}

/* Weights b₁ and b₂ by hand and velocities of which, in 3D, the difference along e is 0.65 m/s, or none. */
static void push_late(Pair *pair, bool is_transverse) {
    mnWorld *world = pair->world;
    bool wall = pair->setup.desc.solid_count > 0;
    int flat = pair->d == 2;
    double v1[3] = {0.3, -0.1, flat ? 0 : 0.2}, v2[3] = {-0.4, 0.25, flat ? 0 : 0.1};
    const double across[2][3] = {{2, 4, 0}, {1.6, 1.2, 0}};
    mnVec *other = wall ? world->boundary.velocity : &world->fluid.predicted[pair->second];
    for (int a = 0; a < 3; a++) {
        set(&world->fluid.predicted[pair->first], a, is_transverse ? v2[a] + across[flat][a] : v1[a]);
        set(other, a, v2[a]);
    }
    world->fluid.weights[pair->first] = mn_vec(3e-8, 2e-8, 0, 0);
    *(wall ? world->boundary.weights : &world->fluid.weights[pair->second]) = mn_vec(4e-8, 5e-8, 0, 0);
    world->constants.lateness = 0.5;
}

/* Repulsion that is taken late adds −θΔt k ((v₁ − v₂)·e) e to the first force, k = (b₁V₂ + b₂V₁) max(W'', 0), of which
 * a wall's own b has no part: nothing where the two move across their line, where W'' < 0, which is nearer than 2h/3,
 * and beyond 2h.
 *
 * By hand, in 3D at r = 1.2h: W'' = 12·(1 − 0.6)/(πh³·4h²) = 1.2/(πh⁵) and k = 7·10⁻⁸ J·10⁻⁹ m³·W'' = 0.084/π N/m,
 * which by θΔt = 5·10⁻⁵ s and 0.65 m/s gives 2.73·10⁻⁶/π N. */
static void late_repulsion(void **state) {
    (void)state;
    const double far[] = {0.35e-3, 0.6e-3, 0.7e-3, 0.9e-3, 1.2e-3, 1.7e-3, 1.99e-3, 2.01e-3, 2.4e-3};
    for (int d = 2; d <= 3; d++)
        for (size_t k = 0; k < sizeof far / sizeof *far; k++)
            for (int wall = 0; wall < 2; wall++) {
                Pair pair;
                pair_begin(&pair, d, far[k], 1, wall);
                pair_place(&pair);
                if (wall) pair.first = 0;
                push_late(&pair, false);
                double strength = wall ? 2e-8 * pair.wall_volume : 7e-8 * pair.volume;
                double along = d == 3 ? 0.65 : 0.7 * 0.6 + 0.35 * 0.8, scale = strength * pair.w2_self / h;
                double size = -0.5 * dt * strength * fmax(0, classic_curvature(d, 2 * h, pair.r)) * along;
                assert_true((size != 0) == (pair.r > 2 * h / 3 && pair.r < 2 * h));
                if (d == 3 && !wall && pair.r == 1.2e-3) assert_near(size, -2.73e-6 / PI, 1e-18);
                assert_along(&pair, late_part(&pair, pair.first), size, scale);
                if (!wall) assert_along(&pair, late_part(&pair, pair.second), -size, scale);
                push_late(&pair, true);
                assert_along(&pair, late_part(&pair, pair.first), 0, scale);
                mn_sim_destroy(pair.sim);
            }
}

/* Pairwise attraction: −dE/dr of E = Σ κ V (1 − n), and nothing else. */
static void pairwise_between_fluids(void **state) {
    (void)state;
    FOR_PAIRS for (int two = 0; two < 2; two++) {
        Pair pair;
        pair_begin(&pair, d, distances[k], two ? 2 : 1, false);
        pair.setup.desc.solver.tension_model = MN_TENSION_PAIRWISE;
        pair.setup.fluids[0].cohesion = 30;
        pair.setup.fluids[1].cohesion = 50;
        pair_place(&pair);
        mn_pass_numbers_now(pair.world);
        double force = (two ? 80 : 60) * pair.volume * pair.volume * -pair.s3; /* of the first, along e */
        double scale = 80 * pair.volume * pair.volume * pair.w3_self / h;
        assert_true(force > 0);
        assert_along(&pair, gradient(&pair, pair.first).force, force, scale);
        assert_along(&pair, gradient(&pair, pair.second).force, -force, scale);
        double number = pair.volume * (pair.w3_self + pair.w3), energy = (two ? 80 : 60) * pair.volume * (1 - number);
        assert_near(mn_sim_totals(pair.sim).surface_energy, energy, 1e-11 * energy);
        mn_sim_destroy(pair.sim);
    }
}

/* The squared gradient: both have |∇c| = V |W'|/(V W(0) + V W(r)). */
static void robust_csf_between_fluids(void **state) {
    (void)state;
    FOR_PAIRS {
        Pair pair;
        pair_begin(&pair, d, distances[k], 1, false);
        pair.setup.desc.solver.tension_model = MN_TENSION_ROBUST_CSF;
        pair.setup.fluids[0].squared_gradient = 2e-3;
        pair_place(&pair);
        mn_pass_numbers_now(pair.world);
        double slope = pair.s3 / (pair.w3_self + pair.w3), volumes = pair.volume * pair.volume;
        double force = 2e-3 / 4 * volumes * 2 * slope * slope * -pair.s3, scale = 2e-3 * volumes / h / h * pair.w3_self;
        assert_true(force > 0);
        assert_along(&pair, gradient(&pair, pair.first).force, force, scale / h);
        assert_along(&pair, gradient(&pair, pair.second).force, -force, scale / h);
        assert_true(mn_sim_totals(pair.sim).surface_energy == 0);
        mn_sim_destroy(pair.sim);
    }
}

/* A wall takes part by (1 + cos θ)/2: nothing at 180°, as more of the fluid at 0°. */
static void comparison_models_at_a_wall(void **state) {
    (void)state;
    const double angles[] = {0, 70, 180};
    FOR_PAIRS for (int which = 0; which < 6; which++) {
        Pair pair;
        double angle = angles[which % 3] * PI / 180, share = 0.5 * (1 + cos(angle));
        bool is_pairwise = which < 3;
        pair_begin(&pair, d, distances[k], 1, true);
        pair.setup.desc.solver.tension_model = is_pairwise ? MN_TENSION_PAIRWISE : MN_TENSION_ROBUST_CSF;
        pair.setup.fluids[0].cohesion = 30;
        pair.setup.fluids[0].squared_gradient = 2e-3;
        pair.setup.solids[0].contact_angle = &angle;
        pair_place(&pair);
        mn_pass_numbers_now(pair.world);
        double coloured = share * pair.wall_volume;
        double slope = coloured * pair.s3 / (pair.volume * pair.w3_self + coloured * pair.w3);
        double strength = is_pairwise ? 2 * 30 : 2e-3 / 2 * slope * slope;
        double force = share * strength * pair.volume * pair.wall_volume * -pair.s3;
        double scale = fmax(30, 2e-3 / h / h) * pair.volume * pair.volume * pair.w3_self / h;
        assert_along(&pair, gradient(&pair, 0).force, force, scale);
        assert_true(angle < PI ? force > 0 : force == 0);
        double number = pair.volume * pair.w3_self + 2 * coloured * pair.w3;
        assert_near(mn_sim_totals(pair.sim).surface_energy, is_pairwise ? 30 * pair.volume * (1 - number) : 0,
                    1e-11 * 30 * pair.volume);
        mn_sim_destroy(pair.sim);
    }
}

/* One Jacobi update of friction, sliding and sticking, on a wall that moves. */
static void friction_on_a_wall(void **state) {
    (void)state;
    double omega = 0.7, pressure = 1e7;
    for (int d = 2; d <= 3; d++)
        for (int is_weak = 0; is_weak < 2; is_weak++) {
            Pair pair;
            double mu = is_weak ? 1e-7 : 0.4;
            pair_begin(&pair, d, 0.9 * h, 1, true);
            pair.setup.solids[0].friction = mu;
            pair_place(&pair);
            mnWorld *world = pair.world;
            mnFluidState *fluid = &world->fluid;
            double wall[3] = {0.1, 0.05, d == 3 ? -0.02 : 0}, start[3] = {0.4, -0.3, d == 3 ? 0.25 : 0};
            for (int a = 0; a < 3; a++) {
                set(&world->boundary.velocity[0], a, wall[a]);
                set(&fluid->velocity[0], a, start[a]);
            }
            fluid->pressure[0] = pressure;
            world->constants.relaxation_pressure = omega;
            mn_run(world, MN_PASS_start);
            mn_pass_diagonals(world);
            mn_run(world, MN_PASS_push);
            mn_run(world, MN_PASS_force);
            mn_pass_update(world, NULL);

            double mass = 1000 * pair.volume, weight = pair.wall_volume * pair.w2, normal_force;
            double velocity[3], slip[3], along = 0, force[3], size = 0;
            double push = world->constants.wall * pair.wall_volume * pair.s2; /* β V_b W' */
            normal_force = -pair.volume * pressure * push;                    /* along −e */
            for (int a = 0; a < 3; a++) {
                velocity[a] = start[a] - dt / mass * normal_force * pair.e[a];
                slip[a] = weight * (velocity[a] - wall[a]);
                along += slip[a] * pair.e[a];
            }
            /* eq. 18a: friction is bounded by the pressure of the same iteration. */
            double along_e = along / weight;
            double error = 1 - pair.volume * pair.w2_self - world->constants.wall * weight + dt * along_e * push;
            double next = fmax(0, pressure - omega * error / (dt * dt * pair.volume / mass * push * push));
            double alpha = d / ((d - 1) * (dt / mass) * weight);
            for (int a = 0; a < 3; a++) {
                force[a] = -alpha * (slip[a] - along * pair.e[a]);
                size += force[a] * force[a];
            }
            double limit = mu * normal_force / pressure * next, cut = fmin(1, limit / sqrt(size));
            assert_true(is_weak ? cut < 0.5 : cut == 1);
            assert_near(fluid->next_pressure[0], next, 1e-11 * pressure);
            assert_along(&pair, world->neighbours.contacts.normal[0], -1, 1);
            assert_near(world->neighbours.contacts.normal[0].w, -push, 1e-11 * pair.w2_self / h);
            assert_near(fluid->mu[0], mu, 1e-12);
            for (int a = 0; a < 3; a++)
                assert_near(get(fluid->MN_NEXT_FRICTION[0], a), omega * cut * force[a], 1e-9 * limit);
            mn_sim_destroy(pair.sim);
        }
}

/* F₁ = −2(d+2) μ V² (−W'/r)/(r² + 0.04 h²)·((v₁ − v₂)·x) x with the harmonic mean of the viscosities. */
static void viscosity(void **state) {
    (void)state;
    FOR_PAIRS for (int wall = 0; wall < 2; wall++) {
        Pair pair;
        pair_begin(&pair, d, distances[k], wall ? 1 : 2, wall);
        pair.setup.fluids[0].viscosity = 0.2;
        pair.setup.fluids[1].viscosity = 0.6;
        pair_place(&pair);
        mnWorld *world = pair.world;
        int i = wall ? 0 : pair.first;
        double v1[3] = {0.3, -0.1, d == 3 ? 0.2 : 0}, v2[3] = {-0.4, 0.25, d == 3 ? 0.1 : 0}, along = 0;
        mnVec *other = wall ? world->boundary.velocity : &world->fluid.velocity[pair.second];
        for (int a = 0; a < 3; a++) {
            set(&world->fluid.velocity[i], a, v1[a]);
            set(other, a, v2[a]);
            along += (v1[a] - v2[a]) * pair.e[a];
        }
        double mean = wall ? 0.2 : 2 * 0.2 * 0.6 / 0.8, volumes = pair.volume * (wall ? pair.wall_volume : pair.volume);
        double size = 2 * (d + 2) * mean * volumes * (-pair.s2 / pair.r) / (pair.r * pair.r + 0.04 * h * h) * along *
                      pair.r * pair.r;
        mnVec drag =
            mn_viscosity_drag_at(i, world->constants, mn_around_fluid(world, i), world->fluid.position,
                                 world->fluid.velocity, world->fluid.phase, world->boundary.position,
                                 world->boundary.velocity, world->boundary.solid, world->fluids, world->solids, 1);
        assert_along(&pair, drag, size, volumes * pair.w2_self / h);
        mn_sim_destroy(pair.sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_between_fluids),
        cmocka_unit_test(pressure_at_a_wall),
        cmocka_unit_test(volume_errors),
        cmocka_unit_test(volume_recovery),
        cmocka_unit_test(tension_between_fluids),
        cmocka_unit_test(tension_at_a_wall),
        cmocka_unit_test(late_repulsion),
        cmocka_unit_test(pairwise_between_fluids),
        cmocka_unit_test(robust_csf_between_fluids),
        cmocka_unit_test(comparison_models_at_a_wall),
        cmocka_unit_test(friction_on_a_wall),
        cmocka_unit_test(viscosity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
