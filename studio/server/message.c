#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

mnMessage *mn_message_new(size_t length, bool is_binary) {
    mnMessage *message = malloc(sizeof *message);
    unsigned char *bytes = message ? calloc(length ? length : 1, 1) : NULL;
    if (!bytes) {
        free(message);
        return NULL;
    }
    *message = (mnMessage){.holders = 1, .is_binary = is_binary, .length = length, .bytes = bytes};
    return message;
}

mnMessage *mn_message_json(json_t *value, int digits) {
    char *text = value ? mn_json_text(value, JSON_COMPACT | JSON_REAL_PRECISION(digits)) : NULL;
    json_decref(value);
    mnMessage *message = text ? malloc(sizeof *message) : NULL;
    if (!message) {
        free(text);
        return NULL;
    }
    *message = (mnMessage){.holders = 1, .length = strlen(text), .bytes = (unsigned char *)text};
    return message;
}

mnMessage *mn_message_hold(mnMessage *message) {
    if (message) message->holders++;
    return message;
}

void mn_message_drop(mnMessage *message) {
    if (!message || --message->holders > 0) return;
    free(message->bytes);
    free(message);
}

json_t *mn_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *mn_json_vector(const double *values, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, mn_json_number(values[i]));
    return list;
}
