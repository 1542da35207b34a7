/* Prefix sums, sorting and the last part of sums over all particles. What the host does with them: primitives.c.
 *
 * A group of MN_LOCAL items works on a block of MN_BLOCK entries, MN_ITEMS that follow each other for each item. Blocks
 * are read and written so that neighbouring items touch neighbouring entries, and turned in local memory. There are no
 * atomics: what comes out depends on the input alone. */
#include "run/opencl/sums.cl"

#define MN_BLOCK (MN_LOCAL * MN_ITEMS)
#define MN_DIGITS (1 << MN_DIGIT_BITS)
#define MN_GROUP __attribute__((reqd_work_group_size(MN_LOCAL, 1, 1)))

/* Where entry i lies in local memory: shifted so that strides by powers of two do not all hit one bank. */
#define MN_SPREAD(i) ((i) + (i) / 32)

/* The sum of the values of the items before this one; `total` gets that of all. `work` has 2 · MN_LOCAL entries and may
 * be used again at once. */
int group_scan(int value, __local int *work, int *total) {
    int item = get_local_id(0), from = 0;
    work[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 1; reach < MN_LOCAL; reach *= 2) {
        int to = MN_LOCAL - from;
        work[to + item] = work[from + item] + (item >= reach ? work[from + item - reach] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        from = to;
    }
    int until_here = work[from + item];
    *total = work[from + MN_LOCAL - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return until_here - value;
}

/* to[i] = Σ from[j] over the entries j < i of the same block; totals[block] = Σ over the block. Each array begins at
 * its own start; from and to may be the same. */
__kernel MN_GROUP void mn_scan_blocks(__global const int *from, int from_start, __global int *to, int to_start,
                                      int count, __global int *totals, int totals_start) {
    __local int tile[MN_SPREAD(MN_BLOCK)];
    __local int work[2 * MN_LOCAL];
    int item = get_local_id(0);
    long block = (long)get_group_id(0) * MN_BLOCK;
    for (int i = item; i < MN_BLOCK; i += MN_LOCAL)
        tile[MN_SPREAD(i)] = block + i < count ? from[from_start + block + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0, total;
    for (int i = item * MN_ITEMS; i < (item + 1) * MN_ITEMS; i++) sum += tile[MN_SPREAD(i)];
    sum = group_scan(sum, work, &total);
    for (int i = item * MN_ITEMS; i < (item + 1) * MN_ITEMS; i++) {
        int value = tile[MN_SPREAD(i)];
        tile[MN_SPREAD(i)] = sum;
        sum += value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < MN_BLOCK; i += MN_LOCAL)
        if (block + i < count) to[to_start + block + i] = tile[MN_SPREAD(i)];
    if (item == 0) totals[totals_start + get_group_id(0)] = total;
}

/* Adds to each entry the sum of the blocks before its own. */
__kernel void mn_scan_add(__global int *to, int to_start, int count, __global const int *totals, int totals_start) {
    long i = get_global_id(0);
    if (i < count) to[to_start + i] += totals[totals_start + i / MN_BLOCK];
}

int digit_of(ulong key, int shift) {
    return (int)(key >> shift) & (MN_DIGITS - 1);
}

/* Reads the block of keys that this group has; returns how many there are. */
int load_keys(__global const ulong *keys, int count, __local ulong *tile) {
    long block = (long)get_group_id(0) * MN_BLOCK;
    int here = (int)min((long)MN_BLOCK, count - block);
    for (int i = get_local_id(0); i < here; i += MN_LOCAL) tile[MN_SPREAD(i)] = keys[block + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    return here;
}

/* places[digit][item] = where, in its block sorted by digit, the item's first key with that digit belongs. Keys of a
 * digit keep their order because items have theirs in the order of the block. */
void place_digits(__local const ulong *tile, int here, int shift, __local int *places, __local int *work) {
    int item = get_local_id(0), sum = 0, total;
    for (int d = 0; d < MN_DIGITS; d++) places[MN_SPREAD(d * MN_LOCAL + item)] = 0;
    for (int i = item * MN_ITEMS; i < min((item + 1) * MN_ITEMS, here); i++)
        places[MN_SPREAD(digit_of(tile[MN_SPREAD(i)], shift) * MN_LOCAL + item)]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item * MN_DIGITS; i < (item + 1) * MN_DIGITS; i++) sum += places[MN_SPREAD(i)];
    sum = group_scan(sum, work, &total);
    for (int i = item * MN_DIGITS; i < (item + 1) * MN_DIGITS; i++) {
        int value = places[MN_SPREAD(i)];
        places[MN_SPREAD(i)] = sum;
        sum += value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* counts[digit][block] = how many keys of the block have the digit. */
__kernel MN_GROUP void mn_sort_count(__global const ulong *keys, int count, int shift, __global int *counts) {
    __local ulong tile[MN_SPREAD(MN_BLOCK)];
    __local int places[MN_SPREAD(MN_DIGITS * MN_LOCAL)];
    __local int work[2 * MN_LOCAL];
    int here = load_keys(keys, count, tile);
    place_digits(tile, here, shift, places, work);
    for (int d = get_local_id(0); d < MN_DIGITS; d += MN_LOCAL) {
        int end = d + 1 < MN_DIGITS ? places[MN_SPREAD((d + 1) * MN_LOCAL)] : here;
        counts[d * get_num_groups(0) + get_group_id(0)] = end - places[MN_SPREAD(d * MN_LOCAL)];
    }
}

/* Moves keys and what goes with them to where their digit has them; starts[digit][block] = where the block's keys of
 * the digit begin. The block is put in order first, so that runs of equal digits are written in one go. */
__kernel MN_GROUP void mn_sort_move(__global const ulong *keys, __global const int *payload, int count, int shift,
                                    __global const int *starts, __global ulong *keys_to, __global int *payload_to) {
    __local ulong tile[MN_SPREAD(MN_BLOCK)];
    __local int load[MN_SPREAD(MN_BLOCK)];
    __local int places[MN_SPREAD(MN_DIGITS * MN_LOCAL)];
    __local int work[2 * MN_LOCAL];
    __local int shifts[MN_DIGITS]; /* from a place in the block to one in the whole */
    int item = get_local_id(0);
    long block = (long)get_group_id(0) * MN_BLOCK;
    int here = load_keys(keys, count, tile);
    for (int i = item; i < here; i += MN_LOCAL) load[MN_SPREAD(i)] = payload[block + i];
    place_digits(tile, here, shift, places, work);
    for (int d = item; d < MN_DIGITS; d += MN_LOCAL)
        shifts[d] = starts[d * get_num_groups(0) + get_group_id(0)] - places[MN_SPREAD(d * MN_LOCAL)];
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong own_key[MN_ITEMS];
    int own_load[MN_ITEMS], own_place[MN_ITEMS];
    for (int k = 0; k < MN_ITEMS; k++) {
        int i = item * MN_ITEMS + k;
        own_place[k] = -1;
        if (i >= here) continue;
        own_key[k] = tile[MN_SPREAD(i)];
        own_load[k] = load[MN_SPREAD(i)];
        own_place[k] = places[MN_SPREAD(digit_of(own_key[k], shift) * MN_LOCAL + item)]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < MN_ITEMS; k++) {
        if (own_place[k] < 0) continue;
        tile[MN_SPREAD(own_place[k])] = own_key[k];
        load[MN_SPREAD(own_place[k])] = own_load[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < here; i += MN_LOCAL) {
        ulong key = tile[MN_SPREAD(i)];
        int to = shifts[digit_of(key, shift)] + i;
        keys_to[to] = key;
        payload_to[to] = load[MN_SPREAD(i)];
    }
}

/* results[chunk][column] = what the column of a chunk of rows adds up to, or for columns from `sums` on their largest.
 * One group per column and chunk; an item takes every MN_LOCAL-th row, in order. */
__kernel MN_GROUP void mn_reduce_rows(__global const mnTotal *rows, int row_count, int chunk, int width, int sums,
                                      __global mnTotal *results, int results_start) {
    __local mnTotal work[MN_LOCAL];
    int group = get_group_id(0), column = group % width, is_sum = column < sums;
    int first = group / width * chunk, end = min(first + chunk, row_count);
    mnTotal own = mn_total_start(is_sum);
    for (int row = first + get_local_id(0); row < end; row += MN_LOCAL) {
        mnTotal value = rows[(long)row * width + column];
        own = is_sum ? mn_total_add(own, value) : mn_total_max(own, value);
    }
    own = mn_group_total(own, is_sum, work);
    if (get_local_id(0) == 0) results[results_start + group] = own;
}
