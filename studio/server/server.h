/* The studio on the network: a page and a WebSocket, for this machine alone. */
#ifndef MN_STUDIO_SERVER_H
#define MN_STUDIO_SERVER_H

#include "studio.h"

typedef struct mnServerDesc {
    mnStudioDesc studio;
    const char *page; /* folder of the page */
    int port;         /* 0: any that is free */
    /* Called once, when pages can be opened at `address`. */
    void (*is_open)(void *context, const char *address);
    /* Asked again and again: whether the server is to end. */
    bool (*is_over)(void *context);
    void *context;
} mnServerDesc;

/* Serves until it is over; then the run in progress has ended in good order. */
mnStatus mn_server_run(const mnServerDesc *desc, mnError *error);

#endif
