/* A random cloud against plain double loops over all pairs, written from the equations: every sum of the solver. */
#include "sim_helpers.h"

#include "kernels/measure.h"
#include "kernels/pressure.h"
#include "kernels/tension.h"

static const double h = 1e-3, epsilon = 0.05;
static const double TOLERANCE = sizeof(mnReal) == 8 ? 1e-12 : 1e-5; /* relative to the largest entry */
static const double lateness = 0.7;

typedef struct Point {
    double x[3], ahead[3], v[3], volume;
    bool is_wall;
    int material; /* phase or solid */
} Point;

typedef struct Reference {
    double fill, numbers[4], weights[4], force[3], change, push[3], slide[3], wall_weight, friction, pressure_force[3];
    double stiffness, late[3];
} Reference;

typedef struct Oracle {
    int d, count, fluid_count;
    Point *points; /* fluid first */
    Reference *found;
    const mnSim *sim;
    const mnWorld *world;
} Oracle;

static double distance(const double a[3], const double b[3], double e[3]) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
    double r = sqrt(square);
    for (int k = 0; k < 3; k++) e[k] = r > 0 ? (a[k] - b[k]) / r : 0;
    return r;
}

static Point point_of(const mnWorld *world, mnVec x, mnVec v) {
    Point point = {.volume = (double)x.w};
    for (int a = 0; a < 3; a++) {
        point.x[a] = get(x, a);
        point.v[a] = get(v, a);
        point.ahead[a] = point.x[a] + (double)world->constants.dt * point.v[a];
    }
    return point;
}

static Oracle gather(const mnSim *sim) {
    const mnWorld *world = &sim->world;
    Oracle o = {.d = world->constants.dimension, .sim = sim, .world = world};
    o.fluid_count = (int)world->fluid.count;
    o.count = o.fluid_count + (int)world->boundary.count;
    o.points = calloc((size_t)o.count, sizeof *o.points);
    o.found = calloc((size_t)o.count, sizeof *o.found);
    for (int i = 0; i < o.fluid_count; i++) {
        o.points[i] = point_of(world, world->fluid.position[i], world->fluid.predicted[i]);
        o.points[i].material = world->fluid.phase[i];
    }
    for (int i = o.fluid_count; i < o.count; i++) {
        int b = i - o.fluid_count;
        o.points[i] = point_of(world, world->boundary.position[b], world->boundary.velocity[b]);
        o.points[i].material = world->boundary.solid[b];
        o.points[i].is_wall = true;
    }
    return o;
}

static double wet_weight(const Oracle *o, int wall, int fluid) {
    int phases = o->world->constants.fluid_count;
    return (double)o->world->pairs[o->points[wall].material * phases + o->points[fluid].material].wet_weight;
}

/* eq. 24 with each neighbour's own volume. Lists have a skin, so that those count as well who come within 3h on the way
 * to the predicted positions. */
static void sum_numbers(Oracle *o, int i) {
    const Point *p = &o->points[i];
    double *n = o->found[i].numbers, e[3];
    for (int j = 0; j < o->count; j++) {
        const Point *q = &o->points[j];
        double r = p->is_wall && q->is_wall ? distance(p->x, q->x, e) : distance(p->ahead, q->ahead, e);
        double wide = q->volume * classic_value(o->d, 3 * h, r), near = q->volume * classic_value(o->d, 2 * h, r);
        n[0] += wide;
        n[1] += near;
        if (p->is_wall) {
            if (!q->is_wall) n[2] += wet_weight(o, i, j) * wide;
        } else if (q->is_wall) {
            n[3] += wide;
        } else if (q->material != p->material) {
            n[2] += wide;
        }
    }
}

/* The colour of a particle as fluid particle i sees it, in robust_csf.h. */
static double colour(const Oracle *o, int i, int j) {
    int phases = o->world->constants.fluid_count;
    return o->points[j].is_wall
               ? (double)o->world->pairs[o->points[j].material * phases + o->points[i].material].adhesion
               : 1;
}

/* |∇c|² and the mean colour of the walls, at the predicted positions. */
static double squared_gradient(const Oracle *o, int i, double *wall_colour) {
    const Point *p = &o->points[i];
    double e[3], number = 0, gradient[3] = {0, 0, 0}, walls = 0, coloured = 0, square = 0;
    for (int j = 0; j < o->count; j++) {
        const Point *q = &o->points[j];
        double r = distance(p->ahead, q->ahead, e), share = q->volume * colour(o, i, j);
        number += share * classic_value(o->d, 3 * h, r);
        for (int a = 0; a < 3; a++) gradient[a] += share * classic_slope(o->d, 3 * h, r) * e[a];
        walls += q->is_wall ? q->volume * classic_value(o->d, 3 * h, r) : 0;
        coloured += q->is_wall ? share * classic_value(o->d, 3 * h, r) : 0;
    }
    for (int a = 0; a < 3; a++) square += gradient[a] * gradient[a] / (number * number);
    *wall_colour = walls > 0 ? coloured / walls : 0;
    return square;
}

/* Weights of the comparison models. */
static void find_other_weights(Oracle *o, int i) {
    const Point *p = &o->points[i];
    double *w = o->found[i].weights, strength = (double)o->world->fluids[p->material].attraction, wall_colour;
    if (o->world->constants.model == MN_TENSION_PAIRWISE) {
        w[0] = p->is_wall ? 0 : strength * p->volume;
        w[2] = p->is_wall ? p->volume : 0;
    } else if (!p->is_wall) {
        w[0] = strength / 4 * p->volume * squared_gradient(o, i, &wall_colour);
        w[3] = (1 - 2 * wall_colour) * w[0];
    }
}

static double slope(double c) {
    return c > 0 ? c / sqrt(c * c + epsilon * epsilon) : 0;
}

static void find_weights(Oracle *o, int i) {
    const mnConstants *c = &o->world->constants;
    const Point *p = &o->points[i];
    const double *n = o->found[i].numbers;
    if (c->model != MN_TENSION_ENERGY) {
        find_other_weights(o, i);
        return;
    }
    double *w = o->found[i].weights, k = c->normalised ? 0.5 : 0;
    const mnFluidConstants *fluid = &o->world->fluids[p->material];
    const mnSolidConstants *solid = &o->world->solids[p->material];
    double vapor =
        p->is_wall ? (double)solid->gamma_bv * (double)c->area_bv : (double)fluid->gamma_fv * (double)c->area_fv;
    double share = p->is_wall ? p->volume / pow(h, o->d) : 1;
    double s = share * slope((double)c->inside - n[0] * pow(n[1], -k));
    w[0] = vapor * s * pow(n[1], -k);
    w[1] = k * vapor * s * n[0] * pow(n[1], -k - 1);
    w[2] = share *
           (p->is_wall ? (double)solid->gamma_bf * (double)c->area_bf : (double)fluid->gamma_ff * (double)c->area_ff) *
           slope(n[2]);
    w[3] = p->is_wall ? 0 : (double)fluid->gamma_fb * (double)c->area_fb * slope(n[3]);
}

/* eq. 3, 4, 14, 21, 22 and 26 for fluid particle i. */
static void sum_forces(Oracle *o, int i) {
    const Point *p = &o->points[i];
    Reference *f = &o->found[i];
    const double *own = f->weights;
    double pressure = (double)o->world->fluid.pressure[i], e[3];
    for (int j = 0; j < o->count; j++) {
        const Point *q = &o->points[j];
        const double *their = o->found[j].weights;
        double r = distance(p->x, q->x, e);
        double near = classic_slope(o->d, 2 * h, r), wide = classic_slope(o->d, 3 * h, r), strength = 0;
        double value = classic_value(o->d, 2 * h, r);
        double held = q->is_wall ? (double)o->world->constants.wall * q->volume : q->volume;
        f->fill += held * value;
        strength +=
            (own[0] * q->volume + their[0] * p->volume) * wide - (own[1] * q->volume + their[1] * p->volume) * near;
        if (q->is_wall)
            strength -= (own[3] * q->volume + wet_weight(o, j, i) * their[2] * p->volume) * wide;
        else if (q->material != p->material)
            strength -= (own[2] * q->volume + their[2] * p->volume) * wide;
        double pushed = q->is_wall ? pressure : pressure + (double)o->world->fluid.pressure[j];
        for (int a = 0; a < 3; a++) {
            f->force[a] += strength * e[a];
            f->change -= (double)o->world->constants.dt * held * (p->v[a] - q->v[a]) * near * e[a];
            f->pressure_force[a] -= p->volume * held * pushed * near * e[a];
            if (!q->is_wall) continue;
            f->push[a] -= held * near * e[a];
            f->slide[a] += q->volume * value * q->v[a];
        }
        if (!q->is_wall) continue;
        int pair = q->material * o->world->constants.fluid_count + p->material;
        f->wall_weight += q->volume * value;
        f->friction += q->volume * value * (double)o->world->pairs[pair].friction;
    }
}

/* Repulsion that is taken late, for fluid particle i: Σ k and −θΔt Σ k ((v_i − v_j)·e) e. Walls have no b in it. */
static void sum_late(Oracle *o, int i) {
    const Point *p = &o->points[i];
    Reference *f = &o->found[i];
    double e[3];
    for (int j = 0; j < o->count; j++) {
        const Point *q = &o->points[j];
        double r = distance(p->x, q->x, e), closing = 0;
        double strength = f->weights[1] * q->volume + (q->is_wall ? 0 : o->found[j].weights[1] * p->volume);
        double stiffness = strength * fmax(0, classic_curvature(o->d, 2 * h, r));
        for (int a = 0; a < 3; a++) closing += (p->v[a] - q->v[a]) * e[a];
        for (int a = 0; a < 3; a++)
            f->late[a] -= lateness * (double)o->world->constants.dt * stiffness * closing * e[a];
        f->stiffness += stiffness;
    }
}

/* Largest error and largest value of one compared quantity. */
typedef struct Worst {
    double error, scale;
} Worst;

static void compare(Worst *worst, double found, double expected) {
    worst->error = fmax(worst->error, isfinite(found) ? fabs(found - expected) : INFINITY);
    worst->scale = fmax(worst->scale, fabs(expected));
}

static void judge(const char *what, Worst worst) {
    if (!(worst.error <= TOLERANCE * worst.scale))
        fail_msg("%s: %.3g off, the largest is %.3g", what, worst.error, worst.scale);
}

static void compare_measures(const Oracle *o) {
    Worst numbers = {0, 0}, wetted = {0, 0}, weights = {0, 0}, others = {0, 0};
    for (int i = 0; i < o->count; i++) {
        int b = i - o->fluid_count;
        if (b >= 0 && mn_around_boundary(o->world, b).near_all + mn_around_boundary(o->world, b).far_all == 0) continue;
        mnVec n = b < 0 ? o->world->fluid.numbers[i] : o->world->boundary.numbers[b];
        mnVec w = b < 0 ? o->world->fluid.weights[i] : o->world->boundary.weights[b];
        const Reference *f = &o->found[i];
        compare(&numbers, (double)n.x, f->numbers[0]);
        compare(&numbers, (double)n.y, f->numbers[1]);
        compare(b < 0 ? &numbers : &wetted, (double)n.z, f->numbers[2]);
        if (b < 0) compare(&numbers, (double)n.w, f->numbers[3]);
        compare(&weights, (double)w.x, f->weights[0]);
        compare(&weights, (double)w.y, f->weights[1]);
        compare(&others, (double)w.z, f->weights[2]);
        if (b < 0) compare(&others, (double)w.w, f->weights[3]);
    }
    judge("numbers", numbers);
    judge("weighted numbers of walls", wetted);
    judge("weights of vapor", weights);
    judge("weights of other fluids and walls", others);
}

static void compare_forces(const Oracle *o) {
    Worst fill = {0, 0}, force = {0, 0}, change = {0, 0}, pressure = {0, 0}, normal = {0, 0}, slide = {0, 0},
          mu = {0, 0};
    const mnFluidState *fluid = &o->world->fluid;
    for (int i = 0; i < o->fluid_count; i++) {
        const Reference *f = &o->found[i];
        mnGradient gradient = mn_own_gradient(o->world, (int32_t)i, false);
        mnVec push = mn_own_pressure_force(o->world, (int32_t)i);
        mnContact wall = contact_of(o->world, i);
        compare(&fill, (double)fluid->fill[i], f->fill);
        compare(&change, (double)gradient.volume_error, f->change);
        for (int a = 0; a < 3; a++) {
            compare(&force, get(gradient.force, a), f->force[a]);
            compare(&pressure, get(push, a), f->pressure_force[a]);
            compare(&normal, get(wall.normal, a) * (double)wall.normal.w, f->push[a]);
            compare(&slide, get(wall.slide, a), f->slide[a]);
        }
        compare(&mu, (double)fluid->mu[i] * (double)wall.slide.w, f->friction);
        compare(&mu, (double)wall.slide.w, f->wall_weight);
    }
    judge("fill", fill);
    judge("surface force", force);
    judge("change of volume", change);
    judge("pressure force", pressure);
    judge("contact normal", normal);
    judge("wall velocity", slide);
    judge("friction", mu);
}

/* After all else, since it overwrites what that has left. */
static void compare_late(mnSim *sim, const Oracle *o) {
    mnWorld *world = &sim->world;
    Worst stiffness = {0, 0}, force = {0, 0};
    double largest = 0;
    world->constants.lateness = (mnReal)lateness;
    for (int i = 0; i < o->fluid_count; i++) {
        mnReal found = mn_repulsion_stiffness_at(world->fluid.position[i], world->fluid.flow[i].w, world->constants,
                                                 mn_around_fluid(world, i), world->fluid.position, world->fluid.flow,
                                                 world->boundary.position);
        compare(&stiffness, (double)found, o->found[i].stiffness);
    }
    const mnVec *found = update_tension(world);
    for (int i = 0; i < o->fluid_count; i++)
        for (int a = 0; a < 3; a++) {
            compare(&force, get(found[i], a), o->found[i].force[a] + o->found[i].late[a]);
            largest = fmax(largest, fabs(o->found[i].late[a]));
        }
    judge("stiffness of repulsion", stiffness);
    judge("surface force with late repulsion", force);
    bool has_some = world->constants.model == MN_TENSION_ENERGY && world->constants.normalised;
    assert_true(has_some ? largest > 0.01 * force.scale : largest == 0);
}

static mnSim *make_cloud(int dimension, mnTensionModel model, mnMeasure measure, uint64_t seed) {
    Setup setup;
    double angles[2][3] = {{0.5, 1.2, 2.0}, {1.0, NAN, 2.5}}, friction[3] = {0.1, 0.4, 0.9};
    setup_begin(&setup, dimension, h, 3, 2);
    setup.desc.solver.measure = measure;
    setup.desc.solver.tension_model = model;
    for (int f = 0; f < 3; f++) {
        setup.fluids[f].density = 1000 + 500 * f;
        setup.fluids[f].tension_fluid = 0.01 + 0.02 * f;
        setup.fluids[f].tension_solid = 0.03 - 0.01 * f;
        setup.fluids[f].cohesion = 20 + 10 * f;
        setup.fluids[f].squared_gradient = 1e-3 * (1 + f);
    }
    for (int s = 0; s < 2; s++) setup.solids[s].contact_angle = angles[s];
    setup.solids[0].friction_of = friction;
    setup.solids[1].friction = 0.2;
    mnSim *sim = sim_begin(&setup, 1);
    put_cloud(sim, dimension == 3 ? 6 : 15, 0.35, seed);
    sim_end(sim);
    sim->world.constants.dt = (mnReal)1e-4;
    for (int64_t i = 0; i < sim->world.fluid.count; i++) {
        sim->world.fluid.pressure[i] = (mnReal)uniform(&seed, 0, 100);
        for (int a = 0; a < dimension; a++) set(&sim->world.fluid.velocity[i], a, uniform(&seed, -0.1, 0.1));
    }
    for (int64_t b = 0; b < sim->world.boundary.count; b++)
        for (int a = 0; a < dimension; a++) set(&sim->world.boundary.velocity[b], a, uniform(&seed, -0.1, 0.1));
    return sim;
}

static void check(int dimension, mnTensionModel model, mnMeasure measure, uint64_t seed) {
    mnSim *sim = make_cloud(dimension, model, measure, seed);
    mnWorld *world = &sim->world;
    world->turn.parts = MN_PART_TENSION; /* and no tension yet: predicted velocities are the velocities */
    mn_run(world, MN_PASS_start);
    mn_pass_diagonals(world);
    mn_run(world, MN_PASS_push);
    mn_run(world, MN_PASS_force);
    mn_run(world, MN_PASS_measure);
    mn_run(world, MN_PASS_push);
    Oracle o = gather(sim);
    for (int i = 0; i < o.count; i++) sum_numbers(&o, i);
    for (int i = 0; i < o.count; i++) find_weights(&o, i);
    for (int i = 0; i < o.fluid_count; i++) sum_forces(&o, i);
    for (int i = 0; i < o.fluid_count; i++) sum_late(&o, i);
    compare_measures(&o);
    compare_forces(&o);
    compare_late(sim, &o);
    free(o.points);
    free(o.found);
    mn_sim_destroy(sim);
}

static void cloud_in_the_plane(void **state) {
    (void)state;
    check(2, MN_TENSION_ENERGY, MN_MEASURE_NORMALISED, 11);
    check(2, MN_TENSION_ENERGY, MN_MEASURE_NUMBER_DENSITY, 12);
}

static void cloud_in_space(void **state) {
    (void)state;
    check(3, MN_TENSION_ENERGY, MN_MEASURE_NORMALISED, 13);
    check(3, MN_TENSION_ENERGY, MN_MEASURE_NUMBER_DENSITY, 14);
}

static void comparison_models(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        check(dimension, MN_TENSION_PAIRWISE, MN_MEASURE_NORMALISED, 15);
        check(dimension, MN_TENSION_ROBUST_CSF, MN_MEASURE_NORMALISED, 16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cloud_in_the_plane), cmocka_unit_test(cloud_in_space),
                                       cmocka_unit_test(comparison_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
