/* Where a drop wets a wall: the area, and the contact line around it.
 *
 * The wall is sampled where it passes through the cells, h/2 wide, of a lattice around the drop's foot: a cell at the
 * distance d from the wall counts with the area a³·δ(d), where δ is a hat as wide as makes the sum right for a plane in
 * any attitude [Engquist, Tornberg & Tsai 2005]. The liquid is where its filling (liquid.h) half a spacing above the
 * wall exceeds ½, and the contact line is where it is ½. That line is inside of the true one at small angles and
 * outside at large ones, by up to a spacing or so; where the profile of the surface is known the rest can be told
 * (angle.h).
 *
 * In 2D areas are lengths and the contact line is a few points. */
#ifndef MN_ANALYSIS_FOOTPRINT_H
#define MN_ANALYSIS_FOOTPRINT_H

#include "analysis/liquid.h"
#include "analysis/walls.h"

/* A piece of the contact line, some spacings long. */
typedef struct mnStation {
    double place[3];  /* on the wall, m */
    double normal[3]; /* of the wall */
    double out[3];    /* along the wall, at right angles to the line, away from the liquid */
    double length;    /* m; 2D: 1 */
} mnStation;

typedef struct mnFootprint {
    double area;      /* m²; 2D: m */
    double centre[3]; /* of the area, m */
    double normal[3]; /* mean over the area; 0 where it cancels, as around a ball */
    mnStation *stations;
    int station_count;
} mnFootprint;

/* Of a drop that is near the wall; nothing of it may be. False: no memory. */
bool mn_footprint_find(const mnLiquid *liquid, int32_t drop, const mnWall *wall, mnFootprint *footprint);
void mn_footprint_clear(mnFootprint *footprint);

#endif
