#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "report.h"
#include "table.h"

/* What would be read as a mark of Markdown, or of a table in it, gets a backslash. */
static void put_text(mnFile *file, const char *text) {
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*_|<[", *c)) mn_file_put(file, "\\", 1);
        mn_file_put(file, c, 1);
    }
}

/* Columns from `first` on, of the rows of one benchmark, or of all with NULL. */
static void put_table(mnFile *file, const Run *run, const Benchmark *only, Column first) {
    for (int c = (int)first; c < COLUMN_COUNT; c++) mn_file_print(file, "| %s ", column_title((Column)c));
    mn_file_print(file, "|\n");
    for (int c = (int)first; c < COLUMN_COUNT; c++) mn_file_print(file, column_is_number((Column)c) ? "|--:" : "|---");
    mn_file_print(file, "|\n");
    for (int i = 0; i < run->entry_count; i++) {
        const Entry *entry = &run->entries[i];
        if (only && entry->benchmark != only) continue;
        for (int c = (int)first; c < COLUMN_COUNT; c++) {
            char text[CELL_BYTES];
            cell_text(entry, (Column)c, text);
            mn_file_print(file, "| ");
            put_text(file, text);
            mn_file_print(file, " ");
        }
        mn_file_print(file, "|\n");
    }
}

static void put_notes(mnFile *file, const Run *run, const Benchmark *benchmark) {
    for (int i = 0; i < run->entry_count; i++) {
        const Row *row = run->entries[i].row;
        if (run->entries[i].benchmark != benchmark || !row->note || row->verdict != VERDICT_MISS) continue;
        mn_file_print(file, "\nFailed, ");
        put_text(file, row->quantity);
        mn_file_print(file, ": ");
        put_text(file, row->note);
        mn_file_print(file, "\n");
    }
}

static void put_benchmark(mnFile *file, const Run *run, const Finding *finding, bool drawn) {
    const Benchmark *b = finding->benchmark;
    mn_file_print(file, "\n## %s\n\n", b->title);
    put_text(file, b->law);
    mn_file_print(file, " ([what is measured and how](../validation/%s.md))\n\n", b->name);
    put_table(file, run, b, COLUMN_QUANTITY);
    put_notes(file, run, b);
    for (int i = 0; i < benchmark_plot_count(b); i++) {
        const PlotInfo *plot = &b->plots[i];
        if (!plot_has_points(finding, plot)) continue;
        if (drawn)
            mn_file_print(file, "\n![%s](validation/%s-%s.svg)\n", plot->title, b->name, plot->name);
        else
            mn_file_print(file, "\n[%s](validation/%s-%s.csv)\n", plot->title, b->name, plot->name);
    }
}

mnStatus report_write_markdown(const Run *run, const ReportDesc *desc, const char *path, mnError *error) {
    mnFile file;
    if (mn_file_create(&file, path, error) != MN_OK) return MN_ERROR_FILE;
    char *origin = report_origin(run, desc);
    Tally tally = run_tally(run);
    mn_file_print(&file, "# Validation\n\n%s %s\n\n", origin, report_reading);
    mn_file_print(&file, "**%d goals met, %d missed, %d rows told for information.**\n\n", tally.met, tally.missed,
                  tally.told);
    if (!desc->drawn) mn_file_print(&file, "%s\n\n", report_without_plots);
    put_table(&file, run, NULL, COLUMN_NAME);
    for (int f = 0; f < run->finding_count; f++) put_benchmark(&file, run, &run->findings[f], desc->drawn);
    free(origin);
    return mn_file_commit(&file, error);
}
