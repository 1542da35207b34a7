/* A message on its way to browsers: text or bytes that several connections may wait to send, freed by the last. */
#ifndef MN_STUDIO_MESSAGE_H
#define MN_STUDIO_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct mnMessage {
    int holders; /* only the server's thread holds messages */
    bool is_binary;
    size_t length;
    unsigned char *bytes;
} mnMessage;

/* Room for `length` bytes, zeroed, held once; NULL: no memory. */
mnMessage *mn_message_new(size_t length, bool is_binary);

/* The text of a JSON value, whose reference is taken over, with numbers to `digits` digits. NULL: no memory. */
mnMessage *mn_message_json(json_t *value, int digits);

mnMessage *mn_message_hold(mnMessage *message);
void mn_message_drop(mnMessage *message);

/* The number, or null where it is not finite. */
json_t *mn_json_number(double value);
json_t *mn_json_vector(const double *values, int count);

#endif
