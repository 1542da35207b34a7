#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report.h"
#include "table.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>meniscus: validation</title>\n"
    "<style>\n"
    "body { font: 15px/1.5 sans-serif; max-width: 76em; margin: 2em auto; padding: 0 1em; color: #222; }\n"
    "table { border-collapse: collapse; margin: 1em 0; font-size: 13px; }\n"
    "th, td { padding: 2px 8px; border-bottom: 1px solid #ddd; text-align: left; }\n"
    ".number { text-align: right; white-space: nowrap; }\n"
    ".met { color: #007a55; } .MISSED, .FAILED { color: #c03000; font-weight: bold; }\n"
    "img { max-width: 100%; } code, pre { background: #f4f4f4; } pre { padding: 0.5em; overflow-x: auto; }\n"
    "section { border-top: 2px solid #222; margin-top: 3em; }\n"
    "</style>\n</head>\n<body>\n";

static void put_text(mnFile *file, const char *text) {
    html_write_text(file, text, strlen(text));
}

static void put_row(mnFile *file, const Entry *entry, Column first) {
    mn_file_print(file, "<tr>");
    for (int c = (int)first; c < COLUMN_COUNT; c++) {
        char text[CELL_BYTES];
        cell_text(entry, (Column)c, text);
        const char *kind = column_is_number((Column)c) ? "number" : c == COLUMN_VERDICT ? text : "text";
        mn_file_print(file, "<td class=\"%s\">", kind);
        if (c == COLUMN_NAME) mn_file_print(file, "<a href=\"#%s\">", text);
        put_text(file, text);
        mn_file_print(file, c == COLUMN_NAME ? "</a></td>" : "</td>");
    }
    mn_file_print(file, "</tr>\n");
}

/* Columns from `first` on, of the rows of one benchmark, or of all with NULL. */
static void put_table(mnFile *file, const Run *run, const Benchmark *only, Column first) {
    mn_file_print(file, "<table>\n<tr>");
    for (int c = (int)first; c < COLUMN_COUNT; c++)
        mn_file_print(file, "<th class=\"%s\">%s</th>", column_is_number((Column)c) ? "number" : "text",
                      column_title((Column)c));
    mn_file_print(file, "</tr>\n");
    for (int i = 0; i < run->entry_count; i++)
        if (!only || run->entries[i].benchmark == only) put_row(file, &run->entries[i], first);
    mn_file_print(file, "</table>\n");
}

static void put_notes(mnFile *file, const Run *run, const Benchmark *benchmark) {
    for (int i = 0; i < run->entry_count; i++) {
        const Row *row = run->entries[i].row;
        if (run->entries[i].benchmark != benchmark || !row->note || row->verdict != VERDICT_MISS) continue;
        mn_file_print(file, "<p><span class=\"FAILED\">Failed</span>, ");
        put_text(file, row->quantity);
        mn_file_print(file, ": ");
        put_text(file, row->note);
        mn_file_print(file, "</p>\n");
    }
}

static void put_plots(mnFile *file, const Finding *finding, bool drawn) {
    const Benchmark *b = finding->benchmark;
    for (int i = 0; i < benchmark_plot_count(b); i++) {
        const PlotInfo *plot = &b->plots[i];
        if (!plot_has_points(finding, plot)) continue;
        mn_file_print(file, "<p><a href=\"validation/%s-%s.csv\">", b->name, plot->name);
        if (drawn) mn_file_print(file, "<img src=\"validation/%s-%s.svg\" alt=\"", b->name, plot->name);
        put_text(file, plot->title);
        mn_file_print(file, drawn ? "\"></a></p>\n" : "</a></p>\n");
    }
}

/* The whole text of a file, empty where it cannot be read; to be freed. */
static char *read_page(const char *path) {
    FILE *stream = fopen(path, "rb");
    char *text = NULL;
    int length = 0;
    for (int c = stream ? fgetc(stream) : EOF; c != EOF; c = fgetc(stream)) {
        text = list_grow(text, length, 1);
        text[length++] = (char)c;
    }
    text = list_grow(text, length, 1);
    text[length] = '\0';
    if (stream) fclose(stream);
    return text;
}

static void put_benchmark(mnFile *file, const Run *run, const Finding *finding, bool drawn) {
    const Benchmark *b = finding->benchmark;
    char *path = text_format("%s/%s.md", run->desc.folder, b->name), *page = read_page(path);
    mn_file_print(file, "<section id=\"%s\">\n<h2>%s</h2>\n<p>", b->name, b->title);
    put_text(file, b->law);
    mn_file_print(file, "</p>\n");
    put_table(file, run, b, COLUMN_QUANTITY);
    put_notes(file, run, b);
    put_plots(file, finding, drawn);
    prose_write_html(file, page);
    mn_file_print(file, "</section>\n");
    free(path);
    free(page);
}

mnStatus report_write_html(const Run *run, const ReportDesc *desc, const char *path, mnError *error) {
    mnFile file;
    if (mn_file_create(&file, path, error) != MN_OK) return MN_ERROR_FILE;
    char *origin = report_origin(run, desc);
    Tally tally = run_tally(run);
    mn_file_put(&file, head, strlen(head));
    mn_file_print(&file, "<h1>Validation</h1>\n");
    prose_write_html(&file, origin);
    prose_write_html(&file, report_reading);
    if (!desc->drawn) prose_write_html(&file, report_without_plots);
    mn_file_print(&file, "<p><b>%d goals met, %d missed, %d rows told for information.</b></p>\n", tally.met,
                  tally.missed, tally.told);
    put_table(&file, run, NULL, COLUMN_NAME);
    for (int f = 0; f < run->finding_count; f++) put_benchmark(&file, run, &run->findings[f], desc->drawn);
    mn_file_print(&file, "</body>\n</html>\n");
    free(origin);
    return mn_file_commit(&file, error);
}
