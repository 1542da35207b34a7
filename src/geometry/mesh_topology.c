#include <stdlib.h>

#include "geometry/mesh.h"
#include "geometry/vector.h"

/* Edges are paired by sorting all half-edges by their two vertices; in a closed surface every pair then has exactly two
 * neighbours in the list, running in opposite directions. */

typedef struct HalfEdge {
    int32_t low, high; /* vertices */
    int32_t number;    /* 3·triangle + edge */
    bool forward;      /* runs from low to high */
} HalfEdge;

static int compare_edges(const void *a, const void *b) {
    const HalfEdge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static HalfEdge *sorted_edges(const mnMesh *mesh) {
    int64_t count = 3 * (int64_t)mesh->triangle_count;
    HalfEdge *edges = malloc((size_t)count * sizeof *edges);
    if (!edges) return NULL;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *t = mesh->triangle[i / 3];
        int32_t from = t[i % 3], to = t[(i + 1) % 3];
        edges[i] = (HalfEdge){
            .low = from < to ? from : to, .high = from < to ? to : from, .number = (int32_t)i, .forward = from < to};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    return edges;
}

/* The mean curvature of a polyhedron sits in its edges: half the length times the angle between the faces, positive
 * where the edge is convex. */
static void join_faces(mnMesh *mesh, const HalfEdge *a, const HalfEdge *b) {
    const double *na = mesh->face_normal[a->number / 3], *nb = mesh->face_normal[b->number / 3];
    double sum[3], cross[3], edge[3];
    add_scaled3(sum, na, 1, nb);
    copy3(mesh->edge_normal[a->number], sum);
    copy3(mesh->edge_normal[b->number], sum);
    cross3(cross, na, nb);
    subtract3(edge, mesh->vertex[a->high], mesh->vertex[a->low]);
    double length = normalise3(edge);
    double sine = dot3(cross, edge) * (a->forward ? 1 : -1);
    if (dot3(na, na) > 0 && dot3(nb, nb) > 0) mesh->mean_curvature += length * atan2(sine, dot3(na, nb)) / 2;
}

static void add_vertex_normals(mnMesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++)
        for (int v = 0; v < 3; v++) {
            const int32_t *t = mesh->triangle[i];
            double a[3], b[3];
            subtract3(a, mesh->vertex[t[(v + 1) % 3]], mesh->vertex[t[v]]);
            subtract3(b, mesh->vertex[t[(v + 2) % 3]], mesh->vertex[t[v]]);
            normalise3(a);
            normalise3(b);
            double angle = acos(fmin(fmax(dot3(a, b), -1), 1));
            add_scaled3(mesh->vertex_normal[t[v]], mesh->vertex_normal[t[v]], angle, mesh->face_normal[i]);
        }
}

int64_t mn_mesh_connect(mnMesh *mesh, int64_t *disagreeing) {
    int64_t count = 3 * (int64_t)mesh->triangle_count, open = 0;
    *disagreeing = 0;
    HalfEdge *edges = sorted_edges(mesh);
    mesh->edge_normal = calloc((size_t)count, sizeof *mesh->edge_normal);
    mesh->vertex_normal = calloc((size_t)mesh->vertex_count, sizeof *mesh->vertex_normal);
    if (!edges || !mesh->edge_normal || !mesh->vertex_normal) {
        free(edges);
        return -1;
    }
    mesh->mean_curvature = 0;
    for (int64_t i = 0; i < count;) {
        int64_t end = i + 1;
        while (end < count && edges[end].low == edges[i].low && edges[end].high == edges[i].high) end++;
        if (end - i != 2)
            open++;
        else if (edges[i].forward == edges[i + 1].forward)
            ++*disagreeing;
        else
            join_faces(mesh, &edges[i], &edges[i + 1]);
        i = end;
    }
    free(edges);
    add_vertex_normals(mesh);
    return open;
}
