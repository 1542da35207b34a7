/* What pages say, as plain data. Nothing here knows sockets. */
#ifndef MN_STUDIO_PROTOCOL_H
#define MN_STUDIO_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "meniscus/status.h"
#include "wire.h"

typedef enum mnStudioVerb {
    MN_STUDIO_OPEN,
    MN_STUDIO_SET,
    MN_STUDIO_RUN,
    MN_STUDIO_PAUSE,
    MN_STUDIO_STEP,
    MN_STUDIO_STOP,
    MN_STUDIO_RESTART,
    MN_STUDIO_STEER,
    MN_STUDIO_FRAME,
    MN_STUDIO_FIELD,
    MN_STUDIO_PICK,
    MN_STUDIO_TAKE,
    MN_STUDIO_RELEASE,
    MN_STUDIO_SAVE,
    MN_STUDIO_ACK,
    MN_STUDIO_VERBS
} mnStudioVerb;

/* Texts and values are borrowed from `json`; what a verb does not have is NULL, 0 or false. */
typedef struct mnStudioMessage {
    mnStudioVerb verb;
    const char *scene, *text, *name, *path;
    bool run;
    const json_t *value;
    int64_t number; /* of a frame (−1: live), a particle or a sequence */
    mnShown field;
    json_t *json;
    const char *code; /* after a failure: what the answer calls it: "malformed", "unknown", "refused" */
} mnStudioMessage;

/* MN_ERROR_INPUT where the text is no message; the error tells why. Clear it either way. */
mnStatus mn_studio_parse(const char *text, size_t length, mnStudioMessage *message, mnError *error);
void mn_studio_message_clear(mnStudioMessage *message);

/* Whether only the connection that steers may say it. */
bool mn_studio_verb_steers(mnStudioVerb verb);

#endif
