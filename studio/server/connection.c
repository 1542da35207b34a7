#include "connection.h"

#include <stdlib.h>
#include <string.h>

struct mnWaiting {
    mnWaiting *next;
    mnMessage *message;
};

mnConnection *mn_connection_new(int id) {
    mnConnection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->id = id;
    connection->frame = -1;
    return connection;
}

static void close_with(mnConnection *connection, mnClosing closing) {
    if (!connection->closing) connection->closing = closing;
}

static void take_first(mnConnection *connection) {
    mnWaiting *first = connection->first;
    connection->first = first->next;
    if (!connection->first) connection->last = NULL;
    if (!first->message->is_binary) connection->waiting -= first->message->length;
    mn_message_drop(first->message);
    free(first);
    connection->sent = 0;
}

void mn_connection_free(mnConnection *connection) {
    if (!connection) return;
    while (connection->first) take_first(connection);
    mn_shot_drop(connection->shown);
    free(connection->incoming);
    free(connection);
}

void mn_connection_send(mnConnection *connection, mnMessage *message) {
    mnWaiting *waiting = message ? malloc(sizeof *waiting) : NULL;
    if (!waiting || connection->closing) {
        close_with(connection, MN_CLOSING_MEMORY);
        free(waiting);
        mn_message_drop(message);
        return;
    }
    *waiting = (mnWaiting){.message = message};
    if (connection->last)
        connection->last->next = waiting;
    else
        connection->first = waiting;
    connection->last = waiting;
    if (!message->is_binary) connection->waiting += message->length;
    if (connection->waiting > MN_WAITING_MOST) close_with(connection, MN_CLOSING_POLICY);
}

static bool append(mnConnection *c, const void *bytes, size_t length) {
    if (c->incoming_length + length > c->incoming_room) {
        size_t room = 2 * (c->incoming_length + length);
        char *larger = realloc(c->incoming, room);
        if (!larger) return false;
        c->incoming = larger;
        c->incoming_room = room;
    }
    if (length) memcpy(c->incoming + c->incoming_length, bytes, length);
    c->incoming_length += length;
    return true;
}

static bool is_too_fast(mnConnection *c, double now) {
    if (now - c->second >= 1 || c->second == 0) {
        c->second = now;
        c->messages = 0;
    }
    return ++c->messages > MN_MESSAGES_MOST;
}

bool mn_connection_take(mnConnection *c, const void *bytes, size_t length, bool is_last, bool is_binary, double now) {
    if (c->closing) return false;
    if (is_binary)
        close_with(c, MN_CLOSING_BINARY);
    else if (c->incoming_length + length > MN_INCOMING_MOST)
        close_with(c, MN_CLOSING_TOO_LARGE);
    else if (!append(c, bytes, length))
        close_with(c, MN_CLOSING_MEMORY);
    else if (is_last && is_too_fast(c, now))
        close_with(c, MN_CLOSING_POLICY);
    return is_last && !c->closing;
}

const mnMessage *mn_connection_next(const mnConnection *connection) {
    return connection->first ? connection->first->message : NULL;
}

void mn_connection_sent(mnConnection *connection, size_t length) {
    connection->sent += length;
    if (connection->sent >= connection->first->message->length) take_first(connection);
}
