/* How much of a cell is inside, and how much surface is in it, from the depths at its corners. */
#include <math.h>

#include "surface/inside.h"

/* The share of a tetrahedron in which the field that is linear between its corners is positive. */
static float share_of_tetrahedron(float a, float b, float c, float d) {
    float value[4] = {a, b, c, d};
    int inside = 0;
    /* Those inside first. */
    for (int i = 0; i < 4; i++)
        if (value[i] > 0) {
            float swapped = value[inside];
            value[inside++] = value[i];
            value[i] = swapped;
        }
    const float *v = value;
    if (inside == 0 || inside == 4) return inside ? 1 : 0;
    if (inside == 1) return v[0] * v[0] * v[0] / ((v[0] - v[1]) * (v[0] - v[2]) * (v[0] - v[3]));
    if (inside == 3) return 1 + v[3] * v[3] * v[3] / ((v[0] - v[3]) * (v[1] - v[3]) * (v[2] - v[3]));
    /* A wedge of three tetrahedra; the ratios are those in which the four cut edges are divided. */
    float r02 = v[0] / (v[0] - v[2]), r03 = v[0] / (v[0] - v[3]), r12 = v[1] / (v[1] - v[2]),
          r13 = v[1] / (v[1] - v[3]);
    return r02 * r03 * (1 - r13) + r02 * r13 * (1 - r12) + r12 * r13;
}

/* The share of a cell, cut into six tetrahedra around a diagonal: nearly what marching cubes will make of it. */
static float share_of_cell(const float c[8]) {
    static const int ring[7] = {1, 3, 2, 6, 4, 5, 1};
    float sum = 0;
    for (int k = 0; k < 6; k++) sum += share_of_tetrahedron(c[0], c[7], c[ring[k]], c[ring[k + 1]]);
    return sum / 6;
}

float mn_cell_share(const float c[8]) {
    int inside = 0;
    for (int k = 0; k < 8; k++) inside += c[k] > 0;
    return inside == 0 ? 0 : inside == 8 ? 1 : share_of_cell(c);
}

/* A layer of one voxel about the surface; the depth over its slope is the distance to it. */
float mn_cell_area(const float c[8]) {
    float sum = 0, x = 0, y = 0, z = 0;
    for (int k = 0; k < 8; k++) {
        sum += c[k];
        x += k & 1 ? c[k] : -c[k];
        y += k & 2 ? c[k] : -c[k];
        z += k & 4 ? c[k] : -c[k];
    }
    float slope = sqrtf(x * x + y * y + z * z) / 4;
    float distance = fabsf(sum / 8) / fminf(fmaxf(slope, 0.35f), 1);
    return distance < 1 ? 1 - distance : 0;
}
