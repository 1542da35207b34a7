#include "gate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

mnStatus mn_gate_token(char token[MN_TOKEN_DIGITS + 1], mnError *error) {
    unsigned char bytes[MN_TOKEN_DIGITS / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return mn_error_set(error, MN_ERROR_FILE, "the system gives no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return MN_OK;
}

bool mn_gate_path(const char *path, const char *token, const char **rest) {
    if (*path != '/' || strlen(path) < MN_TOKEN_DIGITS + 2 || path[MN_TOKEN_DIGITS + 1] != '/') return false;
    unsigned difference = 0;
    for (int i = 0; i < MN_TOKEN_DIGITS; i++) difference |= (unsigned char)path[1 + i] ^ (unsigned char)token[i];
    *rest = path + MN_TOKEN_DIGITS + 2;
    return difference == 0;
}

static bool is_ours(const char *text, const char *start, int port) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s%s:%d", start, names[i], port);
        if (strcmp(text, expected) == 0) return true;
    }
    return false;
}

bool mn_gate_host(const char *host, int port) {
    return is_ours(host, "", port);
}

bool mn_gate_origin(const char *origin, int port) {
    return is_ours(origin, "http://", port);
}
