#include "render/splat.h"

#include <stdlib.h>

/* Each pixel is two by two points: enough for edges without steps. Strips of rows are drawn on their own. */
enum { FINE = 2, STRIP = 32 };

static const mnV3 paper_above = {0.86F, 0.88F, 0.90F}, paper_below = {0.97F, 0.97F, 0.96F};
static const mnV3 flat_solid = {0.52F, 0.53F, 0.55F};

/* A strip of the fine picture. */
typedef struct Strip {
    const mnSplatDesc *desc;
    int width, height; /* of the whole fine picture */
    int top, bottom;
    float *depth;
    mnV3 *colour;
} Strip;

/* In the frame of the lens: right, up, forward. */
static mnV3 seen(const mnLens *lens, mnV3 point) {
    mnV3 off = v3_sub(point, lens->origin);
    return v3(v3_dot(off, lens->right), v3_dot(off, lens->up), v3_dot(off, lens->forward));
}

/* Pixels per unit at distance 1: the same both ways. */
static float focal(const Strip *s) {
    return 0.5F * (float)s->height / s->desc->lens->half_height;
}

static float light_on(mnV3 normal) {
    const mnV3 lamp = {-0.36F, 0.60F, -0.71F};
    return 0.42F + 0.58F * fmaxf(0, v3_dot(normal, lamp)) + 0.06F * normal.y;
}

/* Of what is far off the picture a place may be larger than any int. */
static int within(float x, int low, int high) {
    return (int)fminf(fmaxf(x, (float)low), (float)high);
}

static void put(Strip *s, int x, int y, float depth, mnV3 colour) {
    int64_t at = (int64_t)(y - s->top) * s->width + x;
    if (depth >= s->depth[at]) return;
    s->depth[at] = depth;
    s->colour[at] = colour;
}

/* A ball as a disc that bulges towards the camera: seen from afar there is no difference. */
static void draw_ball(Strip *s, const mnBall *ball) {
    mnV3 c = seen(s->desc->lens, ball->centre);
    if (c.z <= 2 * ball->radius) return;
    float scale = focal(s) / c.z, radius = fmaxf(ball->radius * scale, 0.75F);
    float x = 0.5F * (float)s->width + c.x * scale, y = 0.5F * (float)s->height - c.y * scale;
    int top = within(ceilf(y - radius - 0.5F), s->top, s->bottom),
        bottom = within(floorf(y + radius) + 1, s->top, s->bottom);
    int left = within(ceilf(x - radius - 0.5F), 0, s->width), right = within(floorf(x + radius) + 1, 0, s->width);
    for (int py = top; py < bottom; py++)
        for (int px = left; px < right; px++) {
            float dx = ((float)px + 0.5F - x) / radius, dy = (y - (float)py - 0.5F) / radius, r = dx * dx + dy * dy;
            if (r > 1) continue;
            float bulge = sqrtf(1 - r);
            float light = s->desc->flat ? 1 : light_on(v3(dx, dy, -bulge));
            put(s, px, py, c.z - bulge * ball->radius, v3_scale(light, ball->colour));
        }
}

/* A corner in the fine picture. Depth along a triangle is even in its inverse. */
typedef struct Corner {
    float x, y, inverse;
} Corner;

static void fill_triangle(Strip *s, const Corner *p, const Corner *q, const Corner *r, mnV3 colour) {
    float area = (q->x - p->x) * (r->y - p->y) - (r->x - p->x) * (q->y - p->y);
    if (area == 0) return;
    int top = within(floorf(fminf(p->y, fminf(q->y, r->y))), s->top, s->bottom);
    int bottom = within(floorf(fmaxf(p->y, fmaxf(q->y, r->y))) + 1, s->top, s->bottom);
    int left = within(floorf(fminf(p->x, fminf(q->x, r->x))), 0, s->width);
    int right = within(floorf(fmaxf(p->x, fmaxf(q->x, r->x))) + 1, 0, s->width);
    for (int py = top; py < bottom; py++)
        for (int px = left; px < right; px++) {
            float x = (float)px + 0.5F - p->x, y = (float)py + 0.5F - p->y;
            float b = (x * (r->y - p->y) - (r->x - p->x) * y) / area;
            float c = ((q->x - p->x) * y - x * (q->y - p->y)) / area;
            if (b < 0 || c < 0 || b + c > 1) continue;
            put(s, px, py, 1 / ((1 - b - c) * p->inverse + b * q->inverse + c * r->inverse), colour);
        }
}

/* The part of the triangle that is in front of the camera has three corners or four. */
static void draw_triangle(Strip *s, const mnPart *part, const int32_t corner[3]) {
    const float nearest = 0.02F;
    mnV3 p[3];
    for (int i = 0; i < 3; i++) p[i] = seen(s->desc->lens, part->vertex[corner[i]]);
    /* Right, up and forward are a left-handed frame. */
    mnV3 normal = v3_unit(v3_cross(v3_sub(p[2], p[0]), v3_sub(p[1], p[0])));
    if (v3_dot(normal, p[0]) >= 0) return;
    Corner kept[4];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        mnV3 from = p[i], to = p[(i + 1) % 3], on[2];
        int points = 0;
        if (from.z >= nearest) on[points++] = from;
        if ((from.z >= nearest) != (to.z >= nearest))
            on[points++] = v3_mix(from, to, (nearest - from.z) / (to.z - from.z));
        for (int k = 0; k < points; k++, count++)
            kept[count] = (Corner){0.5F * (float)s->width + on[k].x * focal(s) / on[k].z,
                                   0.5F * (float)s->height - on[k].y * focal(s) / on[k].z, 1 / on[k].z};
    }
    mnV3 colour = v3_scale(light_on(normal), part->colour);
    for (int k = 2; k < count; k++) fill_triangle(s, &kept[0], &kept[k - 1], &kept[k], colour);
}

static void draw_flat_solids(Strip *s) {
    const mnLens *lens = s->desc->lens;
    for (int y = s->top; y < s->bottom; y++)
        for (int x = 0; x < s->width; x++) {
            float right = ((float)x + 0.5F - 0.5F * (float)s->width) / focal(s);
            float up = (0.5F * (float)s->height - (float)y - 0.5F) / focal(s);
            mnV3 way = v3_along(v3_along(lens->forward, right, lens->right), up, lens->up);
            if (way.z >= 0) continue;
            mnV3 point = v3_along(lens->origin, -lens->origin.z / way.z, way);
            if (s->desc->is_solid(s->desc->context, point)) put(s, x, y, 1e30F, flat_solid);
        }
}

static void draw_strip(Strip *s) {
    for (int y = s->top; y < s->bottom; y++) {
        mnV3 paper = v3_mix(paper_above, paper_below, (float)y / (float)s->height);
        for (int x = 0; x < s->width; x++) {
            s->depth[(int64_t)(y - s->top) * s->width + x] = INFINITY;
            s->colour[(int64_t)(y - s->top) * s->width + x] = paper;
        }
    }
    if (s->desc->is_solid) draw_flat_solids(s);
    for (int p = 0; p < s->desc->part_count; p++)
        for (int64_t t = 0; t < s->desc->parts[p].triangle_count; t++)
            draw_triangle(s, &s->desc->parts[p], s->desc->parts[p].triangle[t]);
    for (int64_t i = 0; i < s->desc->ball_count; i++) draw_ball(s, &s->desc->balls[i]);
}

static void reduce(const Strip *s, mnPicture *picture) {
    for (int y = s->top / FINE; y < s->bottom / FINE; y++)
        for (int x = 0; x < picture->width; x++) {
            mnV3 sum = {0, 0, 0};
            for (int b = 0; b < FINE; b++)
                for (int a = 0; a < FINE; a++)
                    sum = v3_add(sum, s->colour[(int64_t)(FINE * y + b - s->top) * s->width + FINE * x + a]);
            picture->pixel[(size_t)y * (size_t)picture->width + (size_t)x] = v3_scale(1.0F / (FINE * FINE), sum);
        }
}

mnStatus mn_splat(const mnSplatDesc *desc, mnPicture *picture, mnError *error) {
    bool ok = true;
    int width = FINE * picture->width, height = FINE * picture->height;
#ifdef _OPENMP
#pragma omp parallel for num_threads(desc->threads) schedule(dynamic, 1) reduction(&& : ok)
#endif
    for (int top = 0; top < height; top += STRIP) {
        size_t count = (size_t)width * STRIP;
        Strip strip = {.desc = desc,
                       .width = width,
                       .height = height,
                       .top = top,
                       .bottom = top + STRIP < height ? top + STRIP : height,
                       .depth = malloc(count * sizeof(float)),
                       .colour = malloc(count * sizeof(mnV3))};
        bool made = strip.depth && strip.colour;
        if (made) {
            draw_strip(&strip);
            reduce(&strip, picture);
        }
        free(strip.depth);
        free(strip.colour);
        ok = ok && made;
    }
    return ok ? MN_OK : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to draw particles");
}
