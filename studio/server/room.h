/* The inside of the studio, for the files that make it: studio.c does what is asked, tell.c says what is new. */
#ifndef MN_STUDIO_ROOM_H
#define MN_STUDIO_ROOM_H

#include "document.h"
#include "io/run_folder.h"
#include "past.h"
#include "runner.h"
#include "solids.h"
#include "studio.h"

struct mnStudio {
    const mnStudioDesc *desc;
    mnRunner *runner;
    json_t *schema;
    json_t *meshes; /* paths that scenes from pages may name */

    mnDocument document; /* the scene as it was before it ran */
    mnStudioSolids solids;
    int64_t version;        /* of the scene with its changes */
    int64_t solids_version; /* of the solids */

    int64_t job;     /* the run of the document; 0: none yet */
    int64_t preview; /* the job that shows its start until then; 0: none */
    mnRunStatus status;
    char *output;     /* folder of the run */
    mnScene *steered; /* the scene with the changes made while it ran; NULL: none */
    char *steered_text;

    mnRunFolder finished; /* the run that was given at the start; no folder: none was */
    mnPast past;          /* its way */
    bool shows_finished;  /* the document is its scene */
    mnShot *still;        /* its last frame; NULL: it is not shown */

    mnConnection *connections[MN_CONNECTIONS_MOST];
    int connection_count, last_id;
    int steering; /* id of the connection that steers; 0: nobody */
    mnChartRow rows[MN_CHART_ROWS];
};

/* Whether a run goes on, or waits to. */
bool mn_studio_is_active(const mnStudio *studio);
/* How many frames can be looked at. */
int64_t mn_studio_frames(const mnStudio *studio);
/* The text of the scene with all changes. */
const char *mn_studio_text(const mnStudio *studio);
const mnSceneDesc *mn_studio_scene(const mnStudio *studio); /* NULL: it has errors, or nothing is open */
/* "empty", "ready", … */
const char *mn_studio_state(const mnStudio *studio);

/* tell.c. An error that belongs to a path has one; else `path` is NULL. */
void mn_tell_error(mnConnection *connection, const char *code, const char *path, const char *text);
void mn_tell_hello(const mnStudio *studio, mnConnection *connection);
void mn_tell_roles(mnStudio *studio);
void mn_tell_particle(mnConnection *connection, const mnSceneDesc *scene, int64_t id);
void mn_tell_text(const mnStudio *studio, mnConnection *connection);
/* What is new to a connection, as far as it is time for it; whether something is left for later. */
bool mn_tell_news(mnStudio *studio, mnConnection *connection, double now);

#endif
