/* Walls at rest, most of which have no fluid near them and sleep.
 *
 * A sleeper takes eight bytes, and its share of a cell one or two more: where it lies in the cell, in 65,536ths of the
 * edge, so that its place is told to half of one, 2.4e-5 h, or to a whole one just before the end of a cell, and its
 * volume in as many parts of the largest. Solids are told once for each run of
 * sleepers that follow each other. A search wakes those that have fluid as near as lists can ever reach: it makes
 * boundary particles of them (state/particles.h), which is what everybody else knows of walls. These are in the order
 * of the sleepers, so no bit depends on when somebody was woken or by which thread.
 *
 * Where solids move there are no sleepers, and all boundary particles are awake. */
#ifndef MN_SPACE_SLEEPERS_H
#define MN_SPACE_SLEEPERS_H

#include "kernels/constants.h"
#include "space/cells.h"
#include "state/particles.h"

/* x, y, z and the volume, sixteen bits each from the lowest up. */
typedef uint64_t mnSleeper;

/* From this sleeper on they are of this solid. */
typedef struct mnSolidRun {
    int32_t first, solid;
} mnSolidRun;

/* A cell that fluid is in or beside. */
typedef struct mnShore {
    int32_t cell;
    int32_t first;       /* of its sleepers, among those of all such cells */
    int32_t awake_first; /* of those that wake, among the boundary particles */
    int32_t awake_count;
} mnShore;

typedef struct mnSleepers {
    int64_t count, capacity;
    mnSleeper *sleepers;
    mnCells cells;
    double largest_volume; /* m³ (m² in 2D) */
    mnSolidRun *runs;
    int64_t run_count, run_capacity;
    /* on their way to sleep */
    mnVec *places;
    int32_t *solids;
    int64_t place_count, place_capacity, solid_capacity;
    /* of a search */
    uint8_t *is_met; /* a flag for each cell */
    mnShore *shore;
    uint8_t *is_awake; /* a flag for each sleeper of the shore */
    int64_t met_capacity, shore_capacity, awake_capacity;
    int32_t *names; /* of boundary particles: which sleeper each is, ascending */
    int64_t name_count, name_capacity;
} mnSleepers;

void mn_sleepers_release(mnSleepers *all, mnMemory *memory);

/* Room for so many more, and one more of them; w of a place is its volume. False: no memory. */
bool mn_sleepers_reserve(mnSleepers *all, mnMemory *memory, int64_t more);
bool mn_sleepers_add(mnSleepers *all, mnMemory *memory, mnVec place, int32_t solid);

/* Puts all that were added to sleep, in cells with edges of `edge`, m. */
mnSearchResult mn_sleepers_settle(mnSleepers *all, mnMemory *memory, double edge, int threads);

/* Tells everything about all of them, in their order: places with volumes, and solids. */
void mn_sleepers_tell(const mnSleepers *all, mnVec *position, int32_t *solid);

struct mnPlaces; /* space/reach.h */

/* Makes those the boundary that lie within `radius`, m, of some fluid, and `awake` their cells. Of the ones that were
 * awake before, `own` is what it was; the others have 1 in its w, until mn_sleepers_find_own. False: no memory. */
bool mn_sleepers_wake(mnSleepers *all, mnMemory *memory, const mnCells *fluid_cells, const struct mnPlaces *fluid,
                      mnReal radius, mnBoundaryState *boundary, mnCells *awake, int threads);
void mn_sleepers_find_own(const mnSleepers *all, const mnCells *awake, mnBoundaryState *boundary, mnConstants c,
                          int threads);

/* Whether none of them lies within `radius` of a point. */
bool mn_sleepers_are_off(const mnSleepers *all, mnVec point, double radius);

#endif
