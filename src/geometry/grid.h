/* Points in hashed cells, to find those near a place. Points are known by their index in an array of the caller's, who
 * adds them one by one and must not move them while they are in the grid. */
#ifndef MN_GEOMETRY_GRID_H
#define MN_GEOMETRY_GRID_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mnGrid {
    double cell;       /* edge of a cell, m: the largest radius that can be asked for */
    int64_t *head;     /* per bucket, first point or −1 */
    int64_t *next;     /* per slot, next slot of the bucket or −1 */
    int64_t *index;    /* per slot, the caller's index */
    int64_t (*key)[3]; /* per slot, its cell */
    int64_t bucket_count, count, capacity;
} mnGrid;

/* False when memory is lacking, likewise below. */
bool mn_grid_create(mnGrid *grid, double cell, int64_t expected);
void mn_grid_destroy(mnGrid *grid);
void mn_grid_empty(mnGrid *grid);
bool mn_grid_add(mnGrid *grid, const double position[3], int64_t index);

/* Writes up to `room` indices of points closer than `radius` (not more than a cell) and returns how many. */
int mn_grid_near(const mnGrid *grid, double (*positions)[3], const double place[3], double radius, int64_t *found,
                 int room);

#endif
