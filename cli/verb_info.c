#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/json.h"
#include "cli.h"
#include "geometry/mesh.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/frames.h"
#include "io/inspect.h"
#include "shipped.h"

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key == ARGP_KEY_ARG) return take_argument(state->input, argument, state);
    if (key != ARGP_KEY_NO_ARGS) return ARGP_ERR_UNKNOWN;
    argp_error(state, "which file or folder?");
    return 0;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), wanted = strlen(ending);
    return length >= wanted && strcasecmp(path + length - wanted, ending) == 0;
}

static int refuse(const mnError *error) {
    complain("%s", error->text);
    return EXIT_BAD_INPUT;
}

static void print_bounds(const double lower[3], const double upper[3]) {
    static const char axes[] = "xyz";
    for (int axis = 0; axis < 3; axis++) printf("%c            %.6g to %.6g m\n", axes[axis], lower[axis], upper[axis]);
}

/* ---- frames and meshes ------------------------------------------------------------------------------------------- */

static int print_points(const char *path, const char *kind, const char *unit, const mnFileInfo *info) {
    printf("file         %s\nkind         %s\n%-12s %lld\n", path, kind, unit, (long long)info->points);
    if (info->has_time) printf("time         %.9g s\n", info->time);
    printf("columns      %s\n", info->fields);
    if (info->has_bounds) print_bounds(info->lower, info->upper);
    return EXIT_DONE;
}

/* Whether it could be a shape is judged with particles a fiftieth of its size: fine enough for most. */
static void print_usability(const char *path, const mnTriangles *triangles, double extent) {
    mnMesh *mesh = NULL;
    mnError error = {0};
    if (mn_mesh_build(triangles, path, 1, extent / 50, 0, &mesh, &error) == MN_OK)
        printf("closed       yes\nvolume       %.6g m^3\nsurface      %.6g m^2\n", mesh->volume, mesh->area);
    else
        printf("as a shape   not usable: %s\n", error.text);
    mn_mesh_destroy(mesh);
}

static int info_mesh(const char *path) {
    mnTriangles triangles = {0};
    mnError error = {0};
    if (mn_mesh_import(path, &triangles, &error) != MN_OK) return refuse(&error);
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t corner = 0; corner < 3 * triangles.count; corner++)
        for (int axis = 0; axis < 3; axis++) {
            lower[axis] = fmin(lower[axis], triangles.corner[corner][axis]);
            upper[axis] = fmax(upper[axis], triangles.corner[corner][axis]);
        }
    printf("file         %s\nkind         mesh\ntriangles    %lld\n", path, (long long)triangles.count);
    print_bounds(lower, upper);
    double extent = fmax(fmax(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
    print_usability(path, &triangles, extent);
    free(triangles.corner);
    return EXIT_DONE;
}

static int info_ply(const char *path) {
    mnFileInfo info;
    mnError error = {0};
    if (mn_inspect_ply(path, &info, &error) != MN_OK) return refuse(&error);
    return info.faces > 0 ? info_mesh(path) : print_points(path, "PLY points", "particles", &info);
}

static int info_vtp(const char *path) {
    mnFileInfo info;
    mnError error = {0};
    if (mn_inspect_vtp(path, &info, &error) != MN_OK) return refuse(&error);
    return info.faces > 0 ? print_points(path, "VTP surface", "points", &info)
                          : print_points(path, "VTP points", "particles", &info);
}

static int info_csv(const char *path) {
    mnFileInfo info;
    mnError error = {0};
    if (mn_inspect_csv(path, &info, &error) != MN_OK) return refuse(&error);
    return print_points(path, "CSV table", info.has_bounds ? "particles" : "rows", &info);
}

static int info_frame(const char *path, const char *kind) {
    mnFileInfo info;
    mnError error = {0};
    if (mn_inspect_frame(path, &info, &error) != MN_OK) return refuse(&error);
    return print_points(path, kind, "particles", &info);
}

static int info_bgeo(const char *path) {
    return info_frame(path, "bgeo points");
}

static int info_vtkhdf(const char *path) {
    return info_frame(path, "VTKHDF points");
}

/* ---- checkpoints --------------------------------------------------------------------------------------------------
 */

typedef struct CheckpointInfo {
    double time;
    int64_t step, fluid, boundary, frames;
    mnCheckpointHead head;
    char *program;
} CheckpointInfo;

static mnStatus look_into(mnArchive *archive, CheckpointInfo *info, mnError *error) {
    mn_archive_group(archive, "meniscus");
    mn_archive_text(archive, "program", &info->program);
    mn_checkpoint_exchange(&info->head, archive);
    mn_archive_group(archive, "sim");
    mn_archive_real(archive, "time", &info->time);
    mn_archive_count(archive, "step", &info->step, 0, INT64_MAX);
    mn_archive_count(archive, "sampled_boundary", &info->boundary, 0, INT64_MAX);
    mn_archive_group(archive, "fluid");
    info->fluid = mn_archive_length(archive, "position");
    mn_archive_group(archive, "frames");
    info->frames = mn_archive_length(archive, "times");
    return mn_archive_check(archive, error);
}

static int info_checkpoint(const char *path) {
    mnArchive *archive;
    CheckpointInfo info = {0};
    mnError error = {0};
    mnStatus status = mn_archive_open(path, &archive, &error);
    if (status == MN_OK) status = look_into(archive, &info, &error);
    if (status == MN_OK)
        printf("file         %s\nkind         checkpoint of %s, meniscus %s\ntime         %.9g s\nstep         %lld\n"
               "particles    %lld fluid, %lld boundary\nframes       %lld\n",
               path, info.head.name, info.program, info.time, (long long)info.step, (long long)info.fluid,
               (long long)info.boundary, (long long)info.frames);
    mn_archive_destroy(archive);
    mn_checkpoint_clear(&info.head);
    free(info.program);
    return status == MN_OK ? EXIT_DONE : refuse(&error);
}

/* ---- scenes and runs --------------------------------------------------------------------------------------------- */

static int print_scene(const char *path, const mnSceneDesc *scene) {
    printf("file         %s\nkind         scene\n", path);
    if (scene->title && *scene->title) printf("title        %s\n", scene->title);
    printf("dimension    %d\nh            %.6g m\nduration     %.6g s at %.6g frames per second\n", scene->dimension,
           scene->spacing, scene->duration, scene->frames_per_second);
    for (int i = 0; i < scene->fluid_count; i++) {
        const mnFluid *f = &scene->fluids[i];
        printf("fluid        %s: %.6g kg/m^3, %.6g Pa s, tension to vapour %.6g N/m\n", f->name, f->density,
               f->viscosity, f->tension_vapor);
    }
    for (int i = 0; i < scene->solid_count; i++)
        printf("solid        %s%s\n", scene->solids[i].name, scene->solids[i].motion_count > 0 ? " (moves)" : "");
    printf("emitters     %d\nsinks        %d\nschedules    %d\n", scene->emitter_count, scene->sink_count,
           scene->schedule_count);
    mnError error = {0};
    int64_t particles = 0;
    size_t bytes = 0;
    if (mn_sim_estimate(scene, &particles, &bytes, &error) != MN_OK) return refuse(&error);
    char size[32];
    printf("particles    %lld at the start\nmemory       %s\n", (long long)particles, size_text((double)bytes, size));
    return EXIT_DONE;
}

static int info_scene(const char *path) {
    mnReport report = {0};
    mnScene *scene = NULL;
    int status = EXIT_BAD_INPUT;
    if (mn_scene_load(path, NULL, 0, &scene, &report) == MN_OK)
        status = print_scene(path, mn_scene_desc(scene));
    else
        print_report(stderr, &report);
    mn_scene_destroy(scene);
    mn_report_clear(&report);
    return status;
}

/* Nested objects become dotted names. False: no memory. */
static bool print_json(const char *prefix, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        char name[256];
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", key);
        if (json_is_object(value)) {
            if (!print_json(name, value)) return false;
            continue;
        }
        char *text = mn_json_text(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(6));
        if (!text) return false;
        printf("%-26s %s\n", name, text);
        free(text);
    }
    return true;
}

static bool is_summary(json_t *root) {
    return json_object_get(root, "ms_per_step") && json_object_get(root, "version");
}

static int no_memory(const char *path) {
    complain("no memory left to look at %s", path);
    return EXIT_FAILED;
}

static int info_json(const char *path) {
    json_t *root = mn_json_load(path);
    if (!root && errno == ENOMEM) return no_memory(path);
    if (!is_summary(root)) {
        json_decref(root);
        return info_scene(path);
    }
    printf("%-26s %s\n%-26s summary of a run\n", "file", path, "kind");
    bool is_whole = print_json("", root);
    json_decref(root);
    return is_whole ? EXIT_DONE : no_memory(path);
}

static void print_frames(const char *frames) {
    int count[MN_FORMAT_COUNT] = {0};
    DIR *entries = opendir(frames);
    for (struct dirent *entry = entries ? readdir(entries) : NULL; entry; entry = readdir(entries)) {
        const char *dot = strrchr(entry->d_name, '.');
        for (int format = 0; dot && format < MN_FORMAT_COUNT; format++)
            count[format] +=
                strncmp(entry->d_name, "frame_", 6) == 0 && !strcmp(dot + 1, mn_format_name((mnFormat)format));
    }
    if (entries) closedir(entries);
    for (int format = 0; format < MN_FORMAT_COUNT; format++)
        if (count[format] > 0) printf("%-26s %d %s files\n", "frames", count[format], mn_format_name((mnFormat)format));
}

static void print_checkpoints(const char *folder) {
    int64_t steps[4];
    int count = mn_checkpoints_list(folder, steps, 4);
    for (int k = 0; k < count; k++) printf("%-26s of step %lld\n", "checkpoint", (long long)steps[k]);
}

/* What is in the folder of a run, whose parts are at these paths. */
static int info_run(const char *folder, const char *summary, const char *series, const char *frames) {
    json_t *root = mn_json_load(summary);
    if (!root && errno == ENOMEM) return no_memory(summary);
    mnFileInfo rows = {0};
    errno = 0;
    bool has_series = mn_inspect_csv(series, &rows, NULL) == MN_OK;
    int status = EXIT_DONE;
    if (!has_series && errno == ENOMEM) {
        status = no_memory(series);
    } else if (!is_summary(root) && !has_series) {
        complain("%s is not the output of a run: it has neither summary.json nor series.csv", folder);
        status = EXIT_BAD_INPUT;
    } else {
        printf("%-26s %s\n%-26s output of a run%s\n", "folder", folder, "kind",
               is_summary(root) ? "" : " (no summary: it is running, or was ended from outside)");
        errno = 0;
        print_frames(frames);
        if (errno != ENOMEM) print_checkpoints(folder);
        bool is_whole = errno != ENOMEM;
        if (is_whole && has_series) printf("%-26s %lld rows\n", "series", (long long)rows.points);
        if (is_whole && is_summary(root)) is_whole = print_json("", root);
        if (!is_whole) status = no_memory(folder);
    }
    json_decref(root);
    return status;
}

static int info_folder(const char *folder) {
    char *summary = mn_path_join(folder, "summary.json"), *series = mn_path_join(folder, "series.csv");
    char *frames = mn_path_join(folder, "frames");
    int status = summary && series && frames ? info_run(folder, summary, series, frames) : no_memory(folder);
    free(summary);
    free(series);
    free(frames);
    return status;
}

/* ---- which ------------------------------------------------------------------------------------------------------- */

static int info_path(const char *path) {
    static const struct {
        const char *ending;
        int (*show)(const char *path);
    } kinds[] = {{".json", info_json}, {".ply", info_ply},       {".vtp", info_vtp},      {".csv", info_csv},
                 {".bgeo", info_bgeo}, {".vtkhdf", info_vtkhdf}, {".obj", info_mesh},     {".stl", info_mesh},
                 {".gltf", info_mesh}, {".glb", info_mesh},      {".h5", info_checkpoint}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (ends_with(path, kinds[i].ending)) return kinds[i].show(path);
    complain("%s: unknown kind of file; known: .json, .ply, .vtp, .csv, .bgeo, .vtkhdf, .obj, .stl, .gltf, .glb, "
             ".h5 (checkpoints), and output folders",
             path);
    return EXIT_BAD_INPUT;
}

int verb_info(int argc, char **argv) {
    const struct argp parser = {NULL, parse, "FILE|DIR", "Tells what a scene, frame, mesh or output folder holds.",
                                NULL, NULL,  NULL};
    const char *name = NULL;
    parse_arguments(&parser, argc, argv, &name);
    struct stat found;
    if (stat(name, &found) == 0) return S_ISDIR(found.st_mode) ? info_folder(name) : info_path(name);
    char *path = shipped_resolve(name);
    if (!path) return EXIT_BAD_INPUT;
    int status = info_path(path);
    free(path);
    return status;
}
