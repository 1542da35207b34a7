#include <stdlib.h>

#include "geometry/layer.h"
#include "geometry/profile.h"
#include "geometry/sample_parts.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* Bodies of revolution: each layer is a stack of rings, evened out where rings of different size meet. In 2D a lying
 * body is the two sides of its outline, a standing one a circle; both are even as they are. */

static const double pi = 3.14159265358979323846;

/* Points this close to an edge of the body keep their place (in spacings). */
static const double edge_reach = 1.5;

/* Around sharp corners the layers of a container run on past what any fluid inside can feel; they end this far from the
 * shape (in wall thicknesses), which the corners of a box just reach. */
static const double past_corner = 1.74;

/* Rings are nearly even, only the poles need more room; further sweeps make nothing smoother. */
enum { RELAX_SWEEPS = 20 };

/* Turn from ring to ring when their numbers of points differ: the golden section never lines up. */
static const double golden = 0.38196601125010515;

mnLayering mn_ring_wall_layering(const mnWall *wall) {
    double depth = wall->layers * wall->spacing, inradius = mn_geometry_inradius(wall->leaf);
    if (wall->outside || inradius >= depth * (1 - 1e-9)) return (mnLayering){wall->layers, wall->spacing};
    int count = (int)fmax(round(inradius / wall->spacing), 1);
    return (mnLayering){count, inradius / count};
}

/* Past a corner the layers of a container stay sharp, further from the shape than on its sides: evened out, their
 * points would be drawn in to that distance, onto the layer before. */
static bool add_point(const mnWall *wall, const mnRing *ring, double angle, double volume, mnLayer *layer) {
    double local[3] = {ring->r * cos(angle), ring->r * sin(angle), ring->z}, position[3], normal[3];
    double out[3] = {ring->normal[0] * cos(angle), ring->normal[0] * sin(angle), ring->normal[1]};
    mn_geometry_to_scene(wall->leaf, local, position);
    double distance = wall->outside ? mn_geometry_distance(wall->leaf, position) : layer->offset;
    if (distance > past_corner * wall->layers * wall->spacing) return true;
    bool fixed = ring->straight || ring->edge_distance < edge_reach * wall->spacing ||
                 distance > layer->offset + 1e-6 * wall->spacing;
    mn_geometry_turn(wall->leaf, out, normal);
    for (int c = 0; c < 3 && wall->outside; c++) normal[c] = -normal[c];
    return mn_layer_append(layer, position, normal, volume, fixed);
}

/* `count` points around the ring; with a single one it goes to the axis. */
static bool spin(const mnWall *wall, mnRing ring, int64_t count, double phase, double volume, mnLayer *layer) {
    if (count == 1) ring.r = 0;
    for (int64_t i = 0; i < count; i++)
        if (!add_point(wall, &ring, 2 * pi * ((double)i + phase) / (double)count, volume / (double)count, layer))
            return false;
    return true;
}

static int64_t points_around(double radius, double pitch) {
    return (int64_t)fmax(round(2 * pi * radius / pitch), 1);
}

static bool fill_layer(const mnWall *wall, const mnRing *rings, long ring_count, double pitch, double width,
                       mnLayer *layer) {
    bool lying = wall->leaf->dimension == 2;
    int64_t last = 0;
    double phase = 0;
    for (long i = 0; i < ring_count; i++) {
        /* The wall around a fat torus meets itself on the axis and ends there. */
        if (rings[i].r <= 0) continue;
        int64_t count = lying ? (rings[i].r < pitch / 4 ? 1 : 2) : points_around(rings[i].r, pitch);
        if (count != last && !lying) phase = fmod(phase + golden, 1);
        double volume = (lying ? 2 * rings[i].length : rings[i].area) * width;
        if (!spin(wall, rings[i], count, phase, volume, layer)) return false;
        last = count;
    }
    return true;
}

/* Discs and rings in 2D: one circle for a disc, an outer and an inner one for the cut of a standing torus. */
static bool fill_circles(const mnWall *wall, double offset, double pitch, double width, mnLayer *layer) {
    const mnGeometry *leaf = wall->leaf;
    double radius[2] = {leaf->radius + offset, 0};
    if (leaf->kind == MN_SHAPE_TORUS) {
        radius[0] += leaf->tube_radius;
        radius[1] = leaf->radius - leaf->tube_radius - offset;
    }
    for (int i = 0; i < 2; i++) {
        mnRing ring = {.r = radius[i], .normal = {i == 0 ? 1 : -1, 0}, .edge_distance = INFINITY};
        if (ring.r <= 0) continue;
        double volume = 2 * pi * ring.r * width;
        if (!spin(wall, ring, points_around(ring.r, pitch), 0, volume, layer)) return false;
    }
    return true;
}

static bool fill_rings(const mnWall *wall, double offset, double pitch, double width, mnLayer *layer) {
    mnProfile profile = mn_profile_create(wall->leaf, offset);
    long count = mn_profile_rings(&profile, pitch, NULL, 0);
    mnRing *rings = malloc((size_t)(count + 1) * sizeof *rings);
    bool ok = rings != NULL;
    if (ok) {
        mn_profile_rings(&profile, pitch, rings, count);
        ok = fill_layer(wall, rings, count, pitch, width, layer);
    }
    free(rings);
    return ok;
}

static bool sample_layer(const mnWall *wall, int number, double width, mnPoints *points) {
    const mnGeometry *leaf = wall->leaf;
    bool circles = leaf->dimension == 2 && (leaf->kind == MN_SHAPE_SPHERE || leaf->standing);
    double depth = (number + 0.5) * width, offset = wall->outside ? depth : -depth;
    double pitch = mn_wall_pitch(wall, number);
    mnLayer layer;
    mn_layer_init(&layer, offset);
    bool ok =
        circles ? fill_circles(wall, offset, pitch, width, &layer) : fill_rings(wall, offset, pitch, width, &layer);
    if (leaf->dimension == 3)
        ok = ok && mn_layer_relax(&layer, leaf, pitch, RELAX_SWEEPS) &&
             mn_layer_flatten(&layer, leaf, wall->spacing, pitch);
    ok = ok && mn_layer_add_to(&layer, points);
    mn_layer_clear(&layer);
    return ok;
}

bool mn_sample_ring_wall(const mnWall *wall, mnPoints *points) {
    mnLayering layering = mn_ring_wall_layering(wall);
    for (int i = 0; i < layering.count; i++)
        if (!sample_layer(wall, i, layering.width, points)) return false;
    return true;
}
