/* The particles of a frame parted into drops, and where each drop is.
 *
 * Particles of one fluid that are closer than 1.5h belong to one drop, and so does whoever is linked through others:
 * neighbours in a liquid are up to 1.4h apart, the diagonal of a square of four, and a neck is torn when the gap in it
 * is half a particle wide. The result does not depend on the order of the particles.
 *
 * Where a drop is, is told by its filling: the share of a neighbourhood that its particles' volumes take up, 1 inside,
 * 0 outside and ½ at a flat surface, wherever the outermost particles lie. Nothing has to be known about how far a
 * surface is from these. A ball of radius R is drawn in by about h²/(2R). */
#ifndef MN_ANALYSIS_LIQUID_H
#define MN_ANALYSIS_LIQUID_H

#include "base/memory.h"
#include "kernels/spline.h"
#include "space/cells.h"

typedef struct mnLiquid {
    int dimension, threads;
    double spacing; /* h, m */
    int64_t count;
    mnVec *position;  /* m, sorted by cells; w: rest volume */
    int64_t *source;  /* index of each into the frame's particles */
    int32_t *drop;    /* which drop each belongs to */
    int32_t *members; /* the particles, drop by drop, in the frame's order */
    int32_t *first;   /* per drop and one more, where its members start */
    int32_t drop_count;
    mnSpline kernel;
    mnCells cells;
    mnMemory memory;
} mnLiquid;

/* Copies what it needs of the particles. Drops are numbered by falling volume and, where that is equal, by their
 * smallest id. Fails where a position is not finite, where particles lie far closer than the spacing, or memory is
 * lacking. */
mnStatus mn_liquid_create(const mnParticles *particles, int dimension, double spacing, int threads, mnLiquid *liquid,
                          mnError *error);
void mn_liquid_clear(mnLiquid *liquid);

/* The filling of a place by a drop, and its gradient, 1/m. */
double mn_liquid_filling(const mnLiquid *liquid, int32_t drop, const double place[3], double gradient[3]);

/* The filling half a spacing above a place of a wall, with that normal, over what it can be there, where the wall takes
 * up a part of the neighbourhood. Directly at the wall it would be ½ inside of drops as well that a wall of a large
 * contact angle holds off by that much. */
double mn_liquid_filling_at_wall(const mnLiquid *liquid, int32_t drop, const double place[3], const double normal[3],
                                 double gradient[3]);

static inline void mn_liquid_place(const mnLiquid *liquid, int64_t i, double place[3]) {
    const mnVec *x = &liquid->position[i];
    place[0] = (double)x->x;
    place[1] = (double)x->y;
    place[2] = (double)x->z;
}

#endif
