/* Mesh import through every promised format, the checks on what is read, distances to meshes, walls along them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder_helpers.h"
#include "geometry/grid.h"
#include "geometry/mesh.h"
#include "geometry/sample.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

static const double pi = 3.14159265358979323846;

/* ---- meshes to test with ----------------------------------------------------------------------------------------- */

/* Vertices and faces; the largest sphere below has 20·4⁵ faces. */
typedef struct Drawing {
    double (*vertex)[3];
    int (*face)[3];
    int vertices, faces;
} Drawing;

static Drawing new_drawing(int vertices, int faces) {
    Drawing drawing = {malloc((size_t)vertices * sizeof *drawing.vertex), malloc((size_t)faces * sizeof *drawing.face),
                       0, 0};
    assert_non_null(drawing.vertex);
    assert_non_null(drawing.face);
    return drawing;
}

static void free_drawing(Drawing *drawing) {
    free(drawing->vertex);
    free(drawing->face);
}

static void add_face(Drawing *drawing, int a, int b, int c) {
    int *face = drawing->face[drawing->faces++];
    face[0] = a;
    face[1] = b;
    face[2] = c;
}

static int add_vertex(Drawing *drawing, double x, double y, double z) {
    double *vertex = drawing->vertex[drawing->vertices];
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
    return drawing->vertices++;
}

/* An octahedron whose faces are split `level` times, blown up to a sphere. Vertices are repeated for every face, as in
 * an STL file. */
static void split_face(Drawing *drawing, const double a[3], const double b[3], const double c[3], int level,
                       double radius) {
    if (level == 0) {
        const double *corner[3] = {a, b, c};
        int number[3];
        for (int v = 0; v < 3; v++)
            number[v] = add_vertex(drawing, radius * corner[v][0], radius * corner[v][1], radius * corner[v][2]);
        add_face(drawing, number[0], number[1], number[2]);
        return;
    }
    double ab[3], bc[3], ca[3];
    add_scaled3(ab, a, 1, b);
    add_scaled3(bc, b, 1, c);
    add_scaled3(ca, c, 1, a);
    normalise3(ab);
    normalise3(bc);
    normalise3(ca);
    split_face(drawing, a, ab, ca, level - 1, radius);
    split_face(drawing, ab, b, bc, level - 1, radius);
    split_face(drawing, ca, bc, c, level - 1, radius);
    split_face(drawing, ab, bc, ca, level - 1, radius);
}

static Drawing draw_sphere(int level, double radius) {
    int faces = 8 << 2 * level;
    Drawing drawing = new_drawing(3 * faces, faces);
    for (int octant = 0; octant < 8; octant++) {
        double x[3] = {octant & 1 ? -1 : 1, 0, 0}, y[3] = {0, octant & 2 ? -1 : 1, 0},
               z[3] = {0, 0, octant & 4 ? -1 : 1};
        bool mirrored = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2 & 1);
        split_face(&drawing, x, mirrored ? z : y, mirrored ? y : z, level, radius);
    }
    return drawing;
}

static Drawing draw_box(double a, double b, double c) {
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Drawing drawing = new_drawing(8, 16);
    for (int i = 0; i < 8; i++) add_vertex(&drawing, (i & 1 ? a : -a) / 2, (i & 2 ? b : -b) / 2, (i & 4 ? c : -c) / 2);
    for (int i = 0; i < 12; i++) add_face(&drawing, faces[i][0], faces[i][1], faces[i][2]);
    return drawing;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void write_obj(const char *name, const Drawing *drawing) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    for (int i = 0; i < drawing->vertices; i++)
        fprintf(file, "v %.9g %.9g %.9g\n", drawing->vertex[i][0], drawing->vertex[i][1], drawing->vertex[i][2]);
    for (int i = 0; i < drawing->faces; i++)
        fprintf(file, "f %d %d %d\n", drawing->face[i][0] + 1, drawing->face[i][1] + 1, drawing->face[i][2] + 1);
    fclose(file);
}

static void write_stl(const char *name, const Drawing *drawing) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fputs("solid test\n", file);
    for (int i = 0; i < drawing->faces; i++) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int v = 0; v < 3; v++) {
            const double *x = drawing->vertex[drawing->face[i][v]];
            fprintf(file, "vertex %.9g %.9g %.9g\n", x[0], x[1], x[2]);
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid test\n", file);
    fclose(file);
}

static void write_ply(const char *name, const Drawing *drawing) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fprintf(file, "ply\nformat ascii 1.0\nelement vertex %d\n", drawing->vertices);
    fputs("property float x\nproperty float y\nproperty float z\n", file);
    fprintf(file, "element face %d\nproperty list uchar int vertex_indices\nend_header\n", drawing->faces);
    for (int i = 0; i < drawing->vertices; i++)
        fprintf(file, "%.9g %.9g %.9g\n", drawing->vertex[i][0], drawing->vertex[i][1], drawing->vertex[i][2]);
    for (int i = 0; i < drawing->faces; i++)
        fprintf(file, "3 %d %d %d\n", drawing->face[i][0], drawing->face[i][1], drawing->face[i][2]);
    fclose(file);
}

/* A glTF scene whose only node shifts the mesh by 1 along x. */
static void write_gltf(const char *name, const char *buffer, const Drawing *drawing) {
    FILE *file = fopen(path_of(buffer), "wb");
    assert_non_null(file);
    for (int i = 0; i < drawing->vertices; i++) {
        float x[3] = {(float)drawing->vertex[i][0], (float)drawing->vertex[i][1], (float)drawing->vertex[i][2]};
        assert_int_equal(fwrite(x, sizeof x, 1, file), 1);
    }
    for (int i = 0; i < drawing->faces; i++) assert_int_equal(fwrite(drawing->face[i], sizeof(int[3]), 1, file), 1);
    fclose(file);
    int positions = 12 * drawing->vertices, indices = 12 * drawing->faces;
    file = fopen(path_of(name), "wb");
    assert_non_null(file);
    fprintf(file,
            "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
            "\"nodes\":[{\"mesh\":0,\"translation\":[1,0,0]}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
            "\"buffers\":[{\"uri\":\"%s\",\"byteLength\":%d}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":%d},"
            "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}],"
            "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\","
            "\"min\":[-9,-9,-9],\"max\":[9,9,9]},"
            "{\"bufferView\":1,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"}]}",
            buffer, positions + indices, positions, positions, indices, drawing->vertices, 3 * drawing->faces);
    fclose(file);
}

static mnMesh *load(const char *name, double scale, double spacing) {
    mnMesh *mesh;
    mnError error = {0};
    if (mn_mesh_load(name, folder, scale, spacing, &mesh, &error) != MN_OK) fail_msg("%s", error.text);
    return mesh;
}

static void refuse(const char *name, mnStatus expected, const char *text, double spacing) {
    mnMesh *mesh;
    mnError error = {0};
    mnStatus status = mn_mesh_load(name, folder, 1, spacing, &mesh, &error);
    if (status != expected || !strstr(error.text, text) || !strstr(error.text, name))
        fail_msg("status %d, \"%s\" does not say \"%s\"", (int)status, error.text, text);
    assert_null(mesh);
}

/* The same as in mn_mesh_load, without a file. */
static mnMesh *build(const Drawing *drawing, double spacing) {
    mnTriangles triangles = {malloc(3 * (size_t)drawing->faces * sizeof(double[3])), drawing->faces};
    for (int i = 0; i < 3 * drawing->faces; i++)
        copy3(triangles.corner[i], drawing->vertex[drawing->face[i / 3][i % 3]]);
    mnMesh *mesh;
    mnError error = {0};
    if (mn_mesh_build(&triangles, "drawing", 1, spacing, 0, &mesh, &error) != MN_OK) fail_msg("%s", error.text);
    free(triangles.corner);
    return mesh;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void test_distance_to_box(void **unused) {
    (void)unused;
    Drawing drawing = draw_box(2, 4, 6);
    mnMesh *mesh = build(&drawing, 0.1);
    assert_true(fabs(mesh->volume - 48) < 1e-12 && fabs(mesh->area - 88) < 1e-12);
    assert_true(fabs(mesh->mean_curvature - pi * 12) < 1e-9); /* ½ · Σ edges (4·12 m) · π/2 */
    mnShape shape = {.kind = MN_SHAPE_BOX, .size = {2, 4, 6}, .rotation = {0, 0, 0, 1}, .scale = 1};
    mnGeometry *box;
    mnError error;
    assert_int_equal(mn_geometry_create(&shape, NULL, 3, 0.1, &box, &error), MN_OK);
    uint64_t state = 3;
    for (int i = 0; i < 20000; i++) {
        double x[3];
        for (int c = 0; c < 3; c++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            x[c] = 10 * ((double)(state >> 11) / 9007199254740992.0 - 0.5);
            if (i % 2) x[c] = round(x[c]); /* onto faces, edges, corners and the diagonals */
        }
        double nearest[3], distance = mn_mesh_distance(mesh, x, nearest);
        assert_true(fabs(distance - mn_geometry_distance(box, x)) < 1e-12);
        assert_true(fabs(sqrt(distance_squared3(nearest, x)) - fabs(distance)) < 1e-12);
    }
    mn_geometry_destroy(box);
    mn_mesh_destroy(mesh);
    free_drawing(&drawing);
}

/* A non-convex corner is where signs from face normals alone go wrong. */
static void test_sign_at_sharp_spikes(void **unused) {
    (void)unused;
    Drawing drawing = new_drawing(8, 8);
    int tip = add_vertex(&drawing, 0, 0, 5), deep = add_vertex(&drawing, 0, 0, 4.5);
    int ring[4];
    for (int i = 0; i < 4; i++) ring[i] = add_vertex(&drawing, 0.2 * cos(pi / 2 * i), 0.2 * sin(pi / 2 * i), 0);
    for (int i = 0; i < 4; i++) add_face(&drawing, ring[i], ring[(i + 1) % 4], tip);
    for (int i = 0; i < 4; i++) add_face(&drawing, ring[(i + 1) % 4], ring[i], deep);
    mnMesh *mesh = build(&drawing, 0.1);
    const double above[3] = {0.01, 0.02, 6}, inside[3] = {0, 0, 4.75}, under[3] = {0, 0, 3}, beside[3] = {1, 0.5, -0.1};
    assert_true(mn_mesh_distance(mesh, above, NULL) > 0.99);
    assert_true(mn_mesh_distance(mesh, inside, NULL) < 0);
    assert_true(mn_mesh_distance(mesh, under, NULL) > 0);
    assert_true(mn_mesh_distance(mesh, beside, NULL) > 0.5);
    mn_mesh_destroy(mesh);
    free_drawing(&drawing);
}

static void test_inside_out_is_turned(void **unused) {
    (void)unused;
    Drawing drawing = draw_sphere(2, 3);
    for (int i = 0; i < drawing.faces; i++) {
        int swap = drawing.face[i][0];
        drawing.face[i][0] = drawing.face[i][1];
        drawing.face[i][1] = swap;
    }
    mnMesh *mesh = build(&drawing, 0.1);
    const double centre[3] = {0, 0, 0};
    assert_true(mesh->volume > 0 && mn_mesh_distance(mesh, centre, NULL) < 0);
    mn_mesh_destroy(mesh);
    free_drawing(&drawing);
}

static void test_walls_along_a_mesh(void **unused) {
    (void)unused;
    double h = 0.5, radius = 5;
    Drawing drawing = draw_sphere(5, radius);
    write_obj("ball.obj", &drawing);
    free_drawing(&drawing);
    mnShape shape = {.kind = MN_SHAPE_MESH, .path = "ball.obj", .rotation = {0, 0, 0, 1}, .scale = 1};
    mnGeometry *geometry;
    mnError error = {0};
    mnStatus status = mn_geometry_create(&shape, folder, 3, h, &geometry, &error);
    if (status != MN_OK) fail_msg("%s", error.text);
    mnPoints points, fluid;
    mn_points_init(&points);
    mn_points_init(&fluid);
    assert_int_equal(mn_sample_solid(geometry, 3, h, &points, &error), MN_OK);
    double total = 0, law = 4 * pi / 3 * (pow(radius, 3) - pow(radius - MN_WALL_LAYERS_MIN * h, 3));
    mnGrid grid;
    assert_true(mn_grid_create(&grid, 2 * h, points.count));
    for (int64_t i = 0; i < points.count; i++) {
        total += points.volume[i];
        assert_true(mn_grid_add(&grid, points.position[i], i));
        double depth = -mn_geometry_distance(geometry, points.position[i]) / h;
        assert_true(fabs(depth - floor(depth) - 0.5) < 0.03 && depth < MN_WALL_LAYERS_MIN);
    }
    assert_true(fabs(total / law - 1) < 0.02);
    double face = 4 * pi / 3 * (pow(radius, 3) - pow(radius - h, 3)); /* its points are 0.7 h apart */
    assert_true(fabs((double)points.count * h * h * h / (law - face + face / 0.49) - 1) < 0.03);

    /* Nearest neighbours in the first layer, and what a probe above it sees. */
    double sum = 0, squares = 0, least = INFINITY, most = 0, mean = 0;
    int64_t first = 0, near[256];
    for (int64_t i = 0; i < points.count; i++) {
        const double *x = points.position[i];
        if (length3(x) < radius - 0.7 * h) continue;
        double closest = 2 * h;
        int count = mn_grid_near(&grid, points.position, x, 2 * h, near, 256);
        for (int k = 0; k < count; k++)
            if (near[k] != i && length3(points.position[near[k]]) > radius - 0.7 * h)
                closest = fmin(closest, sqrt(distance_squared3(points.position[near[k]], x)));
        sum += closest;
        squares += closest * closest;
        first++;
    }
    double average = sum / (double)first, variation = sqrt(squares / (double)first - average * average) / average;
    for (int i = 0; i < 20000; i++) {
        double z = 1 - (2 * i + 1) / 20000.0, a = 2.399963 * i, r = radius + h / 2, density = 0;
        double x[3] = {r * sqrt(1 - z * z) * cos(a), r * sqrt(1 - z * z) * sin(a), r * z};
        int count = mn_grid_near(&grid, points.position, x, 2 * h, near, 256);
        for (int k = 0; k < count; k++) {
            double q = sqrt(distance_squared3(points.position[near[k]], x)) / (2 * h), u = 1 - q, t = fmax(0.5 - q, 0);
            density += points.volume[near[k]] * (2 * u * u * u - 8 * t * t * t);
        }
        least = fmin(least, density);
        most = fmax(most, density);
        mean += density / 20000;
    }
    print_message("             %lld points, variation of nearest distance %.3f, spread %.2f %%\n",
                  (long long)points.count, variation, 100 * (most - least) / mean);
    assert_true(variation < 0.12);
    assert_true((most - least) / mean < 0.08);

    assert_int_equal(mn_sample_fluid(geometry, 3, h, &fluid, &error), MN_OK);
    assert_true(fabs((double)fluid.count * h * h * h / (4 * pi / 3 * pow(radius, 3)) - 1) < 0.03);
    int64_t estimate = mn_sample_estimate_solid(geometry, 3, h);
    assert_true(fabs((double)estimate / (double)points.count - 1) < 0.1);
    mn_grid_destroy(&grid);
    mn_points_clear(&points);
    mn_points_clear(&fluid);
    mn_geometry_destroy(geometry);
}

/* Plates from thinner than a particle to thicker than the layers of both sides, which leave a core empty: filled up to
 * there, and nothing crosses. */
static void test_thin_meshes(void **unused) {
    (void)unused;
    const double both = 2 * MN_WALL_LAYERS_MIN;
    for (double thickness = 0.6; thickness < both + 3; thickness += 0.7) {
        Drawing drawing = draw_box(16, 12, thickness);
        write_obj("plate.obj", &drawing);
        free_drawing(&drawing);
        mnShape shape = {.kind = MN_SHAPE_MESH, .path = "plate.obj", .rotation = {0, 0, 0, 1}, .scale = 1};
        mnGeometry *geometry;
        mnError error = {0};
        mnStatus status = mn_geometry_create(&shape, folder, 3, 1, &geometry, &error);
        if (status != MN_OK) fail_msg("%s", error.text);
        mnPoints points;
        mn_points_init(&points);
        assert_int_equal(mn_sample_solid(geometry, 3, 1, &points, &error), MN_OK);
        double total = 0, core = (16 - both) * (12 - both) * fmax(thickness - both, 0);
        double law = 16 * 12 * thickness - core;
        for (int64_t i = 0; i < points.count; i++) {
            total += points.volume[i];
            assert_true(mn_geometry_distance(geometry, points.position[i]) < 0);
        }
        print_message("             thickness %.1f h: %lld points, volume %.3f of what it should be\n", thickness,
                      (long long)points.count, total / law);
        assert_true(fabs(total / law - 1) < 0.03);
        mn_points_clear(&points);
        mn_geometry_destroy(geometry);
    }
}

static void test_formats(void **unused) {
    (void)unused;
    Drawing drawing = draw_sphere(3, 2);
    write_obj("ball.obj", &drawing);
    write_stl("ball.stl", &drawing);
    write_ply("ball.ply", &drawing);
    write_gltf("ball.gltf", "ball.bin", &drawing);
    static const char *const names[] = {"ball.obj", "ball.stl", "ball.ply", "ball.gltf"};
    for (int i = 0; i < 4; i++) {
        mnMesh *mesh = load(names[i], 0.5, 0.1);
        assert_int_equal(mesh->triangle_count, 512);
        assert_int_equal(mesh->vertex_count, 258);
        assert_true(fabs(mesh->volume / (4 * pi / 3) - 1) < 0.03);
        assert_true(fabs(mesh->mean_curvature / (4 * pi) - 1) < 0.02);
        const double x[3] = {i == 3 ? 0.5 : 0, 0, 1.5}; /* glTF: the node's shift, scaled */
        assert_true(fabs(mn_mesh_distance(mesh, x, NULL) - 0.5) < 1e-6);
        mn_mesh_destroy(mesh);
    }
    free_drawing(&drawing);
}

static void test_refused_files(void **unused) {
    (void)unused;
    refuse("missing.obj", MN_ERROR_FILE, "no such mesh", 0.1);
    write_text("words.ply", "this is not a mesh\n");
    refuse("words.ply", MN_ERROR_INPUT, "cannot be read", 0.1);
    write_text("empty.obj", "");
    refuse("empty.obj", MN_ERROR_INPUT, "", 0.1);
    write_text("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\n");
    refuse("points.obj", MN_ERROR_INPUT, "", 0.1);
    write_text("model.xyz", "0 0 0\n");
    refuse("model.xyz", MN_ERROR_INPUT, "format", 0.1);
    write_text("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    refuse("nan.obj", MN_ERROR_INPUT, "", 0.1);
    write_text("far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99\n");
    refuse("far.obj", MN_ERROR_INPUT, "", 0.1);
    assert_int_equal(mkdir(path_of("folder.obj"), 0700), 0);
    refuse("folder.obj", MN_ERROR_FILE, "regular", 0.1);
    rmdir(path_of("folder.obj"));
}

static void test_refused_shapes(void **unused) {
    (void)unused;
    Drawing drawing = draw_box(1, 1, 1);
    write_obj("box.obj", &drawing);
    refuse("box.obj", MN_ERROR_INPUT, "too small", 0.5);
    refuse("box.obj", MN_ERROR_INPUT, "too large", 1e-5);
    drawing.faces = 11;
    write_obj("open.obj", &drawing);
    refuse("open.obj", MN_ERROR_INPUT, "3 edges", 0.1);
    drawing.faces = 12;
    int swap = drawing.face[4][0];
    drawing.face[4][0] = drawing.face[4][1];
    drawing.face[4][1] = swap;
    write_obj("mixed.obj", &drawing);
    refuse("mixed.obj", MN_ERROR_INPUT, "disagree", 0.1);
    free_drawing(&drawing);
    Drawing needle = draw_box(1, 0, 0);
    write_obj("needle.obj", &needle);
    refuse("needle.obj", MN_ERROR_INPUT, "", 0.1);
    free_drawing(&needle);
    Drawing flat = draw_box(1, 1, 0);
    write_obj("flat.obj", &flat);
    refuse("flat.obj", MN_ERROR_INPUT, "", 0.1);
    free_drawing(&flat);
    /* A few triangles without extent do no harm. */
    Drawing spare = draw_box(1, 1, 1);
    add_face(&spare, 1, 1, 2);
    add_face(&spare, 5, 5, 5);
    write_stl("spare.stl", &spare);
    mnMesh *mesh = load("spare.stl", 1, 0.1);
    assert_int_equal(mesh->triangle_count, 12);
    mn_mesh_destroy(mesh);
    free_drawing(&spare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance_to_box),      cmocka_unit_test(test_sign_at_sharp_spikes),
        cmocka_unit_test(test_inside_out_is_turned), cmocka_unit_test(test_formats),
        cmocka_unit_test(test_refused_files),        cmocka_unit_test(test_refused_shapes),
        cmocka_unit_test(test_walls_along_a_mesh),   cmocka_unit_test(test_thin_meshes),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
