#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/vector.h"
#include "surface/inside.h"

/* Velocities come from particles within this many lengths. */
static const double velocity_reach = 2;

typedef struct Finishing {
    const mnReconstruction *r;
    mnSurface *surface;
} Finishing;

/* Volume by the divergence theorem, area, and normals weighted by area. The rim has those of the free surface: a mean
 * with the wall's would shade a dark seam along every contact line. Sums are taken in the order of the triangles. */
static void measure(const mnReconstruction *r, mnSurface *surface, double (*normal)[3]) {
    const mnContour *contour = &r->contour;
    for (int64_t t = 0; t < contour->triangle_count; t++) {
        const int32_t *v = contour->triangle[t];
        const double *first = contour->vertex[v[0]];
        double a[3], b[3], twice[3], from[3];
        subtract3(a, contour->vertex[v[1]], first);
        subtract3(b, contour->vertex[v[2]], first);
        cross3(twice, a, b);
        /* From a vertex of the mesh, not from the origin, which may be far away. */
        subtract3(from, first, contour->vertex[0]);
        surface->volume += dot3(from, twice) / 6;
        surface->area += length3(twice) / 2;
        bool on_wall = contour->kind[v[0]] && contour->kind[v[1]] && contour->kind[v[2]];
        for (int k = 0; k < 3; k++)
            if (!on_wall || contour->kind[v[k]] != MN_RIM) add_scaled3(normal[v[k]], normal[v[k]], 1, twice);
    }
}

static void velocity_at(const mnReconstruction *r, const double point[3], float velocity[3]) {
    double radius = velocity_reach * r->length, weight = 0, sum[3] = {0, 0, 0};
    mnNearby near = mn_nearby(r, point, point, radius);
    for (int64_t i; (i = mn_nearby_next(&near)) >= 0;) {
        mnVec p = r->position[i];
        const double place[3] = {(double)p.x, (double)p.y, (double)p.z};
        double t = 1 - distance_squared3(place, point) / (radius * radius);
        if (t <= 0) continue;
        mnVec v = r->desc->velocity[r->sorting.order[i]];
        const double its[3] = {(double)v.x, (double)v.y, (double)v.z};
        weight += t * t * t;
        add_scaled3(sum, sum, t * t * t, its);
    }
    for (int c = 0; c < 3; c++) velocity[c] = (float)(weight > 0 ? sum[c] / weight : 0);
}

static void finish_range(void *context, int64_t begin, int64_t end) {
    Finishing *f = context;
    for (int64_t v = begin; v < end; v++) {
        const double *place = f->r->contour.vertex[v];
        for (int c = 0; c < 3; c++) f->surface->vertex[v][c] = (float)place[c];
        velocity_at(f->r, place, f->surface->velocity[v]);
    }
}

mnStatus mn_surface_finish(mnReconstruction *r, mnSurface *surface) {
    size_t vertices = (size_t)r->contour.vertex_count, triangles = (size_t)r->contour.triangle_count;
    size_t normals = vertices * sizeof(double[3]), kept = vertices * 36 + triangles * 12;
    double(*normal)[3] = mn_memory_take(&r->memory, normals);
    if (!normal || kept > r->memory.limit - r->memory.held) {
        mn_memory_give(&r->memory, normal, normals);
        return mn_surface_no_memory(r, (double)(normals + kept));
    }
    surface->vertex_count = r->contour.vertex_count;
    surface->triangle_count = r->contour.triangle_count;
    surface->vertex = calloc(vertices + 1, sizeof *surface->vertex);
    surface->normal = calloc(vertices + 1, sizeof *surface->normal);
    surface->velocity = calloc(vertices + 1, sizeof *surface->velocity);
    surface->triangle = calloc(triangles + 1, sizeof *surface->triangle);
    bool ready = surface->vertex && surface->normal && surface->velocity && surface->triangle;
    if (ready) {
        measure(r, surface, normal);
        Finishing finishing = {r, surface};
        mn_parallel_ranges(r->threads, surface->vertex_count, finish_range, &finishing);
        for (size_t v = 0; v < vertices; v++) {
            normalise3(normal[v]);
            for (int c = 0; c < 3; c++) surface->normal[v][c] = (float)normal[v][c];
        }
        memcpy(surface->triangle, r->contour.triangle, triangles * sizeof *surface->triangle);
    }
    mn_memory_give(&r->memory, normal, normals);
    return ready ? MN_OK : mn_surface_no_memory(r, (double)kept);
}
