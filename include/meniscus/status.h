/* What a call can answer.
 *
 * Environment and input trouble comes back as a status with a text that says what, where and what to do about it.
 * The library never prints and never exits. */
#ifndef MENISCUS_STATUS_H
#define MENISCUS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mnStatus {
    MN_OK = 0,
    MN_ERROR_INPUT,    /* a scene, mesh or argument that cannot be used */
    MN_ERROR_FILE,     /* a file or folder that cannot be read or written, or a full disk */
    MN_ERROR_MEMORY,   /* more memory than there is, or than is allowed */
    MN_ERROR_UNSTABLE, /* the run diverged and a smaller time step did not help */
    MN_ERROR_FEATURE,  /* this build lacks what was asked for */
    MN_ERROR_DEVICE    /* a device to run on that is not there, refuses its work or is lost */
} mnStatus;

/* A status with its text, filled by every call that can fail. */
typedef struct mnError {
    mnStatus status;
    char text[1024];
} mnError;

/* One thing found wrong (or doubtful) in an input. Line and column count from 1; 0 means unknown. */
typedef struct mnProblem {
    int is_warning;
    int line, column;
    char *file; /* borrowed from the report */
    char *key;  /* dotted path of the key, such as fluids.water.density; may be empty */
    char *text; /* what was found, what is allowed, the nearest known name */
} mnProblem;

/* Every problem of an input in one go. Owned by the caller: start from a zeroed struct, end with mn_report_clear. */
typedef struct mnReport {
    mnProblem *problems;
    int count, capacity;
    int errors, warnings;
} mnReport;

void mn_report_clear(mnReport *report);

/* Fills `error` (which may be NULL) with a printf-style text and returns `status`. */
mnStatus mn_error_set(mnError *error, mnStatus status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
