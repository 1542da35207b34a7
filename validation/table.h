/* Results as texts: the cells of a row, and the table on the terminal. */
#ifndef MN_VALIDATION_TABLE_H
#define MN_VALIDATION_TABLE_H

#include <stdio.h>

#include "runner.h"

typedef enum Column {
    COLUMN_NAME,
    COLUMN_LAW,
    COLUMN_QUANTITY,
    COLUMN_RESOLUTION,
    COLUMN_STEP,
    COLUMN_EXPECTED,
    COLUMN_MEASURED,
    COLUMN_ERROR,
    COLUMN_GOAL,
    COLUMN_VERDICT,
    COLUMN_TIME,
    COLUMN_COUNT
} Column;

enum { CELL_BYTES = 160 };

const char *column_title(Column column);
bool column_is_number(Column column);
void cell_text(const Entry *entry, Column column, char text[CELL_BYTES]);

/* The table, and a last line with the tally. */
void table_print(FILE *stream, const Run *run);

typedef struct Tally {
    int met, missed, told;
} Tally;
Tally run_tally(const Run *run);

#endif
