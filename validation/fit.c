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
