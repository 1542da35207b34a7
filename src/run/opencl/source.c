#include "run/opencl/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Joiner {
    FILE *to;
    bool *pasted; /* per embedded text */
} Joiner;

static int find(const char *name, size_t length) {
    for (int i = 0; i < mn_embedded_count; i++)
        if (strlen(mn_embedded[i].name) == length && memcmp(mn_embedded[i].name, name, length) == 0) return i;
    return -1;
}

mnSource mn_source(const char *name) {
    int found = find(name, strlen(name));
    assert(found >= 0);
    return mn_embedded[found];
}

/* Which embedded text a line includes; −1: none. */
static int included_by(const char *line) {
    static const char start[] = "#include \"";
    if (strncmp(line, start, sizeof start - 1) != 0) return -1;
    const char *name = line + sizeof start - 1;
    return find(name, strcspn(name, "\"\n"));
}

static void paste(Joiner *joiner, mnSource source) {
    fprintf(joiner->to, "#line 1 \"%s\"\n", source.name);
    int number = 1;
    for (const char *line = source.text; *line; number++) {
        size_t length = strcspn(line, "\n");
        int included = included_by(line);
        if (included < 0) {
            fwrite(line, 1, length, joiner->to);
            fputc('\n', joiner->to);
        } else if (!joiner->pasted[included]) {
            joiner->pasted[included] = true;
            paste(joiner, mn_embedded[included]);
            fprintf(joiner->to, "#line %d \"%s\"\n", number + 1, source.name);
        } else {
            fputc('\n', joiner->to);
        }
        line += length + (line[length] == '\n');
    }
}

char *mn_source_join(const mnSource *sources, int count) {
    char *text = NULL;
    size_t length = 0;
    Joiner joiner = {.to = open_memstream(&text, &length), .pasted = calloc((size_t)mn_embedded_count, sizeof(bool))};
    bool good = joiner.to && joiner.pasted;
    for (int i = 0; good && i < count; i++) {
        int known = find(sources[i].name, strlen(sources[i].name));
        if (known >= 0 && joiner.pasted[known]) continue;
        if (known >= 0) joiner.pasted[known] = true;
        paste(&joiner, sources[i]);
    }
    if (joiner.to) good = !ferror(joiner.to) && fclose(joiner.to) == 0 && good;
    free(joiner.pasted);
    if (good) return text;
    free(text);
    return NULL;
}
