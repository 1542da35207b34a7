/* Viscosity against what it must do to flows. Only velocities change here: particles stay where they are, so that the
 * viscous step is seen alone. */
#include "field_helpers.h"

static const double h = 1e-3, density = 1000;

static mnSim *block_begin(Setup *setup, int dimension, double viscosity, bool with_walls) {
    setup_begin(setup, dimension, h, 1, with_walls ? 2 : 0);
    setup->fluids[0].viscosity = viscosity;
    return sim_begin(setup, 1);
}

/* Fluid of length × height spacings about the origin, with walls below and above. The lattice is turned by 22.5°
 * against the flow: with its 12 neighbours it shears at 0.65 of the viscosity along its axes and 1.31 along its
 * diagonals, and at the mean, which a disordered fluid has, half way between. */
static void put_channel(mnSim *sim, int length, int height, double jitter) {
    uint64_t seed = 3;
    double wall = sim->scene->solid_count > 0 ? 3 : 0, c = cos(PI / 8), s = sin(PI / 8);
    for (int j = -length; j <= length; j++)
        for (int i = -length; i <= length; i++) {
            double u = i + uniform(&seed, -jitter, jitter), v = j + uniform(&seed, -jitter, jitter);
            double x = c * u - s * v, y = s * u + c * v;
            if (fabs(x) > 0.5 * length || fabs(y) > 0.5 * height + wall) continue;
            if (fabs(y) > 0.5 * height)
                put_boundary(sim, h * x, h * y, 0, h * h, y > 0);
            else
                put_fluid(sim, h * x, h * y, 0, 0);
        }
}

static void diffuse(mnSim *sim, int steps, double dt) {
    mnWorld *world = &sim->world;
    mnVec *velocity = calloc((size_t)world->fluid.count, sizeof *velocity);
    world->constants.dt = (mnReal)dt;
    for (int step = 0; step < steps; step++) {
        mn_run(world, MN_PASS_start);
        mn_viscosity_solve(world);
        FIELD_READ(sim, start, velocity);
        for (int64_t i = 0; i < world->fluid.count; i++) velocity[i] = mn_scale(1, velocity[i]);
        FIELD_WRITE(sim, velocity, velocity);
    }
    free(velocity);
}

/* The share of sin(k·y) in v_x over the middle third, which the open ends do not reach. */
static double amplitude(const mnSim *sim, double k, double half_length) {
    mnParticles p = mn_sim_particles(sim);
    double with = 0, norm = 0;
    for (int64_t i = 0; i < p.count; i++) {
        mnVec x = p.position[i];
        double s = sin(k * (double)x.y);
        if (fabs((double)x.x) > half_length / 3) continue;
        with += s * (double)p.velocity[i].x;
        norm += s * s;
    }
    return with / norm;
}

/* v_x = sin(k y) has no shear at y = ±π/2k, where the free surfaces are: it decays with ν k². */
static void sine_shear_decays(void **state) {
    (void)state;
    const double viscosities[] = {0.05, 5};
    for (int n = 0; n < 2; n++) {
        Setup setup;
        int length = 120, height = 20;
        mnSim *sim = block_begin(&setup, 2, viscosities[n], false);
        put_channel(sim, length, height, 0.1);
        double k = PI / (height * h), rate = viscosities[n] / density * k * k, dt = 0.01 / rate;
        for (int64_t i = 0; i < sim->world.fluid.count; i++)
            sim->world.fluid.velocity[i].x = (mnReal)sin(k * (double)sim->world.fluid.position[i].y);
        sim_end(sim);
        double before = amplitude(sim, k, 0.5 * length * h);
        diffuse(sim, 40, dt);
        double found = log(before / amplitude(sim, k, 0.5 * length * h)) / (40 * dt);
        print_message("viscosity %g: the sine decays at %.3f of its rate\n", viscosities[n], found / rate);
        assert_near(found, rate, 0.1 * rate);
        mn_sim_destroy(sim);
    }
}

/* Between a wall at rest and one that moves the flow becomes a straight line. */
static void moving_wall_drags(void **state) {
    (void)state;
    Setup setup;
    int length = 90, height = 10;
    mnSim *sim = block_begin(&setup, 2, 1, true);
    put_channel(sim, length, height, 0.1);
    for (int64_t b = 0; b < sim->world.boundary.count; b++)
        if (sim->world.boundary.solid[b] == 1) sim->world.boundary.velocity[b].x = (mnReal)0.2;
    sim_end(sim);
    diffuse(sim, 200, height * h * height * h * density * 0.02);
    mnParticles p = mn_sim_particles(sim);
    double sum = 0, moment = 0, squares = 0, count = 0;
    for (int64_t i = 0; i < p.count; i++) {
        mnVec x = p.position[i];
        if (fabs((double)x.x) > 0.15 * length * h) continue;
        sum += (double)p.velocity[i].x;
        moment += (double)p.velocity[i].x * (double)x.y;
        squares += (double)x.y * (double)x.y;
        count++;
    }
    print_message("mean %.4f (0.1), shear %.3f of U/H\n", sum / count, moment / squares * height * h / 0.2);
    assert_near(sum / count, 0.1, 0.005);
    assert_near(moment / squares, 0.2 / (height * h), 0.1 * 0.2 / (height * h));
    mn_sim_destroy(sim);
}

/* A fluid that moves along slip walls as a whole does not feel them; along sticky ones it comes to rest. */
static void slip_walls_do_not_drag(void **state) {
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        Setup setup;
        setup_begin(&setup, 2, h, 1, 2);
        setup.fluids[0].viscosity = 1;
        setup.solids[0].slip = setup.solids[1].slip = slip;
        mnSim *sim = sim_begin(&setup, 1);
        put_channel(sim, 20, 6, 0.1);
        for (int64_t i = 0; i < sim->world.fluid.count; i++) sim->world.fluid.velocity[i].x = 1;
        sim_end(sim);
        diffuse(sim, 10, 0.05);
        mnParticles p = mn_sim_particles(sim);
        for (int64_t i = 0; i < p.count; i++) {
            if (slip)
                assert_true(p.velocity[i].x == 1 && p.velocity[i].y == 0);
            else
                assert_true(fabsf((float)p.velocity[i].x) < 0.05f);
        }
        mn_sim_destroy(sim);
    }
}

/* ---- blobs ------------------------------------------------------------------------------------------------------- */

typedef struct Motion {
    double momentum[3], spin[3], energy;
} Motion;

/* Per unit of density. */
static Motion motion_of(const mnSim *sim) {
    Motion m = {0};
    mnParticles p = mn_sim_particles(sim);
    for (int64_t i = 0; i < p.count; i++)
        for (int a = 0; a < 3; a++) {
            mnVec x = p.position[i], v = p.velocity[i];
            double volume = (double)x.w;
            m.momentum[a] += volume * get(v, a);
            m.spin[a] +=
                volume * (get(x, (a + 1) % 3) * get(v, (a + 2) % 3) - get(x, (a + 2) % 3) * get(v, (a + 1) % 3));
            m.energy += 0.5 * volume * get(v, a) * get(v, a);
        }
    return m;
}

/* A jiggled ball about the origin in random motion on top of a spin. */
static mnSim *make_ball(double viscosity) {
    Setup setup;
    uint64_t seed = 12;
    mnSim *sim = block_begin(&setup, 3, viscosity, false);
    for (int k = -5; k <= 5; k++)
        for (int j = -5; j <= 5; j++)
            for (int i = -5; i <= 5; i++) {
                if (i * i + j * j + k * k > 27) continue;
                double x[3] = {h * i, h * j, h * k};
                for (int a = 0; a < 3; a++) x[a] += h * uniform(&seed, -0.1, 0.1);
                put_fluid(sim, x[0], x[1], x[2], 0);
            }
    for (int64_t i = 0; i < sim->world.fluid.count; i++) {
        mnVec x = sim->world.fluid.position[i];
        sim->world.fluid.velocity[i] =
            mn_vec((mnReal)uniform(&seed, -1, 1) - 300 * x.y, (mnReal)uniform(&seed, -1, 1) + 300 * x.x,
                   (mnReal)uniform(&seed, 0, 1), 0);
    }
    sim_end(sim);
    return sim;
}

static void momentum_is_conserved(void **state) {
    (void)state;
    const double viscosities[] = {1e-3, 1, 1e4};
    for (int n = 0; n < 3; n++) {
        mnSim *sim = make_ball(viscosities[n]);
        Motion before = motion_of(sim);
        double volume = (double)sim->world.fluid.count * h * h * h, speed = sqrt(2 * before.energy / volume);
        diffuse(sim, 10, 1e-3);
        Motion after = motion_of(sim);
        for (int a = 0; a < 3; a++) {
            assert_near(after.momentum[a], before.momentum[a], 1e-6 * volume * speed);
            assert_near(after.spin[a], before.spin[a], 1e-6 * volume * speed * 5 * h);
        }
        assert_true(after.energy < before.energy);
        mn_sim_destroy(sim);
    }
}

/* Solves the 3 × 3 system by Cramer's rule. */
static void solve_three(double m[3][3], const double right[3], double out[3]) {
    double det = 0;
    for (int a = 0; a < 3; a++)
        det += m[0][a] * (m[1][(a + 1) % 3] * m[2][(a + 2) % 3] - m[1][(a + 2) % 3] * m[2][(a + 1) % 3]);
    for (int c = 0; c < 3; c++) {
        double n[3][3];
        memcpy(n, m, sizeof n);
        for (int r = 0; r < 3; r++) n[r][c] = right[r];
        out[c] = 0;
        for (int a = 0; a < 3; a++)
            out[c] += n[0][a] * (n[1][(a + 1) % 3] * n[2][(a + 2) % 3] - n[1][(a + 2) % 3] * n[2][(a + 1) % 3]) / det;
    }
}

/* Root mean square of what is left when the rigid motion with the same momentum and spin is taken away. */
static double not_rigid(const mnSim *sim) {
    Motion m = motion_of(sim);
    mnParticles particles = mn_sim_particles(sim);
    const mnVec *places = particles.position;
    double count = (double)particles.count, volume = count * h * h * h, centre[3] = {0}, inertia[3][3] = {{0}};
    double spin[3], omega[3], sum = 0;
    for (int64_t i = 0; i < particles.count; i++)
        for (int a = 0; a < 3; a++) centre[a] += get(places[i], a) / count;
    for (int64_t i = 0; i < particles.count; i++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double xa = get(places[i], a) - centre[a];
                double xb = get(places[i], b) - centre[b];
                inertia[a][b] -= h * h * h * xa * xb;
                for (int c = 0; c < 3 && a == b; c++) {
                    double xc = get(places[i], c) - centre[c];
                    inertia[a][b] += h * h * h * xc * xc;
                }
            }
    for (int a = 0; a < 3; a++) {
        int p = (a + 1) % 3, q = (a + 2) % 3;
        spin[a] = m.spin[a] - (centre[p] * m.momentum[q] - centre[q] * m.momentum[p]);
    }
    solve_three(inertia, spin, omega);
    for (int64_t i = 0; i < particles.count; i++)
        for (int a = 0; a < 3; a++) {
            int p = (a + 1) % 3, q = (a + 2) % 3;
            mnVec x = places[i];
            double rigid =
                m.momentum[a] / volume + omega[p] * (get(x, q) - centre[q]) - omega[q] * (get(x, p) - centre[p]);
            double rest = get(particles.velocity[i], a) - rigid;
            sum += rest * rest;
        }
    return sqrt(sum / count);
}

static void stiff_blob_moves_as_a_whole(void **state) {
    (void)state;
    mnSim *sim = make_ball(1e4);
    double before = not_rigid(sim);
    diffuse(sim, 1, 1e-3);
    double once = not_rigid(sim);
    diffuse(sim, 4, 1e-3);
    print_message("not rigid: %.3g, after one step %.3g, after five %.3g m/s\n", before, once, not_rigid(sim));
    assert_true(once < 0.02 * before);
    assert_true(not_rigid(sim) < 1e-3 * before);
    mn_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_shear_decays),           cmocka_unit_test(moving_wall_drags),
        cmocka_unit_test(slip_walls_do_not_drag),      cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(stiff_blob_moves_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
