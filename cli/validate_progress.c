#include "validate_progress.h"

#include <stdio.h>
#include <stdlib.h>

ValidateProgress validate_progress_start(const Run *run) {
    char time[DURATION_BYTES];
    fprintf(stderr, "%d cases, %d at a time, about %s\n", run->case_count, run->desc.threads,
            text_duration(run_seconds_left(run), time));
    return (ValidateProgress){.line = progress_start(false), .told = calloc((size_t)run->case_count, sizeof(bool))};
}

static void tell_end(const Case *c, int done, int total, double left) {
    int met = 0, missed = 0;
    for (int i = 0; i < c->row_count; i++) {
        met += c->rows[i].verdict == VERDICT_PASS;
        missed += c->rows[i].verdict == VERDICT_MISS;
    }
    char took[DURATION_BYTES], rest[DURATION_BYTES];
    fprintf(stderr, "%d of %d: %s, %s: %s, %d goals met, %d missed; about %s to go\n", done, total, c->benchmark->name,
            c->info->label, text_duration(c->wall_seconds, took), met, missed, text_duration(left, rest));
}

/* "5 of 21 cases, 3:10 min to go: laplace R/h = 14 (20 %), momentum 3D (75 %)" */
static void draw(ValidateProgress *progress, const Run *run, int done) {
    char line[1024], rest[DURATION_BYTES];
    int length = snprintf(line, sizeof line, "%d of %d cases, about %s to go", done, run->case_count,
                          text_duration(run_seconds_left(run), rest));
    const char *gap = ": ";
    for (int f = 0; f < run->finding_count; f++)
        for (int i = 0; i < run->findings[f].case_count; i++) {
            const Case *c = &run->findings[f].cases[i];
            if (atomic_load(&c->state) != CASE_RUNNING || length >= (int)sizeof line) continue;
            length += snprintf(line + length, sizeof line - (size_t)length, "%s%s %s (%.0f %%)", gap,
                               c->benchmark->name, c->info->label, 100 * case_share(c));
            gap = ", ";
        }
    progress_draw(&progress->line, line, sizeof line);
}

static int count_done(const Run *run) {
    int done = 0;
    for (int f = 0; f < run->finding_count; f++)
        for (int i = 0; i < run->findings[f].case_count; i++)
            done += atomic_load(&run->findings[f].cases[i].state) == CASE_DONE;
    return done;
}

void validate_progress_show(ValidateProgress *progress, const Run *run) {
    int index = 0, done = count_done(run);
    if (progress->line.terminal) {
        draw(progress, run, done);
        return;
    }
    for (int f = 0; f < run->finding_count; f++)
        for (int i = 0; i < run->findings[f].case_count; i++, index++) {
            const Case *c = &run->findings[f].cases[i];
            if (atomic_load(&c->state) != CASE_DONE || !progress->told || progress->told[index]) continue;
            progress->told[index] = true;
            tell_end(c, done, run->case_count, run_seconds_left(run));
        }
}

void validate_progress_end(ValidateProgress *progress) {
    progress_break(&progress->line);
    free(progress->told);
    progress->told = NULL;
}
