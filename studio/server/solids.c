#include "solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/tessellate.h"
#include "scene/motion.h"
#include "wire.h"

/* Of one solid, and of all. Finer ones of round shapes cannot be told apart on a screen. */
enum { TRIANGLES_MOST = 50000, TRIANGLES_IN_ALL = 200000, CELLS_MOST = 400 };

static mnStatus no_memory(mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the triangles of the solids");
}

static bool make_room(mnTriangles *triangles, int64_t count, int64_t *room) {
    if (triangles->count + count <= *room) return true;
    int64_t larger = 2 * (triangles->count + count);
    double(*corner)[3] = realloc(triangles->corner, 3 * (size_t)larger * sizeof *corner);
    if (!corner) return false;
    triangles->corner = corner;
    *room = larger;
    return true;
}

/* ---- 2D ---------------------------------------------------------------------------------------------------------- */

static void put_rectangle(mnTriangles *triangles, double x0, double x1, double y0, double y1) {
    const double corners[6][3] = {{x0, y0, 0}, {x1, y0, 0}, {x1, y1, 0}, {x0, y0, 0}, {x1, y1, 0}, {x0, y1, 0}};
    memcpy(triangles->corner + 3 * triangles->count, corners, sizeof corners);
    triangles->count += 2;
}

/* Rows of cells whose centres are in the material, each run of them a rectangle. */
static mnStatus fill(const mnGeometry *geometry, const mnShape *shape, double spacing, mnTriangles *triangles,
                     mnError *error) {
    double lower[3], upper[3], wall = fmax(shape->thickness, 4 * spacing), size = 0.5 * spacing;
    mn_geometry_bounds(geometry, lower, upper);
    for (int a = 0; a < 2; a++) {
        lower[a] -= wall; /* around a container, and under a plane */
        upper[a] += wall;
        size = fmax(size, (upper[a] - lower[a]) / CELLS_MOST);
    }
    int64_t room = 0;
    for (double y = lower[1]; y < upper[1]; y += size) {
        double start = NAN;
        for (double x = lower[0]; x < upper[0] + size; x += size) {
            const double centre[3] = {x + 0.5 * size, y + 0.5 * size, 0};
            bool is_inside = x < upper[0] && mn_geometry_in_material(geometry, centre, 0);
            if (is_inside && isnan(start)) start = x;
            if (is_inside || isnan(start)) continue;
            if (!make_room(triangles, 2, &room)) return no_memory(error);
            put_rectangle(triangles, start, x, y, y + size);
            start = NAN;
        }
    }
    return MN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Round shapes get triangles as large as it takes for there to be few enough. */
static mnStatus tessellate(const mnGeometry *geometry, double spacing, mnTriangles *triangles, mnError *error) {
    double first = fmax(spacing, sqrt(4 * mn_geometry_area(geometry) / TRIANGLES_MOST));
    for (double size = first; size < 10 * first; size *= 2) {
        mnStatus status = mn_geometry_triangles(geometry, size, triangles, error);
        if (status != MN_OK || triangles->count <= TRIANGLES_MOST) return status;
        free(triangles->corner);
        *triangles = (mnTriangles){0};
    }
    return MN_OK;
}

static mnStatus show_solid(const mnSceneDesc *scene, const mnSolid *solid, mnTriangles *triangles, mnError *error) {
    mnGeometry *geometry = NULL;
    mnStatus status =
        mn_geometry_create(&solid->shape, scene->folder, scene->dimension, scene->spacing, &geometry, error);
    if (status == MN_OK)
        status = scene->dimension == 2 ? fill(geometry, &solid->shape, scene->spacing, triangles, error)
                                       : tessellate(geometry, scene->spacing, triangles, error);
    mn_geometry_destroy(geometry);
    return status;
}

mnStatus mn_solids_show(const mnSceneDesc *scene, mnStudioSolids *solids, mnError *error) {
    *solids = (mnStudioSolids){0};
    mnTriangles all = {0};
    int64_t room = 0;
    json_t *list = json_array();
    mnStatus status = MN_OK;
    for (int s = 0; s < scene->solid_count && status == MN_OK; s++) {
        const mnSolid *solid = &scene->solids[s];
        mnTriangles own = {0};
        status = show_solid(scene, solid, &own, error);
        if (own.count > TRIANGLES_MOST || all.count + own.count > TRIANGLES_IN_ALL) own.count = 0;
        if (status == MN_OK && !make_room(&all, own.count, &room)) status = no_memory(error);
        if (status == MN_OK) {
            json_array_append_new(list, json_pack("{s:s,s:b,s:b,s:b,s:I,s:I}", "name", solid->name, "moves",
                                                  solid->motion_count > 0, "glass", solid->glass, "hollow",
                                                  solid->shape.hollow, "first", (json_int_t)all.count, "triangles",
                                                  (json_int_t)own.count));
            if (all.corner && own.corner)
                memcpy(all.corner + 3 * all.count, own.corner, 3 * (size_t)own.count * sizeof *own.corner);
            all.count += own.count;
        }
        free(own.corner);
    }
    if (status == MN_OK) {
        solids->list = mn_message_json(json_pack("{s:s,s:O}", "type", "solids", "solids", list), 9);
        solids->triangles = mn_wire_triangles(&all);
        if (!solids->list || !solids->triangles) status = no_memory(error);
    }
    if (status != MN_OK) mn_solids_clear(solids);
    json_decref(list);
    free(all.corner);
    return status;
}

void mn_solids_clear(mnStudioSolids *solids) {
    mn_message_drop(solids->list);
    mn_message_drop(solids->triangles);
    *solids = (mnStudioSolids){0};
}

mnMessage *mn_solids_poses(const mnSceneDesc *scene, double time) {
    json_t *poses = json_array();
    for (int s = 0; s < scene->solid_count; s++) {
        const mnSolid *solid = &scene->solids[s];
        if (solid->motion_count == 0) continue;
        mnPose pose = mn_motion_pose(solid->motion, solid->motion_count, time);
        json_array_append_new(poses, json_pack("{s:s,s:o,s:o}", "solid", solid->name, "translation",
                                               mn_json_vector(pose.translation, 3), "rotation",
                                               mn_json_vector(pose.rotation, 4)));
    }
    if (json_array_size(poses) > 0)
        return mn_message_json(json_pack("{s:s,s:f,s:o}", "type", "poses", "time", time, "poses", poses), 9);
    json_decref(poses);
    return NULL;
}
