#include "scene/names.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b) {
    return a < b ? a : b;
}

int mn_names_distance(const char *a, const char *b) {
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST) return INT_MAX;
    int cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++) cost[i][0] = (int)i;
    for (size_t j = 0; j <= columns; j++) cost[0][j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            /* A wrong case costs nothing, so that Density still finds density first. */
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            int best = cost[i - 1][j - 1] + !same;
            best = least(best, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[rows][columns];
}

mnNames mn_names_start(const char *wanted) {
    return (mnNames){.wanted = wanted, .distance = INT_MAX};
}

void mn_names_offer(mnNames *names, const char *known) {
    int distance = mn_names_distance(names->wanted, known);
    size_t length = strlen(known);
    /* A third of the letters may differ, and one or two in short names. */
    int allowed = (int)(length > LONGEST ? LONGEST : length) / 3 + 1;
    if (distance <= allowed && distance < names->distance) {
        names->nearest = known;
        names->distance = distance;
    }
    if (names->cut || names->length + length + 8 > sizeof names->list) {
        if (!names->cut) snprintf(names->list + names->length, sizeof names->list - names->length, ", …");
        names->cut = true;
        return;
    }
    names->length += (size_t)snprintf(names->list + names->length, sizeof names->list - names->length, "%s%s",
                                      names->length ? ", " : "", known);
}

void mn_names_hint(const mnNames *names, const char *what, char *text, size_t size) {
    char meant[2 * LONGEST] = "";
    if (names->nearest) snprintf(meant, sizeof meant, "; did you mean \"%s\"?", names->nearest);
    const char *gap = names->nearest ? " " : "; ";
    if (names->list[0])
        snprintf(text, size, "%s%s%s: %s", meant, gap, what, names->list);
    else
        snprintf(text, size, "%s%s%s: none", meant, gap, what);
}
