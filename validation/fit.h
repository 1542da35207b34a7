/* Least squares. */
#ifndef MN_VALIDATION_FIT_H
#define MN_VALIDATION_FIT_H

enum { FIT_TERMS = 3 };

/* value ≈ Σ coefficient·term, fed one sample at a time. Start from {.terms = n}, n ≤ FIT_TERMS. */
typedef struct Fit {
    int terms, samples;
    double normal[FIT_TERMS][FIT_TERMS], right[FIT_TERMS], squares;
} Fit;

void fit_add(Fit *fit, const double *terms, double value);

/* NaN in all coefficients where the samples do not determine them. Returns the sum of squares that is left. */
double fit_solve(const Fit *fit, double *coefficients);

/* A straight line is the fit of the two terms 1 and x. */
typedef struct Line {
    double start, slope, misfit; /* y = start + slope·x; sum of squares that is left */
} Line;

void line_add(Fit *fit, double x, double y);
Line line_solve(const Fit *fit);
Line fit_line(int count, const double *x, const double *y);

#endif
