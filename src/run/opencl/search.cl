/* Who is near whom, on a device. Particles are sorted by the cells they lie in, z first, then y, then x, so the cells
 * of a row that follow each other hold a run of particles, and a run's ends are found by halving the sorted keys: there
 * is no table of cells. Every particle looks at the nine runs (in 2D three) around its cell twice, once to count and
 * once to list; a fluid particle keeps what it has hit in between, as far as there is room. The entries of MN_STRIDE
 * particles alternate (kernels/lanes.h); they take as much room as the longest of them needs. */
#include "kernels/constants.h"
#include "kernels/lanes.h"
#include "run/opencl/sums.cl"

#define GROUP __attribute__((reqd_work_group_size(MN_LOCAL, 1, 1)))

/* Cells of one kind of particle: those from low to high are occupied. A key is the cell's place, x in the lowest bits.
 */
typedef struct mnGrid {
    float size_high, size_low; /* m, edge of a cell: the sum of both */
    int count;                 /* particles */
    int low[3], high[3];
    int shift_y, shift_z;
} mnGrid;

typedef struct mnRadii {
    float near, wide; /* squared, m² */
} mnRadii;

#ifdef MN_HAS_DOUBLE
typedef double mnExact;
#else
typedef float mnExact;
#endif

static int cell_of(mnGrid grid, float x) {
    return (int)floor((mnExact)x / ((mnExact)grid.size_high + (mnExact)grid.size_low));
}

/* Whether a particle can be told a cell at all. */
static int is_somewhere(mnGrid grid, mnVec x) {
    return fabs(x.x) + fabs(x.y) + fabs(x.z) < 1e9f * grid.size_high;
}

static ulong key_of(mnGrid grid, int x, int y, int z) {
    return (ulong)(x - grid.low[0]) | (ulong)(y - grid.low[1]) << grid.shift_y |
           (ulong)(z - grid.low[2]) << grid.shift_z;
}

/* Rows of the largest cell coordinates, of the negative smallest, and of whether somebody is lost. */
__kernel GROUP void search_extent(mnGrid grid, __global const mnVec *position, __global const uchar *dead, int has_dead,
                                  __global mnTotal *rows) {
    __local mnTotal work[MN_LOCAL];
    int i = get_global_id(0);
    mnSum own[7];
    for (int c = 0; c < 7; c++) own[c] = -INFINITY;
    if (i < grid.count && !(has_dead && dead[i])) {
        mnVec x = position[i];
        if (is_somewhere(grid, x)) {
            int at[3] = {cell_of(grid, x.x), cell_of(grid, x.y), cell_of(grid, x.z)};
            for (int a = 0; a < 3; a++) {
                own[a] = at[a];
                own[3 + a] = -at[a];
            }
        }
        own[6] = is_somewhere(grid, x) ? 0 : 1;
    }
    for (int c = 0; c < 7; c++) {
        mnTotal total = mn_group_total(mn_total_of(own[c]), 0, work);
        if (get_local_id(0) == 0) rows[get_group_id(0) * 7 + c] = total;
    }
}

/* The dead have the last key of all, `end`. */
__kernel GROUP void search_keys(mnGrid grid, __global const mnVec *position, __global const uchar *dead, int has_dead,
                                ulong end, __global ulong *keys, __global int *order) {
    int i = get_global_id(0);
    if (i >= grid.count) return;
    mnVec x = position[i];
    keys[i] = has_dead && dead[i] ? end : key_of(grid, cell_of(grid, x.x), cell_of(grid, x.y), cell_of(grid, x.z));
    order[i] = i;
}

/* Moves a field of `words` ints to where the order has it. */
__kernel GROUP void search_move(__global const int *order, int count, int words, __global const int *from,
                                __global int *to) {
    long k = get_global_id(0);
    if (k < (long)count * words) to[k] = from[(long)order[k / words] * words + k % words];
}

/* The first of the sorted keys from `first` on that is not below `key`. */
static int first_at(__global const ulong *keys, int first, int end, ulong key) {
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Rounded in one way wherever it is asked for: a pair at the very edge must not be counted and then not listed. */
static float square_between(mnVec x, mnVec other) {
    mnVec d = mn_sub(x, other);
    return fma(d.z, d.z, fma(d.y, d.y, d.x * d.x));
}

/* Up to 32 candidates that follow each other, a bit each: those within the two radii. */
typedef struct mnHits {
    uint near, far;
} mnHits;

static mnHits hits_among(__global const mnVec *position, int first, int count, mnVec x, mnRadii radii) {
    mnHits hits = {0, 0};
#pragma unroll 4
    for (int k = 0; k < count; k++) {
        float rr = square_between(x, position[first + k]);
        hits.near |= (uint)(rr < radii.near) << k;
        hits.far |= (uint)(rr >= radii.near && rr < radii.wide) << k;
    }
    return hits;
}

/* Does WITH for the runs of particles in the 27 cells around a place, in chunks of up to 32: `first` and `count`. */
#define AROUND(grid, keys, x, WITH)                                                                                    \
    do {                                                                                                               \
        int cx = cell_of(grid, (x).x), cy = cell_of(grid, (x).y), cz = cell_of(grid, (x).z);                           \
        int x0 = max(cx - 1, grid.low[0]), x1 = min(cx + 1, grid.high[0]);                                             \
        int y0 = max(cy - 1, grid.low[1]), y1 = min(cy + 1, grid.high[1]);                                             \
        int z0 = max(cz - 1, grid.low[2]), z1 = min(cz + 1, grid.high[2]);                                             \
        for (int z = z0; z <= z1 && x0 <= x1; z++)                                                                     \
            for (int y = y0; y <= y1; y++) {                                                                           \
                int first = first_at(keys, 0, grid.count, key_of(grid, x0, y, z));                                     \
                int end = first_at(keys, first, grid.count, key_of(grid, x1, y, z) + 1);                               \
                for (; first < end; first += 32) {                                                                     \
                    int count = min(32, end - first);                                                                  \
                    WITH                                                                                               \
                }                                                                                                      \
            }                                                                                                          \
    } while (0)

/* Hits of a particle's first chunks, kept from the counting for the listing. Those of MN_STRIDE particles alternate. */
typedef struct mnKept {
    __global uint2 *at;
    int left; /* chunks that there is room for */
} mnKept;

static mnKept kept_at(__global uint2 *hits, int chunks, int i) {
    mnKept kept = {hits + (long)(i / MN_STRIDE) * chunks * MN_STRIDE + i % MN_STRIDE, chunks};
    return kept;
}

static mnHits keep_hits(mnKept *kept, mnHits hits) {
    if (kept->left > 0) {
        *kept->at = (uint2)(hits.near, hits.far);
        kept->at += MN_STRIDE;
        kept->left--;
    }
    return hits;
}

static mnHits hits_again(mnKept *kept, __global const mnVec *position, int first, int count, mnVec x, mnRadii radii) {
    if (kept->left == 0) return hits_among(position, first, count, x, radii);
    mnHits hits = {kept->at->x, kept->at->y};
    kept->at += MN_STRIDE;
    kept->left--;
    return hits;
}

#define COUNT(found, near_count, far_count)                                                                            \
    {                                                                                                                  \
        mnHits hits = found;                                                                                           \
        near_count += popcount(hits.near);                                                                             \
        far_count += popcount(hits.far);                                                                               \
    }

/* A span without its places yet. Whoever has too many neighbours for one says so. */
static mnSpan counted_span(int near, int near_wall, int far, int far_wall, __global int *is_crowded) {
    mnSpan span = {0, 0, near, near + near_wall, far, far + far_wall};
    if (max(near + near_wall, far + far_wall) > MN_SPAN_MOST) *is_crowded = 1;
    return span;
}

/* Counts the neighbours of fluid particles; tells whether they have a wall within the near radius. */
__kernel GROUP void search_count_fluid(mnGrid fluid, mnGrid walls, mnRadii radii, __global const mnVec *position,
                                       __global const ulong *keys, __global const mnVec *wall_position,
                                       __global const ulong *wall_keys, __global mnSpan *spans, __global int *has_wall,
                                       __global int *totals, int crowded_at, __global uint2 *kept_hits,
                                       int kept_chunks) {
    int i = get_global_id(0);
    if (i >= fluid.count) return;
    mnVec x = position[i];
    mnKept kept = kept_at(kept_hits, kept_chunks, i);
    int near = -1, far = 0, near_wall = 0, far_wall = 0; /* less itself */
    AROUND(fluid, keys, x, COUNT(keep_hits(&kept, hits_among(position, first, count, x, radii)), near, far));
    AROUND(walls, wall_keys, x,
           COUNT(keep_hits(&kept, hits_among(wall_position, first, count, x, radii)), near_wall, far_wall));
    spans[i] = counted_span(near, near_wall, far, far_wall, totals + crowded_at);
    has_wall[i] = near_wall > 0;
}

/* Counts the fluid around wall particles; tells whether there is any. */
__kernel GROUP void search_count_walls(mnGrid fluid, mnGrid walls, mnRadii radii, __global const mnVec *position,
                                       __global const ulong *keys, __global const mnVec *wall_position,
                                       __global mnSpan *spans, __global int *is_active, __global int *totals,
                                       int crowded_at) {
    int b = get_global_id(0);
    if (b >= walls.count) return;
    mnVec x = wall_position[b];
    int near = 0, far = 0;
    AROUND(fluid, keys, x, COUNT(hits_among(position, first, count, x, radii), near, far));
    spans[b] = counted_span(near, 0, far, 0, totals + crowded_at);
    is_active[b] = near + far > 0;
}

/* place[b] is the number of flags before b, and flags are told by the next place being another. */
__kernel GROUP void search_activate(__global const int *place, int count, __global int *active) {
    int b = get_global_id(0);
    if (b < count && place[b + 1] > place[b]) active[place[b]] = b;
}

__kernel GROUP void search_contacts(__global const int *place, int count, __global int *contact) {
    int i = get_global_id(0);
    if (i < count) contact[i] = place[i + 1] > place[i] ? place[i] : -1;
}

/* Room for blocks of MN_STRIDE particles, in multiples of MN_RUN · MN_STRIDE entries. With `active` the k-th particle
 * is active[k], and totals[count_at] tells how many there are. */
__kernel void search_rooms(__global const mnSpan *spans, __global const int *active, int has_active, int most,
                           __global const int *totals, int count_at, int blocks, __global int *near_rooms,
                           __global int *far_rooms) {
    int block = get_global_id(0);
    if (block >= blocks) return;
    int count = has_active ? totals[count_at] : most, near = 0, far = 0;
    for (int k = block * MN_STRIDE; k < min((block + 1) * MN_STRIDE, count); k++) {
        int i = has_active ? active[k] : k;
        near = max(near, (int)spans[i].near_all);
        far = max(far, (int)spans[i].far_all);
    }
    near_rooms[block] = (near + MN_RUN - 1) / MN_RUN;
    far_rooms[block] = (far + MN_RUN - 1) / MN_RUN;
}

/* A list that is being written, four entries at a time. */
typedef struct mnWriter {
    __global int4 *to;
    int4 held; /* the last ones, the newest in w */
    int count;
} mnWriter;

static mnWriter writer_at(__global int *list, uint place) {
    mnWriter writer = {(__global int4 *)list + place, (int4)(0), 0};
    return writer;
}

static void put(mnWriter *writer, int entry) {
    writer->held = (int4)(writer->held.yzw, entry);
    if (++writer->count % MN_RUN != 0) return;
    *writer->to = writer->held;
    writer->to += MN_STRIDE;
}

/* Puts the candidates that bits tell. */
static void put_hits(mnWriter *writer, uint hits, int first) {
    for (; hits; hits &= hits - 1) put(writer, first + 31 - clz(hits & -hits));
}

/* What is held, filled up with entries that nobody reads. */
static void put_rest(mnWriter *writer) {
    while (writer->count % MN_RUN != 0) put(writer, 0);
}

#define LIST(found, self)                                                                                              \
    {                                                                                                                  \
        mnHits hits = found;                                                                                           \
        if ((self) >= first && (self) < first + count) hits.near &= ~(1u << ((self)-first));                           \
        put_hits(&near, hits.near, first);                                                                             \
        put_hits(&far, hits.far, first);                                                                               \
    }

/* Where the entries of the k-th particle of a kind begin, whose block has its room from `start` on. */
static uint place_at(int start, int k) {
    return (uint)start * MN_STRIDE + k % MN_STRIDE;
}

__kernel GROUP void search_list_fluid(mnGrid fluid, mnGrid walls, mnRadii radii, __global const mnVec *position,
                                      __global const ulong *keys, __global const mnVec *wall_position,
                                      __global const ulong *wall_keys, __global mnSpan *spans,
                                      __global const int *near_starts, __global const int *far_starts,
                                      __global int *near_list, __global int *far_list, __global uint2 *kept_hits,
                                      int kept_chunks) {
    int i = get_global_id(0);
    if (i >= fluid.count) return;
    mnVec x = position[i];
    uint near_at = place_at(near_starts[i / MN_STRIDE], i), far_at = place_at(far_starts[i / MN_STRIDE], i);
    mnWriter near = writer_at(near_list, near_at), far = writer_at(far_list, far_at);
    spans[i].near = near_at;
    spans[i].far = far_at;
    mnKept kept = kept_at(kept_hits, kept_chunks, i);
    AROUND(fluid, keys, x, LIST(hits_again(&kept, position, first, count, x, radii), i));
    AROUND(walls, wall_keys, x, LIST(hits_again(&kept, wall_position, first, count, x, radii), -1));
    put_rest(&near);
    put_rest(&far);
}

/* The lists of walls come behind those of the fluid: near_after, far_after. */
__kernel GROUP void search_list_walls(mnGrid fluid, mnRadii radii, int active_count, __global const mnVec *position,
                                      __global const ulong *keys, __global const mnVec *wall_position,
                                      __global const int *active, __global mnSpan *spans,
                                      __global const int *near_starts, __global const int *far_starts, int near_after,
                                      int far_after, __global int *near_list, __global int *far_list) {
    int k = get_global_id(0);
    if (k >= active_count) return;
    int b = active[k];
    mnVec x = wall_position[b];
    uint near_at = place_at(near_after + near_starts[k / MN_STRIDE], k);
    uint far_at = place_at(far_after + far_starts[k / MN_STRIDE], k);
    mnWriter near = writer_at(near_list, near_at), far = writer_at(far_list, far_at);
    spans[b].near = near_at;
    spans[b].far = far_at;
    AROUND(fluid, keys, x, LIST(hits_among(position, first, count, x, radii), -1));
    put_rest(&near);
    put_rest(&far);
}

/* What walls themselves add to their number densities (kernels/measure.h). */
__kernel GROUP void search_own(mnGrid walls, mnConstants c, __global const mnVec *wall_position,
                               __global const ulong *wall_keys, __global mnVec *own) {
    int b = get_global_id(0);
    if (b >= walls.count) return;
    mnVec x = wall_position[b];
    float wide = 0, near = 0;
    AROUND(
        walls, wall_keys, x, for (int j = first; j < first + count; j++) {
            mnVec xj = wall_position[j];
            float r = sqrt(square_between(x, xj));
            wide += xj.w * mn_spline_value(c.wide, r);
            near += xj.w * mn_spline_value(c.near, r);
        });
    own[b] = mn_vec(wide, near, 0, 0);
}
