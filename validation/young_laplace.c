#include "young_laplace.h"

#include <math.h>
#include <stddef.h>

static const double STEP = 1e-3; /* of s over V^(1/3) */

typedef struct State {
    double r, z, phi, volume, moment; /* moment: ∫ z dV */
} State;

static State slope(State y, double b, double bond) {
    double curvature = y.r > 0 ? sin(y.phi) / y.r : b, area = M_PI * y.r * y.r * sin(y.phi);
    return (State){cos(y.phi), sin(y.phi), 2 * b + bond * y.z - curvature, area, area * y.z};
}

static State along(State y, State k, double ds) {
    return (State){y.r + ds * k.r, y.z + ds * k.z, y.phi + ds * k.phi, y.volume + ds * k.volume,
                   y.moment + ds * k.moment};
}

/* One step of Runge and Kutta's fourth order. */
static State advance(State y, double b, double bond, double ds) {
    State k1 = slope(y, b, bond), k2 = slope(along(y, k1, ds / 2), b, bond), k3 = slope(along(y, k2, ds / 2), b, bond),
          k4 = slope(along(y, k3, ds), b, bond);
    y = along(y, k1, ds / 6);
    y = along(y, k2, ds / 3);
    y = along(y, k3, ds / 3);
    return along(y, k4, ds / 6);
}

/* The drop with apex curvature b, its z still counted downwards; `shape` may be NULL. The last step ends at the
 * contact angle. */
static State integrate(double b, double bond, double end, DropShape *shape) {
    State y = {0};
    for (int i = 0; i < SHAPE_POINTS_MAX; i++) {
        if (shape) {
            shape->r[i] = y.r;
            shape->z[i] = y.z;
            shape->count = i + 1;
        }
        if (y.phi >= end) return y;
        State next = advance(y, b, bond, STEP);
        y = next.phi < end ? next : advance(y, b, bond, (end - y.phi) / slope(y, b, bond).phi);
        if (next.phi >= end) y.phi = end;
    }
    y.volume = INFINITY; /* so flat that there is no end to it */
    return y;
}

void drop_shape(double bond, double angle, DropShape *shape) {
    /* The flatter the apex the larger the drop. */
    double end = angle * M_PI / 180, low = 1e-200, high = 1e3;
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(low * high);
        if (integrate(middle, bond, end, NULL).volume > 1)
            low = middle;
        else
            high = middle;
    }
    State y = integrate(high, bond, end, shape);
    shape->curvature = high;
    shape->height = y.z;
    shape->base = y.r;
    shape->centre = y.z - y.moment / y.volume;
    for (int i = 0; i < shape->count; i++) shape->z[i] = y.z - shape->z[i];
}

double drop_shape_thickness(const DropShape *shape, double sigma) {
    /* ∫ z·w 2πr dr over the profile, which turns back below an overhang; ∫ w 2πr dr = 2πσ². */
    double sum = 0, scale = 2 * sigma * sigma;
    for (int i = 1; i < shape->count; i++) {
        double ring =
            sigma * sigma * (exp(-shape->r[i - 1] * shape->r[i - 1] / scale) - exp(-shape->r[i] * shape->r[i] / scale));
        sum += 0.5 * (shape->z[i - 1] + shape->z[i]) * ring;
    }
    return sum / (sigma * sigma);
}
