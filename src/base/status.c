#include "meniscus/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

mnStatus mn_error_set(mnError *error, mnStatus status, const char *format, ...) {
    if (error) {
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

static char *copy_text(const char *text) {
    const char *source = text ? text : "";
    size_t bytes = strlen(source) + 1;
    char *copy = malloc(bytes);
    if (copy) memcpy(copy, source, bytes);
    return copy;
}

static mnProblem *next_problem(mnReport *report) {
    if (report->count == report->capacity) {
        int capacity = report->capacity ? 2 * report->capacity : 16;
        mnProblem *problems = realloc(report->problems, (size_t)capacity * sizeof *problems);
        if (!problems) return NULL;
        report->problems = problems;
        report->capacity = capacity;
    }
    return &report->problems[report->count];
}

void mn_report_add(mnReport *report, bool is_warning, const char *file, int line, int column, const char *key,
                   const char *format, ...) {
    /* The count goes up even when memory for the text is lacking: an error must never pass unnoticed. */
    if (is_warning)
        report->warnings++;
    else
        report->errors++;
    mnProblem *problem = next_problem(report);
    if (!problem) return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *problem = (mnProblem){.is_warning = is_warning,
                           .line = line,
                           .column = column,
                           .file = copy_text(file),
                           .key = copy_text(key),
                           .text = copy_text(text)};
    report->count++;
}

void mn_report_clear(mnReport *report) {
    for (int i = 0; i < report->count; i++) {
        free(report->problems[i].file);
        free(report->problems[i].key);
        free(report->problems[i].text);
    }
    free(report->problems);
    *report = (mnReport){0};
}
