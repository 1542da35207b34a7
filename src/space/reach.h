/* Which particles lie within two radii of a point: the innermost work of a search.
 *
 * Candidates are looked at many at a time, and what is found of them are bits. A particle is looked at once: its bits
 * are kept until its neighbours are counted and have been given their room in the lists. */
#ifndef MN_SPACE_REACH_H
#define MN_SPACE_REACH_H

#include "space/cells.h"

/* Positions, a component each: what is searched is read once per cell and particle, so this copy pays. Behind the last
 * one MN_PLACES_PADDING more must be readable (state/particles.h). */
typedef struct mnPlaces {
    const mnReal *x, *y, *z;
} mnPlaces;

/* Squared, m². */
typedef struct mnRadii {
    mnReal near, wide;
} mnRadii;

/* Up to MN_CHUNK candidates, a bit each, that lie within the two radii. */
enum { MN_CHUNK = 64 };
typedef struct mnHits {
    uint64_t near, wide;
} mnHits;

/* The hits of one particle, chunk by chunk of the runs around it. Few particles have more chunks than are kept; those
 * are looked at twice. */
enum { MN_CHUNKS_KEPT = 32 };
typedef struct mnCatch {
    mnHits kept[MN_CHUNKS_KEPT];
    int32_t near, far; /* how many, the particle itself included if it is one of them */
} mnCatch;

/* Parts of both lists, which are filled up with nobody. */
typedef struct mnRoom {
    int32_t *near, *far;
    const int32_t *near_end, *far_end;
    int32_t nobody;
} mnRoom;

typedef struct mnReach {
    /* Finds who lies around x. */
    void (*find)(const mnRuns *runs, const mnPlaces *places, mnVec x, mnRadii radii, mnCatch *found);
    /* Writes those within the near radius and the others, but not `self`. */
    void (*write)(const mnRuns *runs, const mnPlaces *places, mnVec x, int64_t self, mnRadii radii,
                  const mnCatch *found, const mnRoom *room);
} mnReach;

/* Writes those that the processor at hand can do, the fastest first, and returns how many. All find the same,
 * but for who lies on a radius to the last bit. */
enum { MN_REACHES_MOST = 3 };
int mn_reaches(mnReach reaches[MN_REACHES_MOST]);

#endif
