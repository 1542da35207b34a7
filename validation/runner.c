#include "runner.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"

/* Between two looks, s. */
static const double look_seconds = 0.1;

/* ---- plan -------------------------------------------------------------------------------------------------------- */

static bool is_wanted(const RunDesc *desc, const CaseInfo *info) {
    return (info->quick || !desc->quick) && (desc->compare || !info->compare);
}

static Finding plan_benchmark(Run *run, const Benchmark *benchmark) {
    Case fresh = {.benchmark = benchmark,
                  .folder = run->desc.folder,
                  .sets = run->desc.sets,
                  .backend = run->desc.backend,
                  .stop = &run->stop};
    Finding finding = {.benchmark = benchmark, .conclusion = fresh};
    for (int i = 0; i < benchmark->case_count; i++) {
        if (!is_wanted(&run->desc, &benchmark->cases[i])) continue;
        finding.cases = list_grow(finding.cases, finding.case_count, sizeof *finding.cases);
        fresh.info = &benchmark->cases[i];
        finding.cases[finding.case_count++] = fresh;
    }
    return finding;
}

Run *run_plan(const RunDesc *desc) {
    Run *run = list_grow(NULL, 0, sizeof *run);
    *run = (Run){.desc = *desc};
    if (desc->backend && strcmp(desc->backend, "cpu") != 0) run->desc.threads = 1;
    for (int b = 0; b < desc->benchmark_count; b++) {
        Finding finding = plan_benchmark(run, desc->benchmarks[b]);
        if (finding.case_count == 0) continue;
        run->findings = list_grow(run->findings, run->finding_count, sizeof *run->findings);
        run->findings[run->finding_count++] = finding;
        run->case_count += finding.case_count;
    }
    return run;
}

void run_destroy(Run *run) {
    if (!run) return;
    for (int f = 0; f < run->finding_count; f++) {
        Finding *finding = &run->findings[f];
        for (int i = 0; i < finding->case_count; i++) case_clear(&finding->cases[i]);
        case_clear(&finding->conclusion);
        free(finding->cases);
    }
    free(run->findings);
    free(run->entries);
    free(run);
}

/* ---- the pool ---------------------------------------------------------------------------------------------------- */

typedef struct Pool {
    Run *run;
    Case **queue; /* longest first */
    int next, done;
    pthread_mutex_t lock;
    pthread_cond_t ended; /* a case did */
} Pool;

static int longer_first(const void *a, const void *b) {
    double of_a = (*(Case *const *)a)->info->seconds, of_b = (*(Case *const *)b)->info->seconds;
    return (of_a < of_b) - (of_a > of_b);
}

static Case **make_queue(Run *run) {
    Case **queue = NULL;
    int count = 0;
    for (int f = 0; f < run->finding_count; f++)
        for (int i = 0; i < run->findings[f].case_count; i++) {
            queue = list_grow(queue, count, sizeof *queue);
            queue[count++] = &run->findings[f].cases[i];
        }
    if (count > 1) qsort(queue, (size_t)count, sizeof *queue, longer_first);
    return queue;
}

static void run_case(Case *c) {
    atomic_store(&c->started, mn_clock());
    atomic_store(&c->state, CASE_RUNNING);
    c->info->run(c);
    case_close_all(c);
    c->wall_seconds = mn_clock() - atomic_load(&c->started);
    if (atomic_load(c->stop)) {
        case_forget(c);
        atomic_store(&c->state, CASE_CUT);
        return;
    }
    if (c->row_count + c->curve_count == 0) case_fail(c, c->info->label, "the case gave neither a row nor a point");
    atomic_store(&c->state, CASE_DONE);
}

static void *work(void *context) {
    Pool *pool = context;
    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->run->case_count && !atomic_load(&pool->run->stop)) {
        Case *c = pool->queue[pool->next++];
        pthread_mutex_unlock(&pool->lock);
        run_case(c);
        pthread_mutex_lock(&pool->lock);
        pool->done++;
        pthread_cond_signal(&pool->ended);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void wait_a_little(Pool *pool) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(1e9 * look_seconds);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
}

/* Looks until all is done, or nothing more will be. */
static void watch(Pool *pool, bool (*look)(const Run *run, void *context), void *context) {
    pthread_mutex_lock(&pool->lock);
    while (pool->done < pool->run->case_count && !atomic_load(&pool->run->stop)) {
        wait_a_little(pool);
        pthread_mutex_unlock(&pool->lock);
        if (!look(pool->run, context)) atomic_store(&pool->run->stop, true);
        pthread_mutex_lock(&pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* With no thread to be had at all, the calling one does the work and there is nothing to look at meanwhile. */
static void run_cases(Run *run, bool (*look)(const Run *run, void *context), void *context) {
    Pool pool = {
        .run = run, .queue = make_queue(run), .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
    int wanted = run->desc.threads < run->case_count ? run->desc.threads : run->case_count, started = 0;
    pthread_t *threads = NULL;
    while (started < wanted) {
        threads = list_grow(threads, started, sizeof *threads);
        if (pthread_create(&threads[started], NULL, work, &pool) != 0) break;
        started++;
    }
    if (started == 0) work(&pool);
    watch(&pool, look, context);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    /* The last cases may have ended after the last look. */
    if (!atomic_load(&run->stop)) look(run, context);
    free(threads);
    free(pool.queue);
}

/* ---- what was found ---------------------------------------------------------------------------------------------- */

typedef struct Point {
    double x, y;
    int index; /* keeps the order of equal x */
} Point;

static int by_x(const void *a, const void *b) {
    const Point *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->index - q->index;
}

static void sort_curve(Curve *curve) {
    Point *points = NULL;
    for (int i = 0; i < curve->count; i++) {
        points = list_grow(points, i, sizeof *points);
        points[i] = (Point){curve->x[i], curve->y[i], i};
    }
    if (curve->count > 1) qsort(points, (size_t)curve->count, sizeof *points, by_x);
    for (int i = 0; i < curve->count; i++) {
        curve->x[i] = points[i].x;
        curve->y[i] = points[i].y;
    }
    free(points);
}

static void append(Curve *all, const Case *c) {
    const Curve *part = case_curve(c, all->name);
    for (int i = 0; part && i < part->count; i++) curve_add(all, part->x[i], part->y[i]);
}

Curve finding_curve(const Finding *finding, const char *name, bool sorted) {
    Curve all = {.name = text_copy(name)};
    for (int i = 0; i < finding->case_count; i++) append(&all, &finding->cases[i]);
    append(&all, &finding->conclusion);
    if (sorted) sort_curve(&all);
    return all;
}

struct Conclusion {
    Finding *finding;
    Curve *curves; /* handed out */
    int curve_count;
};

Points conclusion_points(Conclusion *conclusion, const char *name) {
    conclusion->curves = list_grow(conclusion->curves, conclusion->curve_count, sizeof *conclusion->curves);
    Curve *curve = &conclusion->curves[conclusion->curve_count++];
    *curve = finding_curve(conclusion->finding, name, true);
    return (Points){curve->count, curve->x, curve->y};
}

Case *conclusion_case(Conclusion *conclusion) {
    return &conclusion->finding->conclusion;
}

/* A conclusion stands for all cases: their steps, their time. */
static void conclude(Finding *finding, bool quick) {
    const Benchmark *benchmark = finding->benchmark;
    if (!benchmark->conclude || (quick && !benchmark->conclude_quick)) return;
    for (int i = 0; i < finding->case_count; i++) {
        finding->conclusion.steps += finding->cases[i].steps;
        finding->conclusion.ratio_sum += finding->cases[i].ratio_sum;
        finding->conclusion.wall_seconds += finding->cases[i].wall_seconds;
    }
    Conclusion conclusion = {.finding = finding};
    benchmark->conclude(&conclusion);
    for (int i = 0; i < conclusion.curve_count; i++) curve_clear(&conclusion.curves[i]);
    free(conclusion.curves);
}

static int count_done(const Finding *finding) {
    int done = 0;
    for (int i = 0; i < finding->case_count; i++) done += atomic_load(&finding->cases[i].state) == CASE_DONE;
    return done;
}

static void list_rows(Run *run, const Finding *finding, const Case *owner) {
    for (int i = 0; i < owner->row_count; i++) {
        run->entries = list_grow(run->entries, run->entry_count, sizeof *run->entries);
        run->entries[run->entry_count++] = (Entry){finding->benchmark, owner, &owner->rows[i]};
    }
}

bool run_all(Run *run, bool (*look)(const Run *run, void *context), void *context) {
    run->started = mn_clock();
    run_cases(run, look, context);
    run->wall_seconds = mn_clock() - run->started;
    for (int f = 0; f < run->finding_count; f++) {
        Finding *finding = &run->findings[f];
        int done = count_done(finding);
        run->done_count += done;
        if (done == finding->case_count) conclude(finding, run->desc.quick);
        for (int i = 0; i < finding->case_count; i++) {
            Case *c = &finding->cases[i];
            if (atomic_load(&c->state) != CASE_DONE) case_cut(c);
            list_rows(run, finding, c);
        }
        list_rows(run, finding, &finding->conclusion);
    }
    return run->done_count == run->case_count;
}

/* ---- how far ----------------------------------------------------------------------------------------------------- */

double case_share(const Case *c) {
    double told = atomic_load(&c->share);
    if (told > 0) return told;
    double elapsed = mn_clock() - atomic_load(&c->started);
    return fmin(elapsed / fmax(c->info->seconds, 1e-3), 0.99);
}

double run_seconds_left(const Run *run) {
    double now = mn_clock(), estimated = 0, taken = 0, left = 0, longest = 0;
    for (int f = 0; f < run->finding_count; f++)
        for (int i = 0; i < run->findings[f].case_count; i++) {
            const Case *c = &run->findings[f].cases[i];
            CaseState state = atomic_load(&c->state);
            double share = state == CASE_RUNNING ? case_share(c) : state == CASE_DONE ? 1 : 0;
            double rest = c->info->seconds * (1 - share);
            estimated += c->info->seconds * share;
            if (state != CASE_WAITING) taken += state == CASE_DONE ? c->wall_seconds : now - atomic_load(&c->started);
            left += rest;
            longest = fmax(longest, rest);
        }
    double pace = estimated > 0 ? taken / estimated : 1;
    return pace * fmax(longest, left / run->desc.threads);
}
