#include "io/archive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_plain.h"

#if MN_HAVE_HDF5
#include <hdf5.h>
#endif

enum { MEMORY_STEP = 1 << 20, CHUNK = 1 << 16, LONGEST_TEXT = 1 << 26 };

#define CHECKSUM "checksum"

/* Numbers lie in the file as in the memory of the machine that wrote it. One with the other order of bytes is told
 * apart by their type. */
typedef struct Type {
    char kind; /* as in mnHdf5Array */
    int bytes, components;
} Type;

static const Type types[] = {
    [MN_ARCHIVE_VECTORS] = {'f', sizeof(mnReal), 4},     [MN_ARCHIVE_REALS] = {'f', sizeof(mnReal), 1},
    [MN_ARCHIVE_DOUBLES] = {'f', sizeof(double), 1},     [MN_ARCHIVE_INT32] = {'i', sizeof(int32_t), 1},
    [MN_ARCHIVE_INT64] = {'i', sizeof(int64_t), 1},      [MN_ARCHIVE_UINT64] = {'u', sizeof(uint64_t), 1},
    [MN_ARCHIVE_BYTES] = {'u', sizeof(unsigned char), 1}};

struct mnArchive {
    bool is_read;
    mnError trouble;
    char group_name[64];
    /* one that is read */
    char *path;
    mnHdf5 from;
    uint64_t group;
#if MN_HAVE_HDF5
    /* one that is made */
    hid_t file, into;
    H5E_auto2_t print;
    void *print_data;
#endif
};

bool mn_archive_is_read(const mnArchive *a) {
    return a->is_read;
}

mnStatus mn_archive_check(const mnArchive *a, mnError *error) {
    if (a->trouble.status != MN_OK) return mn_error_set(error, a->trouble.status, "%s", a->trouble.text);
    return MN_OK;
}

void mn_archive_refuse(mnArchive *a, const char *format, ...) {
    if (a->trouble.status != MN_OK) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mn_error_set(&a->trouble, MN_ERROR_FILE, "%s%s%s", a->path ? a->path : "", a->path ? ": " : "", text);
}

void mn_archive_lack(mnArchive *a) {
    if (a->trouble.status != MN_OK) return;
    mn_error_set(&a->trouble, MN_ERROR_MEMORY, "no memory left to %s %s", a->is_read ? "read" : "make",
                 a->is_read ? a->path : "a checkpoint");
}

/* ---- checksum ---------------------------------------------------------------------------------------------------- */

/* Of words of eight bytes, the last one filled up with zeros. A step can be undone for every word and for every sum, so
 * files that differ in one word never have the same sum. Eight bytes at a time cost a tenth of what single ones do. */
static uint64_t checksum(uint64_t sum, const unsigned char *bytes, size_t count) {
    for (size_t k = 0; k < count; k += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + k, count - k < 8 ? count - k : 8);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    return sum;
}

/* Of a whole file, with zeros where its own checksum is. */
static bool checksum_of_file(FILE *stream, int64_t size, int64_t place, uint64_t *sum) {
    unsigned char chunk[CHUNK];
    *sum = 0;
    if (fseek(stream, 0, SEEK_SET) != 0) return false;
    for (int64_t at = 0; at < size; at += CHUNK) {
        size_t bytes = (size_t)(size - at < CHUNK ? size - at : CHUNK);
        if (fread(chunk, 1, bytes, stream) != bytes) return false;
        for (int64_t k = place; k < place + 8; k++)
            if (k >= at && k < at + (int64_t)bytes) chunk[k - at] = 0;
        *sum = checksum(*sum, chunk, bytes);
    }
    return true;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool find(const mnArchive *a, const char *name, mnHdf5Array *array) {
    uint64_t object;
    return mn_hdf5_find(&a->from, a->group, name, &object) && mn_hdf5_array(&a->from, object, array);
}

int64_t mn_archive_length(mnArchive *a, const char *name) {
    mnHdf5Array array;
    return find(a, name, &array) ? array.rows : 0;
}

static void get(mnArchive *a, const char *name, const Type *type, void *data, int64_t count) {
    mnHdf5Array array;
    if (a->trouble.status != MN_OK) return;
    if (!find(a, name, &array) || array.kind != type->kind || array.bytes != type->bytes ||
        array.components != type->components || array.rows != count) {
        mn_archive_refuse(a, "has no %s/%s of %lld numbers", a->group_name, name, (long long)count);
        return;
    }
    size_t bytes = (size_t)(array.rows * array.components * array.bytes);
    if (bytes > 0 &&
        (fseek(a->from.stream, (long)array.place, SEEK_SET) != 0 || fread(data, 1, bytes, a->from.stream) != bytes))
        mn_archive_refuse(a, "cannot be read: %s", strerror(errno));
}

static void open_group(mnArchive *a, const char *name) {
    if (a->trouble.status == MN_OK && !mn_hdf5_find(&a->from, a->from.root, name, &a->group))
        mn_archive_refuse(a, "has no %s", name);
}

/* The file as such, before anything in it is believed. */
static void verify(mnArchive *a) {
    mnHdf5Array array;
    uint64_t stored = 0, found;
    a->group = a->from.root;
    if (!find(a, CHECKSUM, &array) || array.kind != 'u' || array.bytes != 8 || array.rows != 1) {
        mn_archive_refuse(a, "has no checksum: it is damaged or not a checkpoint");
        return;
    }
    get(a, CHECKSUM, &types[MN_ARCHIVE_UINT64], &stored, 1);
    if (!checksum_of_file(a->from.stream, a->from.size, array.place, &found))
        mn_archive_refuse(a, "cannot be read: %s", strerror(errno));
    else if (found != stored)
        mn_archive_refuse(a, "is damaged: its checksum is %016llx and should be %016llx", (unsigned long long)found,
                          (unsigned long long)stored);
}

static void open_file(mnArchive *a) {
    struct stat found;
    if (stat(a->path, &found) != 0 || !S_ISREG(found.st_mode)) { /* pipes may block */
        mn_archive_refuse(a, "cannot be read: %s", errno ? strerror(errno) : "it is not a plain file");
        return;
    }
    FILE *stream = fopen(a->path, "rb");
    if (!stream && errno == ENOMEM) mn_archive_lack(a);
    if (!stream) {
        mn_archive_refuse(a, "cannot be read: %s", strerror(errno));
        return;
    }
    a->from.stream = stream;
    if (mn_hdf5_open(stream, (int64_t)found.st_size, &a->from))
        verify(a);
    else
        mn_archive_refuse(a, "is cut short, or not an HDF5 file of the kind that checkpoints are");
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* What is written to memory fails for lack of it only. */
#if MN_HAVE_HDF5

mnStatus mn_archive_available(mnError *error) {
    (void)error;
    return MN_OK;
}

static hid_t type_of(const Type *type) {
    if (type->kind == 'f') return type->bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    if (type->kind == 'u') return type->bytes == 1 ? H5T_NATIVE_UINT8 : H5T_NATIVE_UINT64;
    return type->bytes == 4 ? H5T_NATIVE_INT32 : H5T_NATIVE_INT64;
}

/* The file in memory grows by moving, and an array of `bytes` is put in. */
static bool has_room(const mnArchive *a, size_t bytes) {
    hsize_t size = 0;
    H5Fget_filesize(a->file, &size);
    return mn_memory_is_there(MN_HDF5_ROOM + (size_t)size + 2 * bytes);
}

/* The array stays open. */
static hid_t put_open(mnArchive *a, hid_t group, const char *name, const Type *type, const void *data, int64_t count) {
    const hsize_t size[2] = {(hsize_t)count, (hsize_t)type->components};
    hid_t space = H5Screate_simple(type->components > 1 ? 2 : 1, size, NULL);
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    hid_t array = -1;
    if (has_room(a, (size_t)(count * type->components * type->bytes)))
        array = H5Dcreate2(group, name, type_of(type), space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (array < 0 || (count > 0 && H5Dwrite(array, type_of(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
        mn_archive_lack(a);
    H5Pclose(plan);
    H5Sclose(space);
    return array;
}

static void put(mnArchive *a, const char *name, const Type *type, const void *data, int64_t count) {
    if (a->trouble.status == MN_OK) H5Dclose(put_open(a, a->into, name, type, data, count));
}

static void make_group(mnArchive *a, const char *name) {
    if (a->into >= 0) H5Gclose(a->into);
    a->into = H5Gcreate2(a->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (a->into < 0) mn_archive_lack(a);
}

static void put_head(mnArchive *a) {
    int64_t version = MN_ARCHIVE_VERSION, bytes = sizeof(mnReal);
    char *program = strdup(mn_version());
    if (!program) mn_archive_lack(a);
    mn_archive_group(a, "meniscus");
    mn_archive_count(a, "version", &version, 0, INT64_MAX);
    mn_archive_count(a, "real_bytes", &bytes, 0, INT64_MAX);
    if (program) mn_archive_text(a, "program", &program);
    free(program);
}

mnStatus mn_archive_create(mnArchive **archive, mnError *error) {
    *archive = NULL;
    mnArchive *a = mn_memory_is_there(MN_HDF5_ROOM) ? calloc(1, sizeof *a) : NULL;
    if (!a) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to make a checkpoint");
    /* HDF5 prints its errors unless told not to, and whether it does is a setting of the whole process. */
    H5Eget_auto2(H5E_DEFAULT, &a->print, &a->print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(in_memory, MEMORY_STEP, false);
    a->file = H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    H5Pclose(in_memory);
    a->into = -1;
    if (a->file < 0)
        mn_archive_lack(a);
    else
        put_head(a);
    mnStatus status = mn_archive_check(a, error);
    if (status == MN_OK)
        *archive = a;
    else
        mn_archive_destroy(a);
    return status;
}

/* The file as bytes, with its checksum; free them. NULL: no memory. */
static unsigned char *make_image(mnArchive *a, size_t *bytes) {
    const uint64_t none = 0;
    hid_t sum = put_open(a, a->file, CHECKSUM, &types[MN_ARCHIVE_UINT64], &none, 1);
    unsigned char *image = NULL;
    if (a->trouble.status == MN_OK && H5Fflush(a->file, H5F_SCOPE_GLOBAL) >= 0) {
        haddr_t place = H5Dget_offset(sum);
        ssize_t size = H5Fget_file_image(a->file, NULL, 0);
        image = size > 0 ? malloc((size_t)size) : NULL;
        if (image && H5Fget_file_image(a->file, image, (size_t)size) == size && place + 8 <= (haddr_t)size) {
            uint64_t found = checksum(0, image, (size_t)size);
            memcpy(image + place, &found, sizeof found);
            *bytes = (size_t)size;
        } else {
            free(image);
            image = NULL;
        }
    }
    H5Dclose(sum);
    return image;
}

mnStatus mn_archive_save(mnArchive *a, const char *path, mnError *error) {
    size_t bytes = 0;
    unsigned char *image = a->trouble.status == MN_OK ? make_image(a, &bytes) : NULL;
    if (!image) mn_archive_lack(a);
    mnStatus status = mn_archive_check(a, error);
    mnFile file;
    if (status == MN_OK) status = mn_file_create(&file, path, error);
    if (status == MN_OK) {
        mn_file_put(&file, image, bytes);
        mn_file_sync(&file);
        status = mn_file_commit(&file, error);
    }
    free(image);
    return status == MN_OK ? mn_folder_sync_of(path, error) : status;
}

static void end_making(mnArchive *a) {
    if (a->into >= 0) H5Gclose(a->into);
    if (a->file >= 0) H5Fclose(a->file);
    H5Eset_auto2(H5E_DEFAULT, a->print, a->print_data);
}

#else

mnStatus mn_archive_available(mnError *error) {
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "this build has no checkpoints, since HDF5 was not found when it was made; install it "
                        "(libhdf5-dev) and build again");
}

static void put(mnArchive *a, const char *name, const Type *type, const void *data, int64_t count) {
    (void)a, (void)name, (void)type, (void)data, (void)count;
}

static void make_group(mnArchive *a, const char *name) {
    (void)a, (void)name;
}

mnStatus mn_archive_create(mnArchive **archive, mnError *error) {
    *archive = NULL;
    return mn_archive_available(error);
}

mnStatus mn_archive_save(mnArchive *a, const char *path, mnError *error) {
    (void)a, (void)path;
    return mn_archive_available(error);
}

static void end_making(mnArchive *a) {
    (void)a;
}

#endif

/* ---- both -------------------------------------------------------------------------------------------------------- */

void mn_archive_group(mnArchive *a, const char *name) {
    if (a->trouble.status != MN_OK) return;
    snprintf(a->group_name, sizeof a->group_name, "%s", name);
    if (a->is_read)
        open_group(a, name);
    else
        make_group(a, name);
}

void mn_archive_array(mnArchive *a, const char *name, mnArchiveType type, void *data, int64_t count) {
    if (a->is_read)
        get(a, name, &types[type], data, count);
    else
        put(a, name, &types[type], data, count);
}

void mn_archive_count(mnArchive *a, const char *name, int64_t *value, int64_t least, int64_t most) {
    int64_t found = *value;
    mn_archive_array(a, name, MN_ARCHIVE_INT64, &found, 1);
    if (found < least || found > most)
        mn_archive_refuse(a, "%s/%s is %lld, which cannot be", a->group_name, name, (long long)found);
    else
        *value = found;
}

void mn_archive_flag(mnArchive *a, const char *name, bool *value) {
    int64_t found = *value;
    mn_archive_count(a, name, &found, 0, 1);
    *value = found != 0;
}

void mn_archive_bits(mnArchive *a, const char *name, uint64_t *value) {
    mn_archive_array(a, name, MN_ARCHIVE_UINT64, value, 1);
}

void mn_archive_real(mnArchive *a, const char *name, double *value) {
    mn_archive_reals(a, name, value, 1);
}

void mn_archive_reals(mnArchive *a, const char *name, double *values, int64_t count) {
    mn_archive_array(a, name, MN_ARCHIVE_DOUBLES, values, count);
}

void mn_archive_text(mnArchive *a, const char *name, char **text) {
    int64_t length = a->is_read ? mn_archive_length(a, name) : (int64_t)strlen(*text);
    if (!a->is_read) {
        mn_archive_array(a, name, MN_ARCHIVE_BYTES, *text, length);
        return;
    }
    if (length > LONGEST_TEXT) mn_archive_refuse(a, "has %lld bytes of %s/%s", (long long)length, a->group_name, name);
    char *found = length <= LONGEST_TEXT ? calloc((size_t)length + 1, 1) : NULL;
    if (!found) {
        mn_archive_lack(a);
        return;
    }
    mn_archive_array(a, name, MN_ARCHIVE_BYTES, found, length);
    free(*text);
    *text = found;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

static void check_head(mnArchive *a) {
    int64_t version = 0, bytes = 0;
    mn_archive_group(a, "meniscus");
    mn_archive_count(a, "version", &version, 0, INT64_MAX);
    mn_archive_count(a, "real_bytes", &bytes, 0, INT64_MAX);
    if (version != MN_ARCHIVE_VERSION)
        mn_archive_refuse(a, "has version %lld of the format of checkpoints, this program knows version %d",
                          (long long)version, MN_ARCHIVE_VERSION);
    if (bytes != (int64_t)sizeof(mnReal))
        mn_archive_refuse(a, "was written by a build with numbers of %lld bytes, this one has %d", (long long)bytes,
                          (int)sizeof(mnReal));
}

mnStatus mn_archive_open(const char *path, mnArchive **archive, mnError *error) {
    *archive = NULL;
    mnArchive *a = calloc(1, sizeof *a);
    char *copy = strdup(path);
    if (!a || !copy) {
        free(a);
        free(copy);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to read %s", path);
    }
    a->is_read = true;
    a->path = copy;
    errno = 0;
    open_file(a);
    check_head(a);
    mnStatus status = mn_archive_check(a, error);
    if (status == MN_OK)
        *archive = a;
    else
        mn_archive_destroy(a);
    return status;
}

void mn_archive_destroy(mnArchive *a) {
    if (!a) return;
    if (!a->is_read) end_making(a);
    if (a->from.stream) fclose(a->from.stream);
    free(a->path);
    free(a);
}
