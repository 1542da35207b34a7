/* Liquids are disordered. A fluid that starts as a cubic lattice keeps it for long deep inside, and a lattice carries
 * stress in another way: at the same pressure it pushes 3.5 % harder than settled fluid (−Σ V r·∇W^P/d is 1.020 in the
 * lattice, 0.986 in the fluid), and it resists shear. So what lies inside a body is thrown out of its lattice and
 * evened out before the first step: points anywhere within their cells, moved downhill in Σ fill². The fill of what
 * comes out of it spreads by about one per cent.
 *
 * The layers next to walls, to other fluids and to the surface stay as they are. */
#ifndef MN_RUN_DISORDER_H
#define MN_RUN_DISORDER_H

#include "run/world.h"

/* Needs lists of the lattice. Marks in `inside`, by the particles' ids, those that are moved; returns their number. */
int64_t mn_disorder_throw(mnWorld *world, uint64_t seed, uint8_t *inside);

/* Fresh lists serve for so many sweeps. */
enum { MN_DISORDER_SEARCHES = 5, MN_DISORDER_SWEEPS_PER_SEARCH = 4 };
void mn_disorder_sweep(mnWorld *world, const uint8_t *inside);

#endif
