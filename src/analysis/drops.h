/* What engineers ask of a frame: its drops, and where they touch solids.
 *
 * SI units, angles in radians. In 2D volumes are areas, areas lengths, and masses are per metre of depth. What cannot
 * be told is NaN. */
#ifndef MN_ANALYSIS_DROPS_H
#define MN_ANALYSIS_DROPS_H

#include "analysis/contact.h"
#include "meniscus/meniscus.h"

typedef struct mnDrop {
    int64_t id; /* the smallest of its particles': a name that lasts from frame to frame, until drops merge */
    int fluid;  /* index into the scene's */
    int64_t particles;
    double volume;             /* m³ */
    double mass;               /* kg */
    double diameter;           /* of the ball (2D: disc) of its volume, m */
    double centre[3];          /* of mass, m */
    double velocity[3];        /* of the centre, m/s */
    double lower[3], upper[3]; /* a box around it, m */
    int first_contact;         /* of mnDrops' contacts */
    int contact_count;
} mnDrop;

typedef struct mnDrops {
    mnDrop *drops; /* by falling volume */
    int64_t count;
    mnContact *contacts; /* drop by drop, the largest area first */
    int64_t contact_count;
    double volume;          /* of all, m³ */
    double sauter_diameter; /* of the ball whose volume over surface is that of all drops as balls, Σd³/Σd², m */
    double area;            /* wet, m² */
    mnAngles angles;        /* of all contact lines; front and rear are not told */
} mnDrops;

/* Of the particles of a frame at `time`, where the walls must be. Fails where the particles cannot be the scene's
 * or memory is lacking; there is nothing to clear then. The result does not depend on the number of threads. */
mnStatus mn_drops_measure(const mnParticles *particles, const mnSceneDesc *scene, const mnWalls *walls, double time,
                          int threads, mnDrops *drops, mnError *error);
void mn_drops_clear(mnDrops *drops);

#endif
