#include "render/setting.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/geometry.h"
#include "geometry/tessellate.h"
#include "geometry/vector.h"

struct mnSetting {
    const mnSceneDesc *scene; /* NULL: none */
    mnGeometry **geometry;    /* per solid */
    mnPose *pose;
    int count;
};

mnPose mn_setting_pose(const mnSetting *setting, int solid, double time) {
    const mnSolid *s = &setting->scene->solids[solid];
    return mn_motion_pose(s->motion, s->motion_count, time);
}

void mn_setting_place(mnSetting *setting, double time) {
    for (int i = 0; i < setting->count; i++) setting->pose[i] = mn_setting_pose(setting, i, time);
}

mnStatus mn_setting_create(const mnSceneDesc *scene, mnSetting **setting, mnError *error) {
    mnSetting *made = calloc(1, sizeof *made);
    int count = scene ? scene->solid_count : 0;
    if (made) {
        made->scene = scene;
        made->geometry = calloc((size_t)count + 1, sizeof *made->geometry);
        made->pose = calloc((size_t)count + 1, sizeof *made->pose);
    }
    if (!made || !made->geometry || !made->pose) {
        mn_setting_destroy(made);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the solids of a scene");
    }
    for (int i = 0; i < count; i++) {
        mnStatus status = mn_geometry_create(&scene->solids[i].shape, scene->folder, scene->dimension, scene->spacing,
                                             &made->geometry[i], error);
        if (status != MN_OK) {
            mn_setting_destroy(made);
            return status;
        }
        made->count++;
    }
    mn_setting_place(made, 0);
    *setting = made;
    return MN_OK;
}

void mn_setting_destroy(mnSetting *setting) {
    if (!setting) return;
    for (int i = 0; i < setting->count; i++) mn_geometry_destroy(setting->geometry[i]);
    free(setting->geometry);
    free(setting->pose);
    free(setting);
}

int mn_setting_count(const mnSetting *setting) {
    return setting->count;
}

bool mn_setting_is_hollow(const mnSetting *setting, int solid) {
    return setting->scene->solids[solid].shape.hollow;
}

bool mn_setting_moves(const mnSetting *setting, int solid) {
    return setting->scene->solids[solid].motion_count > 1;
}

static double distance_to(const mnSetting *setting, int solid, const double point[3]) {
    double local[3];
    mn_pose_undo(&setting->pose[solid], point, local);
    return mn_geometry_material(setting->geometry[solid], local);
}

/* By differences over a hundredth of the spacing: the shapes tell no normals of walls. */
static void normal_of(const mnSetting *setting, int solid, const double point[3], double normal[3]) {
    double step = 0.01 * setting->scene->spacing;
    for (int c = 0; c < 3; c++) {
        double before[3], after[3];
        copy3(before, point);
        copy3(after, point);
        before[c] -= step;
        after[c] += step;
        normal[c] = distance_to(setting, solid, after) - distance_to(setting, solid, before);
    }
    normalise3(normal);
}

double mn_setting_distance(const void *setting, const double point[3], double normal[3]) {
    const mnSetting *s = setting;
    double nearest = INFINITY;
    int solid = -1;
    for (int i = 0; i < s->count; i++) {
        double distance = distance_to(s, i, point);
        if (distance < nearest) solid = i;
        nearest = fmin(nearest, distance);
    }
    if (normal && solid >= 0) normal_of(s, solid, point, normal);
    return nearest;
}

double mn_setting_cover(const mnSetting *setting, const double point[3]) {
    double nearest = INFINITY;
    for (int i = 0; i < setting->count; i++)
        if (!mn_setting_is_hollow(setting, i)) nearest = fmin(nearest, distance_to(setting, i, point));
    return nearest;
}

/* Whether the triangle's normal points into the shape: then it is the inner side of a wall. */
static bool faces_inwards(const mnGeometry *geometry, const double (*corner)[3], double step) {
    double a[3], b[3], normal[3], point[3];
    subtract3(a, corner[1], corner[0]);
    subtract3(b, corner[2], corner[0]);
    cross3(normal, a, b);
    normalise3(normal);
    for (int c = 0; c < 3; c++) point[c] = (corner[0][c] + corner[1][c] + corner[2][c]) / 3 + step * normal[c];
    return mn_geometry_distance(geometry, point) < 0;
}

mnStatus mn_setting_triangles(const mnSetting *setting, int solid, double size, mnTriangles *triangles,
                              mnError *error) {
    mnStatus status = mn_geometry_triangles(setting->geometry[solid], size, triangles, error);
    if (status != MN_OK || !mn_setting_is_hollow(setting, solid)) return status;
    int64_t kept = 0;
    for (int64_t t = 0; t < triangles->count; t++) {
        const double(*corner)[3] = (const double(*)[3])triangles->corner + 3 * t;
        if (!faces_inwards(setting->geometry[solid], corner, 0.1 * setting->scene->spacing)) continue;
        for (int c = 0; c < 3; c++) copy3(triangles->corner[3 * kept + c], corner[c]);
        kept++;
    }
    triangles->count = kept;
    return MN_OK;
}
