/* Least squares. */
#ifndef MN_VALIDATION_FIT_H
#define MN_VALIDATION_FIT_H

typedef struct Line {
    double start, slope, misfit; /* y = start + slope·x; sum of squares that is left */
} Line;

Line fit_line(int count, const double *x, const double *y);

typedef struct Plane {
    double start, slope[2]; /* z = start + slope[0]·x + slope[1]·y */
} Plane;

Plane fit_plane(int count, const double *x, const double *y, const double *z);

#endif
