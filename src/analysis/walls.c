#include "analysis/walls.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/vector.h"

/* Only meshes are slow to ask, so only they get a box that spares most questions. Walls of hollow ones lie outside the
 * shape, at least as thick as six layers of particles. */
static void set_bounds(mnWall *wall) {
    bool is_slow = wall->solid->shape.kind == MN_SHAPE_MESH;
    double margin = 8 * wall->spacing + wall->solid->shape.thickness;
    if (is_slow) mn_geometry_bounds(wall->geometry, wall->lower, wall->upper);
    for (int c = 0; c < 3; c++) {
        wall->lower[c] = is_slow ? wall->lower[c] - margin : -INFINITY;
        wall->upper[c] = is_slow ? wall->upper[c] + margin : INFINITY;
    }
}

mnStatus mn_walls_create(const mnSceneDesc *scene, mnWalls *walls, mnError *error) {
    *walls = (mnWalls){.wall = calloc((size_t)scene->solid_count + 1, sizeof *walls->wall)};
    if (!walls->wall) return mn_error_set(error, MN_ERROR_MEMORY, "no memory for %d solids", scene->solid_count);
    mnStatus status = MN_OK;
    for (int s = 0; s < scene->solid_count && status == MN_OK; s++) {
        mnWall *wall = &walls->wall[s];
        wall->solid = &scene->solids[s];
        wall->spacing = scene->spacing;
        status = mn_geometry_create(&wall->solid->shape, scene->folder, scene->dimension, scene->spacing,
                                    &wall->geometry, error);
        if (status != MN_OK) break;
        walls->count++;
        set_bounds(wall);
    }
    mn_walls_move(walls, 0);
    if (status != MN_OK) mn_walls_clear(walls);
    return status;
}

void mn_walls_move(mnWalls *walls, double time) {
    for (int s = 0; s < walls->count; s++) {
        mnWall *wall = &walls->wall[s];
        wall->pose = mn_motion_pose(wall->solid->motion, wall->solid->motion_count, time);
        mn_motion_velocity(wall->solid->motion, wall->solid->motion_count, time, wall->linear, wall->angular);
    }
}

mnStatus mn_walls_place(mnWalls *walls, bool has_time, double time, const char *path, mnError *error) {
    for (int s = 0; s < walls->count && !has_time; s++)
        if (walls->wall[s].solid->motion_count > 1) /* one key alone is a place */
            return mn_error_set(error, MN_ERROR_INPUT,
                                "%s does not tell its time, so it is not known where the solid \"%s\" is; PLY and VTP "
                                "frames do",
                                path, walls->wall[s].solid->name);
    mn_walls_move(walls, has_time ? time : 0);
    return MN_OK;
}

void mn_walls_clear(mnWalls *walls) {
    for (int s = 0; s < walls->count; s++) mn_geometry_destroy(walls->wall[s].geometry);
    free(walls->wall);
    *walls = (mnWalls){0};
}

double mn_wall_distance(const mnWall *wall, const double point[3]) {
    double local[3];
    mn_pose_undo(&wall->pose, point, local);
    return mn_geometry_material(wall->geometry, local);
}

/* By differences, since mn_geometry_probe knows shapes but not the walls around hollow ones. */
double mn_wall_probe(const mnWall *wall, const double point[3], double normal[3]) {
    const double shift = 1e-4 * wall->spacing;
    double local[3];
    mn_pose_undo(&wall->pose, point, local);
    for (int c = 0; c < 3; c++) {
        double ahead[3], behind[3];
        copy3(ahead, local);
        copy3(behind, local);
        ahead[c] += shift;
        behind[c] -= shift;
        normal[c] = mn_geometry_material(wall->geometry, ahead) - mn_geometry_material(wall->geometry, behind);
    }
    normalise3(normal);
    mnPose turn = wall->pose;
    for (int c = 0; c < 3; c++) turn.translation[c] = 0;
    mn_pose_apply(&turn, normal, normal);
    return mn_geometry_material(wall->geometry, local);
}

double mn_walls_probe(const void *context, const double point[3], double normal[3]) {
    const mnWalls *walls = context;
    const mnWall *nearest = NULL;
    double least = INFINITY;
    for (int s = 0; s < walls->count; s++) {
        double distance = mn_wall_distance(&walls->wall[s], point);
        if (distance >= least) continue;
        least = distance;
        nearest = &walls->wall[s];
    }
    for (int c = 0; c < 3; c++) normal[c] = 0;
    return nearest && least < 3 * nearest->spacing ? mn_wall_probe(nearest, point, normal) : least;
}

bool mn_wall_is_near(const mnWall *wall, const double point[3], double margin) {
    double local[3];
    mn_pose_undo(&wall->pose, point, local);
    for (int c = 0; c < 3; c++)
        if (local[c] < wall->lower[c] || local[c] > wall->upper[c]) return false;
    return mn_geometry_in_material(wall->geometry, local, margin);
}

void mn_wall_velocity(const mnWall *wall, const double point[3], double velocity[3]) {
    double arm[3], turning[3];
    subtract3(arm, point, wall->pose.translation);
    cross3(turning, wall->angular, arm);
    for (int c = 0; c < 3; c++) velocity[c] = wall->linear[c] + turning[c];
}
