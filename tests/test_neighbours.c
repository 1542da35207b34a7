/* Lists of neighbours against a look at every pair. */
#include "sim_helpers.h"

static const double h = 1e-3;

typedef struct Rig {
    mnMemory memory;
    mnFluidState fluid;
    mnBoundaryState boundary;
    mnNeighbours neighbours;
    double reach, skin; /* h */
} Rig;

static void rig_begin(Rig *rig, int64_t fluid, int64_t boundary) {
    *rig = (Rig){.memory = mn_memory_create((mnAllocator){0}, 0), .neighbours = {.spacing = h}, .reach = 3};
    assert_true(mn_fluid_reserve(&rig->fluid, &rig->memory, fluid + 1));
    assert_true(mn_boundary_reserve(&rig->boundary, &rig->memory, boundary + 1));
    rig->fluid.count = fluid;
    rig->boundary.count = boundary;
    for (int64_t i = 0; i < fluid; i++) rig->fluid.id[i] = i;
}

static void rig_end(Rig *rig) {
    mn_neighbours_release(&rig->neighbours, &rig->memory);
    mn_fluid_release(&rig->fluid, &rig->memory);
    mn_boundary_release(&rig->boundary, &rig->memory);
    assert_int_equal(rig->memory.held, 0);
}

static mnSearchResult build_at_rest(Rig *rig, const uint8_t *dead, int threads) {
    return mn_neighbours_build(&rig->neighbours, &rig->memory, &rig->fluid, &rig->boundary, dead, rig->reach, rig->skin,
                               threads);
}

static mnSearchResult build(Rig *rig, const uint8_t *dead, int threads) {
    mn_neighbours_boundary_moved(&rig->neighbours);
    return build_at_rest(rig, dead, threads);
}

/* (r/h)², exact in double for float inputs. */
static double separation(mnVec a, mnVec b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return (x * x + y * y + z * z) / (h * h);
}

/* A pair whose distance is a radius to within rounding may be in the list or not. */
static bool is_on(double square, double radius) {
    return fabs(square / (radius * radius) - 1) < 1e-5;
}

/* Entries of one list must lie within [low, high) spacings of x, none twice; behind them comes nobody. Marks them. */
static void check_part(const int32_t *list, int count, double low, double high, mnVec x, const mnVec *others,
                       int64_t other_count, int64_t self, uint8_t *seen) {
    assert_int_equal(count % MN_WIDTH, 0);
    int last = count;
    while (last > 0 && list[last - 1] == other_count) last--;
    assert_true(count - last < MN_WIDTH);
    for (int k = 0; k < last; k++) {
        int32_t j = list[k];
        assert_true(j >= 0 && j < other_count && j != self && !seen[j]);
        seen[j] = 1;
        double square = separation(x, others[j]);
        assert_true((square >= low * low || is_on(square, low)) && (square < high * high || is_on(square, high)));
    }
}

/* None is missing. */
static void check_whole(const mnVec *others, int64_t count, double high, mnVec x, int64_t self, const uint8_t *seen) {
    for (int64_t j = 0; j < count; j++) {
        double square = separation(x, others[j]);
        if (j != self && !seen[j]) assert_true(square >= high * high || is_on(square, high));
    }
}

static mnAround around(const Rig *rig, const mnSpan *spans, int64_t i) {
    return mn_around(spans[i], rig->neighbours.near_list, rig->neighbours.far_list);
}

static void check(Rig *rig) {
    const mnFluidState *fluid = &rig->fluid;
    const mnBoundaryState *boundary = &rig->boundary;
    double near = 2 + rig->skin, far = rig->reach + rig->skin;
    size_t room = (size_t)(fluid->count + boundary->count + 1);
    uint8_t *seen = malloc(room);
    for (int64_t i = 0; i < fluid->count; i++) {
        mnAround a = around(rig, fluid->span, i);
        mnVec x = fluid->position[i];
        memset(seen, 0, room);
        check_part(a.near, a.near_fluid, 0, near, x, fluid->position, fluid->count, i, seen);
        check_part(a.far, a.far_fluid, near, far, x, fluid->position, fluid->count, i, seen);
        check_whole(fluid->position, fluid->count, far, x, i, seen);
        memset(seen, 0, room);
        check_part(a.near + a.near_fluid, a.near_all - a.near_fluid, 0, near, x, boundary->position, boundary->count,
                   -1, seen);
        check_part(a.far + a.far_fluid, a.far_all - a.far_fluid, near, far, x, boundary->position, boundary->count, -1,
                   seen);
        check_whole(boundary->position, boundary->count, far, x, -1, seen);
    }
    int64_t active = 0;
    for (int64_t b = 0; b < boundary->count; b++) {
        memset(seen, 0, room);
        if (active < boundary->active_count && boundary->active[active] == b) {
            mnAround a = around(rig, boundary->span, b);
            check_part(a.near, a.near_fluid, 0, near, boundary->position[b], fluid->position, fluid->count, -1, seen);
            check_part(a.far, a.far_fluid, near, far, boundary->position[b], fluid->position, fluid->count, -1, seen);
            assert_true(a.near_all + a.far_all > 0);
            active++;
        }
        check_whole(fluid->position, fluid->count, far, boundary->position[b], -1, seen);
    }
    assert_int_equal(active, boundary->active_count);
    free(seen);
}

static int count_in(const int32_t *list, int count, int64_t wanted) {
    int found = 0;
    for (int k = 0; k < count; k++) found += list[k] == wanted;
    return found;
}

/* Who is listed by whom is mutual, also for pairs on the rim: the active walls rely on it. */
static void check_mutual(const Rig *rig) {
    const mnFluidState *fluid = &rig->fluid;
    int64_t from_fluid = 0, from_boundary = 0;
    for (int64_t i = 0; i < fluid->count; i++) {
        mnAround a = around(rig, fluid->span, i);
        for (int part = 0; part < 2; part++) {
            const int32_t *list = mn_part(a, part);
            for (int32_t k = 0; k < mn_part_fluid(a, part) && list[k] < fluid->count; k++) {
                mnAround back = around(rig, fluid->span, list[k]);
                assert_int_equal(count_in(mn_part(back, part), mn_part_fluid(back, part), i), 1);
            }
            for (int32_t k = mn_part_fluid(a, part); k < mn_part_all(a, part); k++)
                from_fluid += list[k] < rig->boundary.count;
        }
    }
    for (int64_t k = 0; k < rig->boundary.active_count; k++) {
        mnAround a = around(rig, rig->boundary.span, rig->boundary.active[k]);
        for (int part = 0; part < 2; part++)
            for (int32_t l = 0; l < mn_part_fluid(a, part); l++) from_boundary += mn_part(a, part)[l] < fluid->count;
    }
    assert_int_equal(from_fluid, from_boundary);
}

typedef enum Kind { SPARSE, CLUSTERED, CLUMPS, LATTICE, KIND_COUNT } Kind;

/* Clouds around the origin, so that coordinates of both signs occur. LATTICE puts particles on cell borders and a great
 * many pairs at 2h and 3h to the last bit. */
static mnVec place(Kind kind, int dimension, uint64_t *seed) {
    double x[3] = {0, 0, 0};
    double reach = kind == SPARSE ? 20 : dimension == 3 ? 4 : 10;
    double clump = kind == CLUMPS ? 4000 * (int)uniform(seed, -2, 2.99) : 0;
    for (int a = 0; a < dimension; a++) {
        double u = uniform(seed, -1, 1);
        if (kind == CLUSTERED) u = u * u * u;
        x[a] = clump + reach * u;
        if (kind == LATTICE) x[a] = floor(x[a]);
    }
    return mn_vec((mnReal)(h * x[0]), (mnReal)(h * x[1]), (mnReal)(h * x[2]), (mnReal)1e-9);
}

static void equal_to_brute_force(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (Kind kind = SPARSE; kind < KIND_COUNT; kind++)
            for (int round = 0; round < 3; round++) {
                Rig rig;
                rig_begin(&rig, 700, 300);
                rig.skin = 0.5 * MN_SKIN_MAX * round;
                for (int64_t i = 0; i < 700; i++) rig.fluid.position[i] = place(kind, dimension, &seed);
                for (int64_t b = 0; b < 300; b++) rig.boundary.position[b] = place(kind, dimension, &seed);
                assert_int_equal(build(&rig, NULL, 1 + round % 2), MN_SEARCH_OK);
                check(&rig);
                check_mutual(&rig);
                /* Moved and built again with the same memory. */
                for (int64_t i = 0; i < 700; i++) rig.fluid.position[i] = place(kind, dimension, &seed);
                assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
                check(&rig);
                /* Moved while walls rest: others have fluid near than before. */
                for (int64_t i = 0; i < 700; i++) rig.fluid.position[i].x += (mnReal)(5 * h);
                assert_int_equal(build_at_rest(&rig, NULL, 2), MN_SEARCH_OK);
                check(&rig);
                check_mutual(&rig);
                /* Nobody asks for far neighbours any more. */
                rig.reach = 2;
                assert_int_equal(build_at_rest(&rig, NULL, 1), MN_SEARCH_OK);
                check(&rig);
                assert_in_range(rig.neighbours.far_list_capacity, 0, MN_WIDTH);
                /* Somebody does again, of those who were searched: whoever has moved by then is where he was. */
                rig.reach = 3;
                mnVec places[700];
                memcpy(places, rig.fluid.position, sizeof places);
                for (int64_t i = 0; i < 700; i += 2) rig.fluid.position[i].x += (mnReal)h;
                assert_int_equal(
                    mn_neighbours_relist(&rig.neighbours, &rig.memory, &rig.fluid, &rig.boundary, rig.reach, 2),
                    MN_SEARCH_OK);
                memcpy(rig.fluid.position, places, sizeof places);
                check(&rig);
                check_mutual(&rig);
                rig_end(&rig);
            }
}

/* Where lists lie may differ, what is in them and in which order may not. */
static void assert_same_lists(const Rig *one, const mnSpan *a, const Rig *other, const mnSpan *b) {
    assert_int_equal(a->near_fluid, b->near_fluid);
    assert_int_equal(a->far_fluid, b->far_fluid);
    assert_int_equal(a->near_all, b->near_all);
    assert_int_equal(a->far_all, b->far_all);
    assert_memory_equal(mn_list_at(one->neighbours.near_list, a->near),
                        mn_list_at(other->neighbours.near_list, b->near), (size_t)a->near_all * sizeof(int32_t));
    assert_memory_equal(mn_list_at(one->neighbours.far_list, a->far), mn_list_at(other->neighbours.far_list, b->far),
                        (size_t)a->far_all * sizeof(int32_t));
}

static void same_for_any_threads(void **state) {
    (void)state;
    Rig rigs[2];
    for (int t = 0; t < 2; t++) {
        uint64_t seed = 9;
        rig_begin(&rigs[t], 3000, 500);
        for (int64_t i = 0; i < 3000; i++) rigs[t].fluid.position[i] = place(CLUSTERED, 3, &seed);
        for (int64_t b = 0; b < 500; b++) rigs[t].boundary.position[b] = place(SPARSE, 3, &seed);
        assert_int_equal(build(&rigs[t], NULL, t + 1), MN_SEARCH_OK);
    }
    for (int64_t i = 0; i < 3000; i++)
        assert_same_lists(&rigs[0], &rigs[0].fluid.span[i], &rigs[1], &rigs[1].fluid.span[i]);
    for (int64_t b = 0; b < 500; b++)
        assert_same_lists(&rigs[0], &rigs[0].boundary.span[b], &rigs[1], &rigs[1].boundary.span[b]);
    rig_end(&rigs[0]);
    rig_end(&rigs[1]);
}

/* Sorting moves all kept fields together and forgets the dead. */
static void dead_are_dropped(void **state) {
    (void)state;
    Rig rig;
    uint64_t seed = 21;
    uint8_t dead[500];
    mnVec before[500];
    int64_t living = 0;
    rig_begin(&rig, 500, 0);
    for (int64_t i = 0; i < 500; i++) {
        before[i] = rig.fluid.position[i] = place(CLUSTERED, 3, &seed);
        rig.fluid.last_pressure[i] = (mnReal)i;
        rig.fluid.velocity[i] = mn_vec((mnReal)(2 * i), 0, 0, 0);
        rig.fluid.phase[i] = (int32_t)(3 * i);
        dead[i] = i % 3 == 1;
        living += !dead[i];
    }
    before[1].x = rig.fluid.position[1].x = (mnReal)NAN; /* nobody asks where the dead are */
    assert_int_equal(build(&rig, dead, 1), MN_SEARCH_OK);
    assert_int_equal(rig.fluid.count, living);
    int64_t sum = 0;
    for (int64_t i = 0; i < living; i++) {
        int64_t id = rig.fluid.id[i];
        assert_true(id % 3 != 1);
        assert_true(rig.fluid.last_pressure[i] == (mnReal)id && rig.fluid.phase[i] == 3 * id);
        assert_true(rig.fluid.velocity[i].x == (mnReal)(2 * id));
        assert_memory_equal(&rig.fluid.position[i], &before[id], sizeof(mnVec));
        sum += id;
    }
    for (int64_t id = 0; id < 500; id++) sum -= id % 3 != 1 ? id : 0;
    assert_int_equal(sum, 0);
    check(&rig);

    uint8_t all[500];
    memset(all, 1, sizeof all);
    assert_int_equal(build(&rig, all, 1), MN_SEARCH_OK);
    assert_int_equal(rig.fluid.count, 0);
    rig_end(&rig);
}

static void lost_are_reported(void **state) {
    (void)state;
    const double places[] = {NAN, INFINITY, -INFINITY, 1e30, 3e9 * 3 * 1e-3, 2.5e6 * 3 * 1e-3};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (int a = 0; a < 3; a++) {
            Rig rig;
            rig_begin(&rig, 3, 0);
            rig.fluid.position[1].x = (mnReal)h;
            set(&rig.fluid.position[2], a, places[k]);
            assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_LOST);
            rig_end(&rig);
        }
}

/* One particle in a heap of walls: as many as a span can tell, and more. */
static void crowds_are_reported(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        Rig rig;
        int64_t most = MN_SPAN_MOST / MN_WIDTH * MN_WIDTH;
        rig_begin(&rig, 1, most + more);
        assert_int_equal(build(&rig, NULL, 2), more ? MN_SEARCH_CROWDED : MN_SEARCH_OK);
        if (!more) assert_int_equal(rig.fluid.span[0].near_all, most);
        rig_end(&rig);
    }
}

/* Far from the origin, but together: nothing is lost. */
static void far_from_the_origin(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig, 2, 0);
    rig.fluid.position[0] = mn_vec((mnReal)4e3, (mnReal)-4e3, 0, 0);
    rig.fluid.position[1] = mn_vec((mnReal)4e3, (mnReal)-4e3, (mnReal)(2.5 * h), 0);
    assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
    check(&rig);
    mnAround a = around(&rig, rig.fluid.span, 0);
    assert_int_equal(a.near_all, 0);
    assert_int_equal(count_in(a.far, a.far_all, 1), 1);
    rig_end(&rig);
}

static void free_places(void **state) {
    (void)state;
    Rig rig;
    uint64_t seed = 33;
    rig_begin(&rig, 200, 100);
    for (int64_t i = 0; i < 200; i++) rig.fluid.position[i] = place(SPARSE, 3, &seed);
    for (int64_t b = 0; b < 100; b++) rig.boundary.position[b] = place(SPARSE, 3, &seed);
    assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
    int found_free = 0;
    for (int k = 0; k < 300; k++) {
        double point[3], radius = h * uniform(&seed, 0.5, 12), nearest = INFINITY;
        for (int a = 0; a < 3; a++) point[a] = h * uniform(&seed, -25, 25);
        mnVec x = mn_vec((mnReal)point[0], (mnReal)point[1], (mnReal)point[2], 0);
        for (int64_t i = 0; i < 200; i++) nearest = fmin(nearest, separation(x, rig.fluid.position[i]));
        for (int64_t b = 0; b < 100; b++) nearest = fmin(nearest, separation(x, rig.boundary.position[b]));
        bool is_free = mn_neighbours_is_free(&rig.neighbours, &rig.fluid, &rig.boundary, point, radius);
        assert_int_equal(is_free, sqrt(nearest) * h >= radius);
        found_free += is_free;
    }
    assert_in_range(found_free, 30, 270);
    rig_end(&rig);
}

/* `own` of the walls, and that an empty rig is no trouble. */
static void walls_alone(void **state) {
    (void)state;
    Rig rig;
    uint64_t seed = 41;
    mnConstants c = {.dimension = 3};
    mnSpline near = {(mnReal)(0.5 / h), (mnReal)classic_sigma(3, 2 * h), (mnReal)(classic_sigma(3, 2 * h) / (2 * h))};
    mnSpline wide = {(mnReal)(1 / (3 * h)), (mnReal)classic_sigma(3, 3 * h), 0};
    c.near = near, c.wide = wide;
    rig_begin(&rig, 0, 300);
    for (int64_t b = 0; b < 300; b++) rig.boundary.position[b] = place(CLUSTERED, 3, &seed);
    assert_true(mn_neighbours_boundary_own(&rig.neighbours, &rig.memory, &rig.boundary, c, true, 2));
    for (int64_t b = 0; b < 300; b++) {
        double n3 = 0, n2 = 0;
        for (int64_t j = 0; j < 300; j++) {
            double r = h * sqrt(separation(rig.boundary.position[b], rig.boundary.position[j]));
            n3 += 1e-9 * classic_value(3, 3 * h, r);
            n2 += 1e-9 * classic_value(3, 2 * h, r);
        }
        assert_near(rig.boundary.own[b].x, n3, 1e-5 * n3);
        assert_near(rig.boundary.own[b].y, n2, 1e-5 * n2);
    }
    assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
    assert_int_equal(rig.boundary.active_count, 0);
    rig_end(&rig);
    rig_begin(&rig, 0, 0);
    assert_int_equal(build(&rig, NULL, 2), MN_SEARCH_OK);
    rig_end(&rig);
}

static void skins_wear_off(void **state) {
    (void)state;
    Rig rig;
    rig_begin(&rig, 2, 0);
    rig.fluid.position[1].x = (mnReal)h;
    rig.skin = 0.1;
    assert_false(mn_neighbours_will_hold(&rig.neighbours, 0));
    assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
    assert_true(mn_neighbours_will_hold(&rig.neighbours, 0.049 * h));
    assert_false(mn_neighbours_will_hold(&rig.neighbours, 0.051 * h));
    mn_neighbours_moved(&rig.neighbours, 0.03 * h);
    assert_true(mn_neighbours_will_hold(&rig.neighbours, 0.019 * h));
    assert_false(mn_neighbours_will_hold(&rig.neighbours, 0.021 * h));
    assert_int_equal(build(&rig, NULL, 1), MN_SEARCH_OK);
    assert_true(mn_neighbours_will_hold(&rig.neighbours, 0.049 * h));
    rig_end(&rig);
}

/* Fluid that flies towards fluid at rest, by a fiftieth of a spacing in a step: lists serve several steps and never
 * miss anyone; nor do they have anyone beyond 2h and their skin where there is no tension, but for those of the start.
 */
static void check_flight(double tension) {
    Setup setup;
    double rest[3] = {0, 0, 0}, flight[3] = {-0.2, 0, 0};
    setup_begin(&setup, 3, h, 1, 0);
    setup.fluids[0].tension_vapor = tension;
    setup.desc.time.adaptive = false;
    setup.desc.time.step = 1e-4;
    mnSim *sim = sim_begin(&setup, 1);
    for (int k = 0; k < 27; k++)
        for (int flies = 0; flies < 2; flies++) {
            double place[3] = {h * (k % 3 + 6.5 * flies), h * (k / 3 % 3), h * (k / 9)};
            assert_true(mn_sim_add_fluid(sim, place, flies ? flight : rest, 0));
        }
    sim_end(sim);
    const mnFluidState *fluid = &sim->world.fluid;
    int kept = 0;
    for (int step = 0; step < 150; step++) {
        sim_step(sim);
        kept += sim->world.neighbours.travelled > 1.5 * sim->last_move;
        for (int64_t i = 0; i < fluid->count; i++) {
            mnAround a = mn_around_fluid(&sim->world, i);
            for (int64_t j = 0; j < fluid->count; j++) {
                double square = separation(fluid->position[i], fluid->position[j]);
                int near = count_in(a.near, a.near_fluid, j), far = count_in(a.far, a.far_fluid, j);
                if (j != i && square < 3.99) assert_int_equal(near, 1);
                if (j != i && square < 8.99 && tension > 0) assert_int_equal(near + far, 1);
                if (sim->world.neighbours.reach < MN_REACH_MAX) assert_int_equal(far, 0);
            }
        }
    }
    assert_in_range(kept, 50, 140);
    assert_true(sim->world.neighbours.reach == (tension > 0 ? MN_REACH_MAX : MN_REACH_MIN));
    mn_sim_destroy(sim);
}

static void lists_keep_up(void **state) {
    (void)state;
    check_flight(0);
    check_flight(1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_wear_off),       cmocka_unit_test(lists_keep_up),
        cmocka_unit_test(equal_to_brute_force), cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(dead_are_dropped),     cmocka_unit_test(lost_are_reported),
        cmocka_unit_test(crowds_are_reported),  cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(free_places),          cmocka_unit_test(walls_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
