#include "state/rest_areas.h"

#include "kernels/measure.h"

/* The free surface is calibrated by the law of drop oscillation and of core pressure, walls by Young's angle. Walls and
 * fluid–fluid interfaces have a known sampling, so their energy per area on a flat lattice is computed below and the
 * factors here only say by how much a settled fluid differs from a lattice. */
typedef struct mnCalibration {
    double fv;                 /* A⁰/h² (3D), A⁰/h (2D) */
    double bv, bf;             /* factors on the lattice value */
    double offset, edge, lift; /* of mnWallLaw */
    double inside;             /* c of measure.h */
    double wall;               /* β of pressure.h */
} mnCalibration;

static const mnCalibration calibrations[2][2] = {
    /* 2D */ {[MN_MEASURE_NORMALISED] = {6.78, 1.135, 1.305, 0.01, 0, 1.237, 0.985, 1.6},
              [MN_MEASURE_NUMBER_DENSITY] = {6.15, 1.0, 1.0, 0.01, 0, 0, 1, 1}},
    /* 3D */ {[MN_MEASURE_NORMALISED] = {5.82, 1.035, 1.086, 0.01, 2.35, 1.22, 0.985, 1.6},
              [MN_MEASURE_NUMBER_DENSITY] = {6.283, 1.1, 1.07, 0.05, 0, 0, 1, 1}}};

static const double PI = 3.14159265358979323846;

static mnSpline spline(double support, int dimension) {
    double sigma = dimension == 3 ? 8.0 / (PI * support * support * support) : 40.0 / (7.0 * PI * support * support);
    return (mnSpline){(mnReal)(1.0 / support), (mnReal)sigma, (mnReal)(sigma / support)};
}

/* Σ V W over one lattice layer (a line in 2D) at height z above a lattice point; lengths in units of h. */
static double layer_sum(const mnSpline *s, int dimension, int z) {
    int reach = 3, depth = dimension == 3 ? reach : 0;
    double sum = 0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -depth; y <= depth; y++)
            sum += (double)mn_spline_value(*s, (mnReal)sqrt((double)(x * x + y * y + z * z)));
    return sum;
}

/* Lattice layers fill the half-space below; returns Σ over layers of max_ε(C), the area measured per area h² (h) of
 * wall. `far_side` false: C^BV of the dry wall; true: C^BF of a wall with fluid on the other side. */
static double lattice_area(const mnConstants *c, int dimension, bool far_side) {
    mnSpline near = spline(2.0, dimension), wide = spline(3.0, dimension);
    double area = 0;
    for (int layer = 0; layer < 3; layer++) {
        double number_wide = 0, number_near = 0, beyond = 0;
        for (int z = -3; z <= 3; z++) {
            if (z <= layer) {
                number_wide += layer_sum(&wide, dimension, z);
                number_near += layer_sum(&near, dimension, z);
            } else {
                beyond += layer_sum(&wide, dimension, z);
            }
        }
        mnReal contribution =
            far_side ? (mnReal)beyond : mn_measure_vapor(*c, (mnReal)number_wide, (mnReal)number_near);
        area += (double)mn_smooth_max(contribution, c->smoothing);
    }
    return area;
}

void mn_rest_areas_set(mnConstants *c, int dimension, double spacing, mnMeasure measure, bool paper_rest_areas) {
    double unit = dimension == 3 ? spacing * spacing : spacing;
    c->dimension = dimension;
    c->spacing = (mnReal)spacing;
    c->near = spline(2.0 * spacing, dimension);
    c->wide = spline(3.0 * spacing, dimension);
    c->smoothing = MN_REAL(0.05);
    c->normalised = measure == MN_MEASURE_NORMALISED;
    c->per_volume = (mnReal)(1 / (unit * spacing));
    c->inside = 1;
    c->wall = 1;
    if (paper_rest_areas) {
        mnReal area = (mnReal)((dimension == 3 ? PI / 4.0 : 0.5) * unit); /* section 5.2 */
        c->area_fv = c->area_ff = c->area_fb = c->area_bv = c->area_bf = area;
        return;
    }
    const mnCalibration *k = &calibrations[dimension - 2][measure];
    c->inside = (mnReal)k->inside;
    c->wall = (mnReal)k->wall;
    double dry = lattice_area(c, dimension, false), wet = lattice_area(c, dimension, true);
    c->area_fv = (mnReal)(k->fv * unit);
    c->area_bv = (mnReal)(k->bv * unit / dry);
    c->area_bf = (mnReal)(k->bf * unit / wet);
    c->area_fb = c->area_bf; /* Young's equation adds γ^FB and γ^BF: both are the same interface */
    c->area_ff = (mnReal)(unit / wet);
}

mnWallLaw mn_rest_areas_wall_law(int dimension, mnMeasure measure, bool paper_rest_areas) {
    const mnCalibration *k = &calibrations[dimension - 2][measure];
    if (paper_rest_areas) return (mnWallLaw){.is_plain = true};
    return (mnWallLaw){measure != MN_MEASURE_NORMALISED, k->edge, k->lift, k->offset};
}

double mn_wall_attraction(mnWallLaw law, double cosine) {
    return law.is_plain || cosine <= 0 || cosine >= 1 ? cosine : cosine - law.edge * pow(cosine, 6) * (1 - cosine);
}

/* A drop that is alone on its wall needs no more than 1; what goes beyond that counts plainly. */
double mn_wall_repulsion(mnWallLaw law, double worth) {
    return law.is_plain ? worth : worth + law.lift * pow(fmax(0, fmin(worth, 1)), 4);
}

double mn_wall_own_worth(mnWallLaw law, double energy) {
    return law.is_plain ? energy : 0.5 * (energy + energy / sqrt(1 + energy * energy));
}
