/* Rays against the parts of a tableau, and the one place that knows Embree.
 *
 * Questions are pure functions of the tableau and can be asked from several threads. */
#ifndef MN_RENDER_RAYS_H
#define MN_RENDER_RAYS_H

#include "meniscus/status.h"
#include "render/tableau.h"

typedef struct mnRays mnRays;

/* Which parts a ray can meet. */
typedef enum mnRaySet {
    MN_RAYS_ALL,
    MN_RAYS_SHADOW, /* without glass, which casts none */
    MN_RAYS_MATT,
    MN_RAY_SETS
} mnRaySet;

typedef struct mnRay {
    mnV3 origin, direction; /* the direction of unit length */
    float near, far;        /* distances between which it looks */
    float time;             /* within the shutter's, 0 … 1 */
} mnRay;

typedef struct mnHit {
    float distance;
    int part;
    int64_t triangle;
    mnV3 face;   /* unit normal of the triangle, by the order of its corners */
    mnV3 normal; /* the smooth one, on the same side */
} mnHit;

/* Whether this build can trace rays at all. */
mnStatus mn_rays_check(mnError *error);

/* The tableau and what it borrows must outlive the rays. */
mnStatus mn_rays_create(const mnTableau *tableau, int threads, mnRays **rays, mnError *error);
void mn_rays_destroy(mnRays *rays);

/* The nearest hit, if there is one. */
bool mn_rays_meet(const mnRays *rays, mnRaySet set, const mnRay *ray, mnHit *hit);

/* Whether there is any. */
bool mn_rays_blocked(const mnRays *rays, mnRaySet set, const mnRay *ray);

#endif
