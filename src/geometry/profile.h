/* The outline of a body of revolution in the half-plane (r, z), moved out or in by an offset, cut into rings.
 *
 * An outline is a chain of lines and arcs. Rings are about one spacing apart along it: where two pieces meet there is a
 * ring on the joint itself, where the outline meets the axis the last ring stays half a step away from it. */
#ifndef MN_GEOMETRY_PROFILE_H
#define MN_GEOMETRY_PROFILE_H

#include <stdbool.h>

#include "geometry/geometry.h"

typedef struct mnPiece {
    bool arc;
    double start[2], end[2];            /* line: (r, z) of its ends */
    double centre[2], radius, from, to; /* arc: angles from +r towards +z, rad */
    bool start_on_axis, end_on_axis;
    bool start_corner, end_corner; /* an edge of the body, not just a smooth joint */
} mnPiece;

enum { MN_PIECES_MAX = 3 };

typedef struct mnProfile {
    mnPiece piece[MN_PIECES_MAX];
    int count;
    bool closed; /* a single full circle */
} mnProfile;

typedef struct mnRing {
    double r, z;
    double normal[2];     /* unit, out of the body, (r, z) */
    double length;        /* of the outline that the ring stands for, m */
    double area;          /* of the surface that the ring stands for, m² */
    double edge_distance; /* along the outline to the nearest corner, m; infinite if there is none */
    bool straight;        /* on a cylinder: its neighbours have the same radius */
} mnRing;

/* Cylinder, capsule, cone, torus or sphere. */
mnProfile mn_profile_create(const mnGeometry *geometry, double offset);

/* Number of rings of spacing about `spacing`; with `rings` not NULL they are written there, up to `room`. */
long mn_profile_rings(const mnProfile *profile, double spacing, mnRing *rings, long room);

#endif
