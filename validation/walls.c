#include "walls.h"

#include <math.h>
#include <string.h>

double wall_height(const double normal[3], mnVec place) {
    return normal[0] * (double)place.x + normal[1] * (double)place.y + normal[2] * (double)place.z;
}

double liquid_volume(const mnSim *sim) {
    mnParticles p = mn_sim_particles(sim);
    double volume = 0;
    for (int64_t i = 0; i < p.count; i++) volume += (double)p.position[i].w;
    return volume;
}

double solid_angle(const mnSim *sim, const char *solid) {
    const mnSceneDesc *scene = mn_sim_scene(sim);
    int s = 0;
    while (strcmp(scene->solids[s].name, solid) != 0) s++;
    return *scene->solids[s].contact_angle;
}

/* ---- laws of caps ------------------------------------------------------------------------------------------------ */

/* V^(1/d) of a cap of the unit sphere (circle) with contact angle θ. */
static double cap_size(int dimension, double theta) {
    double c = cos(theta);
    return dimension == 3 ? cbrt(M_PI * (1 - c) * (1 - c) * (2 + c) / 3) : sqrt(theta - sin(theta) * c);
}

/* Lengths of caps over V^(1/d); the first two grow with θ, the third falls from 10° on. */

static double cap_circle(int dimension, double theta, double height) {
    (void)height;
    return -cos(theta) / cap_size(dimension, theta);
}

static double cap_centre(int dimension, double theta, double height) {
    (void)height;
    double size = cap_size(dimension, theta), c = cos(theta);
    double from_centre =
        dimension == 3 ? 0.75 * (1 + c) * (1 + c) / (2 + c) : 2 * pow(sin(theta), 3) / (3 * size * size);
    return (from_centre - c) / size;
}

/* The radius at `height`, which is over V^(1/d) as well. Very flat caps do not reach it. */
static double cap_base(int dimension, double theta, double height) {
    double size = cap_size(dimension, theta), above = cos(theta) + height * size;
    return sqrt(fmax(1 - above * above, 0)) / size;
}

static double solve_angle(double (*length)(int dimension, double theta, double height), int dimension, double height,
                          double value, double low) {
    double high = M_PI - 0.001;
    bool rising = length(dimension, high, height) > length(dimension, low, height);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if ((length(dimension, middle, height) < value) == rising)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high) * 180 / M_PI;
}

CapAngles cap_angles(int dimension, double volume, double spacing, DropLengths lengths) {
    double size = pow(volume, 1.0 / dimension);
    return (CapAngles){.circle = solve_angle(cap_circle, dimension, 0, lengths.circle / size, 0.01),
                       .centre = solve_angle(cap_centre, dimension, 0, lengths.centre / size, 0.01),
                       .base = solve_angle(cap_base, dimension, 0.5 * spacing / size, lengths.base / size, M_PI / 18)};
}

double cap_radius(int dimension, double volume, double angle) {
    return pow(volume, 1.0 / dimension) / cap_size(dimension, angle * M_PI / 180);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Distance from the axis, which is the normal through the centre of mass. */
static double axis_distance(const double normal[3], const double centre[3], mnVec place) {
    double d[3] = {(double)place.x - centre[0], (double)place.y - centre[1], (double)place.z - centre[2]};
    double along = d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2];
    return sqrt(fmax(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - along * along, 0));
}

/* Calls `point` for every particle of the free surface. */
static void visit_surface(const mnSim *sim, const double normal[3],
                          void (*point)(void *context, double radius, double height), void *context) {
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    /* C^FV is next to nothing below the outermost layer, so ΣC²/ΣC is what it is in that layer, and stray particles
     * hardly count. Any threshold in between tells the same particles. */
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < p.count; i++) {
        double measure = fmax((double)p.measure[i].x, 0);
        sum += measure;
        squares += measure * measure;
    }
    for (int64_t i = 0; i < p.count; i++)
        if ((double)p.measure[i].x * sum > 0.5 * squares)
            point(context, axis_distance(normal, totals.centre, p.position[i]), wall_height(normal, p.position[i]));
}

typedef struct Plotter {
    Case *owner;
    const char *curve;
    double spacing;
    int count;
} Plotter;

static void add_point(void *context, double radius, double height) {
    Plotter *plotter = context;
    if (plotter->count++ % 10 == 0)
        case_point(plotter->owner, plotter->curve, radius / plotter->spacing, height / plotter->spacing);
}

void drop_plot(Case *c, const mnSim *sim, const double normal[3], const char *curve) {
    Plotter plotter = {.owner = c, .curve = curve, .spacing = mn_sim_scene(sim)->spacing};
    visit_surface(sim, normal, add_point, &plotter);
}

/* Sums over the free surface: of the straight line r² + z² = A + 2 z_c z, which is what a circle about z_c is, and of
 * the heights near the axis. */
typedef struct SurfaceSums {
    double lowest, near;
    double count, z, zz, y, zy;
    double top_count, top;
} SurfaceSums;

static void add_to_surface(void *context, double radius, double height) {
    SurfaceSums *sums = context;
    double y = radius * radius + height * height;
    if (radius < sums->near) {
        sums->top_count += 1;
        sums->top += height;
    }
    if (height < sums->lowest) return;
    sums->count += 1;
    sums->z += height;
    sums->zz += height * height;
    sums->y += y;
    sums->zy += height * y;
}

DropLengths drop_lengths(const mnSim *sim, const double normal[3]) {
    const mnSceneDesc *scene = mn_sim_scene(sim);
    mnParticles p = mn_sim_particles(sim);
    mnTotals totals = mn_sim_totals(sim);
    bool is_3d = scene->dimension == 3;
    SurfaceSums surface = {.lowest = 3 * scene->spacing, .near = 2 * scene->spacing};
    visit_surface(sim, normal, add_to_surface, &surface);
    double sigma = MIDDLE_OF_DROP * pow(liquid_volume(sim), 1.0 / scene->dimension);
    double height = 0, squares = 0, at_wall = 0, middle = 0;
    for (int64_t i = 0; i < p.count; i++) {
        double z = wall_height(normal, p.position[i]), r = axis_distance(normal, totals.centre, p.position[i]);
        bool is_at_wall = z < scene->spacing;
        height += z;
        squares += is_at_wall ? r * r : 0;
        at_wall += is_at_wall;
        middle += (double)p.position[i].w * exp(-r * r / (2 * sigma * sigma));
    }
    /* ⟨r²⟩ of a disc of radius a is a²/2, of a line a²/3; ∫ exp(−r²/2σ²) is 2πσ² and √(2π)σ. */
    return (DropLengths){.circle = 0.5 * (surface.count * surface.zy - surface.z * surface.y) /
                                   (surface.count * surface.zz - surface.z * surface.z),
                         .centre = height / (double)p.count,
                         .base = sqrt((is_3d ? 2 : 3) * squares / at_wall),
                         .thickness = middle / (is_3d ? 2 * M_PI * sigma * sigma : sqrt(2 * M_PI) * sigma),
                         .top = surface.top / surface.top_count + 0.5 * scene->spacing};
}

enum { WINDOW = 10 }; /* readings within one unit of time */

static double spread_of_centre(const DropLengths readings[WINDOW]) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < WINDOW; k++) {
        low = fmin(low, readings[k].centre);
        high = fmax(high, readings[k].centre);
    }
    return high - low;
}

bool drop_settle(Case *c, mnSim *sim, const double normal[3], double unit, double longest, DropLengths *mean) {
    DropLengths readings[WINDOW] = {0};
    double near = 0.003 * pow(liquid_volume(sim), 1.0 / mn_sim_scene(sim)->dimension);
    double start = mn_sim_time(sim);
    int last = (int)(longest * WINDOW);
    for (int k = 0; k < last && (k < WINDOW || spread_of_centre(readings) > near); k++) {
        if (!case_run(c, sim, start + unit * (k + 1) / WINDOW)) return false;
        readings[k % WINDOW] = drop_lengths(sim, normal);
        case_progress(c, (double)k / last);
    }
    *mean = (DropLengths){0};
    for (int k = 0; k < WINDOW; k++) {
        mean->circle += readings[k].circle / WINDOW;
        mean->centre += readings[k].centre / WINDOW;
        mean->base += readings[k].base / WINDOW;
        mean->thickness += readings[k].thickness / WINDOW;
        mean->top += readings[k].top / WINDOW;
    }
    return true;
}
