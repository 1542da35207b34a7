#include "resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "io/file.h"
#include "scene/changes.h"

/* ---- the checkpoint ---------------------------------------------------------------------------------------------- */

static bool open_checkpoint(const char *folder, Resume *resume) {
    mnReport report = {0};
    mnError error = {0};
    mnStatus status = mn_checkpoint_open(folder, &resume->archive, &resume->step, &report, &error);
    for (int i = 0; i < report.count; i++) complain("%s", report.problems[i].text);
    if (status != MN_OK)
        complain("%s", error.text);
    else if (report.count > 0)
        complain("going on from the checkpoint before, of step %lld", (long long)resume->step);
    mn_report_clear(&report);
    if (status != MN_OK) return false;
    char *program = NULL;
    mn_archive_group(resume->archive, "meniscus");
    mn_archive_text(resume->archive, "program", &program);
    mn_checkpoint_exchange(&resume->head, resume->archive);
    status = mn_archive_check(resume->archive, &error);
    if (status != MN_OK)
        complain("%s", error.text);
    else if (strcmp(program, mn_version()) != 0)
        complain("warning: the run was begun with meniscus %s, this is %s: what follows may have other bits", program,
                 mn_version());
    free(program);
    return status == MN_OK;
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static char *read_text(const char *path) {
    errno = 0;
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    if (file && getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    if (file) fclose(file);
    return text;
}

/* Whether two texts are of the same scene; otherwise their differences are added to the report. */
static bool is_same_scene(const char *before, const char *after, const char *path, mnReport *report) {
    return mn_scene_changes(before, after, path, report) == MN_OK && report->count == 0;
}

static bool check_scene(const char *path, Resume *resume) {
    if (access(path, F_OK) != 0) {
        complain("%s is not there any more, it is written anew from the checkpoint", path);
        return true;
    }
    char *text = read_text(path);
    if (!text) {
        complain("cannot read %s: %s", path, errno ? strerror(errno) : "it is empty");
        return false;
    }
    mnReport report = {0}, unused = {0};
    resume->has_scene = is_same_scene(resume->head.scene, text, path, &report);
    bool is_good = resume->has_scene || is_same_scene(resume->head.before, text, path, &unused);
    if (!is_good) {
        for (int i = 0; i < report.count; i++) report.problems[i].is_warning = true;
        print_report(stderr, &report);
        complain("%s is not the scene of the checkpoint; put that back, or move the file away to go on with the "
                 "checkpoint's, and change what may be changed with --set",
                 path);
    }
    mn_report_clear(&report);
    mn_report_clear(&unused);
    free(text);
    return is_good;
}

bool resume_begin(const char *folder, Resume *resume) {
    *resume = (Resume){0};
    if (!open_checkpoint(folder, resume)) return false;
    char *path = mn_path_join(folder, "scene.json");
    bool is_good = path && check_scene(path, resume);
    if (!path) complain("no memory left to look at %s", folder);
    free(path);
    return is_good;
}

void resume_end(Resume *resume) {
    mn_archive_destroy(resume->archive);
    mn_checkpoint_clear(&resume->head);
}

/* Whether a run can go on with what the changes have made of the scene. */
static bool check_changes(Resume *resume, const mnScene *scene, bool quiet) {
    mnReport report = {0};
    mn_scene_changes(resume->head.scene, mn_scene_text(scene), "--set", &report);
    resume->is_changed = report.errors + report.warnings > 0;
    for (int i = 0; i < report.count; i++)
        resume->new_pace = resume->new_pace || !report.problems[i].key || strcmp(report.problems[i].key, "fps") == 0;
    bool is_good = report.errors == 0;
    if (!is_good || !quiet) print_report(stderr, &report);
    if (!is_good) complain("the run cannot go on with such changes; nothing was touched");
    mn_report_clear(&report);
    return is_good;
}

mnScene *resume_scene(Resume *resume, const char *const *sets, int set_count, bool quiet) {
    mnReport report = {0};
    mnScene *scene = NULL;
    const char *text = resume->head.scene, *name = *resume->head.name ? resume->head.name : "run";
    if (mn_scene_parse(text, strlen(text), name, NULL, sets, set_count, &scene, &report) != MN_OK) {
        print_report(stderr, &report);
        complain("the scene of the checkpoint cannot be used; nothing was touched");
    } else if (!check_changes(resume, scene, quiet)) {
        mn_scene_destroy(scene);
        scene = NULL;
    }
    mn_report_clear(&report);
    return scene;
}
