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

/* The same for a handful of terms, fed one sample at a time. */
enum { FIT_TERMS = 3 };

/* value ≈ Σ coefficient·term. Start from {.terms = n}, n ≤ FIT_TERMS. */
typedef struct Fit {
    int terms, samples;
    double normal[FIT_TERMS][FIT_TERMS], right[FIT_TERMS];
} Fit;

void fit_add(Fit *fit, const double *terms, double value);

/* NaN in all coefficients where the samples do not determine them. */
void fit_solve(const Fit *fit, double *coefficients);

/* A straight line is the fit of the two terms 1 and x. */
void line_add(Fit *fit, double x, double y);
double line_slope(const Fit *fit);

#endif
