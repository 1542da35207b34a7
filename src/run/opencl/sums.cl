/* Sums that keep what a float would lose, for kernels that add up or compare over all particles.
 *
 * An mnTotal takes eight bytes: a double where the device has them (MN_HAS_DOUBLE), else two floats whose sum is the
 * number, the second being what the first lost. Values are combined in an order that depends on the size of the group
 * alone, so a device gives the same bits every time. */
#ifndef MN_RUN_OPENCL_SUMS_CL
#define MN_RUN_OPENCL_SUMS_CL

#include "kernels/language.h"

#ifdef MN_HAS_DOUBLE
typedef double mnTotal;

mnTotal mn_total_of(mnSum value) {
    return value;
}

mnTotal mn_total_add(mnTotal a, mnTotal b) {
    return a + b;
}

mnTotal mn_total_max(mnTotal a, mnTotal b) {
    return fmax(a, b);
}
#else
typedef float2 mnTotal;

mnTotal mn_total_of(mnSum value) {
    return (mnTotal)(value, 0);
}

/* Knuth's exact sum of two floats, and the small parts on top. */
mnTotal mn_total_add(mnTotal a, mnTotal b) {
    float sum = a.x + b.x, of_b = sum - a.x;
    float lost = (a.x - (sum - of_b)) + (b.x - of_b) + (a.y + b.y);
    float high = sum + lost;
    return (mnTotal)(high, lost - (high - sum));
}

/* The larger one, and as fmax the one that is a number. */
mnTotal mn_total_max(mnTotal a, mnTotal b) {
    return b.x > a.x || (b.x == a.x && b.y > a.y) || a.x != a.x ? b : a;
}
#endif

/* What no other value is added to or compared with. */
mnTotal mn_total_start(int is_sum) {
    return is_sum ? mn_total_of(0) : mn_total_of(-INFINITY);
}

/* The sum, or else the largest, of the values of a group's items; in every item. The size of the group is a power of
 * two, `work` has room for a value of each item and may be used again at once. */
mnTotal mn_group_total(mnTotal value, int is_sum, __local mnTotal *work) {
    int item = get_local_id(0);
    work[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (item < half_size) {
            mnTotal a = work[item], b = work[item + half_size];
            work[item] = is_sum ? mn_total_add(a, b) : mn_total_max(a, b);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    mnTotal total = work[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

#endif
