/* What the readers of meshes make of files: corners, faces of many corners, transforms, buffers, and files that want
 * more than they are given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "folder_helpers.h"
#include "geometry/mesh.h"
#include "geometry/vector.h"
#include "io/file.h"

static const float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
enum { BUFFER = sizeof places + sizeof faces };

static mnTriangles read_bytes(const char *name, const char *bytes, size_t size) {
    char *copy = malloc(size + 1); /* so that a sanitizer sees what reads on */
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    mnTriangles triangles;
    mnError error = {0};
    if (mn_mesh_parse(path_of(name), copy, size, 0, &triangles, &error) != MN_OK) fail_msg("%s", error.text);
    free(copy);
    return triangles;
}

static mnTriangles read_text(const char *name, const char *text) {
    return read_bytes(name, text, strlen(text));
}

static void refuse(const char *name, const char *text, const char *words) {
    mnTriangles triangles;
    mnError error = {0};
    mnStatus status = mn_mesh_parse(path_of(name), text, strlen(text), 0, &triangles, &error);
    assert_true(status == MN_ERROR_INPUT || status == MN_ERROR_FILE);
    assert_null(triangles.corner);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

/* Of all triangles; in whatever order and place, a pyramid as above has 1/6. */
static double volume_of(const mnTriangles *triangles) {
    double volume = 0;
    for (int64_t t = 0; t < triangles->count; t++) {
        double across[3];
        cross3(across, triangles->corner[3 * t], triangles->corner[3 * t + 1]);
        volume += dot3(across, triangles->corner[3 * t + 2]) / 6;
    }
    return volume;
}

static void expect_volume(mnTriangles triangles, int64_t count, double volume) {
    assert_int_equal(triangles.count, count);
    assert_true(fabs(volume_of(&triangles) - volume) < 1e-6 * fabs(volume));
    free(triangles.corner);
}

/* ---- OBJ, STL, PLY ----------------------------------------------------------------------------------------------- */

#define PYRAMID "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static void obj_corners(void **state) {
    (void)state;
    expect_volume(read_text("a.obj", PYRAMID "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 \\\n 4//1 # on two lines\n"
                                             "f -4 -1\\\r\n-2\r\n\tf\t2 3 4\nl 1 2\np 1\nvn 0 0 1\nusemtl f 1 2 3"),
                  4, 1.0 / 6);
    refuse("a.obj", PYRAMID "f 1 2 5", "does not exist");
    refuse("a.obj", PYRAMID "f 1 2 -5", "does not exist");
    refuse("a.obj", PYRAMID "\nf 1 0 2", "line 6");
    refuse("a.obj", PYRAMID "f 1 x 2", "no number of a vertex");
    refuse("a.obj", "v 0 1\nv 0 0 0", "line 1 is not three numbers");
    refuse("a.obj", "v 0 1 2x", "not three numbers");
}

/* An L of six corners has an inner one; a fan about the first corner would leave it. */
static void faces_that_are_not_convex(void **state) {
    (void)state;
    static const double middle[2] = {0.25, 0.75}, outside[2] = {0.75, 0.75};
    for (int start = 0; start < 6; start++) {
        static const char *const corners[] = {"1", "2", "3", "4", "5", "6"};
        char text[256] = "v 0 0 5\nv 1 0 5\nv 1 0.5 5\nv 0.5 0.5 5\nv 0.5 1 5\nv 0 1 5\nf";
        for (int k = 0; k < 6; k++) {
            strcat(text, " ");
            strcat(text, corners[(start + k) % 6]);
        }
        mnTriangles triangles = read_text("l.obj", text);
        assert_int_equal(triangles.count, 4);
        int covers_middle = 0, covers_outside = 0;
        double area = 0;
        for (int t = 0; t < 4; t++) {
            double(*x)[3] = triangles.corner + 3 * t;
            double sides[3] = {0}, outer[3] = {0};
            for (int k = 0; k < 3; k++) {
                const double *p = x[k], *q = x[(k + 1) % 3];
                sides[k] = (q[0] - p[0]) * (middle[1] - p[1]) - (q[1] - p[1]) * (middle[0] - p[0]);
                outer[k] = (q[0] - p[0]) * (outside[1] - p[1]) - (q[1] - p[1]) * (outside[0] - p[0]);
            }
            covers_middle += sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0;
            covers_outside += outer[0] >= 0 && outer[1] >= 0 && outer[2] >= 0;
            area += ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0])) / 2;
        }
        assert_true(covers_middle >= 1 && covers_outside == 0);
        assert_true(fabs(area - 0.75) < 1e-12);
        free(triangles.corner);
    }
    /* A hole, to which a cut goes from the first corner and back. */
    mnTriangles holed = read_text("h.obj", "v 0 0 1\nv 3 0 1\nv 3 3 1\nv 0 3 1\nv 1 1 1\nv 2 1 1\nv 2 2 1\nv 1 2 1\n"
                                           "f 1 2 3 4 1 5 8 7 6 5");
    double area = 0;
    for (int64_t t = 0; t < holed.count; t++) {
        double(*x)[3] = holed.corner + 3 * t;
        area += fabs((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0])) / 2;
    }
    assert_true(holed.count == 8 && fabs(area - 8) < 1e-12);
    free(holed.corner);
    /* More corners than anybody draws by hand. */
    char many[4096] = "v 0 0 0\nf";
    for (int k = 0; k < 257; k++) strcat(many, " 1");
    refuse("many.obj", many, "more than 256 corners");
}

static void stl_of_both_kinds(void **state) {
    (void)state;
    unsigned char file[84 + 4 * 50 + 1] = "solid, but binary", *end = mn_put_u32(file + 80, 4);
    for (int f = 0; f < 4; f++) {
        end += 12;
        for (int k = 0; k < 9; k++) end = mn_put_f32(end, (double)places[faces[f][k / 3]][k % 3]);
        end += 2;
    }
    expect_volume(read_bytes("a.stl", (const char *)file, sizeof file - 1), 4, 1.0 / 6);
    expect_volume(read_bytes("a.stl", (const char *)file, sizeof file), 4, 1.0 / 6); /* and something behind it */
    memset(file, ' ', 80);
    expect_volume(read_bytes("a.stl", (const char *)file, sizeof file), 4, 1.0 / 6);
    mnTriangles triangles;
    mnError error = {0};
    file[0] = 'S' + 1; /* neither text nor as long as it says */
    assert_int_equal(mn_mesh_parse("a.stl", (const char *)file, sizeof file - 2, 0, &triangles, &error),
                     MN_ERROR_INPUT);
    assert_non_null(strstr(error.text, "cut short"));
    refuse("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid",
           "three corners");
    refuse("a.stl", "solid\nvertex 0 0 0\n", "within a facet");
    refuse("a.stl", "solid\nvertex 0 0\n", "line 2");
    refuse("a.stl", "", "neither");
}

static void ply_of_any_type(void **state) {
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty double z\nproperty uchar red\n"
        "property short x\nproperty float y\nelement other 1\nproperty list uchar int junk\n"
        "element face 4\nproperty list uchar int vertex_index\nproperty int flags\n"
        "property list uchar float texcoord\nend_header\n0 9 0 0\n0 9 1 0\n0 9 0 1\n1 9 0 0\n\n2 7 7\n"
        "3 0 2 1 5 1 0.5\n3 0 1 3 5 0\n3 0 3 2 5 2 0.5 0.5\n3 1 2 3 5 0\n";
    expect_volume(read_text("a.ply", text), 4, 1.0 / 6);
    static const char header[] = "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty uchar x\n"
                                 "property uchar y\nproperty short z\nelement face 1\n"
                                 "property list ushort uchar vertex_indices\nend_header\n"
                                 "\0\0\0\1\1\0\0\1\0\1\0\1\0\3\0\1\2";
    mnTriangles triangles = read_bytes("b.ply", header, sizeof header - 1);
    assert_int_equal(triangles.count, 1);
    for (int k = 0; k < 3; k++) assert_true(triangles.corner[k][2] == 1);
    assert_true(triangles.corner[1][0] == 1 && triangles.corner[2][1] == 1);
    free(triangles.corner);
}

/* ---- glTF -------------------------------------------------------------------------------------------------------- */

#define GLTF(nodes, buffer)                                                                                            \
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" nodes "],"                             \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"                                 \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}],"           \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                          \
    "{\"bufferView\":1,\"componentType\":5125,\"count\":12,\"type\":\"SCALAR\"}],\"buffers\":[{" buffer "}]}"

static void write_buffer(const char *path) {
    unsigned char bytes[BUFFER], *end = bytes;
    for (int k = 0; k < 12; k++) end = mn_put_f32(end, (double)places[k / 3][k % 3]);
    for (int k = 0; k < 12; k++) end = mn_put_u32(end, (uint32_t)faces[k / 3][k % 3]);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    fclose(file);
}

static void gltf_transforms(void **state) {
    (void)state;
    write_buffer(path_of("my buffer.bin"));
    static const struct {
        const char *text;
        double volume;
    } cases[] = {
        {GLTF("{\"mesh\":0}", "\"uri\":\"my%20buffer.bin\""), 1},
        {GLTF("{\"mesh\":0,\"scale\":[2,3,1],\"rotation\":[0.5,0.5,0.5,0.5]}", "\"uri\":\"my buffer.bin\""), 6},
        /* Mirrored twice is not mirrored, and what is mirrored once is turned so that its outside stays out. */
        {GLTF("{\"mesh\":0,\"scale\":[-1,1,1]}", "\"uri\":\"my buffer.bin\""), 1},
        {GLTF("{\"children\":[1],\"matrix\":[2,0,0,0, 0,2,0,0, 0,0,-2,0, 5,6,7,1]},{\"mesh\":0,\"scale\":[-1,1,1]}",
              "\"uri\":\"./my buffer.bin\""),
         8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_volume(read_text("a.gltf", cases[i].text), 4, cases[i].volume / 6);
    /* A quarter turn about z takes x to y, and the shift comes after it. */
    mnTriangles turned = read_text(
        "a.gltf", GLTF("{\"mesh\":0,\"translation\":[0,0,3],\"rotation\":[0,0,0.7071067811865476,0.7071067811865476]}",
                       "\"uri\":\"my buffer.bin\""));
    const double *second = turned.corner[2]; /* (1, 0, 0) of the first face */
    assert_true(fabs(second[0]) < 1e-12 && fabs(second[1] - 1) < 1e-12 && fabs(second[2] - 3) < 1e-12);
    free(turned.corner);
    unlink(path_of("my buffer.bin"));
}

/* A binary file with the pyramid twice: as a strip, and as a fan with a triangle. Places lie 16 bytes apart, behind
 * something else; indices have two bytes or one. */
static void gltf_strips_and_fans(void **state) {
    (void)state;
    static const char json[] =
        "{\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1}],\"buffers\":[{}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"mode\":5}]},{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":6},{\"attributes\":{\"POSITION\":0},\"indices\":3}]}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":16},"
        "{\"buffer\":0,\"byteOffset\":64,\"byteLength\":12},{\"buffer\":0,\"byteOffset\":76,\"byteLength\":8}],"
        "\"accessors\":[{\"bufferView\":0,\"byteOffset\":4,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"count\":5,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"byteOffset\":5,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}]}";
    static const unsigned char orders[] = "\0\0\2\0\1\0\3\0\0\0\2\0" /* strip */
                                          "\0\2\1\3\2"               /* fan */
                                          "\1\2\3";
    enum { JSON = sizeof json - 1, BINARY = 64 + sizeof orders - 1, WHOLE = 12 + 8 + JSON + 8 + BINARY };
    unsigned char file[WHOLE] = "glTF", *end = mn_put_u32(mn_put_u32(file + 4, 2), WHOLE);
    end = mn_put_u32(end, JSON);
    memcpy(end, "JSON", 4);
    memcpy(end + 4, json, JSON);
    end = mn_put_u32(end + 4 + JSON, BINARY);
    memcpy(end, "BIN", 4);
    end += 4;
    for (int k = 0; k < 4; k++) {
        end = mn_put_f32(end, 9);
        for (int c = 0; c < 3; c++) end = mn_put_f32(end, (double)places[k][c]);
    }
    memcpy(end, orders, sizeof orders - 1);
    expect_volume(read_bytes("a.glb", (const char *)file, WHOLE), 8, 2.0 / 6);
}

/* The same file that names extensions, and has targets of a morph. */
#define GLTF_MORE(more, primitive, nodes)                                                                              \
    "{" more "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[" nodes "],"                                                     \
    "\"meshes\":[{\"weights\":[0,0.5],\"primitives\":[{\"attributes\":{\"POSITION\":0}," primitive                     \
    "\"targets\":[{},{}]}]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"                                      \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"                         \
    "\"buffers\":[{\"uri\":\"buffer.bin\"}]}"

static void expect_count(const char *text, int64_t count) {
    mnTriangles triangles = read_text("a.gltf", text);
    assert_int_equal(triangles.count, count);
    free(triangles.corner);
}

/* What would come out in another form or number than it is meant to. */
static void gltf_that_is_changed_later(void **state) {
    (void)state;
    write_buffer(path_of("buffer.bin"));
#define NODE(keys) GLTF("{\"mesh\":0,\"name\":\"Arm\"," keys "}", "\"uri\":\"buffer.bin\"")
    refuse("a.gltf", NODE("\"skin\":0"), "node 0 \"Arm\" is bent by a skin; apply");
    refuse("a.gltf", NODE("\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}"), "node 0 \"Arm\" has instances");
    expect_count(NODE("\"extensions\":{\"KHR_lights_punctual\":{}}"), 4);
    expect_count(NODE("\"weights\":[1]"), 4); /* of no target */
    refuse("a.gltf", GLTF_MORE("", "", "{\"mesh\":0}"), "node 0 \"\" is morphed by weights; apply");
    refuse("a.gltf", GLTF_MORE("", "", "{\"mesh\":0,\"weights\":[1,0]}"), "is morphed");
    expect_count(GLTF_MORE("", "", "{\"mesh\":0,\"weights\":[0,0]}"), 1);
    expect_count(GLTF_MORE("", "\"mode\":0,", "{\"mesh\":0,\"skin\":0}"), 0); /* points */
    expect_count(GLTF_MORE("", "", "{\"skin\":0}"), 0);                       /* a node without a mesh */
#define REQUIRED(names) GLTF_MORE("\"extensionsRequired\":[" names "],", "", "{\"mesh\":0,\"weights\":[]}")
    expect_count(REQUIRED("\"KHR_texture_transform\",\"KHR_materials_unlit\",\"KHR_mesh_quantization\""), 1);
    refuse("a.gltf", REQUIRED("\"KHR_texture_transform\",\"KHR_draco_mesh_compression\""),
           "requires the extension \"KHR_draco_mesh_compression\"");
    refuse("a.gltf", REQUIRED("\"EXT_meshopt_compression\""), "requires the extension \"EXT_meshopt_compression\"");
    refuse("a.gltf", REQUIRED("7"), "requires the extension");
    unlink(path_of("buffer.bin"));
    /* Vertices that are quantized: shorts, with a sign or without. */
    refuse("a.gltf",
           "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
           "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5122,\"count\":3,"
           "\"type\":\"VEC3\",\"bufferView\":0}]}",
           "without quantization");
    refuse("a.gltf",
           "{\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":["
           "{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"componentType\":5123,\"count\":0,"
           "\"type\":\"VEC3\",\"bufferView\":0}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":0}],"
           "\"buffers\":[{}]}",
           "without quantization");
}

static void gltf_that_asks_for_too_much(void **state) {
    (void)state;
    /* Nothing is read above the folder of the mesh, whatever there is. */
    mkdir(path_of("below"), 0700);
    write_buffer(path_of("buffer.bin"));
    refuse("below/a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"../buffer.bin\""), "own folder");
    refuse("below/a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"%2e%2e/buffer.bin\""), "own folder");
    refuse("below/a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"x/../../buffer.bin\""), "own folder");
    refuse("below/a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"/dev/zero\""), "own folder");
    refuse("below/a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"http://a/b\""), "own folder");
    expect_volume(read_text("a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"buffer.bin\"")), 4, 1.0 / 6);
    assert_int_equal(mkfifo(path_of("pipe.bin"), 0600), 0);
    refuse("a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"pipe.bin\""), "not a regular file");
    unlink(path_of("pipe.bin"));
    rmdir(path_of("below"));
    /* Nodes that go round in circles, or share children until there are more than anybody has memory for. */
    refuse("a.gltf", GLTF("{\"children\":[0]}", "\"uri\":\"buffer.bin\""), "no tree");
    refuse("a.gltf", GLTF("{\"children\":[1,1]},{\"mesh\":0}", "\"uri\":\"buffer.bin\""), "no tree");
    refuse("a.gltf", GLTF("{\"children\":[7]}", "\"uri\":\"buffer.bin\""), "no entry 7 of \"nodes\"");
    /* Copies of what has no triangles: 6000 nodes of 6000 points, or of 6000 targets. */
    enum { MANY = 6000 };
    char *text = malloc(MANY * 32), *end = text + sprintf(text, "{\"scenes\":[{\"nodes\":[0");
    for (int k = 1; k < MANY; k++) end += sprintf(end, ",%d", k);
    end += sprintf(end, "]}],\"nodes\":[{\"mesh\":0}");
    for (int k = 1; k < MANY; k++) end += sprintf(end, ",{\"mesh\":0}");
    end += sprintf(end, "],\"meshes\":[{\"primitives\":[{\"mode\":0}");
    char *primitives = end;
    for (int k = 1; k < MANY; k++) end += sprintf(end, ",{\"mode\":0}");
    sprintf(end, "]}]}");
    refuse("a.gltf", text, "more than 33554432 primitives");
    end = primitives + sprintf(primitives, ",{\"mode\":0,\"targets\":[0");
    for (int k = 1; k < MANY; k++) end += sprintf(end, ",0");
    sprintf(end, "]}]}]}");
    refuse("a.gltf", text, "more than 33554432 primitives and targets");
    free(text);
    /* Numbers that are not there. */
    refuse("a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"data:,AAAA\""), "not all in its buffer");
    refuse("a.gltf", GLTF("{\"mesh\":0}", "\"uri\":\"data:;base64,A A\""), "damaged");
    refuse("a.gltf", GLTF("{\"mesh\":0}", "\"byteLength\":96"), "not all in its buffer");
    refuse("a.gltf", "{", "damaged in line 1");
    unlink(path_of("buffer.bin"));
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static mnStatus read_within(const char *name, const char *text, size_t memory, mnError *error) {
    mnTriangles triangles;
    mnStatus status = mn_mesh_parse(path_of(name), text, strlen(text), memory, &triangles, error);
    free(triangles.corner);
    return status;
}

/* Enough to the byte, and one byte less. */
static void expect_to_take(const char *name, const char *text, size_t bytes, const char *words) {
    mnError error = {0};
    if (read_within(name, text, bytes, &error) != MN_OK) fail_msg("%s", error.text);
    assert_int_equal(read_within(name, text, bytes - 1, &error), MN_ERROR_MEMORY);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_non_null(strstr(error.text, "simplify the mesh"));
}

/* Arrays of 256, 512 and so on, the old one held until the new one is filled. */
static void meshes_larger_than_the_memory(void **state) {
    (void)state;
    const size_t vertex = 24, triangle = 72;
    char text[4096] = PYRAMID;
    for (int k = 0; k < 256; k++) strcat(text, "f 1 2 3\n");
    expect_to_take("a.obj", text, 256 * vertex + 256 * triangle, "after 4 vertices and 0 triangles");
    strcat(text, "f 1 2 3\n");
    expect_to_take("a.obj", text, 256 * vertex + (256 + 512) * triangle, "after 4 vertices and 256 triangles");
    /* Of a glTF file the tree of its JSON and its buffers are held, too. */
    static const char gltf[] = GLTF("{\"mesh\":0}", "\"uri\":\"buffer.bin\"");
    const size_t tree = mn_json_room(gltf, strlen(gltf));
    mnError error = {0};
    write_buffer(path_of("buffer.bin"));
    expect_to_take("a.gltf", gltf, tree + BUFFER + 256 * triangle, "0 triangles");
    assert_int_equal(read_within("a.gltf", gltf, tree + BUFFER, &error), MN_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "the file has 96 bytes"));
    assert_int_equal(read_within("a.gltf", gltf, tree - 1, &error), MN_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "0 vertices"));
    unlink(path_of("buffer.bin"));
    /* What was read is not built where there is no room for that. */
    mnTriangles triangles = read_text("a.obj", PYRAMID "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4");
    mnMesh *mesh = NULL;
    assert_int_equal(mn_mesh_build(&triangles, "pyramid", 1, 0.1, 4 * 300 - 1, &mesh, &error), MN_ERROR_MEMORY);
    assert_null(mesh);
    assert_non_null(strstr(error.text, "pyramid: the mesh has 4 triangles and would take up to 1.2e-06 GB"));
    assert_non_null(strstr(error.text, "simplify the mesh"));
    assert_int_equal(mn_mesh_build(&triangles, "pyramid", 1, 0.1, 4 * 300, &mesh, &error), MN_OK);
    mn_mesh_destroy(mesh);
    free(triangles.corner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_corners),
        cmocka_unit_test(faces_that_are_not_convex),
        cmocka_unit_test(stl_of_both_kinds),
        cmocka_unit_test(ply_of_any_type),
        cmocka_unit_test(gltf_transforms),
        cmocka_unit_test(gltf_strips_and_fans),
        cmocka_unit_test(gltf_that_is_changed_later),
        cmocka_unit_test(gltf_that_asks_for_too_much),
        cmocka_unit_test(meshes_larger_than_the_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
