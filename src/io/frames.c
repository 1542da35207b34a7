#include "io/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/frame_formats.h"

const char *mn_format_name(mnFormat format) {
    static const char *const names[MN_FORMAT_COUNT] = {"ply", "vtp", "csv", "bgeo", "vtkhdf"};
    return format >= 0 && format < MN_FORMAT_COUNT ? names[format] : "";
}

mnStatus mn_format_check(mnFormat format, mnError *error) {
#if !MN_HAVE_HDF5
    if (format == MN_FORMAT_VTKHDF)
        return mn_error_set(error, MN_ERROR_FEATURE,
                            "this build writes no VTKHDF, since HDF5 was not found when it was made; install it "
                            "(libhdf5-dev) and build again, or take another format");
#endif
    (void)format, (void)error;
    return MN_OK;
}

void mn_frame_name(char name[64], int64_t frame, mnFormat format) {
    snprintf(name, 64, "frame_%06lld.%s", (long long)frame, mn_format_name(format));
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static mnStatus order_reserve(mnIdOrder *order, int64_t count, mnError *error) {
    if (count <= order->capacity) return MN_OK;
    mn_order_clear(order);
    /* A quarter more than asked for, so that an emitter does not cause a new block for every frame. */
    int64_t capacity = count + count / 4;
    order->index = calloc((size_t)capacity, sizeof *order->index);
    order->scratch = calloc((size_t)capacity, sizeof *order->scratch);
    if (!order->index || !order->scratch) {
        mn_order_clear(order);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %lld particles", (long long)count);
    }
    order->capacity = capacity;
    return MN_OK;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* One stable pass of a radix sort by the digit at `shift`. */
static void order_pass(const int64_t *from, int64_t *to, const int64_t *id, int64_t count, int shift) {
    int64_t start[DIGITS] = {0};
    for (int64_t k = 0; k < count; k++) start[((uint64_t)id[from[k]] >> shift) & (DIGITS - 1)]++;
    int64_t sum = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        int64_t here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (int64_t k = 0; k < count; k++) to[start[((uint64_t)id[from[k]] >> shift) & (DIGITS - 1)]++] = from[k];
}

mnStatus mn_order_by_id(mnIdOrder *order, const mnParticles *particles, mnError *error) {
    mnStatus status = order_reserve(order, particles->count, error);
    if (status != MN_OK) return status;
    uint64_t largest = 0;
    for (int64_t k = 0; k < particles->count; k++) {
        order->index[k] = k;
        if ((uint64_t)particles->id[k] > largest) largest = (uint64_t)particles->id[k];
    }
    for (int shift = 0; shift < 64 && largest >> shift; shift += DIGIT_BITS) {
        order_pass(order->index, order->scratch, particles->id, particles->count, shift);
        int64_t *sorted = order->scratch;
        order->scratch = order->index;
        order->index = sorted;
    }
    return MN_OK;
}

void mn_order_clear(mnIdOrder *order) {
    free(order->index);
    free(order->scratch);
    *order = (mnIdOrder){0};
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

mnStatus mn_frame_write(mnFormat format, const char *path, const mnSnapshot *snapshot, const int64_t *order,
                        mnError *error) {
    switch (format) {
    case MN_FORMAT_PLY:
        return mn_ply_write(path, snapshot, order, error);
    case MN_FORMAT_VTP:
        return mn_vtp_write(path, snapshot, order, error);
    case MN_FORMAT_CSV:
        return mn_csv_write(path, snapshot, order, error);
    case MN_FORMAT_BGEO:
        return mn_bgeo_write(path, snapshot, order, error);
    case MN_FORMAT_VTKHDF:
        return mn_vtkhdf_write(path, snapshot, order, error);
    default:
        return mn_error_set(error, MN_ERROR_INPUT, "%s: unknown frame format %d", path, (int)format);
    }
}

mnStatus mn_pvd_write(const char *path, int64_t first, const double *times, int64_t count, mnError *error) {
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    mn_file_print(&file, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n");
    for (int64_t i = 0; i < count; i++) {
        char name[64];
        mn_frame_name(name, first + i, MN_FORMAT_VTP);
        mn_file_print(&file, "<DataSet timestep=\"%.12g\" part=\"0\" file=\"%s\"/>\n", times[i], name);
    }
    mn_file_print(&file, "</Collection>\n</VTKFile>\n");
    return mn_file_commit(&file, error);
}

mnStatus mn_csv_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    const mnParticles *p = &snapshot->particles;
    mn_file_print(&file, "id,phase,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],pressure [Pa],measure,radius [m]\n");
    for (int64_t k = 0; k < p->count; k++) {
        int64_t i = order[k];
        mn_file_print(&file, "%lld,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (long long)p->id[i],
                      (int)p->phase[i], (double)p->position[i].x, (double)p->position[i].y, (double)p->position[i].z,
                      (double)p->velocity[i].x, (double)p->velocity[i].y, (double)p->velocity[i].z,
                      (double)p->pressure[i], (double)p->measure[i].x, mn_snapshot_radius(snapshot, i));
    }
    return mn_file_commit(&file, error);
}
