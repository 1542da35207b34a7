/* An allocator that fails when a test of the program says so, put before the C library's by LD_PRELOAD. Call number
 * $MN_FAULT_AT fails, with $MN_FAULT_STAYS all after it as well; $MN_FAULT_COUNT names the file that has the number of
 * calls at the end.
 *
 * Calls count from the first one that the program itself makes, since libraries that allocate as they are loaded die of
 * a failure before the program has begun. Who calls is the innermost function outside the libraries of C and C++. Some
 * never fail, because they end the process when they do and nobody above them can change that: libgomp and the loader,
 * which makes room for its threads; HDF5, which uses what it did not get; Embree with the threads of TBB, which
 * throws; jansson while it reads, which has an assert. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

typedef struct Range {
    uintptr_t from, to;
} Range;

enum { RANGES_MAX = 8 };
typedef struct Ranges {
    Range at[RANGES_MAX];
    int count;
} Ranges;

static struct {
    bool is_ready, has_begun, stays;
    long at, calls;
    Ranges program, between, json, spared;
} faulty;
static _Thread_local bool is_looking; /* unwinding allocates, too */

static const char *const between[] = {"faulty_memory", "libc.so", "libstdc++", "libgcc_s", NULL};
static const char *const spared[] = {"libgomp", "libomp", "ld-linux", "libhdf5", "libembree", "libtbb", NULL};

static bool is_one_of(const char *const *names, const char *path) {
    while (*names && !strstr(path, *names)) names++;
    return *names != NULL;
}

static void add(Ranges *ranges, Range range) {
    if (ranges->count < RANGES_MAX) ranges->at[ranges->count++] = range;
}

/* The first of all objects is the program. */
static int look_at(struct dl_phdr_info *object, size_t bytes, void *unused) {
    (void)bytes;
    (void)unused;
    Range range = {UINTPTR_MAX, 0};
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr, to = from + object->dlpi_phdr[i].p_memsz;
        if (from < range.from) range.from = from;
        if (to > range.to) range.to = to;
    }
    if (faulty.program.count == 0)
        add(&faulty.program, range);
    else if (is_one_of(between, object->dlpi_name))
        add(&faulty.between, range);
    else if (strstr(object->dlpi_name, "libjansson"))
        add(&faulty.json, range);
    else if (is_one_of(spared, object->dlpi_name))
        add(&faulty.spared, range);
    return 0;
}

static bool is_in(const Ranges *ranges, uintptr_t place) {
    for (int i = 0; i < ranges->count; i++)
        if (place >= ranges->at[i].from && place < ranges->at[i].to) return true;
    return false;
}

typedef struct Caller {
    uintptr_t place;
    bool reads_json;
} Caller;

static _Unwind_Reason_Code look_up(struct _Unwind_Context *frame, void *found) {
    Caller *caller = found;
    uintptr_t place = _Unwind_GetIP(frame);
    Dl_info symbol;
    if (is_in(&faulty.between, place)) return _URC_NO_REASON;
    if (!caller->place) caller->place = place;
    if (!is_in(&faulty.json, place)) return _URC_NORMAL_STOP;
    if (dladdr((void *)place, &symbol) && symbol.dli_sname && strncmp(symbol.dli_sname, "json_load", 9) == 0)
        caller->reads_json = true;
    return _URC_NO_REASON;
}

static Caller find_caller(void) {
    Caller found = {0};
    is_looking = true;
    _Unwind_Backtrace(look_up, &found);
    is_looking = false;
    return found;
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("MN_FAULT_AT");
    faulty.at = at ? atol(at) : 0;
    faulty.stays = getenv("MN_FAULT_STAYS");
    unsetenv("LD_PRELOAD"); /* ffmpeg shall have its memory */
    dl_iterate_phdr(look_at, NULL);
    faulty.is_ready = true;
}

__attribute__((destructor)) static void end(void) {
    faulty.is_ready = false;
    const char *path = getenv("MN_FAULT_COUNT");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0) return;
    dprintf(file, "%ld\n", faulty.calls);
    close(file);
}

static bool fails(void) {
    if (!faulty.is_ready || is_looking) return false;
    Caller caller = find_caller();
    if (is_in(&faulty.program, caller.place)) faulty.has_begun = true;
    if (!faulty.has_begun || caller.reads_json || is_in(&faulty.spared, caller.place)) return false;
    faulty.calls++;
    bool is_hit = faulty.at > 0 && (faulty.calls == faulty.at || (faulty.stays && faulty.calls > faulty.at));
    if (is_hit) errno = ENOMEM;
    return is_hit;
}

void *malloc(size_t bytes) {
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes) {
    return fails() ? NULL : __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
    void *found = fails() ? NULL : __libc_memalign(alignment, bytes);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}
