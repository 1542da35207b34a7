#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *first, const char *middle, const char *last) {
    size_t bytes = strlen(first) + strlen(middle) + strlen(last) + 1;
    char *text = malloc(bytes);
    if (text) snprintf(text, bytes, "%s%s%s", first, middle, last);
    return text;
}

char *mn_path_join(const char *folder, const char *name) {
    size_t length = strlen(folder);
    return join(folder, length && folder[length - 1] == '/' ? "" : "/", name);
}

char *mn_path_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return join(".", "", "");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void release(mnFile *file) {
    if (file->stream) fclose(file->stream);
    if (file->locale) freelocale(file->locale);
    free(file->path);
    free(file->temporary);
    *file = (mnFile){0};
}

static void remember(mnFile *file) {
    if (!file->trouble) file->trouble = errno ? errno : EIO;
}

mnStatus mn_file_check(const char *path, mnError *error) {
    struct stat found;
    if (lstat(path, &found) != 0 || S_ISREG(found.st_mode)) return MN_OK;
    return mn_error_set(error, MN_ERROR_FILE, "cannot write %s: it is not a plain file", path);
}

mnStatus mn_file_foreign(const char *path, mnError *error) {
    return mn_error_set(error, MN_ERROR_FILE,
                        "cannot write %s: there is a file that no run has written; take another folder for the output",
                        path);
}

static bool begins(FILE *file, const char *start) {
    rewind(file);
    while (*start && getc(file) == (unsigned char)*start) start++;
    return !*start;
}

mnStatus mn_file_check_ours(const char *path, const char *const *starts, mnError *error) {
    struct stat found;
    if (stat(path, &found) != 0 && errno == ENOENT) return MN_OK;
    if (!S_ISREG(found.st_mode)) return mn_file_foreign(path, error); /* pipes may block */
    FILE *file = fopen(path, "rb");
    if (!file) return mn_error_set(error, MN_ERROR_FILE, "cannot tell whose file %s is: %s", path, strerror(errno));
    while (*starts && !begins(file, *starts)) starts++;
    int trouble = ferror(file) ? errno : 0;
    fclose(file);
    if (trouble) return mn_error_set(error, MN_ERROR_FILE, "cannot tell whose file %s is: %s", path, strerror(trouble));
    return *starts ? MN_OK : mn_file_foreign(path, error);
}

mnStatus mn_file_create(mnFile *file, const char *path, mnError *error) {
    *file = (mnFile){.path = join(path, "", ""),
                     .temporary = join(path, ".partial", ""),
                     .locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (!file->path || !file->temporary || !file->locale) {
        release(file);
        return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    }
    file->stream = fopen(file->temporary, "wb");
    if (!file->stream) {
        mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s", path, strerror(errno));
        release(file);
        return MN_ERROR_FILE;
    }
    return MN_OK;
}

void mn_file_put(mnFile *file, const void *bytes, size_t count) {
    if (file->trouble || count == 0) return;
    errno = 0;
    if (fwrite(bytes, 1, count, file->stream) != count) remember(file);
}

void mn_file_print(mnFile *file, const char *format, ...) {
    if (file->trouble) return;
    locale_t previous = uselocale(file->locale);
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(file->stream, format, arguments) < 0) remember(file);
    va_end(arguments);
    uselocale(previous);
}

/* Some places, such as pipes and some network folders, know no such thing. */
static bool is_synced(int descriptor) {
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

void mn_file_sync(mnFile *file) {
    if (file->trouble) return;
    errno = 0;
    if (fflush(file->stream) != 0 || !is_synced(fileno(file->stream))) remember(file);
}

mnStatus mn_path_sync(const char *path, mnError *error) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int reason = descriptor < 0 || !is_synced(descriptor) ? errno : 0;
    if (descriptor >= 0) close(descriptor);
    return reason ? mn_error_set(error, MN_ERROR_FILE, "cannot write %s to the disk: %s", path, strerror(reason))
                  : MN_OK;
}

mnStatus mn_folder_sync_of(const char *path, mnError *error) {
    char *folder = mn_path_folder(path);
    mnStatus status =
        folder ? mn_path_sync(folder, error) : mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    free(folder);
    return status;
}

mnStatus mn_file_commit(mnFile *file, mnError *error) {
    errno = 0;
    if (!file->trouble && fflush(file->stream) != 0) remember(file);
    errno = 0;
    if (fclose(file->stream) != 0) remember(file);
    file->stream = NULL;
    errno = 0;
    if (!file->trouble && rename(file->temporary, file->path) != 0) remember(file);
    mnStatus status = MN_OK;
    if (file->trouble) {
        status = mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s", file->path, strerror(file->trouble));
        unlink(file->temporary);
    }
    release(file);
    return status;
}

void mn_file_discard(mnFile *file) {
    if (file->temporary) unlink(file->temporary);
    release(file);
}

mnStatus mn_file_try(const char *path, mnError *error) {
    mnFile file;
    mnStatus status = mn_file_check(path, error);
    if (status == MN_OK) status = mn_file_create(&file, path, error);
    if (status == MN_OK) mn_file_discard(&file);
    return status;
}

/* A new folder is to outlast a power cut with what will be put into it. Its parent may be one that lets nobody read it,
 * and then that is left to the system. */
static mnStatus make_one(const char *path, mnError *error) {
    mnError unused = {0};
    if (mkdir(path, 0777) == 0) {
        mn_folder_sync_of(path, &unused);
        return MN_OK;
    }
    int reason = errno;
    struct stat found;
    if (stat(path, &found) == 0) {
        if (S_ISDIR(found.st_mode)) return MN_OK;
        reason = ENOTDIR;
    }
    return mn_error_set(error, MN_ERROR_FILE, "cannot make the folder %s: %s", path, strerror(reason));
}

mnStatus mn_folder_create(const char *path, mnError *error) {
    char *part = join(path, "", "");
    if (!part) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to make the folder %s", path);
    mnStatus status = MN_OK;
    for (char *c = part; *c && status == MN_OK; c++) {
        if (*c != '/' || c == part) continue;
        *c = '\0';
        status = make_one(part, error);
        *c = '/';
    }
    if (status == MN_OK) status = make_one(part, error);
    free(part);
    return status;
}
