#include "analysis/liquid.h"

#include <math.h>
#include <stdlib.h>

/* In h. Angles along the line of a cap of 30° scatter by 1.9° when the filling sees 2h, by 1.5° with 2.5h and by 1.4°
 * with 3h, which sees less of flat edges: 0.86, 0.83 and 0.80 of that cap's area are found before profiles are known.
 */
static const double LINK = 1.5, REACH = 2.5;

/* Cells of 2.5h hold 16 particles of a liquid. Where they hold many more the scene is of another spacing, and to look
 * at all pairs would take forever. */
enum { CROWD = 1000 };

/* The share of the filling's kernel that is not beyond a plane half a spacing away, in 2D and 3D. */
static const double ABOVE_WALL[2] = {0.7541, 0.7600};

static mnSpline make_kernel(int dimension, double support) {
    double sigma = dimension == 3 ? 8 / (M_PI * support * support * support) : 40 / (7 * M_PI * support * support);
    return (mnSpline){(mnReal)(1 / support), (mnReal)sigma, (mnReal)(sigma / support)};
}

/* ---- which particles hang together ------------------------------------------------------------------------------- */

/* A tree per drop; its root is the smallest of its particles. */
static int32_t find_root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int32_t *parent, int32_t i, int32_t j) {
    int32_t a = find_root(parent, i), b = find_root(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void link_with_cell(const mnLiquid *liquid, const int32_t *phase, int32_t *parent, int32_t i,
                           const mnCell *cell) {
    const mnReal link = (mnReal)(LINK * liquid->spacing);
    for (int32_t j = cell->first; j < cell->first + cell->count && j < i; j++) {
        if (phase[liquid->source[i]] != phase[liquid->source[j]]) continue;
        if (mn_pair(liquid->position[i], liquid->position[j]).r < link) join(parent, i, j);
    }
}

static void link_all(const mnLiquid *liquid, const int32_t *phase, int32_t *parent) {
    int depth = liquid->dimension == 3 ? 1 : 0;
    for (int32_t i = 0; i < liquid->count; i++) parent[i] = i;
    for (int64_t c = 0; c < liquid->cells.cell_count; c++) {
        const mnCell *home = &liquid->cells.cells[c];
        for (int z = -depth; z <= 0; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) {
                    const mnCell *cell = mn_cells_find(&liquid->cells, home->x + x, home->y + y, home->z + z);
                    for (int32_t i = home->first; cell && i < home->first + home->count; i++)
                        link_with_cell(liquid, phase, parent, i, cell);
                }
    }
}

/* ---- drops in order ---------------------------------------------------------------------------------------------- */

typedef struct Group {
    double volume;
    int64_t id;
    int32_t root;
} Group;

static int larger_first(const void *a, const void *b) {
    const Group *x = a, *y = b;
    if (x->volume != y->volume) return x->volume > y->volume ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* Numbers the trees of `parent` by size. `rank`, of as many entries as particles, is room to work in. */
static bool number_drops(mnLiquid *liquid, const int64_t *id, int32_t *parent, int32_t *rank) {
    int32_t groups = 0;
    for (int32_t i = 0; i < liquid->count; i++)
        if (find_root(parent, i) == i) rank[i] = groups++;
    Group *group = malloc(((size_t)groups + 1) * sizeof *group);
    if (!group) return false;
    for (int32_t i = 0; i < liquid->count; i++) {
        Group *mine = &group[rank[find_root(parent, i)]];
        int64_t own = id[liquid->source[i]];
        if (parent[i] == i) *mine = (Group){.id = own, .root = i};
        mine->volume += (double)liquid->position[i].w;
        mine->id = own < mine->id ? own : mine->id;
    }
    qsort(group, (size_t)groups, sizeof *group, larger_first);
    for (int32_t g = 0; g < groups; g++) rank[group[g].root] = g;
    for (int32_t i = 0; i < liquid->count; i++) liquid->drop[i] = rank[find_root(parent, i)];
    liquid->drop_count = groups;
    free(group);
    return true;
}

/* A counting sort; while it goes on, next[d] is where the next member of d goes. `sorted` takes particles of the frame
 * to those here. */
static bool list_members(mnLiquid *liquid, int32_t *sorted) {
    liquid->first = calloc((size_t)liquid->drop_count + 1, sizeof *liquid->first);
    if (!liquid->first) return false;
    int32_t *next = liquid->first + 1;
    for (int32_t i = 0; i < liquid->count; i++) {
        sorted[liquid->source[i]] = i;
        if (liquid->drop[i] + 1 < liquid->drop_count) next[liquid->drop[i] + 1]++;
    }
    for (int32_t d = 1; d < liquid->drop_count; d++) next[d] += next[d - 1];
    for (int64_t k = 0; k < liquid->count; k++) liquid->members[next[liquid->drop[sorted[k]]]++] = sorted[k];
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void sort_particles(mnLiquid *liquid, const mnParticles *particles, const int32_t *order) {
    double whole = pow(liquid->spacing, liquid->dimension);
    for (int64_t i = 0; i < liquid->count; i++) {
        int64_t k = order[i];
        liquid->source[i] = k;
        liquid->position[i] = particles->position[k];
        if (!(liquid->position[i].w > 0)) liquid->position[i].w = (mnReal)whole;
        if (liquid->dimension == 2) liquid->position[i].z = 0;
    }
}

static bool is_crowded(const mnCells *cells) {
    for (int64_t c = 0; c < cells->cell_count; c++)
        if (cells->cells[c].count > CROWD) return true;
    return false;
}

static mnStatus sort(mnLiquid *liquid, const mnParticles *particles, mnSorting *sorting, mnError *error) {
    int64_t kept = mn_cells_sort(&liquid->cells, sorting, particles->position, NULL, liquid->count, liquid->threads);
    if (kept < 0)
        return mn_error_set(error, MN_ERROR_INPUT,
                            "a particle's position is not a number, or absurdly far from the others");
    if (!mn_cells_index(&liquid->cells, &liquid->memory, sorting, kept)) return MN_ERROR_MEMORY;
    if (is_crowded(&liquid->cells))
        return mn_error_set(error, MN_ERROR_INPUT,
                            "particles lie far closer than the scene's spacing of %.4g m; frame and scene do not "
                            "belong together",
                            liquid->spacing);
    sort_particles(liquid, particles, sorting->order);
    return MN_OK;
}

static mnStatus build(mnLiquid *liquid, const mnParticles *particles, int32_t *parent, int32_t *room, mnError *error) {
    mnSorting sorting;
    if (!mn_sorting_take(&sorting, &liquid->memory, liquid->count)) return MN_ERROR_MEMORY;
    mnStatus status = sort(liquid, particles, &sorting, error);
    mn_sorting_give(&sorting, &liquid->memory, liquid->count);
    if (status != MN_OK) return status;
    link_all(liquid, particles->phase, parent);
    return number_drops(liquid, particles->id, parent, room) && list_members(liquid, room) ? MN_OK : MN_ERROR_MEMORY;
}

mnStatus mn_liquid_create(const mnParticles *particles, int dimension, double spacing, int threads, mnLiquid *liquid,
                          mnError *error) {
    *liquid = (mnLiquid){.dimension = dimension,
                         .threads = threads,
                         .spacing = spacing,
                         .count = particles->count,
                         .kernel = make_kernel(dimension, REACH * spacing),
                         .cells.size = REACH * spacing,
                         .memory = mn_memory_create((mnAllocator){0}, 0)};
    if (particles->count >= INT32_MAX)
        return mn_error_set(error, MN_ERROR_INPUT, "%lld particles are more than can be sorted into drops",
                            (long long)particles->count);
    size_t room = (size_t)particles->count + 1;
    liquid->position = malloc(room * sizeof *liquid->position);
    liquid->source = malloc(room * sizeof *liquid->source);
    liquid->drop = malloc(room * sizeof *liquid->drop);
    liquid->members = malloc(room * sizeof *liquid->members);
    int32_t *parent = malloc(room * sizeof *parent), *work = malloc(room * sizeof *work);
    mnStatus status = MN_ERROR_MEMORY;
    if (liquid->position && liquid->source && liquid->drop && liquid->members && parent && work)
        status = build(liquid, particles, parent, work, error);
    free(parent);
    free(work);
    if (status == MN_ERROR_MEMORY)
        mn_error_set(error, status, "no memory to sort %lld particles into drops", (long long)particles->count);
    if (status != MN_OK) mn_liquid_clear(liquid);
    return status;
}

void mn_liquid_clear(mnLiquid *liquid) {
    mn_cells_release(&liquid->cells, &liquid->memory);
    free(liquid->position);
    free(liquid->source);
    free(liquid->drop);
    free(liquid->members);
    free(liquid->first);
    *liquid = (mnLiquid){0};
}

double mn_liquid_filling(const mnLiquid *liquid, int32_t drop, const double place[3], double gradient[3]) {
    mnVec here = {(mnReal)place[0], (mnReal)place[1], (mnReal)place[2], 0};
    int32_t at[3];
    mn_cells_locate(&liquid->cells, here, at);
    int depth = liquid->dimension == 3 ? 1 : 0;
    double filling = 0, slope[3] = {0};
    const mnReal reach = (mnReal)(REACH * liquid->spacing); /* six of seven are beyond it */
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const mnCell *cell = mn_cells_find(&liquid->cells, at[0] + x, at[1] + y, at[2] + z);
                for (int32_t j = cell ? cell->first : 0; cell && j < cell->first + cell->count; j++) {
                    mnVec to = mn_sub(here, liquid->position[j]);
                    if (mn_dot(to, to) >= reach * reach || liquid->drop[j] != drop) continue;
                    mnPair pair = mn_pair(here, liquid->position[j]);
                    double volume = (double)liquid->position[j].w;
                    double g = volume * (double)mn_spline_gradient(liquid->kernel, pair);
                    filling += volume * (double)mn_spline_value(liquid->kernel, pair.r);
                    slope[0] += g * (double)pair.d.x;
                    slope[1] += g * (double)pair.d.y;
                    slope[2] += g * (double)pair.d.z;
                }
            }
    for (int c = 0; c < 3; c++) gradient[c] = slope[c];
    return filling;
}

double mn_liquid_filling_at_wall(const mnLiquid *liquid, int32_t drop, const double place[3], const double normal[3],
                                 double gradient[3]) {
    double above[3], most = ABOVE_WALL[liquid->dimension - 2];
    for (int c = 0; c < 3; c++) above[c] = place[c] + 0.5 * liquid->spacing * normal[c];
    double filling = mn_liquid_filling(liquid, drop, above, gradient);
    for (int c = 0; c < 3; c++) gradient[c] /= most;
    return filling / most;
}
