#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Sizes of shapes. The surface is how fast the volume grows when the surface moves out, so one formula per shape
 * serves volumes, surfaces and the material in a wall. */

static const double pi = 3.14159265358979323846;

static double cone_inradius(const mnGeometry *geometry) {
    return geometry->radius * geometry->height / (geometry->radius + hypot(geometry->radius, geometry->height));
}

double mn_geometry_inradius(const mnGeometry *geometry) {
    switch (geometry->kind) {
    case MN_SHAPE_SPHERE:
    case MN_SHAPE_CAPSULE:
        return geometry->radius;
    case MN_SHAPE_BOX:
        return geometry->dimension == 2 ? fmin(geometry->half[0], geometry->half[1])
                                        : fmin(fmin(geometry->half[0], geometry->half[1]), geometry->half[2]);
    case MN_SHAPE_CYLINDER:
        return fmin(geometry->radius, geometry->height / 2);
    case MN_SHAPE_CONE:
        return cone_inradius(geometry);
    case MN_SHAPE_TORUS:
        return geometry->tube_radius;
    case MN_SHAPE_MESH:
        return 3 * geometry->mesh->volume / geometry->mesh->area; /* exact for a sphere */
    case MN_SHAPE_PLANE:
    case MN_SHAPE_UNION:
        break;
    }
    return INFINITY;
}

static double offset_volume_2d(const mnGeometry *geometry, double t) {
    double r = geometry->radius + t, tube = geometry->tube_radius + t;
    double similar = (cone_inradius(geometry) + t) / cone_inradius(geometry);
    double hole = fmax(geometry->radius - tube, 0);
    switch (geometry->kind) {
    case MN_SHAPE_SPHERE:
        return pi * r * r;
    case MN_SHAPE_BOX:
        return 4 * (geometry->half[0] + t) * (geometry->half[1] + t);
    case MN_SHAPE_CAPSULE:
        return 2 * r * geometry->height + pi * r * r;
    case MN_SHAPE_CONE:
        return geometry->radius * geometry->height * similar * similar;
    case MN_SHAPE_TORUS:
        return geometry->standing ? pi * ((geometry->radius + tube) * (geometry->radius + tube) - hole * hole)
                                  : 2 * pi * tube * tube;
    default:
        return 0;
    }
}

static double offset_volume_3d(const mnGeometry *geometry, double t) {
    double r = geometry->radius + t, tube = geometry->tube_radius + t;
    double similar = (cone_inradius(geometry) + t) / cone_inradius(geometry);
    switch (geometry->kind) {
    case MN_SHAPE_SPHERE:
        return 4 * pi / 3 * r * r * r;
    case MN_SHAPE_BOX:
        return 8 * (geometry->half[0] + t) * (geometry->half[1] + t) * (geometry->half[2] + t);
    case MN_SHAPE_CYLINDER:
        return pi * r * r * (geometry->height + 2 * t);
    case MN_SHAPE_CAPSULE:
        return pi * r * r * geometry->height + 4 * pi / 3 * r * r * r;
    case MN_SHAPE_CONE:
        return pi / 3 * geometry->radius * geometry->radius * geometry->height * similar * similar * similar;
    case MN_SHAPE_TORUS:
        return 2 * pi * pi * geometry->radius * tube * tube;
    case MN_SHAPE_MESH: /* Steiner's formula */
        return fmax(geometry->mesh->volume +
                        t * (geometry->mesh->area + t * (geometry->mesh->mean_curvature + t * 4 * pi / 3)),
                    0);
    default:
        return 0;
    }
}

double mn_geometry_offset_volume(const mnGeometry *geometry, double offset) {
    if (offset <= -mn_geometry_inradius(geometry)) return 0;
    return geometry->dimension == 2 ? offset_volume_2d(geometry, offset) : offset_volume_3d(geometry, offset);
}

static void local_bounds(const mnGeometry *geometry, double lower[3], double upper[3]) {
    double r = geometry->radius, z = geometry->height / 2;
    double extent[3] = {r, r, z};
    if (geometry->kind == MN_SHAPE_SPHERE) extent[2] = r;
    if (geometry->kind == MN_SHAPE_CAPSULE) extent[2] = z + r;
    if (geometry->kind == MN_SHAPE_TORUS) {
        extent[0] = extent[1] = r + geometry->tube_radius;
        extent[2] = geometry->tube_radius;
    }
    if (geometry->kind == MN_SHAPE_BOX) copy3(extent, geometry->half);
    if (geometry->kind == MN_SHAPE_PLANE) {
        copy3(extent, geometry->half);
        extent[2] = 0;
        if (geometry->dimension == 2) extent[1] = 0;
    }
    for (int c = 0; c < 3; c++) {
        lower[c] = -extent[c];
        upper[c] = extent[c];
    }
    if (geometry->kind == MN_SHAPE_CONE) {
        lower[2] = 0;
        upper[2] = geometry->height;
    }
    if (geometry->kind == MN_SHAPE_MESH) {
        copy3(lower, geometry->mesh->lower);
        copy3(upper, geometry->mesh->upper);
    }
}

static void bounds_of_union(const mnGeometry *geometry, double lower[3], double upper[3]) {
    for (int i = 0; i < geometry->child_count; i++) {
        double l[3] = {0}, u[3] = {0};
        mn_geometry_bounds(geometry->children[i], l, u);
        for (int c = 0; c < 3; c++) {
            lower[c] = i == 0 ? l[c] : fmin(lower[c], l[c]);
            upper[c] = i == 0 ? u[c] : fmax(upper[c], u[c]);
        }
    }
}

void mn_geometry_bounds(const mnGeometry *geometry, double lower[3], double upper[3]) {
    if (geometry->kind == MN_SHAPE_UNION) {
        bounds_of_union(geometry, lower, upper);
        return;
    }
    double l[3], u[3], middle[3];
    local_bounds(geometry, l, u);
    for (int a = 0; a < 3; a++) middle[a] = (l[a] + u[a]) / 2;
    mn_geometry_to_scene(geometry, middle, middle);
    bool round = geometry->kind == MN_SHAPE_SPHERE;
    for (int c = 0; c < 3; c++) {
        double reach = 0;
        for (int a = 0; a < 3; a++) reach += fabs(geometry->axis[a][c]) * (u[a] - l[a]) / 2;
        if (round) reach = geometry->radius;
        if (c >= geometry->dimension) reach = 0;
        lower[c] = middle[c] - reach;
        upper[c] = middle[c] + reach;
    }
}

double mn_geometry_volume(const mnGeometry *geometry) {
    if (geometry->kind != MN_SHAPE_UNION) return mn_geometry_offset_volume(geometry, 0);
    double sum = 0;
    for (int i = 0; i < geometry->child_count; i++) sum += mn_geometry_volume(geometry->children[i]);
    return sum;
}

double mn_geometry_area(const mnGeometry *geometry) {
    if (geometry->kind == MN_SHAPE_UNION) {
        double sum = 0;
        for (int i = 0; i < geometry->child_count; i++) sum += mn_geometry_area(geometry->children[i]);
        return sum;
    }
    if (geometry->kind == MN_SHAPE_PLANE)
        return geometry->dimension == 2 ? 2 * geometry->half[0] : 4 * geometry->half[0] * geometry->half[1];
    if (geometry->kind == MN_SHAPE_MESH) return geometry->mesh->area;
    double t = 1e-5 * mn_geometry_inradius(geometry);
    return (mn_geometry_offset_volume(geometry, t) - mn_geometry_offset_volume(geometry, -t)) / (2 * t);
}
