/* Checks that need more than one key: order of bounds, Young's equation, what 2D cannot have, what has no effect. */
#include <math.h>

#include "scene/read.h"

static bool given(const json_t *json, const char *key) {
    return json_object_get(json, key) != NULL;
}

static void warn(mnReader *reader, const mnPath *path, const char *key, const char *text) {
    mnPath at = {path, key, 0};
    mn_reader_problem(reader, true, MN_PLACE_VALUE, &at, "%s", text);
}

/* Says that one bound must not lie above another; the one to blame is the one that is given. */
static void check_bounds(mnReader *reader, const mnPath *path, const json_t *json, const char *lower_name, double lower,
                         const char *upper_name, double upper) {
    if (lower <= upper) return;
    char low[MN_NUMBER_TEXT], high[MN_NUMBER_TEXT];
    mn_number_text(lower, low);
    mn_number_text(upper, high);
    bool is_upper = given(json, upper_name);
    mnPath at = {path, is_upper ? upper_name : lower_name, 0};
    mn_reader_problem(reader, false, MN_PLACE_VALUE, &at, "found %s, which is %s %s (%s)", is_upper ? high : low,
                      is_upper ? "below" : "above", is_upper ? lower_name : upper_name, is_upper ? low : high);
}

static void check_size(mnReader *reader, const mnPath *path, const char *key, double diameter) {
    if (diameter < reader->scene->desc.spacing) warn(reader, path, key, "is thinner than one particle (see spacing)");
}

static void check_shape(mnReader *reader, const mnPath *path, const json_t *json, mnShape *shape) {
    if (shape->kind == MN_SHAPE_MESH && reader->dimension == 2) {
        mnPath at = {path, "kind", 0};
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &at, "found \"mesh\", which only 3D scenes can have");
    }
    if (shape->kind == MN_SHAPE_TORUS && shape->tube_radius >= shape->radius) {
        mnPath at = {path, "tube_radius", 0};
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &at, "must be smaller than the radius of the ring");
    }
    /* Deep enough in z for the rectangle's own edges to be the nearest ones everywhere in the plane. */
    if (shape->kind == MN_SHAPE_BOX && reader->dimension == 2) shape->size[2] = 2 * (shape->size[0] + shape->size[1]);
    if (given(json, "thickness") && !shape->hollow) warn(reader, path, "thickness", "has no effect, hollow is false");
    if (given(json, "radius")) check_size(reader, path, "radius", 2 * shape->radius * shape->scale);
}

/* Young's equation for one pair; the angle in degrees that the energies give. */
static double angle_of_energies(const mnSolid *solid, const mnFluid *fluid) {
    double cosine = (solid->tension_vapor - solid->tension_fluid - fluid->tension_solid) / fluid->tension_vapor;
    return acos(fmax(-1, fmin(1, cosine))) * 180 / acos(-1.0);
}

static void check_solid(mnReader *reader, const mnPath *path, const json_t *json, const mnSolid *solid) {
    const json_t *tension = json_object_get(json, "tension");
    if (!solid->contact_angle || !(given(tension, "vapor") || given(tension, "fluid"))) return;
    const mnSceneDesc *desc = &reader->scene->desc;
    for (int i = 0; i < desc->fluid_count; i++) {
        const mnFluid *fluid = &desc->fluids[i];
        double angle = solid->contact_angle[i] * 180 / acos(-1.0);
        if (isnan(angle) || fluid->tension_vapor <= 0) continue;
        double energies = angle_of_energies(solid, fluid);
        if (fabs(angle - energies) <= 0.5) continue;
        mnPath at = {path, "contact_angle", 0};
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &at,
                          "is %.4g° for %.60s, but the energies give %.4g° by Young's equation "
                          "(γ^BV %.4g − γ^BF %.4g − γ^FB %.4g)/γ^FV %.4g; give only one of the two",
                          angle, fluid->name, energies, solid->tension_vapor, solid->tension_fluid,
                          fluid->tension_solid, fluid->tension_vapor);
    }
}

static void check_sink(mnReader *reader, const mnPath *path, const json_t *json, mnSink *sink) {
    static const char axis[] = "xyz";
    check_bounds(reader, path, json, "start", sink->start, "stop", sink->stop);
    for (int i = 0; i < reader->dimension; i++) {
        if (sink->lower[i] < sink->upper[i] || !given(json, "lower") || !given(json, "upper")) continue;
        char lower[MN_NUMBER_TEXT], upper[MN_NUMBER_TEXT];
        mnPath at = {path, "upper", 0};
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &at,
                          "found %s = %s m, which is not above that of lower (%s m)", (char[2]){axis[i], '\0'},
                          mn_number_text(sink->upper[i], upper), mn_number_text(sink->lower[i], lower));
    }
    if (reader->dimension == 2) { /* whatever holds z = 0 */
        sink->lower[2] = -1;
        sink->upper[2] = 1;
    }
}

static void check_emitter(mnReader *reader, const mnPath *path, const json_t *json, const mnEmitter *emitter) {
    check_bounds(reader, path, json, "start", emitter->start, "stop", emitter->stop);
    if (given(json, "radius")) check_size(reader, path, "radius", 2 * emitter->radius);
}

/* Each tension model has a key that no other has. */
static void check_model_keys(mnReader *reader, const mnSceneDesc *desc) {
    static const char *const key_of[] = {[MN_TENSION_ENERGY] = "fluid",
                                         [MN_TENSION_PAIRWISE] = "cohesion",
                                         [MN_TENSION_ROBUST_CSF] = "squared_gradient"};
    mnPath fluids = {NULL, "fluids", 0};
    for (int f = 0; f < desc->fluid_count; f++) {
        mnPath fluid = {&fluids, desc->fluids[f].name, 0}, tension = {&fluid, "tension", 0};
        const json_t *json = json_object_get(json_object_get(reader->fluids, desc->fluids[f].name), "tension");
        for (int model = MN_TENSION_ENERGY; model <= MN_TENSION_ROBUST_CSF; model++)
            if (model != (int)desc->solver.tension_model && given(json, key_of[model]))
                warn(reader, &tension, key_of[model], "has no effect with this tension_model (see solver)");
    }
}

/* Whether anything can make the fluid's surface tension differ from zero. */
static bool has_tension(const mnSceneDesc *desc, int fluid) {
    if (desc->fluids[fluid].tension_vapor > 0) return true;
    if (desc->solver.tension_model == MN_TENSION_PAIRWISE && desc->fluids[fluid].cohesion > 0) return true;
    if (desc->solver.tension_model == MN_TENSION_ROBUST_CSF && desc->fluids[fluid].squared_gradient > 0) return true;
    for (int i = 0; i < desc->schedule_count; i++) {
        const mnSchedule *schedule = &desc->schedules[i];
        if (schedule->quantity == MN_QUANTITY_FLUID_TENSION_VAPOR && schedule->index == fluid) return true;
    }
    return false;
}

static void check_angles_matter(mnReader *reader, const mnSceneDesc *desc) {
    mnPath solids = {NULL, "solids", 0};
    for (int s = 0; s < desc->solid_count; s++) {
        bool has_angle = false, matters = false;
        for (int f = 0; desc->solids[s].contact_angle && f < desc->fluid_count; f++) {
            if (isnan(desc->solids[s].contact_angle[f])) continue;
            has_angle = true;
            matters |= has_tension(desc, f);
        }
        mnPath solid = {&solids, desc->solids[s].name, 0};
        if (has_angle && !matters)
            warn(reader, &solid, "contact_angle", "has no effect, no fluid it is given for has a tension.vapor");
    }
}

static void check_fluids_appear(mnReader *reader, const mnSceneDesc *desc) {
    mnPath fluids = {NULL, "fluids", 0};
    int count = 0;
    for (int i = 0; i < desc->fluid_count; i++) count += mn_scene_has_fluid(desc, i);
    if (desc->fluid_count > 0 && count == 0)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &fluids,
                          "there is no fluid in this scene: no fluid has bodies, and there are no emitters");
    for (int i = 0; i < desc->fluid_count && count > 0; i++)
        if (!mn_scene_has_fluid(desc, i))
            warn(reader, &fluids, desc->fluids[i].name, "has no bodies and no emitter, so it never appears");
}

static void check_schedules_differ(mnReader *reader, const mnSceneDesc *desc) {
    mnPath schedules = {NULL, "schedules", 0};
    for (int i = 0; i < desc->schedule_count; i++) {
        for (int j = 0; j < i; j++) {
            const mnSchedule *a = &desc->schedules[i], *b = &desc->schedules[j];
            if (a->key_count == 0 || b->key_count == 0) continue;
            if (a->quantity != b->quantity || a->index != b->index || a->other != b->other) continue;
            mnPath schedule = {&schedules, NULL, (size_t)i}, target = {&schedule, "target", 0};
            mn_reader_problem(reader, false, MN_PLACE_VALUE, &target, "is driven by schedules[%d] already", j);
            break;
        }
    }
}

/* Whether the solid meets the fluid at an angle that is given, or driven by a schedule. */
static bool has_angle(const mnSceneDesc *desc, int solid, int fluid) {
    const double *angles = desc->solids[solid].contact_angle;
    if (angles && !isnan(angles[fluid])) return true;
    for (int i = 0; i < desc->schedule_count; i++) {
        const mnSchedule *schedule = &desc->schedules[i];
        if (schedule->quantity == MN_QUANTITY_SOLID_CONTACT_ANGLE && schedule->index == solid &&
            (schedule->other < 0 || schedule->other == fluid))
            return true;
    }
    return false;
}

/* An angle decides about γ^BV − γ^BF of its own pair (state/materials.h), so a schedule of either needs a fluid without
 * one. */
static void check_energies_act(mnReader *reader, const mnSceneDesc *desc) {
    mnPath schedules = {NULL, "schedules", 0};
    for (int i = 0; i < desc->schedule_count; i++) {
        const mnSchedule *schedule = &desc->schedules[i];
        if (schedule->quantity != MN_QUANTITY_SOLID_TENSION_VAPOR &&
            schedule->quantity != MN_QUANTITY_SOLID_TENSION_FLUID)
            continue;
        int angles = 0;
        for (int f = 0; f < desc->fluid_count; f++) angles += has_angle(desc, schedule->index, f);
        if (angles < desc->fluid_count) continue;
        mnPath at = {&schedules, NULL, (size_t)i}, target = {&at, "target", 0};
        mn_reader_problem(reader, false, MN_PLACE_VALUE, &target,
                          "would have no effect: %.60s has a contact_angle, from which this energy follows; drive "
                          "contact_angle instead, or leave the angle out",
                          desc->solids[schedule->index].name);
    }
}

void mn_read_check(mnReader *reader, mnObject object, const mnPath *path, const json_t *json, void *fields) {
    switch (object) {
    case MN_OBJECT_SHAPE:
        check_shape(reader, path, json, fields);
        break;
    case MN_OBJECT_SOLID:
        check_solid(reader, path, json, fields);
        mn_read_motion(reader, path, json);
        break;
    case MN_OBJECT_SINK:
        check_sink(reader, path, json, fields);
        break;
    case MN_OBJECT_EMITTER:
        check_emitter(reader, path, json, fields);
        break;
    case MN_OBJECT_DROP:
        if (given(json, "radius")) check_size(reader, path, "radius", 2 * ((mnTimedDrop *)fields)->radius);
        break;
    case MN_OBJECT_SCHEDULE:
        reader->target = NULL; /* the next schedule may lack one */
        break;
    case MN_OBJECT_TIME_STEP: {
        mnTimeDesc *time = fields;
        time->adaptive = !given(json, "fixed");
        check_bounds(reader, path, json, "min", time->min_step, "max", time->max_step);
        break;
    }
    case MN_OBJECT_SOLVER: {
        const mnSolverDesc *solver = fields;
        check_bounds(reader, path, json, "min_iterations", solver->min_iterations, "max_iterations",
                     solver->max_iterations);
        break;
    }
    case MN_OBJECT_SCENE:
        check_fluids_appear(reader, fields);
        if (reader->errors > 0) break; /* doubts about what is known to be wrong would only distract */
        check_schedules_differ(reader, fields);
        check_energies_act(reader, fields);
        check_angles_matter(reader, fields);
        check_model_keys(reader, fields);
        break;
    default:
        break;
    }
}
