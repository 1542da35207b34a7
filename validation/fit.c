#include "fit.h"

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

/* y = a + b(x − m) + c(x − m)² with m the mean of x, so Σ(x − m) = 0; the vertex is at m − b/2c. */
double fit_vertex(int count, const double *x, const double *y) {
    double n = count, m = 0, s2 = 0, s3 = 0, s4 = 0, y0 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < count; i++) m += x[i] / n;
    for (int i = 0; i < count; i++) {
        double d = x[i] - m;
        s2 += d * d;
        s3 += d * d * d;
        s4 += d * d * d * d;
        y0 += y[i];
        y1 += y[i] * d;
        y2 += y[i] * d * d;
    }
    /* Without a: (s4 − s2²/n) c + s3 b = y2 − s2 y0/n and s3 c + s2 b = y1. */
    double p = s4 - s2 * s2 / n, q = y2 - s2 * y0 / n, determinant = p * s2 - s3 * s3;
    double b = (p * y1 - s3 * q) / determinant, c = (q * s2 - s3 * y1) / determinant;
    return m - 0.5 * b / c;
}
