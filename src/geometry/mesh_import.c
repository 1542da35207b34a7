#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "geometry/mesh.h"
#include "geometry/vector.h"

#if MN_HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <strings.h>

static const long long file_size_max = 1LL << 30;

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

/* The four formats that are promised. Assimp knows some forty more; leaving them out keeps most of its parsers away
 * from hostile files. */
static bool is_known_format(const char *path) {
    static const char *const endings[] = {".obj", ".stl", ".ply", ".gltf", ".glb"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(path, endings[i])) return true;
    return false;
}

static mnStatus check_file(const char *path, mnError *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return mn_error_set(error, MN_ERROR_FILE,
                            "%s: there is no such mesh file; relative paths start at the folder of the scene", path);
    if (!S_ISREG(info.st_mode)) return mn_error_set(error, MN_ERROR_FILE, "%s: not a regular file", path);
    if ((long long)info.st_size > file_size_max)
        return mn_error_set(error, MN_ERROR_FILE,
                            "%s: the file has %lld bytes, at most %lld are read; simplify the mesh", path,
                            (long long)info.st_size, file_size_max);
    FILE *file = fopen(path, "rb");
    if (!file) return mn_error_set(error, MN_ERROR_FILE, "%s: the mesh file cannot be opened for reading", path);
    fclose(file);
    if (!is_known_format(path))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: not a known mesh format; use .obj, .stl, .ply, .gltf or .glb",
                            path);
    return ends_with(path, ".ply") ? mn_mesh_check_ply(path, (size_t)info.st_size, error) : MN_OK;
}

static int64_t count_triangles(const struct aiScene *scene) {
    int64_t count = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; f++)
            count += scene->mMeshes[m]->mFaces[f].mNumIndices == 3;
    return count;
}

/* False when a face names a vertex that is not there. */
static bool copy_triangles(const struct aiScene *scene, mnTriangles *triangles) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            if (face->mNumIndices != 3) continue;
            for (int v = 0; v < 3; v++) {
                if (face->mIndices[v] >= mesh->mNumVertices) return false;
                const struct aiVector3D *x = &mesh->mVertices[face->mIndices[v]];
                double *corner = triangles->corner[3 * triangles->count + v];
                corner[0] = (double)x->x;
                corner[1] = (double)x->y;
                corner[2] = (double)x->z;
            }
            triangles->count++;
        }
    }
    return true;
}

static mnStatus take_triangles(const char *path, const struct aiScene *scene, mnTriangles *triangles, mnError *error) {
    int64_t count = count_triangles(scene);
    if (count == 0) return MN_OK; /* said by mn_mesh_build */
    triangles->corner = malloc(3 * (size_t)count * sizeof *triangles->corner);
    if (!triangles->corner)
        return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory for %lld triangles", path, (long long)count);
    if (!copy_triangles(scene, triangles))
        return mn_error_set(error, MN_ERROR_INPUT, "%s: a face of the mesh names a vertex that does not exist", path);
    return MN_OK;
}

mnStatus mn_mesh_import(const char *path, mnTriangles *triangles, mnError *error) {
    *triangles = (mnTriangles){0};
    mnStatus status = check_file(path, error);
    if (status != MN_OK) return status;
    struct aiPropertyStore *properties = aiCreatePropertyStore();
    if (!properties) return mn_error_set(error, MN_ERROR_MEMORY, "%s: no memory to read the mesh", path);
    aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    /* Transforms of a glTF scene's nodes are applied to the vertices, so that only triangles are left. */
    unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices |
                     aiProcess_JoinIdenticalVertices | aiProcess_ValidateDataStructure;
    const struct aiScene *scene = aiImportFileExWithProperties(path, steps, NULL, properties);
    aiReleasePropertyStore(properties);
    if (!scene)
        return mn_error_set(error, MN_ERROR_INPUT, "%s: cannot be read as a mesh: %s", path, aiGetErrorString());
    status = take_triangles(path, scene, triangles, error);
    aiReleaseImport(scene);
    return status;
}

#else

mnStatus mn_mesh_import(const char *path, mnTriangles *triangles, mnError *error) {
    *triangles = (mnTriangles){0};
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "%s: this build cannot read meshes; install assimp (libassimp-dev) and build again", path);
}

#endif
