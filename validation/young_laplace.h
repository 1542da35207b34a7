/* The shape of a heavy drop on a flat floor: the axisymmetric Young–Laplace equation.
 *
 * With s the length of arc from the apex, r the distance from the axis, z the depth below the apex and φ the slope,
 *
 *     dr/ds = cos φ,  dz/ds = sin φ,  dφ/ds = 2b + κz − sin φ/r,  κ = ρg/γ
 *
 * b being the curvature at the apex, where sin φ/r = b. The drop ends where φ is the contact angle, and b is what makes
 * its volume the one that is asked for. */
#ifndef MN_VALIDATION_YOUNG_LAPLACE_H
#define MN_VALIDATION_YOUNG_LAPLACE_H

enum { SHAPE_POINTS_MAX = 20000 };

/* Lengths in units of V^(1/3). */
typedef struct DropShape {
    double curvature;    /* b */
    double height, base; /* of the apex above the floor; radius of the wetted disc */
    double centre;       /* height of the centre of mass */
    int count;
    double r[SHAPE_POINTS_MAX], z[SHAPE_POINTS_MAX]; /* the profile from the apex down, z above the floor */
} DropShape;

/* `bond` is ρgV^(2/3)/γ, not negative; `angle` in degrees, above 0 and at most 180. */
void drop_shape(double bond, double angle, DropShape *shape);

/* Mean height of the shape over the floor with the weight exp(−r²/2σ²), in the shape's units. What lies below an
 * overhang does not count: it is volume over area. */
double drop_shape_thickness(const DropShape *shape, double sigma);

#endif
