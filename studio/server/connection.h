/* One browser: what it is shown and what waits to be sent to it. Nothing here knows sockets. */
#ifndef MN_STUDIO_CONNECTION_H
#define MN_STUDIO_CONNECTION_H

#include <stdint.h>

#include "message.h"
#include "shot.h"
#include "wire.h"

enum {
    MN_INCOMING_MOST = 1 << 20, /* bytes of a message */
    MN_WAITING_MOST = 4 << 20,  /* bytes of text that wait to be sent */
    MN_MESSAGES_MOST = 200,     /* a second */
    MN_REFUSED_MOST = 20        /* messages in a row */
};

/* Why a connection is closed, as WebSockets number it. */
typedef enum mnClosing {
    MN_CLOSING_NOT = 0,
    MN_CLOSING_BINARY = 1003,
    MN_CLOSING_POLICY = 1008,
    MN_CLOSING_TOO_LARGE = 1009,
    MN_CLOSING_MEMORY = 1011,
    MN_CLOSING_FULL = 1013
} mnClosing;

typedef struct mnWaiting mnWaiting;

typedef struct mnConnection {
    int id;
    mnClosing closing;
    /* incoming */
    char *incoming;
    size_t incoming_length, incoming_room;
    double second; /* on the clock, when the counting began */
    int messages;  /* since then */
    int refused;   /* in a row */
    /* outgoing, first in first out */
    mnWaiting *first, *last;
    size_t waiting; /* bytes of text */
    size_t sent;    /* bytes of the first message that are on their way already */
    /* shown */
    mnShown field;
    int64_t frame;     /* recorded one that it looks at; −1: live */
    bool refresh;      /* what it is shown must be sent again */
    bool in_flight;    /* a frame was sent and not yet drawn */
    uint32_t sequence; /* of the last frame */
    mnShot *shown;
    /* told */
    int64_t rows_job, next_row; /* negative: of the finished run */
    int64_t scene_version, solids_version;
    int64_t state_job, state_step; /* with state_name, what was told last */
    const char *state_name;
    double state_told, rows_told, scene_told; /* on the clock */
} mnConnection;

mnConnection *mn_connection_new(int id);
void mn_connection_free(mnConnection *connection);

/* Queues a message, which is taken over; NULL counts as lack of memory. A connection on which too much waits is
 * closed. */
void mn_connection_send(mnConnection *connection, mnMessage *message);

/* Takes a piece of a message at a moment on the clock. True: it is whole, and `incoming` holds it until the next
 * piece. */
bool mn_connection_take(mnConnection *connection, const void *bytes, size_t length, bool is_last, bool is_binary,
                        double now);

/* The message that is being sent; NULL: none. */
const mnMessage *mn_connection_next(const mnConnection *connection);
/* `length` more bytes of it are on their way; at its end the next one is taken. */
void mn_connection_sent(mnConnection *connection, size_t length);

#endif
