/* After the "HDF5 File Format Specification", version 3.0. Whatever is read has a fixed size or one that was compared
 * with that of the file, and every loop ends after a number of rounds that no file of ours comes near. */
#include "io/hdf5_plain.h"

#include <string.h>

#include "io/bytes.h"

enum {
    MESSAGE_SPACE = 0x0001,
    MESSAGE_TYPE = 0x0003,
    MESSAGE_EXTERNAL = 0x0007,
    MESSAGE_LAYOUT = 0x0008,
    MESSAGE_CONTINUED = 0x0010,
    MESSAGE_GROUP = 0x0011,
    MESSAGE_BYTES = 64, /* as much of one as is looked at */
    BLOCKS_MOST = 16,
    STEPS_MOST = 10000,
    NAME_MOST = 64
};

static bool read_at(const mnHdf5 *file, uint64_t place, void *to, size_t bytes) {
    if (place > (uint64_t)file->size || bytes > (uint64_t)file->size - place) return false;
    return fseek(file->stream, (long)place, SEEK_SET) == 0 && fread(to, 1, bytes, file->stream) == bytes;
}

static uint64_t number(const unsigned char *at, int bytes) {
    return mn_get_bits(at, bytes);
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

typedef struct Block {
    uint64_t place, bytes;
} Block;

/* The first message of a kind in the header of an object; what is missing of MESSAGE_BYTES is zero. */
static bool find_message(const mnHdf5 *file, uint64_t object, unsigned wanted, unsigned char data[MESSAGE_BYTES]) {
    unsigned char head[16], message[8], next[16];
    if (!read_at(file, object, head, sizeof head) || head[0] != 1) return false;
    int left = (int)number(head + 2, 2), count = 1;
    Block blocks[BLOCKS_MOST] = {{object + sizeof head, number(head + 8, 4)}};
    for (int b = 0; b < count; b++) {
        uint64_t at = blocks[b].place, end = at + blocks[b].bytes;
        while (at + sizeof message <= end && left-- > 0 && read_at(file, at, message, sizeof message)) {
            unsigned kind = (unsigned)number(message, 2);
            size_t bytes = (size_t)number(message + 2, 2);
            at += sizeof message;
            if (kind == wanted) {
                bool is_shared = message[4] & 2;
                memset(data, 0, MESSAGE_BYTES);
                return !is_shared && read_at(file, at, data, bytes < MESSAGE_BYTES ? bytes : MESSAGE_BYTES);
            }
            if (kind == MESSAGE_CONTINUED && count < BLOCKS_MOST && read_at(file, at, next, sizeof next)) {
                blocks[count] = (Block){number(next, 8), number(next + 8, 8)};
                if (blocks[count].bytes <= (uint64_t)file->size && blocks[count].place <= (uint64_t)file->size) count++;
            }
            at += bytes;
        }
    }
    return false;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

typedef struct Search {
    const mnHdf5 *file;
    const char *name;
    uint64_t names; /* where those of the group are kept */
    int steps_left; /* entries that may still be looked at; nodes can be the same one many times over */
} Search;

static bool is_named(const Search *search, uint64_t offset) {
    char found[NAME_MOST] = "";
    size_t length = strlen(search->name) + 1;
    return length <= sizeof found && offset <= (uint64_t)search->file->size &&
           read_at(search->file, search->names + offset, found, length) && memcmp(found, search->name, length) == 0;
}

/* Entries of a node that has names: each 40 bytes, the place of the name first and then that of the object. */
static bool find_in_leaf(Search *search, uint64_t node, uint64_t *object) {
    unsigned char head[8], entry[40];
    if (!read_at(search->file, node, head, sizeof head) || memcmp(head, "SNOD", 4) != 0) return false;
    int count = (int)number(head + 6, 2);
    for (int i = 0; i < count && search->steps_left-- > 0; i++) {
        if (!read_at(search->file, node + sizeof head + (uint64_t)i * sizeof entry, entry, sizeof entry)) return false;
        const bool is_link = number(entry + 16, 4) == 2; /* a name for something else, perhaps in another file */
        if (!is_link && is_named(search, number(entry, 8))) {
            *object = number(entry + 8, 8);
            return true;
        }
    }
    return false;
}

/* Keys and children alternate. Levels fall towards the leaves, so there is no going around in circles. */
static bool find_in_tree(Search *search, uint64_t node, int above, uint64_t *object) {
    unsigned char head[24], child[8];
    if (!read_at(search->file, node, head, sizeof head)) return false;
    int level = head[5], count = (int)number(head + 6, 2);
    if (memcmp(head, "TREE", 4) != 0 || head[4] != 0 || level >= above) return false;
    for (int i = 0; i < count && search->steps_left-- > 0; i++) {
        if (!read_at(search->file, node + sizeof head + 8 + 16 * (uint64_t)i, child, sizeof child)) return false;
        uint64_t below = number(child, 8);
        if (level > 0 ? find_in_tree(search, below, level, object) : find_in_leaf(search, below, object)) return true;
    }
    return false;
}

bool mn_hdf5_find(const mnHdf5 *file, uint64_t group, const char *name, uint64_t *object) {
    unsigned char message[MESSAGE_BYTES], heap[32];
    if (!find_message(file, group, MESSAGE_GROUP, message) ||
        !read_at(file, number(message + 8, 8), heap, sizeof heap) || memcmp(heap, "HEAP", 4) != 0)
        return false;
    Search search = {.file = file, .name = name, .names = number(heap + 24, 8), .steps_left = STEPS_MOST};
    enum { DEEPEST = 8 };
    return search.names <= (uint64_t)file->size && find_in_tree(&search, number(message, 8), DEEPEST, object);
}

bool mn_hdf5_open(FILE *stream, int64_t size, mnHdf5 *file) {
    unsigned char head[96];
    *file = (mnHdf5){.stream = stream, .size = size};
    if (!read_at(file, 0, head, sizeof head) || memcmp(head, "\x89HDF\r\n\x1a\n", 8) != 0) return false;
    const bool is_plain = head[8] == 0 && head[13] == 8 && head[14] == 8; /* version; bytes of places and of sizes */
    file->root = number(head + 64, 8);
    /* From 0 on, and as long as it says. */
    return is_plain && number(head + 24, 8) == 0 && number(head + 40, 8) == (uint64_t)size;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static bool read_extent(const mnHdf5 *file, uint64_t object, mnHdf5Array *array) {
    unsigned char message[MESSAGE_BYTES];
    if (!find_message(file, object, MESSAGE_SPACE, message)) return false;
    int version = message[0], rank = message[1];
    if ((version != 1 && version != 2) || (rank != 1 && rank != 2)) return false;
    const unsigned char *extent = message + (version == 1 ? 8 : 4);
    uint64_t rows = number(extent, 8), components = rank == 2 ? number(extent + 8, 8) : 1;
    if (rows > INT64_MAX || components > 16) return false;
    array->rows = (int64_t)rows;
    array->components = (int64_t)components;
    return true;
}

static bool read_kind(const mnHdf5 *file, uint64_t object, mnHdf5Array *array) {
    unsigned char message[MESSAGE_BYTES];
    if (!find_message(file, object, MESSAGE_TYPE, message)) return false;
    const int class = message[0] & 0x0f;
    const bool is_big_endian = message[1] & 1, is_signed = message[1] & 8;
    uint64_t bytes = number(message + 4, 4);
    if (is_big_endian || class > 1) return false;
    array->kind = class == 1 ? 'f' : is_signed ? 'i' : 'u';
    array->bytes = (int)bytes;
    return class == 1 ? bytes == 4 || bytes == 8 : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

bool mn_hdf5_array(const mnHdf5 *file, uint64_t object, mnHdf5Array *array) {
    unsigned char message[MESSAGE_BYTES];
    *array = (mnHdf5Array){0};
    if (find_message(file, object, MESSAGE_EXTERNAL, message) || !read_extent(file, object, array) ||
        !read_kind(file, object, array) || !find_message(file, object, MESSAGE_LAYOUT, message))
        return false;
    if (array->rows == 0 || array->components == 0) return true;
    const bool is_one_piece = message[0] == 3 && message[1] == 1;
    const uint64_t place = number(message + 2, 8), bytes = number(message + 10, 8), size = (uint64_t)file->size;
    const uint64_t row = (uint64_t)(array->components * array->bytes);
    array->place = (int64_t)place;
    return is_one_piece && (uint64_t)array->rows <= size / row && bytes == (uint64_t)array->rows * row &&
           place <= size && bytes <= size - place;
}
