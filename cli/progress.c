#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "texts.h"

/* A terminal is redrawn a few times a second; a log gets a line for every tenth of the run, but not faster than one a
 * second, and every five seconds where that takes long. */
static const double terminal_seconds = 0.1, log_least_seconds = 1.0, log_most_seconds = 5.0, log_share = 0.1;

double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Progress progress_start(bool quiet) {
    double now = seconds_now();
    return (Progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .start = now, .last = now};
}

static bool is_due(const Progress *p, double now, double share) {
    double since = now - p->last;
    if (p->terminal) return since >= terminal_seconds || !p->drawn || share >= 1;
    return since >= log_most_seconds || (since >= log_least_seconds && share - p->last_share >= log_share);
}

static void eta_text(double seconds, char text[32]) {
    if (!(seconds < 360000))
        snprintf(text, 32, "--");
    else if (seconds >= 3600)
        snprintf(text, 32, "%d:%02d:%02d", (int)seconds / 3600, (int)seconds / 60 % 60, (int)seconds % 60);
    else
        snprintf(text, 32, "%d:%02d", (int)seconds / 60, (int)seconds % 60);
}

static int terminal_width(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void progress_tell(Progress *p, double share, const char *text) {
    double now = seconds_now();
    if (p->quiet || !is_due(p, now, share)) return;
    p->last = now;
    p->last_share = share;
    char eta[32], line[256];
    eta_text(share > 0 ? (now - p->start) * (1 - share) / share : INFINITY, eta);
    snprintf(line, sizeof line, "%5.1f %%  ETA %s  %s", 100 * share, eta, text);
    if (p->terminal)
        progress_draw(p, line, sizeof line);
    else
        fprintf(stderr, "%s\n", line);
}

void progress_show(Progress *p, double share, const mnStepReport *report, int64_t particles) {
    char text[200];
    double residual = fmax(fmax(report->residual_volume, report->residual_tension), report->residual_friction);
    snprintf(text, sizeof text, "t %.4g s  step %lld  dt %.2e s  %d iterations  residual %.1e  %lld particles",
             report->time, (long long)report->step, report->dt, report->iterations, residual, (long long)particles);
    progress_tell(p, share, text);
}

void progress_count(Progress *p, int64_t done, int64_t total, const char *things) {
    char text[200];
    snprintf(text, sizeof text, "%lld of %lld %s", (long long)done, (long long)total, things);
    progress_tell(p, total > 0 ? (double)done / (double)total : 1, text);
}

void progress_draw(Progress *p, char *line, size_t size) {
    /* The last column stays free: writing into it makes some terminals wrap. */
    text_cut(line, size, terminal_width() - 1);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    p->drawn = true;
}

void progress_break(Progress *p) {
    if (p->drawn) fputc('\n', stderr);
    p->drawn = false;
}

void progress_clear(Progress *p) {
    if (p->drawn) fputs("\r\033[K", stderr);
    p->drawn = false;
}
