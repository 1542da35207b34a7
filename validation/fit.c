#include "fit.h"

#include <math.h>
#include <string.h>

/* About the mean, so that nothing is lost where x varies little. */
Line fit_line(int count, const double *x, const double *y) {
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return (Line){my - mx * xy / xx, xy / xx, yy - xy * xy / xx};
}

Plane fit_plane(int count, const double *x, const double *y, const double *z) {
    double mx = 0, my = 0, mz = 0, xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
        mz += z[i] / count;
    }
    for (int i = 0; i < count; i++) {
        double a = x[i] - mx, b = y[i] - my, c = z[i] - mz;
        xx += a * a;
        xy += a * b;
        yy += b * b;
        xz += a * c;
        yz += b * c;
    }
    double determinant = xx * yy - xy * xy;
    double along_x = (yy * xz - xy * yz) / determinant, along_y = (xx * yz - xy * xz) / determinant;
    return (Plane){mz - along_x * mx - along_y * my, {along_x, along_y}};
}

void fit_add(Fit *fit, const double *terms, double value) {
    for (int i = 0; i < fit->terms; i++) {
        for (int j = 0; j < fit->terms; j++) fit->normal[i][j] += terms[i] * terms[j];
        fit->right[i] += terms[i] * value;
    }
    fit->samples++;
}

/* Elimination without pivots: the normal equations are symmetric and positive. */
void fit_solve(const Fit *fit, double *coefficients) {
    int n = fit->terms;
    double a[FIT_TERMS][FIT_TERMS], b[FIT_TERMS];
    memcpy(a, fit->normal, sizeof a);
    memcpy(b, fit->right, sizeof b);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            double share = fit->samples < n ? NAN : a[i][k] / a[k][k];
            for (int j = k; j < n; j++) a[i][j] -= share * a[k][j];
            b[i] -= share * b[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        coefficients[i] = b[i];
        for (int j = i + 1; j < n; j++) coefficients[i] -= a[i][j] * coefficients[j];
        coefficients[i] /= a[i][i];
    }
}

void line_add(Fit *fit, double x, double y) {
    fit->terms = 2;
    fit_add(fit, (double[]){1, x}, y);
}

double line_slope(const Fit *fit) {
    double coefficients[FIT_TERMS] = {0, NAN};
    fit_solve(fit, coefficients);
    return coefficients[1];
}
