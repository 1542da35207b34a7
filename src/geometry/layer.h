/* One layer of a wall: points on a surface at a fixed distance from the surface of the shape.
 *
 * Samplers fill a layer with points whose volumes add up to that of the layer. Two steps then make it smooth,
 * mn_layer_relax and mn_layer_flatten, both chosen by measuring what a probe half a spacing above the wall sees
 * through a spline of support 2h, as (max - min)/mean, for spheres of R = 8h and 20h:
 *
 *     rings as laid                          25 %     16 %   (worst at the poles)
 *     a Fibonacci spiral                     21 %     11 %   (likewise)
 *     rings, repulsion, mn_layer_share      4.8 %    5.5 %
 *     rings, repulsion, mn_layer_flatten    3.0 %    2.5 %
 *     the same with points 0.7h apart       1.0 %    0.8 %
 *
 * Points are a spacing apart in all but the last row, which is how first layers are made (sample_parts.h). */
#ifndef MN_GEOMETRY_LAYER_H
#define MN_GEOMETRY_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/geometry.h"
#include "geometry/sample.h"

typedef struct mnLayer {
    double (*position)[3]; /* m, scene frame */
    double (*normal)[3];   /* unit, towards the fluid */
    double *volume;        /* m³ */
    bool *fixed;           /* the point stays as it is: corners, rings that are a lattice already */
    int64_t count, capacity;
    double offset; /* signed distance of the layer from the surface of the shape, m */
} mnLayer;

void mn_layer_init(mnLayer *layer, double offset);
void mn_layer_clear(mnLayer *layer);

/* False when memory is lacking, likewise below. */
bool mn_layer_append(mnLayer *layer, const double position[3], const double normal[3], double volume, bool fixed);

/* `pitch` is about how far apart points are along the layer.
 *
 * Moves the points apart along the surface. Points that would leave their layer stay where they were. */
bool mn_layer_relax(mnLayer *layer, const mnGeometry *geometry, double pitch, int sweeps);

/* Sets each volume to one over the number of points per area around it, with `total` as their sum. */
bool mn_layer_share(mnLayer *layer, double pitch, double total);

/* Brings points back to the layer after small steps along it. */
void mn_layer_project(mnLayer *layer, const mnGeometry *geometry);

/* Adjusts volumes, keeping their sum, and places until probes above the layer see what they should of an even layer
 * with its curvature. Leaves points near edges alone. */
bool mn_layer_flatten(mnLayer *layer, const mnGeometry *geometry, double spacing, double pitch);

bool mn_layer_add_to(const mnLayer *layer, mnPoints *points);

#endif
