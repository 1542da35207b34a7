/* meniscus mesh: every frame of a run, and of every fluid in it, becomes a closed surface in a file of its own. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/walls.h"
#include "cli.h"
#include "frames.h"
#include "interrupt.h"
#include "io/file.h"
#include "io/run_folder.h"
#include "progress.h"
#include "surface/surface.h"

enum { FLUIDS_WITHOUT_SCENE = 64 }; /* more are a broken frame */
enum { OPTION_FORMAT = 1000, OPTION_FRAMES, OPTION_VOXEL, OPTION_SMOOTH, OPTION_THREADS };

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "Folder for the surfaces (default: DIR/surface)", 0},
    {"format", OPTION_FORMAT, "LIST", 0, "Formats out of ply,obj,vtp (default: ply)", 0},
    {"frames", OPTION_FRAMES, "A-B", 0, "Only the frames with numbers A to B, or the one with number A", 0},
    {"voxel", OPTION_VOXEL, "METRES", 0, "Edge of a cell of the grid (default: half the particle spacing)", 0},
    {"smooth", OPTION_SMOOTH, "N", 0, "Passes that even out the mesh (default: 10); volumes are kept", 0},
    {"threads", OPTION_THREADS, "N", 0, "Threads (default: all cores); results do not depend on it", 0},
    {"quiet", 'q', NULL, 0, "Say nothing but errors", 0},
    {0}};

typedef struct Meshing {
    const char *path, *output;
    bool formats[MN_SURFACE_FORMAT_COUNT];
    int64_t first, last; /* frames */
    mnSurfaceDesc desc;
    bool quiet;
    mnRunFolder run;
    const mnSceneDesc *scene; /* NULL: the run has none */
    mnWalls walls;
    int64_t written; /* files */
    mnError error;
} Meshing;

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void parse_formats(const char *list, bool formats[MN_SURFACE_FORMAT_COUNT], struct argp_state *state) {
    memset(formats, 0, MN_SURFACE_FORMAT_COUNT * sizeof formats[0]);
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        int format = 0;
        for (; format < MN_SURFACE_FORMAT_COUNT; format++) {
            const char *name = mn_surface_format_name((mnSurfaceFormat)format);
            if (strlen(name) == length && strncmp(at, name, length) == 0) break;
        }
        if (format == MN_SURFACE_FORMAT_COUNT)
            argp_error(state, "--format takes a list out of ply,obj,vtp, not \"%s\"", list);
        else
            formats[format] = true;
        at += length;
        if (!*at) return;
    }
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    Meshing *m = state->input;
    switch (key) {
    case 'o':
        if (!*argument) argp_error(state, "-o takes a folder");
        m->output = argument;
        break;
    case 'q':
        m->quiet = true;
        break;
    case OPTION_FORMAT:
        parse_formats(argument, m->formats, state);
        break;
    case OPTION_FRAMES:
        take_frames(argument, &m->first, &m->last, state);
        break;
    case OPTION_VOXEL:
        m->desc.voxel = take_number(argument, "--voxel", 1e-12, 1e6, false, state);
        break;
    case OPTION_SMOOTH:
        m->desc.smoothing = (int)take_number(argument, "--smooth", 0, 1000, true, state);
        break;
    case OPTION_THREADS:
        m->desc.threads = (int)take_number(argument, "--threads", 1, MN_THREADS_MAX, true, state);
        break;
    case ARGP_KEY_ARG:
        return take_argument(&m->path, argument, state);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which folder? It is the one that \"meniscus run\" has written to");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- one frame --------------------------------------------------------------------------------------------------- */

/* The particle spacing, which a run without a scene tells only by the volumes of its particles, or the user by the
 * voxel. */
static mnStatus find_spacing(Meshing *m, const mnFrame *frame, const char *path) {
    double volume = 0;
    for (int64_t i = 0; i < frame->particles.count; i++) volume += (double)frame->particles.position[i].w;
    if (m->scene)
        m->desc.spacing = m->scene->spacing;
    else if (volume > 0)
        m->desc.spacing = cbrt(volume / (double)frame->particles.count);
    else if (m->desc.voxel > 0)
        m->desc.spacing = 2 * m->desc.voxel;
    else if (frame->particles.count > 0)
        return mn_error_set(&m->error, MN_ERROR_INPUT,
                            "%s: the run has no scene.json and the frame no radii, so how far apart particles are is "
                            "not known; give half of that as --voxel",
                            path);
    return MN_OK;
}

/* How many fluids there are; a frame may say anything, and each has a file of its own. */
static mnStatus count_fluids(Meshing *m, const mnParticles *particles, const char *path, int *count) {
    int most = m->scene ? m->scene->fluid_count : FLUIDS_WITHOUT_SCENE;
    *count = m->scene ? m->scene->fluid_count : 1;
    for (int64_t i = 0; i < particles->count; i++) {
        int32_t phase = particles->phase[i];
        if (phase >= most)
            return mn_error_set(&m->error, MN_ERROR_INPUT, "%s: a particle is of fluid number %d, and there are %d",
                                path, phase, most);
        if (phase >= *count) *count = phase + 1;
    }
    return MN_OK;
}

/* A fluid in the name of a file: characters that are not for that become underscores. */
static void fluid_label(const Meshing *m, int fluid, char label[128]) {
    if (m->scene)
        snprintf(label, 128, "_%s", m->scene->fluids[fluid].name);
    else
        snprintf(label, 128, "_%d", fluid);
    for (char *c = label; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c)) *c = '_';
}

/* "surface_000012_oil.ply"; with the fluid's number where another one is called the same by now. */
static void surface_name(const Meshing *m, int64_t frame, int fluid, int fluids, mnSurfaceFormat format,
                         char name[256]) {
    char middle[160] = "", other[128];
    if (fluids > 1) fluid_label(m, fluid, middle);
    size_t length = strlen(middle);
    for (int k = 0; k < fluids && fluids > 1; k++) {
        fluid_label(m, k, other);
        if (k != fluid && !strncmp(other, middle, length + 1))
            snprintf(middle + length, sizeof middle - length, "_%d", fluid);
    }
    snprintf(name, 256, "surface_%06lld%s.%s", (long long)frame, middle, mn_surface_format_name(format));
}

static mnStatus write_surface(Meshing *m, int64_t frame, int fluid, int fluids, const mnSurface *surface, double time) {
    mnStatus status = mn_folder_create(m->output, &m->error);
    for (int format = 0; status == MN_OK && format < MN_SURFACE_FORMAT_COUNT; format++) {
        if (!m->formats[format]) continue;
        char name[256];
        surface_name(m, frame, fluid, fluids, (mnSurfaceFormat)format, name);
        char *path = mn_path_join(m->output, name);
        if (!path) return mn_error_set(&m->error, MN_ERROR_MEMORY, "no memory left to write %s", name);
        status = mn_surface_write((mnSurfaceFormat)format, path, surface, time, &m->error);
        m->written += status == MN_OK;
        free(path);
    }
    return status;
}

/* Particles of one fluid, moved to the front of arrays that have room for all. */
static int64_t select_fluid(const mnParticles *from, int fluid, mnVec *position, mnVec *velocity) {
    int64_t count = 0;
    for (int64_t i = 0; i < from->count; i++) {
        if (from->phase[i] != fluid) continue;
        position[count] = from->position[i];
        velocity[count++] = from->velocity[i];
    }
    return count;
}

static mnStatus mesh_fluids(Meshing *m, int64_t number, const mnFrame *frame, int fluids) {
    size_t room = (size_t)frame->particles.count + 1;
    mnVec *position = malloc(room * sizeof *position), *velocity = malloc(room * sizeof *velocity);
    mnStatus status = MN_OK;
    if (!position || !velocity) status = mn_error_set(&m->error, MN_ERROR_MEMORY, "no memory left for a frame");
    for (int fluid = 0; status == MN_OK && fluid < fluids; fluid++) {
        mnSurface surface = {0};
        mnSurfaceDesc desc = m->desc;
        desc.count = select_fluid(&frame->particles, fluid, position, velocity);
        desc.position = position;
        desc.velocity = velocity;
        status = mn_surface_make(&desc, &surface, &m->error);
        if (status == MN_OK) status = write_surface(m, number, fluid, fluids, &surface, frame->time);
        mn_surface_clear(&surface);
    }
    free(position);
    free(velocity);
    return status;
}

static mnStatus mesh_frame(Meshing *m, int64_t index) {
    mnFrame frame = {0};
    mnStatus status = mn_run_folder_read(&m->run, index, &frame, &m->error);
    const char *path = m->run.frames[index].path;
    if (status == MN_OK) status = find_spacing(m, &frame, path);
    if (status == MN_OK) status = mn_walls_place(&m->walls, frame.has_time, frame.time, path, &m->error);
    int fluids = 0;
    if (status == MN_OK) status = count_fluids(m, &frame.particles, path, &fluids);
    if (status == MN_OK) status = mesh_fluids(m, m->run.frames[index].number, &frame, fluids);
    mn_frame_clear(&frame);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static mnStatus open_run(Meshing *m) {
    mnStatus status = mn_run_folder_open(m->path, &m->run, &m->error);
    if (status == MN_OK && m->last >= 0) status = mn_run_folder_select(&m->run, m->first, m->last, &m->error);
    if (status == MN_OK) status = check_frames(&m->run, m->last >= 0, m->first, m->last, &m->error);
    if (status != MN_OK || !m->run.scene) return status;
    m->scene = mn_scene_desc(m->run.scene);
    if (m->scene->dimension != 3)
        return mn_error_set(&m->error, MN_ERROR_INPUT,
                            "%s is a run in two dimensions; surfaces are made of runs in three", m->run.folder);
    status = mn_walls_create(m->scene, &m->walls, &m->error);
    if (status == MN_OK && m->walls.count > 0) {
        m->desc.solid = mn_walls_probe;
        m->desc.context = &m->walls;
    }
    return status;
}

static mnStatus mesh_frames(Meshing *m) {
    Progress progress = progress_start(m->quiet);
    mnStatus status = MN_OK;
    for (int64_t k = 0; k < m->run.frame_count && status == MN_OK && !interrupted(); k++) {
        progress_count(&progress, k, m->run.frame_count, "frames");
        status = mesh_frame(m, k);
    }
    progress_clear(&progress);
    return status;
}

static int finish(const Meshing *m, mnStatus status) {
    if (status != MN_OK) {
        complain("%s", m->error.text);
        return m->written > 0 ? EXIT_FAILED : EXIT_BAD_INPUT;
    }
    if (interrupted()) {
        complain("stopped; %lld surfaces are in %s", (long long)m->written, m->output);
        return EXIT_FAILED;
    }
    if (!m->quiet) printf("%lld surfaces in %s\n", (long long)m->written, m->output);
    return EXIT_DONE;
}

int verb_mesh(int argc, char **argv) {
    const struct argp parser = {options,
                                parse,
                                "DIR",
                                "Turns the frames of a run into closed, smooth triangle surfaces, one file per frame "
                                "and fluid. DIR is the folder of a run, its folder of frames, or a frame.",
                                NULL,
                                NULL,
                                NULL};
    Meshing m = {.formats = {[MN_SURFACE_PLY] = true}, .last = -1, .desc = mn_default_surface()};
    parse_arguments(&parser, argc, argv, &m);
    watch_interrupts();
    mnStatus status = open_run(&m);
    char *output = NULL;
    if (status == MN_OK && !m.output) {
        output = mn_path_join(m.run.folder, "surface");
        if (!output) status = mn_error_set(&m.error, MN_ERROR_MEMORY, "no memory left");
        m.output = output;
    }
    if (status == MN_OK) status = mesh_frames(&m);
    int result = finish(&m, status);
    mn_walls_clear(&m.walls);
    mn_run_folder_close(&m.run);
    free(output);
    return result;
}
