/* Marching cubes: which triangles cut a cube whose corners are partly inside.
 *
 * Corner c stands at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4·a + k runs along axis a from the corner that
 * mn_cube_edge_corner tells. A pattern has the bit of each corner that is inside. */
#ifndef MN_SURFACE_CUBES_H
#define MN_SURFACE_CUBES_H

#include <stdint.h>

enum { MN_CUBE_EDGES = 12, MN_CUBE_TRIANGLES_MAX = 5 };

typedef struct mnCube {
    uint8_t count;
    uint8_t edge[MN_CUBE_TRIANGLES_MAX][3]; /* counterclockwise seen from outside */
} mnCube;

/* The corner at the lower end of an edge. */
int mn_cube_edge_corner(int edge);

/* Fills the 256 patterns. */
void mn_cubes_make(mnCube cubes[256]);

#endif
