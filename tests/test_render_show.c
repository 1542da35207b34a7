/* Pictures of runs that were made up: fields and their legend, solids, planes, and what cannot be shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/frames.h"
#include "picture_helpers.h"
#include "render/colours.h"
#include "render/legend.h"
#include "render/rays.h"
#include "render/show.h"
#include "render/splat.h"

enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE };

/* A cube of particles (2D: a square) with a field that rises along x, as frame `number` of the run `name`. */
static void write_frame(const char *name, int number, int dimension, double shift) {
    static mnVec position[COUNT], velocity[COUNT], measure[COUNT];
    static mnReal pressure[COUNT];
    static int32_t phase[COUNT];
    static int64_t id[COUNT], order[COUNT];
    int64_t count = 0;
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++)
            for (int z = 0; z < (dimension == 3 ? SIDE : 1); z++, count++) {
                double h = 1e-3;
                position[count] = (mnVec){(mnReal)(h * x + shift), (mnReal)(h * (y + 0.5)),
                                          (mnReal)(dimension == 3 ? h * (z + 0.5) : 0), (mnReal)pow(h, dimension)};
                velocity[count] = (mnVec){(mnReal)(0.01 * x), 0, 0, 0};
                pressure[count] = (mnReal)(100 * y);
                phase[count] = x / 4;
                id[count] = order[count] = count;
            }
    mnSceneDesc scene = mn_default_scene();
    scene.dimension = dimension;
    mnSnapshot snapshot = {
        .scene = &scene, .time = 0.02 * number, .particles = {count, position, velocity, pressure, measure, phase, id}};
    char frame[64], path[160];
    mn_frame_name(frame, number, MN_FORMAT_PLY);
    mkdir(path_of(name), 0777);
    snprintf(path, sizeof path, "%s/frames", name);
    mkdir(path_of(path), 0777);
    snprintf(path, sizeof path, "%s/frames/%s", name, frame);
    mnError error;
    if (mn_frame_write(MN_FORMAT_PLY, path_of(path), &snapshot, order, &error) != MN_OK) fail_msg("%s", error.text);
}

static mnShowDesc small(void) {
    return (mnShowDesc){.width = 320, .height = 180, .samples = 4, .threads = 2};
}

static mnPicture show(const char *name, const mnShowDesc *desc) {
    mnRunFolder run;
    mnShow *made = NULL;
    mnPicture picture;
    mnError error;
    if (mn_run_folder_open(path_of(name), &run, &error) != MN_OK || mn_show_open(&run, desc, &made, &error) != MN_OK ||
        mn_show_frame(made, run.frame_count - 1, &picture, &error) != MN_OK)
        fail_msg("%s", error.text);
    mn_show_close(made);
    mn_run_folder_close(&run);
    return picture;
}

static mnStatus fail_to_show(const char *name, const mnShowDesc *desc, mnError *error) {
    mnRunFolder run;
    mnShow *made = NULL;
    mnPicture picture = {0};
    mnStatus status = mn_run_folder_open(path_of(name), &run, error);
    if (status != MN_OK) return status;
    status = mn_show_open(&run, desc, &made, error);
    if (status == MN_OK) status = mn_show_frame(made, run.frame_count - 1, &picture, error);
    assert_null(picture.pixel);
    mn_show_close(made);
    mn_run_folder_close(&run);
    return status;
}

static void particles_by_a_field(void **state) {
    (void)state;
    write_frame("cube", 0, 3, 0);
    write_frame("cube", 3, 3, 0.002);
    write_text(
        "cube/scene.json",
        "{\"spacing\": 0.001, \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.008, "
        "0.008, 0.008], \"translation\": [0.004, 0.004, 0.005]}}]}}, \"solids\": {\"floor\": {\"shape\": {\"kind\": "
        "\"plane\", \"size\": [0.03, 0.03]}}, \"ball\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.003, "
        "\"translation\": [0.016, 0.003, 0.003]}}}}");
    mnShowDesc desc = small();
    desc.look = MN_LOOK_SPEED;
    mnPicture picture = show("cube", &desc);
    expect_picture("speed.png", &picture);
    mn_picture_clear(&picture);
    /* A frame by itself, without its scene: the radii tell how large particles are. */
    assert_int_equal(remove(path_of("cube/scene.json")), 0);
    desc.look = MN_LOOK_HEIGHT;
    desc.camera = "from=0.03,-0.03,0.02 to=0.005,0.004,0.004 fov=25";
    picture = show("cube/frames/frame_000003.ply", &desc);
    expect_picture("height.png", &picture);
    mn_picture_clear(&picture);
}

static void planes_of_particles(void **state) {
    (void)state;
    write_frame("square", 0, 2, 0);
    write_text(
        "square/scene.json",
        "{\"dimension\": 2, \"spacing\": 0.001, \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": "
        "\"sphere\", "
        "\"radius\": 0.003, \"translation\": [0.003, 0.004]}}]}, \"oil\": {}}, \"solids\": {\"tank\": {\"shape\": "
        "{\"kind\": \"box\", \"size\": [0.012, 0.01, 1], \"translation\": [0.0035, 0.005], \"hollow\": true}}}, "
        "\"view\": {\"look\": \"field:phase\"}}");
    mnShowDesc desc = small();
    mnPicture picture = show("square", &desc);
    expect_picture("phase.png", &picture);
    mn_picture_clear(&picture);
    mnError error;
    desc.look = MN_LOOK_WATER;
    assert_int_equal(fail_to_show("square", &desc, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "field:NAME"));
}

static void what_cannot_be_shown(void **state) {
    (void)state;
    mnShowDesc desc = small();
    mnError error;
    desc.look = MN_LOOK_SPEED;
    assert_int_equal(fail_to_show("nowhere", &desc, &error), MN_ERROR_FILE);
    mkdir(path_of("empty"), 0777);
    assert_int_equal(fail_to_show("empty", &desc, &error), MN_ERROR_FILE);
    /* A frame that ends too soon. */
    write_frame("broken", 0, 3, 0);
    assert_int_equal(truncate(path_of("broken/frames/frame_000000.ply"), 900), 0);
    assert_int_equal(fail_to_show("broken", &desc, &error), MN_ERROR_FILE);
    assert_non_null(strstr(error.text, "frame_000000.ply"));
    /* One that does not say how large its particles are. */
    mkdir(path_of("bare"), 0777);
    write_text("bare/frame_000000.csv", "x,y,z\n0,0,0\n0.001,0,0\n");
    assert_int_equal(fail_to_show("bare", &desc, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "scene.json"));
    desc.camera = "from=here";
    assert_int_equal(fail_to_show("bare", &desc, &error), MN_ERROR_INPUT);
    mnLook look;
    assert_int_equal(mn_look_parse("field:sped", &look, &error), MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "field:speed"));
}

/* Beside the camera places in the picture grow beyond all bounds. */
static void things_far_off_the_picture(void **state) {
    (void)state;
    static const mnV3 vertex[] = {{1e9F, 1e9F, 0}, {2e9F, 1e9F, 0}, {1e9F, 2e9F, 0.03F}};
    static const int32_t triangle[][3] = {{0, 1, 2}, {0, 2, 1}};
    mnLens lens = {.right = {1, 0, 0}, .up = {0, 1, 0}, .forward = {0, 0, 1}, .half_width = 0.5F, .half_height = 0.5F};
    mnBall ball = {{0, 1e9F, 1e-3F}, 1e-4F, {1, 1, 1}};
    mnPart part = {.vertex_count = 3, .triangle_count = 2, .vertex = vertex, .triangle = triangle};
    mnSplatDesc desc = {.lens = &lens, .balls = &ball, .ball_count = 1, .parts = &part, .part_count = 1, .threads = 1};
    mnPicture picture;
    assert_int_equal(mn_picture_create(&picture, 16, 16, NULL), MN_OK);
    assert_int_equal(mn_splat(&desc, &picture, NULL), MN_OK);
    for (int i = 0; i < 16 * 16; i++) assert_true(picture.pixel[i].x > 0.8F);
    mn_picture_clear(&picture);
}

static void builds_without_embree_say_so(void **state) {
    (void)state;
    mnError error;
    if (mn_rays_check(&error) == MN_OK) skip();
    write_frame("cube", 0, 3, 0);
    mnShowDesc desc = small();
    desc.look = MN_LOOK_WATER;
    assert_int_equal(fail_to_show("cube", &desc, &error), MN_ERROR_FEATURE);
    assert_non_null(strstr(error.text, "Embree"));
}

static void steps_and_units_of_a_legend(void **state) {
    (void)state;
    static const struct {
        double low, high, step;
    } cases[] = {{0, 1, 0.2}, {0, 4, 1}, {-3, 7, 2}, {0, 0.0011, 0.0002}, {5, 5.2, 0.05}, {0, 900, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(fabs(mn_legend_step(cases[i].low, cases[i].high) / cases[i].step - 1) < 1e-9);
    static const struct {
        double most;
        int power;
        const char *prefix;
    } units[] = {{0.5, 0, ""},    {20, 0, ""},   {0.02, -3, "m"}, {3e-6, -6, "µ"},
                 {2e-9, -6, "µ"}, {4e4, 3, "k"}, {0, 0, ""}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const char *prefix;
        assert_int_equal(mn_legend_prefix(units[i].most, &prefix), units[i].power);
        assert_string_equal(prefix, units[i].prefix);
    }
}

/* All but the same, and nobody there. */
static void legends_of_nothing(void **state) {
    (void)state;
    mnPicture picture;
    assert_int_equal(mn_picture_create(&picture, 160, 90, NULL), MN_OK);
    mn_legend_draw(&picture, &(mnLegend){.field = MN_LOOK_SPEED, .range = {1, 1 + 0x1p-52}});
    mn_legend_draw(&picture, &(mnLegend){.field = MN_LOOK_PHASE, .range = {INFINITY, -INFINITY}});
    mn_picture_clear(&picture);
}

/* Steps of the same size in the number look the same: the lightness of Oklab rises evenly. */
static void colours_get_ever_lighter(void **state) {
    (void)state;
    float last = 0;
    for (int i = 0; i <= 100; i++) {
        mnV3 c = mn_colour_of(i / 100.0);
        float lightness = 0.2104542553F * cbrtf(0.4122214708F * c.x + 0.5363325363F * c.y + 0.0514459929F * c.z) +
                          0.7936177850F * cbrtf(0.2119034982F * c.x + 0.6806995451F * c.y + 0.1073969566F * c.z) -
                          0.0040720468F * cbrtf(0.0883024619F * c.x + 0.2817188376F * c.y + 0.6299787005F * c.z);
        if (i > 0) assert_true(fabsf(lightness - last - 0.0064F) < 0.0015F);
        last = lightness;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_by_a_field),        cmocka_unit_test(planes_of_particles),
        cmocka_unit_test(what_cannot_be_shown),        cmocka_unit_test(builds_without_embree_say_so),
        cmocka_unit_test(steps_and_units_of_a_legend), cmocka_unit_test(colours_get_ever_lighter),
        cmocka_unit_test(things_far_off_the_picture),  cmocka_unit_test(legends_of_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
