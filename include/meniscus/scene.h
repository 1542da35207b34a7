/* Plain-data descriptions of everything a scene can say.
 *
 * Each struct has an mn_default_… function; start from it, change what you need, and hand the whole to mn_sim_create,
 * which copies what it keeps. The same structs are what a scene file is read into (mn_scene_load), so a key of a scene
 * file and a field here always mean the same thing. SI units throughout: metres, seconds, kilograms, newtons, radians
 * where nothing else is said. In 2D everything lives in the plane z = 0, volumes are areas (m²) and masses are per
 * metre of depth. */
#ifndef MENISCUS_SCENE_H
#define MENISCUS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "meniscus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

typedef enum mnShapeKind {
    MN_SHAPE_SPHERE,   /* radius, about the origin */
    MN_SHAPE_BOX,      /* size[3], centred on the origin */
    MN_SHAPE_CYLINDER, /* radius, height: axis z, centred on the origin */
    MN_SHAPE_CAPSULE,  /* radius, height (of the straight part): axis z, centred */
    MN_SHAPE_CONE,     /* radius (of the base), height: axis z, base at z = 0, tip at z = height */
    MN_SHAPE_PLANE, /* half-space below the plane through the origin with `normal`; `size` bounds the sampled patch */
    MN_SHAPE_TORUS, /* radius (of the ring), tube_radius: axis z, centred */
    MN_SHAPE_MESH,  /* triangle mesh from `path` (OBJ, STL, PLY, glTF) */
    MN_SHAPE_UNION  /* children */
} mnShapeKind;

/* A shape in its own frame, then scaled, rotated and translated in this order. In 2D shapes are cut by z = 0: a sphere
 * is a disc, a box a rectangle. */
typedef struct mnShape {
    mnShapeKind kind;
    double radius, tube_radius, height; /* m */
    double size[3];                     /* m; for a plane size[0] × size[1] is the extent of the sampled patch */
    double normal[3];                   /* plane only; need not have unit length */
    const char *path;                   /* mesh only; relative paths start at the scene's folder */
    const struct mnShape *children;     /* union only */
    int child_count;
    double translation[3]; /* m */
    double rotation[4];    /* unit quaternion x, y, z, w */
    double scale;          /* uniform, > 0 */
    bool hollow;           /* solids: a container, the material lies outside the shape and the fluid inside; fluids: a
                              shell of `thickness` inside the surface */
    double thickness;      /* m; wall thickness of hollow shapes; 0: as thin as the method allows (four layers) */
} mnShape;

mnShape mn_default_shape(mnShapeKind kind);

/* ---- materials --------------------------------------------------------------------------------------------------- */

/* A block of fluid that is there from the start. */
typedef struct mnBody {
    mnShape shape;
    double velocity[3];         /* m/s */
    double angular_velocity[3]; /* rad/s about the shape's translation */
} mnBody;

typedef struct mnFluid {
    const char *name;
    double density;       /* kg/m³ */
    double viscosity;     /* Pa·s, dynamic */
    double tension_vapor; /* γ^FV, N/m */
    double tension_fluid; /* γ^FF, N/m; the interface of two fluids carries the sum of both fluids' values */
    double tension_solid; /* γ^FB, N/m; adds to the solid's own γ^BF */
    /* Strength of the comparison models' attraction; NaN: chosen by γ^FV, see docs/physics.md. */
    double cohesion;         /* Pa, MN_TENSION_PAIRWISE */
    double squared_gradient; /* N, MN_TENSION_ROBUST_CSF */
    const mnBody *bodies;
    int body_count;
} mnFluid;

mnFluid mn_default_fluid(void); /* water */

/* A position and orientation at a time; between keys translation is linear and rotation spherically linear. */
typedef struct mnMotionKey {
    double time; /* s */
    double translation[3];
    double rotation[4]; /* unit quaternion x, y, z, w */
} mnMotionKey;

typedef struct mnSolid {
    const char *name;
    mnShape shape;
    double tension_vapor; /* γ^BV, N/m */
    double tension_fluid; /* γ^BF, N/m */
    /* Contact angle per fluid in radians, or NULL. Where one is given (not NaN) it decides the energies of that pair by
     * Young's equation, eq. 28, and the two energies above are not used. One entry per fluid. */
    const double *contact_angle;
    /* Coulomb friction per fluid; NULL: `friction` for all. One entry per fluid. */
    const double *friction_of;
    double friction;
    bool slip;  /* true: the wall exerts no viscous drag */
    bool glass; /* pictures show it as clear glass; hollow ones always are */
    const mnMotionKey *motion;
    int motion_count;
} mnSolid;

mnSolid mn_default_solid(void);

/* ---- what happens while it runs ---------------------------------------------------------------------------------- */

typedef enum mnEmitterKind {
    MN_EMITTER_ROUND,     /* a round jet: radius, speed along direction */
    MN_EMITTER_RECTANGLE, /* a rectangular jet: size[0] × size[1] across direction */
    MN_EMITTER_RAIN,      /* random drops over an area size[0] × size[1], drop radius, rate in drops per second */
    MN_EMITTER_DROPS      /* a list of timed drops */
} mnEmitterKind;

typedef struct mnTimedDrop {
    double time;
    double position[3];
    double radius;
    double velocity[3];
} mnTimedDrop;

typedef struct mnEmitter {
    mnEmitterKind kind;
    int fluid; /* index into fluids */
    double position[3];
    double direction[3];   /* of the jet or the falling drops; need not have unit length */
    double speed;          /* m/s */
    double radius;         /* m; jet, or mean drop radius of rain */
    double radius_spread;  /* rain: drop radii are uniform in radius·(1 ± spread), 0 … 1 */
    double size[2];        /* m */
    double rate;           /* rain: drops per second */
    double start, stop;    /* s; stop may be infinite */
    int64_t max_particles; /* 0: no limit */
    const mnTimedDrop *drops;
    int drop_count;
} mnEmitter;

mnEmitter mn_default_emitter(mnEmitterKind kind);

/* Particles inside the box are removed. */
typedef struct mnSink {
    double lower[3], upper[3];
    double start, stop; /* s */
} mnSink;

mnSink mn_default_sink(void);

typedef enum mnQuantity {
    MN_QUANTITY_GRAVITY,             /* three values */
    MN_QUANTITY_FLUID_VISCOSITY,     /* Pa·s */
    MN_QUANTITY_FLUID_TENSION_VAPOR, /* N/m, likewise the next four */
    MN_QUANTITY_FLUID_TENSION_FLUID,
    MN_QUANTITY_FLUID_TENSION_SOLID,
    MN_QUANTITY_SOLID_TENSION_VAPOR,
    MN_QUANTITY_SOLID_TENSION_FLUID,
    MN_QUANTITY_SOLID_FRICTION,     /* of the pair (index, other), other = −1: all fluids */
    MN_QUANTITY_SOLID_CONTACT_ANGLE /* rad, of the pair (index, other), other = −1: all fluids */
} mnQuantity;

typedef struct mnScheduleKey {
    double time;
    double value[3];
} mnScheduleKey;

/* Keyframes of one quantity: linear between keys, constant before the first and after the last. */
typedef struct mnSchedule {
    mnQuantity quantity;
    int index; /* which fluid or solid */
    int other; /* which fluid of a pair; −1: all */
    const mnScheduleKey *keys;
    int key_count;
} mnSchedule;

/* ---- how it is solved -------------------------------------------------------------------------------------------- */

typedef enum mnSolverKind { MN_SOLVER_JACOBI, MN_SOLVER_NNCG, MN_SOLVER_ANDERSON } mnSolverKind;

typedef enum mnCoupling {
    MN_COUPLING_UNIFIED,
    MN_COUPLING_PRESSURE_THEN_TENSION,
    MN_COUPLING_TENSION_THEN_PRESSURE
} mnCoupling;

typedef enum mnMeasure {
    MN_MEASURE_NORMALISED,    /* C = c − n^ST/√n^P: the default */
    MN_MEASURE_NUMBER_DENSITY /* C = 1 − n^ST: the paper's, eq. 8 */
} mnMeasure;

typedef enum mnTensionModel {
    MN_TENSION_ENERGY,    /* the paper's surface energy */
    MN_TENSION_PAIRWISE,  /* Tartakovsky & Meakin 2005, Becker & Teschner 2007: for comparison */
    MN_TENSION_ROBUST_CSF /* He et al. 2015: for comparison */
} mnTensionModel;

typedef enum mnPreset {
    MN_PRESET_DEFAULT, /* γ means newtons per metre */
    MN_PRESET_PAPER    /* rest areas, start, relaxation and tolerance of the paper */
} mnPreset;

typedef struct mnSolverDesc {
    mnPreset preset;
    mnSolverKind kind;
    mnCoupling coupling;
    mnTensionModel tension_model;
    mnMeasure measure;
    double volume_tolerance; /* mean compression, 0.001 is 0.1 % */
    double force_tolerance;  /* mean |r|·Δt²/(m·h), dimensionless */
    double volume_recovery;  /* share of a compression that one step undoes, 0 … 1; the paper: 1 */
    int min_iterations, max_iterations;
    double relaxation_pressure; /* ω of eq. 18a, 18c */
    double relaxation_tension;  /* ω of eq. 18b */
    bool warm_start;
    double warm_start_pressure; /* w: factor on the last pressure, 0 … 1; w^(1/r²) in steps of r > 1 capillary limits */
    int anderson_depth;
    bool paper_rest_areas; /* A⁰ = π/4·h² (h/2 in 2D) for every interface */
} mnSolverDesc;

mnSolverDesc mn_default_solver(mnPreset preset);

typedef struct mnTimeDesc {
    bool adaptive;
    double step;             /* s; the fixed step */
    double min_step;         /* s; a run that does not converge even here is unstable */
    double max_step;         /* s; infinite allowed */
    double cfl_velocity;     /* Δt ≤ cfl·h/|v| */
    double cfl_acceleration; /* Δt ≤ cfl·√(h/|a|) */
    double capillary_ratio;  /* Δt ≤ ratio·√(ρh³/(2πγ)), the explicit capillary limit */
} mnTimeDesc;

mnTimeDesc mn_default_time(void);

/* ---- how it is shown --------------------------------------------------------------------------------------------- */

typedef enum mnLook {
    MN_LOOK_AUTO, /* water, and in 2D the speed */
    MN_LOOK_WATER,
    MN_LOOK_CLAY,
    MN_LOOK_SPEED, /* particles coloured by a field, this one and all that follow */
    MN_LOOK_PRESSURE,
    MN_LOOK_MEASURE, /* C^FV: 0 inside the fluid */
    MN_LOOK_PHASE,
    MN_LOOK_ID,
    MN_LOOK_HEIGHT /* against gravity, from the origin */
} mnLook;

/* The camera and the look of pictures (meniscus render). NaN: found from what there is to see. */
typedef struct mnView {
    double from[3], to[3]; /* m; where the camera is and what is in the middle of its picture */
    double up[3];          /* of any length */
    double fov;            /* rad, from the lower to the upper side of the picture */
    double aperture;       /* m, diameter of the lens; 0: all is sharp */
    double focus;          /* m, distance at which things are sharp */
    mnLook look;
} mnView;

mnView mn_default_view(void);

/* ---- the whole --------------------------------------------------------------------------------------------------- */

typedef struct mnSceneDesc {
    uint32_t cookie; /* set by mn_default_scene; catches descriptions that were not started from it */
    const char *name;
    const char *title;  /* one line about the scene */
    const char *folder; /* where relative mesh paths start */
    int dimension;      /* 2 or 3 */
    double spacing;     /* h, m */
    double gravity[3];  /* m/s² */
    double duration;    /* s */
    double frames_per_second;
    uint64_t seed;
    int64_t max_particles; /* fluid and boundary together; 0: as many as memory holds */
    mnTimeDesc time;
    mnSolverDesc solver;
    const mnFluid *fluids;
    int fluid_count;
    const mnSolid *solids;
    int solid_count;
    const mnEmitter *emitters;
    int emitter_count;
    const mnSink *sinks;
    int sink_count;
    const mnSchedule *schedules;
    int schedule_count;
    mnView view;
} mnSceneDesc;

mnSceneDesc mn_default_scene(void);

/* ---- scene files ------------------------------------------------------------------------------------------------- */

/* A scene that was read from a file or a text; owns every array and string its description points to. */
typedef struct mnScene mnScene;

/* Reads and checks a scene file. `sets` are "path=value" changes that are applied before checking. Every problem found
 * is added to `report`; the call fails if one of them is an error. */
mnStatus mn_scene_load(const char *path, const char *const *sets, int set_count, mnScene **scene, mnReport *report);
/* The same for a text in memory, which need not end with a zero byte. `name` is what the scene is called, in problems
 * too; relative paths of meshes start at `folder`, or where the program runs if it is NULL. */
mnStatus mn_scene_parse(const char *text, size_t length, const char *name, const char *folder, const char *const *sets,
                        int set_count, mnScene **scene, mnReport *report);
const mnSceneDesc *mn_scene_desc(const mnScene *scene);
/* The scene as JSON text, with the changes made and with paths of meshes that hold from anywhere. Lives as long as the
 * scene. */
const char *mn_scene_text(const mnScene *scene);
void mn_scene_destroy(mnScene *scene);

/* The JSON Schema of a scene file, and the page docs/scene.md, both made from the table the reader uses. The text is
 * owned by the caller (free). */
char *mn_scene_schema(void);
char *mn_scene_manual(void);

#ifdef __cplusplus
}
#endif
#endif
