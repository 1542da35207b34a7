#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "plot.h"

const char report_without_plots[] =
    "There are no plots because gnuplot was not found (Debian: apt install gnuplot-nox); the points are there as CSV.";

const char report_reading[] =
    "D/h is the number of particles across what the law is about, Δt/cap the mean time step over the limit of explicit "
    "methods √(ρh³/(2πγ)). Rows without a goal are told for information. Times are those of one core, of all the "
    "simulations that a row comes from; rows of one simulation show the same time.";

typedef struct Places {
    char *html, *markdown, *plots;
} Places;

static Places places_in(const char *folder) {
    return (Places){.html = text_format("%s/index.html", folder),
                    .markdown = text_format("%s/validation.md", folder),
                    .plots = text_format("%s/validation", folder)};
}

static void places_clear(Places *places) {
    free(places->html);
    free(places->markdown);
    free(places->plots);
}

mnStatus report_check(const char *folder, mnError *error) {
    Places places = places_in(folder);
    char *plot = text_format("%s/plot.svg", places.plots);
    mnStatus status = mn_folder_create(places.plots, error);
    if (status == MN_OK) status = mn_file_try(places.html, error);
    if (status == MN_OK) status = mn_file_try(places.markdown, error);
    if (status == MN_OK) status = mn_file_try(plot, error);
    free(plot);
    places_clear(&places);
    return status;
}

char *report_origin(const Run *run, const ReportDesc *desc) {
    char time[DURATION_BYTES], cut[96] = "";
    if (run->done_count < run->case_count)
        snprintf(cut, sizeof cut, " Interrupted: %d of %d cases had ended, of the others there are no figures.",
                 run->done_count, run->case_count);
    bool is_here = !run->desc.backend || strcmp(run->desc.backend, "cpu") == 0;
    return text_format("Made by `%s`, meniscus %s, %d case(s) at a time on %s%d core(s), in %s.%s", desc->command,
                       mn_version(), run->desc.threads, is_here ? "" : "a device (OpenCL) beside ", mn_parallel_cores(),
                       text_duration(run->wall_seconds, time), cut);
}

static mnStatus write_plots(const Finding *finding, const char *folder, bool drawn, mnError *error) {
    mnStatus status = MN_OK;
    for (int i = 0; i < benchmark_plot_count(finding->benchmark) && status == MN_OK; i++)
        if (plot_has_points(finding, &finding->benchmark->plots[i]))
            status = plot_write(finding, &finding->benchmark->plots[i], folder, drawn, error);
    return status;
}

mnStatus report_write(const Run *run, const ReportDesc *desc, mnError *error) {
    Places places = places_in(desc->folder);
    mnStatus status = MN_OK;
    for (int f = 0; f < run->finding_count && status == MN_OK; f++)
        status = write_plots(&run->findings[f], places.plots, desc->drawn, error);
    if (status == MN_OK) status = report_write_markdown(run, desc, places.markdown, error);
    if (status == MN_OK) status = report_write_html(run, desc, places.html, error);
    places_clear(&places);
    return status;
}
