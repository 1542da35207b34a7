#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "geometry/mesh_reader.h"

static const int64_t file_size_max = (int64_t)1 << 30;

typedef bool (*Reader)(mnMeshReader *);

/* The reader of the format that the ending of a path tells; NULL: none of ours. */
static Reader reader_of(const char *path) {
    static const struct {
        const char *ending;
        Reader reader;
    } readers[] = {{".obj", mn_mesh_read_obj},
                   {".stl", mn_mesh_read_stl},
                   {".ply", mn_mesh_read_ply},
                   {".gltf", mn_mesh_read_gltf},
                   {".glb", mn_mesh_read_gltf}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof readers / sizeof *readers; i++)
        if (strcasecmp(dot, readers[i].ending) == 0) return readers[i].reader;
    return NULL;
}

static mnStatus unreadable(const char *path, mnError *error) {
    return mn_error_set(error, MN_ERROR_FILE, "%s: the mesh cannot be read: %s", path, strerror(errno));
}

mnStatus mn_mesh_file(const char *path, int64_t most, size_t memory, char **bytes, size_t *size, mnError *error) {
    struct stat info;
    *bytes = NULL;
    *size = 0;
    if (stat(path, &info) != 0)
        return mn_error_set(error, MN_ERROR_FILE,
                            "%s: there is no such mesh file; relative paths start at the folder of the scene", path);
    if (!S_ISREG(info.st_mode)) return mn_error_set(error, MN_ERROR_FILE, "%s: not a regular file", path);
    if ((int64_t)info.st_size > most)
        return mn_error_set(error, MN_ERROR_FILE,
                            "%s: the file has %lld bytes, at most %lld are read; simplify the mesh", path,
                            (long long)info.st_size, (long long)most);
    if ((size_t)info.st_size >= memory)
        return mn_error_set(
            error, MN_ERROR_MEMORY,
            "%s: the file has %lld bytes, more than the %zu bytes of memory that are left; simplify the "
            "mesh",
            path, (long long)info.st_size, memory);
    FILE *file = fopen(path, "rb");
    if (!file) return unreadable(path, error);
    *size = (size_t)info.st_size;
    *bytes = malloc(*size + 1);
    mnStatus status = MN_OK;
    if (!*bytes)
        status = mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory for a mesh of %zu bytes", path, *size);
    else if (fread(*bytes, 1, *size, file) != *size)
        status = ferror(file)
                     ? unreadable(path, error)
                     : mn_error_set(error, MN_ERROR_FILE, "%s: the mesh became shorter while it was read", path);
    fclose(file);
    if (status == MN_OK) {
        (*bytes)[*size] = '\0';
    } else {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

mnStatus mn_mesh_parse(const char *path, const char *bytes, size_t size, size_t memory, mnTriangles *triangles,
                       mnError *error) {
    *triangles = (mnTriangles){0};
    Reader reader_function = reader_of(path);
    if (!reader_function)
        return mn_error_set(error, MN_ERROR_INPUT, "%s: not a known mesh format; use .obj, .stl, .ply, .gltf or .glb",
                            path);
    mnMeshReader reader = {
        .name = path, .start = bytes, .at = bytes, .end = bytes + size, .memory = memory ? memory : mn_memory_left()};
    /* Numbers have points in them whatever the program's locale is. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), previous = uselocale(plain);
    bool is_good = reader_function(&reader);
    uselocale(previous);
    if (plain) freelocale(plain);
    free(reader.vertex);
    if (is_good) {
        *triangles = reader.triangles;
        return MN_OK;
    }
    free(reader.triangles.corner);
    return mn_error_set(error, reader.status, "%s: cannot be read as a mesh: %s", path, reader.why);
}

mnStatus mn_mesh_import(const char *path, mnTriangles *triangles, mnError *error) {
    *triangles = (mnTriangles){0};
    char *bytes = NULL;
    size_t size = 0;
    mnStatus status = mn_mesh_file(path, file_size_max, mn_memory_left(), &bytes, &size, error);
    if (status == MN_OK) status = mn_mesh_parse(path, bytes, size, 0, triangles, error);
    free(bytes);
    return status;
}
