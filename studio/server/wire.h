/* Binary messages to the page, little endian; docs/studio.md has their layout. */
#ifndef MN_STUDIO_WIRE_H
#define MN_STUDIO_WIRE_H

#include "geometry/mesh.h"
#include "message.h"
#include "shot.h"

typedef enum mnShown { MN_SHOWN_SPEED, MN_SHOWN_PRESSURE, MN_SHOWN_MEASURE, MN_SHOWN_PHASE, MN_SHOWN_COUNT } mnShown;

/* "speed", "pressure", …; MN_SHOWN_COUNT: none of these. */
mnShown mn_shown_named(const char *name);

/* The value of one particle, in the unit of the field. */
double mn_shown_value(const mnShot *shot, mnShown field, int64_t i);

/* The particles of a moment with the values of one field. Positions and values are cut to 16 bits between their least
 * and largest; of the values, the outermost two of a thousand on each side, which may be anything, do not count for
 * that. NULL: no memory. */
mnMessage *mn_wire_particles(const mnShot *shot, mnShown field, uint32_t sequence);

/* Triangles that share no corners. */
mnMessage *mn_wire_triangles(const mnTriangles *triangles);

#endif
