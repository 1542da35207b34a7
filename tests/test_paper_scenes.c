/* The scenes of sections 6.1 and 6.3 of Probst and Teschner 2024, each at a coarse spacing and for a short time: each
 * shows what its figure is about. The claims are about order and direction, not about numbers, which are a matter of
 * the laws. Arguments name those that shall run; without any all do. */
#include <stdio.h>

#include "sim_helpers.h"

static const double FAR = 1;

/* Each set is "path=value". */
static mnSim *open_scene(const char *name, const char *const *sets, int set_count) {
    char path[64];
    mnScene *scene = NULL;
    mnReport report = {0};
    snprintf(path, sizeof path, "scenes/%s.json", name);
    if (mn_scene_load(path, sets, set_count, &scene, &report) != MN_OK) fail_msg("%s: %s", path, report.problems->text);
    mn_report_clear(&report);
    mnSim *sim = scene_create(mn_scene_desc(scene), 1);
    mn_scene_destroy(scene);
    return sim;
}

#define OPEN(name, ...)                                                                                                \
    open_scene(name, (const char *[]){__VA_ARGS__}, (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *)))

/* ---- what is in a box -------------------------------------------------------------------------------------------- */

typedef struct Content {
    int64_t count;
    double mean[3], width[3]; /* m; width: twice the standard deviation */
} Content;

static Content look(const mnSim *sim, const double lower[3], const double upper[3]) {
    mnParticles p = mn_sim_particles(sim);
    Content found = {0};
    double square[3] = {0};
    for (int64_t i = 0; i < p.count; i++) {
        bool is_in = true;
        for (int k = 0; k < 3; k++)
            is_in = is_in && get(p.position[i], k) >= lower[k] && get(p.position[i], k) <= upper[k];
        if (!is_in) continue;
        found.count++;
        for (int k = 0; k < 3; k++) {
            found.mean[k] += get(p.position[i], k);
            square[k] += get(p.position[i], k) * get(p.position[i], k);
        }
    }
    for (int k = 0; k < 3 && found.count > 0; k++) {
        found.mean[k] /= (double)found.count;
        found.width[k] = 2 * sqrt(fmax(square[k] / (double)found.count - found.mean[k] * found.mean[k], 0));
    }
    return found;
}

/* Everything between two heights and, with `reach`, no further than that from the axis along x and y. */
static Content slice(const mnSim *sim, double bottom, double top, double reach) {
    return look(sim, (double[3]){-reach, -reach, bottom}, (double[3]){reach, reach, top});
}

/* Says what was found. */
static void assert_more(const char *what, double more, double less) {
    print_message("%s: %.4g > %.4g\n", what, more, less);
    assert_true(more > less);
}

/* Jets that face each other: nothing is left of their momentum across. */
static void assert_falls_straight(const mnSim *sim) {
    mnTotals totals = mn_sim_totals(sim);
    assert_true(totals.momentum[2] < 0);
    for (int k = 0; k < 2; k++) assert_near(totals.momentum[k] / totals.momentum[2], 0, 1e-3);
}

/* ---- section 6.1 ------------------------------------------------------------------------------------------------- */

/* Fig. 6: the crater is empty while a rim stands around it, and the jet stands where the crater was. */
static void crown_then_jet(void **state) {
    (void)state;
    double level = 0.0072, h = 0.0012;
    mnSim *sim = OPEN("water_crown", "spacing=0.0012");
    run_until(sim, 0.012);
    assert_int_equal(slice(sim, level - h, FAR, 0.003).count, 0);
    assert_more("particles of the crown", (double)slice(sim, level + 2 * h, FAR, FAR).count, 50);
    run_until(sim, 0.08);
    double above = (double)slice(sim, level + 2 * h, FAR, FAR).count;
    assert_more("particles of the jet", (double)slice(sim, level + 2 * h, FAR, 0.005).count, 0.8 * above);
    assert_more("particles above the pool", above, 50);
    mn_sim_destroy(sim);
}

/* Fig. 7: the first link is wide across the plane of the jets, the second one lies in it. */
static void chain_has_links(void **state) {
    (void)state;
    mnSim *sim = OPEN("water_chain", "spacing=0.0005");
    run_until(sim, 0.05);
    Content first = slice(sim, -0.005, -0.001, FAR), second = slice(sim, -0.013, -0.009, FAR);
    assert_more("first link, across over along", first.width[1], 2 * first.width[0]);
    assert_more("second link, along over across", second.width[0], 1.2 * second.width[1]);
    assert_more("the sheet closes", first.width[1], 2 * second.width[1]);
    assert_falls_straight(sim);
    mn_sim_destroy(sim);
}

/* Fig. 8: what the collision throws out is pulled together again. */
static void bell_closes(void **state) {
    (void)state;
    mnSim *sim = OPEN("water_bell", "spacing=0.0008");
    run_until(sim, 0.05);
    assert_falls_straight(sim); /* nothing has reached the sink yet */
    run_until(sim, 0.07);
    Content bell = slice(sim, -0.004, -0.001, FAR), stream = slice(sim, -0.014, -0.01, FAR);
    assert_more("bell over stream", hypot(bell.width[0], bell.width[1]),
                1.15 * hypot(stream.width[0], stream.width[1]));
    mn_sim_destroy(sim);
}

/* Fig. 9: the stream closes below the ball; after it has stopped, friction keeps water on the ball. */
static void jet_leaves_drops(void **state) {
    (void)state;
    mnSim *rough = OPEN("jet_on_sphere", "spacing=0.001");
    mnSim *slippery = OPEN("jet_on_sphere", "spacing=0.001", "solids.ball.friction=0");
    /* Water leaves the ball in drops, so one look would depend on when it comes. */
    double count = 0, width = 0;
    for (int look = 0; look <= 10; look++) {
        run_until(rough, 0.15 + 0.005 * look);
        Content below = slice(rough, -0.016, -0.012, FAR);
        count += (double)below.count / 11;
        width += below.width[0] / 11;
    }
    assert_more("particles of the stream", count, 20);
    assert_more("the ball is wider than the stream", 0.008, width);
    run_until(rough, 0.35);
    run_until(slippery, 0.35);
    assert_more("left on the upper half", (double)slice(rough, 0, FAR, FAR).count,
                5 * (double)slice(slippery, 0, FAR, FAR).count + 10);
    mn_sim_destroy(rough);
    mn_sim_destroy(slippery);
}

/* Sums of the measures C^FV, C^FF, C^FB over the fluids from `first` on, per particle. */
static mnVec mean_measure(const mnSim *sim, int first, int fluids) {
    mnParticles p = mn_sim_particles(sim);
    mnVec sum = {0};
    mnReal count = 0;
    for (int64_t i = 0; i < p.count; i++) {
        if (p.phase[i] < first || p.phase[i] >= first + fluids) continue;
        sum.x += p.measure[i].x;
        sum.y += p.measure[i].y;
        sum.z += p.measure[i].z;
        count++;
    }
    return (mnVec){sum.x / count, sum.y / count, sum.z / count, 0};
}

/* Fig. 10: interface tension keeps the fluids apart. */
static void tension_mixes_less(void **state) {
    (void)state;
    mnSim *low = OPEN("rayleigh_taylor", "spacing=0.002"), *high = OPEN("rayleigh_taylor_smooth", "spacing=0.002");
    mnReal start = mean_measure(low, 0, 3).y;
    run_until(low, 0.3);
    run_until(high, 0.3);
    assert_more("interface, now over at the start", (double)mean_measure(low, 0, 3).y, 2 * (double)start);
    assert_more("interface, low over high", (double)mean_measure(low, 0, 3).y,
                1.2 * (double)mean_measure(high, 0, 3).y);
    mn_sim_destroy(low);
    mn_sim_destroy(high);
}

/* Fig. 11; the bores are 3.3, 5 and 6.7 spacings wide. */
static void narrow_bores_fill_higher(void **state) {
    (void)state;
    static const double centre[] = {-0.0047, -0.001, 0.0037}, side[] = {0.002, 0.003, 0.004};
    double h = 0.0006, height[3];
    mnSim *sim = OPEN("capillaries", "spacing=0.0006");
    run_until(sim, 0.1);
    for (int k = 0; k < 3; k++) {
        double a = side[k] / 2;
        Content bore = look(sim, (double[3]){centre[k] - a, -a, 0}, (double[3]){centre[k] + a, a, FAR});
        height[k] = (double)bore.count * h * h * h / (side[k] * side[k]);
    }
    assert_more("narrow over middle", height[0], 1.1 * height[1]);
    assert_more("middle over wide", height[1], 1.1 * height[2]);
    assert_more("wide over the start", height[2], 1.1 * 0.0032);
    mn_sim_destroy(sim);
}

/* Fig. 12: each energy does one thing. */
static void boards_differ_by_one_energy_each(void **state) {
    (void)state;
    mnSim *sim = OPEN("tumbling_boards", "spacing=0.0008");
    run_until(sim, 0.08);
    mnVec bare = mean_measure(sim, 0, 4), wet = mean_measure(sim, 4, 4), dry = mean_measure(sim, 8, 4),
          apart = mean_measure(sim, 12, 4);
    assert_more("free surface, without tension", (double)bare.x, 1.5 * (double)wet.x);
    assert_more("contact with the board, without its energy", (double)wet.z, 2 * (double)dry.z);
    assert_more("contact between drops, without its energy", (double)dry.y, 4 * (double)apart.y);
    mn_sim_destroy(sim);
}

/* ---- sections 6.2 and 6.3 -----------------------------------------------------------------------------------------
 */

/* Fig. 15 */
static void smaller_drop_empties(void **state) {
    (void)state;
    static const double mouth = 0.0052;
    mnSim *sim = OPEN("two_drops", "spacing=0.001");
    const double lower[3] = {-FAR, -FAR, -FAR}, upper[3] = {-mouth, FAR, FAR};
    double start = (double)look(sim, lower, upper).count;
    run_until(sim, 0.03);
    double closed = (double)look(sim, lower, upper).count;
    assert_near(closed, start, 0.05 * start);
    run_until(sim, 0.13);
    assert_more("left of the smaller drop", 0.97 * closed, (double)look(sim, lower, upper).count);
    mn_sim_destroy(sim);
}

/* Fig. 13: down to one layer, and up again. */
static void drop_wets_and_dewets(void **state) {
    (void)state;
    double h = 0.0005;
    mnSim *sim = OPEN("wetting_cycle", "spacing=0.0005");
    run_until(sim, 0.02);
    double drop = slice(sim, 0, FAR, FAR).mean[2];
    run_until(sim, 0.15);
    Content film = slice(sim, 0, FAR, FAR);
    assert_more("one layer is thinner than a spacing", h, film.width[2]);
    run_until(sim, 0.4);
    assert_more("height over the film's", slice(sim, 0, FAR, FAR).mean[2], film.mean[2] + h / 2);
    assert_more("height over half of that at the start", slice(sim, 0, FAR, FAR).mean[2], drop / 2);
    mn_sim_destroy(sim);
}

/* Fig. 16. How far a drop of `slopes` has gone down its slope; drops are told by what lay around `along` and `across`
 * at the start. */
typedef struct Slider {
    double angle, along, across;
    double start;
    int64_t first, last; /* ids */
} Slider;

static double way(const mnSim *sim, const Slider *slider) {
    mnParticles p = mn_sim_particles(sim);
    double sum = 0, count = 0;
    for (int64_t i = 0; i < p.count; i++) {
        if (p.id[i] < slider->first || p.id[i] > slider->last) continue;
        sum += cos(slider->angle) * get(p.position[i], 0) - sin(slider->angle) * get(p.position[i], 2);
        count++;
    }
    return sum / count - slider->start;
}

static Slider slider_find(const mnSim *sim, int slope, double along) {
    Slider slider = {.angle = slope * PI / 6, .along = along, .across = -0.012 + 0.008 * slope, .first = INT64_MAX};
    mnParticles p = mn_sim_particles(sim);
    for (int64_t i = 0; i < p.count; i++) {
        double x = cos(slider.angle) * get(p.position[i], 0) - sin(slider.angle) * get(p.position[i], 2);
        if (fabs(x - along) > 0.0017 || fabs(get(p.position[i], 1) - slider.across) > 0.0017) continue;
        if (p.id[i] < slider.first) slider.first = p.id[i];
        if (p.id[i] > slider.last) slider.last = p.id[i];
    }
    slider.start = way(sim, &slider);
    return slider;
}

static void large_drops_on_steep_slopes_go_first(void **state) {
    (void)state;
    mnSim *sim = OPEN("slopes", "spacing=0.0005", "schedules[0].keys[2].time=0.2");
    Slider large[4], medium = slider_find(sim, 3, 0), small = slider_find(sim, 3, -0.0036);
    for (int k = 0; k < 4; k++) large[k] = slider_find(sim, k, 0.0042);
    run_until(sim, 0.2);
    for (int k = 0; k < 3; k++) assert_more("steep over flat", way(sim, &large[k + 1]), way(sim, &large[k]));
    assert_more("large over medium", way(sim, &large[3]), way(sim, &medium));
    assert_more("medium over small", way(sim, &medium), way(sim, &small));
    mn_sim_destroy(sim);
}

/* Fig. 17 */
static void friction_holds_rain_back(void **state) {
    (void)state;
    mnSim *rough = OPEN("rain_on_window", "spacing=0.001");
    mnSim *slippery = OPEN("rain_on_window", "spacing=0.001", "solids.pane.friction=0");
    run_until(rough, 0.2);
    run_until(slippery, 0.2);
    mnTotals slow = mn_sim_totals(rough), fast = mn_sim_totals(slippery);
    assert_more("speed downwards without friction", -fast.momentum[2] / fast.mass, 1.5 * -slow.momentum[2] / slow.mass);
    assert_more("water that stays", slow.mass, 1.5 * fast.mass);
    mn_sim_destroy(rough);
    mn_sim_destroy(slippery);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crown_then_jet),
        cmocka_unit_test(chain_has_links),
        cmocka_unit_test(bell_closes),
        cmocka_unit_test(jet_leaves_drops),
        cmocka_unit_test(tension_mixes_less),
        cmocka_unit_test(narrow_bores_fill_higher),
        cmocka_unit_test(boards_differ_by_one_energy_each),
        cmocka_unit_test(drop_wets_and_dewets),
        cmocka_unit_test(smaller_drop_empties),
        cmocka_unit_test(large_drops_on_steep_slopes_go_first),
        cmocka_unit_test(friction_holds_rain_back),
    };
    enum { COUNT = sizeof tests / sizeof *tests };
    if (argc == 1) return cmocka_run_group_tests(tests, NULL, NULL);
    int failed = 0;
    for (int argument = 1; argument < argc; argument++) {
        int k = 0;
        while (k < COUNT && strcmp(tests[k].name, argv[argument]) != 0) k++;
        if (k == COUNT) {
            fprintf(stderr, "there is no test %s\n", argv[argument]);
            return 1;
        }
        const struct CMUnitTest chosen[] = {tests[k]};
        failed += cmocka_run_group_tests(chosen, NULL, NULL);
    }
    return failed;
}
