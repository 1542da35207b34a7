#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "geometry/mesh_gltf.h"
#include "io/bytes.h"

/* JSON in memory takes up to 83 times the room of its text (base/json.c); large meshes have their numbers elsewhere. */
static const int64_t json_most = (int64_t)64 << 20, buffers_most = (int64_t)1 << 30;

int64_t mn_gltf_whole(const json_t *object, const char *key, int64_t missing) {
    const json_t *value = json_object_get(object, key);
    if (!value) return missing;
    double number = json_is_number(value) ? json_number_value(value) : -1;
    return number >= 0 && number < 0x1p53 && number == floor(number) ? (int64_t)number : -1;
}

json_t *mn_gltf_entry(const mnGltf *gltf, const char *list, int64_t index) {
    json_t *entry = index < 0 ? NULL : json_array_get(json_object_get(gltf->root, list), (size_t)index);
    if (json_is_object(entry)) return entry;
    mn_mesh_fail(gltf->reader, "it has no entry %lld of \"%s\", which it names", (long long)index, list);
    return NULL;
}

/* ---- file -------------------------------------------------------------------------------------------------------- */

typedef struct Parts {
    const char *json, *binary;
    size_t json_size, binary_size;
} Parts;

/* A binary file is its name, version and length, then chunks: length, kind, bytes. The JSON comes first. */
static bool find_parts(mnMeshReader *reader, Parts *parts) {
    const size_t size = (size_t)(reader->end - reader->at);
    *parts = (Parts){.json = reader->at, .json_size = size};
    if (size < 12 || memcmp(reader->at, "glTF", 4) != 0) return true;
    const unsigned char *bytes = (const unsigned char *)reader->at;
    if (mn_get_bits(bytes + 4, 4) != 2)
        return mn_mesh_fail(reader, "it is of version %llu of glTF, known is 2",
                            (unsigned long long)mn_get_bits(bytes + 4, 4));
    *parts = (Parts){0};
    for (size_t at = 12; size - at >= 8;) {
        uint64_t length = mn_get_bits(bytes + at, 4);
        if (length > size - at - 8) return mn_mesh_fail(reader, "it is cut short within a chunk");
        const char *chunk = reader->at + at + 8;
        if (memcmp(bytes + at + 4, "JSON", 4) == 0 && !parts->json) {
            parts->json = chunk;
            parts->json_size = (size_t)length;
        } else if (memcmp(bytes + at + 4, "BIN", 4) == 0 && !parts->binary) {
            parts->binary = chunk;
            parts->binary_size = (size_t)length;
        }
        at += 8 + (size_t)length;
    }
    return parts->json || mn_mesh_fail(reader, "it has no chunk of JSON");
}

/* ---- extensions -------------------------------------------------------------------------------------------------- */

/* Extensions that a file may require: those of looks, which are not read, and those that are judged where they are
 * used. */
static bool is_known(const char *extension) {
    static const char *const beginnings[] = {"KHR_materials_", "KHR_texture_",          "EXT_texture_",
                                             "MSFT_texture_",  "KHR_lights_",           "EXT_lights_",
                                             "KHR_xmp",        "KHR_mesh_quantization", "EXT_mesh_gpu_instancing"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(extension, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}

/* Without an extension that it requires a file means something else, or nothing. */
static bool knows_extensions(const mnGltf *gltf) {
    const json_t *required = json_object_get(gltf->root, "extensionsRequired"), *extension;
    size_t k;
    json_array_foreach(required, k, extension) {
        const char *name = json_string_value(extension);
        if (!name || !is_known(name))
            return mn_mesh_fail(gltf->reader,
                                "it requires the extension \"%.60s\", which is not known; export it without, and "
                                "uncompressed",
                                name ? name : "");
    }
    return true;
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

static int sixty_four(char letter) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? (int)(found - letters) : -1;
}

static bool decode(mnMeshReader *reader, const char *text, mnGltfBuffer *buffer) {
    size_t length = strlen(text);
    if (!mn_mesh_has_memory(reader, length / 4 * 3 + 3)) return false;
    char *bytes = malloc(length / 4 * 3 + 3);
    if (!bytes) return mn_mesh_no_memory(reader);
    buffer->bytes = buffer->owned = bytes;
    uint32_t bits = 0;
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        int six = sixty_four(text[i]);
        if (six < 0) return mn_mesh_fail(reader, "it has a buffer whose base64 is damaged");
        bits = bits << 6 | (uint32_t)six;
        if (i % 4 == 0) continue;
        bytes[buffer->size++] = (char)(bits >> (6 - 2 * (i % 4)) & 0xff);
    }
    return true;
}

/* Replaces %20 by a space and the like, in place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from; to++) {
        unsigned code;
        if (from[0] == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2]) &&
            sscanf(from + 1, "%2x", &code) == 1 && code > 0) {
            *to = (char)code;
            from += 3;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* Nothing above the folder of the mesh: somebody who opens a mesh has not asked for anything else to be read. */
static bool stays_below(const char *path) {
    if (path[0] == '/' || strchr(path, ':')) return false;
    for (const char *step = path; step; step = strchr(step, '/')) {
        step += *step == '/';
        if (strncmp(step, "..", 2) == 0 && (step[2] == '/' || step[2] == '\0')) return false;
    }
    return true;
}

static bool read_beside(mnMeshReader *reader, const char *uri, int64_t most, mnGltfBuffer *buffer) {
    const char *slash = strrchr(reader->name, '/');
    char path[4096];
    int folder = slash ? (int)(slash + 1 - reader->name) : 0;
    int length = snprintf(path, sizeof path, "%.*s%s", folder, reader->name, uri);
    if (length < 0 || (size_t)length >= sizeof path) return mn_mesh_fail(reader, "it names a file of too long a name");
    unescape(path + folder);
    if (!stays_below(path + folder))
        return mn_mesh_fail(reader, "its buffer \"%.80s\" does not lie in or below its own folder", path + folder);
    mnError error = {0};
    mnStatus status = mn_mesh_file(path, most, reader->memory - reader->held, &buffer->owned, &buffer->size, &error);
    buffer->bytes = buffer->owned;
    reader->held += buffer->size;
    if (status == MN_OK) return true;
    mn_mesh_fail(reader, "of its buffers %.200s", error.text);
    reader->status = status;
    return false;
}

static bool open_buffer(mnGltf *gltf, const json_t *json, size_t index, const Parts *parts, mnGltfBuffer *buffer) {
    const char *uri = json_string_value(json_object_get(json, "uri"));
    if (!uri) {
        if (index == 0 && parts->binary) *buffer = (mnGltfBuffer){.bytes = parts->binary, .size = parts->binary_size};
        return true; /* one that has no bytes is missed where they are looked for */
    }
    if (strncmp(uri, "data:", 5) == 0) {
        const char *comma = strchr(uri, ',');
        return comma ? decode(gltf->reader, comma + 1, buffer)
                     : mn_mesh_fail(gltf->reader, "it has a buffer whose data are missing");
    }
    return read_beside(gltf->reader, uri, buffers_most - gltf->buffer_bytes, buffer);
}

bool mn_gltf_open(mnMeshReader *reader, mnGltf *gltf) {
    *gltf = (mnGltf){.reader = reader};
    Parts parts;
    if (!find_parts(reader, &parts)) return false;
    if (parts.json_size > (size_t)json_most)
        return mn_mesh_fail(reader, "its JSON takes more than 64 MiB; export it as .glb");
    if (!mn_mesh_has_memory(reader, mn_json_room(parts.json, parts.json_size))) return false;
    json_error_t error;
    gltf->root = mn_json_parse(parts.json, parts.json_size, 0, &error);
    if (!gltf->root && errno == ENOMEM) return mn_mesh_no_memory(reader);
    if (!gltf->root) return mn_mesh_fail(reader, "its JSON is damaged in line %d: %.120s", error.line, error.text);
    if (!knows_extensions(gltf)) return false;
    const json_t *buffers = json_object_get(gltf->root, "buffers");
    gltf->buffers = calloc(json_array_size(buffers) + 1, sizeof *gltf->buffers);
    if (!gltf->buffers) return mn_mesh_no_memory(reader);
    bool good = true;
    for (size_t i = 0; i < json_array_size(buffers) && good; i++) {
        mnGltfBuffer *buffer = &gltf->buffers[gltf->buffer_count++];
        good = open_buffer(gltf, json_array_get(buffers, i), i, &parts, buffer);
        gltf->buffer_bytes += (int64_t)buffer->size;
    }
    return good;
}

void mn_gltf_close(mnGltf *gltf) {
    for (size_t i = 0; i < gltf->buffer_count; i++) free(gltf->buffers[i].owned);
    free(gltf->buffers);
    json_decref(gltf->root);
}

/* ---- accessors --------------------------------------------------------------------------------------------------- */

static int size_of_type(int64_t type) {
    return type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

/* Whether all numbers of an accessor lie within its view and that within its buffer. */
bool mn_gltf_accessor(const mnGltf *gltf, int64_t index, int components, mnGltfAccessor *accessor) {
    static const char *const kinds[] = {"", "SCALAR", "VEC2", "VEC3"};
    const json_t *json = mn_gltf_entry(gltf, "accessors", index);
    if (!json) return false;
    const char *kind = json_string_value(json_object_get(json, "type"));
    const int64_t type = mn_gltf_whole(json, "componentType", -1), count = mn_gltf_whole(json, "count", -1);
    const int64_t element = components * size_of_type(type);
    if (element == 0 || count < 0 || !kind || strcmp(kind, kinds[components]) != 0)
        return mn_mesh_fail(
            gltf->reader,
            "its accessor %lld is not of the kind that meshes have; export plain floats, without quantization",
            (long long)index);
    if (json_object_get(json, "sparse") || !json_object_get(json, "bufferView"))
        return mn_mesh_fail(gltf->reader, "its accessor %lld is sparse or compressed; export plain buffers",
                            (long long)index);
    const json_t *view = mn_gltf_entry(gltf, "bufferViews", mn_gltf_whole(json, "bufferView", -1));
    if (!view) return false;
    const int64_t number = mn_gltf_whole(view, "buffer", -1), start = mn_gltf_whole(view, "byteOffset", 0);
    const int64_t length = mn_gltf_whole(view, "byteLength", -1), offset = mn_gltf_whole(json, "byteOffset", 0);
    const int64_t stride = mn_gltf_whole(view, "byteStride", element);
    const bool has_buffer = number >= 0 && number < (int64_t)gltf->buffer_count;
    const int64_t size = has_buffer ? (int64_t)gltf->buffers[number].size : 0;
    const bool fits = has_buffer && start >= 0 && length >= 0 && offset >= 0 && stride > 0 && start <= size &&
                      length <= size - start && offset <= length &&
                      (count == 0 || (element <= length - offset && count - 1 <= (length - offset - element) / stride));
    if (!fits)
        return mn_mesh_fail(gltf->reader, "the %lld numbers of its accessor %lld are not all in its buffer",
                            (long long)count, (long long)index);
    *accessor = (mnGltfAccessor){.count = count, .stride = stride, .type = (int)type};
    if (count > 0) accessor->first = (const unsigned char *)gltf->buffers[number].bytes + start + offset;
    return true;
}

double mn_gltf_number(const mnGltfAccessor *accessor, int64_t index, int component) {
    const int size = size_of_type(accessor->type);
    return mn_get_number(accessor->first + index * accessor->stride + component * size,
                         accessor->type == 5126 ? 'f' : 'u', size);
}
