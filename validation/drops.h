/* Free drops, and what is read off them. SI units. Everything goes through the public interface but for the stretching
 * in drop_oscillate, which puts particles where no scene can put them. */
#ifndef MN_VALIDATION_DROPS_H
#define MN_VALIDATION_DROPS_H

#include "suite.h"

typedef struct Liquid {
    const char *name;
    double density, tension;
} Liquid;

enum { WATER, MERCURY, GLYCEROL, ETHANOL };
extern const Liquid liquids[];

/* The ball (2D: disc) of validation/drop.json, or the square of validation/block.json, which is kneaded into a disc as
 * it swings to and fro. */
typedef struct Drop {
    int dimension;
    double ratio;            /* R/h */
    double spacing;          /* h */
    int liquid;              /* of liquids */
    double laplace;          /* Laplace number ργD/μ²; 0: as viscous as lets single particles settle soonest */
    const char *const *sets; /* further changes of the scene, at most ten and then NULL; or NULL */
    bool is_kneaded;         /* 2D only: starts as a square */
} Drop;

mnSim *drop_open(Case *c, const Drop *drop, int seed);

/* Small discs differ by their packings, in core pressure by 2 %, so what is told of them is the mean over several
 * seeds. How many: 1 for balls and for discs of R/h > 20. */
int drop_seeds(const Drop *drop);

/* case_check with the case's label behind `what` and D/h as the resolution. */
void drop_check(Case *c, const mnSim *sim, const char *what, Check check);

/* The skin of a drop starts as a lattice, which is not in equilibrium. Within 60 √(ρh³/γ) in 3D a drop is a liquid at
 * rest, whatever its size, since particles only move by a part of a spacing; in 2D they have fewer ways past each other
 * and need 160. Runs so many `times` as long. */
bool drop_relax(Case *c, mnSim *sim, double times);

/* Until nothing changes any more: the skin of a ball goes on filling up for 200 √(ρh³/γ), and a square has to swing
 * out. What has settled so far is a weak solid, which swings faster by one per cent than a liquid. */
bool drop_rest(Case *c, mnSim *sim, const Drop *drop);

/* By the number of particles: the sphere (circle) of their rest volume. */
double drop_radius(const mnSim *sim);

/* √(ρD³/γ) */
double drop_time(const mnSim *sim);

/* Laplace's pressure, 2γ/R in 3D and γ/R in 2D. */
double drop_laplace(const mnSim *sim);

/* Period of the n = 2 mode without viscosity: ω² = 8γ/(ρR³) in 3D [Rayleigh 1879], 6γ/(ρR³) in 2D. */
double drop_period(const mnSim *sim);

/* The largest speed of a particle. */
double drop_speed(const mnSim *sim);

/* Pressures of a drop, Pa, means over 16 √(ρh³/γ) in 3D and 64 in 2D, which
 * are noisier. The core is what lies deeper than 4h under the surface; closer to it
 * pressure also holds the attraction of the skin. */
typedef struct DropPressure {
    double core;        /* NAN where there is no core */
    double all;         /* over all particles */
    double spread;      /* standard deviation over mean among the particles of the core, at one instant */
    double slow_spread; /* the same of pressures that are averaged over time first, each particle's by itself */
} DropPressure;

bool drop_pressure(Case *c, mnSim *sim, DropPressure *pressure);

/* A drop's oscillation as a damped cosine, from least squares. */
typedef struct Oscillation {
    double period; /* s */
    double kept;   /* share of the amplitude that is left after a period */
} Oscillation;

/* Stretches a settled drop along x by 6 % at constant volume, takes its motion and (nearly, in 2D) its viscosity away,
 * lets it go for so many of the law's periods and fits. The elongation, over that at the start, against t over the
 * law's period goes into `curve`; NULL: nowhere. */
bool drop_oscillate(Case *c, mnSim *sim, double periods, const char *curve, Oscillation *found);

#endif
