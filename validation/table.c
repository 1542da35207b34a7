#include "table.h"

#include <math.h>
#include <string.h>

/* Longer laws and quantities are cut on the terminal, so that the table fits 160 places. */
static const int widest_law = 22, widest_quantity = 34;

static const struct {
    const char *title;
    bool is_number;
} columns[COLUMN_COUNT] = {
    [COLUMN_NAME] = {"benchmark", false},   [COLUMN_LAW] = {"law", false},    [COLUMN_QUANTITY] = {"quantity", false},
    [COLUMN_RESOLUTION] = {"D/h", true},    [COLUMN_STEP] = {"Δt/cap", true}, [COLUMN_EXPECTED] = {"expected", true},
    [COLUMN_MEASURED] = {"measured", true}, [COLUMN_ERROR] = {"error", true}, [COLUMN_GOAL] = {"goal", true},
    [COLUMN_VERDICT] = {"verdict", false},  [COLUMN_TIME] = {"time", true},
};

const char *column_title(Column column) {
    return columns[column].title;
}

bool column_is_number(Column column) {
    return columns[column].is_number;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static const char none[] = "–";

static void with_unit(double value, const char *format, const char *unit, char text[CELL_BYTES]) {
    char number[64];
    snprintf(number, sizeof number, format, value);
    bool is_percent = strcmp(unit, "%") == 0;
    if (isfinite(value))
        snprintf(text, CELL_BYTES, *unit && !is_percent ? "%s %s" : "%s%s", number, unit);
    else
        snprintf(text, CELL_BYTES, "%s", none);
}

static void goal_text(const Row *row, char text[CELL_BYTES]) {
    switch (row->judge) {
    case JUDGE_RELATIVE:
        snprintf(text, CELL_BYTES, "± %.3g%%", 100 * row->goal);
        break;
    case JUDGE_ABSOLUTE:
        snprintf(text, CELL_BYTES, "± %.3g", row->goal);
        break;
    case JUDGE_AT_LEAST:
        snprintf(text, CELL_BYTES, "≥ expected");
        break;
    case JUDGE_NONE:
        snprintf(text, CELL_BYTES, "%s", none);
        break;
    }
}

static const char *verdict_text(const Row *row) {
    static const char *const texts[] = {[VERDICT_NONE] = "told", [VERDICT_PASS] = "met", [VERDICT_MISS] = "MISSED"};
    if (row->note) return row->verdict == VERDICT_MISS ? "FAILED" : "cut";
    return texts[row->verdict];
}

void cell_text(const Entry *entry, Column column, char text[CELL_BYTES]) {
    const Row *row = entry->row;
    switch (column) {
    case COLUMN_NAME:
        snprintf(text, CELL_BYTES, "%s", entry->benchmark->name);
        break;
    case COLUMN_LAW:
        snprintf(text, CELL_BYTES, "%s", entry->benchmark->law);
        break;
    case COLUMN_QUANTITY:
        snprintf(text, CELL_BYTES, "%s", row->quantity);
        break;
    case COLUMN_RESOLUTION:
        with_unit(row->resolution > 0 ? row->resolution : NAN, "%.3g", "", text);
        break;
    case COLUMN_STEP:
        with_unit(row->dt_over_capillary > 0 ? row->dt_over_capillary : NAN, "%.2f", "", text);
        break;
    case COLUMN_EXPECTED:
        with_unit(row->expected, "%.4g", row->unit, text);
        break;
    case COLUMN_MEASURED:
        with_unit(row->measured, "%.4g", row->unit, text);
        break;
    case COLUMN_ERROR:
        if (row->judge == JUDGE_ABSOLUTE)
            with_unit(row->error, "%+.3g", "", text);
        else
            with_unit(100 * row->error, "%+.2f", "%", text);
        break;
    case COLUMN_GOAL:
        goal_text(row, text);
        break;
    case COLUMN_VERDICT:
        snprintf(text, CELL_BYTES, "%s", verdict_text(row));
        break;
    case COLUMN_TIME:
        text_duration(entry->owner->wall_seconds, text);
        break;
    case COLUMN_COUNT:
        break;
    }
}

/* ---- on the terminal --------------------------------------------------------------------------------------------- */

static void terminal_cell(const Entry *entry, Column column, char text[CELL_BYTES]) {
    cell_text(entry, column, text);
    if (column == COLUMN_LAW) text_cut(text, CELL_BYTES, widest_law);
    if (column == COLUMN_QUANTITY) text_cut(text, CELL_BYTES, widest_quantity);
}

static void print_cell(FILE *stream, Column column, const char *text, int width) {
    int fill = width - text_width(text);
    if (columns[column].is_number)
        fprintf(stream, "%*s%s", fill, "", text);
    else
        fprintf(stream, "%s%*s", text, fill, "");
    fputs(column + 1 < COLUMN_COUNT ? "  " : "\n", stream);
}

Tally run_tally(const Run *run) {
    Tally tally = {0};
    for (int i = 0; i < run->entry_count; i++) {
        Verdict verdict = run->entries[i].row->verdict;
        tally.met += verdict == VERDICT_PASS;
        tally.missed += verdict == VERDICT_MISS;
        tally.told += verdict == VERDICT_NONE;
    }
    return tally;
}

void table_print(FILE *stream, const Run *run) {
    int width[COLUMN_COUNT];
    char text[CELL_BYTES];
    for (int c = 0; c < COLUMN_COUNT; c++) {
        width[c] = text_width(columns[c].title);
        for (int i = 0; i < run->entry_count; i++) {
            terminal_cell(&run->entries[i], (Column)c, text);
            if (text_width(text) > width[c]) width[c] = text_width(text);
        }
    }
    for (int c = 0; c < COLUMN_COUNT; c++) print_cell(stream, (Column)c, columns[c].title, width[c]);
    for (int i = 0; i < run->entry_count; i++) {
        for (int c = 0; c < COLUMN_COUNT; c++) {
            terminal_cell(&run->entries[i], (Column)c, text);
            print_cell(stream, (Column)c, text, width[c]);
        }
        if (run->entries[i].row->note) fprintf(stream, "    %s\n", run->entries[i].row->note);
    }
    char time[DURATION_BYTES];
    Tally tally = run_tally(run);
    fprintf(stream, "%d goals met, %d missed, %d rows told for information, in %s\n", tally.met, tally.missed,
            tally.told, text_duration(run->wall_seconds, time));
}
