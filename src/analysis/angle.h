/* Contact angles along a contact line.
 *
 * The surface of a drop is where its filling (liquid.h) is ½: every particle near it is moved there along the gradient.
 * Around a station of the contact line, a circle is fitted to the profile of the surface, from 1.5h above the walls to
 * 12h from the line, with the line's own bend taken into account. Where the circle goes into the wall its slope is the
 * contact angle, measured inside the liquid, and its end the true place of the line. Closer to the wall the surface
 * bends over distances that only particles have, and the filling blurs its edge. */
#ifndef MN_ANALYSIS_ANGLE_H
#define MN_ANALYSIS_ANGLE_H

#include "analysis/footprint.h"

typedef struct mnContactAngle {
    double angle; /* rad; NaN where too little of the surface is there */
    double shift; /* of the line from its station, outwards, m; 0 where there is no angle */
} mnContactAngle;

/* One for each station of the footprint, into `angles`. Surface that is near any of the walls is left out. False: no
 * memory. */
bool mn_contact_angles(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, const mnFootprint *footprint,
                       mnContactAngle *angles);

#endif
