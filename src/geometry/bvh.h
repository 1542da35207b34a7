/* A tree of boxes over triangles, for the nearest point of a mesh. */
#ifndef MN_GEOMETRY_BVH_H
#define MN_GEOMETRY_BVH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mnBvhNode {
    double lower[3], upper[3];
    int32_t first; /* leaf: first entry of `order`; inner node: left child, the right one follows it */
    int32_t count; /* leaf: triangles; inner node: 0 */
} mnBvhNode;

typedef struct mnBvh {
    mnBvhNode *nodes;
    int32_t *order;      /* triangle numbers, leaf by leaf */
    double (*corner)[3]; /* three per triangle, in that order: what a leaf needs lies together */
    int32_t node_count;
} mnBvh;

/* Where the nearest point lies on its triangle. */
typedef enum mnFeature {
    MN_FEATURE_VERTEX_0,
    MN_FEATURE_VERTEX_1,
    MN_FEATURE_VERTEX_2,
    MN_FEATURE_EDGE_0, /* from vertex 0 to 1, and so on */
    MN_FEATURE_EDGE_1,
    MN_FEATURE_EDGE_2,
    MN_FEATURE_FACE
} mnFeature;

typedef struct mnNearest {
    double point[3];
    double distance_squared;
    int32_t triangle;
    mnFeature feature;
} mnNearest;

/* False when memory is lacking. */
bool mn_bvh_create(mnBvh *bvh, double (*vertex)[3], int32_t (*triangle)[3], int32_t triangle_count);
void mn_bvh_destroy(mnBvh *bvh);

mnNearest mn_bvh_nearest(const mnBvh *bvh, const double point[3]);

#endif
