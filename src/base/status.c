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

/* The code of a control character (C0, DEL, or C1 in its two bytes) at the start of a text; −1 where there is none. */
static int control_code(const char *text) {
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if ((first > 0 && first < 0x20) || first == 0x7f) return first;
    return first == 0xc2 && second >= 0x80 && second < 0xa0 ? second : -1;
}

bool mn_text_has_control(const char *text) {
    while (*text && control_code(text) < 0) text++;
    return *text != '\0';
}

static char *copy_escaped(const char *text) {
    const char *source = text ? text : "";
    enum { ESCAPED = 6 };
    char *copy = malloc(ESCAPED * strlen(source) + 1), *to = copy;
    if (!copy) return NULL;
    while (*source) {
        int code = control_code(source);
        if (code < 0) {
            *to++ = *source++;
        } else {
            to += snprintf(to, ESCAPED + 1, "\\u%04x", (unsigned)code);
            source += code < 0x80 ? 1 : 2;
        }
    }
    *to = '\0';
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

static void add_problem(mnReport *report, mnProblem problem) {
    mnProblem *place = next_problem(report);
    if (!place) return;
    problem.file = copy_text(problem.file);
    problem.key = copy_escaped(problem.key);
    problem.text = copy_escaped(problem.text);
    *place = problem;
    report->count++;
}

/* Counts go up even when memory for the text is lacking: an error must never pass unnoticed. */
void mn_report_add(mnReport *report, bool is_warning, const char *file, int line, int column, const char *key,
                   const char *format, ...) {
    if (is_warning)
        report->warnings++;
    else
        report->errors++;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_problem(report, (mnProblem){.is_warning = is_warning,
                                    .line = line,
                                    .column = column,
                                    .file = (char *)file,
                                    .key = (char *)key,
                                    .text = text});
}

void mn_report_more(mnReport *report, const char *file, int errors, int warnings) {
    if (errors + warnings == 0) return;
    report->errors += errors;
    report->warnings += warnings;
    char text[64];
    snprintf(text, sizeof text, "and %d more %s", errors + warnings, errors > 0 ? "problems" : "warnings");
    add_problem(report, (mnProblem){.is_warning = errors == 0, .file = (char *)file, .text = text});
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
