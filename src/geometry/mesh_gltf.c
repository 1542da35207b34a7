/* glTF 2.0, as far as triangles go: the nodes of the scene with their transforms, their meshes, and of those the
 * primitives that are triangles, strips or fans. */
#include "geometry/mesh_gltf.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/vector.h"

enum { DEEPEST = 256, MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/* x → turn·x + shift */
typedef struct Transform {
    double turn[3][3], shift[3];
} Transform;

static const Transform identity = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static void apply(const Transform *t, const double x[3], double result[3]) {
    for (int r = 0; r < 3; r++) result[r] = dot3(t->turn[r], x) + t->shift[r];
}

/* First `inner`, then `outer`. */
static Transform compose(const Transform *outer, const Transform *inner) {
    Transform result = {0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) result.turn[r][c] += outer->turn[r][k] * inner->turn[k][c];
    apply(outer, inner->shift, result.shift);
    return result;
}

static bool is_mirror(const Transform *t) {
    double across[3];
    cross3(across, t->turn[0], t->turn[1]);
    return dot3(across, t->turn[2]) < 0;
}

/* ---- nodes' transforms ------------------------------------------------------------------------------------------- */

/* False where there is something else than so many numbers; where there is nothing the values stay. */
static bool take_numbers(const json_t *node, const char *key, int count, double *values) {
    const json_t *list = json_object_get(node, key);
    if (!list) return true;
    if ((int)json_array_size(list) != count) return false;
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, (size_t)i);
        if (!json_is_number(number)) return false;
        values[i] = json_number_value(number);
    }
    return true;
}

/* A matrix by columns, or scale, rotation (a quaternion) and translation in this order. */
static bool take_transform(const json_t *node, Transform *t) {
    double m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, s[3] = {1, 1, 1}, q[4] = {0, 0, 0, 1};
    *t = identity;
    if (json_object_get(node, "matrix")) {
        if (!take_numbers(node, "matrix", 16, m)) return false;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) t->turn[r][c] = m[4 * c + r];
            t->shift[r] = m[12 + r];
        }
        return true;
    }
    if (!take_numbers(node, "scale", 3, s) || !take_numbers(node, "rotation", 4, q) ||
        !take_numbers(node, "translation", 3, t->shift))
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sine = r == c ? 0 : q[3] * q[3 - r - c] * ((c + 3 - r) % 3 == 1 ? -1 : 1);
            double cosine =
                r == c ? 0.5 - q[(r + 1) % 3] * q[(r + 1) % 3] - q[(r + 2) % 3] * q[(r + 2) % 3] : q[r] * q[c];
            t->turn[r][c] = 2 * (cosine + sine) * s[c];
        }
    return true;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

typedef struct Primitive {
    mnGltfAccessor places, order;
    bool has_order;
} Primitive;

static bool take_corner(mnGltf *gltf, const Primitive *p, const Transform *t, int64_t k, double corner[3]) {
    double place[3];
    int64_t index = p->has_order ? (int64_t)mn_gltf_number(&p->order, k, 0) : k;
    if (index >= p->places.count)
        return mn_mesh_fail(gltf->reader, "a face names a vertex that does not exist: number %lld of %lld",
                            (long long)index, (long long)p->places.count);
    for (int c = 0; c < 3; c++) place[c] = mn_gltf_number(&p->places, index, c);
    apply(t, place, corner);
    return true;
}

static bool take_triangles(mnGltf *gltf, const Primitive *p, int64_t mode, const Transform *t) {
    const int64_t corners = p->has_order ? p->order.count : p->places.count;
    const int64_t count = mode == MODE_TRIANGLES ? corners / 3 : corners - 2;
    const bool is_mirrored = is_mirror(t);
    for (int64_t k = 0; k < count; k++) {
        const bool is_odd = mode == MODE_STRIP && k % 2 == 1;
        const int64_t first = mode == MODE_TRIANGLES ? 3 * k : mode == MODE_STRIP ? k : 0;
        const int64_t second = mode == MODE_TRIANGLES ? 3 * k + 1 : k + 1;
        double a[3], b[3], c[3];
        if (!take_corner(gltf, p, t, first, a) || !take_corner(gltf, p, t, second, b) ||
            !take_corner(gltf, p, t, second + 1, c) ||
            !(is_odd != is_mirrored ? mn_mesh_add_triangle(gltf->reader, a, c, b)
                                    : mn_mesh_add_triangle(gltf->reader, a, b, c)))
            return false;
    }
    return true;
}

static int64_t mode_of(const json_t *primitive) {
    return mn_gltf_whole(primitive, "mode", MODE_TRIANGLES);
}

/* Others are points and lines. */
static bool has_triangles(const json_t *primitive) {
    const int64_t mode = mode_of(primitive);
    return mode == MODE_TRIANGLES || mode == MODE_STRIP || mode == MODE_FAN;
}

static bool take_primitive(mnGltf *gltf, const json_t *json, const Transform *t) {
    Primitive primitive = {.has_order = json_object_get(json, "indices") != NULL};
    const int64_t places = mn_gltf_whole(json_object_get(json, "attributes"), "POSITION", -1);
    if (!mn_gltf_accessor(gltf, places, 3, &primitive.places)) return false;
    if (primitive.places.type != 5126)
        return mn_mesh_fail(gltf->reader, "its vertices are not floats; export it without quantization");
    if (primitive.has_order && !mn_gltf_accessor(gltf, mn_gltf_whole(json, "indices", -1), 1, &primitive.order))
        return false;
    if (primitive.has_order && primitive.order.type == 5126)
        return mn_mesh_fail(gltf->reader, "the corners of its faces are not whole numbers");
    return take_triangles(gltf, &primitive, mode_of(json), t);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

typedef struct Walk {
    mnGltf *gltf;
    bool *is_seen;      /* of each node: a tree comes to it once */
    int64_t primitives; /* so far, and their targets */
} Walk;

static size_t targets_of(const json_t *primitive) {
    return json_array_size(json_object_get(primitive, "targets"));
}

/* Whether some target of a morph has a weight; a node's weights go before those of its mesh. */
static bool is_morphed(const json_t *node, const json_t *mesh, const json_t *primitive) {
    const json_t *own = json_object_get(node, "weights"), *weights = own ? own : json_object_get(mesh, "weights");
    const size_t targets = targets_of(primitive);
    for (size_t k = 0; k < targets && k < json_array_size(weights); k++)
        if (json_number_value(json_array_get(weights, k)) != 0) return true;
    return false;
}

/* What changes the triangles of a node's mesh beside the node's transform, and is not read; NULL: nothing. */
static const char *change_of(const json_t *node, const json_t *mesh, const json_t *primitive) {
    if (json_object_get(node, "skin")) return "is bent by a skin; apply its armature";
    if (json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"))
        return "has instances (EXT_mesh_gpu_instancing); make them real";
    return is_morphed(node, mesh, primitive) ? "is morphed by weights; apply its shape keys" : NULL;
}

/* Nodes share meshes, and a primitive may have no triangle that would be counted. */
static bool walk_primitive(Walk *walk, int64_t index, const json_t *mesh, const json_t *primitive, const Transform *t) {
    walk->primitives += 1 + (int64_t)targets_of(primitive);
    if (walk->primitives > MN_MESH_TRIANGLES_MOST)
        return mn_mesh_fail(walk->gltf->reader, "its nodes have more than %d primitives and targets; simplify it",
                            MN_MESH_TRIANGLES_MOST);
    if (!has_triangles(primitive)) return true;
    const json_t *node = mn_gltf_entry(walk->gltf, "nodes", index);
    const char *change = change_of(node, mesh, primitive), *name = json_string_value(json_object_get(node, "name"));
    if (change)
        return mn_mesh_fail(walk->gltf->reader, "node %lld \"%.60s\" %s before the export", (long long)index,
                            name ? name : "", change);
    return take_primitive(walk->gltf, primitive, t);
}

static bool walk_node(Walk *walk, const json_t *number, const Transform *outer, int depth) {
    mnMeshReader *reader = walk->gltf->reader;
    const int64_t index = json_is_integer(number) ? (int64_t)json_integer_value(number) : -1;
    const json_t *node = mn_gltf_entry(walk->gltf, "nodes", index), *child, *primitive;
    if (!node) return false;
    if (walk->is_seen[index] || depth == DEEPEST)
        return mn_mesh_fail(reader, "its nodes are no tree: node %lld is in it twice or too deep", (long long)index);
    walk->is_seen[index] = true;
    Transform own;
    if (!take_transform(node, &own)) return mn_mesh_fail(reader, "node %lld has a bad transform", (long long)index);
    const Transform whole = compose(outer, &own);
    size_t k;
    if (json_object_get(node, "mesh")) {
        const json_t *mesh = mn_gltf_entry(walk->gltf, "meshes", mn_gltf_whole(node, "mesh", -1));
        if (!mesh) return false;
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive) {
            if (!walk_primitive(walk, index, mesh, primitive, &whole)) return false;
        }
    }
    json_array_foreach(json_object_get(node, "children"), k, child) {
        if (!walk_node(walk, child, &whole, depth + 1)) return false;
    }
    return true;
}

static bool walk_scene(mnGltf *gltf) {
    const json_t *scene = mn_gltf_entry(gltf, "scenes", mn_gltf_whole(gltf->root, "scene", 0)), *node;
    if (!scene) return false;
    Walk walk = {.gltf = gltf};
    walk.is_seen = calloc(json_array_size(json_object_get(gltf->root, "nodes")) + 1, sizeof *walk.is_seen);
    if (!walk.is_seen) return mn_mesh_no_memory(gltf->reader);
    bool good = true;
    size_t k;
    json_array_foreach(json_object_get(scene, "nodes"), k, node) {
        good = good && walk_node(&walk, node, &identity, 0);
    }
    free(walk.is_seen);
    return good;
}

bool mn_mesh_read_gltf(mnMeshReader *reader) {
    mnGltf gltf;
    bool good = mn_gltf_open(reader, &gltf) && walk_scene(&gltf);
    mn_gltf_close(&gltf);
    return good;
}
