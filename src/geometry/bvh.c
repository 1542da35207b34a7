#include "geometry/bvh.h"

#include <float.h>
#include <stdlib.h>

#include "geometry/vector.h"

/* Nodes are split at the median of the triangle centres along the longest side, so the depth is the logarithm of the
 * count and a fixed stack is enough. A surface-area heuristic was not tried: median boxes answer a query on 80,000
 * triangles in about a microsecond, and sampling costs more elsewhere. */

enum { LEAF_SIZE = 4, STACK_SIZE = 96 };

static double centre_of(const mnBvh *bvh, int32_t triangle, int axis) {
    const int32_t *t = bvh->triangle[triangle];
    return bvh->vertex[t[0]][axis] + bvh->vertex[t[1]][axis] + bvh->vertex[t[2]][axis];
}

static void fit_box(const mnBvh *bvh, int32_t first, int32_t count, double lower[3], double upper[3]) {
    for (int c = 0; c < 3; c++) {
        lower[c] = DBL_MAX;
        upper[c] = -DBL_MAX;
    }
    for (int32_t i = first; i < first + count; i++)
        for (int v = 0; v < 3; v++)
            for (int c = 0; c < 3; c++) {
                double x = bvh->vertex[bvh->triangle[bvh->order[i]][v]][c];
                lower[c] = fmin(lower[c], x);
                upper[c] = fmax(upper[c], x);
            }
}

/* Quickselect: afterwards everything before `middle` has a centre no larger than everything after it. */
static void select_median(mnBvh *bvh, int32_t low, int32_t high, int32_t middle, int axis) {
    while (low < high) {
        double pivot = centre_of(bvh, bvh->order[low + (high - low) / 2], axis);
        int32_t i = low, j = high;
        while (i <= j) {
            while (centre_of(bvh, bvh->order[i], axis) < pivot) i++;
            while (centre_of(bvh, bvh->order[j], axis) > pivot) j--;
            if (i > j) break;
            int32_t swap = bvh->order[i];
            bvh->order[i++] = bvh->order[j];
            bvh->order[j--] = swap;
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void build_node(mnBvh *bvh, int32_t index, int32_t first, int32_t count) {
    mnBvhNode *node = &bvh->nodes[index];
    fit_box(bvh, first, count, node->lower, node->upper);
    if (count <= LEAF_SIZE) {
        node->first = first;
        node->count = count;
        return;
    }
    int axis = 0;
    for (int c = 1; c < 3; c++)
        if (node->upper[c] - node->lower[c] > node->upper[axis] - node->lower[axis]) axis = c;
    int32_t half = count / 2;
    select_median(bvh, first, first + count - 1, first + half, axis);
    int32_t left = bvh->node_count;
    bvh->node_count += 2;
    node->first = left;
    node->count = 0;
    build_node(bvh, left, first, half);
    build_node(bvh, left + 1, first + half, count - half);
}

static double box_distance_squared(const mnBvhNode *node, const double point[3]) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double d = fmax(fmax(node->lower[c] - point[c], point[c] - node->upper[c]), 0);
        sum += d * d;
    }
    return sum;
}

/* Nearest point of the segment from a to b; `along` is 0 at a and 1 at b. */
static double nearest_on_segment(const double a[3], const double b[3], const double point[3], double nearest[3],
                                 double *along) {
    double ab[3], ap[3];
    subtract3(ab, b, a);
    subtract3(ap, point, a);
    double square = dot3(ab, ab);
    *along = square > 0 ? fmin(fmax(dot3(ap, ab) / square, 0), 1) : 0;
    add_scaled3(nearest, a, *along, ab);
    return distance_squared3(nearest, point);
}

/* If the foot of the perpendicular lies inside the triangle it is the nearest point, else the best of the three edges
 * is. The inside test compares signed areas against the triangle's own normal. */
static void nearest_on_triangle(const mnBvh *bvh, int32_t triangle, const double point[3], mnNearest *best) {
    const double *corner[3];
    for (int v = 0; v < 3; v++) corner[v] = bvh->vertex[bvh->triangle[triangle][v]];
    double ab[3], ac[3], normal[3];
    subtract3(ab, corner[1], corner[0]);
    subtract3(ac, corner[2], corner[0]);
    cross3(normal, ab, ac);
    double square = dot3(normal, normal);
    bool inside = square > 0;
    for (int e = 0; e < 3 && inside; e++) {
        double edge[3], to_point[3], side[3];
        subtract3(edge, corner[(e + 1) % 3], corner[e]);
        subtract3(to_point, point, corner[e]);
        cross3(side, edge, to_point);
        inside = dot3(side, normal) > 0;
    }
    if (inside) {
        double to_point[3];
        subtract3(to_point, point, corner[0]);
        double height = dot3(to_point, normal) / square;
        double distance_squared = height * height * square;
        if (distance_squared >= best->distance_squared) return;
        best->distance_squared = distance_squared;
        best->triangle = triangle;
        best->feature = MN_FEATURE_FACE;
        add_scaled3(best->point, point, -height, normal);
        return;
    }
    for (int e = 0; e < 3; e++) {
        double nearest[3], along;
        double distance_squared = nearest_on_segment(corner[e], corner[(e + 1) % 3], point, nearest, &along);
        if (distance_squared >= best->distance_squared) continue;
        best->distance_squared = distance_squared;
        best->triangle = triangle;
        copy3(best->point, nearest);
        if (along <= 0)
            best->feature = (mnFeature)(MN_FEATURE_VERTEX_0 + e);
        else if (along >= 1)
            best->feature = (mnFeature)(MN_FEATURE_VERTEX_0 + (e + 1) % 3);
        else
            best->feature = (mnFeature)(MN_FEATURE_EDGE_0 + e);
    }
}

bool mn_bvh_create(mnBvh *bvh, double (*vertex)[3], int32_t (*triangle)[3], int32_t triangle_count) {
    *bvh = (mnBvh){.vertex = vertex, .triangle = triangle};
    if (triangle_count <= 0) return false;
    bvh->order = malloc((size_t)triangle_count * sizeof *bvh->order);
    bvh->nodes = malloc(2 * (size_t)triangle_count * sizeof *bvh->nodes);
    if (!bvh->order || !bvh->nodes) {
        mn_bvh_destroy(bvh);
        return false;
    }
    for (int32_t i = 0; i < triangle_count; i++) bvh->order[i] = i;
    bvh->node_count = 1;
    build_node(bvh, 0, 0, triangle_count);
    return true;
}

void mn_bvh_destroy(mnBvh *bvh) {
    free(bvh->order);
    free(bvh->nodes);
    *bvh = (mnBvh){0};
}

mnNearest mn_bvh_nearest(const mnBvh *bvh, const double point[3]) {
    struct {
        int32_t node;
        double distance_squared;
    } stack[STACK_SIZE];
    int depth = 0;
    mnNearest best = {.distance_squared = DBL_MAX, .triangle = -1};
    stack[depth].node = 0;
    stack[depth++].distance_squared = box_distance_squared(&bvh->nodes[0], point);
    while (depth > 0) {
        depth--;
        if (stack[depth].distance_squared >= best.distance_squared) continue;
        const mnBvhNode *node = &bvh->nodes[stack[depth].node];
        if (node->count > 0) {
            for (int32_t i = 0; i < node->count; i++)
                nearest_on_triangle(bvh, bvh->order[node->first + i], point, &best);
            continue;
        }
        double left = box_distance_squared(&bvh->nodes[node->first], point);
        double right = box_distance_squared(&bvh->nodes[node->first + 1], point);
        int nearer_is_right = right < left;
        /* The farther child goes below, so that the nearer one is looked at first. */
        stack[depth].node = node->first + !nearer_is_right;
        stack[depth++].distance_squared = fmax(left, right);
        stack[depth].node = node->first + nearer_is_right;
        stack[depth++].distance_squared = fmin(left, right);
    }
    return best;
}
