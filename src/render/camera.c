#include "render/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

static const double pi = 3.14159265358979323846;

/* Share of the picture that the fluid takes, across and upwards. */
static const double fill_across = 0.72, fill_upwards = 0.62;

/* The opening that a found camera has, as a share of its distance: what is in front of the fluid and behind it gets
 * soft, the fluid itself does not. */
static const double opening = 0.012;

/* ---- what the user says ------------------------------------------------------------------------------------------ */

static bool parse_numbers(const char *text, const char *end, double *values, int count) {
    for (int i = 0; i < count; i++) {
        char *after;
        double value = strtod(text, &after);
        if (after == text || after > end || !isfinite(value)) return false;
        values[i] = value;
        text = after;
        if (i + 1 < count && *text++ != ',') return false;
    }
    return text == end;
}

static bool parse_word(const char *word, const char *end, mnView *view) {
    const struct {
        const char *name;
        double *to;
        int count;
        double scale, least, most;
    } keys[] = {{"from=", view->from, 3, 1, -1e4, 1e4},       {"to=", view->to, 3, 1, -1e4, 1e4},
                {"up=", view->up, 3, 1, -1e6, 1e6},           {"fov=", &view->fov, 1, pi / 180, 1, 150},
                {"aperture=", &view->aperture, 1, 1, 0, 1e3}, {"focus=", &view->focus, 1, 1, 1e-7, 1e5}};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        size_t length = strlen(keys[k].name);
        if (strncmp(word, keys[k].name, length) != 0) continue;
        double values[3];
        if (!parse_numbers(word + length, end, values, keys[k].count)) return false;
        for (int i = 0; i < keys[k].count; i++) {
            if (!(values[i] >= keys[k].least && values[i] <= keys[k].most)) return false;
            keys[k].to[i] = values[i] * keys[k].scale;
        }
        return keys[k].to != view->up || length3(view->up) > 0;
    }
    return false;
}

mnStatus mn_camera_parse(const char *text, mnView *view, mnError *error) {
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, " ");
        if (length > 0 && !parse_word(at, at + length, view))
            return mn_error_set(error, MN_ERROR_INPUT,
                                "cannot make out \"%.*s\" of the camera; it takes from=x,y,z to=x,y,z up=x,y,z "
                                "fov=DEGREES aperture=METRES focus=METRES, any of them, with spaces between",
                                (int)length, at);
        at += length + (at[length] == ' ');
    }
    return MN_OK;
}

void mn_camera_up(const double gravity[3], int dimension, double up[3]) {
    for (int c = 0; c < 3; c++) up[c] = gravity ? -gravity[c] : 0;
    if (normalise3(up) > 0) return;
    up[dimension == 2 ? 1 : 2] = 1;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* Right, up and back (from the scene to the camera) of a picture taken out of `back`. */
typedef struct Frame {
    double right[3], up[3], back[3];
} Frame;

static Frame frame_of(const double back[3], const double up[3]) {
    Frame f;
    copy3(f.back, back);
    cross3(f.right, up, back);
    if (normalise3(f.right) < 1e-6) {
        /* Straight down: any direction can be right. */
        double other[3] = {fabs(back[0]) < 0.5, fabs(back[0]) >= 0.5, 0};
        cross3(f.right, other, back);
        normalise3(f.right);
    }
    cross3(f.up, f.back, f.right);
    return f;
}

/* The unit horizontal direction in which the points are spread most. */
static void longest_direction(const mnSubject *s, double along[3]) {
    Frame level = frame_of(s->up, (const double[3]){0, 1, 0});
    double mean[2] = {0, 0}, xx = 0, xy = 0, yy = 0;
    for (int64_t i = 0; i < s->point_count; i++) {
        mean[0] += dot3(level.right, s->point[i]) / (double)s->point_count;
        mean[1] += dot3(level.up, s->point[i]) / (double)s->point_count;
    }
    for (int64_t i = 0; i < s->point_count; i++) {
        double x = dot3(level.right, s->point[i]) - mean[0], y = dot3(level.up, s->point[i]) - mean[1];
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    /* Round ones are taken as longest along the first axis. */
    double angle = hypot(xx - yy, 2 * xy) > 0.2 * (xx + yy) ? 0.5 * atan2(2 * xy, xx - yy) : 0;
    for (int c = 0; c < 3; c++) along[c] = cos(angle) * level.right[c] + sin(angle) * level.up[c];
}

/* Distance to what hides things. */
static double cover_at(const mnWalls *walls, const double point[3]) {
    double nearest = INFINITY;
    for (int i = 0; i < walls->count; i++)
        if (!walls->wall[i].solid->shape.hollow && !walls->wall[i].solid->glass)
            nearest = fmin(nearest, mn_wall_distance(&walls->wall[i], point));
    return nearest;
}

static double extent_of(const mnSubject *s) {
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, size[3];
    for (int64_t i = 0; i < s->point_count; i++)
        for (int c = 0; c < 3; c++) {
            lower[c] = fmin(lower[c], s->point[i][c]);
            upper[c] = fmax(upper[c], s->point[i][c]);
        }
    subtract3(size, upper, lower);
    return length3(size) + s->spacing;
}

double mn_camera_visible(const mnSubject *s, const double direction[3]) {
    enum { LOOKED_AT = 48, STEPS = 200 };
    double reach = 3 * extent_of(s);
    int64_t stride = s->point_count / LOOKED_AT + 1, seen = 0, looked = 0;
    for (int64_t i = 0; i < s->point_count; i += stride, looked++) {
        double gone = 0;
        for (int step = 0; step < STEPS && gone < reach; step++) {
            double at[3];
            add_scaled3(at, s->point[i], gone, direction);
            double free = cover_at(s->walls, at);
            if (free < -0.1 * s->spacing) break;
            gone += fmax(free, 0.2 * s->spacing);
        }
        seen += gone >= reach;
    }
    return looked ? (double)seen / (double)looked : 1;
}

/* Candidates in the order in which one would try them; the first that sees nearly everything wins, else the one that
 * sees most. */
static void find_direction(const mnSubject *s, double back[3]) {
    if (s->dimension == 2) {
        memcpy(back, (const double[3]){0, 0, 1}, 3 * sizeof *back);
        return;
    }
    static const double turns[] = {-65, -115, 115, 65, 0, 180}, heights[] = {16, 35, 60, 5};
    double along[3], across[3], best = -1;
    longest_direction(s, along);
    cross3(across, s->up, along);
    for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
        for (size_t t = 0; t < sizeof turns / sizeof *turns; t++) {
            double turn = turns[t] * pi / 180, height = heights[h] * pi / 180, candidate[3];
            for (int c = 0; c < 3; c++)
                candidate[c] = cos(height) * (cos(turn) * along[c] + sin(turn) * across[c]) + sin(height) * s->up[c];
            double share = mn_camera_visible(s, candidate);
            if (share > best + 0.05) {
                best = share;
                copy3(back, candidate);
            }
            if (best > 0.95) return;
        }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Bounds of the points along a direction without the outermost hundredth on each side: a drop that flies off does not
 * decide where the camera stands. */
static void bounds_along(const mnSubject *s, const double direction[3], double *scratch, double *lower, double *upper) {
    for (int64_t i = 0; i < s->point_count; i++) scratch[i] = dot3(direction, s->point[i]);
    qsort(scratch, (size_t)s->point_count, sizeof *scratch, compare);
    *lower = scratch[s->point_count / 100] - 0.5 * s->spacing;
    *upper = scratch[s->point_count - 1 - s->point_count / 100] + 0.5 * s->spacing;
}

typedef struct Extent {
    double centre[3]; /* in the scene's frame */
    double half[3];   /* along the axes of a frame */
} Extent;

static bool measure(const mnSubject *s, const Frame *f, Extent *extent) {
    double *scratch = malloc((size_t)(s->point_count + 1) * sizeof *scratch);
    if (!scratch) return false;
    memset(extent, 0, sizeof *extent);
    const double *axes[] = {f->right, f->up, f->back};
    for (int axis = 0; axis < 3 && s->point_count > 0; axis++) {
        double lower, upper;
        bounds_along(s, axes[axis], scratch, &lower, &upper);
        extent->half[axis] = 0.5 * (upper - lower);
        add_scaled3(extent->centre, extent->centre, 0.5 * (upper + lower), axes[axis]);
    }
    free(scratch);
    return true;
}

mnStatus mn_camera_find(const mnSubject *s, double aspect, mnView *view, mnError *error) {
    bool has_from = !isnan(view->from[0]), has_to = !isnan(view->to[0]);
    if (isnan(view->up[0])) copy3(view->up, s->up);
    double back[3] = {0, 0, 1};
    if (has_from && has_to)
        subtract3(back, view->from, view->to);
    else if (s->point_count > 0)
        find_direction(s, back);
    if (normalise3(back) == 0)
        return mn_error_set(error, MN_ERROR_INPUT, "the camera looks at the place where it stands; move from or to");
    Frame frame = frame_of(back, view->up);
    Extent extent;
    if (!measure(s, &frame, &extent)) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to find a camera");
    if (!has_to) copy3(view->to, extent.centre);
    if (!has_from) {
        double upwards = tan(0.5 * view->fov), across = upwards * aspect;
        double distance =
            extent.half[2] + fmax(extent.half[0] / (fill_across * across), extent.half[1] / (fill_upwards * upwards));
        /* An empty frame is seen from somewhere. */
        add_scaled3(view->from, view->to, s->point_count > 0 || s->spacing > 0 ? fmax(distance, 4 * s->spacing) : 1,
                    back);
    }
    double distance = sqrt(distance_squared3(view->from, view->to));
    if (distance == 0)
        return mn_error_set(error, MN_ERROR_INPUT, "the camera looks at the place where it stands; move from or to");
    if (isnan(view->focus)) view->focus = distance;
    if (isnan(view->aperture)) view->aperture = opening * distance;
    return MN_OK;
}
