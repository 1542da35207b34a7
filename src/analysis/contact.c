#include "analysis/contact.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/angle.h"
#include "analysis/footprint.h"
#include "base/parallel.h"
#include "geometry/vector.h"

static const double TOUCH = 1.25; /* h */

bool mn_contact_is_at(const mnLiquid *liquid, const mnWall *wall, const double place[3]) {
    return mn_wall_is_near(wall, place, TOUCH * liquid->spacing);
}

/* The largest height of its particles, their upper halves included, the place of the lowest and the wall's normal
 * there.
 */
static bool find_height(const mnLiquid *liquid, int32_t drop, const mnWall *wall, double *height, double place[3],
                        double normal[3]) {
    int32_t first = liquid->first[drop], members = liquid->first[drop + 1] - first, lowest = 0;
    double *heights = malloc((size_t)members * sizeof *heights);
    if (!heights) return false;
    MN_PARALLEL_FOR(liquid->threads)
    for (int32_t k = 0; k < members; k++) {
        double at[3];
        mn_liquid_place(liquid, liquid->members[first + k], at);
        heights[k] = mn_wall_distance(wall, at);
    }
    *height = -INFINITY;
    for (int32_t k = 0; k < members; k++) {
        *height = fmax(*height, heights[k] + 0.5 * liquid->spacing);
        if (heights[k] < heights[lowest]) lowest = k;
    }
    free(heights);
    mn_liquid_place(liquid, liquid->members[first + lowest], place);
    mn_wall_probe(wall, place, normal);
    return true;
}

static void take_out(double vector[3], const double normal[3]) {
    add_scaled3(vector, vector, -dot3(vector, normal), normal);
}

/* The direction in which a drop slides, a unit vector. Of one that is as good as at rest, which
 * swings more than it moves, it is downhill, since drops that are held on a slope are of interest too. (A drop that
 * rolls or shears has an unrest of 0.6 of its speed.) On a level wall such
 * a drop has none: a zero vector. */
static void find_heading(const mnContact *contact, const double normal[3], const mnDropMotion *motion,
                         double heading[3]) {
    copy3(heading, contact->velocity);
    if (normalise3(heading) > motion->unrest) return;
    copy3(heading, motion->gravity);
    take_out(heading, normal);
    if (normalise3(heading) <= 0.02 * length3(motion->gravity)) memset(heading, 0, 3 * sizeof *heading);
}

typedef struct Mean {
    double sum, weight;
} Mean;

static void mean_add(Mean *mean, double value, double weight) {
    mean->sum += weight * value;
    mean->weight += weight;
}

static double mean_value(const Mean *mean) {
    return mean->weight > 0 ? mean->sum / mean->weight : NAN;
}

/* The line is moved to where the profiles of the surface meet the wall, and the area grows by as much. */
static void sum_angles(int dimension, const mnFootprint *footprint, const mnContactAngle *found,
                       const double heading[3], mnContact *contact) {
    Mean all = {0}, front = {0}, rear = {0};
    mnAngles *angles = &contact->angles;
    *angles = (mnAngles){.lowest = INFINITY, .highest = -INFINITY};
    for (int s = 0; s < footprint->station_count; s++) {
        const mnStation *station = &footprint->stations[s];
        contact->line += station->length;
        contact->area += found[s].shift * station->length;
        if (isnan(found[s].angle)) continue;
        double ahead = dot3(station->out, heading);
        mean_add(&all, found[s].angle, station->length);
        if (ahead > M_SQRT1_2) mean_add(&front, found[s].angle, station->length);
        if (ahead < -M_SQRT1_2) mean_add(&rear, found[s].angle, station->length);
        angles->lowest = fmin(angles->lowest, found[s].angle);
        angles->highest = fmax(angles->highest, found[s].angle);
        angles->pieces++;
    }
    contact->area = fmax(contact->area, 0);
    /* As of a figure that grows all around. */
    if (dimension == 3 && footprint->area > 0) contact->line *= sqrt(contact->area / footprint->area);
    if (angles->pieces == 0) angles->lowest = angles->highest = NAN;
    angles->mean = mean_value(&all);
    angles->front = mean_value(&front);
    angles->rear = mean_value(&rear);
}

static bool measure_footprint(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, const mnFootprint *footprint,
                              const mnDropMotion *motion, mnContact *contact) {
    const mnWall *wall = &walls->wall[contact->solid];
    double foot[3], normal[3], heading[3];
    if (!find_height(liquid, drop, wall, &contact->height, foot, normal)) return false;
    if (footprint->area > 0) {
        copy3(foot, footprint->centre);
        copy3(normal, footprint->normal);
    }
    mn_wall_velocity(wall, foot, contact->velocity);
    subtract3(contact->velocity, motion->velocity, contact->velocity);
    take_out(contact->velocity, normal);
    find_heading(contact, normal, motion, heading);
    mnContactAngle *found = malloc(((size_t)footprint->station_count + 1) * sizeof *found);
    bool done = found && mn_contact_angles(liquid, drop, walls, footprint, found);
    contact->area = footprint->area;
    if (done) sum_angles(liquid->dimension, footprint, found, heading, contact);
    free(found);
    double thickness = motion->volume / contact->area;
    contact->mean_thickness = thickness <= 2 * contact->height ? thickness : NAN; /* else it is no film, nor a cap */
    return done;
}

bool mn_contact_measure(const mnLiquid *liquid, int32_t drop, const mnWalls *walls, int solid,
                        const mnDropMotion *motion, mnContact *contact) {
    *contact = (mnContact){.solid = solid};
    mnFootprint footprint;
    if (!mn_footprint_find(liquid, drop, &walls->wall[solid], &footprint)) return false;
    bool done = measure_footprint(liquid, drop, walls, &footprint, motion, contact);
    mn_footprint_clear(&footprint);
    return done;
}
