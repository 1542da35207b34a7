/* What the stages of a reconstruction share; for the files of this room only.
 *
 * The grid has its nodes at whole multiples of the voxel, and only blocks of it exist: those that the surface passes
 * through. A block has 7 cells and so 8 nodes along each axis, the outer ones being those of its neighbours too. All
 * that is done with a block can thus be done without looking at another, and a row of nodes fills a vector register.
 * Nodes that blocks share get the same bits from each: whatever is computed for a node depends on its place alone. */
#ifndef MN_SURFACE_INSIDE_H
#define MN_SURFACE_INSIDE_H

#include <math.h>

#include "base/memory.h"
#include "space/cells.h"
#include "surface/surface.h"

enum { MN_BLOCK_CELLS = 7, MN_BLOCK_NODES = 8, MN_BLOCK_VALUES = 512 };

/* A particle's kernel: a·(1 − dᵀ·M·d)³ where that is positive, d being the vector from its centre in voxels. */
typedef struct mnEllipsoid {
    int32_t node[3]; /* the centre is at node + offset, 0 ≤ offset < 1: differences to nodes are exact this way */
    float offset[3];
    float metric[6]; /* M: xx, yy, zz, xy, xz, yz */
    float amplitude;
    float reach[3]; /* half the box around it */
} mnEllipsoid;

typedef struct mnBlocks {
    int32_t (*at)[3]; /* its first node is 7 times this */
    int32_t *wall;    /* per block, its number among those near a solid, or −1 */
    int32_t *table;   /* finds a block by its place; −1: empty */
    int64_t count, wall_count, table_size;
    int64_t at_capacity, wall_capacity, table_capacity;
    /* Per block MN_BLOCK_VALUES numbers, x fastest, in voxels: how far inside the fluid a node is, at most some
     * three voxels; and, per block near a solid, how far outside of it. */
    float *depth, *clearance;
    int64_t depth_capacity, clearance_capacity; /* in blocks */
} mnBlocks;

/* Where a vertex lies: on the free surface, on a wall, or on a wall with neighbours on the free surface. */
enum { MN_FREE, MN_WALL, MN_RIM };

typedef struct mnContour {
    double (*vertex)[3];
    int32_t (*triangle)[3];
    uint8_t *kind;
    int64_t vertex_count, triangle_count;
} mnContour;

typedef struct mnReconstruction {
    const mnSurfaceDesc *desc;
    mnMemory memory;
    mnError *error;
    int threads;
    double voxel;  /* m */
    double length; /* m: what kernels and their reach are multiples of; h, or two voxels if that is more */
    mnCells cells; /* of the edge of the neighbourhood of a particle */
    mnSorting sorting;
    mnVec *position; /* in the order of the cells */
    mnEllipsoid *ellipsoid;
    uint8_t *is_outer; /* whether a particle is at a surface */
    int64_t count;
    mnBlocks blocks;
    mnContour contour;
} mnReconstruction;

/* Particles in the cells around a box, one after the other:
 *     mnNearby near = mn_nearby(r, low, high, around);
 *     for (int64_t i; (i = mn_nearby_next(&near)) >= 0;) … */
typedef struct mnNearby {
    const mnCells *cells;
    int32_t first[3], last[3], at[3]; /* cells */
    const mnCell *cell;               /* the one that is being gone through, if any */
    int32_t next;                     /* particle in it */
} mnNearby;

static inline mnNearby mn_nearby(const mnReconstruction *r, const double low[3], const double high[3], double around) {
    mnNearby near = {.cells = &r->cells};
    for (int c = 0; c < 3; c++) {
        near.first[c] = near.at[c] = (int32_t)floor((low[c] - around) / r->cells.size);
        near.last[c] = (int32_t)floor((high[c] + around) / r->cells.size);
    }
    return near;
}

static inline int64_t mn_nearby_next(mnNearby *near) {
    while (!near->cell || near->next == near->cell->count) {
        if (near->at[2] > near->last[2]) return -1;
        near->cell = mn_cells_find(near->cells, near->at[0], near->at[1], near->at[2]);
        near->next = 0;
        for (int c = 0; c < 3 && ++near->at[c] > near->last[c] && c < 2; c++) near->at[c] = near->first[c];
    }
    return near->cell->first + near->next++;
}

/* A failure for lack of memory, with what to do about it. */
mnStatus mn_surface_no_memory(const mnReconstruction *r, double bytes);

/* ellipsoids.c: sorts the particles and finds their kernels. */
mnStatus mn_surface_spread(mnReconstruction *r);

/* blocks.c */
int64_t mn_blocks_find(const mnBlocks *blocks, const int32_t at[3]); /* −1: there is none */
bool mn_blocks_add(mnBlocks *blocks, mnMemory *memory, const int32_t at[3]);
void mn_blocks_release(mnBlocks *blocks, mnMemory *memory);

/* A block's values of `clearance`, or NULL. */
static inline const float *mn_block_clearance(const mnBlocks *blocks, int64_t b) {
    return blocks->wall[b] < 0 ? NULL : blocks->clearance + (int64_t)blocks->wall[b] * MN_BLOCK_VALUES;
}

/* field.c: finds the blocks that the surface passes through and fills `depth` and `clearance`. */
mnStatus mn_surface_fill(mnReconstruction *r);

/* balance.c: shifts `depth` until volumes are right. */
mnStatus mn_surface_balance(mnReconstruction *r);

/* shares.c: of a cell with the depth at its corners, what share of it is inside, and the area of the surface in it, in
 * faces of a cell and only roughly. */
float mn_cell_share(const float corner[8]);
float mn_cell_area(const float corner[8]);

/* contour.c: triangles where the smaller of depth and clearance is 0. */
mnStatus mn_surface_contour(mnReconstruction *r);

/* fair.c: evens out the mesh and sharpens the line where it meets walls. */
mnStatus mn_surface_fair(mnReconstruction *r);

/* finish.c: the surface with its normals, velocities and measures. */
mnStatus mn_surface_finish(mnReconstruction *r, mnSurface *surface);

/* Walls end this far before the solid, in voxels, so that a renderer sees two surfaces and not one that flickers. */
#define MN_WALL_GAP 0.02f

/* Whether node n of a block is inside the fluid; `clearance` is NULL for blocks far from solids. */
static inline bool mn_is_inside(const float *depth, const float *clearance, int n) {
    return depth[n] > 0 && (!clearance || clearance[n] > MN_WALL_GAP);
}

#endif
