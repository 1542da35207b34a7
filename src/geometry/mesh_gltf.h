/* The bytes of a glTF file: its JSON, its buffers, and what accessors find in them. Nothing that the file says of them
 * is believed. */
#ifndef MN_GEOMETRY_MESH_GLTF_H
#define MN_GEOMETRY_MESH_GLTF_H

#include <jansson.h>

#include "geometry/mesh_reader.h"

typedef struct mnGltfBuffer {
    const char *bytes;
    size_t size;
    char *owned; /* NULL: the bytes are the file's own */
} mnGltfBuffer;

typedef struct mnGltf {
    mnMeshReader *reader;
    json_t *root;
    mnGltfBuffer *buffers;
    size_t buffer_count;
    int64_t buffer_bytes; /* of all buffers */
} mnGltf;

/* Numbers of one kind in a row, each of `components` parts. */
typedef struct mnGltfAccessor {
    const unsigned char *first;
    int64_t count, stride; /* bytes from one to the next */
    int type;              /* glTF's number for it: 5121 and 5123 and 5125 whole, 5126 real */
} mnGltfAccessor;

/* Afterwards mn_gltf_close, also where it failed. */
bool mn_gltf_open(mnMeshReader *reader, mnGltf *gltf);
void mn_gltf_close(mnGltf *gltf);

/* The entry of a list of the root, such as "nodes"; NULL: there is none, which was said. */
json_t *mn_gltf_entry(const mnGltf *gltf, const char *list, int64_t index);

/* A whole number of at least 0; `missing` where there is no such key, −1 where it is something else. */
int64_t mn_gltf_whole(const json_t *object, const char *key, int64_t missing);

bool mn_gltf_accessor(const mnGltf *gltf, int64_t index, int components, mnGltfAccessor *accessor);
double mn_gltf_number(const mnGltfAccessor *accessor, int64_t index, int component);

#endif
