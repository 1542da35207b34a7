#include "wire.h"

#include <math.h>
#include <string.h>

#include "io/file.h"

enum { MAGIC = 0x314E4D53, KIND_PARTICLES = 1, KIND_TRIANGLES = 2, HEADER = 80, MESH_HEADER = 16, BINS = 1024 };

static const double OUTERMOST = 0.002;

mnShown mn_shown_named(const char *name) {
    static const char *const names[MN_SHOWN_COUNT] = {"speed", "pressure", "measure", "phase"};
    int field = 0;
    while (field < MN_SHOWN_COUNT && strcmp(names[field], name) != 0) field++;
    return (mnShown)field;
}

double mn_shown_value(const mnShot *shot, mnShown field, int64_t i) {
    const float *v = shot->velocity[i];
    switch (field) {
    case MN_SHOWN_SPEED:
        return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
    case MN_SHOWN_PRESSURE:
        return shot->pressure[i];
    case MN_SHOWN_MEASURE:
        return shot->measure[i];
    default:
        return shot->phase[i];
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* Narrows the range to the bins that all but the outermost values are in. */
static void narrow(const mnShot *shot, mnShown field, double range[2]) {
    int64_t bins[BINS] = {0}, below = 0, above = 0;
    double width = (range[1] - range[0]) / BINS, start = range[0];
    if (!(width > 0)) return;
    for (int64_t i = 0; i < shot->count; i++) {
        double bin = (mn_shown_value(shot, field, i) - start) / width;
        if (bin >= 0 && bin <= BINS) bins[bin < BINS ? (int)bin : BINS - 1]++;
    }
    int64_t most = (int64_t)(OUTERMOST * (double)shot->count);
    int first = 0, last = BINS - 1;
    while (first < last && below + bins[first] <= most) below += bins[first++];
    while (last > first && above + bins[last] <= most) above += bins[last--];
    range[0] = start + first * width;
    range[1] = start + (last + 1) * width;
}

static void value_range(const mnShot *shot, mnShown field, double range[2]) {
    range[0] = range[1] = 0;
    if (field == MN_SHOWN_PHASE) {
        range[1] = 255; /* so that whole numbers stay whole */
        return;
    }
    bool has_any = false;
    for (int64_t i = 0; i < shot->count; i++) {
        double value = mn_shown_value(shot, field, i);
        if (!isfinite(value)) continue;
        range[0] = has_any ? fmin(range[0], value) : value;
        range[1] = has_any ? fmax(range[1], value) : value;
        has_any = true;
    }
    narrow(shot, field, range);
}

static void bounds(const mnShot *shot, float lower[3], float upper[3]) {
    for (int a = 0; a < 3; a++) lower[a] = upper[a] = shot->count ? shot->position[0][a] : 0;
    for (int64_t i = 1; i < shot->count; i++)
        for (int a = 0; a < 3; a++) {
            lower[a] = fminf(lower[a], shot->position[i][a]);
            upper[a] = fmaxf(upper[a], shot->position[i][a]);
        }
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static unsigned char *put_u16(unsigned char *to, double value, double low, double high) {
    double share = high > low ? (value - low) / (high - low) : 0;
    unsigned rounded = share > 0 ? (unsigned)(fmin(share, 1) * 65535 + 0.5) : 0; /* what is not a number is 0 */
    to[0] = (unsigned char)rounded;
    to[1] = (unsigned char)(rounded >> 8);
    return to + 2;
}

static unsigned char *put_f64(unsigned char *to, double value) {
    union {
        double real;
        uint64_t bits;
    } pun = {.real = value};
    return mn_put_u64(to, pun.bits);
}

static size_t padded(size_t bytes) {
    return (bytes + 3) / 4 * 4;
}

mnMessage *mn_wire_particles(const mnShot *shot, mnShown field, uint32_t sequence) {
    size_t count = (size_t)shot->count, positions = padded(6 * count), values = padded(2 * count);
    mnMessage *message = mn_message_new(HEADER + positions + values + 4 * count + padded(count), true);
    if (!message) return NULL;
    float lower[3], upper[3];
    double range[2];
    bounds(shot, lower, upper);
    value_range(shot, field, range);
    unsigned char *to = message->bytes;
    to = mn_put_u32(to, MAGIC);
    to = mn_put_u32(to, KIND_PARTICLES);
    to = mn_put_u32(to, sequence);
    to = mn_put_u32(to, (uint32_t)count);
    to = put_f64(to, shot->time);
    to = mn_put_u64(to, (uint64_t)shot->step);
    to = mn_put_u64(to, (uint64_t)shot->frame);
    for (int a = 0; a < 3; a++) to = mn_put_f32(to, lower[a]);
    for (int a = 0; a < 3; a++) to = mn_put_f32(to, upper[a]);
    for (int side = 0; side < 2; side++) to = mn_put_f32(to, range[side]);
    to = mn_put_u32(to, (uint32_t)field);
    mn_put_f32(to, shot->radius);
    to = message->bytes + HEADER;
    for (int64_t i = 0; i < shot->count; i++)
        for (int a = 0; a < 3; a++) to = put_u16(to, shot->position[i][a], lower[a], upper[a]);
    to = message->bytes + HEADER + positions;
    for (int64_t i = 0; i < shot->count; i++) to = put_u16(to, mn_shown_value(shot, field, i), range[0], range[1]);
    to = message->bytes + HEADER + positions + values;
    for (int64_t i = 0; i < shot->count; i++) to = mn_put_u32(to, shot->id[i]);
    for (int64_t i = 0; i < shot->count; i++) *to++ = (unsigned char)shot->phase[i];
    return message;
}

mnMessage *mn_wire_triangles(const mnTriangles *triangles) {
    size_t corners = 3 * (size_t)triangles->count;
    mnMessage *message = mn_message_new(MESH_HEADER + 16 * corners, true);
    if (!message) return NULL;
    unsigned char *to = message->bytes;
    to = mn_put_u32(to, MAGIC);
    to = mn_put_u32(to, KIND_TRIANGLES);
    to = mn_put_u32(to, (uint32_t)corners);
    to = mn_put_u32(to, (uint32_t)triangles->count);
    for (size_t c = 0; c < corners; c++)
        for (int a = 0; a < 3; a++) to = mn_put_f32(to, triangles->corner[c][a]);
    for (size_t c = 0; c < corners; c++) to = mn_put_u32(to, (uint32_t)c);
    return message;
}
