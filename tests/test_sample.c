/* Sampling of fluids and solids: lattices fill what they should, walls are smooth as a fluid particle sees them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/grid.h"
#include "geometry/sample.h"
#include "geometry/shape.h"
#include "geometry/vector.h"
#include "shape_helpers.h"

/* Of walls without a thickness. */
enum { LAYERS = MN_WALL_LAYERS_MIN };

static mnPoints sample(const mnGeometry *geometry, bool solid, int dimension, double h) {
    mnPoints points;
    mnError error = {0};
    mn_points_init(&points);
    mnStatus status = solid ? mn_sample_solid(geometry, dimension, h, &points, &error)
                            : mn_sample_fluid(geometry, dimension, h, &points, &error);
    if (status != MN_OK) fail_msg("%s", error.text);
    return points;
}

static mnPoints sample_shape(mnShape shape, bool solid, int dimension, double h) {
    mnGeometry *geometry = make(shape, dimension, h);
    mnPoints points = sample(geometry, solid, dimension, h);
    mn_geometry_destroy(geometry);
    return points;
}

static double total(const mnPoints *points) {
    double sum = 0;
    for (int64_t i = 0; i < points->count; i++) sum += points->volume[i];
    return sum;
}

/* The smallest distance between two points. */
static double closest_pair(const mnPoints *points, double h) {
    mnGrid grid;
    assert_true(mn_grid_create(&grid, 2 * h, points->count));
    double least = 2 * h;
    for (int64_t i = 0; i < points->count; i++) {
        int64_t near[256];
        int count = mn_grid_near(&grid, points->position, points->position[i], 2 * h, near, 256);
        for (int k = 0; k < count; k++)
            least = fmin(least, sqrt(distance_squared3(points->position[near[k]], points->position[i])));
        assert_true(mn_grid_add(&grid, points->position[i], i));
    }
    mn_grid_destroy(&grid);
    return least;
}

static double spline(double r, double support, int dimension) {
    double q = r / support, u = fmax(1 - q, 0), t = fmax(0.5 - q, 0);
    double sigma = dimension == 3 ? 8 / (pi * pow(support, 3)) : 40 / (7 * pi * support * support);
    return sigma * (2 * u * u * u - 8 * t * t * t);
}

/* A wall with its points in cells, ready to be looked at. */
typedef struct Wall {
    mnGeometry *geometry;
    mnPoints points;
    mnGrid grid;
    int dimension;
    double h;
} Wall;

static Wall build_wall(mnShape shape, int dimension, double h) {
    Wall wall = {.geometry = make(shape, dimension, h), .dimension = dimension, .h = h};
    wall.points = sample(wall.geometry, true, dimension, h);
    assert_true(mn_grid_create(&wall.grid, 3 * h, wall.points.count));
    for (int64_t i = 0; i < wall.points.count; i++) assert_true(mn_grid_add(&wall.grid, wall.points.position[i], i));
    return wall;
}

static void drop_wall(Wall *wall) {
    mn_grid_destroy(&wall->grid);
    mn_points_clear(&wall->points);
    mn_geometry_destroy(wall->geometry);
}

static double density_at(Wall *wall, const double place[3], double support) {
    int64_t near[512];
    double sum = 0;
    int count = mn_grid_near(&wall->grid, wall->points.position, place, support, near, 512);
    for (int k = 0; k < count; k++)
        sum += wall->points.volume[near[k]] *
               spline(sqrt(distance_squared3(wall->points.position[near[k]], place)), support, wall->dimension);
    return sum;
}

/* (max − min)/mean of what probes at `lift` above the surface see, over those random places that `accept` likes. */
static double spread_of(Wall *wall, double lift, bool (*accept)(const double[3], double)) {
    double lower[3], upper[3], least = INFINITY, most = 0, sum = 0;
    uint64_t state = 42;
    int count = 0;
    mn_geometry_bounds(wall->geometry, lower, upper);
    for (int tries = 0; tries < 100000 && count < 8000; tries++) {
        double x[3] = {0, 0, 0}, normal[3];
        for (int c = 0; c < wall->dimension; c++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            double u = (double)(state >> 11) / 9007199254740992.0;
            x[c] = lower[c] - wall->h + u * (upper[c] - lower[c] + 2 * wall->h);
        }
        double distance = mn_geometry_probe(wall->geometry, x, normal);
        if (fabs(distance - lift) > 2 * wall->h) continue;
        add_scaled3(x, x, lift - distance, normal);
        if (fabs(mn_geometry_distance(wall->geometry, x) - lift) > 1e-6 * wall->h) continue;
        if (accept && !accept(x, wall->h)) continue;
        double density = density_at(wall, x, 2 * wall->h);
        least = fmin(least, density);
        most = fmax(most, density);
        sum += density;
        count++;
    }
    assert_true(count > 400);
    return (most - least) * count / sum;
}

static double spread_of_shape(mnShape shape, int dimension, double h, double lift,
                              bool (*accept)(const double[3], double)) {
    Wall wall = build_wall(shape, dimension, h);
    double spread = spread_of(&wall, lift, accept);
    print_message("             %lld points, spread %.2f %%\n", (long long)wall.points.count, 100 * spread);
    drop_wall(&wall);
    return spread;
}

/* ---- fluids ------------------------------------------------------------------------------------------------------ */

static void test_fluid_box_is_filled_exactly(void **unused) {
    (void)unused;
    double h = 0.5e-3;
    mnPoints points = sample_shape(
        SHAPE(.kind = MN_SHAPE_BOX, .size = {10 * h, 7 * h, 4 * h}, .translation = {1, 2, 3}), false, 3, h);
    assert_int_equal(points.count, 280);
    double least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < points.count; i++) {
        least = fmin(least, points.position[i][0]);
        most = fmax(most, points.position[i][0]);
        assert_true(fabs(points.volume[i] - h * h * h) < 1e-12 * h * h * h);
    }
    assert_true(fabs(least - (1 - 4.5 * h)) < 1e-9 * h * 1e3 && fabs(most - (1 + 4.5 * h)) < 1e-6 * h);
    mn_points_clear(&points);
    points = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {10 * h, 7 * h, 0}), false, 2, h);
    assert_int_equal(points.count, 70);
    assert_true(fabs(total(&points) - 70 * h * h) < 1e-12 * h);
    mn_points_clear(&points);
}

static void test_fluid_sphere_has_its_volume(void **unused) {
    (void)unused;
    for (double r = 6; r < 16; r += 0.37) {
        mnPoints points = sample_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = r), false, 3, 1);
        double centre[3] = {0, 0, 0};
        for (int64_t i = 0; i < points.count; i++) add_scaled3(centre, centre, 1, points.position[i]);
        assert_true(fabs(total(&points) / (4 * pi / 3 * r * r * r) - 1) < 0.02);
        assert_true(length3(centre) < 1e-9);
        mn_points_clear(&points);
    }
}

static void test_fluid_follows_rotation(void **unused) {
    (void)unused;
    double s = sin(0.3), c = cos(0.3);
    mnShape shape = SHAPE(.kind = MN_SHAPE_BOX, .size = {6, 6, 6});
    shape.rotation[0] = s * 0.6;
    shape.rotation[2] = s * 0.8;
    shape.rotation[3] = c;
    mnGeometry *geometry = make(shape, 3, 1);
    mnPoints points = sample(geometry, false, 3, 1);
    assert_int_equal(points.count, 216);
    double most = -INFINITY;
    for (int64_t i = 0; i < points.count; i++) most = fmax(most, mn_geometry_distance(geometry, points.position[i]));
    assert_true(fabs(most + 0.5) < 1e-9);
    mn_points_clear(&points);
    mn_geometry_destroy(geometry);
}

static void test_fluid_film_and_union(void **unused) {
    (void)unused;
    mnPoints film =
        sample_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 12, .hollow = true, .thickness = 2), false, 3, 1);
    double law = 4 * pi / 3 * (pow(12, 3) - pow(10, 3));
    assert_true(fabs(total(&film) / law - 1) < 0.03);
    for (int64_t i = 0; i < film.count; i++) assert_true(length3(film.position[i]) >= 10);
    mn_points_clear(&film);

    mnShape parts[2] = {SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 6),
                        SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 6, .translation = {5.3, 0.2, 0})};
    mnPoints both = sample_shape(SHAPE(.kind = MN_SHAPE_UNION, .children = parts, .child_count = 2), false, 3, 1);
    double cap = pi * (6 - 2.652) * (6 - 2.652) / 3 * (3 * 6 - (6 - 2.652));
    assert_true(closest_pair(&both, 1) >= 0.9 - 1e-9);
    assert_true(fabs(total(&both) / (2 * 4 * pi / 3 * 216 - 2 * cap) - 1) < 0.06);
    mn_points_clear(&both);
}

static void test_fluid_plane_is_refused(void **unused) {
    (void)unused;
    mnGeometry *geometry = make(SHAPE(.kind = MN_SHAPE_PLANE, .size = {9, 9}, .normal = {0, 0, 1}), 3, 1);
    mnPoints points;
    mnError error = {0};
    mn_points_init(&points);
    assert_int_equal(mn_sample_fluid(geometry, 3, 1, &points, &error), MN_ERROR_INPUT);
    mn_geometry_destroy(geometry);
}

/* ---- solids ------------------------------------------------------------------------------------------------------ */

/* Points along a length, in spacings, of the layer at the surface. */
static int fine(double length) {
    return (int)round(length / 0.7);
}

static int cube_of(int n) {
    return n * n * n;
}

static void test_plane_layers(void **unused) {
    (void)unused;
    double h = 0.01, normal[3] = {1, -2, 3};
    mnShape shape =
        SHAPE(.kind = MN_SHAPE_PLANE, .size = {0.2, 0.144}, .normal = {1, -2, 3}, .translation = {0.1, 0, 0});
    mnPoints points = sample_shape(shape, true, 3, h);
    normalise3(normal);
    int at_surface = fine(20) * fine(14.4), deeper = 20 * 14;
    assert_int_equal(points.count, at_surface + deeper * (LAYERS - 1));
    int64_t in_layer[LAYERS] = {0};
    for (int64_t i = 0; i < points.count; i++) {
        double from_plane[3] = {points.position[i][0] - 0.1, points.position[i][1], points.position[i][2]};
        double depth = -dot3(from_plane, normal) / h;
        int layer = (int)floor(depth);
        assert_in_range(layer, 0, LAYERS - 1);
        assert_true(fabs(depth - layer - 0.5) < 1e-9);
        in_layer[layer]++;
        assert_true(fabs(points.volume[i] - 0.2 * 0.144 * h / (layer == 0 ? at_surface : deeper)) < 1e-15);
    }
    for (int layer = 0; layer < LAYERS; layer++) assert_int_equal(in_layer[layer], layer == 0 ? at_surface : deeper);
    mn_points_clear(&points);
}

/* Σ V W of a square lattice layer that never ends, `pitch` apart and one thick, at the depth z under the surface. */
static double layer_sum(const double place[3], double pitch, double first, double z) {
    double sum = 0;
    for (int j = -12; j < 12; j++)
        for (int i = -12; i < 12; i++) {
            double x[3] = {first + i * pitch, first + j * pitch, z};
            sum += pitch * pitch * spline(sqrt(distance_squared3(x, place)), 3, 3);
        }
    return sum;
}

/* The layers are as good as a whole half-space: what a particle at each height sees, with the support of tension, is
 * what it would see of layers that never end. So do the particles of the second layer, the last that fluid feels. */
static void test_plane_is_half_a_lattice(void **unused) {
    (void)unused;
    Wall wall = build_wall(SHAPE(.kind = MN_SHAPE_PLANE, .size = {12, 12}, .normal = {0, 0, 1}), 3, 1);
    for (double height = -1.5; height < 3; height += 0.25) {
        /* 17 of the fine cells cross the plane, so one of them is in the middle. */
        double place[3] = {0.3, -0.2, height}, sum = layer_sum(place, 12.0 / fine(12), 0, -0.5);
        for (int k = -2; k >= -8; k--) sum += layer_sum(place, 1, 0.5, k + 0.5);
        assert_true(fabs(density_at(&wall, place, 3) - sum) < 1e-12);
    }
    /* Half in, half out on the surface itself. */
    double on_surface[3] = {0.5, 0.5, 0};
    assert_true(fabs(density_at(&wall, on_surface, 3) - 0.5) < 0.005);
    drop_wall(&wall);
}

static void test_box_shell_and_container(void **unused) {
    (void)unused;
    const int both = 2 * LAYERS;
    mnPoints shell = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {12, 10, 9}), true, 3, 1);
    int face = (fine(10) + 2) * (fine(8) + 2) * (fine(7) + 2) - fine(10) * fine(8) * fine(7);
    assert_int_equal(shell.count, face + 10 * 8 * 7 - (12 - both) * (10 - both) * (9 - both));
    assert_true(fabs(total(&shell) - (12 * 10 * 9 - (12 - both) * (10 - both) * (9 - both))) < 1e-9);
    mn_points_clear(&shell);
    mnPoints thin = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {12, 10, 2}), true, 3, 1);
    assert_int_equal(thin.count, (fine(10) + 2) * (fine(8) + 2) * 2);
    assert_true(fabs(total(&thin) - 240) < 1e-9);
    mn_points_clear(&thin);
    mnPoints just_full = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {12, 10, both}), true, 3, 1);
    face = (fine(10) + 2) * (fine(8) + 2) * (fine(both - 2) + 2) - fine(10) * fine(8) * fine(both - 2);
    assert_int_equal(just_full.count, face + 10 * 8 * (both - 2));
    assert_true(fabs(total(&just_full) - 12 * 10 * both) < 1e-9);
    mn_points_clear(&just_full);
    mnPoints container = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {8, 8, 8}, .hollow = true), true, 3, 1);
    face = cube_of(fine(8) + 2) - cube_of(fine(8));
    assert_int_equal(container.count, face + cube_of(8 + both) - cube_of(10));
    assert_true(closest_pair(&container, 1) > 8.0 / fine(8) - 1e-9);
    for (int64_t i = 0; i < container.count; i++) {
        double *x = container.position[i];
        assert_true(fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2])) > 4.5 - 1e-9);
    }
    mn_points_clear(&container);
    mnPoints thick =
        sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {8, 8, 8}, .hollow = true, .thickness = 4.5), true, 3, 1);
    assert_int_equal(thick.count, face + cube_of(18) - cube_of(10));
    mn_points_clear(&thick);
    mnPoints flat = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {8, 8, 0}, .hollow = true), true, 2, 1);
    face = (fine(8) + 2) * (fine(8) + 2) - fine(8) * fine(8);
    assert_int_equal(flat.count, face + (8 + both) * (8 + both) - 10 * 10);
    mn_points_clear(&flat);
}

/* Where a plate is all face the two must agree on it, however sizes are rounded. */
static void test_plates_of_a_face_alone(void **unused) {
    (void)unused;
    static const double spacings[] = {1e-4, 2e-4, 2.5e-4, 4e-4, 5e-4, 8e-4, 1e-3, 1.6e-3};
    for (size_t k = 0; k < sizeof spacings / sizeof *spacings; k++) {
        double h = spacings[k];
        mnPoints plate = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {10 * h, 2.5 * h, 10 * h}), true, 3, h);
        assert_true(fabs(total(&plate) / (250 * h * h * h) - 1) < 1e-9);
        mn_points_clear(&plate);
    }
    /* A slit has its walls and stays empty. */
    mnPoints slit = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {10, 0.3, 10}, .hollow = true), true, 3, 1);
    for (int64_t i = 0; i < slit.count; i++)
        assert_true(fabs(slit.position[i][1]) > 0.15 || fmax(fabs(slit.position[i][0]), fabs(slit.position[i][2])) > 5);
    mn_points_clear(&slit);
}

/* A box of any thickness has its volume, and no two of its points fall together. */
static void test_boxes_of_any_thickness(void **unused) {
    (void)unused;
    for (double thickness = 0.3; thickness < 12; thickness += 0.23) {
        mnPoints box = sample_shape(SHAPE(.kind = MN_SHAPE_BOX, .size = {14, thickness, 11}), true, 3, 1);
        double core = fmax(thickness - 2 * LAYERS, 0);
        double law = 14 * thickness * 11 - (core >= 0.5 ? (14 - 2 * LAYERS) * core * (11 - 2 * LAYERS) : 0);
        assert_true(fabs(total(&box) / law - 1) < 1e-9);
        assert_true(closest_pair(&box, 1) > 0.5);
        mn_points_clear(&box);
    }
}

static bool away_from_rim(const double x[3], double h) {
    return hypot(x[0], x[1]) < 4 * h;
}

static bool away_from_caps(const double x[3], double h) {
    return fabs(x[2]) < 5 * h;
}

/* At whatever height fluid may lie: with points a spacing apart a flat wall would have 0.3 % half a spacing above it,
 * but 4 % at 0.7. */
static void test_walls_are_smooth(void **unused) {
    (void)unused;
    double h = 1e-3;
    mnShape plane = SHAPE(.kind = MN_SHAPE_PLANE, .size = {0.02, 0.02}, .normal = {0.3, 0.5, 0.8});
    Wall flat = build_wall(plane, 3, h);
    double least = INFINITY, most = 0;
    for (int i = 0; i < 2400; i++) {
        if (i % 400 == 0) {
            least = INFINITY;
            most = 0;
        }
        double u[3] = {0.8, 0, -0.3}, v[3], w[3] = {0.3, 0.5, 0.8}, x[3] = {0, 0, 0};
        normalise3(u);
        normalise3(w);
        cross3(v, w, u);
        add_scaled3(x, x, (0.2 + 0.1 * (i / 400)) * h, w);
        add_scaled3(x, x, (i % 20) * 0.11 * h, u);
        add_scaled3(x, x, (i / 20 % 20) * 0.09 * h, v);
        double density = density_at(&flat, x, 2 * h);
        least = fmin(least, density);
        most = fmax(most, density);
        assert_true((most - least) / least < 0.012);
    }
    drop_wall(&flat);

    assert_true(spread_of_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 8 * h), 3, h, h / 2, NULL) < 0.015);
    assert_true(spread_of_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 20 * h), 3, h, h / 2, NULL) < 0.012);
    assert_true(spread_of_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 8 * h, .hollow = true), 3, h, -h / 2, NULL) <
                0.012);
    mnShape cylinder = SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 9 * h, .height = 18 * h);
    assert_true(spread_of_shape(cylinder, 3, h, h / 2, away_from_caps) < 0.01);
    assert_true(spread_of_shape(cylinder, 3, h, h / 2, away_from_rim) < 0.015);
    cylinder.hollow = true;
    assert_true(spread_of_shape(cylinder, 3, h, -h / 2, away_from_caps) < 0.01);
    assert_true(spread_of_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 8 * h), 2, h, h / 2, NULL) < 0.01);
}

/* Volumes add up, layers lie where they belong, no two points crowd each other. */
static void check_round(mnShape shape, double expected) {
    mnGeometry *geometry = make(shape, 3, 1);
    mnPoints points = sample(geometry, true, 3, 1);
    assert_true(fabs(total(&points) / expected - 1) < 0.02);
    assert_true(closest_pair(&points, 1) > 0.45);
    for (int64_t i = 0; i < points.count; i++) {
        double depth = mn_geometry_distance(geometry, points.position[i]) * (shape.hollow ? 1 : -1);
        double layer = round(depth - 0.5);
        /* The rim of a can is a right angle: the last layer turns around it at this distance. */
        bool past_rim = shape.hollow && shape.kind == MN_SHAPE_CYLINDER && depth < (LAYERS - 0.5) * sqrt(2) + 1e-9;
        assert_true(layer >= 0 && (past_rim || (layer < LAYERS && fabs(depth - layer - 0.5) < 0.01)));
    }
    double estimate = (double)mn_sample_estimate_solid(geometry, 3, 1);
    assert_true(fabs(estimate / (double)points.count - 1) < 0.1);
    mn_points_clear(&points);
    mn_geometry_destroy(geometry);
}

static double cube(double x) {
    return x * x * x;
}

static void test_round_walls(void **unused) {
    (void)unused;
    const double in9 = 9 - LAYERS, out9 = 9 + LAYERS, in7 = 7 - LAYERS, out7 = 7 + LAYERS, in6 = 6 - LAYERS;
    check_round(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 9), 4 * pi / 3 * (729 - cube(in9)));
    check_round(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 9, .hollow = true), 4 * pi / 3 * (cube(out9) - 729));
    check_round(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 7, .height = 20),
                pi * (49 * 20 - in7 * in7 * (20 - 2 * LAYERS)));
    check_round(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 7, .height = 20, .hollow = true),
                pi * (out7 * out7 * (20 + 2 * LAYERS) - 49 * 20));
    check_round(SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 7, .height = 9),
                pi * 9 * (49 - in7 * in7) + 4 * pi / 3 * (343 - cube(in7)));
    check_round(SHAPE(.kind = MN_SHAPE_TORUS, .radius = 15, .tube_radius = 6), 2 * pi * pi * 15 * (36 - in6 * in6));
    double r = 30, z = 30, inside = r * z / (r + hypot(r, z)), k = (inside - LAYERS) / inside;
    check_round(SHAPE(.kind = MN_SHAPE_CONE, .radius = r, .height = z), pi / 3 * r * r * z * (1 - cube(k)));
}

static void test_thin_solids_are_filled(void **unused) {
    (void)unused;
    for (double radius = 0.7; radius < LAYERS + 0.1; radius += 0.3) {
        mnPoints points = sample_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = radius), true, 3, 1);
        double law = 4 * pi / 3 * radius * radius * radius;
        assert_true(points.count >= 1 && fabs(total(&points) / law - 1) < 0.3);
        assert_true(points.count == 1 || closest_pair(&points, 1) > 0.35);
        for (int64_t i = 0; i < points.count; i++) assert_true(length3(points.position[i]) < radius);
        mn_points_clear(&points);
    }
    mnPoints rod = sample_shape(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 1.5, .height = 20), true, 3, 1);
    assert_true(fabs(total(&rod) / (pi * 2.25 * 20) - 1) < 0.1);
    mn_points_clear(&rod);
}

static void test_union_of_solids(void **unused) {
    (void)unused;
    mnShape parts[2] = {SHAPE(.kind = MN_SHAPE_PLANE, .size = {30, 30}, .normal = {0, 0, 1}),
                        SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 8)};
    mnGeometry *geometry = make(SHAPE(.kind = MN_SHAPE_UNION, .children = parts, .child_count = 2), 3, 1);
    mnPoints points = sample(geometry, true, 3, 1);
    double on_top = 0;
    int64_t under = 0;
    for (int64_t i = 0; i < points.count; i++) {
        const double *x = points.position[i];
        double r = length3(x);
        assert_true(x[2] < 0 || r < 8);
        /* The floor ends where the sphere is deeper, and the sphere has no points under its last layer. */
        assert_false(r < 8 - (LAYERS - 0.5) - 0.1);
        if (x[2] > 0) on_top += points.volume[i];
        under += x[2] < -LAYERS;
    }
    assert_true(closest_pair(&points, 1) > 0.45);
    assert_true(fabs(on_top / (2 * pi / 3 * (512 - cube(8 - LAYERS))) - 1) < 0.05 && under == 0);
    double high[3] = {0, 0, 7}, far[3] = {14, 14, -1}, above[3] = {14, 14, 0.2}, beside[3] = {16, 0, -1};
    assert_true(mn_geometry_in_material(geometry, high, 0));
    assert_true(mn_geometry_in_material(geometry, far, 0));
    assert_false(mn_geometry_in_material(geometry, above, 0));
    assert_true(mn_geometry_in_material(geometry, above, 0.3));
    assert_false(mn_geometry_in_material(geometry, beside, 0.5));
    mn_points_clear(&points);
    mn_geometry_destroy(geometry);

    /* Planes that lie side by side are one plane. */
    for (int size = 6; size < 30; size++) {
        mnShape halves[2] = {
            SHAPE(.kind = MN_SHAPE_PLANE, .size = {size, 8}, .normal = {0, 0, 1}, .translation = {-0.5 * size, 0, 0}),
            SHAPE(.kind = MN_SHAPE_PLANE, .size = {size, 8}, .normal = {0, 0, 1}, .translation = {0.5 * size, 0, 0})};
        points = sample_shape(SHAPE(.kind = MN_SHAPE_UNION, .children = halves, .child_count = 2), true, 3, 1);
        assert_true(fabs(total(&points) / (2 * size * 8 * LAYERS) - 1) < 1e-9);
        mn_points_clear(&points);
    }

    /* A container of two rooms has no wall between them. */
    mnShape rooms[2] = {SHAPE(.kind = MN_SHAPE_BOX, .size = {10, 10, 10}),
                        SHAPE(.kind = MN_SHAPE_BOX, .size = {10, 6, 6}, .translation = {9, 0, 0})};
    points =
        sample_shape(SHAPE(.kind = MN_SHAPE_UNION, .children = rooms, .child_count = 2, .hollow = true), true, 3, 1);
    for (int64_t i = 0; i < points.count; i++) {
        const double *x = points.position[i];
        assert_false(x[0] > -4 && x[0] < 13 && fabs(x[1]) < 3 && fabs(x[2]) < 3);
    }
    /* What lies around either room and in neither is there once: what the second room has beyond the first is 9 long,
     * inside (10 · 6 · 6 less the 1 · 6 · 6 they share) and outside. Only first layers do not fall together. */
    const int both = 2 * LAYERS, around = (10 + both) * (10 + both) * (10 + both) + 9 * (6 + both) * (6 + both);
    assert_true(fabs(total(&points) / (around - (10 * 10 * 10 + 9 * 6 * 6)) - 1) < 0.02);
    mn_points_clear(&points);
}

static void test_two_dimensions(void **unused) {
    (void)unused;
    double quarter = sqrt(0.5);
    mnPoints disc = sample_shape(SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 8, .translation = {0, 0, 5}), true, 2, 1);
    assert_true(fabs(total(&disc) / (pi * (64 - (8 - LAYERS) * (8 - LAYERS))) - 1) < 1e-9);
    for (int64_t i = 0; i < disc.count; i++) assert_true(disc.position[i][2] == 0);
    mn_points_clear(&disc);
    mnShape capsule = SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 6, .height = 10);
    capsule.rotation[0] = quarter; /* the axis goes from z to −y */
    capsule.rotation[3] = quarter;
    mnGeometry *geometry = make(capsule, 2, 1);
    mnPoints stadium = sample(geometry, true, 2, 1);
    assert_true(fabs(total(&stadium) / (2 * LAYERS * 10 + pi * (36 - (6 - LAYERS) * (6 - LAYERS))) - 1) < 1e-9);
    assert_true(closest_pair(&stadium, 1) > 0.6);
    double least = 0;
    for (int64_t i = 0; i < stadium.count; i++) least = fmin(least, stadium.position[i][1]);
    assert_true(fabs(least + 10.5) < 0.2);
    mn_points_clear(&stadium);
    mnPoints drop = sample(geometry, false, 2, 1);
    assert_true(fabs(total(&drop) / (2 * 6 * 10 + pi * 36) - 1) < 0.03);
    mn_points_clear(&drop);
    mn_geometry_destroy(geometry);
    mnPoints line = sample_shape(SHAPE(.kind = MN_SHAPE_PLANE, .size = {10, 0}, .normal = {1, 1, 0}), true, 2, 1);
    assert_int_equal(line.count, fine(10) + 10 * (LAYERS - 1));
    assert_true(fabs(line.position[0][0] + line.position[0][1] + 0.5 * sqrt(2)) < 1e-12);
    mn_points_clear(&line);
    mnPoints ring = sample_shape(SHAPE(.kind = MN_SHAPE_TORUS, .radius = 20, .tube_radius = 5), true, 2, 1);
    double inner = 15 + LAYERS, outer = 25 - LAYERS;
    assert_true(fabs(total(&ring) / (pi * (25 * 25 - outer * outer + inner * inner - 15 * 15)) - 1) < 1e-9);
    mn_points_clear(&ring);
}

static void test_same_points_every_time(void **unused) {
    (void)unused;
    mnShape shape = SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 7.3);
    mnPoints a = sample_shape(shape, true, 3, 1), b = sample_shape(shape, true, 3, 1);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.position, b.position, (size_t)a.count * sizeof *a.position);
    assert_memory_equal(a.volume, b.volume, (size_t)a.count * sizeof *a.volume);
    mn_points_clear(&a);
    mn_points_clear(&b);
}

static void test_estimates(void **unused) {
    (void)unused;
    mnShape huge = SHAPE(.kind = MN_SHAPE_BOX, .size = {1e6, 1e6, 1e6});
    mnGeometry *geometry = make(huge, 3, 1e-3);
    assert_true(mn_sample_estimate_fluid(geometry, 3, 1e-3) == INT64_MAX);
    mnPoints points;
    mnError error = {0};
    mn_points_init(&points);
    assert_int_equal(mn_sample_fluid(geometry, 3, 1e-3, &points, &error), MN_ERROR_MEMORY);
    assert_int_equal(mn_sample_solid(geometry, 3, 1e-3, &points, &error), MN_ERROR_MEMORY);
    mn_geometry_destroy(geometry);
    const mnShape shapes[] = {SHAPE(.kind = MN_SHAPE_BOX, .size = {12, 20, 14}, .hollow = true, .thickness = 2),
                              SHAPE(.kind = MN_SHAPE_SPHERE, .radius = 9.2),
                              SHAPE(.kind = MN_SHAPE_CONE, .radius = 12, .height = 15),
                              SHAPE(.kind = MN_SHAPE_TORUS, .radius = 15, .tube_radius = 5),
                              SHAPE(.kind = MN_SHAPE_CAPSULE, .radius = 6, .height = 15)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        geometry = make(shapes[i], 3, 1);
        for (int solid = 0; solid < 2; solid++) {
            points = sample(geometry, solid, 3, 1);
            double estimate =
                (double)(solid ? mn_sample_estimate_solid(geometry, 3, 1) : mn_sample_estimate_fluid(geometry, 3, 1));
            assert_true(fabs(estimate / (double)points.count - 1) < 0.1);
            mn_points_clear(&points);
        }
        mn_geometry_destroy(geometry);
    }
}

/* Boxes are counted exactly, however thin, and thin bodies of revolution by their layers and not their volume. */
static void test_estimates_of_thin_shapes(void **unused) {
    (void)unused;
    static const double sizes[][3] = {{30, 20, 1e-3}, {30.4, 0.3, 20.6}, {12.5, 9, 3}, {30, 20, 15}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int variant = 0; variant < 8; variant++) {
            bool solid = variant & 1, hollow = variant & 2;
            int dimension = variant & 4 ? 2 : 3;
            if (hollow && !solid) continue;
            mnShape shape =
                SHAPE(.kind = MN_SHAPE_BOX, .size = {sizes[i][0], sizes[i][1], sizes[i][2]}, .hollow = hollow);
            mnGeometry *geometry = make(shape, dimension, 1);
            mnPoints points = sample(geometry, solid, dimension, 1);
            int64_t estimate = solid ? mn_sample_estimate_solid(geometry, dimension, 1)
                                     : mn_sample_estimate_fluid(geometry, dimension, 1);
            assert_int_equal(estimate, points.count);
            mn_points_clear(&points);
            mn_geometry_destroy(geometry);
        }
    for (int solid = 0; solid < 2; solid++) {
        mnGeometry *geometry = make(SHAPE(.kind = MN_SHAPE_CYLINDER, .radius = 20, .height = 0.6), 3, 1);
        mnPoints points = sample(geometry, solid, 3, 1);
        int64_t estimate = solid ? mn_sample_estimate_solid(geometry, 3, 1) : mn_sample_estimate_fluid(geometry, 3, 1);
        print_message("a thin plate of %lld points was estimated at %lld\n", (long long)points.count,
                      (long long)estimate);
        assert_true(fabs((double)estimate / (double)points.count - 1) < 0.1);
        mn_points_clear(&points);
        mn_geometry_destroy(geometry);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fluid_box_is_filled_exactly),
        cmocka_unit_test(test_fluid_sphere_has_its_volume),
        cmocka_unit_test(test_fluid_follows_rotation),
        cmocka_unit_test(test_fluid_film_and_union),
        cmocka_unit_test(test_fluid_plane_is_refused),
        cmocka_unit_test(test_plane_layers),
        cmocka_unit_test(test_plane_is_half_a_lattice),
        cmocka_unit_test(test_box_shell_and_container),
        cmocka_unit_test(test_boxes_of_any_thickness),
        cmocka_unit_test(test_plates_of_a_face_alone),
        cmocka_unit_test(test_walls_are_smooth),
        cmocka_unit_test(test_round_walls),
        cmocka_unit_test(test_thin_solids_are_filled),
        cmocka_unit_test(test_union_of_solids),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_same_points_every_time),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_estimates_of_thin_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
