/* How much memory a process may have: limits of control groups, read from folders made up here. How much the tree of a
 * text takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory.h"
#include "folder_helpers.h"

static size_t limit_of(const char *membership) {
    char path[256];
    write_text("cgroup", membership);
    snprintf(path, sizeof path, "%s/cgroup", folder);
    return mn_memory_of_group(path, folder);
}

static void second_version(void **state) {
    (void)state;
    write_text("memory.max", "max\n");
    write_text("a/memory.max", "5000000\n");
    write_text("a/b/memory.max", "max\n");
    assert_true(limit_of("0::/\n") == SIZE_MAX);
    assert_true(limit_of("0::/a\n") == 5000000);
    assert_true(limit_of("0::/a/b\n") == 5000000); /* what holds for a group holds for those in it */
    write_text("a/b/memory.max", "4000000\n");
    assert_true(limit_of("0::/a/b\n") == 4000000);
    write_text("memory.max", "3000000\n");
    assert_true(limit_of("0::/a/b\n") == 3000000);
    assert_true(limit_of("0::/not/seen/from/here\n") == 3000000); /* a container sees its own group as the root */
}

static void first_version(void **state) {
    (void)state;
    write_text("memory.max", "3000000\n");
    write_text("memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_text("memory/a/memory.limit_in_bytes", "7000000\n");
    assert_true(limit_of("3:cpu,memory:/a\n2:pids:/a\n") == 7000000);
    assert_true(limit_of("3:cpu,memory_of_another_kind:/a\n2:pids:/a\n") == SIZE_MAX);
    assert_true(limit_of("3:memory:/\n") == 9223372036854771712u);
}

static void nothing_to_read(void **state) {
    (void)state;
    assert_true(mn_memory_of_group("/nonexistent", folder) == SIZE_MAX);
    assert_true(limit_of("") == SIZE_MAX);
    assert_true(limit_of("nonsense\n") == SIZE_MAX);
    assert_true(mn_memory_of_machine() > 0);
}

/* What is used is not left. */
static void what_is_left(void **state) {
    (void)state;
    const size_t much = (size_t)64 << 20, before = mn_memory_left();
    assert_true(before > much && before < mn_memory_of_machine());
    char *volatile block = malloc(much);
    assert_non_null(block);
    for (size_t i = 0; i < much; i++) block[i] = 1;
    assert_true(mn_memory_left() < before - much / 2);
    free(block);
}

/* ---- trees of texts ---------------------------------------------------------------------------------------------- */

static size_t held, most_held;

/* As the C library of GNU counts: what is asked for and eight bytes, in sixteens, 32 at least. */
static void *take(size_t bytes) {
    const size_t whole = bytes < 24 ? 32 : (bytes + 8 + 15) / 16 * 16;
    size_t *block = malloc(whole + 16);
    if (!block) return NULL;
    block[0] = whole;
    held += whole;
    if (held > most_held) most_held = held;
    return block + 2;
}

static void give(void *block) {
    if (!block) return;
    held -= ((size_t *)block)[-2];
    free((size_t *)block - 2);
}

/* `before`, many of `part`, and `after`. */
static void expect_room(const char *before, const char *part, int count, const char *after) {
    char *text = malloc(strlen(before) + (size_t)count * strlen(part) + strlen(after) + 1), *end = text;
    assert_non_null(text);
    end = stpcpy(end, before);
    for (int k = 0; k < count; k++) end = stpcpy(end, part);
    stpcpy(end, after);
    held = most_held = 0;
    json_t *tree = mn_json_parse(text, strlen(text), 0, NULL);
    assert_non_null(tree);
    json_decref(tree);
    assert_int_equal(held, 0);
    if (most_held > mn_json_room(text, strlen(text)))
        fail_msg("%s %s %s: %zu bytes are taken, %zu were expected", before, part, after, most_held,
                 mn_json_room(text, strlen(text)));
    free(text);
}

/* Lists are at their largest when they have just grown, to a power of two. */
static void rooms_of_trees(void **state) {
    (void)state;
    enum { MANY = (1 << 16) + 1, DEEP = 1000 };
    json_set_alloc_funcs(take, give);
    static const char *const parts[] = {"{},",      "[],",          "0,",           "\"\",", "1e9,",
                                        "null,",    "{\"\":0},",    "{\"\":{}},",   "[0],",  "[[]],",
                                        "[{},{}],", "{\"\":[{}]},", "{\"a\":\"\"},"};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) expect_room("[", parts[k], MANY, "0]");
    expect_room("[\"", "abcdefgh", MANY, "\"]");
    expect_room("[\"", "\\u00e9", MANY, "\"]");
    expect_room("[\"", ",", MANY, "\"]");
    /* Objects and lists within each other, many times over. */
    char objects[5 * DEEP + 8] = "", lists[2 * DEEP + 2] = "";
    for (int k = 0; k < DEEP; k++) {
        memcpy(objects + 4 * k, "{\"\":", 4);
        objects[4 * DEEP + 1 + k] = '}';
        lists[k] = '[';
        lists[DEEP + k] = ']';
    }
    objects[4 * DEEP] = '0';
    expect_room("[", strcat(objects, ","), 100, "0]");
    expect_room("[", strcat(lists, ","), 100, "0]");
    json_set_alloc_funcs(malloc, free);
}

static int make_folders(void **state) {
    (void)state;
    bool made = mkdtemp(folder) != NULL;
    static const char *const names[] = {"a", "a/b", "memory", "memory/a"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) made = made && mkdir(path_of(names[i]), 0700) == 0;
    return made ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_version), cmocka_unit_test(first_version),  cmocka_unit_test(nothing_to_read),
        cmocka_unit_test(what_is_left),   cmocka_unit_test(rooms_of_trees),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folder);
}
