#include "run/opencl/primitives.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A group's block of keys, its payload and the places of its digits take 31 kB of local memory, of which every device
 * has 32. */
enum { LOCAL_MOST = 128, ITEMS = 8, DIGIT_BITS = 5, DIGITS = 1 << DIGIT_BITS };

/* Many rows are put together in chunks first, so that more than a group works on a column. */
enum { COLUMNS_MOST = 32, CHUNK_LEAST = 4096, CHUNKS_MOST = 512 };

static int32_t block_count(const mnPrimitives *p, int32_t count) {
    int64_t block = (int64_t)p->local * ITEMS;
    return (int32_t)((count + block - 1) / block);
}

mnStatus mn_primitives_create(mnDevice *device, mnPrimitives *p, mnError *error) {
    *p = (mnPrimitives){.device = device, .local = mn_device_local(device, LOCAL_MOST)};
    char options[128];
    snprintf(options, sizeof options, "-DMN_LOCAL=%zu -DMN_ITEMS=%d -DMN_DIGIT_BITS=%d", p->local, (int)ITEMS,
             (int)DIGIT_BITS);
    mnSource source = mn_source("run/opencl/primitives.cl");
    mnStatus status = mn_program_build(device, &source, 1, options, &p->program, error);
    if (status != MN_OK) return status;
    p->scan_blocks = mn_program_kernel(device, &p->program, "mn_scan_blocks");
    p->scan_add = mn_program_kernel(device, &p->program, "mn_scan_add");
    p->sort_count = mn_program_kernel(device, &p->program, "mn_sort_count");
    p->sort_move = mn_program_kernel(device, &p->program, "mn_sort_move");
    p->reduce_rows = mn_program_kernel(device, &p->program, "mn_reduce_rows");
    status = mn_device_check(device, error);
    if (status == MN_OK)
        status = mn_buffer_create(device, "of partial sums", CHUNKS_MOST * COLUMNS_MOST * sizeof(double), &p->partial,
                                  error);
    if (status != MN_OK) mn_primitives_release(p);
    return status;
}

void mn_primitives_release(mnPrimitives *p) {
    if (!p->device) return;
    mn_buffer_release(p->device, &p->totals);
    mn_buffer_release(p->device, &p->counts);
    mn_buffer_release(p->device, &p->partial);
    mn_program_release(p->device, &p->program);
    *p = (mnPrimitives){0};
}

/* Totals of the blocks on all levels but the last, which has one block and puts its total elsewhere. */
static int64_t total_count(const mnPrimitives *p, int32_t count) {
    int64_t sum = 0;
    for (int32_t blocks = block_count(p, count); blocks > 1; blocks = block_count(p, blocks)) sum += blocks;
    return sum;
}

mnStatus mn_primitives_reserve(mnPrimitives *p, int32_t count, mnError *error) {
    if (count <= p->capacity) return MN_OK;
    int32_t digit_counts = DIGITS * block_count(p, count);
    int64_t totals = total_count(p, count > digit_counts ? count : digit_counts);
    mnBuffer new_totals, new_counts;
    mnStatus status =
        mn_buffer_create(p->device, "of block totals", (size_t)totals * sizeof(int32_t), &new_totals, error);
    if (status != MN_OK) return status;
    status = mn_buffer_create(p->device, "of digit counts", ((size_t)digit_counts + 1) * sizeof(int32_t), &new_counts,
                              error);
    if (status != MN_OK) {
        mn_buffer_release(p->device, &new_totals);
        return status;
    }
    mn_buffer_release(p->device, &p->totals);
    mn_buffer_release(p->device, &p->counts);
    p->totals = new_totals;
    p->counts = new_counts;
    p->capacity = count;
    return MN_OK;
}

/* An array of int32 that begins inside a buffer. */
typedef struct Ints {
    const mnBuffer *buffer;
    int32_t start;
} Ints;

static int set_ints(mnPrimitives *p, mnKernel *kernel, int index, Ints ints) {
    mn_device_arg_buffer(p->device, kernel, index, ints.buffer);
    mn_device_arg(p->device, kernel, index + 1, sizeof ints.start, &ints.start);
    return index + 2;
}

static int set_int(mnPrimitives *p, mnKernel *kernel, int index, int32_t value) {
    mn_device_arg(p->device, kernel, index, sizeof value, &value);
    return index + 1;
}

/* Scans blocks, then the totals of the blocks in the same way, from `spare` on in p->totals, then adds these. */
static void scan_level(mnPrimitives *p, Ints from, Ints to, int32_t count, int32_t spare, Ints total) {
    int32_t blocks = block_count(p, count);
    Ints totals = blocks == 1 ? total : (Ints){&p->totals, spare};
    int index = set_ints(p, p->scan_blocks, 0, from);
    index = set_ints(p, p->scan_blocks, index, to);
    index = set_int(p, p->scan_blocks, index, count);
    set_ints(p, p->scan_blocks, index, totals);
    mn_device_launch(p->device, p->scan_blocks, (size_t)blocks * p->local, p->local);
    if (blocks == 1) return;
    scan_level(p, totals, totals, blocks, spare + blocks, total);
    index = set_ints(p, p->scan_add, 0, to);
    index = set_int(p, p->scan_add, index, count);
    set_ints(p, p->scan_add, index, totals);
    mn_device_launch(p->device, p->scan_add, (size_t)count, p->local);
}

void mn_scan(mnPrimitives *p, const mnBuffer *from, const mnBuffer *to, int32_t count, const mnBuffer *total,
             int32_t total_index) {
    const int32_t zero = 0;
    assert(count <= p->capacity);
    if (count == 0)
        mn_buffer_fill(p->device, total, (size_t)total_index * sizeof zero, sizeof zero, &zero, sizeof zero);
    else
        scan_level(p, (Ints){from, 0}, (Ints){to, 0}, count, 0, (Ints){total, total_index});
}

int32_t mn_scan_total(mnPrimitives *p, const mnBuffer *total, int32_t total_index) {
    int32_t value;
    mn_buffer_read(p->device, total, (size_t)total_index * sizeof value, sizeof value, &value);
    return value;
}

static void swap(mnBuffer *a, mnBuffer *b) {
    mnBuffer kept = *a;
    *a = *b;
    *b = kept;
}

void mn_sort(mnPrimitives *p, mnBuffer *keys, mnBuffer *keys_spare, mnBuffer *payload, mnBuffer *payload_spare,
             int32_t count, int bits) {
    assert(count <= p->capacity);
    int32_t blocks = block_count(p, count), digit_counts = DIGITS * blocks;
    size_t items = (size_t)blocks * p->local;
    for (int shift = 0; shift < bits && count > 0; shift += DIGIT_BITS) {
        mn_device_arg_buffer(p->device, p->sort_count, 0, keys);
        set_int(p, p->sort_count, 1, count);
        set_int(p, p->sort_count, 2, shift);
        mn_device_arg_buffer(p->device, p->sort_count, 3, &p->counts);
        mn_device_launch(p->device, p->sort_count, items, p->local);
        scan_level(p, (Ints){&p->counts, 0}, (Ints){&p->counts, 0}, digit_counts, 0, (Ints){&p->counts, digit_counts});
        mn_device_arg_buffer(p->device, p->sort_move, 0, keys);
        mn_device_arg_buffer(p->device, p->sort_move, 1, payload);
        set_int(p, p->sort_move, 2, count);
        set_int(p, p->sort_move, 3, shift);
        mn_device_arg_buffer(p->device, p->sort_move, 4, &p->counts);
        mn_device_arg_buffer(p->device, p->sort_move, 5, keys_spare);
        mn_device_arg_buffer(p->device, p->sort_move, 6, payload_spare);
        mn_device_launch(p->device, p->sort_move, items, p->local);
        swap(keys, keys_spare);
        swap(payload, payload_spare);
    }
}

/* `chunks` of them, each of so many rows. */
static void reduce_chunks(mnPrimitives *p, const mnBuffer *rows, int32_t row_count, int32_t chunk, int32_t chunks,
                          int sums, int width, Ints results) {
    mn_device_arg_buffer(p->device, p->reduce_rows, 0, rows);
    set_int(p, p->reduce_rows, 1, row_count);
    set_int(p, p->reduce_rows, 2, chunk);
    set_int(p, p->reduce_rows, 3, width);
    set_int(p, p->reduce_rows, 4, sums);
    set_ints(p, p->reduce_rows, 5, results);
    mn_device_launch(p->device, p->reduce_rows, (size_t)chunks * (size_t)width * p->local, p->local);
}

void mn_reduce(mnPrimitives *p, const mnBuffer *rows, int32_t row_count, int sums, int maxima, const mnBuffer *results,
               int32_t results_index) {
    int width = sums + maxima;
    int32_t chunks = 1;
    assert(width <= COLUMNS_MOST);
    if (row_count > 2 * CHUNK_LEAST) {
        int32_t chunk =
            row_count / CHUNKS_MOST > CHUNK_LEAST ? (row_count + CHUNKS_MOST - 1) / CHUNKS_MOST : CHUNK_LEAST;
        chunks = (row_count + chunk - 1) / chunk;
        reduce_chunks(p, rows, row_count, chunk, chunks, sums, width, (Ints){&p->partial, 0});
        rows = &p->partial;
        row_count = chunks;
    }
    reduce_chunks(p, rows, row_count, row_count, 1, sums, width, (Ints){results, results_index});
}

void mn_reduce_read(mnPrimitives *p, const mnBuffer *results, int32_t results_index, int count, double *values) {
    mn_buffer_read(p->device, results, (size_t)results_index * sizeof *values, (size_t)count * sizeof *values, values);
    if (mn_device_info(p->device)->has_double) return;
    for (int i = 0; i < count; i++) {
        float pair[2];
        memcpy(pair, &values[i], sizeof pair);
        values[i] = (double)pair[0] + (double)pair[1];
    }
}
