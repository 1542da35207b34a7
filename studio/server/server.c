/* The one file that knows libwebsockets. All callbacks come from the thread that is in mn_server_run; only `wake` is
 * called by another. */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/parallel.h"
#include "files.h"
#include "gate.h"

enum { PIECE = 1 << 16, HEADERS = 2048, SOCKETS_MOST = 128, TIMEOUT = 10 };

/* s; how long an interrupt may go unseen */
static const double LONGEST_SLEEP = 0.3;

typedef struct Server {
    const mnServerDesc *desc;
    mnPageFiles files;
    char token[MN_TOKEN_DIGITS + 1];
    int port;
    struct lws_context *context;
    mnStudio *studio;
    struct Session *open[MN_CONNECTIONS_MOST]; /* those that are connections */
    int open_count;
    lws_sorted_usec_list_t timer;
    unsigned char piece[LWS_PRE + PIECE];
} Server;

/* What a socket is doing: sending a file, or it is a connection. */
typedef struct Session {
    const mnPageFile *file;
    size_t sent;
    struct lws *wsi;
    mnConnection *connection;
} Session;

static Server *server_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}

/* ---- who may come in --------------------------------------------------------------------------------------------- */

/* A header, or NULL where there is none, it is too long to be ours or has a zero byte in it. */
static const char *header(struct lws *wsi, enum lws_token_indexes token, char *text, int size) {
    int length = lws_hdr_copy(wsi, text, size, token);
    return length > 0 && strlen(text) == (size_t)length ? text : NULL;
}

static bool host_is_ours(const Server *server, struct lws *wsi) {
    char host[128];
    return mn_gate_host(header(wsi, WSI_TOKEN_HOST, host, sizeof host), server->port);
}

static int upgrade_refusal(const Server *server, struct lws *wsi) {
    char path[256], origin[128], protocol[64];
    const char *rest = NULL, *wanted = header(wsi, WSI_TOKEN_PROTOCOL, protocol, sizeof protocol);
    if (!host_is_ours(server, wsi)) return HTTP_STATUS_FORBIDDEN;
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || !mn_gate_path(path, server->token, &rest))
        return HTTP_STATUS_FORBIDDEN;
    if (!mn_gate_origin(header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin), server->port))
        return HTTP_STATUS_FORBIDDEN;
    if (strcmp(rest, "live") != 0) return HTTP_STATUS_NOT_FOUND;
    return wanted && strcmp(wanted, "meniscus") == 0 ? 0 : HTTP_STATUS_BAD_REQUEST;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end) == 0;
}

static bool send_headers(const Server *server, struct lws *wsi, const mnPageFile *file) {
    unsigned char buffer[LWS_PRE + HEADERS], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
    char policy[512];
    snprintf(policy, sizeof policy,
             "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
             "connect-src 'self' ws://127.0.0.1:%d ws://localhost:%d; object-src 'none'; base-uri 'none'; "
             "form-action 'none'; frame-ancestors 'none'",
             server->port, server->port);
    return lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, file->length, &at, end) == 0 &&
           add_header(wsi, "content-security-policy:", policy, &at, end) &&
           add_header(wsi, "x-content-type-options:", "nosniff", &at, end) &&
           add_header(wsi, "referrer-policy:", "no-referrer", &at, end) &&
           add_header(wsi, "cross-origin-resource-policy:", "same-origin", &at, end) &&
           add_header(wsi, "cache-control:", "no-store", &at, end) &&
           lws_finalize_write_http_header(wsi, start, &at, end) == 0;
}

/* −1: the socket is done with. */
static int end_request(struct lws *wsi) {
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int refuse(struct lws *wsi, unsigned code) {
    return lws_return_http_status(wsi, code, NULL) ? -1 : end_request(wsi);
}

static int on_request(Server *server, struct lws *wsi, Session *session) {
    char path[512];
    const char *rest;
    if (!host_is_ours(server, wsi)) return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) || !mn_gate_path(path, server->token, &rest))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    session->file = mn_page_files_find(&server->files, rest);
    session->sent = 0;
    if (!session->file) return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    if (!send_headers(server, wsi, session->file)) return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_file_writable(Server *server, struct lws *wsi, Session *session) {
    const mnPageFile *file = session->file;
    if (!file) return 0;
    size_t left = file->length - session->sent, length = left < PIECE ? left : PIECE;
    unsigned char *piece = server->piece + LWS_PRE;
    memcpy(piece, file->bytes + session->sent, length);
    session->sent += length;
    bool is_last = session->sent == file->length;
    if (lws_write(wsi, piece, length, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)length) return -1;
    if (!is_last) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    session->file = NULL;
    return end_request(wsi);
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static const char *closing_text(mnClosing closing) {
    switch (closing) {
    case MN_CLOSING_BINARY:
        return "messages are text";
    case MN_CLOSING_POLICY:
        return "too many messages, too many refused ones in a row, or too few read";
    case MN_CLOSING_TOO_LARGE:
        return "a message has at most 1 MiB";
    case MN_CLOSING_MEMORY:
        return "no memory left";
    case MN_CLOSING_FULL:
        return "too many pages are open";
    default:
        return "";
    }
}

static int close_socket(struct lws *wsi, mnClosing closing) {
    const char *text = closing_text(closing);
    lws_close_reason(wsi, (enum lws_close_status)closing, (unsigned char *)text, strlen(text));
    return -1;
}

/* Whoever has something to say gets to say it when his socket is ready. */
static void ask_for_writing(Server *server) {
    for (int i = 0; i < server->open_count; i++) {
        const mnConnection *connection = server->open[i]->connection;
        if (connection->closing || mn_connection_next(connection)) lws_callback_on_writable(server->open[i]->wsi);
    }
}

static void on_timer(lws_sorted_usec_list_t *timer);

static void tick(Server *server) {
    double pause = fmin(mn_studio_tick(server->studio, mn_clock()), LONGEST_SLEEP);
    ask_for_writing(server);
    lws_sul_schedule(server->context, 0, &server->timer, on_timer, (lws_usec_t)(1e6 * pause));
}

static void on_timer(lws_sorted_usec_list_t *timer) {
    tick(lws_container_of(timer, Server, timer));
}

static int on_open(Server *server, struct lws *wsi, Session *session) {
    session->wsi = wsi;
    session->connection = mn_studio_join(server->studio);
    if (!session->connection) { /* it is told so when it can be */
        lws_callback_on_writable(wsi);
        return 0;
    }
    server->open[server->open_count++] = session;
    tick(server);
    return 0;
}

static void on_closed(Server *server, Session *session) {
    if (!session->connection) return;
    for (int i = 0; i < server->open_count; i++)
        if (server->open[i] == session) server->open[i] = server->open[--server->open_count];
    mn_studio_leave(server->studio, session->connection);
    session->connection = NULL;
    ask_for_writing(server);
}

static int on_received(Server *server, struct lws *wsi, Session *session, const void *bytes, size_t length) {
    mnConnection *c = session->connection;
    if (!c) return 0;
    bool is_last = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (mn_connection_take(c, bytes, length, is_last, lws_frame_is_binary(wsi), mn_clock())) {
        mn_studio_receive(server->studio, c, c->incoming, c->incoming_length);
        c->incoming_length = 0;
        tick(server);
    }
    return c->closing ? close_socket(wsi, c->closing) : 0;
}

/* One piece of one message. */
static int on_writable(Server *server, struct lws *wsi, Session *session) {
    mnConnection *c = session->connection;
    if (!c) return close_socket(wsi, MN_CLOSING_FULL);
    if (c->closing) return close_socket(wsi, c->closing);
    const mnMessage *message = mn_connection_next(c);
    if (!message) return 0;
    bool is_first = c->sent == 0;
    size_t left = message->length - c->sent, length = left < PIECE ? left : PIECE;
    unsigned char *piece = server->piece + LWS_PRE;
    memcpy(piece, message->bytes + c->sent, length);
    int kind = lws_write_ws_flags(message->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT, is_first, length == left);
    mn_connection_sent(c, length);
    if (lws_write(wsi, piece, length, (enum lws_write_protocol)kind) < (int)length) return -1;
    if (mn_connection_next(c)) lws_callback_on_writable(wsi);
    return 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    Server *server = server_of(wsi);
    Session *session = user;
    int code;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return on_request(server, wsi, session);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return on_file_writable(server, wsi, session);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        code = strcmp(in, "websocket") == 0 ? upgrade_refusal(server, wsi) : HTTP_STATUS_FORBIDDEN;
        if (code == 0) return 0;
        return lws_return_http_status(wsi, (unsigned)code, NULL) ? -1 : 1;
    case LWS_CALLBACK_ESTABLISHED:
        return on_open(server, wsi, session);
    case LWS_CALLBACK_CLOSED:
        on_closed(server, session);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return on_received(server, wsi, session, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(server, wsi, session);
    default:
        return 0;
    }
}

/* Of all protocols this one alone, so that a wake is one tick. */
static int on_http_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    if (reason == LWS_CALLBACK_EVENT_WAIT_CANCELLED) {
        Server *server = server_of(wsi);
        if (server->studio) tick(server);
        return 0;
    }
    return on_event(wsi, reason, user, in, length);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Says what keeps a port from being listened to; libwebsockets would not. */
static mnStatus check_port(int port, mnError *error) {
    int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool is_free = probe >= 0 && bind(probe, (struct sockaddr *)&address, sizeof address) == 0 && listen(probe, 1) == 0;
    int reason = errno;
    if (probe >= 0) close(probe);
    if (is_free) return MN_OK;
    return mn_error_set(error, MN_ERROR_FILE, "cannot listen on port %d: %s; take another with --port, or none for any",
                        port, strerror(reason));
}

static mnStatus listen_to(Server *server, mnError *error) {
    static const struct lws_protocols protocols[] = {
        {"http", on_http_event, sizeof(Session), 0, 0, NULL, 0},
        {"meniscus", on_event, sizeof(Session), 0, 0, NULL, 0},
        {NULL, NULL, 0, 0, 0, NULL, 0},
    };
    /* A browser that is gone without a word is noticed. */
    static const lws_retry_bo_t patience = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 60};
    struct lws_context_creation_info info = {
        .port = server->desc->port,
        .iface = "127.0.0.1",
        .protocols = protocols,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .user = server,
        .timeout_secs = TIMEOUT,
        .keepalive_timeout = TIMEOUT,
        .fd_limit_per_thread = SOCKETS_MOST,
        .retry_and_idle_policy = &patience,
    };
    mnStatus status = check_port(server->desc->port, error);
    if (status != MN_OK) return status;
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (!server->context)
        return mn_error_set(error, MN_ERROR_FILE, "cannot serve on port %d of this machine", server->desc->port);
    server->port = lws_get_vhost_listen_port(lws_get_vhost_by_name(server->context, "default"));
    return MN_OK;
}

static void wake(void *context) {
    lws_cancel_service(((Server *)context)->context);
}

static mnStatus serve(Server *server, mnError *error) {
    const mnServerDesc *desc = server->desc;
    char address[128];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/%s/", server->port, server->token);
    desc->is_open(desc->context, address);
    tick(server);
    while (!desc->is_over(desc->context))
        if (lws_service(server->context, 0) < 0 && !desc->is_over(desc->context))
            return mn_error_set(error, MN_ERROR_FILE, "the server stopped: waiting for connections failed");
    return MN_OK;
}

mnStatus mn_server_run(const mnServerDesc *desc, mnError *error) {
    Server *server = calloc(1, sizeof *server);
    if (!server) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the server");
    server->desc = desc;
    mnStatus status = mn_page_files_read(&server->files, desc->page, error);
    if (status == MN_OK) status = mn_gate_token(server->token, error);
    if (status == MN_OK) status = listen_to(server, error);
    if (status == MN_OK) status = mn_studio_create(&desc->studio, wake, server, &server->studio, error);
    if (status == MN_OK) status = serve(server, error);
    /* The run may still wake the context, and connections leave the studio when the context goes. */
    if (server->studio) mn_studio_end(server->studio);
    if (server->context) lws_context_destroy(server->context);
    mn_studio_destroy(server->studio);
    mn_page_files_clear(&server->files);
    free(server);
    return status;
}
