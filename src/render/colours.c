/* Computed in Oklab [Ottosson 2020], where distances are about those that eyes see: lightness rises evenly, the hue
 * turns evenly, and the strength of the colour is what a screen can show along this way. */
#include "render/colours.h"

static mnV3 from_oklab(float lightness, float a, float b) {
    float l = lightness + 0.3963377774F * a + 0.2158037573F * b;
    float m = lightness - 0.1055613458F * a - 0.0638541728F * b;
    float s = lightness - 0.0894841775F * a - 1.2914855480F * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return v3(fminf(fmaxf(4.0767416621F * l - 3.3077115913F * m + 0.2309699292F * s, 0), 1),
              fminf(fmaxf(-1.2684380046F * l + 2.6097574011F * m - 0.3413193965F * s, 0), 1),
              fminf(fmaxf(-0.0041960863F * l - 0.7034186147F * m + 1.7076147010F * s, 0), 1));
}

static mnV3 from_hue(float lightness, float strength, float degrees) {
    float angle = degrees * 0.01745329252F;
    return from_oklab(lightness, strength * cosf(angle), strength * sinf(angle));
}

mnV3 mn_colour_of(double t) {
    float x = t >= 0 ? t <= 1 ? (float)t : 1 : 0, off = x - 0.45F;
    return from_hue(0.28F + 0.64F * x, 0.098F + (x < 0.45F ? 0.2F : 0.3F) * off * off, 305 - 200 * x);
}

mnV3 mn_colour_of_kind(int kind) {
    static const float hues[] = {250, 55, 150, 330, 100, 200};
    int k = kind % 12;
    return from_hue(k < 6 ? 0.62F : 0.80F, 0.12F, hues[k % 6]);
}
