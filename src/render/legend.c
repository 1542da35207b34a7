#include "render/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/colours.h"
#include "render/lettering.h"

static const mnV3 ink = {0.02F, 0.025F, 0.03F};

int mn_legend_prefix(double most, const char **prefix) {
    static const struct {
        int power;
        const char *prefix;
    } prefixes[] = {{9, "G"}, {6, "M"}, {3, "k"}, {0, ""}, {-3, "m"}, {-6, "µ"}};
    size_t p = 0;
    /* 0.1 m/s is not 100 mm/s, so a unit holds down to a tenth. */
    while (p < 5 && !(most >= pow(10, prefixes[p].power) * (prefixes[p].power == 0 ? 0.1 : 1))) p++;
    if (!(most > 0)) p = 3;
    *prefix = prefixes[p].prefix;
    return prefixes[p].power;
}

double mn_legend_step(double low, double high) {
    double rough = (high - low) / 4, power = pow(10, floor(log10(rough))), times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

static void fill(mnPicture *picture, float left, float top, float right, float bottom, mnV3 colour) {
    for (int y = (int)fmaxf(top, 0); y < (int)bottom && y < picture->height; y++)
        for (int x = (int)fmaxf(left, 0); x < (int)right && x < picture->width; x++)
            picture->pixel[(size_t)y * (size_t)picture->width + (size_t)x] = colour;
}

static void draw_time(mnPicture *picture, const mnLegend *legend, float margin, float size) {
    char text[64];
    const char *prefix;
    int power = mn_legend_prefix(fabs(legend->time), &prefix);
    snprintf(text, sizeof text, "t = %.4g %ss", legend->time / pow(10, power), prefix);
    mn_letters_draw(picture, margin, margin + size, size, ink, text);
}

/* A patch of colour and a name for each fluid. */
static void draw_kinds(mnPicture *picture, const mnLegend *legend, float margin, float size) {
    if (!(legend->range[1] >= 0)) return; /* nobody is there */
    int last = (int)fmin(legend->range[1], 11);
    float y = (float)picture->height - margin;
    for (int kind = last; kind >= 0; kind--, y -= 1.8F * size) {
        char text[64];
        if (legend->scene && kind < legend->scene->fluid_count)
            snprintf(text, sizeof text, "%s", legend->scene->fluids[kind].name);
        else
            snprintf(text, sizeof text, "%d", kind);
        fill(picture, margin, y - size, margin + 1.5F * size, y, mn_colour_of_kind(kind));
        mn_letters_draw(picture, margin + 2.2F * size, y, size, ink, text);
    }
}

static void draw_bar(mnPicture *picture, const mnLegend *legend, float margin, float size) {
    const char *unit = mn_field_unit(legend->field), *prefix = "";
    double low = legend->range[0], high = legend->range[1];
    int power = *unit ? mn_legend_prefix(fmax(fabs(low), fabs(high)), &prefix) : 0;
    float width = 0.3F * (float)picture->width, bottom = (float)picture->height - margin - 1.7F * size;
    float top = bottom - 0.9F * size, tick = fmaxf(1, size / 9);
    char text[64];
    snprintf(text, sizeof text, *unit ? "%s (%s%s)" : "%s", mn_field_name(legend->field), prefix, unit);
    mn_letters_draw(picture, margin, top - 0.6F * size, size, ink, text);
    for (int x = 0; x < (int)width; x++)
        fill(picture, margin + (float)x, top, margin + (float)x + 1, bottom, mn_colour_of(x / (double)(width - 1)));
    double step = mn_legend_step(low, high), first = ceil(low / step - 1e-9);
    /* Counted: of numbers that differ in their last bits only, the step may be too small to get on. */
    for (int k = 0; k < 10; k++) {
        double value = (first + k) * step;
        if (value > high + 1e-9 * step) break;
        float x = margin + width * (float)((value - low) / (high - low));
        fill(picture, x - 0.5F * tick, bottom, x + 0.5F * tick + 0.5F, bottom + 0.35F * size, ink);
        /* What is zero but for rounding. */
        snprintf(text, sizeof text, "%.4g", fabs(value) < 1e-9 * step ? 0 : value / pow(10, power));
        float label = 0.8F * size;
        mn_letters_draw(picture, x - 0.5F * mn_letters_width(text, label), bottom + 1.5F * size, label, ink, text);
    }
}

void mn_legend_draw(mnPicture *picture, const mnLegend *legend) {
    float size = fmaxf(7, (float)picture->height / 42), margin = 1.6F * size;
    if (legend->has_time) draw_time(picture, legend, margin, size);
    if (legend->field == MN_LOOK_PHASE)
        draw_kinds(picture, legend, margin, size);
    else if (legend->range[1] > legend->range[0])
        draw_bar(picture, legend, margin, size);
}
