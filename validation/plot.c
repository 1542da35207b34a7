/* gnuplot gets its script with the data in it on its standard input and gives the picture on its standard output: no
 * shell, and no name of a file that would have to be quoted. */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/file.h"

extern char **environ;

/* Colours that can be told apart without seeing all of them (Okabe and Ito); laws are black. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* ---- starting it ------------------------------------------------------------------------------------------------- */

/* Runs gnuplot to its end and returns its exit status, or −1 where it could not be started. -d: no settings of a user.
 */
static int run_gnuplot(char *const arguments[], int in, int out) {
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return -1;
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    pid_t child;
    int failed = posix_spawnp(&child, "gnuplot", &actions, NULL, arguments, environ), status = 0;
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool plot_can_draw(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return false;
    char *arguments[] = {"gnuplot", "--version", NULL};
    bool runs = run_gnuplot(arguments, nothing, nothing) == 0;
    close(nothing);
    return runs;
}

/* ---- what to draw ------------------------------------------------------------------------------------------------ */

static bool is_drawable(const PlotInfo *plot, double x, double y) {
    return isfinite(x) && isfinite(y) && (!plot->log_x || x > 0) && (!plot->log_y || y > 0);
}

/* The points that can be shown. Profiles keep their order, since a line may turn back there. */
static Curve drawable_points(const Finding *finding, const PlotInfo *plot, const char *name) {
    Curve curve = finding_curve(finding, name, !plot->equal);
    int kept = 0;
    for (int i = 0; i < curve.count; i++) {
        if (!is_drawable(plot, curve.x[i], curve.y[i])) continue;
        curve.x[kept] = curve.x[i];
        curve.y[kept++] = curve.y[i];
    }
    curve.count = kept;
    return curve;
}

int benchmark_plot_count(const Benchmark *benchmark) {
    int count = 0;
    while (count < BENCHMARK_PLOTS_MAX && benchmark->plots[count].name) count++;
    return count;
}

static int curve_total(const PlotInfo *plot) {
    int count = 0;
    while (count < PLOT_CURVES_MAX && plot->curves[count].name) count++;
    return count;
}

bool plot_has_points(const Finding *finding, const PlotInfo *plot) {
    bool has = false;
    for (int i = 0; i < curve_total(plot) && !has; i++) {
        Curve curve = drawable_points(finding, plot, plot->curves[i].name);
        has = curve.count > 0;
        curve_clear(&curve);
    }
    return has;
}

/* ---- the script -------------------------------------------------------------------------------------------------- */

/* A quote within single quotes is written twice. */
static void put_quoted(FILE *script, const char *before, const char *text, const char *after) {
    fprintf(script, "%s'", before);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '\'') fputc('\'', script);
        fputc(*c, script);
    }
    fprintf(script, "'%s", after);
}

static void put_settings(FILE *script, const PlotInfo *plot) {
    fputs("set encoding utf8\n"
          "set terminal svg size 760,520 noenhanced font 'sans-serif,13' background '#ffffff'\n"
          "set grid linecolor '#dddddd'\n",
          script);
    /* A key below is as wide as the picture, which a profile true to scale is not: it would lose entries. */
    fprintf(script, "set key %s Left reverse samplen 2\n",
            plot->equal ? "outside right center vertical" : "below left");
    put_quoted(script, "set title ", plot->title, "\n");
    put_quoted(script, "set xlabel ", plot->x, " offset 0,0.4\n");
    put_quoted(script, "set ylabel ", plot->y, "\n");
    if (plot->log_x) fputs("set logscale x\n", script);
    if (plot->log_y) fputs("set logscale y\nset format y '%g'\n", script);
    if (plot->equal) fputs("set size ratio -1\n", script);
}

static void put_style(FILE *script, CurveStyle style, int laws, int others) {
    const char *colour = colours[others % COLOURS];
    if (style == CURVE_LAW)
        fprintf(script, " with lines linecolor 'black' linewidth 2 dashtype %d", laws + 1);
    else if (style == CURVE_LINE)
        fprintf(script, " with lines linecolor '%s' linewidth 2", colour);
    else
        fprintf(script, " with points linecolor '%s' pointtype %d pointsize 0.7", colour, others < COLOURS ? 7 : 5);
}

/* Data first, as named blocks $c0, $c1 …, then the one command that draws them all. */
static void put_script(FILE *script, const Finding *finding, const PlotInfo *plot) {
    const int total = curve_total(plot);
    int count[PLOT_CURVES_MAX], laws = 0, others = 0;
    put_settings(script, plot);
    for (int i = 0; i < total; i++) {
        Curve curve = drawable_points(finding, plot, plot->curves[i].name);
        count[i] = curve.count;
        fprintf(script, "$c%d << END\n", i);
        for (int k = 0; k < curve.count; k++) fprintf(script, "%.9g %.9g\n", curve.x[k], curve.y[k]);
        fputs("END\n", script);
        curve_clear(&curve);
    }
    for (int i = 0; i < total; i++) {
        if (count[i] == 0) continue;
        fprintf(script, "%s$c%d", laws + others ? ", " : "plot ", i);
        put_style(script, plot->curves[i].style, laws, others);
        put_quoted(script, " title ", plot->curves[i].title, "");
        laws += plot->curves[i].style == CURVE_LAW;
        others += plot->curves[i].style != CURVE_LAW;
    }
    fputc('\n', script);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static mnStatus write_csv(const Finding *finding, const PlotInfo *plot, const char *path, mnError *error) {
    mnFile file;
    if (mn_file_create(&file, path, error) != MN_OK) return MN_ERROR_FILE;
    mn_file_print(&file, "curve,x,y\n");
    for (int i = 0; i < curve_total(plot); i++) {
        Curve curve = finding_curve(finding, plot->curves[i].name, !plot->equal);
        for (int k = 0; k < curve.count; k++)
            mn_file_print(&file, "\"%s\",%.9g,%.9g\n", curve.name, curve.x[k], curve.y[k]);
        curve_clear(&curve);
    }
    return mn_file_commit(&file, error);
}

static mnStatus draw(FILE *script, const char *path, mnError *error) {
    mnFile file;
    if (mn_file_create(&file, path, error) != MN_OK) return MN_ERROR_FILE;
    char *arguments[] = {"gnuplot", "-d", NULL};
    int status = fflush(script) == 0 && lseek(fileno(script), 0, SEEK_SET) == 0
                     ? run_gnuplot(arguments, fileno(script), fileno(file.stream))
                     : -1;
    if (status == 0) return mn_file_commit(&file, error);
    mn_file_discard(&file);
    return mn_error_set(error, MN_ERROR_FILE, "gnuplot could not draw %s", path);
}

static mnStatus write_svg(const Finding *finding, const PlotInfo *plot, const char *path, mnError *error) {
    FILE *script = tmpfile();
    if (!script)
        return mn_error_set(error, MN_ERROR_FILE, "cannot write a temporary file to draw %s: %s", path,
                            strerror(errno));
    put_script(script, finding, plot);
    mnStatus status = draw(script, path, error);
    fclose(script);
    return status;
}

mnStatus plot_write(const Finding *finding, const PlotInfo *plot, const char *folder, bool drawn, mnError *error) {
    char *csv = text_format("%s/%s-%s.csv", folder, finding->benchmark->name, plot->name);
    char *svg = text_format("%s/%s-%s.svg", folder, finding->benchmark->name, plot->name);
    mnStatus status = write_csv(finding, plot, csv, error);
    if (status == MN_OK && drawn) status = write_svg(finding, plot, svg, error);
    free(csv);
    free(svg);
    return status;
}
