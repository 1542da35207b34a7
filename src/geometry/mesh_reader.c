#include "geometry/mesh_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

bool mn_mesh_fail(mnMeshReader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->why, sizeof reader->why, format, arguments);
    va_end(arguments);
    reader->status = MN_ERROR_INPUT;
    return false;
}

bool mn_mesh_no_memory(mnMeshReader *reader) {
    mn_mesh_fail(reader, "there is no memory left for it");
    reader->status = MN_ERROR_MEMORY;
    return false;
}

bool mn_mesh_has_memory(mnMeshReader *reader, size_t bytes) {
    if (bytes <= reader->memory - reader->held) {
        reader->held += bytes;
        return true;
    }
    mn_mesh_fail(
        reader,
        "after %lld vertices and %lld triangles it takes more than the %.3g GB of memory that are left; simplify "
        "the mesh",
        (long long)reader->vertex_count, (long long)reader->triangles.count, 1e-9 * (double)reader->memory);
    reader->status = MN_ERROR_MEMORY;
    return false;
}

/* ---- vertices and triangles -------------------------------------------------------------------------------------- */

/* Room for one more of `size` bytes behind `count`. The old array may be there until the new one is filled. */
static bool grow(mnMeshReader *reader, void **array, int64_t count, int64_t *room, size_t size) {
    if (count < *room) return true;
    int64_t larger = *room ? 2 * *room : 256;
    if (!mn_mesh_has_memory(reader, (size_t)larger * size)) return false;
    void *grown = realloc(*array, (size_t)larger * size);
    if (!grown) return mn_mesh_no_memory(reader);
    reader->held -= (size_t)*room * size;
    *array = grown;
    *room = larger;
    return true;
}

bool mn_mesh_add_vertex(mnMeshReader *reader, const double position[3]) {
    void *array = reader->vertex;
    bool has_room = grow(reader, &array, reader->vertex_count, &reader->vertex_room, sizeof *reader->vertex);
    reader->vertex = array;
    if (has_room) copy3(reader->vertex[reader->vertex_count++], position);
    return has_room;
}

bool mn_mesh_add_triangle(mnMeshReader *reader, const double a[3], const double b[3], const double c[3]) {
    mnTriangles *triangles = &reader->triangles;
    if (triangles->count == MN_MESH_TRIANGLES_MOST)
        return mn_mesh_fail(reader, "it has more than %d triangles; simplify it", MN_MESH_TRIANGLES_MOST);
    void *array = triangles->corner;
    bool has_room = grow(reader, &array, triangles->count, &reader->triangle_room, 3 * sizeof *triangles->corner);
    triangles->corner = array;
    if (!has_room) return false;
    double(*corner)[3] = triangles->corner + 3 * triangles->count++;
    copy3(corner[0], a);
    copy3(corner[1], b);
    copy3(corner[2], c);
    return true;
}

/* ---- faces of many corners --------------------------------------------------------------------------------------- */

/* The corners of a face as seen from the side that its normal points to. */
typedef struct Outline {
    const double *corner[MN_MESH_CORNERS_MOST];
    double x[MN_MESH_CORNERS_MOST], y[MN_MESH_CORNERS_MOST];
    int count;
} Outline;

/* Drops the axis along which the normal is longest, summed over all corners as by Newell, since three of them may lie
 * on a line. */
static void flatten(Outline *outline) {
    double normal[3] = {0};
    for (int i = 0; i < outline->count; i++) {
        const double *p = outline->corner[i], *q = outline->corner[(i + 1) % outline->count];
        for (int c = 0; c < 3; c++) {
            int u = (c + 1) % 3, v = (c + 2) % 3;
            normal[c] += (p[u] - q[u]) * (p[v] + q[v]);
        }
    }
    int dropped = 0;
    for (int c = 1; c < 3; c++)
        if (fabs(normal[c]) > fabs(normal[dropped])) dropped = c;
    for (int i = 0; i < outline->count; i++) {
        outline->x[i] = outline->corner[i][(dropped + 1) % 3];
        outline->y[i] = outline->corner[i][(dropped + 2) % 3] * (normal[dropped] < 0 ? -1 : 1);
    }
}

/* Twice the area of a triangle, positive where it turns to the left. */
static double turn(const Outline *o, int a, int b, int c) {
    return (o->x[b] - o->x[a]) * (o->y[c] - o->y[a]) - (o->y[b] - o->y[a]) * (o->x[c] - o->x[a]);
}

static bool is_ear(const Outline *o, int before, int at, int after) {
    if (!(turn(o, before, at, after) > 0)) return false;
    for (int i = 0; i < o->count; i++) {
        if (i == before || i == at || i == after) continue;
        if (o->x[i] == o->x[at] && o->y[i] == o->y[at]) continue; /* a cut to a hole passes its ends twice */
        if (turn(o, before, at, i) >= 0 && turn(o, at, after, i) >= 0 && turn(o, after, before, i) > 0) return false;
    }
    return true;
}

static void leave_out(Outline *o, int at) {
    o->count--;
    for (int i = at; i < o->count; i++) {
        o->corner[i] = o->corner[i + 1];
        o->x[i] = o->x[i + 1];
        o->y[i] = o->y[i + 1];
    }
}

/* The first ear from a corner on; −1: none. */
static int next_ear(const Outline *o, int from) {
    for (int k = 0; k < o->count; k++) {
        int at = (from + k) % o->count;
        if (is_ear(o, (at + o->count - 1) % o->count, at, (at + 1) % o->count)) return at;
    }
    return -1;
}

/* Ear by ear, going round. A convex face becomes a fan about its first corner. Where there is no ear, the outline
 * crosses itself or has no area; whatever is cut off from then on leaves the surface as closed as it was. */
static bool cut_outline(mnMeshReader *reader, Outline *o) {
    bool is_simple = true;
    for (int at = 1; o->count > 3; leave_out(o, at)) {
        int ear = is_simple ? next_ear(o, at) : -1;
        is_simple = ear >= 0;
        at = is_simple ? ear : 1;
        int before = (at + o->count - 1) % o->count, after = (at + 1) % o->count;
        if (!mn_mesh_add_triangle(reader, o->corner[before], o->corner[at], o->corner[after])) return false;
    }
    return mn_mesh_add_triangle(reader, o->corner[0], o->corner[1], o->corner[2]);
}

bool mn_mesh_add_face(mnMeshReader *reader, const int64_t *corners, int count) {
    Outline outline;
    outline.count = count;
    for (int i = 0; i < count; i++) {
        if (corners[i] < 0 || corners[i] >= reader->vertex_count)
            return mn_mesh_fail(reader, "a face names a vertex that does not exist: number %lld of %lld",
                                (long long)corners[i], (long long)reader->vertex_count);
        outline.corner[i] = reader->vertex[corners[i]];
    }
    if (count < 3) return true; /* a point or a line */
    if (count > 3) flatten(&outline);
    return cut_outline(reader, &outline);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

bool mn_mesh_next_word(mnMeshReader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t') reader->at++;
    return *reader->at != '\0' && *reader->at != '\n' && *reader->at != '\r';
}

bool mn_mesh_next_number(mnMeshReader *reader, double *number) {
    if (!mn_mesh_next_word(reader)) return false;
    char *end;
    *number = strtod(reader->at, &end);
    bool is_number = end != reader->at && (*end == '\0' || strchr(" \t\r\n", *end));
    reader->at = end;
    return is_number;
}

void mn_mesh_next_line(mnMeshReader *reader) {
    const char *newline = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = newline ? newline + 1 : reader->end;
}

int64_t mn_mesh_line(const mnMeshReader *reader) {
    int64_t line = 1;
    for (const char *at = reader->start; at < reader->at; at++) line += *at == '\n';
    return line;
}
