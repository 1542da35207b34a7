#include "render/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "render/build.h"
#include "render/camera.h"
#include "render/colours.h"
#include "render/legend.h"
#include "render/rays.h"
#include "render/splat.h"
#include "render/trace.h"

/* Frames that camera and colours are chosen by, and points of each that the camera is. */
enum { FRAMES_LOOKED_AT = 12, POINTS_OF_A_FRAME = 2000 };

/* Of spacings: they touch. */
static const double ball_radius = 0.55;

/* Share of the time between two frames for which the shutter is open. */
static const double shutter_share = 0.25;

struct mnShow {
    const mnRunFolder *run;
    const mnShowDesc *desc;
    const mnSceneDesc *scene; /* NULL: none */
    int dimension;
    mnWalls walls;
    mnLook look;
    double range[2]; /* of the field */
    mnBuildDesc build;
    mnView view;
};

/* ---- looking through the frames ---------------------------------------------------------------------------------- */

typedef struct Points {
    double (*point)[3];
    int64_t count;
} Points;

/* Of a run without a scene. */
static mnStatus find_spacing(mnShow *show, const mnFrame *frame, int64_t index, mnError *error) {
    if (show->build.spacing > 0 || frame->particles.count == 0) return MN_OK;
    double volume = (double)frame->particles.position[0].w;
    show->build.spacing = pow(volume, 1.0 / 3);
    if (volume > 0) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT,
                        "%s has no radii and there is no scene.json of its run: the size of its particles is not known",
                        show->run->frames[index].path);
}

static mnStatus look_at_frame(mnShow *show, int64_t index, Points *points, mnError *error) {
    mnFrame frame = {0};
    mnStatus status = mn_run_folder_read(show->run, index, &frame, error);
    if (status == MN_OK) status = find_spacing(show, &frame, index, error);
    if (status == MN_OK && mn_look_is_field(show->look))
        status = mn_field_range(show->look, &frame.particles, show->build.up, show->range, error);
    if (status == MN_OK) {
        int64_t stride = frame.particles.count / POINTS_OF_A_FRAME + 1;
        for (int64_t i = 0; i < frame.particles.count; i += stride) {
            mnVec x = frame.particles.position[i];
            double *to = points->point[points->count++];
            memcpy(to, (const double[3]){(double)x.x, (double)x.y, (double)x.z}, 3 * sizeof *to);
            show->build.lowest = fmin(show->build.lowest, dot3(to, show->build.up));
        }
    }
    mn_frame_clear(&frame);
    return status;
}

/* The first, the last and some between. */
static mnStatus look_through(mnShow *show, Points *points, mnError *error) {
    int64_t frames = show->run->frame_count, looks = frames < FRAMES_LOOKED_AT ? frames : FRAMES_LOOKED_AT;
    points->point = malloc((size_t)looks * (POINTS_OF_A_FRAME + 1) * sizeof *points->point);
    if (!points->point) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to find a camera");
    mnStatus status = MN_OK;
    for (int64_t k = 0; k < looks && status == MN_OK; k++)
        status = look_at_frame(show, looks > 1 ? k * (frames - 1) / (looks - 1) : 0, points, error);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static mnStatus choose_look(mnShow *show, mnError *error) {
    show->look = show->desc->look;
    if (show->look == MN_LOOK_AUTO && show->scene) show->look = show->scene->view.look;
    if (show->look == MN_LOOK_AUTO) show->look = show->dimension == 2 ? MN_LOOK_SPEED : MN_LOOK_WATER;
    if (mn_look_is_field(show->look)) return MN_OK;
    if (show->dimension == 2)
        return mn_error_set(error, MN_ERROR_INPUT, "a 2D run has no surface to look at; its looks are field:NAME");
    return mn_rays_check(error);
}

static void place_light(mnShow *show, const mnSubject *subject) {
    mnScale scale = mn_scale_of(&show->view);
    mnLens lens = mn_lens_of(&show->view, &scale, show->build.aspect);
    mnV3 key = mn_studio_key(v3_from(show->build.up), &lens, true);
    show->build.from_behind = mn_camera_visible(subject, (const double[3]){key.x, key.y, key.z}) > 0.5;
}

static mnStatus choose_view(mnShow *show, mnError *error) {
    show->view = show->scene ? show->scene->view : mn_default_view();
    mnStatus status = show->desc->camera ? mn_camera_parse(show->desc->camera, &show->view, error) : MN_OK;
    if (status != MN_OK) return status;
    Points points = {0};
    status = look_through(show, &points, error);
    mnSubject subject = {.point = (const double(*)[3])points.point,
                         .point_count = points.count,
                         .spacing = show->build.spacing,
                         .dimension = show->dimension,
                         .walls = &show->walls};
    copy3(subject.up, show->build.up);
    if (status == MN_OK) status = mn_camera_find(&subject, show->build.aspect, &show->view, error);
    if (status == MN_OK) place_light(show, &subject);
    free(points.point);
    return status;
}

mnStatus mn_show_open(const mnRunFolder *run, const mnShowDesc *desc, mnShow **show, mnError *error) {
    mnShow *made = calloc(1, sizeof *made);
    if (!made) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to show a run");
    *made = (mnShow){.run = run,
                     .desc = desc,
                     .scene = run->scene ? mn_scene_desc(run->scene) : NULL,
                     .range = {INFINITY, -INFINITY},
                     .build = {.aspect = (double)desc->width / desc->height, .threads = desc->threads}};
    made->dimension = made->scene ? made->scene->dimension : 3;
    made->build.lowest = INFINITY;
    made->build.has_ground = !made->scene || length3(made->scene->gravity) > 0;
    if (made->scene) {
        made->build.shutter = shutter_share / made->scene->frames_per_second;
        made->build.spacing = made->scene->spacing;
    }
    mn_camera_up(made->scene ? made->scene->gravity : NULL, made->dimension, made->build.up);
    mnStatus status = choose_look(made, error);
    if (status == MN_OK && made->scene) status = mn_walls_create(made->scene, &made->walls, error);
    if (status == MN_OK) status = choose_view(made, error);
    made->build.look = made->look;
    made->build.flat = made->dimension == 2;
    made->build.view = &made->view;
    if (status == MN_OK)
        *show = made;
    else
        mn_show_close(made);
    return status;
}

void mn_show_close(mnShow *show) {
    if (!show) return;
    mn_walls_clear(&show->walls);
    free(show);
}

mnView mn_show_view(const mnShow *show) {
    return show->view;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static mnStatus show_surface(mnShow *show, const mnTableau *tableau, mnPicture *picture, mnError *error) {
    const mnShowDesc *d = show->desc;
    mnTraceDesc how = {d->samples, d->threads, d->go_on, d->context};
    mnTraced traced;
    mnStatus status = mn_trace(tableau, &how, d->width, d->height, &traced, error);
    if (status != MN_OK) return status;
    status = mn_filter(&traced, d->threads, picture, error);
    mn_traced_clear(&traced);
    if (status == MN_OK) mn_picture_tone(picture);
    return status;
}

static mnV3 colour_of(const mnShow *show, double value) {
    if (show->look == MN_LOOK_PHASE) return mn_colour_of_kind((int)value);
    double width = show->range[1] - show->range[0];
    return mn_colour_of(width > 0 ? (value - show->range[0]) / width : 0.5);
}

/* A place of the flat picture, for its solids. */
typedef struct Flat {
    const mnWalls *walls;
    mnScale scale;
} Flat;

static bool is_solid(const void *context, mnV3 point) {
    const Flat *flat = context;
    double at[3] = {(double)point.x, (double)point.y, 0};
    for (int c = 0; c < 2; c++) at[c] = at[c] * flat->scale.unit + flat->scale.origin[c];
    for (int i = 0; i < flat->walls->count; i++)
        if (mn_wall_distance(&flat->walls->wall[i], at) < 0) return true;
    return false;
}

static mnStatus show_particles(mnShow *show, const mnFrame *frame, const mnTableau *tableau, mnPicture *picture,
                               mnError *error) {
    const mnShowDesc *d = show->desc;
    const mnParticles *p = &frame->particles;
    mnBall *balls = malloc((size_t)(p->count + 1) * sizeof *balls);
    if (!balls) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to draw particles");
    Flat flat = {&show->walls, mn_scale_of(&show->view)};
    for (int64_t i = 0; i < p->count; i++) {
        mnVec x = p->position[i];
        balls[i].centre = mn_scale_point(&flat.scale, (const double[3]){(double)x.x, (double)x.y, (double)x.z});
        balls[i].radius = (float)(ball_radius * show->build.spacing / flat.scale.unit);
        balls[i].colour = colour_of(show, mn_field_value(show->look, p, i, show->build.up));
    }
    bool is_flat = show->dimension == 2;
    mnSplatDesc how = {.lens = &tableau->lens,
                       .balls = balls,
                       .ball_count = p->count,
                       .parts = tableau->parts,
                       .part_count = tableau->part_count,
                       .is_solid = is_flat && show->walls.count > 0 ? is_solid : NULL,
                       .context = &flat,
                       .flat = is_flat,
                       .threads = d->threads};
    mnStatus status = mn_picture_create(picture, d->width, d->height, error);
    if (status == MN_OK) status = mn_splat(&how, picture, error);
    free(balls);
    if (status != MN_OK) return status;
    mnLegend legend = {.field = show->look,
                       .range = {show->range[0], show->range[1]},
                       .has_time = frame->has_time,
                       .time = frame->time,
                       .scene = show->scene};
    mn_legend_draw(picture, &legend);
    return MN_OK;
}

mnStatus mn_show_frame(mnShow *show, int64_t index, mnPicture *picture, mnError *error) {
    mnFrame frame = {0};
    mnBuilt built = {0};
    *picture = (mnPicture){0};
    mnStatus status = mn_run_folder_read(show->run, index, &frame, error);
    const char *path = show->run->frames[index].path;
    if (status == MN_OK) status = mn_walls_place(&show->walls, frame.has_time, frame.time, path, error);
    if (status == MN_OK) status = mn_build(&show->build, &show->walls, &frame, &built, error);
    if (status == MN_OK)
        status = mn_look_is_field(show->look) ? show_particles(show, &frame, &built.tableau, picture, error)
                                              : show_surface(show, &built.tableau, picture, error);
    if (status != MN_OK) mn_picture_clear(picture);
    mn_built_clear(&built);
    mn_frame_clear(&frame);
    return status;
}
