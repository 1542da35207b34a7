/* Prefix sums, sorting and reductions on a device against plain C, bit for bit where that makes sense. */
#include <math.h>

#include "base/random.h"
#include "opencl_helpers.h"
#include "run/opencl/primitives.h"

/* Around the sizes of a group and of a block, and of a block of blocks of a scan, none of them a multiple of any. */
static const int32_t sizes[] = {0, 1, 2, 7, 8, 9, 127, 128, 129, 1023, 1024, 1025, 2047, 16383, 65537, 100003, 1048577};
enum { SIZES = sizeof sizes / sizeof *sizes, LARGEST = 1048577 };

static mnDevice *device;
static mnPrimitives primitives;

static int open_all(void **state) {
    if (make_cache(state) != 0) return -1;
    device = open_device();
    return mn_primitives_create(device, &primitives, &error) == MN_OK &&
                   mn_primitives_reserve(&primitives, LARGEST, &error) == MN_OK
               ? 0
               : -1;
}

static int close_all(void **state) {
    mn_primitives_release(&primitives);
    bool is_empty = mn_device_held(device) == 0;
    mn_device_close(device);
    return remove_folder(state) == 0 && is_empty ? 0 : -1;
}

static void scan_one(int32_t count) {
    mnRandom random = mn_random_start(1, (uint64_t)count);
    int32_t *in = calloc((size_t)count + 2, sizeof *in), *out = calloc((size_t)count + 2, sizeof *out);
    for (int32_t i = 0; i < count; i++) in[i] = (int32_t)(mn_random_next(&random) % 2000) - 500;
    in[count] = in[count + 1] = -99;
    size_t bytes = ((size_t)count + 2) * sizeof *in;
    mnBuffer from = make_buffer(device, bytes, in), to = make_buffer(device, bytes, in);
    mn_scan(&primitives, &from, &to, count, &to, count);
    mn_buffer_read(device, &to, 0, bytes, out);
    int32_t sum = 0, wrong = 0;
    for (int32_t i = 0; i <= count; i++) {
        wrong += out[i] != sum;
        sum += i < count ? in[i] : 0;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(out[count + 1], -99);
    assert_int_equal(mn_scan_total(&primitives, &to, count), sum);
    mn_scan(&primitives, &from, &from, count, &from, count + 1); /* in place */
    memcpy(in, out, bytes);
    mn_buffer_read(device, &from, 0, bytes, out);
    assert_memory_equal(in, out, (size_t)count * sizeof *in);
    assert_int_equal(out[count], -99);
    assert_int_equal(out[count + 1], sum);
    check_device(device);
    mn_buffer_release(device, &from);
    mn_buffer_release(device, &to);
    free(in);
    free(out);
}

static void scans(void **state) {
    (void)state;
    for (int s = 0; s < SIZES; s++) scan_one(sizes[s]);
}

/* The same sort by the textbook. */
static void sort_plainly(uint64_t *keys, int32_t *payload, int32_t count, int bits) {
    uint64_t *key_copy = calloc((size_t)count + 1, sizeof *key_copy);
    int32_t *payload_copy = calloc((size_t)count + 1, sizeof *payload_copy);
    for (int bit = 0; bit < bits; bit++) {
        int32_t place = 0;
        for (unsigned side = 0; side < 2; side++)
            for (int32_t i = 0; i < count; i++) {
                if ((keys[i] >> bit & 1) != side) continue;
                key_copy[place] = keys[i];
                payload_copy[place++] = payload[i];
            }
        memcpy(keys, key_copy, (size_t)count * sizeof *keys);
        memcpy(payload, payload_copy, (size_t)count * sizeof *payload);
    }
    free(key_copy);
    free(payload_copy);
}

static void sort_one(int32_t count, int bits, uint64_t mask) {
    mnRandom random = mn_random_start(2, (uint64_t)count);
    uint64_t *keys = calloc((size_t)count + 1, sizeof *keys), *sorted = calloc((size_t)count + 1, sizeof *sorted);
    int32_t *payload = calloc((size_t)count + 1, sizeof *payload), *moved = calloc((size_t)count + 1, sizeof *moved);
    for (int32_t i = 0; i < count; i++) {
        keys[i] = ((uint64_t)mn_random_next(&random) << 32 | mn_random_next(&random)) & mask;
        payload[i] = i;
    }
    size_t key_bytes = (size_t)count * sizeof *keys, payload_bytes = (size_t)count * sizeof *payload;
    mnBuffer a = make_buffer(device, key_bytes, keys), a_spare = make_buffer(device, key_bytes, NULL);
    mnBuffer b = make_buffer(device, payload_bytes, payload), b_spare = make_buffer(device, payload_bytes, NULL);
    mn_sort(&primitives, &a, &a_spare, &b, &b_spare, count, bits);
    mn_buffer_read(device, &a, 0, key_bytes, sorted);
    mn_buffer_read(device, &b, 0, payload_bytes, moved);
    check_device(device);
    int whole = (bits + 4) / 5 * 5; /* digits have five bits */
    sort_plainly(keys, payload, count, whole < 64 ? whole : 64);
    assert_memory_equal(sorted, keys, key_bytes);
    assert_memory_equal(moved, payload, payload_bytes);
    mn_buffer_release(device, &a);
    mn_buffer_release(device, &a_spare);
    mn_buffer_release(device, &b);
    mn_buffer_release(device, &b_spare);
    free(keys);
    free(sorted);
    free(payload);
    free(moved);
}

static void sorts(void **state) {
    (void)state;
    for (int s = 0; s < SIZES && sizes[s] <= 100003; s++) sort_one(sizes[s], 21, ((uint64_t)1 << 21) - 1);
    sort_one(5000, 64, UINT64_MAX);
    sort_one(5000, 63, UINT64_MAX >> 1);
    sort_one(5000, 0, UINT64_MAX);
    sort_one(5000, 8, UINT64_MAX);  /* bits above are carried along */
    sort_one(5000, 24, 0x300);      /* few keys: order among equals */
    sort_one(5000, 16, 0);          /* one key */
    sort_one(LARGEST, 12, 0xfffff); /* counts of digits need a scan of two levels */
}

/* Rows as the groups of a kernel leave them, in the device's own kind of number. */
static void put_value(unsigned char *to, double value) {
    float pair[2] = {(float)value, (float)(value - (double)(float)value)};
    if (isinf(value)) pair[1] = 0;
    memcpy(to, mn_device_info(device)->has_double ? (void *)&value : (void *)pair, sizeof value);
}

static void reduce_one(int32_t rows, int sums, int maxima) {
    enum { WIDTH_MOST = 20 };
    int width = sums + maxima;
    mnRandom random = mn_random_start(3, (uint64_t)rows);
    long double expected[WIDTH_MOST], sizes_of[WIDTH_MOST] = {0};
    for (int k = 0; k < width; k++) expected[k] = k < sums ? 0 : -INFINITY;
    unsigned char *values = calloc((size_t)rows * (size_t)width + 1, sizeof(double));
    for (int32_t i = 0; i < rows * width; i++) {
        double value = (mn_random_uniform(&random) - 0.5) * pow(10, (int)(mn_random_next(&random) % 7) - 3);
        value = (double)(float)value;
        put_value(values + (size_t)i * sizeof value, value);
        int k = i % width;
        expected[k] = k < sums ? expected[k] + value : fmaxl(expected[k], value);
        sizes_of[k] += fabs(value);
    }
    mnBuffer buffer = make_buffer(device, (size_t)rows * (size_t)width * sizeof(double), values);
    mnBuffer results = make_buffer(device, (WIDTH_MOST + 3) * sizeof(double), NULL);
    double found[WIDTH_MOST], again[WIDTH_MOST];
    mn_reduce(&primitives, &buffer, rows, sums, maxima, &results, 3);
    mn_reduce_read(&primitives, &results, 3, width, found);
    mn_reduce(&primitives, &buffer, rows, sums, maxima, &results, 0);
    mn_reduce_read(&primitives, &results, 0, width, again);
    check_device(device);
    assert_memory_equal(found, again, (size_t)width * sizeof *found);
    double tolerance = mn_device_info(device)->has_double ? 1e-15 : 1e-13; /* a float alone would have 1e-7 */
    for (int k = 0; k < sums; k++) assert_true(fabsl(found[k] - expected[k]) <= tolerance * sizes_of[k]);
    for (int k = sums; k < width; k++) assert_true(found[k] == (double)expected[k]);
    mn_buffer_release(device, &buffer);
    mn_buffer_release(device, &results);
    free(values);
}

static void reduce_all(void) {
    for (int s = 0; s < SIZES && sizes[s] <= 16383; s++) {
        reduce_one(sizes[s], 1, 0);
        reduce_one(sizes[s], 3, 2);
    }
    reduce_one(100003, 0, 1);
    reduce_one(100003, 12, 8);
}

static void reductions(void **state) {
    (void)state;
    reduce_all();
}

/* NaN is not lost in a sum, and not taken for the largest, as with fmax on the CPU. */
static void reductions_with_nan(void **state) {
    (void)state;
    unsigned char values[4 * sizeof(double)];
    const double rows[4] = {1, NAN, NAN, 5};
    for (int i = 0; i < 4; i++) put_value(values + i * sizeof(double), rows[i]);
    mnBuffer buffer = make_buffer(device, sizeof values, values), results = make_buffer(device, 16, NULL);
    double found[2];
    mn_reduce(&primitives, &buffer, 2, 1, 1, &results, 0);
    mn_reduce_read(&primitives, &results, 0, 2, found);
    check_device(device);
    assert_true(isnan(found[0]) && found[1] == 5);
    mn_buffer_release(device, &buffer);
    mn_buffer_release(device, &results);
}

static cl_int (*true_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);

static cl_int groups_of_four(cl_device_id id, cl_device_info what, size_t bytes, void *value, size_t *needed) {
    if (what != CL_DEVICE_MAX_WORK_GROUP_SIZE) return true_info(id, what, bytes, value, needed);
    const size_t four = 4;
    memcpy(value, &four, sizeof four);
    return CL_SUCCESS;
}

/* The same on a device that has to believe that it has no doubles and only small groups. Scans then go over many
 * levels. */
static void small_devices(void **state) {
    (void)state;
    mnDevice *large = device;
    mnPrimitives kept = primitives;
    device = open_device();
    device->info.has_double = false;
    true_info = device->cl.clGetDeviceInfo;
    device->cl.clGetDeviceInfo = groups_of_four;
    assert_int_equal(mn_primitives_create(device, &primitives, &error), MN_OK);
    assert_int_equal(primitives.local, 4);
    assert_int_equal(mn_primitives_reserve(&primitives, LARGEST, &error), MN_OK);
    reduce_all();
    reductions_with_nan(NULL);
    scans(NULL);
    sort_one(10007, 21, ((uint64_t)1 << 21) - 1);
    mn_primitives_release(&primitives);
    mn_device_close(device);
    device = large;
    primitives = kept;
}

static void room_is_made_once(void **state) {
    (void)state;
    size_t held = mn_device_held(device);
    assert_int_equal(mn_primitives_reserve(&primitives, LARGEST, &error), MN_OK);
    assert_true(mn_device_held(device) == held);
    uint64_t memory = device->info.memory;
    device->info.memory = held;
    assert_int_equal(mn_primitives_reserve(&primitives, LARGEST + 1, &error), MN_ERROR_MEMORY);
    device->info.memory = memory;
    assert_true(mn_device_held(device) == held);
    scan_one(LARGEST);
}

int main(void) {
    if (!has_device()) return TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans),         cmocka_unit_test(sorts),
        cmocka_unit_test(reductions),    cmocka_unit_test(reductions_with_nan),
        cmocka_unit_test(small_devices), cmocka_unit_test(room_is_made_once),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
