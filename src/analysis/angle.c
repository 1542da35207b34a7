#include "analysis/angle.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/grid.h"
#include "geometry/vector.h"

/* In h. Which part of the surface is looked at: above LOWEST, within FAR of the station but not further than a
 * SHARE of the drop's diameter, within ASIDE to both sides. With FAR = 8 angles along the line of a cap scatter twice
 * as much. */
static const double LOWEST = 1.5, FAR = 12, ASIDE = 4, SHARE = 0.7;

/* Particles of the outermost layer have a filling of about ¾, those of the next one nearly 1. */
static const double INSIDE = 0.92;

/* In h. Shorter pieces of a profile do not tell its curvature, and what is further from its circle is none: an edge, or
 * two surfaces. */
static const double SPAN = 3, ROUGH = 0.35;

enum { NEAR_MAX = 4096, TERMS = 5 };

typedef struct Surface {
    double (*place)[3], (*normal)[3]; /* m; unit, out of the liquid */
    int64_t count;
    mnGrid grid;
    double far; /* m */
} Surface;

/* ---- the surface ------------------------------------------------------------------------------------------------- */

/* From near the surface to it, by three steps of Newton, and the normal there. */
static bool move_to_surface(const mnLiquid *liquid, int32_t drop, double place[3], double normal[3]) {
    double start[3], gradient[3];
    copy3(start, place);
    for (int k = 0; k < 4; k++) {
        double filling = mn_liquid_filling(liquid, drop, place, gradient);
        if (k == 0 && filling > INSIDE) return false;
        double slope = length3(gradient);
        if (!(slope * liquid->spacing > 0.1)) return false;
        for (int c = 0; c < 3; c++) normal[c] = -gradient[c] / slope;
        if (k < 3) add_scaled3(place, place, (filling - 0.5) / slope, normal);
    }
    return distance_squared3(start, place) < liquid->spacing * liquid->spacing;
}

static bool is_free(const mnLiquid *liquid, const mnWalls *walls, const double place[3]) {
    for (int s = 0; s < walls->count; s++)
        if (mn_wall_is_near(&walls->wall[s], place, LOWEST * liquid->spacing)) return false;
    return true;
}

/* The surface may be vast, and only what is near the contact line is of use. */
typedef struct Line {
    double (*place)[3];
    mnGrid grid;
} Line;

static bool make_line(const mnFootprint *footprint, double reach, Line *line) {
    line->place = malloc((size_t)footprint->station_count * sizeof *line->place);
    bool done = line->place && mn_grid_create(&line->grid, reach, footprint->station_count);
    for (int s = 0; done && s < footprint->station_count; s++) {
        copy3(line->place[s], footprint->stations[s].place);
        done = mn_grid_add(&line->grid, line->place[s], s);
    }
    return done;
}

static bool is_near_line(const Line *line, const double place[3]) {
    int64_t station;
    return mn_grid_near(&line->grid, line->place, place, line->grid.cell, &station, 1) > 0;
}

static void clear_line(Line *line) {
    free(line->place);
    mn_grid_destroy(&line->grid);
}

static bool find_surface(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, const Line *line,
                         Surface *surface) {
    int32_t first = liquid->first[drop], members = liquid->first[drop + 1] - first;
    surface->place = malloc((size_t)members * sizeof *surface->place);
    surface->normal = malloc((size_t)members * sizeof *surface->normal);
    bool *taken = malloc((size_t)members * sizeof *taken);
    bool done = surface->place && surface->normal && taken && mn_grid_create(&surface->grid, surface->far, members);
    if (done) {
        MN_PARALLEL_FOR(liquid->threads)
        for (int32_t k = 0; k < members; k++) {
            mn_liquid_place(liquid, liquid->members[first + k], surface->place[k]);
            taken[k] = is_near_line(line, surface->place[k]) &&
                       move_to_surface(liquid, drop, surface->place[k], surface->normal[k]) &&
                       is_free(liquid, walls, surface->place[k]);
        }
    }
    for (int32_t k = 0; done && k < members; k++) {
        if (!taken[k]) continue;
        copy3(surface->place[surface->count], surface->place[k]);
        copy3(surface->normal[surface->count], surface->normal[k]);
        done = mn_grid_add(&surface->grid, surface->place[surface->count], surface->count);
        surface->count++;
    }
    free(taken);
    return done;
}

static void clear_surface(Surface *surface) {
    free(surface->place);
    free(surface->normal);
    mn_grid_destroy(&surface->grid);
}

/* ---- the profile ------------------------------------------------------------------------------------------------- */

/* A point of the surface as a station sees it, in h: outwards, up, and aside along the line. */
typedef struct Point {
    double out, up, aside;
    double normal_out, normal_up;
} Point;

static int look_around(const mnLiquid *liquid, const Surface *surface, const mnStation *station, int64_t *near,
                       Point *points) {
    double aside[3];
    int count = 0, found = mn_grid_near(&surface->grid, surface->place, station->place, surface->far, near, NEAR_MAX);
    cross3(aside, station->normal, station->out);
    for (int k = 0; k < found; k++) {
        const double *normal = surface->normal[near[k]];
        double to[3];
        subtract3(to, surface->place[near[k]], station->place);
        for (int c = 0; c < 3; c++) to[c] /= liquid->spacing;
        Point p = {dot3(to, station->out), dot3(to, station->normal), dot3(to, aside), dot3(normal, station->out),
                   dot3(normal, station->normal)};
        /* Of thin drops and upright films the far side is near too; it faces the other way. */
        if (fabs(p.aside) < ASIDE && p.up > 0 && p.normal_out > -0.2) points[count++] = p;
    }
    return count;
}

/* Least squares by the normal equations, which are symmetric and positive. False: the points do not determine it. */
static bool solve(int terms, double a[TERMS][TERMS + 1]) {
    for (int k = 0; k < terms; k++) {
        if (!(a[k][k] > 1e-6)) return false;
        for (int i = 0; i < terms; i++) {
            double share = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j <= terms; j++) a[i][j] -= share * a[k][j];
        }
    }
    for (int k = 0; k < terms; k++) a[k][terms] /= a[k][k];
    return true;
}

/* A frame in the plane of the profile, at the mean of its points: `off` is the mean way out of the liquid, `along` goes
 * up the surface. In it the profile is off = a + b·along + c·(along² + off²), which is a circle, or for c = 0 a line.
 * Written so, least squares do not favour small circles as they do where all terms of the circle's equation have
 * errors: off² is small here, since off is. */
typedef struct Chart {
    double out, up;         /* its origin */
    double off_out, off_up; /* the unit vector `off`; `along` is (−off_up, off_out) */
    double a, b, c;
} Chart;

static bool place_chart(const Point *points, int count, Chart *chart) {
    *chart = (Chart){0};
    for (int k = 0; k < count; k++) {
        chart->out += points[k].out / count;
        chart->up += points[k].up / count;
        chart->off_out += points[k].normal_out;
        chart->off_up += points[k].normal_up;
    }
    double length = hypot(chart->off_out, chart->off_up);
    chart->off_out /= length;
    chart->off_up /= length;
    return length > 0.3 * count;
}

/* The terms of the profile's equation at a point, and then `off`, which they should add up to. */
static void find_terms(const Chart *chart, const Point *point, int terms, double term[TERMS + 1]) {
    double out = point->out - chart->out, up = point->up - chart->up;
    double along = up * chart->off_out - out * chart->off_up, off = out * chart->off_out + up * chart->off_up;
    const double all[TERMS] = {1, along, along * along + off * off, point->aside, point->aside * point->aside};
    memcpy(term, all, sizeof all);
    term[terms] = off;
}

static bool is_smooth(const Chart *chart, const Point *points, int count, int terms, double a[TERMS][TERMS + 1]) {
    double squares = 0, lowest = INFINITY, highest = -INFINITY;
    for (int k = 0; k < count; k++) {
        double term[TERMS + 1];
        find_terms(chart, &points[k], terms, term);
        double misfit = term[terms];
        for (int i = 0; i < terms; i++) misfit -= a[i][terms] * term[i];
        squares += misfit * misfit;
        lowest = fmin(lowest, term[1]);
        highest = fmax(highest, term[1]);
    }
    return highest - lowest > SPAN && squares < ROUGH * ROUGH * count;
}

static bool fit_profile(const Point *points, int count, int terms, Chart *chart) {
    double a[TERMS][TERMS + 1] = {0};
    if (!place_chart(points, count, chart)) return false;
    for (int k = 0; k < count; k++) {
        double term[TERMS + 1];
        find_terms(chart, &points[k], terms, term);
        for (int i = 0; i < terms; i++)
            for (int j = 0; j <= terms; j++) a[i][j] += term[i] * term[j];
    }
    if (!solve(terms, a) || !is_smooth(chart, points, count, terms, a)) return false;
    chart->a = a[0][terms];
    chart->b = a[1][terms];
    chart->c = a[2][terms];
    return true;
}

/* Where the circle goes into the wall: of its two meetings with the line up = 0 the one from which the liquid lies
 * inwards. Along that line, with x from the chart's origin, the circle's equation is c·x² − p·x + r = 0. */
static mnContactAngle meet_wall(const Chart *chart, double spacing) {
    double up = -chart->up, p = chart->off_out + chart->b * chart->off_up;
    double r = chart->a + up * (chart->c * up + chart->b * chart->off_out - chart->off_up);
    double square = p * p - 4 * chart->c * r;
    if (!(square > 0)) return (mnContactAngle){NAN, 0};
    double root = sqrt(square), x = p > 0 ? 2 * r / (p + root) : (p - root) / (2 * chart->c);
    double normal_up = chart->off_up - chart->b * chart->off_out - 2 * chart->c * up;
    return (mnContactAngle){.angle = atan2(root, normal_up), .shift = spacing * (chart->out + x)};
}

static mnContactAngle measure(const mnLiquid *liquid, const Surface *surface, const mnStation *station, int64_t *near,
                              Point *points) {
    int terms = liquid->dimension == 3 ? TERMS : 3, count = look_around(liquid, surface, station, near, points);
    Chart chart;
    /* More points than a circle needs, and a meeting with the wall that is where the liquid ends. */
    if (count < terms + 2 || !fit_profile(points, count, terms, &chart)) return (mnContactAngle){NAN, 0};
    mnContactAngle found = meet_wall(&chart, liquid->spacing);
    return fabs(found.shift) < 3 * liquid->spacing ? found : (mnContactAngle){NAN, 0};
}

bool mn_contact_angles(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, const mnFootprint *footprint,
                       mnContactAngle *angles) {
    if (footprint->station_count == 0) return true;
    double volume = 0;
    for (int32_t k = liquid->first[drop]; k < liquid->first[drop + 1]; k++)
        volume += (double)liquid->position[liquid->members[k]].w;
    double diameter = liquid->dimension == 3 ? cbrt(6 * volume / M_PI) : sqrt(4 * volume / M_PI);
    Surface surface = {.far = fmin(FAR * liquid->spacing, SHARE * diameter)};
    Line line = {0};
    int64_t *near = malloc(NEAR_MAX * sizeof *near);
    Point *points = malloc(NEAR_MAX * sizeof *points);
    bool done = near && points && make_line(footprint, surface.far + liquid->spacing, &line) &&
                find_surface(liquid, drop, walls, &line, &surface);
    for (int s = 0; done && s < footprint->station_count; s++)
        angles[s] = measure(liquid, &surface, &footprint->stations[s], near, points);
    clear_line(&line);
    clear_surface(&surface);
    free(near);
    free(points);
    return done;
}
