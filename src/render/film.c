/* ffmpeg reads its pictures from a pair of connected sockets instead of a pipe: it does not notice, and a send can be
 * told not to raise SIGPIPE when ffmpeg has gone, while a write to a pipe would need the handling of signals changed
 * for the whole process, which is not the library's to change. */
#include "render/film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"

extern char **environ;

static void release(mnFilm *film) {
    if (film->to_child >= 0) close(film->to_child);
    if (film->messages >= 0) close(film->messages);
    free(film->path);
    free(film->temporary);
    free(film->rgb);
    *film = (mnFilm){.to_child = -1, .messages = -1, .child = -1};
}

/* Own process group: Ctrl-C in a terminal is for us to handle, and a film that is cut short is taken away. */
static int spawn(const mnFilm *film, int input, char *const arguments[], pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int trouble = posix_spawn_file_actions_init(&actions);
    if (trouble) return trouble;
    trouble = posix_spawnattr_init(&attributes);
    if (!trouble) {
        trouble = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        if (!trouble) trouble = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (!trouble) trouble = posix_spawn_file_actions_adddup2(&actions, film->messages, STDERR_FILENO);
        if (!trouble) trouble = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        if (!trouble) trouble = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return trouble;
}

static mnStatus start_child(mnFilm *film, double pictures_per_second, mnError *error) {
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", film->width, film->height);
    snprintf(rate, sizeof rate, "%.0f/1000", 1000 * pictures_per_second);
    /* A path that begins with a dash, or that looks like an address, must still be a file. */
    size_t bytes = strlen(film->temporary) + sizeof "file:";
    char *target = malloc(bytes);
    int ends[2];
    if (!target) return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", film->path);
    snprintf(target, bytes, "file:%s", film->temporary);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        free(target);
        return mn_error_set(error, MN_ERROR_FILE, "cannot talk to ffmpeg: %s", strerror(errno));
    }
    char *const arguments[] = {"ffmpeg",    "-hide_banner", "-loglevel", "error", "-y",   "-f",       "rawvideo",
                               "-pix_fmt",  "rgb24",        "-s",        size,    "-r",   rate,       "-i",
                               "pipe:0",    "-c:v",         "libx264",   "-crf",  "16",   "-pix_fmt", "yuv420p",
                               "-movflags", "+faststart",   "-f",        "mp4",   target, NULL};
    int trouble = spawn(film, ends[0], arguments, &film->child);
    free(target);
    close(ends[0]);
    film->to_child = ends[1];
    if (!trouble) return MN_OK;
    film->child = -1;
    if (trouble == ENOENT)
        return mn_error_set(error, MN_ERROR_FEATURE,
                            "films need ffmpeg, which is not on the path (Debian: ffmpeg); or write pictures (.png)");
    return mn_error_set(error, MN_ERROR_FEATURE, "cannot start ffmpeg: %s", strerror(trouble));
}

/* A file without a name: what ffmpeg says cannot fill a pipe that nobody reads. */
static int nameless_file(void) {
    char name[] = "/tmp/meniscus-XXXXXX";
    int file = mkstemp(name);
    if (file < 0) return -1;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    unlink(name);
    return file;
}

mnStatus mn_film_start(mnFilm *film, const char *path, int width, int height, double pictures_per_second,
                       mnError *error) {
    *film = (mnFilm){.width = width, .height = height, .to_child = -1, .messages = -1, .child = -1};
    if (width % 2 || height % 2)
        return mn_error_set(error, MN_ERROR_INPUT, "a film needs even sides, not %d x %d", width, height);
    mnStatus status = mn_file_try(path, error);
    if (status != MN_OK) return status;
    film->path = strdup(path);
    film->temporary = malloc(strlen(path) + sizeof ".partial");
    film->rgb = malloc((size_t)width * (size_t)height * 3);
    if (film->path && film->temporary && film->rgb) {
        sprintf(film->temporary, "%s.partial", path);
        film->messages = nameless_file();
        status = film->messages >= 0
                     ? start_child(film, pictures_per_second, error)
                     : mn_error_set(error, MN_ERROR_FILE, "cannot make a file in /tmp: %s", strerror(errno));
    } else {
        status = mn_error_set(error, MN_ERROR_MEMORY, "no memory left to write %s", path);
    }
    if (status != MN_OK) release(film);
    return status;
}

/* What ffmpeg said last, as one line. */
static void last_message(const mnFilm *film, char *text, size_t size) {
    off_t end = lseek(film->messages, 0, SEEK_END);
    off_t from = end > (off_t)size - 1 ? end - (off_t)size + 1 : 0;
    ssize_t got = pread(film->messages, text, size - 1, from);
    text[got > 0 ? got : 0] = '\0';
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 32) *c = c[1] ? ' ' : '\0';
}

/* Waits for ffmpeg and tells whether it was content. */
static mnStatus end_child(mnFilm *film, mnError *error) {
    if (film->to_child >= 0) close(film->to_child);
    film->to_child = -1;
    int outcome = 0;
    pid_t ended;
    do ended = waitpid(film->child, &outcome, 0);
    while (ended < 0 && errno == EINTR);
    film->child = -1;
    if (ended > 0 && WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0) return MN_OK;
    char said[400];
    last_message(film, said, sizeof said);
    return mn_error_set(error, MN_ERROR_FILE, "cannot write %s: ffmpeg failed%s%s", film->path, *said ? ": " : "",
                        said);
}

mnStatus mn_film_add(mnFilm *film, const mnPicture *picture, mnError *error) {
    mn_picture_bytes(picture, film->rgb);
    size_t left = (size_t)film->width * (size_t)film->height * 3;
    for (const unsigned char *at = film->rgb; left > 0;) {
        ssize_t sent = send(film->to_child, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) {
            if (end_child(film, error) == MN_OK)
                mn_error_set(error, MN_ERROR_FILE, "cannot write %s: ffmpeg ended before its time", film->path);
            return MN_ERROR_FILE;
        }
        at += sent;
        left -= (size_t)sent;
    }
    return MN_OK;
}

mnStatus mn_film_commit(mnFilm *film, mnError *error) {
    mnStatus status = end_child(film, error);
    if (status == MN_OK && rename(film->temporary, film->path) != 0)
        status = mn_error_set(error, MN_ERROR_FILE, "cannot write %s: %s", film->path, strerror(errno));
    if (status != MN_OK) unlink(film->temporary);
    release(film);
    return status;
}

void mn_film_discard(mnFilm *film) {
    if (film->child > 0) {
        kill(film->child, SIGKILL);
        while (waitpid(film->child, NULL, 0) < 0 && errno == EINTR) continue;
    }
    if (film->temporary) unlink(film->temporary);
    release(film);
}
