#include "scene/mend.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "scene/scan.h"
#include "scene/set.h"

/* jansson itself goes no deeper than this. */
enum { MENDS = 1000, LEVELS = 2048 };

static const char stand_in[] = "null";

/* An object or list that is open. */
typedef struct Level {
    bool is_list;
    json_t *keys; /* of an object: where each key first stands */
} Level;

typedef struct Finder {
    mnMends *mends;
    mnSource source;
    mnScan scan;
    Level levels[LEVELS];
    int depth;
    char last;    /* the mark before, 0 at the start, 'v' behind a value */
    size_t comma; /* where the last one stands */
} Finder;

static size_t offset_of(const Finder *finder, const char *at) {
    return (size_t)(at - finder->source.text);
}

static bool in_list(const Finder *finder) {
    return finder->depth > 0 && finder->levels[finder->depth - 1].is_list;
}

static bool awaits_value(const Finder *finder) {
    if (in_list(finder)) return finder->last == '[' || finder->last == ',';
    return finder->last == ':' || (finder->depth == 0 && finder->last == 0);
}

static bool awaits_key(const Finder *finder) {
    return finder->depth > 0 && !in_list(finder) && (finder->last == '{' || finder->last == ',');
}

static void add(Finder *finder, mnMend mend) {
    if (finder->mends->count < MENDS) finder->mends->list[finder->mends->count++] = mend;
}

/* Whether a value ends here; what goes on in another way is no value that could be taken out. */
static bool value_ends(mnScan scan) {
    mn_scan_space(&scan);
    return scan.at >= scan.end || memchr(",]}", *scan.at, 3);
}

static bool is_plain(const char *start, const char *end) {
    while (start < end && (isalnum((unsigned char)*start) || memchr("+-._", *start, 4))) start++;
    return start == end;
}

static void look_at_word(Finder *finder, const char *start) {
    if (!awaits_value(finder) || !value_ends(finder->scan) || !is_plain(start, finder->scan.at)) return;
    json_error_t error;
    json_t *value = mn_json_parse(start, (size_t)(finder->scan.at - start), MN_JSON_FLAGS, &error);
    size_t at = offset_of(finder, start);
    if (!value && errno != ENOMEM)
        add(finder, (mnMend){.at = at,
                             .start = at,
                             .end = offset_of(finder, finder->scan.at),
                             .is_too_large = json_error_code(&error) == json_error_numeric_overflow});
    json_decref(value);
}

/* Steps over the value of a key that was there before. */
static void look_at_key(Finder *finder, const char *start) {
    json_t *keys = finder->levels[finder->depth - 1].keys;
    json_t *key = mn_json_parse(start, (size_t)(finder->scan.at - start), JSON_DECODE_ANY, NULL);
    const json_t *first = key ? json_object_get(keys, json_string_value(key)) : NULL;
    mnScan ahead = finder->scan;
    if (first && mn_scan_mark(&ahead, ':')) {
        mn_scan_space(&ahead);
        mn_scan_value(&ahead);
        if (value_ends(ahead)) {
            add(finder, (mnMend){.at = offset_of(finder, start),
                                 .start = finder->comma,
                                 .end = offset_of(finder, ahead.at),
                                 .is_duplicate = true,
                                 .first = (size_t)json_integer_value(first)});
            finder->scan = ahead;
        }
    } else if (key && !first) {
        json_object_set_new(keys, json_string_value(key), json_integer((json_int_t)offset_of(finder, start)));
    }
    json_decref(key);
}

/* False where nesting is too deep, or memory is lacking. */
static bool open_level(Finder *finder, bool is_list) {
    if (finder->depth == LEVELS) return false;
    Level level = {is_list, is_list ? NULL : json_object()};
    finder->levels[finder->depth++] = level;
    return is_list || level.keys;
}

static void close_level(Finder *finder) {
    if (finder->depth > 0) json_decref(finder->levels[--finder->depth].keys);
}

static bool look_at_token(Finder *finder) {
    const char *start = finder->scan.at;
    bool is_key = *start == '"' && awaits_key(finder), good = true;
    mn_scan_token(&finder->scan);
    if (memchr("{[", *start, 2)) {
        good = open_level(finder, *start == '[');
    } else if (memchr("}]", *start, 2)) {
        close_level(finder);
    } else if (is_key) {
        look_at_key(finder, start);
    } else if (!memchr(",:\"", *start, 3)) {
        look_at_word(finder, start);
    }
    if (*start == ',') finder->comma = offset_of(finder, start);
    finder->last = memchr("{[,:", *start, 4) ? *start : 'v';
    return good;
}

bool mn_mends_find(mnMends *mends, mnSource source) {
    mends->list = calloc(MENDS, sizeof *mends->list);
    Finder *finder = calloc(1, sizeof *finder);
    if (mends->list && finder) {
        finder->mends = mends;
        finder->source = source;
        finder->scan = (mnScan){source.text, source.text + source.length};
        mn_scan_space(&finder->scan);
        while (finder->scan.at < finder->scan.end && look_at_token(finder)) mn_scan_space(&finder->scan);
        while (finder->depth > 0) close_level(finder);
    }
    bool good = mends->list && finder;
    free(finder);
    return good;
}

void mn_mends_clear(mnMends *mends) {
    free(mends->list);
    *mends = (mnMends){0};
}

static size_t stand_in_length(const mnMend *mend) {
    return mend->is_duplicate ? 0 : strlen(stand_in);
}

char *mn_mends_apply(const mnMends *mends, mnSource source, size_t *length) {
    char *copy = malloc(source.length + (size_t)mends->count * strlen(stand_in) + 1), *to = copy;
    size_t from = 0;
    if (!copy) return NULL;
    for (int i = 0; i <= mends->count; i++) {
        const mnMend *mend = i < mends->count ? &mends->list[i] : NULL;
        size_t end = mend ? mend->start : source.length;
        memcpy(to, source.text + from, end - from);
        to += end - from;
        if (!mend) break;
        memcpy(to, stand_in, stand_in_length(mend));
        to += stand_in_length(mend);
        from = mend->end;
    }
    *length = (size_t)(to - copy);
    return copy;
}

size_t mn_mends_origin(const mnMends *mends, size_t offset) {
    size_t copied = 0, from = 0; /* where the piece between two mends starts in the copy and in the text */
    for (int i = 0; i < mends->count; i++) {
        const mnMend *mend = &mends->list[i];
        size_t piece = mend->start - from;
        if (offset < copied + piece) break;
        copied += piece + stand_in_length(mend);
        from = mend->end;
        if (offset < copied) return mend->start;
    }
    return from + (offset - copied);
}

mnMend *mn_mends_value_at(const mnMends *mends, size_t offset) {
    for (int i = 0; i < mends->count; i++)
        if (mends->list[i].at == offset && !mends->list[i].is_duplicate) return &mends->list[i];
    return NULL;
}
