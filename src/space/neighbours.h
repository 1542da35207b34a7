/* Who is near whom: lists of neighbours within 3h (near ones within 2h first), for fluid particles and for the boundary
 * particles that have fluid within 3h. Lists are rebuilt each step and always in the same order. */
#ifndef MN_SPACE_NEIGHBOURS_H
#define MN_SPACE_NEIGHBOURS_H

#include "kernels/constants.h"
#include "space/cells.h"
#include "state/particles.h"

typedef struct mnNeighbours {
    double spacing; /* h, m */
    mnCells fluid_cells, boundary_cells;
    bool boundary_is_sorted;
    int32_t *fluid_list;
    int64_t fluid_list_capacity;
    int32_t *boundary_list;
    int64_t boundary_list_capacity;
} mnNeighbours;

typedef enum mnSearchResult { MN_SEARCH_OK, MN_SEARCH_NO_MEMORY, MN_SEARCH_LOST } mnSearchResult;

void mn_neighbours_release(mnNeighbours *neighbours, mnMemory *memory);

/* Sorts the fluid (dropping those marked in `dead`, may be NULL), sorts the boundary if it has moved, and builds all
 * lists. MN_SEARCH_LOST: a particle's position is not finite or absurdly far away. */
mnSearchResult mn_neighbours_build(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                   mnBoundaryState *boundary, const uint8_t *dead, int threads);

/* Leaves every particle without neighbours: what is to be done when the lists could not be built. */
void mn_neighbours_forget(mnFluidState *fluid, mnBoundaryState *boundary);

/* Tells that boundary positions have changed. */
void mn_neighbours_boundary_moved(mnNeighbours *neighbours);

/* Fills `own` of all boundary particles: what the boundary itself adds to n^ST and n^P (measure.h). Needs sorted
 * boundary cells, which mn_neighbours_build leaves; does the sorting itself when they are not. */
bool mn_neighbours_boundary_own(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary, mnConstants c,
                                int threads);

/* Whether no particle, fluid or boundary, lies within `radius` of a point. */
bool mn_neighbours_is_free(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                           const double point[3], double radius);

#endif
