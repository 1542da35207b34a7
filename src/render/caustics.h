/* The light that lamps send through water, or off it, onto something matt: bright lines under drops.
 *
 * Paths from the camera find a lamp behind water only by chance, and each time they do it is a bright dot. So this
 * light is found from the other end: photons go from the lamps to the water, through it, and are kept where they land;
 * how dense they are at a point is how much light arrives there [Jensen 1996]. */
#ifndef MN_RENDER_CAUSTICS_H
#define MN_RENDER_CAUSTICS_H

#include "render/optics.h"

typedef struct mnPhoton {
    mnV3 place, power, from; /* from: the direction it came out of */
} mnPhoton;

typedef struct mnCaustics {
    mnPhoton *photon; /* owned; by cells */
    int32_t *start;   /* owned; where the photons of a cell of the hash table begin, `mask` + 2 entries */
    int64_t count;
    uint32_t mask;
    float radius; /* over which density is taken */
} mnCaustics;

/* Without water nothing is found and nothing kept. */
mnStatus mn_caustics_create(const mnTableau *tableau, const mnRays *rays, int64_t photons, int threads,
                            mnCaustics *caustics, mnError *error);
void mn_caustics_clear(mnCaustics *caustics);

/* Light per area that arrives at a point of a surface, as a random place near it, chosen by u in 0 … 1, tells. */
mnV3 mn_caustics_at(const mnCaustics *caustics, mnV3 point, mnV3 normal, const float u[2]);

#endif
