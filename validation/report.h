/* The report: DIR/index.html to look at, DIR/validation.md the same as Markdown, and in DIR/validation/ the plots as
 * SVG and their points as CSV. As docs/validation.md the Markdown finds its plots in docs/validation/ and the pages of
 * the benchmarks in validation/. */
#ifndef MN_VALIDATION_REPORT_H
#define MN_VALIDATION_REPORT_H

#include "io/file.h"
#include "runner.h"

typedef struct ReportDesc {
    const char *folder;
    const char *command; /* that made it */
    bool drawn;          /* false: there is no gnuplot */
} ReportDesc;

/* Makes the folders and finds out by trying whether the report can be written. */
mnStatus report_check(const char *folder, mnError *error);
mnStatus report_write(const Run *run, const ReportDesc *desc, mnError *error);

/* report_html.c, report_markdown.c: the two pages, plots are there already. */
mnStatus report_write_html(const Run *run, const ReportDesc *desc, const char *path, mnError *error);
mnStatus report_write_markdown(const Run *run, const ReportDesc *desc, const char *path, mnError *error);

/* How it was made, to be freed; how to read the tables; what is missing without gnuplot. */
char *report_origin(const Run *run, const ReportDesc *desc);
extern const char report_reading[], report_without_plots[];

/* prose.c: a benchmark's page, which is Markdown, as HTML: headings below the first, paragraphs, lists, tables, code,
 * bold and slanted text. Links to files of the repository become plain text. */
void prose_write_html(mnFile *file, const char *page);
void html_write_text(mnFile *file, const char *text, size_t length);

#endif
