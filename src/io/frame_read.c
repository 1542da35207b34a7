#include "io/frame_read.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/frame_columns.h"

mnFormat mn_format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    int format = 0;
    while (format < MN_FORMAT_COUNT && !(dot && strcasecmp(dot + 1, mn_format_name((mnFormat)format)) == 0)) format++;
    return (mnFormat)format;
}

/* ---- what readers use -------------------------------------------------------------------------------------------- */

static const char *const column_names[MN_COLUMN_COUNT] = {"x",        "y",       "z",     "vx", "vy",    "vz",
                                                          "pressure", "measure", "phase", "id", "radius"};

mnColumn mn_column_named(const char *name, size_t length) {
    int column = 0;
    while (column < MN_COLUMN_COUNT &&
           !(strlen(column_names[column]) == length && strncmp(column_names[column], name, length) == 0))
        column++;
    return (mnColumn)column;
}

const char *mn_column_name(mnColumn column) {
    return column_names[column];
}

mnStatus mn_frame_broken(const mnFrameReader *reader, mnError *error, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mn_error_set(error, MN_ERROR_FILE, "%s: %s", reader->path, text);
}

mnStatus mn_frame_bytes(mnFrameReader *reader, void *to, size_t count, mnError *error) {
    if (fread(to, 1, count, reader->stream) == count) return MN_OK;
    return ferror(reader->stream) ? mn_frame_broken(reader, error, "cannot be read: %s", strerror(errno))
                                  : mn_frame_broken(reader, error, "cut short");
}

mnStatus mn_frame_room(mnFrameReader *reader, int64_t count, int64_t bytes, mnError *error) {
    if (count < 0 || count > reader->size / bytes)
        return mn_frame_broken(reader, error, "cut short: %lld particles of %lld bytes do not fit into %lld",
                               (long long)count, (long long)bytes, (long long)reader->size);
    size_t n = (size_t)count, vectors = 3 * n * sizeof(mnVec), ids = n * sizeof(int64_t), reals = n * sizeof(mnReal);
    char *memory = calloc(1, vectors + ids + reals + n * sizeof(int32_t) + 1);
    if (!memory)
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read the %lld particles of %s", (long long)count,
                            reader->path);
    reader->position = (mnVec *)(void *)memory;
    reader->velocity = reader->position + n;
    reader->measure = reader->velocity + n;
    reader->id = (int64_t *)(void *)(memory + vectors);
    reader->pressure = (mnReal *)(void *)(memory + vectors + ids);
    reader->phase = (int32_t *)(void *)(memory + vectors + ids + reals);
    for (int64_t i = 0; i < count; i++) reader->id[i] = i;
    reader->frame->memory = memory;
    reader->frame->particles = (mnParticles){.count = count,
                                             .position = reader->position,
                                             .velocity = reader->velocity,
                                             .pressure = reader->pressure,
                                             .measure = reader->measure,
                                             .phase = reader->phase,
                                             .id = reader->id};
    return MN_OK;
}

void mn_frame_set(mnFrameReader *reader, int64_t i, mnColumn column, double value) {
    mnReal real = (mnReal)value;
    reader->frame->columns |= 1u << column;
    switch (column) {
    case MN_COLUMN_X:
        reader->position[i].x = real;
        break;
    case MN_COLUMN_Y:
        reader->position[i].y = real;
        break;
    case MN_COLUMN_Z:
        reader->position[i].z = real;
        break;
    case MN_COLUMN_VX:
        reader->velocity[i].x = real;
        break;
    case MN_COLUMN_VY:
        reader->velocity[i].y = real;
        break;
    case MN_COLUMN_VZ:
        reader->velocity[i].z = real;
        break;
    case MN_COLUMN_PRESSURE:
        reader->pressure[i] = real;
        break;
    case MN_COLUMN_MEASURE:
        reader->measure[i].x = real;
        break;
    case MN_COLUMN_PHASE:
        reader->phase[i] = value >= 0 && value <= INT32_MAX ? (int32_t)value : -1;
        break;
    case MN_COLUMN_ID:
        reader->id[i] = fabs(value) < 0x1p62 ? (int64_t)value : -1;
        break;
    case MN_COLUMN_RADIUS:
        reader->position[i].w = (mnReal)mn_volume_of_radius(value, reader->dimension);
        break;
    case MN_COLUMN_COUNT:
        break;
    }
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Numbers that no run writes are a broken file's. */
static mnStatus check_numbers(const mnFrameReader *reader, mnError *error) {
    const mnParticles *p = &reader->frame->particles;
    if (reader->frame->has_time && !isfinite(reader->frame->time))
        return mn_frame_broken(reader, error, "its time is not a number");
    for (int64_t i = 0; i < p->count; i++) {
        mnVec x = p->position[i], v = p->velocity[i];
        if (!isfinite(x.x + x.y + x.z) || !isfinite(v.x + v.y + v.z) || !(x.w >= 0) || !isfinite(x.w))
            return mn_frame_broken(reader, error, "row %lld has a place, velocity or radius that cannot be",
                                   (long long)i);
        if (p->phase[i] < 0 || p->id[i] < 0)
            return mn_frame_broken(reader, error, "row %lld has a phase or id below zero", (long long)i);
    }
    return MN_OK;
}

static mnStatus read_stream(mnFrameReader *reader, mnError *error) {
    switch (mn_format_of(reader->path)) {
    case MN_FORMAT_PLY:
        return mn_ply_read(reader, error);
    case MN_FORMAT_VTP:
        return mn_vtp_read(reader, error);
    case MN_FORMAT_CSV:
        return mn_csv_read(reader, error);
    case MN_FORMAT_BGEO:
        return mn_bgeo_read(reader, error);
    case MN_FORMAT_VTKHDF:
        return mn_vtkhdf_read(reader, error);
    default:
        return mn_frame_broken(reader, error,
                               "not a frame: its name ends with none of .ply, .vtp, .csv, .bgeo, .vtkhdf");
    }
}

mnStatus mn_frame_read_stream(FILE *stream, int64_t size, const char *path, int dimension, mnFrame *frame,
                              mnError *error) {
    mn_frame_clear(frame);
    mnFrameReader reader = {.path = path, .dimension = dimension, .frame = frame, .stream = stream, .size = size};
    mnStatus status = read_stream(&reader, error);
    if (status == MN_OK) status = check_numbers(&reader, error);
    if (status != MN_OK) mn_frame_clear(frame);
    return status;
}

mnStatus mn_frame_read(const char *path, int dimension, mnFrame *frame, mnError *error) {
    mn_frame_clear(frame);
    FILE *stream = fopen(path, "rb");
    if (!stream) return mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    struct stat found;
    mnStatus status = fstat(fileno(stream), &found) == 0 && S_ISREG(found.st_mode)
                          ? mn_frame_read_stream(stream, (int64_t)found.st_size, path, dimension, frame, error)
                          : mn_error_set(error, MN_ERROR_FILE, "%s: not a plain file", path);
    fclose(stream);
    return status;
}

void mn_frame_clear(mnFrame *frame) {
    free(frame->memory); /* NOLINT(clang-analyzer-unix.Malloc): it is NULL once it was freed */
    *frame = (mnFrame){0};
}

mnSnapshot mn_frame_snapshot(const mnFrame *frame, const mnSceneDesc *scene) {
    return (mnSnapshot){.scene = scene, .time = frame->time, .particles = frame->particles};
}
