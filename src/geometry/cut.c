#include "geometry/shape.h"
#include "geometry/vector.h"

/* Two dimensions: each shape becomes the figure that z = 0 cuts from it, in terms of the shapes that are already there.
 * A plane through the axis of a body of revolution holds the nearest surface point of each of its own points, so the
 * distance formulas of three dimensions stay exact for lying bodies; the same goes for discs in a sphere's midplane. */

static const double tolerance = 1e-6;

static mnStatus refuse(const char *shape, const char *remedy, mnError *error) {
    return mn_error_set(error, MN_ERROR_INPUT, "%s: in two dimensions %s", shape, remedy);
}

/* The axis of the shape that points out of the drawing, or −1. */
static int axis_along_z(const mnGeometry *geometry) {
    for (int a = 0; a < 3; a++)
        if (fabs(geometry->axis[a][2]) > 1 - tolerance) return a;
    return -1;
}

static mnStatus cut_box(mnGeometry *geometry, mnError *error) {
    int out = axis_along_z(geometry);
    if (out < 0) return refuse("box", "a box can only turn about z, or by right angles", error);
    int first = (out + 1) % 3, second = (out + 2) % 3;
    double u[3], v[3], half[2] = {geometry->half[first], geometry->half[second]};
    copy3(u, geometry->axis[first]);
    copy3(v, geometry->axis[second]);
    copy3(geometry->axis[0], u);
    copy3(geometry->axis[1], v);
    cross3(geometry->axis[2], u, v);
    geometry->half[0] = half[0];
    geometry->half[1] = half[1];
    if (!(half[0] > 0 && half[1] > 0)) return refuse("box", "both sizes in the plane have to be positive", error);
    return MN_OK;
}

/* A lying body keeps its axis w; u is its other direction in the drawing. */
static void lay_down(mnGeometry *geometry) {
    const double out[3] = {0, 0, 1};
    geometry->axis[2][2] = 0;
    normalise3(geometry->axis[2]);
    copy3(geometry->axis[1], out);
    cross3(geometry->axis[0], out, geometry->axis[2]);
}

static void use_axes_of_scene(mnGeometry *geometry) {
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(geometry->axis, axes, sizeof axes);
}

static mnStatus cut_round(mnGeometry *geometry, const char *name, mnError *error) {
    double along_z = fabs(geometry->axis[2][2]);
    if (along_z > 1 - tolerance) {
        use_axes_of_scene(geometry);
        if (geometry->kind == MN_SHAPE_TORUS)
            geometry->standing = true;
        else
            geometry->kind = MN_SHAPE_SPHERE;
        return MN_OK;
    }
    if (along_z > tolerance)
        return refuse(name, "its axis has to lie in the plane of the scene or stand on it (along z)", error);
    lay_down(geometry);
    if (geometry->kind == MN_SHAPE_CYLINDER) {
        /* A rectangle with its sides along u and w. */
        double side[3];
        copy3(side, geometry->axis[2]);
        geometry->kind = MN_SHAPE_BOX;
        geometry->half[0] = geometry->radius;
        geometry->half[1] = geometry->height / 2;
        copy3(geometry->axis[1], side);
        cross3(geometry->axis[2], geometry->axis[0], side);
    }
    return MN_OK;
}

mnStatus mn_geometry_cut(mnGeometry *geometry, mnError *error) {
    geometry->origin[2] = 0;
    switch (geometry->kind) {
    case MN_SHAPE_SPHERE:
        use_axes_of_scene(geometry);
        return MN_OK;
    case MN_SHAPE_BOX:
        return cut_box(geometry, error);
    case MN_SHAPE_CYLINDER:
        return cut_round(geometry, "cylinder", error);
    case MN_SHAPE_CAPSULE:
        return cut_round(geometry, "capsule", error);
    case MN_SHAPE_CONE:
        return cut_round(geometry, "cone", error);
    case MN_SHAPE_TORUS:
        return cut_round(geometry, "torus", error);
    case MN_SHAPE_PLANE:
        if (fabs(geometry->axis[2][2]) > tolerance)
            return refuse("plane", "the normal of a plane has to lie in the plane of the scene", error);
        return MN_OK;
    case MN_SHAPE_MESH:
    case MN_SHAPE_UNION:
        break;
    }
    return MN_OK;
}
