#include "geometry/profile.h"

#include "geometry/shape.h"
#include "geometry/vector.h"

static const double pi = 3.14159265358979323846;

static mnPiece line(double r0, double z0, double r1, double z1) {
    return (mnPiece){.start = {r0, z0}, .end = {r1, z1}, .start_on_axis = r0 == 0, .end_on_axis = r1 == 0};
}

static mnPiece arc(double r, double z, double radius, double from, double to) {
    return (mnPiece){.arc = true, .centre = {r, z}, .radius = radius, .from = from, .to = to};
}

static mnProfile of_cylinder(const mnGeometry *geometry, double offset) {
    double r = geometry->radius + offset, z = geometry->height / 2 + offset;
    mnProfile profile = {.piece = {line(0, -z, r, -z), line(r, -z, r, z), line(r, z, 0, z)}, .count = 3};
    profile.piece[0].end_corner = profile.piece[1].start_corner = true;
    profile.piece[1].end_corner = profile.piece[2].start_corner = true;
    return profile;
}

static mnProfile of_capsule(const mnGeometry *geometry, double offset) {
    double r = geometry->radius + offset, z = geometry->height / 2;
    mnProfile profile = {.piece = {arc(0, -z, r, -pi / 2, 0), line(r, -z, r, z), arc(0, z, r, 0, pi / 2)}, .count = 3};
    profile.piece[0].start_on_axis = profile.piece[2].end_on_axis = true;
    return profile;
}

/* Moving every side by the same distance makes a similar cone about the centre of the largest ball inside. */
static mnProfile of_cone(const mnGeometry *geometry, double offset) {
    double inradius = mn_geometry_inradius(geometry), similar = (inradius + offset) / inradius;
    double r = similar * geometry->radius, top = similar * geometry->height - offset;
    mnProfile profile = {.piece = {line(0, -offset, r, -offset), line(r, -offset, 0, top)}, .count = 2};
    profile.piece[0].end_corner = profile.piece[1].start_corner = profile.piece[1].end_corner = true;
    return profile;
}

mnProfile mn_profile_create(const mnGeometry *geometry, double offset) {
    mnProfile profile = {.count = 1};
    switch (geometry->kind) {
    case MN_SHAPE_CYLINDER:
        return of_cylinder(geometry, offset);
    case MN_SHAPE_CAPSULE:
        return of_capsule(geometry, offset);
    case MN_SHAPE_CONE:
        return of_cone(geometry, offset);
    case MN_SHAPE_TORUS:
        profile.piece[0] = arc(geometry->radius, 0, geometry->tube_radius + offset, 0, 2 * pi);
        profile.closed = true;
        return profile;
    default:
        profile.piece[0] = arc(0, 0, geometry->radius + offset, -pi / 2, pi / 2);
        profile.piece[0].start_on_axis = profile.piece[0].end_on_axis = true;
        return profile;
    }
}

static double length_of(const mnPiece *piece) {
    return piece->arc ? piece->radius * (piece->to - piece->from)
                      : hypot(piece->end[0] - piece->start[0], piece->end[1] - piece->start[1]);
}

static double radius_at(const mnPiece *piece, double s) {
    if (piece->arc) return piece->centre[0] + piece->radius * cos(piece->from + s / piece->radius);
    return piece->start[0] + (piece->end[0] - piece->start[0]) * s / length_of(piece);
}

/* Surface between two places along the piece: 2π·∫ r ds. */
static double area_between(const mnPiece *piece, double s0, double s1) {
    if (!piece->arc) return 2 * pi * (s1 - s0) * radius_at(piece, (s0 + s1) / 2);
    double a = piece->from + s0 / piece->radius, b = piece->from + s1 / piece->radius;
    return 2 * pi * piece->radius * (piece->centre[0] * (b - a) + piece->radius * (sin(b) - sin(a)));
}

static mnRing ring_at(const mnPiece *piece, double s, double s0, double s1) {
    mnRing ring = {.r = radius_at(piece, s), .length = s1 - s0, .area = area_between(piece, s0, s1)};
    double length = length_of(piece);
    if (piece->arc) {
        double angle = piece->from + s / piece->radius;
        ring.z = piece->centre[1] + piece->radius * sin(angle);
        ring.normal[0] = cos(angle);
        ring.normal[1] = sin(angle);
    } else {
        ring.z = piece->start[1] + (piece->end[1] - piece->start[1]) * s / length;
        ring.normal[0] = (piece->end[1] - piece->start[1]) / length;
        ring.normal[1] = -(piece->end[0] - piece->start[0]) / length;
        ring.straight = piece->start[0] == piece->end[0];
    }
    ring.edge_distance = fmin(piece->start_corner ? s : INFINITY, piece->end_corner ? length - s : INFINITY);
    return ring;
}

/* Appends rings in order and joins the halves of a ring that two pieces share. */
typedef struct Writer {
    mnRing *rings;
    long room, count;
} Writer;

static void write_ring(Writer *writer, mnRing ring) {
    if (writer->rings && writer->count < writer->room) writer->rings[writer->count] = ring;
    writer->count++;
}

static void join_ring(Writer *writer, mnRing half) {
    if (!writer->rings || writer->count > writer->room) return;
    mnRing *ring = &writer->rings[writer->count - 1];
    ring->length += half.length;
    ring->area += half.area;
    for (int c = 0; c < 2; c++) ring->normal[c] += half.normal[c];
    double norm = hypot(ring->normal[0], ring->normal[1]);
    for (int c = 0; c < 2 && norm > 0; c++) ring->normal[c] /= norm;
    ring->edge_distance = fmin(ring->edge_distance, half.edge_distance);
    ring->straight = ring->straight || half.straight;
}

/* Inner rings are a step apart; a joint at either end holds half a step, an end on the axis is half a step away from
 * its ring. The chain starts on the axis, so the ring of a starting joint has been written by the piece before. */
static void cut_piece(const mnPiece *piece, double spacing, Writer *writer) {
    double length = length_of(piece);
    int joints = !piece->start_on_axis + !piece->end_on_axis;
    double inner = fmax(round(length / spacing - joints * 0.5), joints == 0 ? 1 : 0);
    double step = length / (inner + joints * 0.5);
    if (!piece->start_on_axis) join_ring(writer, ring_at(piece, 0, 0, step / 2));
    double first = piece->start_on_axis ? step / 2 : step;
    for (double i = 0; i < inner; i++) {
        double s = first + i * step;
        write_ring(writer, ring_at(piece, s, s - step / 2, s + step / 2));
    }
    if (!piece->end_on_axis) write_ring(writer, ring_at(piece, length, length - step / 2, length));
}

long mn_profile_rings(const mnProfile *profile, double spacing, mnRing *rings, long room) {
    Writer writer = {.rings = rings, .room = room};
    if (profile->closed) {
        double length = length_of(&profile->piece[0]);
        double count = fmax(round(length / spacing), 3), step = length / count;
        for (double i = 0; i < count; i++)
            write_ring(&writer, ring_at(&profile->piece[0], i * step, (i - 0.5) * step, (i + 0.5) * step));
        return writer.count;
    }
    for (int i = 0; i < profile->count; i++) cut_piece(&profile->piece[i], spacing, &writer);
    return writer.count;
}
