/* Runs a target without libFuzzer: replay COUNT FOLDER … gives it every file of the folders, then COUNT damaged copies
 * of them. The damage is the same each time, so that a test that fails goes on failing. What a target cannot stand ends
 * the program. */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/random.h"
#include "fuzz.h"

enum { MOST_INPUTS = 1000, MOST_DAMAGES = 4, MOST_GROWTH = 64 };

typedef struct Input {
    uint8_t *bytes;
    size_t size;
} Input;

static Input inputs[MOST_INPUTS];
static int input_count;

static void read_file(const char *path) {
    struct stat found;
    if (stat(path, &found) != 0 || !S_ISREG(found.st_mode)) return;
    REQUIRE(input_count < MOST_INPUTS);
    Input *input = &inputs[input_count++];
    input->size = (size_t)found.st_size;
    input->bytes = malloc(input->size ? input->size : 1); /* no longer, so that a sanitizer sees what reads on */
    FILE *file = fopen(path, "rb");
    REQUIRE(file && input->bytes && fread(input->bytes, 1, input->size, file) == input->size);
    fclose(file);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(input->bytes, input->size);
}

static void read_folder(const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        read_file(path);
        free(entries[i]);
    }
    free(entries);
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

static size_t below(mnRandom *random, size_t limit) {
    return limit ? mn_random_next(random) % limit : 0;
}

/* One change: a flipped bit, a byte that stands at a limit, bytes cut out, bytes of some input put in. */
static void change(mnRandom *random, Input *input, size_t room) {
    static const uint8_t limits[] = {0, 1, 0x7f, 0x80, 0xff, '0', '9', '-', '"', '[', '{', '\n'};
    size_t at = below(random, input->size), length = 1 + below(random, MOST_GROWTH / MOST_DAMAGES);
    const Input *other = &inputs[below(random, (size_t)input_count)];
    size_t from = below(random, other->size);
    switch (mn_random_next(random) % 4) {
    case 0:
        if (input->size) input->bytes[at] ^= (uint8_t)(1u << below(random, 8));
        break;
    case 1:
        if (input->size) input->bytes[at] = limits[below(random, sizeof limits)];
        break;
    case 2:
        if (length > input->size - at) length = input->size - at;
        memmove(input->bytes + at, input->bytes + at + length, input->size - at - length);
        input->size -= length;
        break;
    default:
        if (length > other->size - from) length = other->size - from;
        if (length > room - input->size) length = room - input->size;
        memmove(input->bytes + at + length, input->bytes + at, input->size - at);
        memcpy(input->bytes + at, other->bytes + from, length);
        input->size += length;
    }
}

static void run_damaged(int number) {
    mnRandom random = mn_random_start(1, (uint64_t)number);
    const Input *whole = &inputs[number % input_count];
    size_t room = whole->size + MOST_GROWTH;
    Input damaged = {malloc(room), whole->size};
    REQUIRE(damaged.bytes);
    memcpy(damaged.bytes, whole->bytes, whole->size);
    for (size_t k = 1 + below(&random, MOST_DAMAGES); k > 0; k--) change(&random, &damaged, room);
    uint8_t *exact = realloc(damaged.bytes, damaged.size ? damaged.size : 1);
    REQUIRE(exact);
    LLVMFuzzerTestOneInput(exact, damaged.size);
    free(exact);
}

int main(int argc, char **argv) {
    REQUIRE(argc >= 3);
    for (int i = 2; i < argc; i++) read_folder(argv[i]);
    REQUIRE(input_count > 0);
    int count = atoi(argv[1]);
    for (int number = 0; number < count; number++) run_damaged(number);
    printf("%d files and %d damaged ones\n", input_count, count);
    for (int i = 0; i < input_count; i++) free(inputs[i].bytes);
    return EXIT_SUCCESS;
}
