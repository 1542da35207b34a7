/* Binary little-endian PLY: a text header that names the columns, then one packed record per particle. */
#include <string.h>

#include "io/frame_formats.h"

#define FRAME_START "ply\nformat binary_little_endian 1.0\ncomment meniscus frame\n"

enum { RECORDS_AT_ONCE = 1024, FLUID_RECORD = 44, BOUNDARY_RECORD = 20 };

/* A scene's name goes into a comment line: nothing in it may end the line. */
static void print_name(mnFile *file, const char *name) {
    char line[200];
    size_t used = 0;
    for (const char *c = name ? name : ""; *c && used + 1 < sizeof line; c++)
        line[used++] = (unsigned char)*c < 32 ? ' ' : *c;
    line[used] = '\0';
    mn_file_print(file, "comment scene %s\n", line);
}

static void print_header(mnFile *file, const mnSnapshot *snapshot, const char *start, int64_t count) {
    mn_file_print(file, "%s", start);
    print_name(file, snapshot->scene ? snapshot->scene->name : NULL);
    mn_file_print(file, "comment time %.12g s\nelement vertex %lld\n", snapshot->time, (long long)count);
    mn_file_print(file, "property float x\nproperty float y\nproperty float z\n");
}

mnStatus mn_ply_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error) {
    const mnParticles *p = &snapshot->particles;
    if (p->count > 0 && p->id[order[p->count - 1]] > (int64_t)UINT32_MAX)
        return mn_error_set(error, MN_ERROR_FILE, "%s: PLY has no room for ids above %lu; write VTP or CSV", path,
                            (unsigned long)UINT32_MAX);
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    print_header(&file, snapshot, FRAME_START, p->count);
    mn_file_print(&file,
                  "property float vx\nproperty float vy\nproperty float vz\nproperty float pressure\n"
                  "property float measure\nproperty int phase\nproperty uint id\nproperty float radius\nend_header\n");
    unsigned char buffer[RECORDS_AT_ONCE * FLUID_RECORD];
    unsigned char *end = buffer;
    for (int64_t k = 0; k < p->count; k++) {
        int64_t i = order[k];
        end = mn_put_vector(end, &p->position[i]);
        end = mn_put_vector(end, &p->velocity[i]);
        end = mn_put_f32(end, (double)p->pressure[i]);
        end = mn_put_f32(end, (double)p->measure[i].x);
        end = mn_put_u32(end, (uint32_t)p->phase[i]);
        end = mn_put_u32(end, (uint32_t)p->id[i]);
        end = mn_put_f32(end, mn_snapshot_radius(snapshot, i));
        if (end == buffer + sizeof buffer || k + 1 == p->count) {
            mn_file_put(&file, buffer, (size_t)(end - buffer));
            end = buffer;
        }
    }
    return mn_file_commit(&file, error);
}

mnStatus mn_boundary_write(const char *path, const mnSnapshot *snapshot, mnError *error) {
    const mnBoundary *b = &snapshot->boundary;
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status != MN_OK) return status;
    print_header(&file, snapshot, MN_BOUNDARY_START, b->count);
    mn_file_print(&file, "property float volume\nproperty int solid\nend_header\n");
    unsigned char buffer[RECORDS_AT_ONCE * BOUNDARY_RECORD];
    unsigned char *end = buffer;
    for (int64_t i = 0; i < b->count; i++) {
        end = mn_put_vector(end, &b->position[i]);
        end = mn_put_f32(end, (double)b->position[i].w);
        end = mn_put_u32(end, (uint32_t)b->solid[i]);
        if (end == buffer + sizeof buffer || i + 1 == b->count) {
            mn_file_put(&file, buffer, (size_t)(end - buffer));
            end = buffer;
        }
    }
    return mn_file_commit(&file, error);
}
