/* Balls cut from a square or cubic lattice of spacing 1: the particles of a drop, the cross-section of a round jet.
 *
 * A ball is built of whole shells of equal distance around a centre that may be a lattice point or lie half-way between
 * two, four or eight of them, whichever comes nearest to the number of points wanted; it is then as round as a lattice
 * allows. Nothing here allocates. */
#ifndef MN_SCENE_EMIT_LATTICE_H
#define MN_SCENE_EMIT_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

/* Distances are squared and counted in half spacings, so that they are whole numbers for every centre. */
typedef struct mnLatticeBall {
    int dimension;       /* 2 or 3 */
    int halves;          /* along so many axes the centre lies between two points */
    int64_t inner;       /* every point up to this squared distance belongs to the ball */
    int64_t shell, take; /* of the `shell` points at the distance inner + 1 `take` belong to it, spread evenly */
    int64_t count;
} mnLatticeBall;

/* The ball of `wanted` ≥ 1 points. With `whole` no shell is broken, and the count is only as near as that allows. */
mnLatticeBall mn_lattice_ball(int dimension, int64_t wanted, bool whole);

/* Writes the ball's `count` points, their centroid at the origin; unused components are 0. */
void mn_lattice_ball_fill(const mnLatticeBall *ball, double (*points)[3]);

#endif
