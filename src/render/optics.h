/* What light does where it meets something, with a camera at its end or a lamp: the same in both directions. */
#ifndef MN_RENDER_OPTICS_H
#define MN_RENDER_OPTICS_H

#include "render/rays.h"

/* Light on its way. */
typedef struct mnBeam {
    mnRay ray;
    mnV3 weight;
    bool in_water;
} mnBeam;

/* Starting points are moved off the surface they are on by this much, in units of the tableau. */
#define MN_OPTICS_OFFSET 1e-4F

enum { MN_PART_GROUND = -1 };

/* The nearest part or ground. */
bool mn_optics_meet(const mnTableau *tableau, const mnRays *rays, const mnRay *ray, mnHit *hit);

/* What water or glass does to a beam at a hit. */
typedef struct mnCrossing {
    float reflected; /* share that goes back; the rest goes through */
    mnV3 normal;     /* against the beam */
    bool straight;   /* through without a bend, and in water if it was */
} mnCrossing;

/* False where the hit is something matt. Where the beam was in water it has lost what water absorbs up to the hit,
 * either way. */
bool mn_optics_cross(const mnTableau *tableau, const mnRays *rays, mnBeam *beam, const mnHit *hit,
                     mnCrossing *crossing);

/* Takes the beam back, or through. */
void mn_optics_reflect(mnBeam *beam, const mnHit *hit, const mnCrossing *crossing);
void mn_optics_refract(const mnTableau *tableau, mnBeam *beam, const mnHit *hit, const mnCrossing *crossing);

/* Share of light that a smooth dielectric reflects; `cosine` to the normal, `ratio` of the refractive indices where it
 * is over where it goes. */
float mn_optics_fresnel(float cosine, float ratio);

/* A direction about the unit normal, with probability proportional to its cosine. */
mnV3 mn_optics_cosine(mnV3 normal, const float u[2]);

static inline mnV3 mn_mirror(mnV3 direction, mnV3 normal) {
    return v3_along(direction, -2 * v3_dot(direction, normal), normal);
}

#endif
