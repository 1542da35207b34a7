#include "scene/scan.h"

#include <string.h>

void mn_scan_space(mnScan *scan) {
    while (scan->at < scan->end && memchr(" \t\r\n", *scan->at, 4)) scan->at++;
}

void mn_scan_string(mnScan *scan) {
    scan->at++;
    while (scan->at < scan->end && *scan->at != '"') scan->at += *scan->at == '\\' && scan->end - scan->at > 1 ? 2 : 1;
    if (scan->at < scan->end) scan->at++;
}

void mn_scan_value(mnScan *scan) {
    int depth = 0;
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (depth == 0 && memchr(",]}", c, 3)) return;
        if (c == '"') {
            mn_scan_string(scan);
            if (depth == 0) return;
            continue;
        }
        depth += c == '{' || c == '[';
        if (c == '}' || c == ']') depth--;
        scan->at++;
        if (depth == 0 && (c == '}' || c == ']')) return;
    }
}

bool mn_scan_mark(mnScan *scan, char wanted) {
    mn_scan_space(scan);
    if (scan->at >= scan->end || *scan->at != wanted) return false;
    scan->at++;
    return true;
}

static bool ends_word(char c) {
    return memchr(" \t\r\n,:[]{}\"", c, 11);
}

void mn_scan_token(mnScan *scan) {
    if (*scan->at == '"') {
        mn_scan_string(scan);
        return;
    }
    bool is_mark = ends_word(*scan->at);
    do scan->at++;
    while (!is_mark && scan->at < scan->end && !ends_word(*scan->at));
}
