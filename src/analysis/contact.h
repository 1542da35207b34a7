/* A drop on a wall: how much of it is wet, at what angles, how thick the liquid lies there and how it slides. */
#ifndef MN_ANALYSIS_CONTACT_H
#define MN_ANALYSIS_CONTACT_H

#include "analysis/liquid.h"
#include "analysis/walls.h"

/* Along the contact line, rad, inside the liquid; NaN where nothing could be measured. The mean is by length; the
 * others are of pieces of the line, some spacings long. */
typedef struct mnAngles {
    double mean, lowest, highest;
    double front, rear; /* means over the quarters of directions that a drop slides to and comes from */
    int pieces;         /* of the line, that have an angle */
} mnAngles;

typedef struct mnContact {
    int solid;             /* index into the scene's */
    double area;           /* wet, m²; 2D: m */
    double line;           /* length of the contact line, m; 2D: how many ends it has */
    double velocity[3];    /* of the drop against the wall, along it, m/s */
    double mean_thickness; /* volume over area, m; NaN where that is no film: on hardly any foot */
    double height;         /* of the drop's highest place above the wall, m */
    mnAngles angles;
} mnContact;

/* What of a drop as a whole is needed here. */
typedef struct mnDropMotion {
    double volume;         /* m³ */
    double velocity[3];    /* m/s */
    double unrest;         /* root mean square of what its particles' velocities differ from that by, m/s */
    const double *gravity; /* m/s² */
} mnDropMotion;

/* Whether a place of the liquid touches the wall. The first layer of particles is h/2 from it, and up to a spacing
 * where a large contact angle holds it off. */
bool mn_contact_is_at(const mnLiquid *liquid, const mnWall *wall, const double place[3]);

/* The drop must touch the wall, which is number `solid` of the walls. False: no memory. */
bool mn_contact_measure(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, int solid,
                        const mnDropMotion *motion, mnContact *contact);

#endif
