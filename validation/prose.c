/* A small part of Markdown. A page is a row of blocks, told apart by how their lines begin; within a block there are
 * code, bold and slanted text and links. */
#include <ctype.h>
#include <string.h>

#include "report.h"

typedef enum Block { BLOCK_NONE, BLOCK_TEXT, BLOCK_LIST, BLOCK_NUMBERS, BLOCK_TABLE, BLOCK_CODE } Block;

static const char *const openings[] = {"", "<p>", "<ul>\n<li>", "<ol>\n<li>", "<table>\n", "<pre>"};
static const char *const closings[] = {"", "</p>\n", "</li>\n</ul>\n", "</li>\n</ol>\n", "</table>\n", "</pre>\n"};

void html_write_text(mnFile *file, const char *text, size_t length) {
    for (const char *c = text; c < text + length; c++) {
        const char *entity = *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : NULL;
        if (entity)
            mn_file_put(file, entity, strlen(entity));
        else
            mn_file_put(file, c, 1);
    }
}

/* ---- within a block ---------------------------------------------------------------------------------------------- */

/* Text between two equal marks, such as **bold**; 0 where the second is missing, else where it ends. */
static size_t put_marked(mnFile *file, const char *text, size_t length, const char *mark, const char *tag) {
    size_t width = strlen(mark);
    if (length < 2 * width || strncmp(text, mark, width) != 0 || text[width] == ' ') return 0;
    for (size_t end = width + 1; end + width <= length; end++) {
        if (strncmp(text + end, mark, width) != 0) continue;
        mn_file_print(file, "<%s>", tag);
        html_write_text(file, text + width, end - width);
        mn_file_print(file, "</%s>", tag);
        return end + width;
    }
    return 0;
}

/* [text](address), of which only addresses in the web are kept. */
static size_t put_link(mnFile *file, const char *text, size_t length) {
    const char *middle = *text == '[' ? memchr(text, ']', length) : NULL;
    if (!middle || middle + 1 >= text + length || middle[1] != '(') return 0;
    const char *end = memchr(middle, ')', (size_t)(text + length - middle));
    if (!end) return 0;
    bool is_web = strncmp(middle + 2, "http", 4) == 0;
    if (is_web) {
        mn_file_print(file, "<a href=\"");
        html_write_text(file, middle + 2, (size_t)(end - middle - 2));
        mn_file_print(file, "\">");
    }
    html_write_text(file, text + 1, (size_t)(middle - text - 1));
    if (is_web) mn_file_print(file, "</a>");
    return (size_t)(end + 1 - text);
}

static void put_inline(mnFile *file, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const char *rest = text + at;
        size_t left = length - at, taken = put_marked(file, rest, left, "`", "code");
        if (!taken) taken = put_marked(file, rest, left, "**", "b");
        if (!taken) taken = put_marked(file, rest, left, "*", "i");
        if (!taken) taken = put_link(file, rest, left);
        if (!taken && *rest == '\\' && left > 1 && ispunct((unsigned char)rest[1])) rest++, at++;
        if (!taken) html_write_text(file, rest, 1);
        at += taken ? taken : 1;
    }
}

/* | a | b |; a backslash keeps a | within a cell. The line of dashes below the titles is passed over. */
static void put_cells(mnFile *file, const char *line, size_t length) {
    if (strspn(line, "|-: ") >= length) return;
    mn_file_print(file, "<tr>");
    for (size_t at = 1; at < length;) {
        size_t end = at;
        while (end < length && (line[end] != '|' || line[end - 1] == '\\')) end++;
        mn_file_print(file, "<td>");
        put_inline(file, line + at, end - at);
        mn_file_print(file, "</td>");
        at = end + 1;
    }
    mn_file_print(file, "</tr>\n");
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* How much of a line is the mark of a list item, 0 where it is none. */
static size_t item_mark(const char *line, Block *kind) {
    size_t digits = strspn(line, "0123456789");
    *kind = digits ? BLOCK_NUMBERS : BLOCK_LIST;
    if (digits && strncmp(line + digits, ". ", 2) == 0) return digits + 2;
    return !digits && (strncmp(line, "- ", 2) == 0 || strncmp(line, "* ", 2) == 0) ? 2 : 0;
}

static void enter(mnFile *file, Block *block, Block next) {
    if (*block == next) return;
    mn_file_print(file, "%s%s", closings[*block], openings[next]);
    *block = next;
}

/* The first heading is the title, which the report has already. */
static void put_heading(mnFile *file, const char *line, size_t length) {
    size_t level = strspn(line, "#");
    if (level == 1) return;
    mn_file_print(file, "<h3>");
    put_inline(file, line + level, length - level);
    mn_file_print(file, "</h3>\n");
}

static void put_line(mnFile *file, Block *block, const char *line, size_t length) {
    Block kind;
    size_t mark = item_mark(line, &kind), blanks = strspn(line, " \t\r");
    if (blanks >= length) {
        enter(file, block, BLOCK_NONE);
    } else if (*line == '#') {
        enter(file, block, BLOCK_NONE);
        put_heading(file, line, length);
    } else if (*line == '|') {
        enter(file, block, BLOCK_TABLE);
        put_cells(file, line, length);
    } else if (mark) {
        if (*block == kind) mn_file_print(file, "</li>\n<li>");
        enter(file, block, kind);
        put_inline(file, line + mark, length - mark);
        mn_file_print(file, "\n");
    } else {
        bool goes_on = blanks > 0 && (*block == BLOCK_LIST || *block == BLOCK_NUMBERS);
        if (!goes_on) enter(file, block, BLOCK_TEXT);
        put_inline(file, line + blanks, length - blanks);
        mn_file_print(file, "\n");
    }
}

void prose_write_html(mnFile *file, const char *page) {
    Block block = BLOCK_NONE;
    for (const char *line = page; *line;) {
        size_t length = strcspn(line, "\n");
        bool is_fence = strncmp(line, "```", 3) == 0;
        if (is_fence) {
            enter(file, &block, block == BLOCK_CODE ? BLOCK_NONE : BLOCK_CODE);
        } else if (block == BLOCK_CODE) {
            html_write_text(file, line, length);
            mn_file_print(file, "\n");
        } else {
            put_line(file, &block, line, length);
        }
        line += length + (line[length] == '\n');
    }
    enter(file, &block, BLOCK_NONE);
}
