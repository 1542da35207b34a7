/* Walls that sleep, against a look at every one of them. */
#include "base/parallel.h"
#include "sim_helpers.h"

static const double h = 1e-3;
enum { WALLS = 4000, FLUID = 40 };

typedef struct Rig {
    mnMemory memory;
    mnFluidState fluid;
    mnBoundaryState boundary;
    mnNeighbours neighbours;
    mnConstants constants;
} Rig;

/* Walls in a slab around a point, of three solids that lie through each other, and fluid in one place above it. */
static mnVec wall_place(int dimension, double at, uint64_t *seed) {
    mnVec x = mn_vec((mnReal)(at + uniform(seed, -20, 20) * h), (mnReal)(at + uniform(seed, -2, 2) * h), 0, 0);
    if (dimension == 3) x.z = (mnReal)(at + uniform(seed, -20, 20) * h);
    x.w = (mnReal)(uniform(seed, 0.3, 1.5) * 1e-9);
    return x;
}

static void pour(Rig *rig, int dimension, double at, double along, uint64_t *seed) {
    for (int64_t i = 0; i < FLUID; i++) {
        rig->fluid.position[i] = mn_vec((mnReal)(at + (along + uniform(seed, -2, 2)) * h),
                                        (mnReal)(at + uniform(seed, 1, 4) * h), (mnReal)0, (mnReal)1e-9);
        if (dimension == 3) rig->fluid.position[i].z = (mnReal)(at + uniform(seed, -2, 2) * h);
    }
}

static mnConstants constants_of(int dimension) {
    mnConstants c = {.dimension = dimension, .spacing = (mnReal)h};
    mnSpline near = {(mnReal)(0.5 / h), (mnReal)classic_sigma(dimension, 2 * h), 0};
    mnSpline wide = {(mnReal)(1 / (3 * h)), (mnReal)classic_sigma(dimension, 3 * h), 0};
    c.near = near, c.wide = wide;
    return c;
}

static void rig_begin(Rig *rig, int dimension, double at) {
    uint64_t seed = 7;
    *rig = (Rig){.memory = mn_memory_create((mnAllocator){0}, 0),
                 .neighbours = {.spacing = h},
                 .constants = constants_of(dimension)};
    assert_true(mn_fluid_reserve(&rig->fluid, &rig->memory, FLUID));
    assert_true(mn_boundary_reserve(&rig->boundary, &rig->memory, 1));
    rig->fluid.count = FLUID;
    for (int k = 0; k < WALLS; k++)
        assert_true(mn_sleepers_add(&rig->neighbours.sleepers, &rig->memory, wall_place(dimension, at, &seed), k % 3));
}

static void rig_end(Rig *rig) {
    mn_neighbours_release(&rig->neighbours, &rig->memory);
    mn_fluid_release(&rig->fluid, &rig->memory);
    mn_boundary_release(&rig->boundary, &rig->memory);
    assert_int_equal(rig->memory.held, 0);
}

static void search(Rig *rig, double reach, double skin, int threads) {
    mnNeighbours *n = &rig->neighbours;
    assert_int_equal(mn_neighbours_build(n, &rig->memory, &rig->fluid, &rig->boundary, NULL, reach, skin, threads),
                     MN_SEARCH_OK);
    assert_true(mn_neighbours_boundary_own(n, &rig->memory, &rig->boundary, rig->constants, false, threads));
}

static double distance(mnVec a, mnVec b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static double to_fluid(const Rig *rig, mnVec x) {
    double nearest = INFINITY;
    for (int64_t i = 0; i < FLUID; i++) nearest = fmin(nearest, distance(x, rig->fluid.position[i]));
    return nearest;
}

/* Whoever goes to sleep lies where it was put, to half a part of a cell's edge, with its volume and its solid. */
static void check_places(int dimension, double at) {
    Rig rig;
    uint64_t seed = 7;
    rig_begin(&rig, dimension, at);
    assert_int_equal(mn_neighbours_settle(&rig.neighbours, &rig.memory, 2), MN_SEARCH_OK);
    const mnSleepers *all = &rig.neighbours.sleepers;
    assert_int_equal(all->count, WALLS);
    mnVec *told = calloc(WALLS, sizeof *told);
    int32_t *solid = calloc(WALLS, sizeof *solid);
    uint8_t *seen = calloc(WALLS, 1);
    mn_sleepers_tell(all, told, solid);
    double half = 0.5 * mn_neighbours_cell_size(&rig.neighbours) / 65536 + 1e-7 * at;
    for (int k = 0; k < WALLS; k++) {
        mnVec was = wall_place(dimension, at, &seed);
        int s = 0;
        while (s < WALLS && (seen[s] || solid[s] != k % 3 || distance(told[s], was) > 2 * sqrt(3) * half)) s++;
        assert_true(s < WALLS);
        seen[s] = 1;
        const double found[] = {(double)told[s].x, (double)told[s].y, (double)told[s].z};
        const double wanted[] = {(double)was.x, (double)was.y, (double)was.z};
        /* by a whole part at the upper edge of a cell */
        for (int a = 0; a < 3; a++) assert_near(found[a], wanted[a], 2.02 * half);
        assert_near(told[s].w, was.w, 1.5e-9 / 65535);
        if (dimension == 2) assert_true(told[s].z == 0);
    }
    free(told), free(solid), free(seen);
    rig_end(&rig);
}

static void they_lie_where_they_were_put(void **state) {
    (void)state;
    check_places(2, 0);
    check_places(3, 0);
    check_places(3, 700 * h);
}

/* Those within the radius wake and no others, in their order, as they were told; what the others add to their numbers
 * is the sum over all, whether they were awake before or not. */
static void check_awake(const Rig *rig, double skin) {
    const mnSleepers *all = &rig->neighbours.sleepers;
    const mnBoundaryState *boundary = &rig->boundary;
    mnVec *told = calloc(WALLS, sizeof *told);
    int32_t *solid = calloc(WALLS, sizeof *solid);
    mn_sleepers_tell(all, told, solid);
    double radius = (3 + skin) * h;
    int dimension = rig->constants.dimension;
    int64_t b = 0;
    for (int s = 0; s < WALLS; s++) {
        double apart = to_fluid(rig, told[s]);
        bool is_awake = b < boundary->count && all->names[b] == s;
        if (fabs(apart / radius - 1) > 1e-5) assert_true(is_awake == (apart < radius));
        if (!is_awake) continue;
        assert_memory_equal(&boundary->position[b], &told[s], sizeof told[s]);
        assert_int_equal(boundary->solid[b], solid[s]);
        double wide = 0, near = 0;
        for (int k = 0; k < WALLS; k++) {
            double r = distance(told[s], told[k]);
            wide += (double)told[k].w * classic_value(dimension, 3 * h, r);
            near += (double)told[k].w * classic_value(dimension, 2 * h, r);
        }
        assert_near(boundary->own[b].x, wide, 2e-5 * wide);
        assert_near(boundary->own[b].y, near, 2e-5 * near);
        b++;
    }
    assert_int_equal(b, boundary->count);
    assert_in_range(b, 20, WALLS / 2);
    free(told), free(solid);
}

static void those_near_fluid_wake(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        Rig rig;
        uint64_t seed = 3;
        rig_begin(&rig, dimension, 0);
        assert_int_equal(mn_neighbours_settle(&rig.neighbours, &rig.memory, 1), MN_SEARCH_OK);
        for (int k = 0; k < 12; k++) { /* fluid goes along the wall and back */
            double reach = k % 2 ? MN_REACH_MIN : MN_REACH_MAX, skin = k % 3 ? MN_SKIN_MIN : MN_SKIN_MAX;
            pour(&rig, dimension, 0, k < 6 ? 3 * k - 9 : 24 - 3 * k, &seed);
            search(&rig, reach, skin, 1 + k % 2);
            check_awake(&rig, skin);
        }
        rig_end(&rig);
    }
}

/* Bits are those of a rig that has slept until now. */
static void no_bit_depends_on_when(void **state) {
    (void)state;
    Rig late, early;
    uint64_t seed = 5;
    rig_begin(&early, 3, 0);
    assert_int_equal(mn_neighbours_settle(&early.neighbours, &early.memory, 1), MN_SEARCH_OK);
    for (int k = 0; k < 5; k++) {
        pour(&early, 3, 0, 1.5 * k - 3, &seed);
        search(&early, MN_REACH_MAX, MN_SKIN_MIN, 1);
        rig_begin(&late, 3, 0);
        assert_int_equal(mn_neighbours_settle(&late.neighbours, &late.memory, 2), MN_SEARCH_OK);
        memcpy(late.fluid.position, early.fluid.position, FLUID * sizeof(mnVec));
        search(&late, MN_REACH_MAX, MN_SKIN_MIN, 2);
        size_t count = (size_t)early.boundary.count;
        assert_int_equal(late.boundary.count, count);
        assert_memory_equal(late.boundary.position, early.boundary.position, count * sizeof(mnVec));
        assert_memory_equal(late.boundary.own, early.boundary.own, count * sizeof(mnVec));
        assert_memory_equal(late.boundary.solid, early.boundary.solid, count * sizeof(int32_t));
        rig_end(&late);
    }
    rig_end(&early);
}

static void free_places(void **state) {
    (void)state;
    Rig rig;
    uint64_t seed = 9;
    rig_begin(&rig, 3, 0);
    assert_int_equal(mn_neighbours_settle(&rig.neighbours, &rig.memory, 1), MN_SEARCH_OK);
    pour(&rig, 3, 0, 0, &seed);
    search(&rig, MN_REACH_MAX, MN_SKIN_MIN, 1);
    mnVec *told = calloc(WALLS, sizeof *told);
    int32_t *solid = calloc(WALLS, sizeof *solid);
    mn_sleepers_tell(&rig.neighbours.sleepers, told, solid);
    int free_count = 0;
    for (int k = 0; k < 300; k++) {
        double radius = uniform(&seed, 0.2, 5) * h;
        double at[3] = {uniform(&seed, -25, 25) * h, uniform(&seed, -6, 6) * h, uniform(&seed, -25, 25) * h};
        mnVec x = mn_vec((mnReal)at[0], (mnReal)at[1], (mnReal)at[2], 0);
        double nearest = to_fluid(&rig, x);
        for (int s = 0; s < WALLS; s++) nearest = fmin(nearest, distance(x, told[s]));
        bool is_free = mn_neighbours_is_free(&rig.neighbours, &rig.fluid, &rig.boundary, at, radius);
        if (fabs(nearest / radius - 1) > 1e-5) assert_true(is_free == (nearest >= radius));
        free_count += is_free;
    }
    assert_in_range(free_count, 30, 270);
    free(told), free(solid);
    rig_end(&rig);
}

/* Single particles over a floor wake many more walls than there is fluid; what sums over walls has room for them. */
static void few_wake_many(void **state) {
    (void)state;
    Setup setup;
    setup_begin(&setup, 3, h, 1, 1);
    mnSim *sim = sim_begin(&setup, 1);
    enum { SIDE = 14, APART = 8, EDGE = SIDE * APART };
    for (int k = 0; k < SIDE * SIDE; k++) {
        double place[3] = {(k % SIDE + 0.5) * APART * h, (k / SIDE + 0.5) * APART * h, 0.5 * h};
        assert_true(mn_sim_add_fluid(sim, place, (double[3]){0}, 0));
    }
    for (int k = 0; k < 3 * EDGE * EDGE; k++) {
        double place[3] = {(k % EDGE + 0.5) * h, (k / EDGE % EDGE + 0.5) * h, -(k / EDGE / EDGE + 0.5) * h};
        assert_true(mn_sim_add_sleeper(sim, place, h * h * h, 0));
    }
    sim_end(sim);
    int64_t awake = sim->world.boundary.active_count;
    assert_in_range(awake, 20 * 256 + 1, 3 * EDGE * EDGE);
    assert_true(sim->world.scratch_capacity >= mn_parallel_scratch(awake, MN_SUM_WIDTH_MAX));
    assert_true(mn_sim_totals(sim).surface_energy > 0);
    mn_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_lie_where_they_were_put),
        cmocka_unit_test(those_near_fluid_wake),
        cmocka_unit_test(no_bit_depends_on_when),
        cmocka_unit_test(free_places),
        cmocka_unit_test(few_wake_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
