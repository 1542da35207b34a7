#include "measure_output.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "geometry/vector.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum { FRAME_WIDTH = 7, COUNT_WIDTH = 7, WIDTH = 13, ANGLE_WIDTH = 9 };

static double degrees(double radians) {
    return radians * 180 / M_PI;
}

void print_measured_head(const mnSceneDesc *scene) {
    bool flat = scene->dimension == 2;
    printf("%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s\n", FRAME_WIDTH, "frame", WIDTH, "time_s", COUNT_WIDTH,
           "drops", WIDTH, flat ? "volume_m2" : "volume_m3", WIDTH, "d32_m", WIDTH, flat ? "largest_m2" : "largest_m3",
           WIDTH, "speed_m_s", WIDTH, "sliding_m_s", WIDTH, flat ? "wetted_m" : "wetted_m2", ANGLE_WIDTH, "angle_deg",
           ANGLE_WIDTH, "min_deg", ANGLE_WIDTH, "max_deg", WIDTH, "thickness_m");
}

static void print_number(int width, const char *format, double value) {
    char text[64] = "-";
    if (isfinite(value)) snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

void print_measured(const Measured *measured) {
    const mnDrops *drops = measured->drops;
    const mnDrop *largest = drops->count > 0 ? &drops->drops[0] : NULL;
    const mnContact *contact = largest && largest->contact_count ? &drops->contacts[largest->first_contact] : NULL;
    printf("%*lld", FRAME_WIDTH, (long long)measured->frame);
    print_number(WIDTH, "%.6g", measured->time);
    printf(" %*lld", COUNT_WIDTH, (long long)drops->count);
    print_number(WIDTH, "%.6g", drops->volume);
    print_number(WIDTH, "%.6g", drops->sauter_diameter);
    print_number(WIDTH, "%.6g", largest ? largest->volume : NAN);
    print_number(WIDTH, "%.6g", largest ? length3(largest->velocity) : NAN);
    print_number(WIDTH, "%.6g", contact ? length3(contact->velocity) : NAN);
    print_number(WIDTH, "%.6g", drops->area);
    print_number(ANGLE_WIDTH, "%.1f", degrees(drops->angles.mean));
    print_number(ANGLE_WIDTH, "%.1f", degrees(drops->angles.lowest));
    print_number(ANGLE_WIDTH, "%.1f", degrees(drops->angles.highest));
    print_number(WIDTH, "%.6g", contact ? contact->mean_thickness : NAN);
    putchar('\n');
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* Names carry their units, which in 2D are those of quantities per metre of depth. */
typedef struct Names {
    const char *volume, *mass, *area, *line;
} Names;

static const Names names_2d = {"volume_m2", "mass_kg_per_m", "wetted_area_m", "contact_points"};
static const Names names_3d = {"volume_m3", "mass_kg", "wetted_area_m2", "contact_line_m"};

/* JSON has no NaN. */
static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *vector(const double v[3]) {
    return json_pack("[o, o, o]", number(v[0]), number(v[1]), number(v[2]));
}

static json_t *contact_json(const Names *names, const mnSceneDesc *scene, const mnContact *contact) {
    const mnAngles *angles = &contact->angles;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o}", "solid",
                     scene->solids[contact->solid].name, names->area, number(contact->area), names->line,
                     number(contact->line), "angle_mean_deg", number(degrees(angles->mean)), "angle_min_deg",
                     number(degrees(angles->lowest)), "angle_max_deg", number(degrees(angles->highest)),
                     "angle_front_deg", number(degrees(angles->front)), "angle_rear_deg", number(degrees(angles->rear)),
                     "angle_pieces", angles->pieces, "thickness_m", number(contact->mean_thickness), "height_m",
                     number(contact->height), "sliding_velocity_m_s", vector(contact->velocity), "sliding_speed_m_s",
                     number(length3(contact->velocity)));
}

static json_t *drop_json(const Names *names, const Measured *measured, const mnDrop *drop) {
    json_t *contacts = json_array();
    for (int k = 0; k < drop->contact_count; k++)
        json_array_append_new(
            contacts, contact_json(names, measured->scene, &measured->drops->contacts[drop->first_contact + k]));
    if (!contacts ||
        json_array_size(contacts) < (size_t)drop->contact_count) { /* one that found no memory is missing */
        json_decref(contacts);
        return NULL;
    }
    return json_pack("{s:I, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", (json_int_t)drop->id,
                     "fluid", measured->scene->fluids[drop->fluid].name, "particles", (json_int_t)drop->particles,
                     names->volume, number(drop->volume), names->mass, number(drop->mass), "diameter_m",
                     number(drop->diameter), "centre_m", vector(drop->centre), "velocity_m_s", vector(drop->velocity),
                     "speed_m_s", number(length3(drop->velocity)), "lower_m", vector(drop->lower), "upper_m",
                     vector(drop->upper), "contacts", contacts);
}

static json_t *frame_json(const Measured *measured) {
    const mnDrops *drops = measured->drops;
    const Names *names = measured->scene->dimension == 2 ? &names_2d : &names_3d;
    json_t *list = json_array();
    for (int64_t d = 0; d < drops->count; d++)
        json_array_append_new(list, drop_json(names, measured, &drops->drops[d]));
    json_t *frame =
        json_pack("{s:I, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "frame", (json_int_t)measured->frame, "time_s",
                  number(measured->time), "drop_count", (json_int_t)drops->count, names->volume, number(drops->volume),
                  "d32_m", number(drops->sauter_diameter), names->area, number(drops->area), "angle_mean_deg",
                  number(degrees(drops->angles.mean)), "angle_min_deg", number(degrees(drops->angles.lowest)),
                  "angle_max_deg", number(degrees(drops->angles.highest)));
    /* An entry that found no memory is missing from its list. */
    bool whole = list && (int64_t)json_array_size(list) == drops->count;
    if (frame && whole && json_object_set_new(frame, "drops", list) == 0) return frame;
    if (!whole) json_decref(list);
    json_decref(frame);
    return NULL;
}

static int put(const char *bytes, size_t count, void *file) {
    mn_file_put(file, bytes, count);
    return 0;
}

bool write_measured(mnFile *file, const Measured *measured) {
    json_t *frame = frame_json(measured);
    bool done = frame && json_dump_callback(frame, put, file, JSON_REAL_PRECISION(9)) == 0;
    json_decref(frame);
    return done;
}
