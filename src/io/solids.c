#include "io/solids.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/tessellate.h"
#include "io/file.h"
#include "scene/motion.h"

enum { CORNERS_AT_ONCE = 1024, CORNER_BYTES = 12, FACE_BYTES = 13 };

static const char ply_start[] = "ply\nformat binary_little_endian 1.0\ncomment meniscus solid\n";
static const char csv_start[] = "time [s],x [m],y [m],z [m],qx,qy,qz,qw\n";
static const char *const starts[] = {ply_start, csv_start, NULL};

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* DIR/solids/NAME and the ending; free it. NULL: no memory. */
static char *path_of(const char *folder, const mnSolid *solid, const char *ending) {
    char name[128];
    snprintf(name, sizeof name, "solids/%.100s%s", solid->name ? solid->name : "solid", ending);
    for (char *c = name + strlen("solids/"); *c; c++)
        if (*c == '/') *c = '.';
    return mn_path_join(folder, name);
}

static mnStatus no_memory(const char *folder, mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write the solids into %s", folder);
}

/* Somebody may keep meshes of his own in a folder of this name. */
static mnStatus create(mnFile *file, const char *path, mnError *error) {
    mnStatus status = mn_file_check_ours(path, starts, error);
    return status == MN_OK ? mn_file_create(file, path, error) : status;
}

void mn_solids_remove(const char *folder) {
    char *solids = mn_path_join(folder, "solids");
    DIR *entries = solids ? opendir(solids) : NULL;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        char *path = mn_path_join(solids, entry->d_name);
        if (path && mn_file_check_ours(path, starts, NULL) == MN_OK) unlink(path);
        free(path);
    }
    if (entries) closedir(entries);
    if (solids) rmdir(solids); /* where nothing else is in it */
    free(solids);
}

mnStatus mn_solids_sync(const char *folder, mnError *error) {
    char *solids = mn_path_join(folder, "solids");
    if (!solids) return no_memory(folder, error);
    DIR *entries = opendir(solids);
    mnStatus status = MN_OK;
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry && status == MN_OK; entry = readdir(entries)) {
        char *path = mn_path_join(solids, entry->d_name);
        if (path && mn_file_check_ours(path, starts, NULL) == MN_OK) status = mn_path_sync(path, error);
        free(path);
    }
    if (entries && status == MN_OK) status = mn_path_sync(solids, error);
    if (entries) closedir(entries);
    free(solids);
    return status;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

static void put_corners(mnFile *file, const mnTriangles *triangles, const mnPose *start) {
    unsigned char buffer[CORNERS_AT_ONCE * CORNER_BYTES], *end = buffer;
    for (int64_t c = 0; c < 3 * triangles->count; c++) {
        double x[3];
        mn_pose_apply(start, triangles->corner[c], x);
        for (int axis = 0; axis < 3; axis++) end = mn_put_f32(end, x[axis]);
        if (end == buffer + sizeof buffer || c + 1 == 3 * triangles->count) {
            mn_file_put(file, buffer, (size_t)(end - buffer));
            end = buffer;
        }
    }
}

/* Triangles do not share corners, so that edges stay sharp in programs that smooth. */
static void put_faces(mnFile *file, int64_t count) {
    for (int64_t t = 0; t < count; t++) {
        unsigned char face[FACE_BYTES] = {3}, *end = face + 1;
        for (int c = 0; c < 3; c++) end = mn_put_u32(end, (uint32_t)(3 * t + c));
        mn_file_put(file, face, sizeof face);
    }
}

static mnStatus write_triangles(const char *path, const mnSolid *solid, const mnTriangles *triangles, mnError *error) {
    if (triangles->count > UINT32_MAX / 3)
        return mn_error_set(error, MN_ERROR_FILE, "%s: a PLY file has no room for %lld triangles", path,
                            (long long)triangles->count);
    mnFile file;
    mnStatus status = create(&file, path, error);
    if (status != MN_OK) return status;
    mnPose start = mn_motion_pose(solid->motion, solid->motion_count, 0);
    mn_file_print(&file, "%selement vertex %lld\n", ply_start, (long long)(3 * triangles->count));
    mn_file_print(&file,
                  "property float x\nproperty float y\nproperty float z\nelement face %lld\n"
                  "property list uchar uint vertex_indices\nend_header\n",
                  (long long)triangles->count);
    put_corners(&file, triangles, &start);
    put_faces(&file, triangles->count);
    return mn_file_commit(&file, error);
}

static mnStatus write_solid(const char *folder, const mnSceneDesc *scene, const mnSolid *solid, mnError *error) {
    mnGeometry *geometry = NULL;
    mnTriangles triangles = {0};
    char *path = path_of(folder, solid, ".ply");
    mnStatus status =
        path ? mn_geometry_create(&solid->shape, scene->folder, scene->dimension, scene->spacing, &geometry, error)
             : no_memory(folder, error);
    if (status == MN_OK) status = mn_geometry_triangles(geometry, scene->spacing, &triangles, error);
    if (status == MN_OK) status = write_triangles(path, solid, &triangles, error);
    free(triangles.corner);
    mn_geometry_destroy(geometry);
    free(path);
    return status;
}

mnStatus mn_solids_write(const char *folder, const mnSceneDesc *scene, mnError *error) {
    if (scene->dimension != 3 || scene->solid_count == 0) return MN_OK;
    char *solids = mn_path_join(folder, "solids");
    mnStatus status = solids ? mn_folder_create(solids, error) : no_memory(folder, error);
    free(solids);
    for (int i = 0; i < scene->solid_count && status == MN_OK; i++)
        status = write_solid(folder, scene, &scene->solids[i], error);
    return status;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* What takes the solid from its pose at the start to that of a time: R = R(t)·R(0)ᵀ, T = T(t) − R·T(0). */
static mnPose pose_since_start(const mnSolid *solid, double time) {
    mnPose start = mn_motion_pose(solid->motion, solid->motion_count, 0);
    mnPose then = mn_motion_pose(solid->motion, solid->motion_count, time);
    const double *a = then.rotation;
    const double b[4] = {-start.rotation[0], -start.rotation[1], -start.rotation[2], start.rotation[3]};
    mnPose pose = {.rotation = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                                a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
                                a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
                                a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]}};
    double turned[3];
    mn_pose_apply(&pose, start.translation, turned);
    for (int axis = 0; axis < 3; axis++) pose.translation[axis] = then.translation[axis] - turned[axis];
    return pose;
}

/* What is left of a difference that should be zero is zero, and without a sign. */
static double tidy(double value) {
    return fabs(value) < 1e-15 ? 0 : value;
}

static mnStatus write_motion(const char *folder, const mnSolid *solid, const double *times, int64_t count,
                             mnError *error) {
    char *path = path_of(folder, solid, ".csv");
    mnFile file;
    mnStatus status = path ? create(&file, path, error) : no_memory(folder, error);
    free(path);
    if (status != MN_OK) return status;
    mn_file_print(&file, "%s", csv_start);
    for (int64_t k = 0; k < count; k++) {
        mnPose p = pose_since_start(solid, times[k]);
        mn_file_print(&file, "%.12g,%.9g,%.9g,%.9g", times[k], tidy(p.translation[0]), tidy(p.translation[1]),
                      tidy(p.translation[2]));
        mn_file_print(&file, ",%.12g,%.12g,%.12g,%.12g\n", tidy(p.rotation[0]), tidy(p.rotation[1]),
                      tidy(p.rotation[2]), tidy(p.rotation[3]));
    }
    return mn_file_commit(&file, error);
}

mnStatus mn_solids_move(const char *folder, const mnSceneDesc *scene, const double *times, int64_t count,
                        mnError *error) {
    mnStatus status = MN_OK;
    for (int i = 0; i < scene->solid_count && status == MN_OK; i++)
        if (scene->dimension == 3 && scene->solids[i].motion_count > 0)
            status = write_motion(folder, &scene->solids[i], times, count, error);
    return status;
}
