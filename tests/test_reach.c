/* What every processor's way of searching finds, against a look at every candidate. */
#include "base/random.h"
#include "sim_helpers.h"
#include "space/reach.h"

enum { PARTICLES = 4000, STEPS = 1024 };

static mnReal component[3][PARTICLES + MN_PLACES_PADDING];

/* Places in a cube, of so few that the squares of their distances are exact, however they are computed. */
static mnPlaces scatter(mnReal size) {
    mnRandom random = mn_random_start(1, 1);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < PARTICLES; i++)
            component[axis][i] = size / STEPS * (mnReal)(mn_random_next(&random) % STEPS);
    return (mnPlaces){component[0], component[1], component[2]};
}

typedef struct Lists {
    int32_t near[PARTICLES + 8], far[PARTICLES + 8];
    int near_count, far_count;
} Lists;

static bool is_nearer(mnVec x, const mnPlaces *places, int32_t k, mnReal square) {
    mnReal dx = x.x - places->x[k], dy = x.y - places->y[k], dz = x.z - places->z[k];
    return dx * dx + dy * dy + dz * dz < square;
}

static void expect(const mnRuns *runs, const mnPlaces *places, mnVec x, int64_t self, mnRadii radii, Lists *lists) {
    lists->near_count = lists->far_count = 0;
    for (int run = 0; run < runs->count; run++)
        for (int32_t k = runs->first[run]; k < runs->end[run]; k++) {
            if (is_nearer(x, places, k, radii.near)) {
                if (k != self) lists->near[lists->near_count++] = k;
            } else if (is_nearer(x, places, k, radii.wide))
                lists->far[lists->far_count++] = k;
        }
}

/* Room for more than there is, which must be filled up with nobody and not beyond. */
static void check(const mnReach *reach, const mnRuns *runs, const mnPlaces *places, int64_t self, mnRadii radii) {
    static Lists expected, found;
    mnCatch caught;
    mnVec x = mn_vec(places->x[self], places->y[self], places->z[self], 0);
    expect(runs, places, x, self, radii, &expected);
    reach->find(runs, places, x, radii, &caught);
    assert_int_equal(caught.near, expected.near_count + 1); /* itself */
    assert_int_equal(caught.far, expected.far_count);

    int near_room = expected.near_count + 5, far_room = expected.far_count + 3;
    memset(&found, 0x7f, sizeof found);
    mnRoom room = {found.near, found.far, found.near + near_room, found.far + far_room, -7};
    reach->write(runs, places, x, self, radii, &caught, &room);
    assert_memory_equal(found.near, expected.near, (size_t)expected.near_count * sizeof(int32_t));
    assert_memory_equal(found.far, expected.far, (size_t)expected.far_count * sizeof(int32_t));
    for (int k = expected.near_count; k < near_room; k++) assert_int_equal(found.near[k], -7);
    for (int k = expected.far_count; k < far_room; k++) assert_int_equal(found.far[k], -7);
    assert_int_equal(found.near[near_room], 0x7f7f7f7f);
    assert_int_equal(found.far[far_room], 0x7f7f7f7f);
}

static void check_all(const mnRuns *runs, mnReal size, mnRadii radii) {
    mnReach reaches[MN_REACHES_MOST];
    int count = mn_reaches(reaches);
    mnPlaces places = scatter(size);
    assert_in_range(count, 1, MN_REACHES_MOST);
    for (int r = 0; r < count; r++)
        for (int run = 0; run < runs->count; run++)
            for (int32_t self = runs->first[run]; self < runs->end[run]; self += 7)
                check(&reaches[r], runs, &places, self, radii);
}

/* Runs of every length around that of a chunk and of a vector, with gaps and without, and one of nobody. */
static void test_runs(void **state) {
    (void)state;
    mnRuns runs = {.count = 9,
                   .first = {0, 20, 31, 100, 163, 300, 400, 400, 600},
                   .end = {1, 31, 47, 163, 227, 365, 400, 500, 729}};
    check_all(&runs, 1, (mnRadii){MN_REAL(0.05), MN_REAL(0.3)});
}

/* More candidates than are kept: they are looked at twice. */
static void test_crowd(void **state) {
    (void)state;
    mnRuns runs = {.count = 2, .first = {0, 1700}, .end = {1300, PARTICLES}};
    assert_true((1300 + PARTICLES - 1700) / MN_CHUNK > MN_CHUNKS_KEPT);
    check_all(&runs, 1, (mnRadii){MN_REAL(0.02), MN_REAL(0.4)});
}

/* All are near, or nobody is but oneself. */
static void test_extremes(void **state) {
    (void)state;
    mnRuns runs = {.count = 3, .first = {3, 200, 800}, .end = {130, 264, 815}};
    check_all(&runs, 1, (mnRadii){4, 5});
    check_all(&runs, STEPS, (mnRadii){MN_REAL(0.5), MN_REAL(0.9)});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs), cmocka_unit_test(test_crowd),
                                       cmocka_unit_test(test_extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
