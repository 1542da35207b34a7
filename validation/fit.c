#include "fit.h"

#include <math.h>
#include <string.h>

void fit_add(Fit *fit, const double *terms, double value) {
    for (int i = 0; i < fit->terms; i++) {
        for (int j = 0; j < fit->terms; j++) fit->normal[i][j] += terms[i] * terms[j];
        fit->right[i] += terms[i] * value;
    }
    fit->squares += value * value;
    fit->samples++;
}

/* Elimination without pivots: the normal equations are symmetric and positive. */
double fit_solve(const Fit *fit, double *coefficients) {
    Fit f = *fit;
    for (int k = 0; k < f.terms; k++)
        for (int i = k + 1; i < f.terms; i++) {
            double share = f.samples < f.terms ? NAN : f.normal[i][k] / f.normal[k][k];
            for (int j = k; j < f.terms; j++) f.normal[i][j] -= share * f.normal[k][j];
            f.right[i] -= share * f.right[k];
        }
    for (int i = f.terms - 1; i >= 0; i--) {
        coefficients[i] = f.right[i];
        for (int j = i + 1; j < f.terms; j++) coefficients[i] -= f.normal[i][j] * coefficients[j];
        coefficients[i] /= f.normal[i][i];
    }
    double misfit = fit->squares;
    for (int i = 0; i < fit->terms; i++) misfit -= coefficients[i] * fit->right[i];
    return misfit;
}

void line_add(Fit *fit, double x, double y) {
    fit->terms = 2;
    fit_add(fit, (double[]){1, x}, y);
}

Line line_solve(const Fit *fit) {
    double coefficients[FIT_TERMS] = {0};
    Fit line = *fit;
    line.terms = 2; /* without a sample nobody has said so */
    double misfit = fit_solve(&line, coefficients);
    return (Line){coefficients[0], coefficients[1], misfit};
}

/* About the first sample, so that nothing is lost where all are far from 0. */
Line fit_line(int count, const double *x, const double *y) {
    Fit fit = {0};
    if (count == 0) return line_solve(&fit);
    for (int i = 0; i < count; i++) line_add(&fit, x[i] - x[0], y[i] - y[0]);
    Line line = line_solve(&fit);
    line.start += y[0] - line.slope * x[0];
    return line;
}
