/* Means over pixels that look alike [non-local means with two halves: Rousselle, Knaus and Zwicker 2012, 2013].
 *
 * How alike two pixels are is judged by one half of the samples and used to weigh the other, so that noise is not taken
 * for likeness: differences that the noise of the half explains do not count. Pixels on other surfaces, by their
 * normals and colours, are left out. Wavelets guided by normals were not taken: what water shows is behind its surface,
 * with edges that the surface does not have. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "render/trace.h"

enum { REACH = 5, PATCH = 1, SPREAD = 2, BAND = 32 };

/* Differences of so many standard deviations are small. */
static const float strictness = 0.7F;

typedef struct Filtering {
    const mnTraced *traced;
    const mnV3 *variance; /* of one half */
    const float *bend;    /* how much normals and colours change to the next pixel, squared */
    mnPicture *picture;
} Filtering;

static mnV3 squared(mnV3 a) {
    return v3_times(a, a);
}

/* The mean over (2·SPREAD + 1)² pixels of the squares by which the two halves differ. Running sums would be quicker,
 * but this is done once. */
static void estimate_variance(const mnTraced *traced, mnV3 *variance) {
    int width = traced->normal.width, height = traced->normal.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            mnV3 sum = {0, 0, 0};
            int count = 0;
            for (int b = y - SPREAD; b <= y + SPREAD; b++)
                for (int a = x - SPREAD; a <= x + SPREAD; a++) {
                    if (a < 0 || b < 0 || a >= width || b >= height) continue;
                    int64_t at = (int64_t)b * width + a;
                    sum = v3_add(sum, squared(v3_sub(traced->half[0].pixel[at], traced->half[1].pixel[at])));
                    count++;
                }
            variance[(int64_t)y * width + x] = v3_scale(0.5F / (float)count, sum);
        }
}

/* Distance of what was seen first at two pixels, squared. */
static float unlike(const mnTraced *traced, int64_t p, int64_t q) {
    mnV3 n = v3_sub(traced->normal.pixel[p], traced->normal.pixel[q]);
    mnV3 c = v3_sub(traced->colour.pixel[p], traced->colour.pixel[q]);
    return v3_dot(n, n) + v3_dot(c, c);
}

static void estimate_bend(const mnTraced *traced, float *bend) {
    int width = traced->normal.width, height = traced->normal.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int64_t at = (int64_t)y * width + x;
            float right = x + 1 < width ? unlike(traced, at, at + 1) : 0;
            float left = x > 0 ? unlike(traced, at, at - 1) : right;
            float below = y + 1 < height ? unlike(traced, at, at + width) : 0;
            float above = y > 0 ? unlike(traced, at, at - width) : below;
            /* The smaller side: next to an edge, what matters is the surface we are on. */
            bend[at] = fminf(left, right) + fminf(above, below);
        }
}

static float difference(mnV3 p, mnV3 q, mnV3 vp, mnV3 vq) {
    const float a[3] = {p.x - q.x, p.y - q.y, p.z - q.z};
    const float b[3] = {vp.x, vp.y, vp.z}, c[3] = {vq.x, vq.y, vq.z};
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] * a[i] - (b[i] + fminf(b[i], c[i]))) / (1e-6F + strictness * strictness * (b[i] + c[i]));
    return sum / 3;
}

/* Room for one band of rows and its margin. */
typedef struct Scratch {
    float *away[2]; /* per half and pixel: how different it is from its partner */
    mnV3 *sum[2];
    float *weight[2];
} Scratch;

/* Compares every pixel of rows [top − PATCH, bottom + PATCH) with the one (dx, dy) further. */
static void compare(const Filtering *f, Scratch *s, int top, int bottom, int dx, int dy) {
    int width = f->picture->width, height = f->picture->height;
    for (int y = top - PATCH; y < bottom + PATCH; y++)
        for (int x = 0; x < width; x++) {
            int64_t row = (int64_t)(y - top + PATCH) * width + x;
            bool inside = y >= 0 && y < height && y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width;
            int64_t p = (int64_t)y * width + x, q = p + (int64_t)dy * width + dx;
            for (int h = 0; h < 2; h++)
                s->away[h][row] = inside ? difference(f->traced->half[h].pixel[p], f->traced->half[h].pixel[q],
                                                      f->variance[p], f->variance[q])
                                         : 0;
        }
}

static void gather(const Filtering *f, Scratch *s, int top, int bottom, int dx, int dy) {
    int width = f->picture->width, height = f->picture->height;
    int left = dx < 0 ? -dx : 0, right = dx > 0 ? width - dx : width;
    for (int y = top; y < bottom; y++) {
        if (y + dy < 0 || y + dy >= height) continue;
        for (int x = left; x < right; x++) {
            int64_t p = (int64_t)y * width + x, q = p + (int64_t)dy * width + dx, row = (int64_t)(y - top) * width + x;
            float apart = unlike(f->traced, p, q) / (2e-3F + 8 * f->bend[p]);
            if (apart > 8) continue;
            int from = x > 0 ? x - 1 : 0, to = x + 1 < width ? x + 1 : x;
            for (int h = 0; h < 2; h++) {
                float sum = 0;
                for (int b = 0; b <= 2 * PATCH; b++)
                    for (int a = from; a <= to; a++) sum += s->away[h][(int64_t)(y - top + b) * width + a];
                float weight = expf(-fmaxf(fmaxf(0, sum / 9), apart));
                s->weight[1 - h][row] += weight;
                s->sum[1 - h][row] = v3_along(s->sum[1 - h][row], weight, f->traced->half[1 - h].pixel[q]);
            }
        }
    }
}

static void filter_band(const Filtering *f, Scratch *s, int top) {
    int width = f->picture->width, height = f->picture->height;
    int bottom = top + BAND < height ? top + BAND : height;
    size_t count = (size_t)(bottom - top) * (size_t)width;
    for (int h = 0; h < 2; h++) {
        memset(s->sum[h], 0, count * sizeof *s->sum[h]);
        memset(s->weight[h], 0, count * sizeof *s->weight[h]);
    }
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            compare(f, s, top, bottom, dx, dy);
            gather(f, s, top, bottom, dx, dy);
        }
    /* A pixel is always like itself, so no weight is zero. */
    for (size_t i = 0; i < count; i++)
        f->picture->pixel[(size_t)top * (size_t)width + i] =
            v3_add(v3_scale(0.5F / s->weight[0][i], s->sum[0][i]), v3_scale(0.5F / s->weight[1][i], s->sum[1][i]));
}

static bool scratch_create(Scratch *s, int width) {
    size_t count = (size_t)width * BAND, margin = (size_t)width * (BAND + 2 * PATCH);
    for (int h = 0; h < 2; h++) {
        s->away[h] = malloc(margin * sizeof *s->away[h]);
        s->sum[h] = malloc(count * sizeof *s->sum[h]);
        s->weight[h] = malloc(count * sizeof *s->weight[h]);
    }
    return s->away[0] && s->away[1] && s->sum[0] && s->sum[1] && s->weight[0] && s->weight[1];
}

static void scratch_clear(Scratch *s) {
    for (int h = 0; h < 2; h++) {
        free(s->away[h]);
        free(s->sum[h]);
        free(s->weight[h]);
    }
}

static bool filter_all(const Filtering *f, int threads) {
    bool ok = true;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(&& : ok)
#endif
    for (int top = 0; top < f->picture->height; top += BAND) {
        Scratch scratch = {0};
        bool made = scratch_create(&scratch, f->picture->width);
        if (made) filter_band(f, &scratch, top);
        scratch_clear(&scratch);
        ok = ok && made;
    }
    return ok;
}

mnStatus mn_filter(const mnTraced *traced, int threads, mnPicture *picture, mnError *error) {
    mnStatus status = mn_picture_create(picture, traced->normal.width, traced->normal.height, error);
    if (status != MN_OK) return status;
    size_t count = (size_t)picture->width * (size_t)picture->height;
    mnV3 *variance = malloc(count * sizeof *variance);
    float *bend = malloc(count * sizeof *bend);
    bool ok = variance && bend;
    if (ok) {
        estimate_variance(traced, variance);
        estimate_bend(traced, bend);
        ok = filter_all(&(Filtering){traced, variance, bend, picture}, threads);
    }
    free(variance);
    free(bend);
    if (ok) return MN_OK;
    mn_picture_clear(picture);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to take the noise out of a picture");
}
