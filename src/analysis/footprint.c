#include "analysis/footprint.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/grid.h"
#include "geometry/vector.h"

/* In h. Blocks of cells are looked through where a block or its neighbour holds the foot of a particle. */
static const double NEAR = 1.5, CELL = 0.5, STATION = 2.5;
enum { CELLS_IN_BLOCK = 4, KEY_BITS = 21 };

/* Fillings this far from ½ tell where the line is, the nearer the more. */
static const double LINE_WIDTH = 0.25;

/* A cell that the wall passes through. */
typedef struct Sample {
    double place[3], normal[3]; /* on the wall */
    double area;
    double filling;  /* of what is not wall */
    double slope[3]; /* of the filling along the wall, 1/m */
} Sample;

typedef struct Samples {
    Sample *sample;
    int64_t count;
} Samples;

/* ---- cells around the foot --------------------------------------------------------------------------------------- */

/* Block coordinates, kept together in a number that sorts. */
static uint64_t pack(const int64_t at[3]) {
    uint64_t key = 0;
    for (int c = 2; c >= 0; c--) key = key << KEY_BITS | (uint64_t)(at[c] + (1 << (KEY_BITS - 1)));
    return key;
}

static void unpack(uint64_t key, int64_t at[3]) {
    for (int c = 0; c < 3; c++, key >>= KEY_BITS)
        at[c] = (int64_t)(key & ((1 << KEY_BITS) - 1)) - (1 << (KEY_BITS - 1));
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int64_t drop_repeats(uint64_t *keys, int64_t count) {
    qsort(keys, (size_t)count, sizeof *keys, by_key);
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (kept == 0 || keys[k] != keys[kept - 1]) keys[kept++] = keys[k];
    return kept;
}

/* Blocks that hold feet of the drop's particles. */
static uint64_t *find_feet(const mnLiquid *liquid, int32_t drop, const mnWall *wall, int64_t *count) {
    int32_t first = liquid->first[drop], members = liquid->first[drop + 1] - first;
    double block = CELLS_IN_BLOCK * CELL * liquid->spacing;
    uint64_t *keys = malloc((size_t)members * sizeof *keys);
    *count = 0;
    for (int32_t k = 0; keys && k < members; k++) {
        double place[3], normal[3];
        mn_liquid_place(liquid, liquid->members[first + k], place);
        if (!mn_wall_is_near(wall, place, NEAR * liquid->spacing)) continue;
        add_scaled3(place, place, -mn_wall_probe(wall, place, normal), normal);
        int64_t at[3];
        for (int c = 0; c < 3; c++) at[c] = (int64_t)floor(place[c] / block);
        keys[(*count)++] = pack(at);
    }
    if (keys) *count = drop_repeats(keys, *count);
    return keys;
}

static uint64_t *find_blocks(const mnLiquid *liquid, int32_t drop, const mnWall *wall, int64_t *count) {
    uint64_t *feet = find_feet(liquid, drop, wall, count);
    uint64_t *blocks = feet ? malloc(((size_t)*count * 27 + 1) * sizeof *blocks) : NULL;
    int64_t written = 0;
    int depth = liquid->dimension == 3 ? 1 : 0;
    for (int64_t k = 0; blocks && k < *count; k++) {
        int64_t at[3];
        unpack(feet[k], at);
        for (int z = -depth; z <= depth; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) blocks[written++] = pack((int64_t[]){at[0] + x, at[1] + y, at[2] + z});
    }
    free(feet);
    if (blocks) *count = drop_repeats(blocks, written);
    return blocks;
}

/* The centre of a cell; `cell` counts through the cells of a block. */
static void place_cell(const mnLiquid *liquid, uint64_t block, int cell, double place[3]) {
    int64_t at[3];
    unpack(block, at);
    for (int c = 0; c < 3; c++, cell /= CELLS_IN_BLOCK) {
        double offset = cell % CELLS_IN_BLOCK + 0.5;
        place[c] = c < liquid->dimension ? (CELLS_IN_BLOCK * (double)at[c] + offset) * CELL * liquid->spacing : 0;
    }
}

/* ---- the wall in them -------------------------------------------------------------------------------------------- */

/* What the cell counts for; 0 where the wall does not pass through it. */
static void look_at_wall(const mnLiquid *liquid, const mnWall *wall, Sample *sample) {
    double cell = CELL * liquid->spacing;
    double distance = mn_wall_probe(wall, sample->place, sample->normal);
    double width = cell * (fabs(sample->normal[0]) + fabs(sample->normal[1]) + fabs(sample->normal[2]));
    add_scaled3(sample->place, sample->place, -distance, sample->normal);
    double hat = fmax(1 - fabs(distance) / width, 0) / width;
    sample->area = pow(cell, liquid->dimension) * hat;
}

static void look_at_liquid(const mnLiquid *liquid, int32_t drop, Sample *sample) {
    double gradient[3];
    sample->filling = mn_liquid_filling_at_wall(liquid, drop, sample->place, sample->normal, gradient);
    add_scaled3(sample->slope, gradient, -dot3(gradient, sample->normal), sample->normal);
}

static int cells_in_block(const mnLiquid *liquid) {
    return liquid->dimension == 3 ? CELLS_IN_BLOCK * CELLS_IN_BLOCK * CELLS_IN_BLOCK : CELLS_IN_BLOCK * CELLS_IN_BLOCK;
}

/* Keeps the cells that are near enough to the wall, with their centres as places. */
static bool choose_cells(const mnLiquid *liquid, const mnWall *wall, const uint64_t *blocks, int64_t block_count,
                         Samples *samples) {
    int cells = cells_in_block(liquid);
    double reach = CELL * liquid->spacing * sqrt(liquid->dimension);
    bool *near = malloc((size_t)(block_count * cells + 1) * sizeof *near);
    if (!near) return false;
    MN_PARALLEL_FOR(liquid->threads)
    for (int64_t k = 0; k < block_count * cells; k++) {
        double place[3];
        place_cell(liquid, blocks[k / cells], (int)(k % cells), place);
        near[k] = fabs(mn_wall_distance(wall, place)) < reach;
    }
    for (int64_t k = 0; k < block_count * cells; k++) samples->count += near[k];
    samples->sample = malloc((size_t)(samples->count + 1) * sizeof *samples->sample);
    Sample *next = samples->sample;
    for (int64_t k = 0; next && k < block_count * cells; k++)
        if (near[k]) place_cell(liquid, blocks[k / cells], (int)(k % cells), (next++)->place);
    free(near);
    return samples->sample != NULL;
}

static bool sample_wall(const mnLiquid *liquid, int32_t drop, const mnWall *wall, Samples *samples) {
    int64_t block_count;
    uint64_t *blocks = find_blocks(liquid, drop, wall, &block_count);
    bool done = blocks && choose_cells(liquid, wall, blocks, block_count, samples);
    free(blocks);
    if (!done) return false;
    MN_PARALLEL_FOR(liquid->threads)
    for (int64_t k = 0; k < samples->count; k++) {
        look_at_wall(liquid, wall, &samples->sample[k]);
        if (samples->sample[k].area > 0) look_at_liquid(liquid, drop, &samples->sample[k]);
    }
    return true;
}

/* ---- area and line ----------------------------------------------------------------------------------------------- */

/* The share of a cell's piece of wall that is wet, where the line may pass through it. */
static double wet_share(const mnLiquid *liquid, const Sample *sample) {
    double rise = fmax(length3(sample->slope) * CELL * liquid->spacing, 1e-6);
    return fmin(fmax((sample->filling - 0.5) / rise + 0.5, 0), 1);
}

static void sum_area(const mnLiquid *liquid, const Samples *samples, mnFootprint *footprint) {
    for (int64_t k = 0; k < samples->count; k++) {
        const Sample *sample = &samples->sample[k];
        if (!(sample->area > 0)) continue;
        double wet = wet_share(liquid, sample) * sample->area;
        footprint->area += wet;
        add_scaled3(footprint->centre, footprint->centre, wet, sample->place);
        add_scaled3(footprint->normal, footprint->normal, wet, sample->normal);
    }
    double whole = footprint->area > 0 ? footprint->area : 1;
    for (int c = 0; c < 3; c++) footprint->centre[c] /= whole;
    if (normalise3(footprint->normal) < 0.1 * whole) memset(footprint->normal, 0, sizeof footprint->normal);
}

/* Its share of the contact line: ∫ δ(filling − ½)·|slope| over the wall is the length of the line. */
static double line_length(const Sample *sample) {
    double off = fabs(sample->filling - 0.5) / LINE_WIDTH;
    return sample->area > 0 && off < 1 ? sample->area * length3(sample->slope) * (1 - off) / LINE_WIDTH : 0;
}

/* To where the filling is ½. */
static void move_to_line(const mnLiquid *liquid, const Sample *sample, double place[3]) {
    double slope = length3(sample->slope), step = (0.5 - sample->filling) / slope;
    step = fmax(fmin(step, liquid->spacing), -liquid->spacing);
    add_scaled3(place, sample->place, step / slope, sample->slope);
}

/* Every sample of the line joins the nearest station, or founds one where none is near. Stations are then the means of
 * what has joined them. The grid gives back only numbers of stations that were founded.
 * NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign, clang-analyzer-core.NullDereference) */
static bool gather_stations(const mnLiquid *liquid, const Samples *samples, mnFootprint *footprint, mnGrid *grid,
                            double (*founder)[3]) {
    double pitch = STATION * liquid->spacing;
    for (int64_t k = 0; k < samples->count; k++) {
        const Sample *sample = &samples->sample[k];
        double length = line_length(sample), place[3];
        if (!(length > 0)) continue;
        move_to_line(liquid, sample, place);
        int64_t near[64], nearest = -1;
        int found = mn_grid_near(grid, founder, place, pitch, near, 64);
        for (int i = 0; i < found; i++)
            if (nearest < 0 || distance_squared3(founder[near[i]], place) < distance_squared3(founder[nearest], place))
                nearest = near[i];
        if (nearest < 0) {
            nearest = footprint->station_count++;
            copy3(founder[nearest], place);
            footprint->stations[nearest] = (mnStation){0};
            if (!mn_grid_add(grid, place, nearest)) return false;
        }
        mnStation *station = &footprint->stations[nearest];
        station->length += length;
        add_scaled3(station->place, station->place, length, place);
        add_scaled3(station->normal, station->normal, length, sample->normal);
        add_scaled3(station->out, station->out, -length / length3(sample->slope), sample->slope);
    }
    return true;
}

static void finish_station(int dimension, mnStation *station) {
    for (int c = 0; c < 3; c++) station->place[c] /= station->length;
    normalise3(station->normal);
    add_scaled3(station->out, station->out, -dot3(station->out, station->normal), station->normal);
    normalise3(station->out);
    if (dimension == 2) station->length = 1;
}
/* NOLINTEND(clang-analyzer-core.uninitialized.Assign, clang-analyzer-core.NullDereference) */

static bool find_stations(const mnLiquid *liquid, const Samples *samples, mnFootprint *footprint) {
    int64_t most = 0;
    for (int64_t k = 0; k < samples->count; k++) most += line_length(&samples->sample[k]) > 0;
    mnGrid grid = {0};
    double(*founder)[3] = malloc((size_t)(most + 1) * sizeof *founder);
    footprint->stations = malloc((size_t)(most + 1) * sizeof *footprint->stations);
    bool done = founder && footprint->stations && mn_grid_create(&grid, STATION * liquid->spacing, most + 1) &&
                gather_stations(liquid, samples, footprint, &grid, founder);
    mn_grid_destroy(&grid);
    free(founder);
    for (int s = 0; s < footprint->station_count; s++) finish_station(liquid->dimension, &footprint->stations[s]);
    return done;
}

bool mn_footprint_find(const mnLiquid *liquid, int32_t drop, const mnWall *wall, mnFootprint *footprint) {
    *footprint = (mnFootprint){0};
    Samples samples = {0};
    bool done = sample_wall(liquid, drop, wall, &samples);
    if (done) {
        sum_area(liquid, &samples, footprint);
        done = find_stations(liquid, &samples, footprint);
    }
    free(samples.sample);
    if (!done) mn_footprint_clear(footprint);
    return done;
}

void mn_footprint_clear(mnFootprint *footprint) {
    free(footprint->stations);
    *footprint = (mnFootprint){0};
}
