/* The shape of a particle's kernel follows its neighbours: the spread of their places about their own mean, along three
 * axes of its own, is that of the kernel, within limits [Yu and Turk 2013, section 4.2]. Beside a flat surface, where
 * half of the neighbours are missing, it is at the lower limit along the normal; so it is in a thin film, across a
 * thread, and in all directions for a particle alone, which needs no case of its own. The lower limit is lower where
 * there are few neighbours, so that a single layer, a thread of single particles and one particle stay visible, and
 * higher where there are many, so that no holes open between disordered particles.
 *
 * Unlike in that paper the centres stay where the particles are. Drawn towards the mean of their neighbours they would
 * make the field smoother, but take up to 0.3 h off every surface; the mesh is evened out instead (fair.c). */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "surface/inside.h"

/* In multiples of the length: radius of the neighbourhood; limits of the spread (standard deviation) of a kernel, the
 * lower ones for a particle alone and for one with at least half of the neighbours it would have inside a fluid. */
static const double neighbourhood = 2.5, most = 0.8, least_alone = 0.38, least_among = 0.6, enough = 0.5;
/* Inside a fluid the neighbours' spread is √0.15 of the neighbourhood. This makes the kernel's the upper limit. */
static const double stretch = 0.8 / (0.3873 * 2.5);
/* A particle is at a surface where the mean of its neighbours is this far off, in neighbourhoods, or where they weigh
 * less than this share of what they weigh inside a fluid. */
static const double outer_shift = 0.1, outer_weight = 0.7;
/* Cells from the origin; nodes are numbered with 32 bits. */
static const int32_t furthest = 50000000;
static const double pi = 3.14159265358979323846;

/* Eigenvalues and unit eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations. */
static void diagonalise(double a[3][3], double vectors[3][3]) {
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) vectors[i][j] = i == j;
    double size = a[0][0] + a[1][1] + a[2][2];
    for (int sweep = 0; sweep < 8; sweep++)
        for (int k = 0; k < 3; k++) {
            int p = pair[k][0], q = pair[k][1];
            if (fabs(a[p][q]) <= 1e-9 * size) continue;
            double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
            double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
            double c = 1 / sqrt(t * t + 1), s = t * c;
            for (int i = 0; i < 3; i++) {
                double ip = a[i][p], iq = a[i][q];
                a[i][p] = c * ip - s * iq;
                a[i][q] = s * ip + c * iq;
            }
            for (int i = 0; i < 3; i++) {
                double row = a[p][i], qi = a[q][i];
                a[p][i] = c * row - s * qi;
                a[q][i] = s * row + c * qi;
                double vp = vectors[i][p], vq = vectors[i][q];
                vectors[i][p] = c * vp - s * vq;
                vectors[i][q] = s * vp + c * vq;
            }
        }
}

typedef struct Moments {
    double weight, first[3], second[6]; /* xx, yy, zz, xy, xz, yz; about the particle */
} Moments;

static void add_cell(const mnReconstruction *r, const mnCell *cell, mnVec centre, Moments *m) {
    float radius = (float)(neighbourhood * r->length), inverse = 1 / radius;
    for (int32_t j = cell->first; j < cell->first + cell->count; j++) {
        float x = (float)(r->position[j].x - centre.x), y = (float)(r->position[j].y - centre.y),
              z = (float)(r->position[j].z - centre.z);
        float square = x * x + y * y + z * z;
        if (square >= radius * radius) continue;
        float u = sqrtf(square) * inverse, w = 1 - u * u * u;
        m->weight += (double)w;
        m->first[0] += (double)(w * x), m->first[1] += (double)(w * y), m->first[2] += (double)(w * z);
        m->second[0] += (double)(w * x * x), m->second[1] += (double)(w * y * y), m->second[2] += (double)(w * z * z);
        m->second[3] += (double)(w * x * y), m->second[4] += (double)(w * x * z), m->second[5] += (double)(w * y * z);
    }
}

/* The kernel of particle i from half axes along `axis` (columns), in voxels. */
static void set_ellipsoid(mnReconstruction *r, int64_t i, const double half[3], double axis[3][3]) {
    mnEllipsoid *e = &r->ellipsoid[i];
    const double place[3] = {(double)r->position[i].x, (double)r->position[i].y, (double)r->position[i].z};
    for (int c = 0; c < 3; c++) {
        double at = place[c] / r->voxel, node = floor(at);
        e->node[c] = (int32_t)node;
        e->offset[c] = (float)(at - node);
        double square = 0;
        for (int k = 0; k < 3; k++) square += axis[c][k] * axis[c][k] * half[k] * half[k];
        e->reach[c] = (float)sqrt(square);
    }
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        for (int a = 0; a < 3; a++) sum += axis[entry[k][0]][a] * axis[entry[k][1]][a] / (half[a] * half[a]);
        e->metric[k] = (float)sum;
    }
    double volume = (double)r->position[i].w / (r->voxel * r->voxel * r->voxel);
    e->amplitude = (float)(volume * 315 / (64 * pi * half[0] * half[1] * half[2]));
}

static void shape_particle(mnReconstruction *r, const mnCell *const around[27], int found, int64_t i) {
    Moments m = {0};
    for (int k = 0; k < found; k++) add_cell(r, around[k], r->position[i], &m);
    double shift = 0;
    for (int c = 0; c < 3; c++) {
        m.first[c] /= m.weight;
        shift += m.first[c] * m.first[c];
    }
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double spread[3][3], axis[3][3], half[3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) spread[a][b] = m.second[entry[a][b]] / m.weight - m.first[a] * m.first[b];
    diagonalise(spread, axis);
    double radius = neighbourhood * r->length, inside = 2 * pi / 3 * pow(radius / r->desc->spacing, 3);
    double least = least_alone + (least_among - least_alone) * fmin(1, (m.weight - 1) / (enough * inside));
    for (int k = 0; k < 3; k++) {
        double sigma = stretch * sqrt(fmax(spread[k][k], 0)) / r->length;
        /* The kernel (1 − q²)³ has a spread of 1/√11 of its radius. */
        half[k] = sqrt(11) * fmin(fmax(sigma, least), most) * r->length / r->voxel;
    }
    set_ellipsoid(r, i, half, axis);
    r->is_outer[i] = sqrt(shift) > outer_shift * radius || m.weight < outer_weight * inside;
}

static void shape_cell(void *context, int64_t cell) {
    mnReconstruction *r = context;
    const mnCell *own = &r->cells.cells[cell], *around[27];
    int found = 0;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                around[found] = mn_cells_find(&r->cells, own->x + x, own->y + y, own->z + z);
                found += around[found] != NULL;
            }
    for (int64_t i = own->first; i < own->first + own->count; i++) shape_particle(r, around, found, i);
}

static mnStatus sort(mnReconstruction *r) {
    const mnSurfaceDesc *desc = r->desc;
    r->cells.size = neighbourhood * r->length;
    double needed = (double)desc->count * (double)(sizeof(mnVec) + sizeof(mnEllipsoid) + 25);
    if (!mn_sorting_take(&r->sorting, &r->memory, desc->count)) return mn_surface_no_memory(r, needed);
    int64_t sorted = mn_cells_sort(&r->cells, &r->sorting, desc->position, NULL, desc->count, r->threads);
    if (sorted < 0)
        return mn_error_set(r->error, MN_ERROR_INPUT,
                            "a particle's position is not finite, or the particles are too far apart for a grid");
    for (int c = 0; c < 3; c++)
        if (r->cells.low[c] < -furthest || r->cells.high[c] > furthest)
            return mn_error_set(r->error, MN_ERROR_INPUT,
                                "particles are more than %g m from the origin, too far for "
                                "voxels of %g m",
                                furthest * r->cells.size, r->voxel);
    if (!mn_cells_index(&r->cells, &r->memory, &r->sorting, sorted)) return mn_surface_no_memory(r, needed);
    size_t count = (size_t)sorted;
    r->position = mn_memory_take(&r->memory, count * sizeof *r->position);
    r->ellipsoid = mn_memory_take(&r->memory, count * sizeof *r->ellipsoid);
    r->is_outer = mn_memory_take(&r->memory, count);
    if (!r->position || !r->ellipsoid || !r->is_outer) return mn_surface_no_memory(r, needed);
    double rest = desc->spacing * desc->spacing * desc->spacing;
    for (int64_t k = 0; k < sorted; k++) {
        r->position[k] = desc->position[r->sorting.order[k]];
        if (!((double)r->position[k].w > 0)) r->position[k].w = (mnReal)rest;
    }
    return MN_OK;
}

mnStatus mn_surface_spread(mnReconstruction *r) {
    mnStatus status = sort(r);
    if (status != MN_OK) return status;
    mn_parallel_items(r->threads, r->cells.cell_count, shape_cell, r);
    return MN_OK;
}
