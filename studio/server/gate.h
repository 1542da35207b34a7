/* Who may come in: only pages that this server gave out, on this machine. */
#ifndef MN_STUDIO_GATE_H
#define MN_STUDIO_GATE_H

#include <stdbool.h>

#include "meniscus/status.h"

enum { MN_TOKEN_DIGITS = 32 };

/* Random hexadecimal digits. */
mnStatus mn_gate_token(char token[MN_TOKEN_DIGITS + 1], mnError *error);

/* Whether a path begins with the token; `rest` is what follows the slash behind it. All digits are looked at, so the
 * time it takes does not tell how many are right. */
bool mn_gate_path(const char *path, const char *token, const char **rest);

/* Whether a request was sent to this server by name: a foreign name may have been made to lead here. NULL: no header.
 */
bool mn_gate_host(const char *host, int port);
/* Whether a page of this server asks. */
bool mn_gate_origin(const char *origin, int port);

#endif
