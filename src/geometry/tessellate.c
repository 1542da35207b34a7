#include "geometry/tessellate.h"

#include <stdlib.h>

#include "geometry/shape.h"
#include "geometry/vector.h"

static const double pi = 3.14159265358979323846;

/* A side of a shape: the surface moved outwards by `offset`, facing inwards where it is the inside of a wall. */
typedef struct Side {
    const mnGeometry *geometry;
    double offset;
    bool faces_inwards;
    double size;
    mnTriangles *out;
    int64_t capacity;
    bool no_memory;
} Side;

/* Corners in the shape's frame. */
static void put_triangle(Side *side, const double a[3], const double b[3], const double c[3]) {
    mnTriangles *out = side->out;
    if (out->count == side->capacity) {
        int64_t capacity = side->capacity ? 2 * side->capacity : 256;
        double(*corner)[3] = realloc(out->corner, 3 * (size_t)capacity * sizeof *corner);
        if (!corner) side->no_memory = true;
        if (!corner) return;
        out->corner = corner;
        side->capacity = capacity;
    }
    double(*to)[3] = out->corner + 3 * out->count++;
    mn_geometry_to_scene(side->geometry, a, to[0]);
    mn_geometry_to_scene(side->geometry, side->faces_inwards ? c : b, to[1]);
    mn_geometry_to_scene(side->geometry, side->faces_inwards ? b : c, to[2]);
}

static void put_quad(Side *side, const double a[3], const double b[3], const double c[3], const double d[3]) {
    put_triangle(side, a, b, c);
    put_triangle(side, a, c, d);
}

/* How many edges of the wanted size go around a circle. */
static int edges_around(const Side *side, double radius) {
    double wanted = 2 * pi * radius / side->size;
    return wanted < 16 ? 16 : wanted > 512 ? 512 : (int)ceil(wanted);
}

/* ---- bodies of revolution ---------------------------------------------------------------------------------------- */

enum { PROFILE_MOST = 600 };

/* A line in the half-plane of radius and height that is turned about the axis. Going along it, the material lies to the
 * left: upwards on the outside. */
typedef struct Profile {
    double point[PROFILE_MOST][2];
    int count;
} Profile;

static void add_point(Profile *profile, double radius, double height) {
    profile->point[profile->count][0] = radius;
    profile->point[profile->count++][1] = height;
}

/* From one angle to another about a centre. What is almost nothing is nothing, so that poles are one point and closed
 * lines end where they begin. */
static void add_arc(Profile *profile, double centre_radius, double centre_height, double radius, double from, double to,
                    int edges) {
    for (int k = 0; k <= edges; k++) {
        double angle = from + (to - from) * k / edges;
        double along = cos(angle), up = sin(angle);
        if (fabs(along) < 1e-12) along = 0;
        if (fabs(up) < 1e-12) up = 0;
        add_point(profile, centre_radius + radius * along, centre_height + radius * up);
    }
}

static Profile profile_of(const Side *side) {
    const mnGeometry *g = side->geometry;
    double radius = g->radius + side->offset, half_height = 0.5 * g->height;
    int around = edges_around(side, g->kind == MN_SHAPE_TORUS ? g->tube_radius : radius);
    Profile profile = {.count = 0};
    if (g->kind == MN_SHAPE_SPHERE) {
        add_arc(&profile, 0, 0, radius, -0.5 * pi, 0.5 * pi, around / 2);
    } else if (g->kind == MN_SHAPE_CAPSULE) {
        add_arc(&profile, 0, -half_height, radius, -0.5 * pi, 0, around / 4);
        add_arc(&profile, 0, half_height, radius, 0, 0.5 * pi, around / 4);
    } else if (g->kind == MN_SHAPE_CYLINDER) {
        add_point(&profile, 0, -half_height - side->offset);
        add_point(&profile, radius, -half_height - side->offset);
        add_point(&profile, radius, half_height + side->offset);
        add_point(&profile, 0, half_height + side->offset);
    } else if (g->kind == MN_SHAPE_CONE) {
        double slope = g->radius / g->height, rise = side->offset * sqrt(1 + slope * slope) / slope;
        add_point(&profile, 0, -side->offset);
        add_point(&profile, slope * (g->height + rise + side->offset), -side->offset);
        add_point(&profile, 0, g->height + rise);
    } else {
        add_arc(&profile, g->radius, 0, g->tube_radius + side->offset, -pi, pi, around);
    }
    return profile;
}

static void turn_profile(Side *side, const Profile *profile) {
    double widest = 0;
    for (int k = 0; k < profile->count; k++) widest = fmax(widest, profile->point[k][0]);
    int around = edges_around(side, widest);
    for (int e = 0; e < around; e++) {
        double left = 2 * pi * e / around, right = 2 * pi * ((e + 1) % around) / around;
        for (int k = 0; k + 1 < profile->count; k++) {
            const double *low = profile->point[k], *high = profile->point[k + 1];
            double a[3] = {low[0] * cos(left), low[0] * sin(left), low[1]};
            double b[3] = {low[0] * cos(right), low[0] * sin(right), low[1]};
            double c[3] = {high[0] * cos(right), high[0] * sin(right), high[1]};
            double d[3] = {high[0] * cos(left), high[0] * sin(left), high[1]};
            if (low[0] > 0) put_triangle(side, a, b, c);
            if (high[0] > 0) put_triangle(side, a, c, d);
        }
    }
}

/* ---- the others -------------------------------------------------------------------------------------------------- */

static void put_box(Side *side) {
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double corner[4][3];
            for (int k = 0; k < 4; k++) {
                int along_u = k == 1 || k == 2 ? 1 : -1, along_v = k >= 2 ? 1 : -1;
                corner[k][axis] = sign * (side->geometry->half[axis] + side->offset);
                corner[k][u] = sign * along_u * (side->geometry->half[u] + side->offset);
                corner[k][v] = along_v * (side->geometry->half[v] + side->offset);
            }
            put_quad(side, corner[0], corner[1], corner[2], corner[3]);
        }
}

static void put_patch(Side *side) {
    const double *half = side->geometry->half;
    put_quad(side, (double[3]){-half[0], -half[1], 0}, (double[3]){half[0], -half[1], 0},
             (double[3]){half[0], half[1], 0}, (double[3]){-half[0], half[1], 0});
}

static void put_mesh(Side *side) {
    const mnMesh *mesh = side->geometry->mesh;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *v = mesh->triangle[t];
        put_triangle(side, mesh->vertex[v[0]], mesh->vertex[v[1]], mesh->vertex[v[2]]);
    }
}

static void put_side(Side *side) {
    if (side->geometry->kind == MN_SHAPE_BOX) {
        put_box(side);
    } else if (side->geometry->kind == MN_SHAPE_PLANE) {
        put_patch(side);
    } else if (side->geometry->kind == MN_SHAPE_MESH) {
        put_mesh(side);
    } else {
        Profile profile = profile_of(side);
        turn_profile(side, &profile);
    }
}

static void put_shape(Side *side, const mnGeometry *geometry) {
    if (geometry->kind == MN_SHAPE_UNION) {
        for (int k = 0; k < geometry->child_count; k++) put_shape(side, geometry->children[k]);
        return;
    }
    side->geometry = geometry;
    side->offset = 0;
    side->faces_inwards = geometry->hollow;
    put_side(side);
    if (!geometry->hollow || geometry->kind == MN_SHAPE_MESH) return;
    side->offset = geometry->thickness;
    side->faces_inwards = false;
    put_side(side);
}

mnStatus mn_geometry_triangles(const mnGeometry *geometry, double size, mnTriangles *triangles, mnError *error) {
    *triangles = (mnTriangles){0};
    if (geometry->dimension == 2)
        return mn_error_set(error, MN_ERROR_INPUT, "shapes of a scene in 2D have no surface of triangles");
    Side side = {.size = size, .out = triangles};
    put_shape(&side, geometry);
    if (!side.no_memory) return MN_OK;
    free(triangles->corner);
    *triangles = (mnTriangles){0};
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the triangles of a shape");
}
