#include "render/build.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/tessellate.h"
#include "geometry/vector.h"
#include "surface/surface.h"

/* What is left of light after one unit of the tableau in water, half the picture's height: no water of a few
 * millimetres has a colour, but with none at all its thickness cannot be seen. */
static const mnV3 tint = {0.72F, 0.88F, 0.93F};
static const mnV3 clay_colour = {0.74F, 0.40F, 0.27F}, glass_colour = {0.96F, 0.97F, 0.97F};
static const mnV3 solid_colours[] = {
    {0.64F, 0.64F, 0.63F}, {0.58F, 0.51F, 0.42F}, {0.44F, 0.51F, 0.56F}, {0.56F, 0.44F, 0.43F}};
enum { SOLID_COLOURS = sizeof solid_colours / sizeof solid_colours[0] };

/* Ways while the shutter is open, in units of the tableau: shorter ones are not worth the time, and for longer ones the
 * shutter closes sooner, or nothing could be made out. */
static const double blur_least = 0.003, blur_most = 0.06;

mnScale mn_scale_of(const mnView *view) {
    mnScale scale = {.unit = tan(0.5 * view->fov) * sqrt(distance_squared3(view->from, view->to))};
    copy3(scale.origin, view->to);
    return scale;
}

mnV3 mn_scale_point(const mnScale *scale, const double point[3]) {
    double off[3];
    subtract3(off, point, scale->origin);
    return v3((float)(off[0] / scale->unit), (float)(off[1] / scale->unit), (float)(off[2] / scale->unit));
}

mnLens mn_lens_of(const mnView *view, const mnScale *scale, double aspect) {
    double forward[3], right[3], up[3];
    subtract3(forward, view->to, view->from);
    normalise3(forward);
    cross3(right, forward, view->up);
    if (normalise3(right) < 1e-6) {
        double other[3] = {fabs(forward[0]) < 0.5, fabs(forward[0]) >= 0.5, 0};
        cross3(right, forward, other);
        normalise3(right);
    }
    cross3(up, right, forward);
    double half = tan(0.5 * view->fov);
    return (mnLens){.origin = mn_scale_point(scale, view->from),
                    .right = v3_from(right),
                    .up = v3_from(up),
                    .forward = v3_from(forward),
                    .half_width = (float)(half * aspect),
                    .half_height = (float)half,
                    .radius = (float)(0.5 * view->aperture / scale->unit),
                    .focus = (float)(view->focus / scale->unit)};
}

static mnStatus no_memory(mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the surfaces of a picture");
}

/* ---- solids ------------------------------------------------------------------------------------------------------ */

static void place_corners(const mnTriangles *triangles, const mnPose *pose, const mnScale *scale, mnV3 *vertex) {
    for (int64_t i = 0; i < 3 * triangles->count; i++) {
        double at[3];
        mn_pose_apply(pose, triangles->corner[i], at);
        vertex[i] = mn_scale_point(scale, at);
    }
}

/* Whether the triangle's normal points into the shape: then it is the inner side of a wall. */
static bool faces_inwards(const mnWall *wall, const double (*corner)[3]) {
    double a[3], b[3], normal[3], point[3];
    subtract3(a, corner[1], corner[0]);
    subtract3(b, corner[2], corner[0]);
    cross3(normal, a, b);
    normalise3(normal);
    for (int c = 0; c < 3; c++) point[c] = (corner[0][c] + corner[1][c] + corner[2][c]) / 3;
    add_scaled3(point, point, 0.1 * wall->spacing, normal);
    return mn_geometry_distance(wall->geometry, point) < 0;
}

/* Of a container only the side within is shown. */
static void keep_inner_side(const mnWall *wall, mnTriangles *triangles) {
    int64_t kept = 0;
    for (int64_t t = 0; t < triangles->count; t++) {
        const double(*corner)[3] = (const double(*)[3])triangles->corner + 3 * t;
        if (!faces_inwards(wall, corner)) continue;
        memmove(triangles->corner[3 * kept++], corner, 3 * sizeof *corner);
    }
    triangles->count = kept;
}

static mnPose pose_at(const mnWall *wall, double time) {
    return mn_motion_pose(wall->solid->motion, wall->solid->motion_count, time);
}

static mnStatus build_solid(const mnBuildDesc *desc, const mnScale *scale, const mnWall *wall, mnV3 colour, double time,
                            mnPart *part, mnError *error) {
    mnTriangles triangles = {0};
    mnStatus status = mn_geometry_triangles(wall->geometry, 0.02 * scale->unit, &triangles, error);
    if (status != MN_OK) return status;
    bool hollow = wall->solid->shape.hollow, clear = hollow || wall->solid->glass;
    bool moves = wall->solid->motion_count > 1 && desc->shutter > 0;
    if (hollow) keep_inner_side(wall, &triangles);
    size_t count = 3 * (size_t)triangles.count;
    mnV3 *vertex = malloc((count + 1) * sizeof *vertex), *end = moves ? malloc((count + 1) * sizeof *end) : NULL;
    int32_t(*corner)[3] = malloc(((size_t)triangles.count + 1) * sizeof *corner);
    *part = (mnPart){.material = clear ? MN_MATERIAL_GLASS : MN_MATERIAL_MATT,
                     .colour = clear ? glass_colour : colour,
                     .coat = 0.035F,
                     .vertex_count = 3 * triangles.count,
                     .triangle_count = triangles.count,
                     .vertex = vertex,
                     .vertex_end = end,
                     .triangle = (const int32_t(*)[3])corner};
    if (!vertex || !corner || (moves && !end)) {
        free(triangles.corner);
        return no_memory(error);
    }
    double half = moves ? 0.5 * desc->shutter : 0;
    mnPose pose = pose_at(wall, time - half);
    place_corners(&triangles, &pose, scale, vertex);
    pose = pose_at(wall, time + half);
    if (end) place_corners(&triangles, &pose, scale, end);
    for (int64_t t = 0; t < triangles.count; t++)
        for (int c = 0; c < 3; c++) corner[t][c] = (int32_t)(3 * t + c);
    free(triangles.corner);
    return MN_OK;
}

/* ---- the fluid --------------------------------------------------------------------------------------------------- */

static void place_vertices(const mnSurface *surface, double later, const mnScale *scale, mnV3 *vertex) {
    for (int64_t i = 0; i < surface->vertex_count; i++) {
        double at[3];
        for (int c = 0; c < 3; c++) at[c] = surface->vertex[i][c] + later * surface->velocity[i][c];
        vertex[i] = mn_scale_point(scale, at);
    }
}

static mnStatus take_surface(const mnBuildDesc *desc, const mnScale *scale, mnSurface *surface, mnPart *part,
                             mnError *error) {
    bool blurred = desc->shutter > 0;
    size_t count = (size_t)surface->vertex_count + 1;
    mnV3 *vertex = malloc(count * sizeof *vertex), *end = blurred ? malloc(count * sizeof *end) : NULL;
    mnV3 *normal = malloc(count * sizeof *normal);
    bool clay = desc->look == MN_LOOK_CLAY;
    *part = (mnPart){.material = clay ? MN_MATERIAL_MATT : MN_MATERIAL_WATER,
                     .colour = clay ? clay_colour : v3(1, 1, 1),
                     .coat = 0.04F,
                     .vertex_count = surface->vertex_count,
                     .triangle_count = surface->triangle_count,
                     .vertex = vertex,
                     .vertex_end = end,
                     .normal = normal,
                     .triangle = (const int32_t(*)[3])surface->triangle};
    surface->triangle = NULL; /* the part's now */
    if (!vertex || !normal || (blurred && !end)) return no_memory(error);
    double half = blurred ? 0.5 * desc->shutter : 0;
    place_vertices(surface, -half, scale, vertex);
    if (end) place_vertices(surface, half, scale, end);
    for (int64_t i = 0; i < surface->vertex_count; i++)
        normal[i] = v3(surface->normal[i][0], surface->normal[i][1], surface->normal[i][2]);
    return MN_OK;
}

static mnStatus build_fluid(const mnBuildDesc *desc, const mnScale *scale, const mnWalls *walls, const mnFrame *frame,
                            mnPart *part, mnError *error) {
    mnSurfaceDesc wanted = mn_default_surface();
    wanted.count = frame->particles.count;
    wanted.position = frame->particles.position;
    wanted.velocity = frame->particles.velocity;
    wanted.spacing = desc->spacing;
    wanted.solid = walls->count > 0 ? mn_walls_probe : NULL;
    wanted.context = walls;
    wanted.threads = desc->threads;
    mnSurface surface = {0};
    mnStatus status = mn_surface_make(&wanted, &surface, error);
    if (status == MN_OK) status = take_surface(desc, scale, &surface, part, error);
    mn_surface_clear(&surface);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* The ground lies under all there is. */
static void lay_ground(const mnBuildDesc *desc, const mnScale *scale, mnTableau *tableau) {
    double origin = dot3(scale->origin, desc->up);
    tableau->ground_height = (float)((desc->lowest - 0.5 * desc->spacing - origin) / scale->unit);
    for (int p = 0; p < tableau->part_count; p++)
        for (int64_t i = 0; i < tableau->parts[p].vertex_count; i++)
            tableau->ground_height = fminf(tableau->ground_height, v3_dot(tableau->parts[p].vertex[i], tableau->up));
    tableau->ground_height -= 0.01F;
    tableau->has_ground = desc->has_ground && isfinite(tableau->ground_height);
}

static double shutter_for(double wanted, const mnParticles *p, double unit) {
    double squared = 0;
    for (int64_t i = 0; i < p->count; i++) {
        mnVec v = p->velocity[i];
        squared = fmax(squared, (double)(v.x * v.x + v.y * v.y + v.z * v.z));
    }
    double way = wanted * sqrt(squared) / unit;
    return way < blur_least ? 0 : way > blur_most ? wanted * blur_most / way : wanted;
}

mnStatus mn_build(const mnBuildDesc *asked, const mnWalls *walls, const mnFrame *frame, mnBuilt *built,
                  mnError *error) {
    mnBuildDesc changed = *asked;
    const mnBuildDesc *desc = &changed;
    mnScale scale = mn_scale_of(desc->view);
    changed.shutter = shutter_for(asked->shutter, &frame->particles, scale.unit);
    mnTableau *tableau = &built->tableau;
    *tableau = (mnTableau){.up = v3_from(desc->up),
                           .absorption = v3(-logf(tint.x), -logf(tint.y), -logf(tint.z)),
                           .contact_gap = (float)(desc->spacing / scale.unit),
                           .lens = mn_lens_of(desc->view, &scale, desc->aspect)};
    int solids = desc->flat ? 0 : walls->count;
    built->parts = calloc((size_t)solids + 1, sizeof *built->parts);
    if (!built->parts) return no_memory(error);
    tableau->parts = built->parts;
    mnStatus status = MN_OK;
    for (int i = 0; i < solids && status == MN_OK; i++)
        status = build_solid(desc, &scale, &walls->wall[i], solid_colours[i % SOLID_COLOURS], frame->time,
                             &built->parts[tableau->part_count++], error);
    if (status == MN_OK && !mn_look_is_field(desc->look))
        status = build_fluid(desc, &scale, walls, frame, &built->parts[tableau->part_count++], error);
    if (status != MN_OK) return status;
    lay_ground(desc, &scale, tableau);
    mn_studio_light(tableau, desc->from_behind);
    return MN_OK;
}

void mn_built_clear(mnBuilt *built) {
    for (int p = 0; p < built->tableau.part_count; p++) {
        mnPart *part = &built->parts[p];
        free((void *)part->vertex);
        free((void *)part->vertex_end);
        free((void *)part->normal);
        free((void *)part->triangle);
    }
    free(built->parts);
    *built = (mnBuilt){0};
}
