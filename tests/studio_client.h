/* A browser's side of the studio on plain sockets, and a server of the studio in a thread.
 *
 * Requests are written out by hand, so that they can be wrong in every way. */
#ifndef MN_TEST_STUDIO_CLIENT_H
#define MN_TEST_STUDIO_CLIENT_H

#include <arpa/inet.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

/* ---- a server ---------------------------------------------------------------------------------------------------- */

typedef struct Served {
    mnServerDesc desc;
    pthread_t thread;
    mnStatus status;
    mnError error;
    atomic_int stage; /* 0: not open yet; 1: open; 2: it has ended */
    atomic_bool is_over;
    int port;
    char token[64];
} Served;

static inline void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static inline void served_is_open(void *context, const char *address) {
    Served *served = context;
    sscanf(address, "http://127.0.0.1:%d/%32[0-9a-f]/", &served->port, served->token);
    atomic_store(&served->stage, 1);
}

static inline bool served_is_over(void *context) {
    return atomic_load(&((Served *)context)->is_over);
}

static inline void *serve_in_thread(void *context) {
    Served *served = context;
    served->status = mn_server_run(&served->desc, &served->error);
    atomic_store(&served->stage, 2);
    return NULL;
}

/* Whether it is open; else it has ended, with the error of the struct. */
static inline bool serve_begin(Served *served) {
    served->desc.is_open = served_is_open;
    served->desc.is_over = served_is_over;
    served->desc.context = served;
    if (pthread_create(&served->thread, NULL, serve_in_thread, served) != 0) return false;
    while (atomic_load(&served->stage) == 0) rest();
    return atomic_load(&served->stage) == 1;
}

static inline mnStatus serve_end(Served *served) {
    atomic_store(&served->is_over, true);
    pthread_join(served->thread, NULL);
    return served->status;
}

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

static inline int client_connect(int port) {
    int at = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(at, (struct sockaddr *)&address, sizeof address) == 0) return at;
    close(at);
    return -1;
}

static inline bool client_write(int at, const void *bytes, size_t length) {
    const char *from = bytes;
    while (length > 0) {
        ssize_t sent = send(at, from, length, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        from += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Within 30 s; false: the other side has closed, or is silent. */
static inline bool client_read(int at, void *bytes, size_t length) {
    char *to = bytes;
    while (length > 0) {
        struct pollfd ready = {.fd = at, .events = POLLIN};
        if (poll(&ready, 1, 30000) <= 0) return false;
        ssize_t got = recv(at, to, length, 0);
        if (got <= 0) return false;
        to += got;
        length -= (size_t)got;
    }
    return true;
}

/* ---- HTTP -------------------------------------------------------------------------------------------------------- */

/* Sends a request as it stands and returns the status code, with the headers and the first of the body in `answer`;
 * 0: closed without an answer. */
static inline int http_raw(int port, const char *request, size_t length, char *answer, size_t size) {
    int at = client_connect(port), code = 0;
    size_t got = 0;
    if (at >= 0 && client_write(at, request, length)) {
        shutdown(at, SHUT_WR);
        while (got + 1 < size && client_read(at, answer + got, 1)) got++;
    }
    if (at >= 0) close(at);
    answer[got] = '\0';
    if (sscanf(answer, "HTTP/1.1 %d", &code) != 1) code = 0;
    return code;
}

/* Host NULL: the server's own. */
static inline int http_request(const Served *served, const char *method, const char *path, const char *host,
                               char *answer, size_t size) {
    char request[4096], own[64];
    snprintf(own, sizeof own, "127.0.0.1:%d", served->port);
    int length = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method,
                          path, host ? host : own);
    return http_raw(served->port, request, (size_t)length, answer, size);
}

/* ---- WebSockets -------------------------------------------------------------------------------------------------- */

enum { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };

typedef struct Client {
    int socket;
    int closed; /* code that the server closed with; 0: open, 1006: without one */
} Client;

typedef struct Received {
    int kind;             /* WS_TEXT, WS_BINARY, or WS_CLOSE when there is no more */
    unsigned char *bytes; /* with a zero byte behind them; to be freed */
    size_t length;
} Received;

/* What may be wrong with a handshake; NULL: nothing. */
typedef struct Handshake {
    const char *token, *path, *host, *origin, *protocol;
    bool has_no_origin;
} Handshake;

/* The status code of the answer; 101: connected. */
static inline int ws_connect(const Served *served, const Handshake *wrong, Client *client) {
    static const Handshake right = {0};
    const Handshake *w = wrong ? wrong : &right;
    char host[64], origin[96], request[1024], answer[2048] = "";
    snprintf(host, sizeof host, "127.0.0.1:%d", served->port);
    snprintf(origin, sizeof origin, "Origin: http://%s\r\n", w->origin ? w->origin : host);
    int length = snprintf(request, sizeof request,
                          "GET /%s/%s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          "Sec-WebSocket-Key: bWVuaXNjdXMgbWVuaXNjdQ==\r\nSec-WebSocket-Version: 13\r\n%s"
                          "Sec-WebSocket-Protocol: %s\r\n\r\n",
                          w->token ? w->token : served->token, w->path ? w->path : "live", w->host ? w->host : host,
                          w->has_no_origin ? "" : origin, w->protocol ? w->protocol : "meniscus");
    *client = (Client){.socket = client_connect(served->port)};
    int code = 0;
    size_t got = 0;
    if (client->socket >= 0 && client_write(client->socket, request, (size_t)length))
        while (got + 1 < sizeof answer && !strstr(answer, "\r\n\r\n") && client_read(client->socket, answer + got, 1))
            answer[++got] = '\0';
    if (sscanf(answer, "HTTP/1.1 %d", &code) != 1) code = 0;
    if (code != 101 && client->socket >= 0) close(client->socket);
    return code;
}

static inline void ws_end(Client *client) {
    if (client->socket >= 0) close(client->socket);
    client->socket = -1;
}

/* One frame; `first` is its first byte, 0x80 with the kind where it is whole. */
static inline bool ws_send_frame(Client *client, unsigned first, const void *bytes, size_t length) {
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    unsigned char *frame = malloc(length + 14), *to = frame;
    *to++ = (unsigned char)first;
    if (length < 126) {
        *to++ = (unsigned char)(0x80 | length);
    } else if (length < 65536) {
        *to++ = 0x80 | 126;
        *to++ = (unsigned char)(length >> 8);
        *to++ = (unsigned char)length;
    } else {
        *to++ = 0x80 | 127;
        for (int i = 7; i >= 0; i--) *to++ = (unsigned char)((uint64_t)length >> (8 * i));
    }
    memcpy(to, mask, 4);
    to += 4;
    for (size_t i = 0; i < length; i++) to[i] = ((const unsigned char *)bytes)[i] ^ mask[i % 4];
    bool sent = client_write(client->socket, frame, (size_t)(to - frame) + length);
    free(frame);
    return sent;
}

static inline bool ws_say(Client *client, const char *text) {
    return ws_send_frame(client, 0x80 | WS_TEXT, text, strlen(text));
}

/* The next message, put together from its frames; pings are answered on the way. */
static inline Received ws_receive(Client *client) {
    Received received = {0};
    for (;;) {
        unsigned char head[10];
        if (!client_read(client->socket, head, 2)) break;
        uint64_t length = head[1] & 127;
        int more = length == 126 ? 2 : length == 127 ? 8 : 0;
        if (!client_read(client->socket, head + 2, (size_t)more)) break;
        if (more) length = 0;
        for (int i = 0; i < more; i++) length = length << 8 | head[2 + i];
        unsigned char *bytes = realloc(received.bytes, received.length + length + 1);
        received.bytes = bytes;
        if (!client_read(client->socket, bytes + received.length, length)) break;
        int kind = head[0] & 15;
        if (kind == WS_PING) {
            ws_send_frame(client, 0x80 | WS_PONG, bytes + received.length, length);
            continue;
        }
        if (kind == WS_CLOSE) {
            client->closed = length >= 2 ? bytes[received.length] << 8 | bytes[received.length + 1] : 1005;
            received.kind = WS_CLOSE;
            return received;
        }
        if (kind != 0) received.kind = kind;
        received.length += length;
        bytes[received.length] = '\0';
        if (head[0] & 0x80) return received;
    }
    client->closed = client->closed ? client->closed : 1006;
    received.kind = WS_CLOSE;
    return received;
}

/* The next message of a type, as JSON; frames on the way are said to be drawn. NULL: closed before. */
static inline json_t *ws_wait(Client *client, const char *type) {
    for (;;) {
        Received received = ws_receive(client);
        json_t *json = NULL;
        if (received.kind == WS_TEXT) json = json_loadb((char *)received.bytes, received.length, 0, NULL);
        if (received.kind == WS_BINARY && received.length >= 16 && received.bytes[4] == 1) {
            char text[64];
            uint32_t sequence;
            memcpy(&sequence, received.bytes + 8, 4);
            snprintf(text, sizeof text, "{\"type\":\"ack\",\"sequence\":%u}", sequence);
            ws_say(client, text);
        }
        bool is_end = received.kind == WS_CLOSE;
        free(received.bytes);
        if (is_end) return NULL;
        const char *found = json_string_value(json_object_get(json, "type"));
        if (found && strcmp(found, type) == 0) return json;
        json_decref(json);
    }
}

/* Until the server closes; the code it closes with. */
static inline int ws_closed(Client *client) {
    for (;;) {
        Received received = ws_receive(client);
        free(received.bytes);
        if (received.kind == WS_CLOSE) return client->closed;
    }
}

#endif
