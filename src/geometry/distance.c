#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Distances of the primitive shapes in their own frames. Bodies of revolution are figures in the half-plane of
 * r = √(x² + y²) and z. */

/* Signed distance to a rectangle |x| ≤ a, |y| ≤ b. */
static double rectangle(double x, double y, double a, double b) {
    double dx = fabs(x) - a, dy = fabs(y) - b;
    return hypot(fmax(dx, 0), fmax(dy, 0)) + fmin(fmax(dx, dy), 0);
}

static double box(const mnGeometry *geometry, const double x[3]) {
    double d[3], outside = 0, inside = -INFINITY;
    for (int c = 0; c < geometry->dimension; c++) {
        d[c] = fabs(x[c]) - geometry->half[c];
        outside += fmax(d[c], 0) * fmax(d[c], 0);
        inside = fmax(inside, d[c]);
    }
    return sqrt(outside) + fmin(inside, 0);
}

/* The triangle (0, 0), (radius, 0), (0, height) without its side on the axis. */
static double cone(double r, double z, double radius, double height) {
    double to_base = hypot(fmax(r - radius, 0), z);
    double side = hypot(radius, height);
    double along = fmin(fmax(((r - radius) * -radius + z * height) / (side * side), 0), 1);
    double to_slope = hypot(r - radius * (1 - along), z - height * along);
    double distance = fmin(to_base, to_slope);
    bool inside = z > 0 && (r - radius) * height + z * radius < 0;
    return inside ? -distance : distance;
}

static double of_union(const mnGeometry *geometry, const double point[3]) {
    double nearest = INFINITY;
    for (int i = 0; i < geometry->child_count; i++)
        nearest = fmin(nearest, mn_geometry_distance(geometry->children[i], point));
    return nearest;
}

/* Half-space under the patch. */
static double under_patch(const mnGeometry *geometry, const double point[3]) {
    double x[3];
    mn_geometry_to_local(geometry, point, x);
    double distance = x[2];
    for (int c = 0; c < geometry->dimension - 1; c++) distance = fmax(distance, fabs(x[c]) - geometry->half[c]);
    return distance;
}

double mn_geometry_distance(const mnGeometry *geometry, const double point[3]) {
    if (geometry->kind == MN_SHAPE_UNION) return of_union(geometry, point);
    double x[3];
    mn_geometry_to_local(geometry, point, x);
    double r = hypot(x[0], x[1]);
    switch (geometry->kind) {
    case MN_SHAPE_SPHERE:
        return length3(x) - geometry->radius;
    case MN_SHAPE_BOX:
        return box(geometry, x);
    case MN_SHAPE_CYLINDER:
        return rectangle(r, x[2], geometry->radius, geometry->height / 2);
    case MN_SHAPE_CAPSULE:
        return hypot(r, fmax(fabs(x[2]) - geometry->height / 2, 0)) - geometry->radius;
    case MN_SHAPE_CONE:
        return cone(r, x[2], geometry->radius, geometry->height);
    case MN_SHAPE_PLANE:
        return x[2];
    case MN_SHAPE_TORUS:
        return hypot(r - geometry->radius, x[2]) - geometry->tube_radius;
    case MN_SHAPE_MESH:
        return mn_mesh_distance(geometry->mesh, x, NULL);
    case MN_SHAPE_UNION:
        break;
    }
    return INFINITY;
}

static double probe_mesh(const mnGeometry *geometry, const double point[3], double normal[3]) {
    double x[3], nearest[3], away[3];
    mn_geometry_to_local(geometry, point, x);
    double distance = mn_mesh_distance(geometry->mesh, x, nearest);
    if (fabs(distance) < 1e-6 * geometry->spacing) {
        mn_mesh_normal(geometry->mesh, x, away);
    } else {
        for (int c = 0; c < 3; c++) away[c] = (x[c] - nearest[c]) / distance;
    }
    mn_geometry_turn(geometry, away, normal);
    return distance;
}

double mn_geometry_probe(const mnGeometry *geometry, const double point[3], double normal[3]) {
    if (geometry->kind == MN_SHAPE_MESH) return probe_mesh(geometry, point, normal);
    double shift = 1e-4 * geometry->spacing;
    for (int c = 0; c < 3; c++) {
        normal[c] = 0;
        if (c == geometry->dimension) break;
        double a[3], b[3];
        copy3(a, point);
        copy3(b, point);
        a[c] += shift;
        b[c] -= shift;
        normal[c] = mn_geometry_distance(geometry, a) - mn_geometry_distance(geometry, b);
    }
    if (normalise3(normal) == 0) normal[geometry->dimension - 1] = 1;
    return mn_geometry_distance(geometry, point);
}

double mn_geometry_material(const mnGeometry *geometry, const double point[3]) {
    if (geometry->hollow) {
        double distance = mn_geometry_distance(geometry, point);
        double wall = fmax(geometry->thickness, geometry->layers * geometry->spacing);
        return fmax(-distance, distance - wall);
    }
    if (geometry->kind == MN_SHAPE_PLANE) return under_patch(geometry, point);
    if (geometry->kind == MN_SHAPE_UNION) {
        double nearest = INFINITY;
        for (int i = 0; i < geometry->child_count; i++)
            nearest = fmin(nearest, mn_geometry_material(geometry->children[i], point));
        return nearest;
    }
    return mn_geometry_distance(geometry, point);
}

bool mn_geometry_in_material(const mnGeometry *geometry, const double point[3], double margin) {
    return mn_geometry_material(geometry, point) < margin;
}
