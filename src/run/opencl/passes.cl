/* The passes of kernels/passes.h as kernels. Each takes the whole world as arguments, in the order in which world.c
 * sets them, and puts it together again; what it does not use costs nothing. */
#include "kernels/passes.h"
#include "run/opencl/sums.cl"

#define FLUID_PARAMETER(type, name, kept) __global type *fluid_##name,
#define BOUNDARY_PARAMETER(type, name, kept) __global type *boundary_##name,
#define CONTACT_PARAMETER(type, name, kept) __global type *contact_##name,
#define PARAMETERS                                                                                                     \
    mnConstants constants, mnTurn turn, int count, int wall_count, __global mnTotal *rows,                             \
        __global const mnFluidConstants *fluids, __global const mnSolidConstants *solids,                              \
        __global const mnPairConstants *pairs,                                                                         \
        MN_FLUID_FIELDS(FLUID_PARAMETER) MN_BOUNDARY_FIELDS(BOUNDARY_PARAMETER) MN_CONTACT_FIELDS(CONTACT_PARAMETER)   \
            __global const int *near_list,                                                                             \
        __global const int *far_list, __global mnVec *history

#define SET_FLUID(type, name, kept) world.fluid.name = fluid_##name;
#define SET_BOUNDARY(type, name, kept) world.boundary.name = boundary_##name;
#define SET_CONTACT(type, name, kept) world.neighbours.contacts.name = contact_##name;
#define MAKE_WORLD                                                                                                     \
    mnWorld world;                                                                                                     \
    world.constants = constants;                                                                                       \
    world.turn = turn;                                                                                                 \
    world.fluids = fluids;                                                                                             \
    world.solids = solids;                                                                                             \
    world.pairs = pairs;                                                                                               \
    MN_FLUID_FIELDS(SET_FLUID)                                                                                         \
    MN_BOUNDARY_FIELDS(SET_BOUNDARY)                                                                                   \
    MN_CONTACT_FIELDS(SET_CONTACT)                                                                                     \
    world.neighbours.near_list = near_list;                                                                            \
    world.neighbours.far_list = far_list;                                                                              \
    world.history = history;

#define GROUP __attribute__((reqd_work_group_size(MN_LOCAL, 1, 1)))
#define INDEX_FLUID(k) (k)
#define INDEX_WALLS(k) boundary_active[k]
#define INDEX_BOUNDARY(k) (k)

#define PLAIN(name, over)                                                                                              \
    __kernel GROUP void pass_##name(PARAMETERS) {                                                                      \
        int k = get_global_id(0);                                                                                      \
        if (k >= count) return;                                                                                        \
        MAKE_WORLD                                                                                                     \
        mn_##name##_at(&world, INDEX_##over(k));                                                                       \
    }

/* Walls begin with a group of their own, so no group does both, and that is told by its number. */
#define BOTH(name)                                                                                                     \
    __kernel GROUP void pass_##name(PARAMETERS) {                                                                      \
        int k = get_global_id(0), walls_at = (count + MN_LOCAL - 1) / MN_LOCAL * MN_LOCAL;                             \
        MAKE_WORLD                                                                                                     \
        if ((int)get_group_id(0) * MN_LOCAL < walls_at) {                                                              \
            if (k < count) mn_##name##_at(&world, INDEX_FLUID(k));                                                     \
        } else if (k - walls_at < wall_count)                                                                          \
            mn_##name##_wall_at(&world, INDEX_WALLS(k - walls_at));                                                    \
    }

/* What the items of a group have in several columns becomes a row: each column is shared out among COLUMN_ITEMS items
 * in turn, whose parts are then put together. COLUMNS of them at a time, for which there is local memory. */
#define COLUMNS 10
#define COLUMN_ITEMS (MN_LOCAL / 16)

static mnTotal combined(mnTotal a, mnTotal b, int is_sum) {
    return is_sum ? mn_total_add(a, b) : mn_total_max(a, b);
}

static void write_columns(const mnSum *own, int columns, int is_sum, __local mnTotal *work, __global mnTotal *row) {
    int item = get_local_id(0), column = item / COLUMN_ITEMS, part = item % COLUMN_ITEMS;
    MN_UNROLLED
    for (int c = 0; c < COLUMNS; c++)
        if (c < columns) work[c * MN_LOCAL + item] = mn_total_of(own[c]);
    barrier(CLK_LOCAL_MEM_FENCE);
    mnTotal sum = mn_total_start(is_sum);
    if (column < columns)
        for (int k = part; k < MN_LOCAL; k += COLUMN_ITEMS) sum = combined(sum, work[column * MN_LOCAL + k], is_sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    work[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < columns) {
        sum = work[item * COLUMN_ITEMS];
        for (int k = 1; k < COLUMN_ITEMS; k++) sum = combined(sum, work[item * COLUMN_ITEMS + k], is_sum);
        row[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Leaves a row for each group. */
#define REDUCED(name, over, width, is_sum)                                                                             \
    __kernel GROUP void pass_##name(PARAMETERS) {                                                                      \
        __local mnTotal work[(width < COLUMNS ? (width > 1 ? width : 1) : COLUMNS) * MN_LOCAL];                        \
        int k = get_global_id(0);                                                                                      \
        mnSum own[width];                                                                                              \
        MN_UNROLLED                                                                                                    \
        for (int c = 0; c < width; c++) own[c] = is_sum ? 0 : -INFINITY;                                               \
        if (k < count) {                                                                                               \
            MAKE_WORLD                                                                                                 \
            mn_##name##_at(&world, INDEX_##over(k), own);                                                              \
        }                                                                                                              \
        MN_UNROLLED                                                                                                    \
        for (int c = 0; c < width; c += COLUMNS)                                                                       \
            write_columns(own + c, min(COLUMNS, width - c), is_sum, work, rows + get_group_id(0) * width + c);         \
    }
#define SUM(name, over, width) REDUCED(name, over, (width), 1)
#define MAX(name, over, width) REDUCED(name, over, (width), 0)

MN_PASSES(PLAIN, BOTH, SUM, MAX)
