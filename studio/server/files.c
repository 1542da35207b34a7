#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "io/file.h"

enum { DEEPEST = 8, FILES_MOST = 2000, BYTES_MOST = 256 << 20 };

static const char *type_of(const char *name) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(types[i][0], ending) == 0) return types[i][1];
    return "application/octet-stream";
}

static mnStatus no_memory(mnError *error) {
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left for the page");
}

static mnStatus add_file(mnPageFiles *files, const char *path, const char *name, size_t length, mnError *error) {
    if (files->count == FILES_MOST || length > BYTES_MOST - files->bytes)
        return mn_error_set(error, MN_ERROR_FILE, "%s: there is more than a page has", path);
    mnPageFile *list = realloc(files->list, (size_t)(files->count + 1) * sizeof *list);
    if (!list) return no_memory(error);
    files->list = list;
    mnPageFile file = {.name = strdup(name), .type = type_of(name), .bytes = malloc(length + 1), .length = length};
    FILE *stream = file.name && file.bytes ? fopen(path, "rb") : NULL;
    mnStatus status = MN_OK;
    if (!file.name || !file.bytes)
        status = no_memory(error);
    else if (!stream || fread(file.bytes, 1, length, stream) != length)
        status = mn_error_set(error, MN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    if (stream) fclose(stream);
    list[files->count++] = file;
    files->bytes += length;
    return status;
}

static mnStatus add_folder(mnPageFiles *files, const char *folder, const char *below, int depth, mnError *error) {
    DIR *entries = opendir(folder);
    if (!entries) return mn_error_set(error, MN_ERROR_FILE, "cannot read the folder %s: %s", folder, strerror(errno));
    mnStatus status = MN_OK;
    for (struct dirent *entry = readdir(entries); entry && status == MN_OK; entry = readdir(entries)) {
        if (entry->d_name[0] == '.') continue;
        char *path = mn_path_join(folder, entry->d_name);
        char *name = *below ? mn_path_join(below, entry->d_name) : strdup(entry->d_name);
        struct stat found;
        if (!path || !name)
            status = no_memory(error);
        else if (lstat(path, &found) == 0 && S_ISREG(found.st_mode))
            status = add_file(files, path, name, (size_t)found.st_size, error);
        else if (lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && depth < DEEPEST)
            status = add_folder(files, path, name, depth + 1, error);
        free(path);
        free(name);
    }
    closedir(entries);
    return status;
}

mnStatus mn_page_files_read(mnPageFiles *files, const char *folder, mnError *error) {
    mnStatus status = add_folder(files, folder, "", 0, error);
    if (status == MN_OK && !mn_page_files_find(files, ""))
        status = mn_error_set(error, MN_ERROR_FILE, "%s has no index.html, it is not the folder of the page", folder);
    return status;
}

void mn_page_files_clear(mnPageFiles *files) {
    for (int i = 0; i < files->count; i++) {
        free(files->list[i].name);
        free(files->list[i].bytes);
    }
    free(files->list);
    *files = (mnPageFiles){0};
}

const mnPageFile *mn_page_files_find(const mnPageFiles *files, const char *name) {
    if (!*name) name = "index.html";
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->list[i].name, name) == 0) return &files->list[i];
    return NULL;
}
