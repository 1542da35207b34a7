#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/mesh.h"

/* A look at a PLY file before assimp gets it. Assimp's reader believes what the header says: where the file is shorter
 * than that it reads past the end, and where a count is absurd it takes minutes and all the memory. So every record is
 * walked through here once, and what is handed on is as long as it claims to be. */

enum { LONGEST_LINE = 1024, MOST_HEADER_LINES = 1000, MOST_ELEMENTS = 16, MOST_PROPERTIES = 128, MOST_WORDS = 5 };

typedef enum Format { FORMAT_NONE, FORMAT_ASCII, FORMAT_LITTLE_ENDIAN, FORMAT_BIG_ENDIAN } Format;

typedef struct Type {
    const char *name, *other_name;
    int size;
    bool is_integer, is_signed;
} Type;

static const Type types[] = {{"char", "int8", 1, true, true},       {"uchar", "uint8", 1, true, false},
                             {"short", "int16", 2, true, true},     {"ushort", "uint16", 2, true, false},
                             {"int", "int32", 4, true, true},       {"uint", "uint32", 4, true, false},
                             {"float", "float32", 4, false, false}, {"double", "float64", 8, false, false}};

typedef struct Property {
    const Type *type;
    const Type *count; /* of a list's length; NULL: not a list */
    int64_t least;     /* entries of the list: assimp asserts that a face has corners */
} Property;

typedef struct Element {
    char name[32];
    int64_t count;
    int first, properties; /* its properties are `first` and those that follow */
    bool has_axis[3];      /* x, y, z, each a single number */
} Element;

typedef struct Check {
    const char *at, *end; /* what is left of the file; a zero follows `end` */
    Format format;
    Element elements[MOST_ELEMENTS];
    int element_count;
    Property properties[MOST_PROPERTIES];
    int property_count;
    char why[256]; /* it cannot be read */
} Check;

/* Always false. */
static bool fail(Check *check, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static bool fail(Check *check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->why, sizeof check->why, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- header ------------------------------------------------------------------------------------------------------ */

/* Copies the next line without its end. */
static bool take_line(Check *check, char line[LONGEST_LINE]) {
    const char *newline = memchr(check->at, '\n', (size_t)(check->end - check->at));
    if (!newline) return fail(check, "its header has no end_header");
    size_t length = (size_t)(newline - check->at);
    if (length >= LONGEST_LINE)
        return fail(check, "its header has a line of %zu characters, allowed are %d", length, LONGEST_LINE - 1);
    memcpy(line, check->at, length);
    if (length > 0 && line[length - 1] == '\r') length--;
    line[length] = '\0';
    check->at = newline + 1;
    return true;
}

/* Cuts a line into words; returns how many there are, at most MOST_WORDS + 1. */
static int cut_words(char *line, const char *words[MOST_WORDS]) {
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t", &rest); word && count <= MOST_WORDS; word = strtok_r(NULL, " \t", &rest)) {
        if (count < MOST_WORDS) words[count] = word;
        count++;
    }
    return count;
}

/* A count written in digits; −1 when it is none. */
static int64_t whole_number(const char *text, size_t length) {
    if (length == 0 || length > 12 || strspn(text, "0123456789") < length) return -1;
    return strtoll(text, NULL, 10);
}

static const Type *find_type(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0 || strcmp(name, types[i].other_name) == 0) return &types[i];
    return NULL;
}

static bool take_format(Check *check, const char *name) {
    static const char *const names[] = {"", "ascii", "binary_little_endian", "binary_big_endian"};
    for (Format f = FORMAT_ASCII; f <= FORMAT_BIG_ENDIAN; f++)
        if (strcmp(name, names[f]) == 0) check->format = f;
    return check->format != FORMAT_NONE || fail(check, "its format \"%.40s\" is not known", name);
}

static bool take_element(Check *check, const char *name, const char *count) {
    if (check->element_count == MOST_ELEMENTS) return fail(check, "it has more than %d elements", MOST_ELEMENTS);
    Element *element = &check->elements[check->element_count++];
    *element = (Element){.count = whole_number(count, strlen(count)), .first = check->property_count};
    snprintf(element->name, sizeof element->name, "%s", name);
    return element->count >= 0 || fail(check, "the count \"%.40s\" of its element \"%.40s\" is no number", count, name);
}

static bool take_property(Check *check, const char *count, const char *type, const char *name) {
    if (check->element_count == 0) return fail(check, "its property \"%.40s\" comes before any element", name);
    if (check->property_count == MOST_PROPERTIES) return fail(check, "it has more than %d properties", MOST_PROPERTIES);
    Element *element = &check->elements[check->element_count - 1];
    Property *property = &check->properties[check->property_count++];
    *property = (Property){.type = find_type(type), .count = count ? find_type(count) : NULL};
    property->least = strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    if (!property->type || (count && !(property->count && property->count->is_integer)))
        return fail(check, "its property \"%.40s\" is of no known type", name);
    element->properties++;
    if (!count && name[0] >= 'x' && name[0] <= 'z' && name[1] == '\0') element->has_axis[name[0] - 'x'] = true;
    return true;
}

static bool take_statement(Check *check, const char *const *words, int count) {
    if (count == 3 && strcmp(words[0], "format") == 0) return take_format(check, words[1]);
    if (count == 3 && strcmp(words[0], "element") == 0) return take_element(check, words[1], words[2]);
    if (count == 3 && strcmp(words[0], "property") == 0) return take_property(check, NULL, words[1], words[2]);
    if (count == 5 && strcmp(words[0], "property") == 0 && strcmp(words[1], "list") == 0)
        return take_property(check, words[2], words[3], words[4]);
    return fail(check, "its header has a line that starts with \"%.40s\" and makes no sense", words[0]);
}

/* Every element has something in it, and vertices have places. */
static bool check_elements(Check *check) {
    bool has_vertices = false;
    for (int e = 0; e < check->element_count; e++) {
        const Element *element = &check->elements[e];
        if (element->count > 0 && element->properties == 0)
            return fail(check, "its element \"%s\" has no properties", element->name);
        if (strcmp(element->name, "vertex") != 0) continue;
        has_vertices = true;
        if (!element->has_axis[0] || !element->has_axis[1] || !element->has_axis[2])
            return fail(check, "its vertices lack x, y or z");
    }
    return has_vertices || fail(check, "it has no vertices");
}

static bool take_header(Check *check) {
    char line[LONGEST_LINE];
    const char *words[MOST_WORDS];
    if (!take_line(check, line) || strcmp(line, "ply") != 0) return fail(check, "it does not start with \"ply\"");
    for (int lines = 0; lines < MOST_HEADER_LINES; lines++) {
        if (!take_line(check, line)) return false;
        int count = cut_words(line, words);
        if (count == 0 || strcmp(words[0], "comment") == 0 || strcmp(words[0], "obj_info") == 0) continue;
        if (count == 1 && strcmp(words[0], "end_header") == 0) {
            if (check->format == FORMAT_NONE) return fail(check, "its header names no format");
            return check_elements(check);
        }
        if (!take_statement(check, words, count)) return false;
    }
    return fail(check, "its header has more than %d lines", MOST_HEADER_LINES);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static bool too_short(Check *check, const Element *element, int64_t record) {
    return fail(check, "it ends in record %lld of the %lld that its header announces for \"%s\"", (long long)record + 1,
                (long long)element->count, element->name);
}

static int64_t binary_integer(const char *bytes, const Type *type, bool is_big) {
    uint64_t value = 0;
    for (int b = 0; b < type->size; b++) {
        unsigned char byte = (unsigned char)bytes[is_big ? b : type->size - 1 - b];
        value = value << 8 | byte;
    }
    uint64_t sign = (uint64_t)1 << (8 * type->size - 1);
    return type->is_signed && value & sign ? -1 : (int64_t)value; /* of any negative one */
}

/* Moves on, to the end of the file when there are fewer bytes. */
static bool skip_bytes(Check *check, int64_t count) {
    bool are_there = count <= check->end - check->at;
    check->at = are_there ? check->at + count : check->end;
    return are_there;
}

static bool walk_binary_property(Check *check, const Property *property) {
    int64_t count = 1;
    if (property->count) {
        const char *bytes = check->at;
        if (!skip_bytes(check, property->count->size)) return false;
        count = binary_integer(bytes, property->count, check->format == FORMAT_BIG_ENDIAN);
    }
    return count >= property->least && skip_bytes(check, count * property->type->size);
}

static void skip_spaces(Check *check) {
    while (*check->at == ' ' || *check->at == '\t') check->at++;
}

static bool is_line_end(const Check *check, const char *at) {
    return at == check->end || *at == '\n' || (*at == '\r' && (at + 1 == check->end || at[1] == '\n'));
}

/* Length of a number, 0 when there is none. Stricter than most: what assimp takes for the end of a number must be
 * taken for it here too, or it would see other records than those that were checked. */
static size_t number_length(const char *text, bool is_integer) {
    static const char digits[] = "0123456789";
    const char *at = text + strspn(text, "+-");
    if (at - text > 1) return 0;
    if (!is_integer && (strncmp(at, "nan", 3) == 0 || strncmp(at, "inf", 3) == 0)) return (size_t)(at - text) + 3;
    size_t whole = strspn(at, digits), fraction = 0;
    at += whole;
    if (!is_integer && *at == '.') {
        fraction = strspn(at + 1, digits);
        at += 1 + fraction;
    }
    if (whole + fraction == 0) return 0;
    if (!is_integer && (*at == 'e' || *at == 'E')) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        size_t exponent = strspn(at, digits);
        if (exponent == 0) return 0;
        at += exponent;
    }
    return (size_t)(at - text);
}

/* Moves to the next word of the line, which has to be a number; returns its length, 0 if it is none. */
static size_t find_number(Check *check, const Type *type) {
    skip_spaces(check);
    size_t length = number_length(check->at, type->is_integer);
    const char *after = check->at + length;
    return *after == ' ' || *after == '\t' || is_line_end(check, after) ? length : 0;
}

static bool walk_ascii_property(Check *check, const Property *property) {
    int64_t count = 1;
    if (property->count) {
        size_t length = find_number(check, property->count);
        count = whole_number(check->at, length);
        check->at += length;
    }
    for (int64_t i = 0; i < count; i++) {
        size_t length = find_number(check, property->type);
        if (length == 0) return false;
        check->at += length;
    }
    return count >= property->least;
}

/* A record is a line, and its numbers are all there is in it. */
static bool walk_ascii_record(Check *check, const Element *element) {
    for (int p = 0; p < element->properties; p++)
        if (!walk_ascii_property(check, &check->properties[element->first + p])) return false;
    skip_spaces(check);
    if (!is_line_end(check, check->at)) return false;
    check->at += strspn(check->at, "\r\n");
    return true;
}

static bool walk_record(Check *check, const Element *element) {
    if (check->format == FORMAT_ASCII) return walk_ascii_record(check, element);
    for (int p = 0; p < element->properties; p++)
        if (!walk_binary_property(check, &check->properties[element->first + p])) return false;
    return true;
}

/* Each record takes at least a byte, so this ends with the file however many there are said to be. */
static bool walk_records(Check *check) {
    for (int e = 0; e < check->element_count; e++) {
        const Element *element = &check->elements[e];
        for (int64_t record = 0; record < element->count; record++) {
            if (walk_record(check, element)) continue;
            if (check->at == check->end) return too_short(check, element, record);
            return fail(check, "record %lld of \"%s\" is damaged", (long long)record + 1, element->name);
        }
    }
    return true;
}

/* ---- file -------------------------------------------------------------------------------------------------------- */

/* The whole file with a zero after it; NULL when it cannot be had. */
static char *read_whole(const char *path, size_t size) {
    FILE *file = fopen(path, "rb");
    char *bytes = file ? malloc(size + 1) : NULL;
    if (bytes && fread(bytes, 1, size, file) != size) {
        free(bytes);
        bytes = NULL;
    }
    if (bytes) bytes[size] = '\0';
    if (file) fclose(file);
    return bytes;
}

mnStatus mn_mesh_check_ply(const char *path, size_t size, mnError *error) {
    char *bytes = read_whole(path, size);
    if (!bytes) return mn_error_set(error, MN_ERROR_FILE, "%s: the %zu bytes of the mesh cannot be read", path, size);
    Check check = {.at = bytes, .end = bytes + size};
    bool is_good = take_header(&check) && walk_records(&check);
    free(bytes);
    if (is_good) return MN_OK;
    return mn_error_set(error, MN_ERROR_INPUT, "%s: cannot be read as a mesh: %s; export it again", path, check.why);
}
