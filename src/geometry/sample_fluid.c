#include "geometry/grid.h"
#include "geometry/sample.h"
#include "geometry/shape.h"
#include "geometry/vector.h"

/* A lattice per leaf shape. Along a row the distance at one point says for how far the sign cannot change, so rows are
 * walked in strides and a mesh is asked far fewer times than there are points. */

/* Points of a later shape of a union this close to one already taken (in spacings) are left out. */
static const double union_gap = 0.9;

typedef struct Lattice {
    const mnGeometry *leaf; /* whose frame it is in */
    const mnGeometry *film; /* hollow: points deeper than its thickness are left out; else NULL */
    double spacing;
    int dimension;
    double start[3]; /* of the first point, in the leaf's frame */
    int64_t count[3];
} Lattice;

typedef struct Sink {
    mnPoints *points; /* NULL: count only */
    mnGrid *taken;    /* points of earlier shapes of a union; NULL: none */
    double gap;
    int64_t count;
    bool out_of_memory;
} Sink;

static bool is_crowded(const Sink *sink, const double position[3]) {
    int64_t found;
    return sink->taken && mn_grid_near(sink->taken, sink->points->position, position, sink->gap, &found, 1) > 0;
}

static void take(const Lattice *lattice, Sink *sink, const double position[3]) {
    if (lattice->film && mn_geometry_distance(lattice->film, position) <= -lattice->film->thickness) return;
    sink->count++;
    if (!sink->points || is_crowded(sink, position)) return;
    double volume = lattice->spacing * lattice->spacing * (lattice->dimension == 3 ? lattice->spacing : 1);
    if (!mn_points_append(sink->points, position, volume)) sink->out_of_memory = true;
}

static void walk_row(const Lattice *lattice, Sink *sink, int64_t j, int64_t k) {
    double h = lattice->spacing;
    for (int64_t i = 0; i < lattice->count[0] && !sink->out_of_memory;) {
        double local[3], position[3];
        int64_t number[3] = {i, j, k};
        for (int c = 0; c < 3; c++) local[c] = lattice->start[c] + (double)number[c] * h;
        mn_geometry_to_scene(lattice->leaf, local, position);
        /* A point on the surface, up to rounding, is not inside. */
        double distance = mn_geometry_distance(lattice->leaf, position) + 1e-9 * h;
        int64_t stride = 1 + (int64_t)fmax(floor(fmin(fabs(distance) / h, 1e6) - 1e-6), 0);
        for (; stride > 0 && i < lattice->count[0]; stride--, i++) {
            if (distance >= 0) continue;
            local[0] = lattice->start[0] + (double)i * h;
            mn_geometry_to_scene(lattice->leaf, local, position);
            take(lattice, sink, position);
        }
    }
}

static void walk(const Lattice *lattice, Sink *sink) {
    for (int64_t k = 0; k < lattice->count[2]; k++)
        for (int64_t j = 0; j < lattice->count[1]; j++) walk_row(lattice, sink, j, k);
}

/* The box around the leaf in its own frame. */
static void local_box(const mnGeometry *leaf, double lower[3], double upper[3]) {
    mnGeometry upright = *leaf;
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(upright.axis, axes, sizeof axes);
    memset(upright.origin, 0, sizeof upright.origin);
    upright.dimension = 3;
    mn_geometry_bounds(&upright, lower, upper);
}

/* In 2D the axis of the leaf's frame that sticks out of the drawing has a single layer at 0. */
static bool is_flat_axis(const mnGeometry *leaf, int axis) {
    return leaf->dimension == 2 && fabs(leaf->axis[axis][2]) > 0.5;
}

/* A lattice that is symmetric about the middle of the leaf's box, with (bit set in `on_middle`) or without a point on
 * the middle along each axis. */
static Lattice centred_lattice(const mnGeometry *leaf, const mnGeometry *film, double spacing, unsigned on_middle) {
    Lattice lattice = {.leaf = leaf, .film = film, .spacing = spacing, .dimension = leaf->dimension};
    double lower[3], upper[3];
    local_box(leaf, lower, upper);
    for (int c = 0; c < 3; c++) {
        if (is_flat_axis(leaf, c)) {
            lattice.count[c] = 1;
            continue;
        }
        double half = (upper[c] - lower[c]) / 2 / spacing;
        bool odd = on_middle >> c & 1;
        int64_t beside = (int64_t)fmin(ceil(odd ? half : half - 0.5) + 1, 1e9);
        lattice.count[c] = odd ? 2 * beside + 1 : 2 * beside + 2;
        lattice.start[c] = (lower[c] + upper[c]) / 2 - spacing * (double)(lattice.count[c] - 1) / 2;
    }
    return lattice;
}

/* For boxes and meshes each axis gets the parity of the nearest whole number of spacings. */
static unsigned parity_of_box(const mnGeometry *leaf, double spacing) {
    double lower[3], upper[3];
    unsigned on_middle = 0;
    local_box(leaf, lower, upper);
    for (int c = 0; c < 3; c++)
        if (fmod(fmax(round((upper[c] - lower[c]) / spacing), 1), 2) == 1) on_middle |= 1u << c;
    return on_middle;
}

/* Round shapes try both parities and take the one whose count comes nearest to the true volume: first those that treat
 * equal axes alike, the others only when these miss by more than one percent. */
static unsigned parity_of_round(const mnGeometry *leaf, double spacing) {
    bool sphere = leaf->kind == MN_SHAPE_SPHERE;
    double wanted = mn_geometry_volume(leaf) / pow(spacing, leaf->dimension), best = INFINITY;
    unsigned chosen = 0;
    for (int pass = 0; pass < 2 && best > 0.01 * wanted; pass++)
        for (unsigned parity = 0; parity < 8; parity++) {
            bool alike = (parity & 1) == (parity >> 1 & 1) && (!sphere || (parity & 1) == (parity >> 2 & 1));
            if (alike != (pass == 0)) continue;
            Lattice lattice = centred_lattice(leaf, NULL, spacing, parity);
            Sink counter = {0};
            walk(&lattice, &counter);
            double miss = fabs((double)counter.count - wanted);
            if (miss >= best) continue;
            best = miss;
            chosen = parity;
        }
    return chosen;
}

static mnStatus sample_leaf(const mnGeometry *leaf, const mnGeometry *film, double spacing, Sink *sink,
                            mnError *error) {
    bool square = leaf->kind == MN_SHAPE_BOX || leaf->kind == MN_SHAPE_MESH;
    unsigned parity = square ? parity_of_box(leaf, spacing) : parity_of_round(leaf, spacing);
    Lattice lattice = centred_lattice(leaf, film, spacing, parity);
    walk(&lattice, sink);
    return sink->out_of_memory ? mn_error_set(error, MN_ERROR_MEMORY, "no memory for the particles of a fluid") : MN_OK;
}

/* Each leaf becomes part of `taken` once it is complete, so that only points of different leaves meet. */
static mnStatus sample(const mnGeometry *geometry, const mnGeometry *film, double spacing, Sink *sink, mnError *error) {
    if (!film && geometry->hollow) film = geometry;
    if (geometry->kind == MN_SHAPE_UNION) {
        for (int i = 0; i < geometry->child_count; i++) {
            mnStatus status = sample(geometry->children[i], film, spacing, sink, error);
            if (status != MN_OK) return status;
        }
        return MN_OK;
    }
    int64_t first = sink->points->count;
    mnStatus status = sample_leaf(geometry, film, spacing, sink, error);
    for (int64_t i = first; status == MN_OK && sink->taken && i < sink->points->count; i++)
        if (!mn_grid_add(sink->taken, sink->points->position[i], i))
            status = mn_error_set(error, MN_ERROR_MEMORY, "no memory for the particles of a fluid");
    return status;
}

mnStatus mn_sample_check_fluid(const mnGeometry *geometry, mnError *error) {
    if (geometry->kind == MN_SHAPE_PLANE)
        return mn_error_set(error, MN_ERROR_INPUT, "plane: a half-space cannot be filled with fluid; use a box");
    mnStatus status = MN_OK;
    for (int i = 0; i < geometry->child_count && status == MN_OK; i++)
        status = mn_sample_check_fluid(geometry->children[i], error);
    return status;
}

mnStatus mn_sample_fluid(const mnGeometry *geometry, int dimension, double spacing, mnPoints *points, mnError *error) {
    mnStatus status = mn_sample_check_fluid(geometry, error);
    if (status != MN_OK) return status;
    int64_t expected = mn_sample_estimate_fluid(geometry, dimension, spacing);
    if (expected > INT32_MAX)
        return mn_error_set(error, MN_ERROR_MEMORY, "a fluid would have %.3g particles; use a larger spacing",
                            (double)expected);
    mnGrid taken = {0};
    Sink sink = {.points = points, .gap = union_gap * spacing};
    if (geometry->kind == MN_SHAPE_UNION) {
        if (!mn_grid_create(&taken, spacing, expected))
            return mn_error_set(error, MN_ERROR_MEMORY, "no memory for the particles of a fluid");
        sink.taken = &taken;
    }
    status = sample(geometry, NULL, spacing, &sink, error);
    mn_grid_destroy(&taken);
    return status;
}
