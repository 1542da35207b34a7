/* Writes what the targets start from: fuzz_seeds SCENES FOLDER fills FOLDER/TARGET, and FOLDER/TARGET.dict.
 *
 * Scenes are those of the repository, frames are written by the library itself, and the words of the dictionaries are
 * the keys and names of the schema, so that all of it follows when formats change. */
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint_scene.h"
#include "fuzz.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/frames.h"
#include "sim_state.h"

static const char *folder; /* of all seeds */

static char *seed_path(const char *target, const char *name) {
    char *below = mn_path_join(folder, target), *path = below ? mn_path_join(below, name) : NULL;
    REQUIRE(path && mn_folder_create(below, NULL) == MN_OK);
    free(below);
    return path;
}

static void write_seed(const char *target, const char *name, const void *bytes, size_t size) {
    char *path = seed_path(target, name);
    mnFile file;
    REQUIRE(mn_file_create(&file, path, NULL) == MN_OK);
    mn_file_put(&file, bytes, size);
    REQUIRE(mn_file_commit(&file, NULL) == MN_OK);
    free(path);
}

static void write_text(const char *target, const char *name, const char *text) {
    write_seed(target, name, text, strlen(text));
}

/* The whole file behind `before` bytes of room. */
static char *read_file(const char *path, size_t before, size_t *size) {
    FILE *file = fopen(path, "rb");
    REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, before + *size + 1);
    REQUIRE(bytes && fread(bytes + before, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void write_scenes(const char *from) {
    DIR *entries = opendir(from);
    REQUIRE(entries);
    for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".json") != 0) continue;
        size_t size;
        char *path = mn_path_join(from, entry->d_name), *text = read_file(path, 0, &size);
        write_seed("scene", entry->d_name, text, size);
        free(text);
        free(path);
    }
    closedir(entries);
    /* So small that the target steps it. */
    write_text("scene", "tiny.json",
               "{\"spacing\": 0.001, \"fluids\": {\"a\": {\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": "
               "0.002}}]}},\n\"solids\": {\"b\": {\"shape\": {\"kind\": \"box\", \"size\": [0.004, 0.004, 0.001], "
               "\"translation\": [0, 0, -0.003]}}}}\n");
    write_text("scene", "tiny2d.json",
               "{\"dimension\": 2, \"spacing\": 0.001, \"solver\": {\"kind\": \"nncg\"},\n\"fluids\": {\"a\": "
               "{\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.006, 0.004, 1]}}]}},\n\"emitters\": "
               "[{\"kind\": \"drops\", \"fluid\": \"a\", \"drops\": [{\"time\": 0, \"position\": [0, 0.01, 0], "
               "\"radius\": 0.002}]}]}\n");
    write_text("set", "numbers",
               "spacing=0.002\ngravity=[0,0,0]\ngravity[1]=3\nsolver.kind=nncg\nfluids.water.density=5");
    write_text("set", "lists",
               "fluids.water.bodies[1]={\"shape\":{\"kind\":\"box\",\"size\":[0.01,0.01,0.01]}}\n"
               "solids.plate.motion.0.translation.2=0.01\nemitters[0].kind=rain\nsinks.1.lower[0]=-1\ntitle=a = b");
}

/* ---- dictionaries ------------------------------------------------------------------------------------------------ */

/* Each word of the schema once: as it is for paths, and in quotes for JSON. */
static void write_words(void) {
    char *schema = mn_scene_schema(), *words[2] = {seed_path("", "scene.dict"), seed_path("", "set.dict")};
    json_t *seen = json_object();
    FILE *dictionaries[2] = {fopen(words[0], "w"), fopen(words[1], "w")};
    REQUIRE(schema && seen && dictionaries[0] && dictionaries[1]);
    for (char *at = strchr(schema, '"'); at; at = strchr(at + 1, '"')) {
        size_t length = 0;
        while (isalnum((unsigned char)at[1 + length]) || at[1 + length] == '_') length++;
        char word[64];
        if (length == 0 || length >= sizeof word || at[1 + length] != '"') continue;
        snprintf(word, sizeof word, "%.*s", (int)length, at + 1);
        if (json_object_get(seen, word)) continue;
        json_object_set_new(seen, word, json_true());
        fprintf(dictionaries[0], "\"\\\"%s\\\"\"\n", word);
        fprintf(dictionaries[1], "\"%s\"\n", word);
    }
    for (int d = 0; d < 2; d++) {
        REQUIRE(fclose(dictionaries[d]) == 0);
        free(words[d]);
    }
    json_decref(seen);
    free(schema);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static void write_frame(mnFormat format) {
    static const mnVec position[3] = {{0, 1, 2, 1e-9f}, {-1, 0.5f, 3, 1e-9f}, {4, 5, 6, 2e-9f}};
    static const mnVec velocity[3] = {{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 2, 0}}, measure[3] = {{0.5f, 0, 0, 0}};
    static const mnReal pressure[3] = {1, 2, 3};
    static const int32_t phase[3] = {0, 1, 0};
    static const int64_t id[3] = {2, 7, 1}, order[3] = {2, 0, 1};
    mnSceneDesc scene = mn_default_scene();
    mnSnapshot snapshot = {.scene = &scene,
                           .time = 0.25,
                           .particles = {.count = 3,
                                         .position = position,
                                         .velocity = velocity,
                                         .pressure = pressure,
                                         .measure = measure,
                                         .phase = phase,
                                         .id = id}};
    char name[64];
    mn_frame_name(name, 0, format);
    char *path = seed_path("frame", name);
    REQUIRE(mn_frame_write(format, path, &snapshot, order, NULL) == MN_OK);
    size_t size;
    char *bytes = read_file(path, 1, &size);
    unlink(path);
    free(path);
    bytes[0] = (char)format;
    write_seed("frame", mn_format_name(format), bytes, size + 1);
    free(bytes);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

enum { OBJ, STL, PLY, GLTF, GLB }; /* as fuzz_mesh.c counts them */

static void write_mesh(int format, const char *name, const char *bytes, size_t size) {
    char *seed = malloc(size + 1);
    REQUIRE(seed);
    seed[0] = (char)format;
    memcpy(seed + 1, bytes, size);
    write_seed("mesh", name, seed, size + 1);
    free(seed);
}

static void write_mesh_text(int format, const char *name, const char *text) {
    write_mesh(format, name, text, strlen(text));
}

/* A pyramid of four corners, as bytes: three floats each, then the corners of its faces. */
static const float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
enum { BUFFER = sizeof places + sizeof faces };

static void write_stl(void) {
    unsigned char file[84 + 4 * 50] = {0}, *end = mn_put_u32(file + 80, 4);
    for (int f = 0; f < 4; f++) {
        end += 12;
        for (int k = 0; k < 9; k++) end = mn_put_f32(end, places[faces[f][k / 3]][k % 3]);
        end += 2;
    }
    write_mesh(STL, "binary.stl", (const char *)file, sizeof file);
}

/* All of a glTF file but where its buffer comes from. */
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_texture_transform\"],\"scene\":0,\"scenes\":[{"
    "\"nodes\":[0]}],"
    "\"nodes\":[{\"children\":[1],\"rotation\":[0,0,1,0]},{\"mesh\":0,\"translation\":[1,0,0],\"scale\":[2,2,2],"
    "\"weights\":[0]}],\"meshes\":[{\"weights\":[1],\"primitives\":[{\"attributes\":{\"POSITION\":0},"
    "\"indices\":1,\"mode\":4,\"targets\":[{}]}]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5125,\"count\":12,\"type\":\"SCALAR\"}],\"buffers\":[{%s\"byteLength\":96}]}";

static void write_gltf(void) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char buffer[BUFFER], file[20 + sizeof gltf + 8 + BUFFER], *end = buffer;
    for (int k = 0; k < 12; k++) end = mn_put_f32(end, places[k / 3][k % 3]);
    for (int k = 0; k < 12; k++) end = mn_put_u32(end, (uint32_t)faces[k / 3][k % 3]);
    char uri[256] = "\"uri\":\"data:application/octet-stream;base64,", text[sizeof gltf + 256];
    size_t length = strlen(uri);
    for (int k = 0; k < BUFFER; k += 3) {
        uint32_t bits = (uint32_t)buffer[k] << 16 | (uint32_t)buffer[k + 1] << 8 | buffer[k + 2];
        for (int six = 18; six >= 0; six -= 6) uri[length++] = letters[bits >> six & 63];
    }
    snprintf(uri + length, sizeof uri - length, "\",");
    snprintf(text, sizeof text, gltf, uri);
    write_mesh_text(GLTF, "pyramid.gltf", text);

    snprintf(text, sizeof text, gltf, "");
    length = strlen(text);
    memcpy(file, "glTF", 4);
    end = mn_put_u32(mn_put_u32(file + 4, 2), (uint32_t)(20 + length + 8 + BUFFER));
    end = mn_put_u32(end, (uint32_t)length);
    memcpy(end, "JSON", 4);
    memcpy(end + 4, text, length);
    end = mn_put_u32(end + 4 + length, BUFFER);
    memcpy(end, "BIN", 4);
    memcpy(end + 4, buffer, BUFFER);
    write_mesh(GLB, "pyramid.glb", (const char *)file, 20 + length + 8 + BUFFER);
}

static void write_meshes(void) {
    write_mesh_text(OBJ, "cube.obj",
                    "# cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    write_mesh_text(OBJ, "corners.obj",
                    "mtllib a.mtl\no x\nvn 0 0 1\nvt 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl q\ns 1\n"
                    "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 \\\n4//1\nf -4 -1 -2\nf 2 3 4\nl 1 2\np 1\n");
    write_mesh_text(STL, "text.stl",
                    "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                    "endfacet\nendsolid t\n");
    write_mesh_text(PLY, "text.ply",
                    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                    "element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    static const char binary[] =
        "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty double y\nproperty short z\n"
        "element face 1\nproperty list uchar uchar vertex_index\nend_header\n12341234567812\3\0\0\0";
    write_mesh(PLY, "binary.ply", binary, sizeof binary - 1);
    write_stl();
    write_gltf();
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static void write_checkpoint(int which) {
    mnScene *scene = NULL;
    mnSim *sim = NULL;
    mnOptions options = mn_default_options();
    options.threads = 1;
    REQUIRE(mn_scene_parse(checkpoint_scene, strlen(checkpoint_scene), "input", NULL, checkpoint_sets, which, &scene,
                           NULL) == MN_OK);
    REQUIRE(mn_sim_create(mn_scene_desc(scene), &options, &sim, NULL) == MN_OK);
    for (int step = 0; step < 3; step++) REQUIRE(mn_sim_step(sim, 1e-4, NULL, NULL) == MN_OK);
    mnArchive *archive = NULL;
    char none[] = "", *path = seed_path("checkpoint", checkpoint_names[which]);
    mnCheckpointHead head = {.name = none, .scene = none, .before = none};
    REQUIRE(mn_archive_create(&archive, NULL) == MN_OK);
    mn_checkpoint_exchange(&head, archive);
    REQUIRE(mn_sim_put(sim, archive, NULL) == MN_OK && mn_archive_save(archive, path, NULL) == MN_OK);
    mn_archive_destroy(archive);
    mn_sim_destroy(sim);
    mn_scene_destroy(scene);
    free(path);
}

/* ---- messages of pages ------------------------------------------------------------------------------------------- */

static void write_messages(void) {
    static const char *const messages[] = {
        "{\"type\":\"open\",\"scene\":\"free_drop\",\"run\":true}",
        "{\"type\":\"open\",\"name\":\"mine\",\"text\":\"{\\\"spacing\\\": 0.001, \\\"fluids\\\": {\\\"a\\\": {}}}\"}",
        "{\"type\":\"set\",\"path\":\"fluids.a.density\",\"value\":900}",
        "{\"type\":\"set\",\"path\":\"fluids.a.bodies[1]\",\"value\":{\"shape\":{\"kind\":\"box\",\"size\":[1,1,1]}}}",
        "{\"type\":\"steer\",\"path\":\"gravity\",\"value\":[0,0,-1]}",
        "{\"type\":\"frame\",\"number\":null}",
        "{\"type\":\"field\",\"name\":\"pressure\"}",
        "{\"type\":\"pick\",\"id\":12}",
        "{\"type\":\"ack\",\"sequence\":3}",
        "{\"type\":\"restart\"}"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu.json", i);
        write_text("studio", name, messages[i]);
    }
}

int main(int argc, char **argv) {
    REQUIRE(argc == 3);
    folder = argv[2];
    write_scenes(argv[1]);
    write_words();
    for (int format = 0; format < MN_FORMAT_COUNT; format++)
        if (mn_format_check((mnFormat)format, NULL) == MN_OK) write_frame((mnFormat)format);
    write_meshes();
    for (int which = 0; which < CHECKPOINT_SCENES && mn_archive_available(NULL) == MN_OK; which++)
        write_checkpoint(which);
    write_messages();
    return EXIT_SUCCESS;
}
