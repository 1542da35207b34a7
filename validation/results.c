#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *positive(double value) {
    return value > 0 ? number(value) : json_null();
}

/* What `measured` has to reach where it has to, else what |error| may be. */
static double goal(const Row *row) {
    switch (row->judge) {
    case JUDGE_RELATIVE:
    case JUDGE_ABSOLUTE:
        return row->goal;
    case JUDGE_AT_LEAST:
        return row->expected;
    case JUDGE_NONE:
        break;
    }
    return NAN;
}

static json_t *verdict(const Row *row) {
    return row->verdict == VERDICT_NONE ? json_null() : json_boolean(row->verdict == VERDICT_PASS);
}

static json_t *entry_json(const Entry *entry) {
    static const char *const judges[] = {[JUDGE_RELATIVE] = "relative",
                                         [JUDGE_ABSOLUTE] = "absolute",
                                         [JUDGE_AT_LEAST] = "at least",
                                         [JUDGE_NONE] = "none"};
    const Row *row = entry->row;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s?}", "name",
                     entry->benchmark->name, "case", entry->owner->info ? entry->owner->info->label : "", "law",
                     entry->benchmark->law, "quantity", row->quantity, "unit", row->unit, "expected",
                     number(row->expected), "measured", number(row->measured), "error", number(row->error), "judge",
                     judges[row->judge], "goal", number(goal(row)), "pass", verdict(row), "resolution",
                     positive(row->resolution), "dt_over_capillary", positive(row->dt_over_capillary), "wall_seconds",
                     number(entry->owner->wall_seconds), "note", row->note);
}

json_t *results_json(const Run *run) {
    json_t *list = json_array();
    for (int i = 0; list && i < run->entry_count; i++) {
        if (json_array_append_new(list, entry_json(&run->entries[i])) == 0) continue;
        json_decref(list);
        list = NULL;
    }
    return list;
}

mnStatus results_write(const Run *run, const char *path, mnError *error) {
    json_t *list = results_json(run);
    char *text = list ? json_dumps(list, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(list);
    if (!text) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    mnFile file;
    mnStatus status = mn_file_create(&file, path, error);
    if (status == MN_OK) {
        mn_file_put(&file, text, strlen(text));
        mn_file_put(&file, "\n", 1);
        status = mn_file_commit(&file, error);
    }
    free(text);
    return status;
}
