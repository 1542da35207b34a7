/* What the readers of mesh files share: the bytes, and the triangles that are made of them.
 *
 * Files are hostile. Whatever a file says of itself is compared with what is there, nothing is taken that is not paid
 * for with bytes of the file, and where one part may be used many times over (the nodes of a glTF scene)
 * MN_MESH_TRIANGLES_MOST ends it. Readers return false once they have failed. */
#ifndef MN_GEOMETRY_MESH_READER_H
#define MN_GEOMETRY_MESH_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/mesh.h"

enum { MN_MESH_CORNERS_MOST = 256, MN_MESH_TRIANGLES_MOST = 1 << 25 };

typedef struct mnMeshReader {
    const char *name;             /* path of the file */
    const char *start, *at, *end; /* of it, what is left from `at` on; a zero byte follows */
    double (*vertex)[3];
    int64_t vertex_count, vertex_room;
    mnTriangles triangles;
    int64_t triangle_room;
    size_t memory, held; /* bytes: that may be taken, that are */
    mnStatus status;
    char why[256]; /* it failed */
} mnMeshReader;

/* Always false. */
bool mn_mesh_fail(mnMeshReader *reader, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

bool mn_mesh_no_memory(mnMeshReader *reader);

/* To be asked before so many bytes are taken. They stay counted: readers keep what they take to their end. */
bool mn_mesh_has_memory(mnMeshReader *reader, size_t bytes);

bool mn_mesh_add_vertex(mnMeshReader *reader, const double position[3]);
bool mn_mesh_add_triangle(mnMeshReader *reader, const double a[3], const double b[3], const double c[3]);

/* A face of vertices that were added, counted from 0; cut into triangles where it has more than three corners. */
bool mn_mesh_add_face(mnMeshReader *reader, const int64_t *corners, int count);

/* The next word of a line, after spaces; false at the end of the line or of the file. */
bool mn_mesh_next_word(mnMeshReader *reader);
/* The same, and it has to be a number. */
bool mn_mesh_next_number(mnMeshReader *reader, double *number);
void mn_mesh_next_line(mnMeshReader *reader);
/* Which line the next byte is in, from 1. */
int64_t mn_mesh_line(const mnMeshReader *reader);

/* mesh_import.c: a file of at most `most` bytes, with a zero byte after it, where `memory` bytes are enough for it. The
 * caller frees it. */
mnStatus mn_mesh_file(const char *path, int64_t most, size_t memory, char **bytes, size_t *size, mnError *error);

bool mn_mesh_read_obj(mnMeshReader *reader);
bool mn_mesh_read_stl(mnMeshReader *reader);
bool mn_mesh_read_ply(mnMeshReader *reader);
bool mn_mesh_read_gltf(mnMeshReader *reader); /* JSON or binary */

#endif
