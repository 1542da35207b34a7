#include <stdlib.h>
#include <string.h>

#include "geometry/sample.h"

void mn_points_init(mnPoints *points) {
    *points = (mnPoints){0};
}

void mn_points_clear(mnPoints *points) {
    free(points->position);
    free(points->volume);
    *points = (mnPoints){0};
}

bool mn_points_append(mnPoints *points, const double position[3], double volume) {
    if (points->count == points->capacity) {
        int64_t capacity = points->capacity ? points->capacity + points->capacity / 2 : 1024;
        void *grown = realloc(points->position, (size_t)capacity * sizeof *points->position);
        if (!grown) return false;
        points->position = grown;
        grown = realloc(points->volume, (size_t)capacity * sizeof *points->volume);
        if (!grown) return false;
        points->volume = grown;
        points->capacity = capacity;
    }
    memcpy(points->position[points->count], position, 3 * sizeof(double));
    points->volume[points->count++] = volume;
    return true;
}
