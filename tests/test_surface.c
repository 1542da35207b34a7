/* Surfaces of particles that fill known bodies: volumes, areas, holes, walls, files, and what cannot be made. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "folder_helpers.h"
#include "surface/surface.h"

static const double pi = 3.14159265358979323846;

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

typedef struct Body {
    bool (*contains)(const struct Body *body, const double x[3]);
    double radius, second; /* in spacings */
    double reach[3];       /* half a box around it */
    double phase[3];       /* of the lattice */
} Body;

static bool in_ball(const Body *b, const double x[3]) {
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < b->radius * b->radius;
}

static bool in_torus(const Body *b, const double x[3]) {
    double from_ring = hypot(x[0], x[1]) - b->radius;
    return hypot(from_ring, x[2]) < b->second;
}

static bool in_thread(const Body *b, const double x[3]) {
    return hypot(x[0], x[1]) < b->radius && fabs(x[2]) < b->second;
}

static bool in_film(const Body *b, const double x[3]) {
    return fabs(x[0]) < b->radius && fabs(x[1]) < b->radius && fabs(x[2]) < b->second;
}

/* A ball that a floor at 0 cuts off; `second` is the height of its centre. */
static bool in_cap(const Body *b, const double x[3]) {
    return x[2] > 0 && x[0] * x[0] + x[1] * x[1] + (x[2] - b->second) * (x[2] - b->second) < b->radius * b->radius;
}

/* Particles on a lattice, each thrown off its place by up to a fifth of the spacing along each axis. */
typedef struct Cloud {
    mnVec *position, *velocity;
    int64_t count;
    double spacing;
} Cloud;

static Cloud fill(const Body *body, double spacing, const double origin[3]) {
    int n[3];
    for (int c = 0; c < 3; c++) n[c] = (int)ceil(body->reach[c]) + 1;
    int64_t room = (int64_t)(2 * n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1);
    Cloud cloud = {.spacing = spacing};
    cloud.position = calloc((size_t)room, sizeof *cloud.position);
    cloud.velocity = calloc((size_t)room, sizeof *cloud.velocity);
    assert_true(cloud.position && cloud.velocity);
    mnRandom random = mn_random_start(7, 0);
    for (int k = -n[2]; k <= n[2]; k++)
        for (int j = -n[1]; j <= n[1]; j++)
            for (int i = -n[0]; i <= n[0]; i++) {
                double x[3] = {i + body->phase[0], j + body->phase[1], k + body->phase[2]};
                if (!body->contains(body, x)) continue;
                for (int c = 0; c < 3; c++)
                    x[c] = origin[c] + spacing * (x[c] + 0.4 * (mn_random_uniform(&random) - 0.5));
                mnReal volume = (mnReal)(spacing * spacing * spacing);
                cloud.position[cloud.count] = (mnVec){(mnReal)x[0], (mnReal)x[1], (mnReal)x[2], volume};
                cloud.velocity[cloud.count++] = (mnVec){1, 2, 3, 0};
            }
    return cloud;
}

static const double nowhere[3] = {0, 0, 0};

static void drop(Cloud *cloud) {
    free(cloud->position);
    free(cloud->velocity);
}

static double volume_of(const Cloud *cloud) {
    return (double)cloud->count * pow(cloud->spacing, 3);
}

static mnSurfaceDesc desc_of(const Cloud *cloud) {
    mnSurfaceDesc desc = mn_default_surface();
    desc.count = cloud->count;
    desc.position = cloud->position;
    desc.velocity = cloud->velocity;
    desc.spacing = cloud->spacing;
    desc.threads = 2;
    return desc;
}

static mnSurface make(const mnSurfaceDesc *desc) {
    mnSurface surface = {0};
    mnError error = {0};
    if (mn_surface_make(desc, &surface, &error) != MN_OK) fail_msg("%s", error.text);
    return surface;
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* Every edge is in two triangles, which run along it in opposite directions. */
static void assert_closed(const mnSurface *s) {
    size_t count = 3 * (size_t)s->triangle_count;
    uint64_t *edge = calloc(count + 1, sizeof *edge);
    assert_non_null(edge);
    for (size_t k = 0; k < count; k++) {
        const int32_t *v = s->triangle[k / 3];
        uint64_t from = (uint64_t)v[k % 3], to = (uint64_t)v[(k + 1) % 3];
        assert_true(from != to && from < (uint64_t)s->vertex_count && to < (uint64_t)s->vertex_count);
        edge[k] = from < to ? from << 32 | to << 1 : to << 32 | from << 1 | 1;
    }
    qsort(edge, count, sizeof *edge, compare_edges);
    for (size_t k = 0; k < count; k++) assert_true(edge[k] == ((edge[k & ~(size_t)1] & ~(uint64_t)1) | (k & 1)));
    for (size_t k = 2; k < count; k += 2) assert_true(edge[k] != edge[k - 2]);
    free(edge);
}

/* 2 for each body, 2 less for each hole through one. */
static int64_t euler(const mnSurface *s) {
    return s->vertex_count - s->triangle_count / 2;
}

static void assert_about(const char *what, double found, double expected, double tolerance) {
    if (!(fabs(found / expected - 1) <= tolerance))
        fail_msg("%s: %g instead of %g, %.2f %% off", what, found, expected, 100 * (found / expected - 1));
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void test_balls(void **unused) {
    (void)unused;
    const double radius[] = {4, 8, 16, 30};
    for (int k = 0; k < 4; k++) {
        double r = radius[k];
        Body ball = {in_ball, r, 0, {r, r, r}, {0.5, 0.5, 0.5}};
        Cloud cloud = fill(&ball, 1e-3, nowhere);
        mnSurfaceDesc desc = desc_of(&cloud);
        mnSurface s = make(&desc);
        double volume = volume_of(&cloud);
        assert_closed(&s);
        assert_int_equal(euler(&s), 2);
        assert_about("volume of a ball", s.volume, volume, 0.01);
        assert_about("area of a ball", s.area, cbrt(36 * pi * volume * volume), 0.015);
        double out = 0;
        for (int64_t v = 0; v < s.vertex_count; v++) {
            for (int c = 0; c < 3; c++) out += (double)(s.vertex[v][c] * s.normal[v][c]);
            assert_true(fabsf(s.velocity[v][0] - 1) < 1e-5f && fabsf(s.velocity[v][2] - 3) < 1e-5f);
        }
        assert_about("distance along the normal", out / (double)s.vertex_count, cbrt(3 * volume / (4 * pi)), 0.02);
        mn_surface_clear(&s);
        drop(&cloud);
    }
}

static void test_films_and_threads(void **unused) {
    (void)unused;
    const Body bodies[] = {
        {in_film, 15, 0.5, {15, 15, 1}, {0.5, 0.5, 0}},    {in_film, 15, 1, {15, 15, 1}, {0.5, 0.5, 0.5}},
        {in_film, 15, 1.5, {15, 15, 2}, {0.5, 0.5, 0}},    {in_film, 15, 2, {15, 15, 2}, {0.5, 0.5, 0.5}},
        {in_thread, 1.5, 20, {2, 2, 20}, {0, 0, 0.5}},     {in_thread, 3, 20, {3, 3, 20}, {0, 0, 0.5}},
        {in_thread, 1.2, 20, {2, 2, 20}, {0.5, 0.5, 0.5}},
    };
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        Cloud cloud = fill(&bodies[k], 1e-3, nowhere);
        mnSurfaceDesc desc = desc_of(&cloud);
        mnSurface s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 2);
        assert_about("volume of a film or thread", s.volume, volume_of(&cloud), 0.02);
        mn_surface_clear(&s);
        drop(&cloud);
    }
}

/* Also with other voxels, in another place, of another size. */
static void test_torus(void **unused) {
    (void)unused;
    const double origins[3][3] = {{0, 0, 0}, {0.9, -0.7, 0.3}, {0, 0, 0}}, voxels[3] = {0.5, 0.37, 0.25};
    Body torus = {in_torus, 12, 4, {16, 16, 4}, {0.5, 0.5, 0.5}};
    for (int k = 0; k < 3; k++) {
        Cloud cloud = fill(&torus, 1e-4, origins[k]);
        mnSurfaceDesc desc = desc_of(&cloud);
        desc.voxel = voxels[k] * cloud.spacing;
        mnSurface s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 0);
        double volume = volume_of(&cloud), ring = torus.radius * cloud.spacing;
        assert_about("volume of a torus", s.volume, volume, 0.02);
        assert_about("area of a torus", s.area, 4 * pi * pi * ring * sqrt(volume / (2 * pi * pi * ring)), 0.03);
        mn_surface_clear(&s);
        drop(&cloud);
    }
}

/* Single particles, a pair, and a string of pearls. */
static void test_few_particles(void **unused) {
    (void)unused;
    mnVec position[12], velocity[12] = {{0}};
    for (int place = 0; place < 20; place++) {
        /* At any place in a voxel. */
        double x = 0.11 * place, y = 0.07 * place, z = 0.23 * place;
        position[0] = (mnVec){(mnReal)x, (mnReal)y, (mnReal)z, 0};
        position[1] = (mnVec){(mnReal)(x + 7), (mnReal)y, (mnReal)z, 0};
        position[2] = (mnVec){(mnReal)(x + 8), (mnReal)y, (mnReal)z, 0};
        mnSurfaceDesc desc = mn_default_surface();
        desc.count = 3;
        desc.position = position;
        desc.velocity = velocity;
        desc.spacing = 1;
        desc.threads = 1;
        mnSurface s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 4);
        assert_about("volume of three particles", s.volume, 3, 0.1);
        mn_surface_clear(&s);
        for (int k = 0; k < 12; k++) position[k] = (mnVec){(mnReal)(x + k), (mnReal)y, (mnReal)z, 0};
        desc.count = 12;
        s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 2);
        assert_about("volume of a row of particles", s.volume, 12, 0.1);
        mn_surface_clear(&s);
    }
}

static double floor_distance(const void *context, const double point[3], double normal[3]) {
    (void)context;
    normal[0] = normal[1] = 0;
    normal[2] = 1;
    return point[2];
}

/* Caps that meet a floor at 60, 90 and 120 degrees. */
static void test_caps(void **unused) {
    (void)unused;
    for (int angle = 60; angle <= 120; angle += 30) {
        double theta = angle * pi / 180, r = 16;
        Body cap = {in_cap, r, -r * cos(theta), {r, r, 2 * r}, {0.5, 0.5, 0.5}};
        Cloud cloud = fill(&cap, 1, nowhere);
        mnSurfaceDesc desc = desc_of(&cloud);
        desc.solid = floor_distance;
        mnSurface s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 2);
        assert_about("volume of a cap", s.volume, volume_of(&cloud), 0.03);
        double foot = 0, lean = 0;
        int64_t low = 0;
        for (int64_t t = 0; t < s.triangle_count; t++) {
            const float *a = s.vertex[s.triangle[t][0]], *b = s.vertex[s.triangle[t][1]],
                        *c = s.vertex[s.triangle[t][2]];
            if (fmaxf(fmaxf(a[2], b[2]), c[2]) < 0.011f)
                foot -= (double)((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
        }
        for (int64_t v = 0; v < s.vertex_count; v++) {
            double z = (double)s.vertex[v][2];
            assert_true(z > 0.009);
            if (z > 2 || z < 0.02) continue;
            lean += asin(fmin(fmax((double)s.normal[v][2], -1), 1)) - asin((z - cap.second) / r);
            low++;
        }
        if (fabs(sqrt(foot / pi) - r * sin(theta)) > 0.5)
            fail_msg("foot of %d degrees: radius %g instead of %g", angle, sqrt(foot / pi), r * sin(theta));
        /* Over two spacings; in the lowest one alone 60 degrees come out six too steep. */
        if (fabs(lean / (double)low) > 4 * pi / 180)
            fail_msg("contact at %d degrees is off by %g degrees", angle, lean / (double)low * 180 / pi);
        mn_surface_clear(&s);
        drop(&cloud);
    }
}

/* Two plates, the lower one at the first number and the upper one at the second. */
static double slit_distance(const void *context, const double point[3], double normal[3]) {
    const double *plates = context, above = point[2] - plates[0], below = plates[1] - point[2];
    normal[0] = normal[1] = 0;
    normal[2] = above < below ? 1 : -1;
    return fmin(above, below);
}

/* A single even layer in a gap too narrow to get away from both walls fills it, without holes, wherever the grid is. */
static void test_slits(void **unused) {
    (void)unused;
    Body film = {in_film, 12, 0.5, {12, 12, 1}, {0.5, 0.5, 0}};
    for (int k = 0; k < 4; k++) {
        double gap = 1.2, base = 0.13 * k;
        Cloud cloud = fill(&film, 1, (const double[3]){0, 0, base + gap / 2});
        for (int64_t i = 0; i < cloud.count; i++) {
            mnVec *x = &cloud.position[i];
            *x = (mnVec){(mnReal)(floor((double)x->x) + 0.5), (mnReal)(floor((double)x->y) + 0.5),
                         (mnReal)(base + gap / 2), x->w};
        }
        mnSurfaceDesc desc = desc_of(&cloud);
        const double plates[2] = {base, base + gap};
        desc.solid = slit_distance;
        desc.context = plates;
        mnSurface s = make(&desc);
        assert_closed(&s);
        assert_int_equal(euler(&s), 2);
        assert_about("volume of a slit", s.volume, gap * volume_of(&cloud), 0.15);
        mn_surface_clear(&s);
        drop(&cloud);
    }
}

static void test_threads_give_the_same_bits(void **unused) {
    (void)unused;
    Body cap = {in_cap, 9, 3, {9, 9, 13}, {0.5, 0.5, 0.5}};
    Cloud cloud = fill(&cap, 1, nowhere);
    mnSurfaceDesc desc = desc_of(&cloud);
    desc.solid = floor_distance;
    mnSurface two = make(&desc);
    desc.threads = 1;
    mnSurface one = make(&desc);
    assert_int_equal(one.vertex_count, two.vertex_count);
    assert_int_equal(one.triangle_count, two.triangle_count);
    size_t vectors = (size_t)one.vertex_count * sizeof *one.vertex;
    assert_memory_equal(one.vertex, two.vertex, vectors);
    assert_memory_equal(one.normal, two.normal, vectors);
    assert_memory_equal(one.velocity, two.velocity, vectors);
    assert_memory_equal(one.triangle, two.triangle, (size_t)one.triangle_count * sizeof *one.triangle);
    mn_surface_clear(&one);
    mn_surface_clear(&two);
    drop(&cloud);
}

static void refuse(const mnSurfaceDesc *desc, mnStatus status, const char *expected) {
    mnSurface surface = {0};
    mnError error = {0};
    assert_int_equal(mn_surface_make(desc, &surface, &error), status);
    if (!strstr(error.text, expected)) fail_msg("\"%s\" does not say \"%s\"", error.text, expected);
    assert_true(!surface.vertex && !surface.triangle && surface.vertex_count == 0);
}

static void test_refusals(void **unused) {
    (void)unused;
    Body ball = {in_ball, 6, 0, {6, 6, 6}, {0.5, 0.5, 0.5}};
    Cloud cloud = fill(&ball, 1, nowhere);
    const mnSurfaceDesc good = desc_of(&cloud);
    mnSurfaceDesc desc = good;
    /* However little memory there is, it ends in an error or with a surface. */
    for (size_t limit = 1000; limit < 100000000; limit *= 2) {
        desc.memory_limit = limit;
        mnSurface surface = {0};
        mnError error = {0};
        mnStatus status = mn_surface_make(&desc, &surface, &error);
        assert_true(status == MN_OK || (status == MN_ERROR_MEMORY && strstr(error.text, "--voxel")));
        mn_surface_clear(&surface);
    }
    desc.memory_limit = 100000;
    refuse(&desc, MN_ERROR_MEMORY, "larger voxel");
    desc = good;
    desc.voxel = 5;
    refuse(&desc, MN_ERROR_INPUT, "may be from");
    desc = good;
    desc.spacing = 0;
    refuse(&desc, MN_ERROR_INPUT, "positive");
    desc = good;
    desc.smoothing = -1;
    refuse(&desc, MN_ERROR_INPUT, "smoothing");
    desc = good;
    cloud.position[17].y = (mnReal)NAN;
    refuse(&desc, MN_ERROR_INPUT, "not finite");
    desc.count = 0;
    mnSurface nothing = make(&desc);
    assert_int_equal(nothing.triangle_count, 0);
    mn_surface_clear(&nothing);
    drop(&cloud);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void write_one(const mnSurface *s, mnSurfaceFormat format, const char *name, char *head, size_t size,
                      long *bytes) {
    mnError error = {0};
    if (mn_surface_write(format, path_of(name), s, 0.25, &error) != MN_OK) fail_msg("%s", error.text);
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    size_t read = fread(head, 1, size - 1, file);
    head[read] = '\0';
    fseek(file, 0, SEEK_END);
    *bytes = ftell(file);
    fclose(file);
    unlink(path_of(name));
}

static void test_files(void **unused) {
    (void)unused;
    float vertex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, normal[4][3] = {{-1, 0, 0}},
          velocity[4][3] = {{5}};
    int32_t triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    mnSurface s = {vertex, normal, velocity, triangle, 4, 4, 1.0 / 6, 2.4};
    char head[4096];
    long bytes;
    write_one(&s, MN_SURFACE_PLY, "a.ply", head, sizeof head, &bytes);
    const char *end = strstr(head, "end_header\n");
    assert_non_null(end);
    assert_non_null(strstr(head, "element vertex 4\n"));
    assert_non_null(strstr(head, "property float vz\n"));
    assert_int_equal(bytes, end + strlen("end_header\n") - head + 4 * 36 + 4 * 13);
    write_one(&s, MN_SURFACE_OBJ, "a.obj", head, sizeof head, &bytes);
    assert_non_null(strstr(head, "v 0 1 0\n"));
    assert_non_null(strstr(head, "vn -1 0 0\n"));
    assert_non_null(strstr(head, "f 1//1 3//3 2//2\n"));
    write_one(&s, MN_SURFACE_VTP, "a.vtp", head, sizeof head, &bytes);
    const char *data = strstr(head, "raw\">\n_");
    assert_non_null(data);
    assert_non_null(strstr(head, "NumberOfPolys=\"4\""));
    assert_int_equal(bytes, data + 7 - head + 3 * (8 + 48) + (8 + 48) + (8 + 32) + 28);
    /* Nothing is left of a file that cannot be written. */
    mnError error = {0};
    assert_int_equal(mkdir(path_of("taken.ply"), 0777), 0);
    assert_int_equal(mn_surface_write(MN_SURFACE_PLY, path_of("taken.ply"), &s, 0, &error), MN_ERROR_FILE);
    assert_int_equal(access(path_of("taken.ply.partial"), F_OK), -1);
    rmdir(path_of("taken.ply"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balls),    cmocka_unit_test(test_films_and_threads),
        cmocka_unit_test(test_torus),    cmocka_unit_test(test_few_particles),
        cmocka_unit_test(test_caps),     cmocka_unit_test(test_slits),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
