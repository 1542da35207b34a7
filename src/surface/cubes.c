#include "surface/cubes.h"

#include <stdbool.h>

/* The table follows from one rule. Go round each face of the cube counterclockwise, seen from outside: every run of
 * inside corners is entered over one edge and left over another, and a segment joins these two. On a face with two
 * inside corners across from each other this keeps them apart; the cube on the other side of the face sees the same
 * corners and does the same, so no gap can open. An edge that is cut is entered on one of its two faces and left on the
 * other, hence the segments join to loops, and the loops are filled with triangles. */

int mn_cube_edge_corner(int edge) {
    int axis = edge / 4, k = edge % 4;
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    return (k & 1) << first | (k >> 1) << second;
}

static int edge_between(int a, int b) {
    int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    return 4 * axis + (a >> first & 1) + 2 * (a >> second & 1);
}

/* The corners of a face, counterclockwise seen from outside. */
static void face_corners(int face, int corner[4]) {
    int axis = face / 2, side = face % 2;
    int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
    corner[0] = base;
    corner[1] = base | (side ? u : v);
    corner[2] = base | u | v;
    corner[3] = base | (side ? v : u);
}

/* Where the loop goes from each cut edge, −1 for edges that are not cut. */
static void join(int pattern, int next[MN_CUBE_EDGES]) {
    for (int edge = 0; edge < MN_CUBE_EDGES; edge++) next[edge] = -1;
    for (int face = 0; face < 6; face++) {
        int corner[4];
        face_corners(face, corner);
        for (int k = 0; k < 4; k++) {
            int before = corner[k], first = corner[(k + 1) % 4];
            if ((pattern >> before & 1) || !(pattern >> first & 1)) continue;
            int last = k + 1;
            while (pattern >> corner[(last + 1) % 4] & 1) last++;
            next[edge_between(before, first)] = edge_between(corner[last % 4], corner[(last + 1) % 4]);
        }
    }
}

static bool share_face(int a, int b) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            bool both = true;
            for (int k = 0; k < 2; k++) {
                int edge = k ? b : a;
                both = both && edge / 4 != axis && (mn_cube_edge_corner(edge) >> axis & 1) == side;
            }
            if (both) return true;
        }
    return false;
}

/* Fills the part of a loop from `first` to `last`. A diagonal must not lie in a face: the cube behind it might draw the
 * same one, and four triangles would meet there. Some choice of diagonals does it for every loop there is. */
static bool fill(const int *loop, int first, int last, mnCube *cube) {
    if (last - first < 2) return true;
    int count = cube->count;
    for (int middle = first + 1; middle < last; middle++) {
        if (middle > first + 1 && share_face(loop[first], loop[middle])) continue;
        if (middle < last - 1 && share_face(loop[middle], loop[last])) continue;
        const int corner[3] = {loop[first], loop[middle], loop[last]};
        for (int k = 0; k < 3; k++) cube->edge[cube->count][k] = (uint8_t)corner[k];
        cube->count++;
        if (fill(loop, first, middle, cube) && fill(loop, middle, last, cube)) return true;
        cube->count = (uint8_t)count;
    }
    return false;
}

void mn_cubes_make(mnCube cubes[256]) {
    for (int pattern = 0; pattern < 256; pattern++) {
        mnCube *cube = &cubes[pattern];
        cube->count = 0;
        int next[MN_CUBE_EDGES];
        join(pattern, next);
        for (int edge = 0; edge < MN_CUBE_EDGES; edge++) {
            int loop[MN_CUBE_EDGES], length = 0;
            for (int at = edge; next[at] >= 0;) {
                loop[length++] = at;
                int to = next[at];
                next[at] = -1;
                at = to;
            }
            fill(loop, 0, length - 1, cube);
        }
    }
}
