/* What is read off liquid at walls. A wall is a plane through the origin with a unit normal that points out of the
 * material; heights are along it. In 2D volumes are areas. */
#ifndef MN_VALIDATION_WALLS_H
#define MN_VALIDATION_WALLS_H

#include "suite.h"

double wall_height(const double normal[3], mnVec place); /* m */

double liquid_volume(const mnSim *sim); /* m³ */

double solid_angle(const mnSim *sim, const char *solid); /* the contact angle that the scene gives it, rad */

/* ---- drops ------------------------------------------------------------------------------------------------------- */

/* Lengths of a drop on a wall, m, each read off a different part of it. */
typedef struct DropLengths {
    /* Height of the centre of the circle that fits the profile of the free surface above 3h, out of reach of the wall.
     * Where exactly the surface lies beyond its outermost particles does not matter: the circles of all these surfaces
     * have one centre. */
    double circle;
    /* Height of the centre of mass: every particle counts, and so does the gap between wall and liquid. */
    double centre;
    /* Radius at the wall: of a disc with the root mean square radius of the particles below h. */
    double base;
    /* Mean height about the axis by volume, with the weight exp(−r²/2σ²), σ = V^(1/d)/4: neither the gap nor the place
     * of the surface matters. */
    double thickness;
    /* Mean height of the surface's particles within 2h of the axis, and h/2. */
    double top;
} DropLengths;

DropLengths drop_lengths(const mnSim *sim, const double normal[3]);

static const double MIDDLE_OF_DROP = 0.25; /* σ over V^(1/d) */

/* Runs until the height of the centre of mass stays within 0.3 % of V^(1/d), about one degree, for as long as `unit`,
 * at least half a swing of the drop, but not longer than `longest` of them. Gives the means over the last `unit`. */
bool drop_settle(Case *c, mnSim *sim, const double normal[3], double unit, double longest, DropLengths *mean);

/* Every tenth particle of the free surface as a point of a curve: distance from the axis and height, in h. */
void drop_plot(Case *c, const mnSim *sim, const double normal[3], const char *curve);

/* ---- caps -------------------------------------------------------------------------------------------------------- */

/* A drop without weight is a cap of a ball (2D: a segment of a disc), and with its volume known each of the first three
 * lengths gives its angle, degrees; the base gives 10 at least. */
typedef struct CapAngles {
    double circle, centre, base;
} CapAngles;

CapAngles cap_angles(int dimension, double volume, double spacing, DropLengths lengths);

/* Radius of the sphere (circle) of a cap with this volume and angle in degrees, m. */
double cap_radius(int dimension, double volume, double angle);

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

typedef struct Slope {
    double sine, cosine;
    double normal[3], descent[3]; /* unit vectors: out of the wall; steepest descent for gravity along −z */
} Slope;

/* By its angle and the heading of its descent, from the x axis, both in degrees. */
Slope slope_make(double angle, double heading);

/* The changes that give the solid "slope" of a scene this normal; three of them. */
void slope_sets(Case *c, const Slope *slope, const char *sets[3]);

double speed_along(const mnTotals *totals, const double direction[3]); /* of the centre of mass, m/s */

/* ---- capillary rise ---------------------------------------------------------------------------------------------- */

typedef struct Rise {
    double law;    /* Jurin's height 2γ cos θ/(ρgw), m */
    double height; /* found: volume in the slot above the level of the basin, over w, m */
    double basin;  /* level of the basin by its volume, m */
} Rise;

/* Opens the scene, rise or rise3d, with a slot of `width` spacings and up to ten further changes
 * (NULL-terminated list, or NULL), and runs until the liquid in the slot has come to rest. The simulation stays open
 * and is given in `sim`. False: the case has failed; return at once. */
bool rise_settle(Case *c, const char *scene, double width, const char *const *sets, Rise *rise, mnSim **sim);

#endif
