/* Shapes in a line, for the tests of geometry. */
#ifndef MN_TEST_SHAPE_HELPERS_H
#define MN_TEST_SHAPE_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/geometry.h"

static const double pi = 3.14159265358979323846;

#define SHAPE(...)                                                                                                     \
    (mnShape) {                                                                                                        \
        .rotation = {0, 0, 0, 1}, .scale = 1, __VA_ARGS__                                                              \
    }

static inline mnGeometry *make(mnShape shape, int dimension, double h) {
    mnGeometry *geometry;
    mnError error = {0};
    if (mn_geometry_create(&shape, NULL, dimension, h, &geometry, &error) != MN_OK) fail_msg("%s", error.text);
    return geometry;
}

#endif
