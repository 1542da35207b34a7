/* The studio behind the sockets: who is there, who steers, what is open, what runs, and who is told what.
 *
 * All of it belongs to the server's thread; only the runner has one of its own. Messages come in through
 * mn_studio_receive and go out through the connections' queues, which mn_studio_tick fills with what is new. */
#ifndef MN_STUDIO_STUDIO_H
#define MN_STUDIO_STUDIO_H

#include "connection.h"
#include "meniscus/meniscus.h"

enum { MN_CONNECTIONS_MOST = 16 };

/* A scene that can be chosen in the page. */
typedef struct mnStudioScene {
    const char *name, *title, *path;
    bool has_picture; /* the page has scenes/NAME.png */
} mnStudioScene;

typedef struct mnStudioDesc {
    const mnStudioScene *scenes;
    int scene_count;
    const char *scene;      /* path of the scene to be opened; NULL: none */
    const char *run;        /* path of a finished run to be opened; NULL: none */
    const char *output;     /* folder of all runs; NULL: out/studio/NAME */
    const char *validation; /* address of the page about validation as seen from the page; NULL: none */
    int threads;            /* as in mnOptions */
    const char *backend;
    void (*say)(const char *line); /* for the terminal; NULL: nobody listens */
} mnStudioDesc;

typedef struct mnStudio mnStudio;

/* The description must live as long as the studio. `wake` is called from another thread when mn_studio_tick has
 * something to do. Fails where the scene or run to be opened cannot be. */
mnStatus mn_studio_create(const mnStudioDesc *desc, void (*wake)(void *context), void *context, mnStudio **studio,
                          mnError *error);
/* Ends the run in good order; nobody is woken any more. */
void mn_studio_end(mnStudio *studio);
void mn_studio_destroy(mnStudio *studio);

/* NULL: there are too many connections, or no memory. */
mnConnection *mn_studio_join(mnStudio *studio);
void mn_studio_leave(mnStudio *studio, mnConnection *connection);

/* A whole message from a connection. */
void mn_studio_receive(mnStudio *studio, mnConnection *connection, const char *text, size_t length);

/* Queues what is new at a moment on the clock. Returns after how many seconds it should be called again, if nothing
 * wakes before: infinite where there is no need. */
double mn_studio_tick(mnStudio *studio, double now);

#endif
