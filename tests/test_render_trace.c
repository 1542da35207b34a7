/* The tracer on things whose look is known: drops on a plate, and light that can be worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "picture_helpers.h"
#include "render/optics.h"
#include "render/sampler.h"
#include "render/trace.h"

enum { ROWS = 90, COLUMNS = 180, WIDTH = 160, HEIGHT = 90 };

/* A ball whose part below a floor is pressed flat onto it: a drop. */
typedef struct Drop {
    mnV3 vertex[(ROWS + 1) * COLUMNS], normal[(ROWS + 1) * COLUMNS];
    int32_t triangle[2 * ROWS * COLUMNS][3];
} Drop;

static void make_drop(Drop *drop, mnV3 centre, float radius, float floor) {
    for (int i = 0; i <= ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            float polar = 3.14159265F * (float)i / ROWS, around = 6.2831853F * (float)j / COLUMNS;
            mnV3 normal = v3(sinf(polar) * cosf(around), sinf(polar) * sinf(around), cosf(polar));
            mnV3 at = v3_along(centre, radius, normal);
            drop->normal[i * COLUMNS + j] = at.z < floor ? v3(0, 0, -1) : normal;
            drop->vertex[i * COLUMNS + j] = v3(at.x, at.y, fmaxf(at.z, floor));
        }
    int32_t(*to)[3] = drop->triangle;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int32_t a = i * COLUMNS + j, b = i * COLUMNS + (j + 1) % COLUMNS, c = a + COLUMNS, d = b + COLUMNS;
            memcpy(*to++, (const int32_t[3]){a, c, d}, sizeof *to);
            memcpy(*to++, (const int32_t[3]){a, d, b}, sizeof *to);
        }
}

static mnPart part_of(const Drop *drop, mnMaterial material, mnV3 colour) {
    return (mnPart){.material = material,
                    .colour = colour,
                    .coat = 0.03F,
                    .vertex_count = (ROWS + 1) * COLUMNS,
                    .triangle_count = 2 * ROWS * COLUMNS,
                    .vertex = drop->vertex,
                    .normal = drop->normal,
                    .triangle = (const int32_t(*)[3])drop->triangle};
}

static mnLens lens_at(mnV3 from, mnV3 to) {
    mnV3 forward = v3_unit(v3_sub(to, from)), right = v3_unit(v3_cross(forward, v3(0, 0, 1)));
    return (mnLens){from, right, v3_cross(right, forward),   forward, 0.3F * WIDTH / HEIGHT,
                    0.3F, 0.02F, v3_length(v3_sub(to, from))};
}

static const mnV3 plate[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
static const int32_t halves[2][3] = {{0, 1, 2}, {0, 2, 3}};

static mnTraced trace(const mnTableau *tableau, int samples, int threads) {
    mnTraceDesc desc = {.samples = samples, .threads = threads};
    mnTraced traced;
    mnError error;
    if (mn_trace(tableau, &desc, WIDTH, HEIGHT, &traced, &error) != MN_OK) fail_msg("%s", error.text);
    return traced;
}

/* A drop on a plate, a smaller one beside it, and one that falls and is blurred. */
typedef struct Example {
    Drop drops[3];
    mnV3 end[(ROWS + 1) * COLUMNS];
    mnPart parts[4];
    mnTableau tableau;
} Example;

static Example *make_example(mnMaterial material) {
    Example *e = calloc(1, sizeof *e);
    assert_non_null(e);
    make_drop(&e->drops[0], v3(-0.1F, 0, 0.25F), 0.6F, 0.004F);
    make_drop(&e->drops[1], v3(0.75F, -0.3F, 0.1F), 0.2F, 0.004F);
    make_drop(&e->drops[2], v3(0.8F, 0.3F, 0.8F), 0.12F, 0);
    for (int i = 0; i < 3; i++) e->parts[i] = part_of(&e->drops[i], material, v3(0.7F, 0.4F, 0.3F));
    for (int i = 0; i < (ROWS + 1) * COLUMNS; i++) e->end[i] = v3_along(e->drops[2].vertex[i], -0.1F, v3(0, 0, 1));
    e->parts[2].vertex_end = e->end;
    e->parts[3] = (mnPart){.material = MN_MATERIAL_MATT,
                           .colour = {0.64F, 0.64F, 0.63F},
                           .coat = 0.035F,
                           .vertex_count = 4,
                           .triangle_count = 2,
                           .vertex = plate,
                           .triangle = halves};
    e->tableau = (mnTableau){.parts = e->parts,
                             .part_count = 4,
                             .up = {0, 0, 1},
                             .has_ground = true,
                             .ground_height = -0.05F,
                             .absorption = {0.33F, 0.13F, 0.07F},
                             .contact_gap = 0.02F,
                             .lens = lens_at(v3(0.9F, -3.2F, 1.5F), v3(0, 0, 0.35F))};
    mn_studio_light(&e->tableau, true);
    return e;
}

static void expect_example(mnMaterial material, int samples, const char *name) {
    Example *e = make_example(material);
    mnTraced traced = trace(&e->tableau, samples, 2);
    mnPicture picture;
    assert_int_equal(mn_filter(&traced, 2, &picture, NULL), MN_OK);
    mn_picture_tone(&picture);
    expect_picture(name, &picture);
    mn_picture_clear(&picture);
    mn_traced_clear(&traced);
    free(e);
}

static void water_looks_like_water(void **state) {
    (void)state;
    expect_example(MN_MATERIAL_WATER, 32, "water.png");
}

static void clay_looks_like_clay(void **state) {
    (void)state;
    expect_example(MN_MATERIAL_MATT, 16, "clay.png");
}

static void glass_looks_like_glass(void **state) {
    (void)state;
    expect_example(MN_MATERIAL_GLASS, 16, "glass.png");
}

static void threads_change_nothing(void **state) {
    (void)state;
    Example *e = make_example(MN_MATERIAL_WATER);
    mnTraced one = trace(&e->tableau, 4, 1), two = trace(&e->tableau, 4, 2);
    mnPicture filtered[2];
    size_t bytes = (size_t)WIDTH * HEIGHT * sizeof(mnV3);
    for (int h = 0; h < 2; h++) assert_memory_equal(one.half[h].pixel, two.half[h].pixel, bytes);
    assert_int_equal(mn_filter(&one, 1, &filtered[0], NULL), MN_OK);
    assert_int_equal(mn_filter(&two, 2, &filtered[1], NULL), MN_OK);
    assert_memory_equal(filtered[0].pixel, filtered[1].pixel, bytes);
    mn_picture_clear(&filtered[0]);
    mn_picture_clear(&filtered[1]);
    mn_traced_clear(&one);
    mn_traced_clear(&two);
    free(e);
}

/* Mean squared difference as a share of the light. */
static double error_of(const mnV3 *found, const mnTraced *right) {
    double sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        mnV3 wanted = v3_scale(0.5F, v3_add(right->half[0].pixel[i], right->half[1].pixel[i]));
        mnV3 off = v3_sub(found[i], wanted);
        sum += (double)(v3_dot(off, off) / (0.01F + v3_dot(wanted, wanted)));
    }
    return sum / (WIDTH * HEIGHT);
}

static void the_filter_takes_noise_out(void **state) {
    (void)state;
    Example *e = make_example(MN_MATERIAL_WATER);
    mnTraced right = trace(&e->tableau, 512, 2), noisy = trace(&e->tableau, 16, 2);
    mnPicture filtered;
    assert_int_equal(mn_filter(&noisy, 2, &filtered, NULL), MN_OK);
    double after = error_of(filtered.pixel, &right);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        noisy.half[0].pixel[i] = v3_scale(0.5F, v3_add(noisy.half[0].pixel[i], noisy.half[1].pixel[i]));
    double before = error_of(noisy.half[0].pixel, &right);
    print_message("mean squared error: %.2e before, %.2e after the filter\n", before, after);
    assert_true(after < 0.6 * before);
    mn_picture_clear(&filtered);
    mn_traced_clear(&noisy);
    mn_traced_clear(&right);
    free(e);
}

static bool stop_halfway(void *context, double share) {
    *(double *)context = share;
    return share < 0.5;
}

static void work_can_be_stopped(void **state) {
    (void)state;
    Example *e = make_example(MN_MATERIAL_MATT);
    double share = 0;
    mnTraceDesc desc = {.samples = 2, .threads = 2, .go_on = stop_halfway, .context = &share};
    mnTraced traced;
    mnError error;
    assert_int_not_equal(mn_trace(&e->tableau, &desc, WIDTH, HEIGHT, &traced, &error), MN_OK);
    assert_true(share >= 0.5 && share < 0.8);
    free(e);
}

/* Reflected at right angles: ((n − 1)/(n + 1))²; beyond the critical angle: all of it. */
static void fresnel_by_hand(void **state) {
    (void)state;
    assert_float_equal(mn_optics_fresnel(1, 1 / 1.333F), 0.0203718, 1e-5);
    assert_float_equal(mn_optics_fresnel(1, 1.333F), 0.0203718, 1e-5);
    assert_float_equal(mn_optics_fresnel(0.6F, 1.333F), 1, 0);
    /* Brewster's angle: only the perpendicular half is left. */
    float brewster = cosf(atanf(1.333F));
    float perpendicular = (1 - 1.333F * 1.333F) / (1 + 1.333F * 1.333F);
    assert_float_equal(mn_optics_fresnel(brewster, 1 / 1.333F), 0.5F * perpendicular * perpendicular, 1e-5);
}

/* Sixteen samples of any pair: one in each sixteenth of the square, whichever way it is cut, also for other blocks. */
static void samples_are_spread_evenly(void **state) {
    (void)state;
    for (uint32_t pair = 0; pair < 40; pair++)
        for (int block = 0; block < 2; block++)
            for (int wide = 0; wide <= 4; wide++) {
                bool taken[16] = {0};
                for (uint32_t s = 0; s < 16; s++) {
                    mnSampler sampler = {.seed = 7, .sample = s + 16 * (uint32_t)block, .pair = pair};
                    float u[2];
                    mn_sampler_pair(&sampler, u);
                    int across = 1 << wide, down = 16 >> wide;
                    int cell = (int)(u[0] * (float)across) * down + (int)(u[1] * (float)down);
                    assert_false(taken[cell]);
                    taken[cell] = true;
                }
            }
}

int main(void) {
    const struct CMUnitTest without_rays[] = {
        cmocka_unit_test(fresnel_by_hand),
        cmocka_unit_test(samples_are_spread_evenly),
    };
    const struct CMUnitTest with_rays[] = {
        cmocka_unit_test(water_looks_like_water),     cmocka_unit_test(clay_looks_like_clay),
        cmocka_unit_test(glass_looks_like_glass),     cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(the_filter_takes_noise_out), cmocka_unit_test(work_can_be_stopped),
    };
    mnError error;
    int failed = cmocka_run_group_tests(without_rays, NULL, NULL);
    if (mn_rays_check(&error) == MN_OK) return failed + cmocka_run_group_tests(with_rays, NULL, NULL);
    printf("skipped: %s\n", error.text);
    return failed;
}
