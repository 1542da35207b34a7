/* The sum of all kernels at the nodes of the grid, where it matters.
 *
 * It matters in blocks near particles at a surface. Should the surface nevertheless leave these blocks, which shows in
 * a face whose nodes are partly inside and partly not, the block behind that face is added, until no such face is left;
 * hence the mesh is closed whatever the first choice was.
 *
 * Near a wall the fluid's own field is no guide: kernels beside it are cut off by nothing and fade away. The nearest
 * particles are half a spacing above the wall and the next ones as much below the height h as those after them are
 * above it, so at that height the field does not know of the wall. A node below it takes the value from there and goes
 * down along the gradient, which keeps the angle at which the surface meets the wall. */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "geometry/vector.h"
#include "surface/inside.h"

/* In multiples of the length: how far around a particle blocks are taken; the largest half axis of a kernel, 0.8·√11;
 * the height above a wall from which values are taken. */
static const double margin = 1, largest_reach = 2.66, wall_height = 1;
/* The field f is 1 inside, and a surface is where it is a half. Across a surface it falls like the integral of a bell
 * curve, which ln(f/(1 − f)) makes straight; times this many lengths it is the distance to the surface, nearly. */
static const double depth_scale = 0.26, faintest = 0.003;

/* Adds a kernel to the nodes of a block. Integer differences first, so that a node's value does not depend on the block
 * it is looked at from. */
MN_CLONES static void add_kernel(const mnEllipsoid *e, const int32_t first[3], float *restrict values) {
    const float *m = e->metric;
    float x[MN_BLOCK_NODES];
    for (int i = 0; i < MN_BLOCK_NODES; i++) x[i] = (float)(first[0] + i - e->node[0]) - e->offset[0];
    for (int k = 0; k < MN_BLOCK_NODES; k++) {
        float z = (float)(first[2] + k - e->node[2]) - e->offset[2];
        if (fabsf(z) >= e->reach[2]) continue;
        for (int j = 0; j < MN_BLOCK_NODES; j++) {
            float y = (float)(first[1] + j - e->node[1]) - e->offset[1];
            float constant = 1 - (m[1] * y * y + m[2] * z * z + 2 * m[5] * y * z);
            float linear = -2 * (m[3] * y + m[4] * z);
            if (4 * m[0] * constant + linear * linear <= 0) continue;
            float *row = values + MN_BLOCK_NODES * (j + MN_BLOCK_NODES * k);
            for (int i = 0; i < MN_BLOCK_NODES; i++) {
                float t = constant + x[i] * (linear - m[0] * x[i]);
                t = t > 0 ? t : 0;
                row[i] += e->amplitude * t * t * t;
            }
        }
    }
}

static bool touches(const mnEllipsoid *e, const int32_t first[3]) {
    for (int c = 0; c < 3; c++) {
        float from = (float)(first[c] - e->node[c]) - e->offset[c];
        if (from >= e->reach[c] || from + MN_BLOCK_CELLS <= -e->reach[c]) return false;
    }
    return true;
}

static void add_particles(const mnReconstruction *r, const int32_t first[3], float *values) {
    double low[3], high[3];
    for (int c = 0; c < 3; c++) {
        low[c] = first[c] * r->voxel;
        high[c] = (first[c] + MN_BLOCK_CELLS) * r->voxel;
    }
    mnNearby near = mn_nearby(r, low, high, largest_reach * r->length);
    for (int64_t i; (i = mn_nearby_next(&near)) >= 0;)
        if (touches(&r->ellipsoid[i], first)) add_kernel(&r->ellipsoid[i], first, values);
}

/* ---- walls ------------------------------------------------------------------------------------------------------- */

/* The field anywhere, and its gradient per metre. */
static double field_at(const mnReconstruction *r, const double point[3], double gradient[3]) {
    double sum = 0, at[3], slope[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) at[c] = point[c] / r->voxel;
    mnNearby near = mn_nearby(r, point, point, largest_reach * r->length);
    for (int64_t i; (i = mn_nearby_next(&near)) >= 0;) {
        const mnEllipsoid *e = &r->ellipsoid[i];
        const float *m = e->metric;
        float d[3];
        for (int c = 0; c < 3; c++) d[c] = (float)(at[c] - e->node[c]) - e->offset[c];
        if (fabsf(d[0]) >= e->reach[0] || fabsf(d[1]) >= e->reach[1] || fabsf(d[2]) >= e->reach[2]) continue;
        const float md[3] = {m[0] * d[0] + m[3] * d[1] + m[4] * d[2], m[3] * d[0] + m[1] * d[1] + m[5] * d[2],
                             m[4] * d[0] + m[5] * d[1] + m[2] * d[2]};
        float t = 1 - (d[0] * md[0] + d[1] * md[1] + d[2] * md[2]);
        if (t <= 0) continue;
        sum += (double)(e->amplitude * t * t * t);
        for (int c = 0; c < 3; c++) slope[c] -= (double)(6 * e->amplitude * t * t * md[c]);
    }
    for (int c = 0; c < 3; c++) gradient[c] = slope[c] / r->voxel;
    return sum;
}

/* Moves a point away from the walls until it is at the height above them. In a corner it has to leave one wall after
 * the other; in a gap too narrow for that it stops in the middle. */
static void leave_walls(const mnReconstruction *r, double distance, double normal[3], double point[3]) {
    double height = wall_height * r->length;
    for (int step = 0; step < 4 && distance < 0.99 * height; step++) {
        double before[3], way[3], old = distance;
        copy3(before, point);
        copy3(way, normal);
        add_scaled3(point, before, height - old, way);
        distance = r->desc->solid(r->desc->context, point, normal);
        if (distance > old) continue;
        add_scaled3(point, before, (height - old) / 2, way);
        return;
    }
}

/* The gradient counts where there is a surface. Well inside it is noise, and going on along it would leave pockets of
 * air under the fluid. */
static float depth_near_wall(const mnReconstruction *r, const double node[3], double distance, double normal[3]) {
    double point[3], gradient[3], shift[3];
    copy3(point, node);
    leave_walls(r, distance, normal, point);
    double value = field_at(r, point, gradient);
    subtract3(shift, node, point);
    double trust = fmin(fmax(4 * value * (1 - value), 0), 1);
    return (float)(value + trust * dot3(gradient, shift));
}

static void meet_solid(mnReconstruction *r, const int32_t first[3], float *values, float *clearance) {
    for (int n = 0; n < MN_BLOCK_VALUES; n++) {
        const int32_t at[3] = {first[0] + n % 8, first[1] + n / 8 % 8, first[2] + n / 64};
        double node[3], normal[3];
        for (int c = 0; c < 3; c++) node[c] = at[c] * r->voxel;
        double distance = r->desc->solid(r->desc->context, node, normal);
        clearance[n] = (float)(distance / r->voxel);
        if (distance < wall_height * r->length && distance > -3 * r->voxel)
            values[n] = depth_near_wall(r, node, distance, normal);
    }
}

static bool is_near_solid(const mnReconstruction *r, const int32_t at[3]) {
    if (!r->desc->solid) return false;
    double centre[3], normal[3], half = MN_BLOCK_CELLS * r->voxel / 2;
    for (int c = 0; c < 3; c++) centre[c] = (2 * at[c] + 1) * half;
    return r->desc->solid(r->desc->context, centre, normal) < sqrt(3) * half + wall_height * r->length;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

typedef struct Filling {
    mnReconstruction *r;
    int64_t from; /* first block to be filled */
} Filling;

static void look_for_solid(void *context, int64_t k) {
    Filling *filling = context;
    mnBlocks *blocks = &filling->r->blocks;
    int64_t b = filling->from + k;
    blocks->wall[b] = is_near_solid(filling->r, blocks->at[b]) ? 0 : -1;
}

static void fill_block(void *context, int64_t k) {
    Filling *filling = context;
    mnReconstruction *r = filling->r;
    int64_t b = filling->from + k;
    float *values = r->blocks.depth + b * MN_BLOCK_VALUES;
    int32_t first[3];
    for (int c = 0; c < 3; c++) first[c] = MN_BLOCK_CELLS * r->blocks.at[b][c];
    memset(values, 0, MN_BLOCK_VALUES * sizeof *values);
    add_particles(r, first, values);
    if (r->blocks.wall[b] >= 0)
        meet_solid(r, first, values, r->blocks.clearance + (int64_t)r->blocks.wall[b] * MN_BLOCK_VALUES);
    double scale = depth_scale * r->length / r->voxel;
    for (int n = 0; n < MN_BLOCK_VALUES; n++) {
        double share = fmin(fmax((double)values[n], faintest), 1 - faintest);
        values[n] = (float)(scale * log(share / (1 - share)));
    }
}

static mnStatus fill_from(mnReconstruction *r, int64_t from) {
    mnBlocks *blocks = &r->blocks;
    const size_t values = MN_BLOCK_VALUES * sizeof(float);
    Filling filling = {r, from};
    if (!mn_memory_grow(&r->memory, (void **)&blocks->wall, &blocks->wall_capacity, from, blocks->count,
                        sizeof *blocks->wall) ||
        !mn_memory_grow(&r->memory, (void **)&blocks->depth, &blocks->depth_capacity, from, blocks->count, values))
        return mn_surface_no_memory(r, (double)blocks->count * (double)values);
    mn_parallel_items(r->threads, blocks->count - from, look_for_solid, &filling);
    int64_t before = blocks->wall_count;
    for (int64_t b = from; b < blocks->count; b++)
        if (blocks->wall[b] >= 0) blocks->wall[b] = (int32_t)blocks->wall_count++;
    if (!mn_memory_grow(&r->memory, (void **)&blocks->clearance, &blocks->clearance_capacity, before,
                        blocks->wall_count, values))
        return mn_surface_no_memory(r, (double)blocks->wall_count * (double)values);
    mn_parallel_items(r->threads, blocks->count - from, fill_block, &filling);
    return MN_OK;
}

/* Takes the blocks around every particle at a surface. */
static bool choose_blocks(mnReconstruction *r) {
    double block = MN_BLOCK_CELLS * r->voxel, around = margin * r->length;
    int32_t last_from[3] = {0}, last_to[3] = {0};
    for (int64_t i = 0; i < r->count; i++) {
        if (!r->is_outer[i]) continue;
        const double place[3] = {(double)r->position[i].x, (double)r->position[i].y, (double)r->position[i].z};
        int32_t from[3], to[3], at[3];
        for (int c = 0; c < 3; c++) {
            from[c] = (int32_t)floor((place[c] - around) / block);
            to[c] = (int32_t)floor((place[c] + around) / block);
        }
        /* Mostly they are those of the particle before. */
        if (r->blocks.count > 0 && !memcmp(from, last_from, sizeof from) && !memcmp(to, last_to, sizeof to)) continue;
        memcpy(last_from, from, sizeof from);
        memcpy(last_to, to, sizeof to);
        for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
            for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
                for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
                    if (!mn_blocks_add(&r->blocks, &r->memory, at)) return false;
    }
    return true;
}

/* Whether the surface passes through a face of a block. */
static bool is_crossed(const mnReconstruction *r, int64_t b, int axis, int side) {
    const float *depth = r->blocks.depth + b * MN_BLOCK_VALUES;
    const float *clearance = mn_block_clearance(&r->blocks, b);
    static const int stride[3] = {1, 8, 64};
    int u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3], base = side ? 7 * stride[axis] : 0, inside = 0;
    for (int j = 0; j < MN_BLOCK_NODES; j++)
        for (int i = 0; i < MN_BLOCK_NODES; i++) inside += mn_is_inside(depth, clearance, base + i * u + j * v);
    return inside > 0 && inside < MN_BLOCK_NODES * MN_BLOCK_NODES;
}

/* Adds the blocks behind crossed faces of those from `from` on. */
static bool follow(mnReconstruction *r, int64_t from) {
    int64_t end = r->blocks.count;
    for (int64_t b = from; b < end; b++)
        for (int face = 0; face < 6; face++) {
            int32_t at[3];
            memcpy(at, r->blocks.at[b], sizeof at);
            at[face / 2] += face % 2 ? 1 : -1;
            if (mn_blocks_find(&r->blocks, at) < 0 && is_crossed(r, b, face / 2, face % 2) &&
                !mn_blocks_add(&r->blocks, &r->memory, at))
                return false;
        }
    return true;
}

/* Bytes that blocks take, first for their fields and later for the mesh in them: 30 to 70 vertices of 250 bytes each,
 * all stages together. */
static double bytes_of_blocks(int64_t count) {
    return 12000 * (double)count;
}

mnStatus mn_surface_fill(mnReconstruction *r) {
    if (!choose_blocks(r)) return mn_surface_no_memory(r, (double)r->count * 100);
    double needed = bytes_of_blocks(r->blocks.count);
    if (needed > (double)(r->memory.limit - r->memory.held)) return mn_surface_no_memory(r, needed);
    mnStatus status = MN_OK;
    for (int64_t from = 0; status == MN_OK && from < r->blocks.count;) {
        int64_t filled = r->blocks.count;
        status = fill_from(r, from);
        if (status == MN_OK && !follow(r, from)) status = mn_surface_no_memory(r, bytes_of_blocks(filled));
        from = filled;
    }
    return status;
}
