#include "browser.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"

/* A variable that holds an absolute path, or NULL: a relative one could be taken for an option. */
static const char *path_in(const char *variable) {
    const char *path = getenv(variable);
    return path && *path == '/' ? path : NULL;
}

/* A new file that is ours alone, open for writing; −1: none could be made. */
static int create_in(const char *folder, char **path) {
    *path = mn_path_join(folder, "meniscus-studio-XXXXXX.html");
    int file = *path ? mkstemps(*path, (int)strlen(".html")) : -1;
    if (file < 0) {
        free(*path);
        *path = NULL;
    }
    return file;
}

/* Where the session has a folder of its own it is there, else in one that is made for it. */
static int create(Browser *browser) {
    const char *session = path_in("XDG_RUNTIME_DIR"), *temporary = path_in("TMPDIR");
    int file = session ? create_in(session, &browser->file) : -1;
    if (file >= 0) return file;
    browser->folder = mn_path_join(temporary ? temporary : "/tmp", "meniscus-XXXXXX");
    if (browser->folder && mkdtemp(browser->folder)) return create_in(browser->folder, &browser->file);
    free(browser->folder);
    browser->folder = NULL;
    return -1;
}

static bool write_page(int file, const char *address) {
    FILE *stream = fdopen(file, "w");
    if (!stream) {
        close(file);
        return false;
    }
    int printed = fprintf(stream,
                          "<!doctype html>\n<meta charset=\"utf-8\">\n<title>meniscus studio</title>\n"
                          "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">meniscus studio</a>\n",
                          address, address);
    return (fclose(stream) == 0) & (printed > 0);
}

/* In a process whose parent is gone, so that its end is not ours to wait for. */
static void start(const char *file) {
    pid_t child = fork();
    if (child > 0) waitpid(child, NULL, 0);
    if (child != 0) return;
    setsid();
    if (fork() != 0) _exit(0);
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0) _exit(1);
    execlp("xdg-open", "xdg-open", file, (char *)NULL);
    _exit(1);
}

bool browser_open(Browser *browser, const char *address) {
    *browser = (Browser){0};
    int file = create(browser);
    if (file < 0 || !write_page(file, address)) {
        browser_forget(browser);
        return false;
    }
    start(browser->file);
    return true;
}

void browser_forget(Browser *browser) {
    if (browser->file) unlink(browser->file);
    if (browser->folder) rmdir(browser->folder);
    free(browser->file);
    free(browser->folder);
    *browser = (Browser){0};
}
