/* Who is near whom: lists of neighbours within 2h, and of those from there to 3h where somebody asks for them, for
 * fluid particles and for the boundary particles that have fluid that near.
 *
 * Near and far neighbours have lists of their own, since some passes read the near ones alone and would otherwise wait
 * for every jump over the rest. Both radii can be made larger by a skin. The lists then hold until two particles may
 * have come nearer to each other by that much, and so does the order of the particles. */
#ifndef MN_SPACE_NEIGHBOURS_H
#define MN_SPACE_NEIGHBOURS_H

#include "kernels/constants.h"
#include "space/sleepers.h"

typedef struct mnNeighbours {
    double spacing;      /* h, m */
    mnSleepers sleepers; /* walls, where none of them moves: those that a search wakes are the boundary */
    mnCells fluid_cells, boundary_cells;
    bool boundary_is_sorted; /* and searched: it lies where the last search found it */
    uint8_t *is_shore;       /* of its cells: fluid is in a cell around */
    int64_t shore_capacity;
    int32_t *near_list, *far_list; /* of all particles, in no order */
    int64_t near_list_capacity, far_list_capacity;
    bool is_listed;
    mnContactState contacts; /* fluid particles with a wall within 2h and the skin */
    double reach, skin;      /* h, those of the lists */
    double travelled;        /* m, how far a particle may have come since they were made */
} mnNeighbours;

/* How far lists can reach: to 2h, which pressure, friction and viscosity ask for, and to 3h, which tension does. In h.
 */
#define MN_REACH_MIN 2
#define MN_REACH_MAX 3

/* The narrowest skin that is worth while, since predicted positions are within a step of those that were searched, and
 * the widest that can be asked for, in h. */
#define MN_SKIN_MIN 0.05
#define MN_SKIN_MAX 0.15

void mn_neighbours_release(mnNeighbours *neighbours, mnMemory *memory);

/* Edge of a cell, m. */
double mn_neighbours_cell_size(const mnNeighbours *neighbours);

/* Puts the walls to sleep that were added to `sleepers`, and wakes all for good: they are the boundary then, and what
 * they add to each other's numbers is to be found anew. */
mnSearchResult mn_neighbours_settle(mnNeighbours *neighbours, mnMemory *memory, int threads);
bool mn_neighbours_wake_all(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary);

/* Sorts the fluid (dropping those marked in `dead`, may be NULL), wakes walls near it or, where none sleep, sorts the
 * boundary if it has moved, and builds all lists with a skin of `skin` spacings. Beyond `reach`, which is one of the
 * two above, nobody is in the lists. */
mnSearchResult mn_neighbours_build(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                   mnBoundaryState *boundary, const uint8_t *dead, double reach, double skin,
                                   int threads);

/* Makes the lists of the last search again, from the places of then and with its skin, but with another reach. */
mnSearchResult mn_neighbours_relist(mnNeighbours *neighbours, mnMemory *memory, mnFluidState *fluid,
                                    mnBoundaryState *boundary, double reach, int threads);

/* Whether the lists will still hold when no particle moves by more than `distance`, m. */
bool mn_neighbours_will_hold(const mnNeighbours *neighbours, double distance);

/* Tells that particles have moved, none by more than `distance`, m. */
void mn_neighbours_moved(mnNeighbours *neighbours, double distance);

/* Where particles were when they were searched last, a component each, in the spare room of fluid or boundary: nobody
 * else has a use for it until the next search. From these places the same lists can be made again. */
mnReal *mn_neighbours_searched(void *spare, int64_t capacity, int axis);

/* Tells that lists with such a reach and skin, in spacings, are there now. */
void mn_neighbours_listed(mnNeighbours *neighbours, double reach, double skin);

/* Leaves every particle without neighbours: what is to be done when the lists could not be built. */
void mn_neighbours_forget(mnNeighbours *neighbours, mnFluidState *fluid, mnBoundaryState *boundary);

/* Tells that boundary positions have changed. */
void mn_neighbours_boundary_moved(mnNeighbours *neighbours);

/* Fills `own` of boundary particles: what the walls themselves add to n^ST and n^P (measure.h). Of those that were
 * woken by the last search; where none sleep, of those in cells that it found fluid beside or, for which no search is
 * needed, of `all`. */
bool mn_neighbours_boundary_own(mnNeighbours *neighbours, mnMemory *memory, mnBoundaryState *boundary, mnConstants c,
                                bool all, int threads);

/* Whether no particle, fluid or boundary, lies within `radius` of a point. */
bool mn_neighbours_is_free(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                           const double point[3], double radius);

#endif
