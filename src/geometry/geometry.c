#include "geometry/geometry.h"

#include <stdlib.h>

#include "geometry/shape.h"
#include "geometry/vector.h"

/* Making a geometry: check the description, compose transforms, load meshes. The scale is uniform, so it is folded into
 * the lengths and what remains between the shape's frame and the scene is a rigid motion that keeps distances. */

typedef struct Placement {
    const char *folder;
    int dimension;
    double spacing;
    double scale;
    double axis[3][3];
    double origin[3];
    int depth;
} Placement;

static const char *kind_name(mnShapeKind kind) {
    static const char *const names[] = {"sphere", "box",   "cylinder", "capsule", "cone",
                                        "plane",  "torus", "mesh",     "union"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "shape";
}

static mnStatus need_positive(const mnShape *shape, double value, const char *what, mnError *error) {
    if (value > 0 && isfinite(value)) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT, "%s: %s is %g, it has to be a positive number", kind_name(shape->kind),
                        what, value);
}

static mnStatus check_lengths(const mnShape *shape, int dimension, mnError *error) {
    mnStatus status = MN_OK;
    bool round = shape->kind == MN_SHAPE_SPHERE || shape->kind == MN_SHAPE_CYLINDER ||
                 shape->kind == MN_SHAPE_CAPSULE || shape->kind == MN_SHAPE_CONE || shape->kind == MN_SHAPE_TORUS;
    bool tall = shape->kind == MN_SHAPE_CYLINDER || shape->kind == MN_SHAPE_CAPSULE || shape->kind == MN_SHAPE_CONE;
    if (round) status = need_positive(shape, shape->radius, "radius", error);
    if (status == MN_OK && tall) status = need_positive(shape, shape->height, "height", error);
    if (shape->kind == MN_SHAPE_TORUS && status == MN_OK) {
        status = need_positive(shape, shape->tube_radius, "tube_radius", error);
        if (status == MN_OK && shape->tube_radius >= shape->radius)
            status = mn_error_set(error, MN_ERROR_INPUT, "torus: tube_radius is %g, it has to be less than radius, %g",
                                  shape->tube_radius, shape->radius);
    }
    int sizes = shape->kind == MN_SHAPE_BOX ? dimension : shape->kind == MN_SHAPE_PLANE ? dimension - 1 : 0;
    for (int c = 0; c < sizes && status == MN_OK; c++) status = need_positive(shape, shape->size[c], "size", error);
    return status;
}

static mnStatus check_shape(const mnShape *shape, int dimension, mnError *error) {
    const char *name = kind_name(shape->kind);
    mnStatus status = check_lengths(shape, dimension, error);
    if (status == MN_OK) status = need_positive(shape, shape->scale, "scale", error);
    if (status != MN_OK) return status;
    if (!(shape->thickness >= 0) || !isfinite(shape->thickness))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: thickness is %g, it has to be 0 or positive", name,
                            shape->thickness);
    double turn = 0;
    for (int c = 0; c < 4; c++) turn += shape->rotation[c] * shape->rotation[c];
    if (!(turn > 1e-12) || !isfinite(turn))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: the rotation is not a unit quaternion", name);
    if (!isfinite(shape->translation[0] + shape->translation[1] + shape->translation[2]))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: the translation is not finite", name);
    if (shape->kind == MN_SHAPE_PLANE) {
        double length = length3(shape->normal);
        if (!(length > 0) || !isfinite(length))
            return mn_error_set(error, MN_ERROR_INPUT, "plane: the normal has no direction");
        if (shape->hollow)
            return mn_error_set(error, MN_ERROR_INPUT, "plane: a plane cannot be hollow; turn its normal instead");
    }
    if (shape->kind == MN_SHAPE_UNION && (shape->child_count < 1 || !shape->children))
        return mn_error_set(error, MN_ERROR_INPUT, "union: there are no shapes in it");
    if (shape->kind == MN_SHAPE_MESH && dimension == 2)
        return mn_error_set(error, MN_ERROR_INPUT, "mesh: meshes need three dimensions; this scene has two");
    return MN_OK;
}

/* The columns of the rotation matrix: where the shape's axes go. */
static void axes_of_quaternion(const double rotation[4], double axis[3][3]) {
    double norm = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] +
                       rotation[3] * rotation[3]);
    double x = rotation[0] / norm, y = rotation[1] / norm, z = rotation[2] / norm, w = rotation[3] / norm;
    double columns[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(axis, columns, sizeof columns);
}

/* The placement of what is inside `shape`, given the placement of the shape itself. */
static Placement place(const Placement *outer, const mnShape *shape) {
    Placement inner = *outer;
    double own[3][3], shift[3];
    axes_of_quaternion(shape->rotation, own);
    for (int a = 0; a < 3; a++) combine3(inner.axis[a], own[a], outer->axis[0], outer->axis[1], outer->axis[2]);
    combine3(shift, shape->translation, outer->axis[0], outer->axis[1], outer->axis[2]);
    add_scaled3(inner.origin, outer->origin, outer->scale, shift);
    inner.scale *= shape->scale;
    inner.depth++;
    return inner;
}

/* A plane's frame: w is the normal, u as close to x as it can be (y for normals along x), v completes them. In 2D u
 * lies in the plane of the drawing. */
static void frame_of_plane(mnGeometry *geometry, const double normal[3]) {
    double w[3], u[3] = {0, 0, 0}, v[3];
    copy3(w, normal);
    normalise3(w);
    if (geometry->dimension == 2) {
        u[0] = w[1];
        u[1] = -w[0];
    } else {
        int along = fabs(w[0]) < 0.9 ? 0 : 1;
        u[along] = 1;
        add_scaled3(u, u, -w[along], w);
        normalise3(u);
    }
    cross3(v, w, u);
    const double *own[3] = {u, v, w};
    double frame[3][3];
    for (int a = 0; a < 3; a++) combine3(frame[a], own[a], geometry->axis[0], geometry->axis[1], geometry->axis[2]);
    memcpy(geometry->axis, frame, sizeof frame);
}

static void fill(mnGeometry *geometry, const mnShape *shape, const Placement *placement) {
    double scale = placement->scale;
    geometry->kind = shape->kind;
    geometry->dimension = placement->dimension;
    geometry->spacing = placement->spacing;
    geometry->radius = scale * shape->radius;
    geometry->tube_radius = scale * shape->tube_radius;
    geometry->height = scale * shape->height;
    for (int c = 0; c < 3; c++) geometry->half[c] = scale * shape->size[c] / 2;
    geometry->hollow = shape->hollow;
    /* The thickness of a wall is a length of its own, not part of the drawing that is scaled. */
    geometry->thickness = shape->thickness > 0 ? shape->thickness : MN_WALL_LAYERS_MIN * placement->spacing;
    double layers = ceil(geometry->thickness / placement->spacing - 1e-6);
    geometry->layers = (int)fmin(fmax(layers, MN_WALL_LAYERS_MIN), MN_WALL_LAYERS_MAX);
    memcpy(geometry->axis, placement->axis, sizeof geometry->axis);
    copy3(geometry->origin, placement->origin);
}

static mnStatus create(const mnShape *shape, const Placement *outer, mnGeometry **geometry, mnError *error);

static mnStatus create_children(const mnShape *shape, const Placement *placement, mnGeometry *geometry,
                                mnError *error) {
    if (placement->depth > MN_UNION_DEPTH_MAX)
        return mn_error_set(error, MN_ERROR_INPUT, "union: more than %d unions inside each other", MN_UNION_DEPTH_MAX);
    geometry->children = calloc((size_t)shape->child_count, sizeof(mnGeometry *));
    if (!geometry->children) return mn_error_set(error, MN_ERROR_MEMORY, "union: no memory");
    for (int i = 0; i < shape->child_count; i++) {
        geometry->child_count = i + 1;
        mnStatus status = create(&shape->children[i], placement, &geometry->children[i], error);
        if (status != MN_OK) return status;
    }
    return MN_OK;
}

static bool has_plane(const mnGeometry *geometry) {
    for (int i = 0; i < geometry->child_count; i++)
        if (has_plane(geometry->children[i])) return true;
    return geometry->kind == MN_SHAPE_PLANE;
}

static mnStatus create(const mnShape *shape, const Placement *outer, mnGeometry **geometry, mnError *error) {
    *geometry = NULL;
    mnStatus status = check_shape(shape, outer->dimension, error);
    if (status != MN_OK) return status;
    mnGeometry *made = calloc(1, sizeof *made);
    if (!made) return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory", kind_name(shape->kind));
    Placement placement = place(outer, shape);
    fill(made, shape, &placement);
    if (made->kind == MN_SHAPE_PLANE) frame_of_plane(made, shape->normal);
    if (made->kind == MN_SHAPE_MESH)
        status = mn_mesh_load(shape->path, outer->folder, placement.scale, outer->spacing, &made->mesh, error);
    if (made->kind == MN_SHAPE_UNION) status = create_children(shape, &placement, made, error);
    if (status == MN_OK && made->hollow && has_plane(made))
        status = mn_error_set(error, MN_ERROR_INPUT, "union: a hollow union cannot have a plane in it");
    if (status == MN_OK && made->dimension == 2) status = mn_geometry_cut(made, error);
    if (status == MN_OK)
        *geometry = made;
    else
        mn_geometry_destroy(made);
    return status;
}

void mn_geometry_to_local(const mnGeometry *geometry, const double point[3], double local[3]) {
    double from_origin[3];
    subtract3(from_origin, point, geometry->origin);
    if (geometry->dimension == 2) from_origin[2] = 0;
    for (int a = 0; a < 3; a++) local[a] = dot3(from_origin, geometry->axis[a]);
}

void mn_geometry_turn(const mnGeometry *geometry, const double local[3], double direction[3]) {
    combine3(direction, local, geometry->axis[0], geometry->axis[1], geometry->axis[2]);
}

void mn_geometry_to_scene(const mnGeometry *geometry, const double local[3], double point[3]) {
    double turned[3];
    mn_geometry_turn(geometry, local, turned);
    add_scaled3(point, geometry->origin, 1, turned);
    if (geometry->dimension == 2) point[2] = 0;
}

mnStatus mn_geometry_create(const mnShape *shape, const char *folder, int dimension, double spacing,
                            mnGeometry **geometry, mnError *error) {
    *geometry = NULL;
    if (dimension != 2 && dimension != 3)
        return mn_error_set(error, MN_ERROR_INPUT, "dimension is %d, it has to be 2 or 3", dimension);
    if (!(spacing > 0) || !isfinite(spacing))
        return mn_error_set(error, MN_ERROR_INPUT, "spacing is %g, it has to be a positive number", spacing);
    Placement scene = {.folder = folder,
                       .dimension = dimension,
                       .spacing = spacing,
                       .scale = 1,
                       .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return create(shape, &scene, geometry, error);
}

void mn_geometry_destroy(mnGeometry *geometry) {
    if (!geometry) return;
    for (int i = 0; i < geometry->child_count; i++) mn_geometry_destroy(geometry->children[i]);
    free(geometry->children);
    mn_mesh_destroy(geometry->mesh);
    free(geometry);
}
