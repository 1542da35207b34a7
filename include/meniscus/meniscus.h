/* meniscus: fluids at the scale where surface tension and friction rule.
 *
 * A simulation is one handle. Describe a scene (meniscus/scene.h), create, step, look, destroy:
 *
 *     mnSim *sim = NULL;
 *     if (mn_sim_create(&scene, &options, &sim, &error) != MN_OK) puts(error.text);
 *     while (mn_sim_time(sim) < 1.0) mn_sim_step(sim, INFINITY, &report, &error);
 *     mn_sim_destroy(sim);
 *
 * Inputs are copied; pointers that are handed out are borrowed until the next step. Calls on one handle must not
 * overlap; different handles are independent. The same input gives the same bits for any number of threads. */
#ifndef MENISCUS_MENISCUS_H
#define MENISCUS_MENISCUS_H

#include <stddef.h>
#include <stdint.h>

#include "meniscus/scene.h"
#include "meniscus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef MN_DOUBLE
typedef double mnReal;
#else
typedef float mnReal;
#endif

/* Four numbers, so that a particle's vector is one aligned load; what w holds is said where the field is described. */
typedef struct mnVec {
    mnReal x, y, z, w;
} mnVec;

const char *mn_version(void);

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef struct mnAllocator {
    void *(*allocate)(void *context, size_t bytes); /* aligned to 64 bytes, or NULL */
    void (*release)(void *context, void *block, size_t bytes);
    void *context;
} mnAllocator;

enum { MN_THREADS_MAX = 1024 };

typedef struct mnOptions {
    int threads;           /* 0: all cores; at most MN_THREADS_MAX */
    size_t memory_limit;   /* bytes; 0: what the machine has */
    mnAllocator allocator; /* zeroed: the C library's */
    const char *backend; /* where particles are: "cpu" or NULL, "opencl", "opencl:DEVICE" (number or part of a name) */
    bool profiled;       /* a device times its kernels, for mn_sim_kernels; costs some time itself */
} mnOptions;

mnOptions mn_default_options(void);

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* A device that OpenCL can run on. Texts are its driver's own, cut where they are long. */
typedef struct mnDeviceInfo {
    char platform[128]; /* who brings the driver: "NVIDIA CUDA" */
    char name[128];
    char driver[64];
    char version[128];                   /* of OpenCL, as the device tells it */
    uint64_t memory, largest_allocation; /* bytes; the latter in one piece */
    int compute_units;
    int clock_mhz;
    bool is_gpu, has_double;
} mnDeviceInfo;

/* Writes up to `capacity` devices and sets `count` to how many there are. There being none is MN_ERROR_DEVICE, or
 * MN_ERROR_FEATURE in a build without OpenCL, with a text that says what to install. */
mnStatus mn_devices(mnDeviceInfo *devices, int capacity, int *count, mnError *error);

/* ---- simulation -------------------------------------------------------------------------------------------------- */

typedef struct mnSim mnSim;

/* Stages of a step, in the order they run. Times of the solver's parts are contained in MN_STAGE_SOLVER. */
typedef enum mnStage {
    MN_STAGE_SCENE,      /* schedules, motions, emitters, sinks */
    MN_STAGE_NEIGHBOURS, /* sort, lists */
    MN_STAGE_VISCOSITY,
    MN_STAGE_DIAGONALS,
    MN_STAGE_SOLVER,
    MN_STAGE_SOLVER_FORCE,      /* F^P, F^N, predicted velocity */
    MN_STAGE_SOLVER_MEASURE,    /* S of fluid and boundary */
    MN_STAGE_SOLVER_GRADIENT,   /* V^err, −∂E/∂x, v^tang and the update */
    MN_STAGE_SOLVER_ACCELERATE, /* NNCG, Anderson */
    MN_STAGE_INTEGRATE,
    MN_STAGE_COUNT
} mnStage;

const char *mn_stage_name(mnStage stage);

typedef struct mnStepReport {
    int64_t step;             /* number of this step, from 1 */
    double time;              /* s, after the step */
    double dt;                /* s */
    double dt_over_capillary; /* Δt/√(ρh³/(2πγ)); 0 without tension */
    int iterations;           /* of all tries together */
    int retries;              /* how often the step was repeated with a smaller Δt */
    int viscosity_iterations;
    bool converged;
    double residual_volume, residual_tension, residual_friction; /* as in mnSolverDesc */
    double max_velocity;                                         /* m/s */
    int64_t emitted, removed;                                    /* fluid particles, in this step */
    double stage_seconds[MN_STAGE_COUNT];
} mnStepReport;

/* The state as arrays of `count` entries in the library's own order; ids are stable. Borrowed until the next step. */
typedef struct mnParticles {
    int64_t count;
    const mnVec *position;  /* m; w: rest volume, m³ */
    const mnVec *velocity;  /* m/s; w: unused */
    const mnReal *pressure; /* Pa */
    const mnVec *measure;   /* interface measures C^FV, C^FF, C^FB; w: unused. Without tension they are found when
                               particles are looked at, which takes about as long as a step, and not any more once an
                               error has ended the simulation */
    const int32_t *phase;   /* index into fluids */
    const int64_t *id;
} mnParticles;

typedef struct mnBoundary {
    int64_t count;
    const mnVec *position; /* m; w: rest volume, m³ */
    const mnVec *velocity;
    const int32_t *solid; /* index into solids */
} mnBoundary;

/* Sums over the whole state. */
typedef struct mnTotals {
    double mass;
    double momentum[3], angular_momentum[3];                 /* kg·m/s; kg·m²/s about the origin */
    double centre[3];                                        /* of mass, m */
    double kinetic_energy, surface_energy, potential_energy; /* J */
    double mean_pressure;                                    /* over all fluid particles, Pa */
    double normal_force;                                     /* of all solids: Σ|F^N| (eq. 14), N */
    double max_compression;                                  /* max of −V^err at the current positions */
} mnTotals;

/* What was found when the scene was sampled. */
typedef struct mnSampling {
    int64_t fluid, boundary; /* particles */
    int64_t overlap_removed; /* fluid particles that lay inside solids or bodies before them */
} mnSampling;

/* What did not come out of emitters so far. */
typedef struct mnHeldBack {
    int64_t waiting; /* drops that are due and wait for a free place */
    int64_t lost;    /* drops and layers of jets that never found one */
} mnHeldBack;

/* How many particles the scene will have at the start and how much memory that takes, before anything is allocated.
 * Refuses what mn_sim_create refuses with default options; where there are too many particles the numbers are given all
 * the same. */
mnStatus mn_sim_estimate(const mnSceneDesc *scene, int64_t *particles, size_t *bytes, mnError *error);

mnStatus mn_sim_create(const mnSceneDesc *scene, const mnOptions *options, mnSim **sim, mnError *error);
void mn_sim_destroy(mnSim *sim);

/* Saves all that decides the bits of what follows, and makes a simulation of it that goes on as if it had never been
 * stopped: on the CPU with the same bits. The file appears whole or not at all, and is on the disk by then. `scene` is
 * what was simulated, or differs from it in numbers of materials, gravity, solver and time alone. Files that are
 * damaged, or of another version or precision, are refused. A simulation that an error has ended cannot be saved;
 * without HDF5 none can (MN_ERROR_FEATURE). */
mnStatus mn_sim_save(mnSim *sim, const char *path, mnError *error);
mnStatus mn_sim_restore(const char *path, const mnSceneDesc *scene, const mnOptions *options, mnSim **sim,
                        mnError *error);

/* One step of at most `max_dt` seconds. Adaptive steps are chosen so that the time up to `max_dt` is shared evenly: ask
 * for what is left to the next moment of interest and steps end there.
 * When the solver fails (MN_ERROR_UNSTABLE) the state is that of the last good step, with the particles that emitters
 * gave after it. Lack of memory, a lost particle or a device that fails ends a simulation: it can be looked at, but not
 * stepped. */
mnStatus mn_sim_step(mnSim *sim, double max_dt, mnStepReport *report, mnError *error);

/* From now on the schedules of `scene` hold instead of those there were; nothing else of it is looked at but the number
 * of its fluids and solids, which must be the same. A simulation whose past these schedules tell rightly goes on like
 * one that had them from the start, to the bit. */
mnStatus mn_sim_set_schedules(mnSim *sim, const mnSceneDesc *scene, mnError *error);

/* Particles that are on a device are brought here when they are looked at. Tells whether that can be done: where a
 * device has failed, particles and boundary are what was seen of them last, and totals are zero. */
mnStatus mn_sim_look(const mnSim *sim, mnError *error);

double mn_sim_time(const mnSim *sim);
mnSampling mn_sim_sampling(const mnSim *sim);
mnHeldBack mn_sim_held_back(const mnSim *sim);
mnParticles mn_sim_particles(const mnSim *sim);
/* Made when it is asked for, since walls far from fluid are kept in few bytes; empty where there is no memory for it.
 * How many there are is told by mn_sim_sampling as well. */
mnBoundary mn_sim_boundary(const mnSim *sim);
mnTotals mn_sim_totals(const mnSim *sim);
size_t mn_sim_memory(const mnSim *sim);        /* bytes held now, on this machine */
size_t mn_sim_device_memory(const mnSim *sim); /* and on a device */

/* What a kernel has taken on a profiled device since the start. */
typedef struct mnKernelTime {
    const char *name;
    int64_t launches;
    double seconds;
} mnKernelTime;

/* Fills up to `capacity` of them; returns how many there are. */
int mn_sim_kernels(const mnSim *sim, mnKernelTime *times, int capacity);
int mn_sim_threads(const mnSim *sim);
const mnSceneDesc *mn_sim_scene(const mnSim *sim); /* the sim's own copy */

#ifdef __cplusplus
}
#endif
#endif
