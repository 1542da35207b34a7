/* Least squares. */
#ifndef MN_VALIDATION_FIT_H
#define MN_VALIDATION_FIT_H

typedef struct Line {
    double start, slope, misfit; /* y = start + slope·x; sum of squares that is left */
} Line;

Line fit_line(int count, const double *x, const double *y);

/* x of the vertex of the parabola that fits best. */
double fit_vertex(int count, const double *x, const double *y);

#endif
