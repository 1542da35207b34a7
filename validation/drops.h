/* Free drops, and what is read off them. Lengths in metres. Everything goes through the public interface but for
 * drop_release, which puts particles where no scene can put them. */
#ifndef MN_VALIDATION_DROPS_H
#define MN_VALIDATION_DROPS_H

#include "suite.h"

typedef struct Liquid {
    const char *name;
    double density, tension; /* kg/m³, N/m */
} Liquid;

enum { WATER, MERCURY, GLYCEROL, ETHANOL };
extern const Liquid liquids[];

/* A ball (2D: a disc) of validation/drop.json. */
typedef struct Drop {
    int dimension;
    double ratio;            /* R/h */
    double spacing;          /* h */
    int liquid;              /* of liquids */
    double ohnesorge;        /* μ/√(ργR) */
    const char *const *sets; /* further changes of the scene, NULL-terminated, or NULL */
} Drop;

mnSim *drop_open(Case *c, const Drop *drop);

/* By the number of particles: the sphere (circle) of their rest volume. */
double drop_radius(const mnSim *sim);

/* √(ρR³/γ), the time that everything a drop does is measured in. */
double drop_time(const mnSim *sim);

/* Laplace's pressure, 2γ/R in 3D and γ/R in 2D. */
double drop_laplace(const mnSim *sim);

/* Period of the n = 2 mode without viscosity: ω² = 8γ/(ρR³) in 3D (Rayleigh), 6γ/(ρR³) in 2D. */
double drop_period(const mnSim *sim);

/* What pressures a drop has, in Pa: means over a stretch of time. The core is what lies deeper than 4h under the surface;
 * closer to it pressure also holds the attraction of the skin. */
typedef struct DropPressure {
    double core;        /* NAN where there is no core */
    double all;         /* over all particles */
    double spread;      /* standard deviation over mean among the particles of the core, at one instant */
    double slow_spread; /* the same of pressures that were averaged particle by particle over the stretch first */
} DropPressure;

/* Goes on until `time` and measures on the way. False: the case has failed. */
bool drop_pressure(Case *c, mnSim *sim, double time, DropPressure *pressure);

/* A drop's oscillation as a damped cosine, from least squares. */
typedef struct Oscillation {
    double period;    /* s */
    double kept;      /* share of the amplitude that is left after a period */
    double amplitude; /* of the elongation at t = 0 */
} Oscillation;

/* Stretches a settled drop along x by 10 % at constant volume, takes its motion and its viscosity away, lets it go for
 * `duration` and fits. Elongation over t/(law's period) goes into `curve`, NULL: nowhere. False: the case has failed. */
bool drop_oscillate(Case *c, mnSim *sim, double duration, const char *curve, Oscillation *found);

/* The largest speed of a particle, m/s. */
double drop_speed(const mnSim *sim);

#endif
