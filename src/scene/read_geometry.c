/* What only shows when shapes are built and emitters started: missing and broken meshes, shapes that cannot be cut to
 * 2D, drops of absurd size. Done once the whole file is read, for everything that was read without a problem. */
#include <string.h>

#include "geometry/sample.h"
#include "scene/emit.h"
#include "scene/read.h"

/* Whether an error was told about the value at the path or anything in it. */
static bool has_error(const mnReader *reader, const mnPath *path) {
    char text[MN_PATH_TEXT];
    mn_path_text(path, text);
    size_t length = strlen(text);
    for (int i = 0; i < reader->report->count; i++) {
        const mnProblem *problem = &reader->report->problems[i];
        if (problem->is_warning || !problem->key || strncmp(problem->key, text, length) != 0) continue;
        if (strchr(".[", problem->key[length])) return true; /* which finds the end of the text, too */
    }
    return false;
}

static mnStatus try_shape(const mnSceneDesc *desc, const mnShape *shape, bool is_fluid, mnError *error) {
    mnGeometry *geometry;
    mnStatus status = mn_geometry_create(shape, desc->folder, desc->dimension, desc->spacing, &geometry, error);
    if (status == MN_OK && is_fluid) status = mn_sample_check_fluid(geometry, error);
    mn_geometry_destroy(geometry);
    return status;
}

/* Tries the leaves of a shape one by one, so that each has its own message. `whole` is the outermost shape, in which
 * every union on the way to `part` has only the child that leads there; both are copies that may be changed. */
static void check_part(mnReader *reader, const mnPath *path, const mnShape *whole, mnShape *part, bool is_fluid) {
    if (part->kind == MN_SHAPE_UNION) {
        const mnShape *children = part->children;
        int count = part->child_count;
        mnPath list = {path, "children", 0};
        part->child_count = 1;
        for (int i = 0; i < count; i++) {
            mnShape child = children[i];
            mnPath at = {&list, NULL, (size_t)i};
            part->children = &child;
            check_part(reader, &at, whole, &child, is_fluid);
        }
        return;
    }
    mnError error = {0};
    mnPath file = {path, "path", 0};
    mnStatus status = try_shape(&reader->scene->desc, whole, is_fluid, &error);
    if (status != MN_OK)
        mn_reader_problem(reader, false, MN_PLACE_VALUE, part->kind == MN_SHAPE_MESH ? &file : path, "%s", error.text);
}

static void check_shape(mnReader *reader, const mnPath *holder, const mnShape *shape, bool is_fluid) {
    mnPath path = {holder, "shape", 0};
    mnShape copy = *shape;
    if (!has_error(reader, &path)) check_part(reader, &path, &copy, &copy, is_fluid);
}

static void check_emitter(mnReader *reader, const mnPath *path, int number) {
    mnError error = {0};
    if (has_error(reader, path) || mn_emitter_check(&reader->scene->desc, number, &error) == MN_OK) return;
    const char *text = strchr(error.text, ' '); /* the path says already which emitter it is: "emitter 2: …" */
    const char *what = text ? strchr(text + 1, ' ') : NULL;
    mn_reader_problem(reader, false, MN_PLACE_VALUE, path, "%s", what ? what + 1 : error.text);
}

void mn_read_geometry(mnReader *reader) {
    const mnSceneDesc *desc = &reader->scene->desc;
    mnPath dimension = {NULL, "dimension", 0}, spacing = {NULL, "spacing", 0};
    bool is_known = !has_error(reader, &dimension) && !has_error(reader, &spacing);
    if (!is_known || reader->untold_errors > 0 || reader->out_of_memory) return;
    mnPath fluids = {NULL, "fluids", 0}, solids = {NULL, "solids", 0}, emitters = {NULL, "emitters", 0};
    for (int f = 0; f < desc->fluid_count; f++) {
        mnPath fluid = {&fluids, desc->fluids[f].name, 0}, bodies = {&fluid, "bodies", 0};
        for (int b = 0; b < desc->fluids[f].body_count; b++) {
            mnPath body = {&bodies, NULL, (size_t)b};
            check_shape(reader, &body, &desc->fluids[f].bodies[b].shape, true);
        }
    }
    for (int s = 0; s < desc->solid_count; s++) {
        mnPath solid = {&solids, desc->solids[s].name, 0};
        check_shape(reader, &solid, &desc->solids[s].shape, false);
    }
    for (int e = 0; e < desc->emitter_count && desc->fluid_count > 0; e++) {
        mnPath emitter = {&emitters, NULL, (size_t)e};
        check_emitter(reader, &emitter, e);
    }
}
