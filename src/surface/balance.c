/* Around every place of the surface there shall be as much inside as the particles there have volume.
 *
 * Both sides are averages with the same weight K, a product of (1 − t²)³ along the axes that reaches three lengths:
 * ρ = Σ V K of the particles, which does not change, and χ = ∫ K over the inside. Moving the surface outwards by δ adds
 * δ·s to χ, s being the integral of K over the surface. So δ = (ρ − χ)/s is added to the depth, again and again:
 * Newton's method. Nothing here knows spheres, films or threads, nor what the kernels of the particles look like; what
 * they lack at each is put right. K is wide enough that single particles do not show in δ. */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "geometry/vector.h"
#include "surface/inside.h"

enum { ROUNDS = 3, HALO_MAX = 25, CELLS = MN_BLOCK_CELLS * MN_BLOCK_CELLS * MN_BLOCK_CELLS };
/* Reach of K, in lengths; the longest way of the surface in a round, in voxels. */
static const double reach = 3;
static const float longest = 0.3f;

/* One thread's room for a block and its surroundings. */
typedef struct Scratch {
    float *inside, *skin; /* of the cells */
    uint8_t *is_crossed;
    float *along_x, *along_xy; /* averages on the way */
} Scratch;

typedef struct Balance {
    mnReconstruction *r;
    float *volume;       /* ρ at every node */
    float *inside;       /* of every cell: how much of it is inside */
    float *skin;         /* of every cell: the area of the surface in it */
    uint8_t *is_crossed; /* of every cell: whether the free surface passes through it */
    Scratch *scratch;
    int halo, side;             /* cells: around the block on each side, of all along an axis */
    float weight[2 * HALO_MAX]; /* of the cells beside a node, along an axis */
} Balance;

/* ---- the particles' side ----------------------------------------------------------------------------------------- */

/* One factor of K, at a distance in voxels. */
static inline float factor(float distance, float radius) {
    float t = distance / radius, w = 1 - t * t;
    w = w > 0 ? w : 0;
    return 35.f / 32 / radius * w * w * w;
}

/* A particle is not a point but a piece of fluid, whose spread along an axis is h/√12; so K is taken at two points that
 * far from its centre along each. As a point it would make threads and single particles several percent too large. */
MN_CLONES static void add_volume(const mnEllipsoid *e, float volume, float radius, float spread, const int32_t first[3],
                                 float *restrict values) {
    float weight[3][MN_BLOCK_NODES];
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < MN_BLOCK_NODES; i++) {
            float distance = (float)(first[c] + i - e->node[c]) - e->offset[c];
            weight[c][i] = (factor(distance - spread, radius) + factor(distance + spread, radius)) / 2;
        }
    for (int k = 0; k < MN_BLOCK_NODES; k++)
        for (int j = 0; j < MN_BLOCK_NODES; j++) {
            float row = volume * weight[2][k] * weight[1][j];
            float *to = values + MN_BLOCK_NODES * (j + MN_BLOCK_NODES * k);
            for (int i = 0; i < MN_BLOCK_NODES; i++) to[i] += row * weight[0][i];
        }
}

static void gather_volume(void *context, int64_t b) {
    Balance *balance = context;
    const mnReconstruction *r = balance->r;
    float *values = balance->volume + b * MN_BLOCK_VALUES;
    double spread = r->desc->spacing / sqrt(12), around = reach * r->length + spread;
    double voxel_volume = r->voxel * r->voxel * r->voxel;
    float radius = (float)(reach * r->length / r->voxel);
    int32_t first[3];
    double low[3], high[3];
    for (int c = 0; c < 3; c++) {
        first[c] = MN_BLOCK_CELLS * r->blocks.at[b][c];
        low[c] = first[c] * r->voxel;
        high[c] = (first[c] + MN_BLOCK_CELLS) * r->voxel;
    }
    mnNearby near = mn_nearby(r, low, high, around);
    for (int64_t i; (i = mn_nearby_next(&near)) >= 0;) {
        float volume = (float)((double)r->position[i].w / voxel_volume);
        add_volume(&r->ellipsoid[i], volume, radius, (float)(spread / r->voxel), first, values);
    }
}

/* ---- the surface's side ------------------------------------------------------------------------------------------ */

/* Whether a block that does not exist is inside: then a particle is near its centre, else all are far. */
static bool is_full(const mnReconstruction *r, const int32_t at[3]) {
    double centre[3], length = r->length;
    for (int c = 0; c < 3; c++) centre[c] = (at[c] + 0.5) * MN_BLOCK_CELLS * r->voxel;
    mnNearby near = mn_nearby(r, centre, centre, length);
    for (int64_t i; (i = mn_nearby_next(&near)) >= 0;) {
        mnVec p = r->position[i];
        const double place[3] = {(double)p.x, (double)p.y, (double)p.z};
        if (distance_squared3(place, centre) < length * length) return true;
    }
    return false;
}

/* Measures the cells of a block. */
static void measure_block(void *context, int64_t b) {
    Balance *balance = context;
    const mnBlocks *blocks = &balance->r->blocks;
    const float *depths = blocks->depth + b * MN_BLOCK_VALUES;
    const float *clearances = mn_block_clearance(blocks, b);
    for (int cell = 0; cell < CELLS; cell++) {
        int first = cell % MN_BLOCK_CELLS + 8 * (cell / MN_BLOCK_CELLS % MN_BLOCK_CELLS) +
                    64 * (cell / (MN_BLOCK_CELLS * MN_BLOCK_CELLS));
        float depth[8], clearance[8];
        for (int k = 0; k < 8; k++) {
            int n = first + (k & 1) + 8 * (k >> 1 & 1) + 64 * (k >> 2);
            depth[k] = depths[n];
            clearance[k] = clearances ? clearances[n] - MN_WALL_GAP : 1;
        }
        float open = clearances ? mn_cell_share(clearance) : 1;
        float share = mn_cell_share(depth);
        balance->is_crossed[b * CELLS + cell] = share > 0 && share < 1;
        balance->inside[b * CELLS + cell] = share * open;
        balance->skin[b * CELLS + cell] = mn_cell_area(depth) * open;
    }
}

/* Copies what a block has of the surroundings, whose first cell is `origin`. */
static void copy_block(const Balance *balance, const int32_t at[3], const int32_t origin[3], Scratch *s) {
    int side = balance->side, first[3], low[3], high[3];
    for (int c = 0; c < 3; c++) {
        first[c] = MN_BLOCK_CELLS * at[c] - origin[c];
        low[c] = first[c] > 0 ? first[c] : 0;
        high[c] = first[c] + MN_BLOCK_CELLS < side ? first[c] + MN_BLOCK_CELLS : side;
    }
    int64_t b = mn_blocks_find(&balance->r->blocks, at);
    float elsewhere = b < 0 && is_full(balance->r, at) ? 1 : 0;
    for (int z = low[2]; z < high[2]; z++)
        for (int y = low[1]; y < high[1]; y++) {
            int64_t row = side * (y + (int64_t)side * z);
            int64_t from = b * CELLS - first[0] + MN_BLOCK_CELLS * (y - first[1] + MN_BLOCK_CELLS * (z - first[2]));
            for (int x = low[0]; x < high[0]; x++) {
                s->inside[row + x] = b < 0 ? elsewhere : balance->inside[from + x];
                s->skin[row + x] = b < 0 ? 0 : balance->skin[from + x];
                s->is_crossed[row + x] = b < 0 ? 0 : balance->is_crossed[from + x];
            }
        }
}

static void copy_surroundings(const Balance *balance, int64_t b, Scratch *s) {
    int32_t origin[3], from[3], to[3], at[3];
    for (int c = 0; c < 3; c++) {
        origin[c] = MN_BLOCK_CELLS * balance->r->blocks.at[b][c] - balance->halo;
        from[c] = (int32_t)floor(origin[c] / (double)MN_BLOCK_CELLS);
        to[c] = (int32_t)floor((origin[c] + balance->side - 1) / (double)MN_BLOCK_CELLS);
    }
    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[0] = from[0]; at[0] <= to[0]; at[0]++) copy_block(balance, at, origin, s);
}

/* The average of a field over its surroundings, for the nodes of the block. */
MN_CLONES static void average(const Balance *balance, const Scratch *s, const float *from, float *restrict result) {
    int side = balance->side, taps = 2 * balance->halo;
    for (int64_t row = 0; row < (int64_t)side * side; row++) {
        float sum[MN_BLOCK_NODES] = {0};
        for (int k = 0; k < taps; k++)
            for (int i = 0; i < MN_BLOCK_NODES; i++) sum[i] += balance->weight[k] * from[row * side + k + i];
        memcpy(s->along_x + row * MN_BLOCK_NODES, sum, sizeof sum);
    }
    for (int z = 0; z < side; z++)
        for (int j = 0; j < MN_BLOCK_NODES; j++) {
            float sum[MN_BLOCK_NODES] = {0};
            for (int k = 0; k < taps; k++)
                for (int i = 0; i < MN_BLOCK_NODES; i++)
                    sum[i] += balance->weight[k] * s->along_x[((int64_t)z * side + j + k) * MN_BLOCK_NODES + i];
            memcpy(s->along_xy + (z * MN_BLOCK_NODES + j) * MN_BLOCK_NODES, sum, sizeof sum);
        }
    for (int plane = 0; plane < MN_BLOCK_NODES; plane++)
        for (int j = 0; j < MN_BLOCK_NODES; j++) {
            float sum[MN_BLOCK_NODES] = {0};
            for (int k = 0; k < taps; k++)
                for (int i = 0; i < MN_BLOCK_NODES; i++)
                    sum[i] += balance->weight[k] * s->along_xy[((plane + k) * MN_BLOCK_NODES + j) * MN_BLOCK_NODES + i];
            memcpy(result + (plane * MN_BLOCK_NODES + j) * MN_BLOCK_NODES, sum, sizeof sum);
        }
}

/* ---- a round ----------------------------------------------------------------------------------------------------- */

/* Whether the surface passes through a cell beside a node of the block. Other nodes have no say in where it is, and
 * moving them by what is noise there would open holes. */
static bool is_beside_surface(const Balance *balance, const Scratch *s, int n) {
    int side = balance->side, first = balance->halo - 1;
    const uint8_t *corner =
        s->is_crossed + first + n % 8 + side * (first + n / 8 % 8 + (int64_t)side * (first + n / 64));
    for (int k = 0; k < 8; k++)
        if (corner[(k & 1) + side * ((k >> 1 & 1) + (int64_t)side * (k >> 2))]) return true;
    return false;
}

/* Marks, for the 27 blocks around one and itself, those that exist. */
static void find_neighbours(const mnBlocks *blocks, int64_t b, bool there[27]) {
    for (int k = 0; k < 27; k++) {
        const int32_t at[3] = {blocks->at[b][0] + k % 3 - 1, blocks->at[b][1] + k / 3 % 3 - 1,
                               blocks->at[b][2] + k / 9 - 1};
        there[k] = mn_blocks_find(blocks, at) >= 0;
    }
}

/* Nodes shared with blocks that do not exist keep their depth, or the surface might leave through there. */
static bool may_move(const bool there[27], int n) {
    int low[3], high[3];
    const int index[3] = {n % 8, n / 8 % 8, n / 64};
    for (int c = 0; c < 3; c++) {
        low[c] = index[c] == 0 ? 0 : 1;
        high[c] = index[c] == MN_BLOCK_CELLS ? 2 : 1;
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++)
                if (!there[x + 3 * (y + 3 * z)]) return false;
    return true;
}

/* No block looks at the depths of another here, so they can be changed at once. */
static void move_block(const Balance *balance, int64_t b, Scratch *s) {
    const mnBlocks *blocks = &balance->r->blocks;
    float inside[MN_BLOCK_VALUES], skin[MN_BLOCK_VALUES];
    copy_surroundings(balance, b, s);
    average(balance, s, s->inside, inside);
    average(balance, s, s->skin, skin);
    bool there[27];
    find_neighbours(blocks, b, there);
    float *depth = blocks->depth + b * MN_BLOCK_VALUES;
    const float *volume = balance->volume + b * MN_BLOCK_VALUES;
    /* Where there is little surface, nothing is known of where it should be. */
    float faint = 0.1f * balance->weight[balance->halo];
    for (int n = 0; n < MN_BLOCK_VALUES; n++) {
        if (!may_move(there, n) || !is_beside_surface(balance, s, n)) continue;
        float way = (volume[n] - inside[n]) * skin[n] / (skin[n] * skin[n] + faint * faint);
        depth[n] += fminf(fmaxf(way, -longest), longest);
    }
}

/* Each thread has every so many-th block. */
static void move_share(void *context, int64_t share) {
    Balance *balance = context;
    for (int64_t b = share; b < balance->r->blocks.count; b += balance->r->threads)
        move_block(balance, b, &balance->scratch[share]);
}

static void choose_weights(Balance *balance) {
    double radius = reach * balance->r->length / balance->r->voxel, sum = 0;
    balance->halo = (int)ceil(radius);
    balance->side = MN_BLOCK_CELLS + 2 * balance->halo;
    double weight[2 * HALO_MAX];
    for (int k = 0; k < 2 * balance->halo; k++) {
        double t = (k + 0.5 - balance->halo) / radius;
        weight[k] = pow(fmax(1 - t * t, 0), 3);
        sum += weight[k];
    }
    for (int k = 0; k < 2 * balance->halo; k++) balance->weight[k] = (float)(weight[k] / sum);
}

static void run_rounds(Balance *balance) {
    mnReconstruction *r = balance->r;
    mn_parallel_items(r->threads, r->blocks.count, gather_volume, balance);
    for (int round = 0; round < ROUNDS; round++) {
        mn_parallel_items(r->threads, r->blocks.count, measure_block, balance);
        mn_parallel_items(r->threads, r->threads, move_share, balance);
    }
}

/* Hands the pieces of a block of memory to the threads; returns how much they need. */
static size_t share_out(Balance *balance, unsigned char *memory) {
    size_t side = (size_t)balance->side, floats = sizeof(float), used = 0;
    const size_t bytes[5] = {side * side * side * floats, side * side * side * floats,
                             side * side * MN_BLOCK_NODES * floats, side * MN_BLOCK_NODES * MN_BLOCK_NODES * floats,
                             side * side * side};
    for (int t = 0; t < balance->r->threads; t++) {
        void *piece[5];
        for (int k = 0; k < 5; k++) {
            piece[k] = memory ? memory + used : NULL;
            used += (bytes[k] + 63) / 64 * 64;
        }
        if (memory) balance->scratch[t] = (Scratch){piece[0], piece[1], piece[4], piece[2], piece[3]};
    }
    return used;
}

mnStatus mn_surface_balance(mnReconstruction *r) {
    Balance balance = {.r = r};
    choose_weights(&balance);
    size_t count = (size_t)r->blocks.count, room = share_out(&balance, NULL);
    size_t scratches = (size_t)r->threads * sizeof(Scratch);
    size_t values = count * MN_BLOCK_VALUES * sizeof(float), cells = count * CELLS * sizeof(float);
    unsigned char *rooms = mn_memory_take(&r->memory, room);
    balance.scratch = mn_memory_take(&r->memory, scratches);
    balance.volume = mn_memory_take(&r->memory, values);
    balance.inside = mn_memory_take(&r->memory, cells);
    balance.skin = mn_memory_take(&r->memory, cells);
    balance.is_crossed = mn_memory_take(&r->memory, count * CELLS);
    bool ready = rooms && balance.scratch && balance.volume && balance.inside && balance.skin && balance.is_crossed;
    if (ready) {
        share_out(&balance, rooms);
        run_rounds(&balance);
    }
    mn_memory_give(&r->memory, rooms, room);
    mn_memory_give(&r->memory, balance.scratch, scratches);
    mn_memory_give(&r->memory, balance.volume, values);
    mn_memory_give(&r->memory, balance.inside, cells);
    mn_memory_give(&r->memory, balance.skin, cells);
    mn_memory_give(&r->memory, balance.is_crossed, count * CELLS);
    return ready ? MN_OK : mn_surface_no_memory(r, (double)(room + values + 2 * cells));
}
