/* Simulations on an OpenCL device: the same as on the CPU but for rounding, the same bits twice, neighbours against a
 * look at every pair. */
#include "opencl_cases.h"

/* ---- the same as on the CPU -------------------------------------------------------------------------------------- */

/* The two differ by how sums over neighbours are rounded, 1e-7 each, which a stiff system makes more of. With -O3 and
 * with -O1 there were, at most, 5e-6 of the spacing, 2e-5 of the fastest particle's speed, 4e-5 of the largest pressure
 * (2e-4 with the paper's setting, which undoes all of a compression in one step), and 3e-5 of sums over all. */
static const double NEAR = 3e-5, SPEED = 1e-4, PRESSURE = 2e-4, PRESSURE_PAPER = 1e-3, SUM = 1e-4;

enum { STEPS = 5 };

static double distance(mnVec a, mnVec b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* The farthest that particles of the same id are apart, and what that is to be compared with. */
typedef struct Gap {
    double position, velocity, pressure; /* m, m/s, Pa */
    double speed, largest_pressure;
} Gap;

static Gap gap_between(const mnSim *a, const mnSim *b) {
    mnParticles p = mn_sim_particles(a), q = mn_sim_particles(b);
    Gap gap = {0};
    assert_int_equal(p.count, q.count);
    assert_int_equal(a->next_id, b->next_id);
    int64_t *at = malloc((size_t)(a->next_id + 1) * sizeof *at);
    for (int64_t i = 0; i < a->next_id; i++) at[i] = -1;
    for (int64_t i = 0; i < q.count; i++) at[q.id[i]] = i;
    for (int64_t i = 0; i < p.count; i++) {
        int64_t j = at[p.id[i]];
        assert_true(j >= 0);
        assert_int_equal(p.phase[i], q.phase[j]);
        gap.position = fmax(gap.position, distance(p.position[i], q.position[j]));
        gap.velocity = fmax(gap.velocity, distance(p.velocity[i], q.velocity[j]));
        gap.pressure = fmax(gap.pressure, fabs((double)p.pressure[i] - (double)q.pressure[j]));
        gap.speed = fmax(gap.speed, distance(p.velocity[i], mn_vec(0, 0, 0, 0)));
        gap.largest_pressure = fmax(gap.largest_pressure, (double)p.pressure[i]);
    }
    free(at);
    return gap;
}

/* The largest difference of sums over all, each relative to what it is a sum of. */
static double total_gap(const mnTotals *a, const mnTotals *b, double speed, double h) {
    double gap = fabs(a->mass - b->mass) / a->mass;
    for (int k = 0; k < 3; k++) {
        gap = fmax(gap, fabs(a->momentum[k] - b->momentum[k]) / (a->mass * speed));
        gap = fmax(gap, fabs(a->centre[k] - b->centre[k]) / h);
    }
    gap = fmax(gap, fabs(a->kinetic_energy - b->kinetic_energy) / a->kinetic_energy);
    gap = fmax(gap, fabs(a->surface_energy - b->surface_energy) / fmax(fabs(a->surface_energy), 1e-12));
    gap = fmax(gap, fabs(a->mean_pressure - b->mean_pressure) / a->mean_pressure);
    gap = fmax(gap, fabs(a->normal_force - b->normal_force) / fmax(a->normal_force, 1e-12));
    return fmax(gap, fabs(a->max_compression - b->max_compression));
}

static void same_as_on_the_cpu(void **state) {
    const Case *c = *state;
    int index = (int)(c - cases);
    mnSim *here = create_case(index, "cpu"), *there = create_case(index, "opencl");
    int64_t emitted = 0, removed = 0;
    assert_true(mn_sim_device_memory(there) > 0 && mn_sim_device_memory(here) == 0);
    for (int step = 0; step < STEPS; step++) {
        mnStepReport a = sim_step(here), b = sim_step(there);
        assert_int_equal(a.iterations, b.iterations);
        assert_int_equal(a.viscosity_iterations, b.viscosity_iterations);
        assert_int_equal(a.emitted, b.emitted);
        assert_int_equal(a.removed, b.removed);
        assert_near(b.max_velocity, a.max_velocity, SPEED * a.max_velocity);
        emitted += a.emitted;
        removed += a.removed;
    }
    double h = here->scene->spacing;
    Gap gap = gap_between(here, there);
    mnTotals a = mn_sim_totals(here), b = mn_sim_totals(there);
    double total = total_gap(&a, &b, gap.speed, h);
    print_message("%s, %lld particles: x %.1e h, v %.1e, p %.1e, totals %.1e\n", c->name,
                  (long long)mn_sim_particles(there).count, gap.position / h, gap.velocity / gap.speed,
                  gap.pressure / gap.largest_pressure, total);
    assert_true(gap.position <= NEAR * h);
    assert_true(gap.velocity <= SPEED * gap.speed);
    assert_true(gap.pressure <=
                (here->scene->solver.preset == MN_PRESET_PAPER ? PRESSURE_PAPER : PRESSURE) * gap.largest_pressure);
    assert_true(total <= SUM);
    /* What a case is about does happen in it. */
    if (here->scene->sink_count > 0 && here->scene->emitter_count > 0) assert_true(emitted > 100 && removed > 50);
    if ((index >= SLIDE && index < SLIDE + 8) || index == LONG) assert_true(a.normal_force > 0);
    if (index == LONG) assert_true(here->world.constants.lateness > 1);
    mn_sim_destroy(here);
    mn_sim_destroy(there);
}

/* ---- the same bits twice ----------------------------------------------------------------------------------------- */

static void same_bits(const mnSim *a, const mnSim *b) {
    mnParticles p = mn_sim_particles(a), q = mn_sim_particles(b);
    mnBoundary r = mn_sim_boundary(a), s = mn_sim_boundary(b);
    size_t fluid = (size_t)p.count, walls = (size_t)r.count;
    assert_int_equal(p.count, q.count);
    assert_memory_equal(p.position, q.position, fluid * sizeof *p.position);
    assert_memory_equal(p.velocity, q.velocity, fluid * sizeof *p.velocity);
    assert_memory_equal(p.pressure, q.pressure, fluid * sizeof *p.pressure);
    assert_memory_equal(p.measure, q.measure, fluid * sizeof *p.measure);
    assert_memory_equal(p.phase, q.phase, fluid * sizeof *p.phase);
    assert_memory_equal(p.id, q.id, fluid * sizeof *p.id);
    assert_int_equal(r.count, s.count);
    assert_memory_equal(r.position, s.position, walls * sizeof *r.position);
    assert_memory_equal(r.velocity, s.velocity, walls * sizeof *r.velocity);
    assert_memory_equal(r.solid, s.solid, walls * sizeof *r.solid);
    mnTotals t = mn_sim_totals(a), u = mn_sim_totals(b);
    assert_memory_equal(&t, &u, sizeof t);
}

/* One of the two is looked at after every step, which must not change anything. */
static void two_runs_give_the_same_bits(void **state) {
    (void)state;
    static const int which[] = {SLIDE, PLATE, JET};
    for (size_t k = 0; k < sizeof which / sizeof *which; k++) {
        mnSim *a = create_case(which[k], "opencl"), *b = create_case(which[k], "opencl");
        same_bits(a, b);
        int64_t removed = 0;
        for (int step = 0; step < 10; step++) {
            mnStepReport r = sim_step(a), s = sim_step(b);
            assert_true(r.residual_volume == s.residual_volume && r.residual_tension == s.residual_tension);
            removed += r.removed;
            mn_sim_particles(a);
            mn_sim_totals(a);
        }
        same_bits(a, b);
        if (which[k] == JET) assert_true(removed > 100);
        mn_sim_destroy(a);
        mn_sim_destroy(b);
    }
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

enum { STRIDE = 32, RUN = 4 }; /* MN_STRIDE and MN_RUN of kernels/lanes.h in OpenCL */
static const double h = 1e-3, SKIN = 0.1;

/* What a device has listed. */
typedef struct Lists {
    mnSpan *fluid, *walls;
    int32_t *contact, *active, *near, *far;
} Lists;

static void *read_back(mnDeviceWorld *on, const mnBuffer *buffer) {
    void *bytes = malloc(buffer->bytes);
    mn_buffer_read(on->device, buffer, 0, buffer->bytes, bytes);
    check_device(on->device);
    return bytes;
}

static Lists read_lists(mnDeviceWorld *on) {
    return (Lists){.fluid = read_back(on, &on->fluid[MN_FLUID_span]),
                   .walls = read_back(on, &on->boundary[MN_BOUNDARY_span]),
                   .contact = read_back(on, &on->fluid[MN_FLUID_contact]),
                   .active = read_back(on, &on->boundary[MN_BOUNDARY_active]),
                   .near = read_back(on, &on->near_list),
                   .far = read_back(on, &on->far_list)};
}

static void free_lists(Lists *lists) {
    void *all[] = {lists->fluid, lists->walls, lists->contact, lists->active, lists->near, lists->far};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

/* A pair whose distance is a radius to within rounding may be in the list or not. */
static bool is_on(double r, double radius) {
    return fabs(r / radius - 1) < 1e-5;
}

/* Entries [first, end) of a list must lie within [low, high) spacings of x, none twice. Marks them. */
static void check_part(const int32_t *list, int first, int end, double low, double high, mnVec x, const mnVec *others,
                       int64_t other_count, int64_t self, uint8_t *is_listed) {
    for (int k = first; k < end; k++) {
        int32_t j = list[k / RUN * RUN * STRIDE + k % RUN];
        assert_true(j >= 0 && j < other_count && j != self && !is_listed[j]);
        is_listed[j] = 1;
        double r = distance(x, others[j]) / h;
        assert_true((r >= low || is_on(r, low)) && (r < high || is_on(r, high)));
    }
}

static void check_whole(const mnVec *others, int64_t count, double high, mnVec x, int64_t self,
                        const uint8_t *is_listed) {
    for (int64_t j = 0; j < count; j++) {
        double r = distance(x, others[j]) / h;
        if (j != self && !is_listed[j]) assert_true(r >= high || is_on(r, high));
    }
}

static void check_around(const Lists *lists, mnSpan span, mnVec x, bool is_wall, int64_t self, const mnWorld *world) {
    const double near = 2 + SKIN, far = 3 + SKIN;
    const mnVec *fluid = world->fluid.position, *walls = world->boundary.position;
    int64_t fluid_count = world->fluid.count, wall_count = world->boundary.count;
    enum { GRAIN = 4 }; /* MN_GRAIN in OpenCL */
    const int32_t *near_list = lists->near + GRAIN * (int64_t)span.near;
    const int32_t *far_list = lists->far + GRAIN * (int64_t)span.far;
    uint8_t *is_listed = calloc((size_t)(fluid_count + wall_count + 1), 1);
    check_part(near_list, 0, span.near_fluid, 0, near, x, fluid, fluid_count, self, is_listed);
    check_part(far_list, 0, span.far_fluid, near, far, x, fluid, fluid_count, self, is_listed);
    check_whole(fluid, fluid_count, far, x, self, is_listed);
    memset(is_listed, 0, (size_t)(fluid_count + wall_count + 1));
    check_part(near_list, span.near_fluid, span.near_all, 0, near, x, walls, wall_count, -1, is_listed);
    check_part(far_list, span.far_fluid, span.far_all, near, far, x, walls, wall_count, -1, is_listed);
    if (is_wall)
        assert_true(span.near_all == span.near_fluid && span.far_all == span.far_fluid);
    else
        check_whole(walls, wall_count, far, x, -1, is_listed);
    free(is_listed);
}

static void check_lists(mnSim *sim) {
    mnWorld *world = &sim->world;
    Lists lists = read_lists(world->device);
    assert_int_equal(mn_sim_look(sim, &error), MN_OK);
    int32_t contacts = 0;
    for (int64_t i = 0; i < world->fluid.count; i++) {
        mnSpan span = lists.fluid[i];
        check_around(&lists, span, world->fluid.position[i], false, i, world);
        assert_int_equal(lists.contact[i], span.near_all > span.near_fluid ? contacts++ : -1);
    }
    assert_int_equal(world->neighbours.contacts.count, contacts);
    int64_t active = 0;
    for (int64_t b = 0; b < world->boundary.count; b++) {
        if (lists.walls[b].near_all + lists.walls[b].far_all > 0) assert_int_equal(lists.active[active++], b);
        check_around(&lists, lists.walls[b], world->boundary.position[b], true, -1, world);
    }
    assert_int_equal(world->boundary.active_count, active);
    free_lists(&lists);
}

typedef struct Cloud {
    int dimension, fluid, walls, lonely;
    double width; /* of the cloud around the origin, h */
    double dead;  /* share of the fluid */
} Cloud;

static mnSim *make_cloud(const Cloud *cloud, uint64_t *seed) {
    static Setup setup;
    setup_begin(&setup, cloud->dimension, h, 1, cloud->walls > 0);
    mnSim *sim = sim_begin(&setup, 1);
    for (int k = 0; k < cloud->fluid + cloud->walls; k++) {
        double x[3] = {0, 0, 0};
        for (int a = 0; a < cloud->dimension; a++) x[a] = h * uniform(seed, -cloud->width, cloud->width);
        if (k < cloud->fluid)
            put_fluid(sim, x[0], x[1], x[2], 0);
        else
            put_boundary(sim, x[0], x[1] - 2 * h, x[2], h * h * uniform(seed, 0.5, 1.5), 0);
    }
    if (cloud->lonely) put_fluid(sim, -5000 * h, 777 * h, cloud->dimension == 3 ? 30000 * h : 0, 0);
    sim_end(sim);
    return sim;
}

/* Sums of walls that lie at the same place, by the CPU and by the device. */
static void check_own(const mnVec *position, const mnVec *own, const mnBoundaryState *boundary) {
    for (int64_t b = 0; b < boundary->count; b++) {
        int64_t a = 0;
        while (a < boundary->count && distance(position[a], boundary->position[b]) > 0) a++;
        assert_true(a < boundary->count);
        assert_near(boundary->own[b].x, own[a].x, 1e-5 * (double)own[a].x);
        assert_near(boundary->own[b].y, own[a].y, 1e-5 * (double)own[a].y);
    }
}

/* Searches once more with room to keep the hits of some chunks, then of all. */
static void check_with_kept_hits(mnSim *sim) {
    static const size_t chunks[] = {3, 100};
    mnDeviceWorld *on = sim->world.device;
    for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
        size_t bytes = chunks[k] * ((size_t)sim->world.fluid.count + STRIDE) * 2 * sizeof(uint32_t);
        assert_true(mn_device_world_room(on, &on->history, "of the accelerator", bytes));
        assert_int_equal(mn_run_search(&sim->world, &sim->memory, 0, MN_REACH_MAX, SKIN), MN_SEARCH_OK);
        check_lists(sim);
    }
}

static void neighbours_are_those_of_all_pairs(void **state) {
    (void)state;
    static const Cloud clouds[] = {{3, 700, 300, 0, 5, 0},    {3, 900, 0, 1, 7, 0.2},    {2, 600, 150, 1, 9, 0},
                                   {2, 500, 100, 0, 9, 0.5},  {3, 0, 200, 0, 4, 0},      {3, 300, 300, 0, 4, 1},
                                   {3, 1, 1, 0, 1, 0},        {3, 1500, 400, 1, 2.5, 0}, {2, 33, 31, 0, 40, 0.1},
                                   {3, 200, 100, 0, 300, 0.1}};
    uint64_t seed = 99;
    for (size_t c = 0; c < sizeof clouds / sizeof *clouds; c++) {
        mnSim *sim = make_cloud(&clouds[c], &seed);
        mnWorld *world = &sim->world;
        int64_t walls = world->boundary.count, fluid = world->fluid.count, removed = 0;
        mnVec *position = copy_of(world->boundary.position, walls), *own = copy_of(world->boundary.own, walls);
        assert_int_equal(mn_run_move(world, &sim->memory, "opencl", false, &error), MN_OK);
        uint8_t *dead = calloc((size_t)fluid + 1, 1), *dies = calloc((size_t)fluid + 1, 1);
        for (int64_t i = 0; i < fluid; i++) {
            dead[i] = uniform(&seed, 0, 1) < clouds[c].dead;
            dies[world->fluid.id[i]] = dead[i];
            removed += dead[i];
        }
        mn_buffer_write(world->device->device, &world->device->fluid[MN_FLUID_dead], 0, (size_t)fluid, dead);
        assert_int_equal(mn_run_search(world, &sim->memory, removed, MN_REACH_MAX, SKIN), MN_SEARCH_OK);
        assert_int_equal(world->fluid.count, fluid - removed);
        check_lists(sim);
        check_with_kept_hits(sim);
        for (int64_t i = 0; i < world->fluid.count; i++) assert_false(dies[world->fluid.id[i]]);
        assert_true(mn_run_walls_own(world, &sim->memory, true));
        assert_int_equal(mn_sim_look(sim, &error), MN_OK);
        check_own(position, own, &world->boundary);
        free(dead);
        free(dies);
        free(position);
        free(own);
        mn_sim_destroy(sim);
    }
}

static void lost_particles_are_told(void **state) {
    (void)state;
    static const double places[] = {NAN, INFINITY, -1e30, 1e7};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        uint64_t seed = 5;
        mnSim *sim = make_cloud(&(Cloud){3, 50, 20, 0, 3, 0}, &seed);
        assert_int_equal(mn_run_move(&sim->world, &sim->memory, "opencl", false, &error), MN_OK);
        mnVec x = mn_vec(0, (mnReal)places[k], 0, 1);
        mn_buffer_write(sim->world.device->device, &sim->world.device->fluid[MN_FLUID_position], 0, sizeof x, &x);
        assert_int_equal(mn_run_search(&sim->world, &sim->memory, 0, MN_REACH_MAX, SKIN), MN_SEARCH_LOST);
        check_device(sim->world.device->device);
        mn_sim_destroy(sim);
    }
}

/* One particle in a heap of walls: as many as a span can tell, and more. */
static void crowds_are_told(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        uint64_t seed = 7;
        mnSim *sim = make_cloud(&(Cloud){3, 1, MN_SPAN_MOST + more, 0, 40, 0}, &seed);
        assert_int_equal(mn_run_move(&sim->world, &sim->memory, "opencl", false, &error), MN_OK);
        mnDeviceWorld *on = sim->world.device;
        const mnVec heap = {0, 0, 0, 1};
        const mnBuffer *places[] = {&on->fluid[MN_FLUID_position], &on->boundary[MN_BOUNDARY_position]};
        for (int k = 0; k < 2; k++) mn_buffer_fill(on->device, places[k], 0, places[k]->bytes, &heap, sizeof heap);
        mn_run_walls_moved(&sim->world);
        assert_int_equal(mn_run_search(&sim->world, &sim->memory, 0, MN_REACH_MAX, SKIN),
                         more ? MN_SEARCH_CROWDED : MN_SEARCH_OK);
        check_device(on->device);
        mn_sim_destroy(sim);
    }
}

int main(void) {
    if (!has_device()) return TEST_SKIPPED;
    const struct CMUnitTest others[] = {cmocka_unit_test(two_runs_give_the_same_bits),
                                        cmocka_unit_test(neighbours_are_those_of_all_pairs),
                                        cmocka_unit_test(lost_particles_are_told), cmocka_unit_test(crowds_are_told)};
    enum { OTHERS = sizeof others / sizeof *others };
    struct CMUnitTest tests[CASES + OTHERS];
    for (int c = 0; c < CASES; c++)
        tests[c] = (struct CMUnitTest){cases[c].name, same_as_on_the_cpu, NULL, NULL, (void *)&cases[c]};
    memcpy(tests + CASES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
