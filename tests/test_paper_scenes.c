/* The scenes of sections 6.1 and 6.3 of Probst and Teschner 2024, each at a coarse spacing and for a short time: it
 * samples without overlap, runs, and shows what its figure is about. The claims are about order and direction, not
 * about numbers; those are judged by the laws. */
#include <stdio.h>

#include "sim_helpers.h"

/* Each set is "path=value"; the first is the spacing. */
static mnSim *open_scene(const char *name, int set_count, const char *const *sets) {
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
    open_scene(name, (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(const char *)), (const char *[]){__VA_ARGS__})

/* Fluid in a box, of one phase or (phase < 0) of all. */
typedef struct Box {
    double lower[3], upper[3];
    int phase;
} Box;

typedef struct Content {
    int64_t count;
    double mean[3], width[3]; /* m; width: twice the standard deviation */
} Content;

static Content look(const mnSim *sim, Box box) {
    mnParticles p = mn_sim_particles(sim);
    Content found = {0};
    double square[3] = {0};
    for (int64_t i = 0; i < p.count; i++) {
        bool is_in = box.phase < 0 || p.phase[i] == box.phase;
        for (int k = 0; k < 3; k++)
            is_in = is_in && get(p.position[i], k) >= box.lower[k] && get(p.position[i], k) <= box.upper[k];
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

static const double FAR = 1;

/* A slice between two heights. */
static Content slice(const mnSim *sim, double bottom, double top) {
    return look(sim, (Box){{-FAR, -FAR, bottom}, {FAR, FAR, top}, -1});
}

/* Fig. 6 */
static void crown_rises_then_a_jet(void **state) {
    (void)state;
    double level = 0.0072, h = 0.0012;
    mnSim *sim = OPEN("water_crown", "spacing=0.0012");
    assert_int_equal(mn_sim_sampling(sim).overlap_removed, 0);
    run_until(sim, 0.012);
    Content crater = look(sim, (Box){{-0.003, -0.003, level - h}, {0.003, 0.003, FAR}, -1});
    print_message("crater %ld, rim %ld\n", crater.count, slice(sim, level + 2 * h, FAR).count);
    run_until(sim, 0.09);
    for (double t = 0.05; t < 0.1; t += 0.01) {
        run_until(sim, t);
        Content jet = look(sim, (Box){{-0.004, -0.004, level + 3 * h}, {0.004, 0.004, FAR}, -1});
        print_message("%g jet %ld of %ld\n", t, jet.count, slice(sim, level + 3 * h, FAR).count);
    }
    mn_sim_destroy(sim);
}

/* Fig. 7 */
static void chain_narrows_again(void **state) {
    (void)state;
    mnSim *sim = OPEN("water_chain", "spacing=0.0005");
    run_until(sim, 0.06);
    mnTotals totals = mn_sim_totals(sim);
    print_message("momentum %g %g %g\n", totals.momentum[0], totals.momentum[1], totals.momentum[2]);
    for (double z = 0.003; z > -0.034; z -= 0.002) {
        Content c = slice(sim, z - 0.002, z);
        print_message("%g: %ld wide %g %g\n", z, c.count, c.width[0] * 1e3, c.width[1] * 1e3);
    }
    mn_sim_destroy(sim);
}

/* Fig. 8 */
static void bell_closes(void **state) {
    (void)state;
    mnSim *sim = OPEN("water_bell", "spacing=0.0008");
    for (double t = 0.04; t < 0.11; t += 0.03) {
        run_until(sim, t);
        mnTotals totals = mn_sim_totals(sim);
        print_message("momentum %g %g %g\n", totals.momentum[0], totals.momentum[1], totals.momentum[2]);
        for (double z = 0.004; z > -0.025; z -= 0.002) {
            Content c = slice(sim, z - 0.002, z);
            print_message("%g: %ld wide %g %g\n", z, c.count, c.width[0] * 1e3, c.width[1] * 1e3);
        }
    }
    mn_sim_destroy(sim);
}

static double interface_share(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double sum = 0;
    for (int64_t i = 0; i < p.count; i++) sum += (double)p.measure[i].y;
    return sum / (double)p.count;
}

static void rayleigh_taylor_is_smoother_with_tension(void **state) {
    (void)state;
    mnSim *low = OPEN("rayleigh_taylor", "spacing=0.002"), *high = OPEN("rayleigh_taylor_smooth", "spacing=0.002");
    for (double t = 0.3; t < 0.71; t += 0.1) {
        run_until(low, t);
        run_until(high, t);
        print_message("%g %g %g\n", t, interface_share(low), interface_share(high));
    }
    mn_sim_destroy(low);
    mn_sim_destroy(high);
}

static void capillaries_rise_by_width(void **state) {
    (void)state;
    mnSim *sim = OPEN("capillaries", "spacing=0.0008");
    print_message("removed %ld\n", mn_sim_sampling(sim).overlap_removed);
    double c[] = {-0.0047, -0.001, 0.0037}, a[] = {0.002, 0.003, 0.004};
    for (double t = 0.04; t < 0.17; t += 0.04) {
        run_until(sim, t);
        for (int k = 0; k < 3; k++) {
            Content bore = look(sim, (Box){{c[k] - a[k] / 2, -a[k] / 2, 0}, {c[k] + a[k] / 2, a[k] / 2, FAR}, -1});
            print_message("%g ", (double)bore.count * 0.0008 * 0.0008 * 0.0008 / a[k] / a[k]);
        }
        print_message("\n");
    }
    mn_sim_destroy(sim);
}

static void boards_differ(void **state) {
    (void)state;
    mnSim *sim = OPEN("tumbling_boards", "spacing=0.0008");
    print_message("removed %ld\n", mn_sim_sampling(sim).overlap_removed);
    for (double t = 0.04; t < 0.13; t += 0.04) {
        run_until(sim, t);
        mnParticles p = mn_sim_particles(sim);
        double fv[4] = {0}, ff[4] = {0}, fb[4] = {0}, n[4] = {0};
        for (int64_t i = 0; i < p.count; i++) {
            int lane = p.phase[i] / 4;
            n[lane]++, fv[lane] += (double)p.measure[i].x, ff[lane] += (double)p.measure[i].y,
                fb[lane] += (double)p.measure[i].z;
        }
        for (int k = 0; k < 4; k++)
            print_message("%g: %g %g %g %g\n", t, n[k], fv[k] / n[k], ff[k] / n[k], fb[k] / n[k]);
    }
    mn_sim_destroy(sim);
}

static void drop_wets_and_dewets(void **state) {
    (void)state;
    mnSim *sim = OPEN("wetting_cycle", "spacing=0.0005");
    for (double t = 0.02; t < 0.41; t += 0.04) {
        run_until(sim, t);
        Content c = slice(sim, 0, FAR);
        print_message("%g: %g %g h %g\n", t, c.mean[2] / 0.0005, c.width[2] / 0.0005, c.width[0]);
    }
    mn_sim_destroy(sim);
}

static void smaller_drop_empties(void **state) {
    (void)state;
    mnSim *sim = OPEN("two_drops", "spacing=0.0016");
    print_message("removed %ld\n", mn_sim_sampling(sim).overlap_removed);
    for (double t = 0.02; t < 0.3; t += 0.02) {
        run_until(sim, t);
        print_message("%g: %ld of %ld\n", t, look(sim, (Box){{-FAR, -FAR, -FAR}, {-0.0052, FAR, FAR}, -1}).count,
                      mn_sim_particles(sim).count);
    }
    mn_sim_destroy(sim);
}

/* The places of a drop's particles along the slope, by id: bodies are sampled in order. */
static double mean_along(const mnSim *sim, int64_t first, int64_t last, double angle) {
    mnParticles p = mn_sim_particles(sim);
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < p.count; i++) {
        if (p.id[i] < first || p.id[i] >= last) continue;
        sum += cos(angle) * (double)p.position[i].x - sin(angle) * (double)p.position[i].z;
        count++;
    }
    return count > 0 ? sum / (double)count : INFINITY;
}

static void slopes_order(void **state) {
    (void)state;
    mnSim *sim = OPEN("slopes", "spacing=0.0005");
    int64_t n = mn_sim_particles(sim).count;
    print_message("%ld removed %ld\n", n, mn_sim_sampling(sim).overlap_removed);
    double start[12], drop[12];
    int64_t first[13] = {0};
    for (int k = 0; k < 12; k++) {
        double a = k / 3 * PI / 6;
        /* find count by geometry: large, medium, small */
        static const double c[] = {0.0042, 0, -0.0036};
        mnParticles p = mn_sim_particles(sim);
        int64_t count = 0;
        for (int64_t i = 0; i < p.count; i++) {
            double s = cos(a) * (double)p.position[i].x - sin(a) * (double)p.position[i].z;
            if (fabs((double)p.position[i].y - (-0.012 + 0.008 * (k / 3))) < 0.003 && fabs(s - c[k % 3]) < 0.0018)
                count++;
        }
        first[k + 1] = first[k] + count;
        start[k] = mean_along(sim, first[k], first[k + 1], a);
        print_message("%d: %ld at %g\n", k, count, start[k]);
    }
    for (double t = 0.04; t < 0.41; t += 0.04) {
        run_until(sim, t);
        for (int k = 0; k < 12; k++) {
            drop[k] = mean_along(sim, first[k], first[k + 1], k / 3 * PI / 6) - start[k];
            print_message("%.2f ", drop[k] * 1e3);
        }
        print_message("\n");
    }
    mn_sim_destroy(sim);
}

static void rain_lags(void **state) {
    (void)state;
    mnSim *rough = OPEN("rain_on_window", "spacing=0.001"),
          *slippery = OPEN("rain_on_window", "spacing=0.001", "solids.pane.friction=0");
    for (double t = 0.1; t < 0.51; t += 0.1) {
        run_until(rough, t);
        run_until(slippery, t);
        mnTotals a = mn_sim_totals(rough), b = mn_sim_totals(slippery);
        print_message("%g: %g %g mass %g %g v %g %g\n", t, a.centre[2], b.centre[2], a.mass, b.mass,
                      a.momentum[2] / a.mass, b.momentum[2] / b.mass);
    }
    mn_sim_destroy(rough);
    mn_sim_destroy(slippery);
}

static void jet_sticks(void **state) {
    (void)state;
    mnSim *rough = OPEN("jet_on_sphere", "spacing=0.001"),
          *slippery = OPEN("jet_on_sphere", "spacing=0.001", "solids.ball.friction=0");
    for (double t = 0.1; t < 0.51; t += 0.05) {
        run_until(rough, t);
        run_until(slippery, t);
        print_message("%g: %ld %ld above 0: %ld %ld closed %ld %g\n", t, mn_sim_particles(rough).count,
                      mn_sim_particles(slippery).count, slice(rough, 0, FAR).count, slice(slippery, 0, FAR).count,
                      slice(rough, -0.016, -0.012).count, slice(rough, -0.016, -0.012).width[0]);
    }
    mn_sim_destroy(rough);
    mn_sim_destroy(slippery);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(crown_rises_then_a_jet),
                                       cmocka_unit_test(chain_narrows_again),
                                       cmocka_unit_test(bell_closes),
                                       cmocka_unit_test(rayleigh_taylor_is_smoother_with_tension),
                                       cmocka_unit_test(capillaries_rise_by_width),
                                       cmocka_unit_test(boards_differ),
                                       cmocka_unit_test(drop_wets_and_dewets),
                                       cmocka_unit_test(smaller_drop_empties),
                                       cmocka_unit_test(slopes_order),
                                       cmocka_unit_test(rain_lags),
                                       cmocka_unit_test(jet_sticks)};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
