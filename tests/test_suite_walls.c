/* What the suite compares drops on walls with: caps, and heavy drops by the Young–Laplace equation. */
#include <math.h>

#include "fit.h"
#include "scene_helpers.h"
#include "walls.h"
#include "young_laplace.h"

static const double PI = 3.14159265358979323846;
static DropShape shape; /* large */

static void weightless_drops_are_caps(void **state) {
    (void)state;
    for (double angle = 10; angle <= 170; angle += 20) {
        double theta = angle * PI / 180, radius = cap_radius(3, 1, angle), h = 1e-6;
        drop_shape(0, angle, &shape);
        assert_near(shape.curvature * radius, 1, 1e-6);
        assert_near(shape.height, radius * (1 - cos(theta)), 1e-6);
        assert_near(shape.base, radius * sin(theta), 1e-6);
        DropLengths lengths = {.circle = shape.height - radius, .centre = shape.centre, .base = shape.base};
        CapAngles angles = cap_angles(3, 1, h, lengths);
        assert_near(angles.circle, angle, 1e-3);
        assert_near(angles.centre, angle, 1e-3);
        assert_near(angles.base, angle, 1e-3);
        if (angle < 30) continue;
        /* Of a drop of few particles the lowest ones tell the radius at the height of half a spacing. */
        double above = radius * cos(theta) + 0.04;
        lengths.base = sqrt(radius * radius - above * above);
        assert_near(cap_angles(3, 1, 0.08, lengths).base, angle, 1e-3);
    }
}

/* Volume and centre of a segment of the unit circle by summing strips. */
static void caps_in_2d(void **state) {
    (void)state;
    enum { STRIPS = 100000 };
    for (double angle = 20; angle <= 160; angle += 35) {
        double theta = angle * PI / 180, height = 1 - cos(theta), area = 0, moment = 0;
        for (int k = 0; k < STRIPS; k++) {
            double z = height * (k + 0.5) / STRIPS, y = z + cos(theta), width = 2 * sqrt(1 - y * y);
            area += width * height / STRIPS;
            moment += z * width * height / STRIPS;
        }
        assert_near(cap_radius(2, area, angle), 1, 1e-5);
        DropLengths lengths = {.circle = -cos(theta), .centre = moment / area, .base = sin(theta)};
        CapAngles angles = cap_angles(2, area, 1e-6, lengths);
        assert_near(angles.circle, angle, 0.01);
        assert_near(angles.centre, angle, 0.01);
        assert_near(angles.base, angle, 0.01);
    }
}

/* The floor carries weight and pull of the surface by the pressure at the base, for every drop. A large one is a puddle
 * of height 2ℓ sin(θ/2), ℓ = √(γ/ρg). */
static void heavy_drops_are_in_balance(void **state) {
    (void)state;
    const double bonds[] = {0, 1, 10, 1000};
    for (int k = 0; k < 4; k++)
        for (double angle = 30; angle <= 150; angle += 30) {
            drop_shape(bonds[k], angle, &shape);
            double a = shape.base, pressure = 2 * shape.curvature + bonds[k] * shape.height;
            double up = PI * a * a * pressure, down = bonds[k] + 2 * PI * a * sin(angle * PI / 180);
            assert_near(up, down, 1e-4 * down);
            if (bonds[k] < 1000) continue;
            double puddle = 2 / sqrt(bonds[k]) * sin(0.5 * angle * PI / 180);
            print_message("%.0f°: height %.4f of a puddle's\n", angle, shape.height / puddle);
            assert_near(shape.height, puddle, 0.02 * puddle);
        }
}

/* With a wide weight the mean height is volume over area, with a narrow one it is the height of the apex. */
static void thickness(void **state) {
    (void)state;
    for (double angle = 60; angle <= 150; angle += 30) {
        drop_shape(3, angle, &shape);
        double wide = 30;
        assert_near(drop_shape_thickness(&shape, wide) * 2 * PI * wide * wide, 1, 1e-3);
        assert_near(drop_shape_thickness(&shape, 0.01), shape.height, 1e-3);
    }
}

static void fits(void **state) {
    (void)state;
    double x[50], line[50], both[FIT_TERMS];
    Fit fit = {.terms = 3};
    for (int i = 0; i < 50; i++) {
        x[i] = 3 + 0.01 * i * i;
        line[i] = 2 - 7 * x[i];
        fit_add(&fit, (double[]){1, x[i], sin(i)}, 5 - 3 * x[i] + 0.5 * sin(i));
    }
    Line found = fit_line(50, x, line);
    assert_near(found.start, 2, 1e-9);
    assert_near(found.slope, -7, 1e-10);
    assert_near(found.misfit, 0, 1e-9);
    assert_true(isnan(fit_line(0, NULL, NULL).slope) && isnan(fit_line(1, x, line).slope));
    assert_near(fit_solve(&fit, both), 0, 1e-9);
    assert_near(both[0], 5, 1e-9);
    assert_near(both[1], -3, 1e-10);
    assert_near(both[2], 0.5, 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weightless_drops_are_caps),
        cmocka_unit_test(caps_in_2d),
        cmocka_unit_test(heavy_drops_are_in_balance),
        cmocka_unit_test(thickness),
        cmocka_unit_test(fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
