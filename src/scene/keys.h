/* The table of every key that a scene file can have.
 *
 * One row says whose key it is, its type, unit, range, meaning and the struct field it goes to. The reader (read.h),
 * the JSON Schema (schema.c) and the page docs/scene.md (manual.c) are all driven by it, so a new key is one row in
 * keys_table.c and a field in meniscus/scene.h. Default values are not in the table: they are read out of the
 * mn_default_… structs through the row's offset, so they too are written once. */
#ifndef MN_SCENE_KEYS_H
#define MN_SCENE_KEYS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "meniscus/scene.h"

/* The kinds of JSON object a scene is made of, in the order the page describes them. */
typedef enum mnObject {
    MN_OBJECT_SCENE,
    MN_OBJECT_TIME_STEP,
    MN_OBJECT_FLUID,
    MN_OBJECT_FLUID_TENSION,
    MN_OBJECT_BODY,
    MN_OBJECT_SOLID,
    MN_OBJECT_SOLID_TENSION,
    MN_OBJECT_MOTION_KEY,
    MN_OBJECT_SHAPE,
    MN_OBJECT_ROTATION,
    MN_OBJECT_EMITTER,
    MN_OBJECT_DROP,
    MN_OBJECT_SINK,
    MN_OBJECT_SCHEDULE,
    MN_OBJECT_SCHEDULE_KEY,
    MN_OBJECT_SOLVER,
    MN_OBJECT_VIEW,
    MN_OBJECT_COUNT
} mnObject;

typedef enum mnKeyType {
    MN_KEY_NUMBER,    /* double */
    MN_KEY_INTEGER,   /* int or 64-bit integer, by `size` */
    MN_KEY_BOOLEAN,   /* bool */
    MN_KEY_TEXT,      /* const char *, one line */
    MN_KEY_CHOICE,    /* one of `names`, stored as its index in an enum or a bool */
    MN_KEY_VECTOR2,   /* double[2] */
    MN_KEY_VECTOR3,   /* double[3]; two numbers are enough in 2D */
    MN_KEY_ROTATION,  /* double[4], a unit quaternion; written as one or as axis and angle */
    MN_KEY_OBJECT,    /* an object of kind `child` at `offset` */
    MN_KEY_LIST,      /* a list of `child`: pointer at `offset`, count at `second` */
    MN_KEY_MAP,       /* named `child` objects, likewise; the name is the child's first field */
    MN_KEY_PER_FLUID, /* a number, or numbers by fluid name: array at `offset`, common value at `second` */
    MN_KEY_FLUID,     /* a fluid's name, stored as its index */
    MN_KEY_TARGET,    /* dotted path of a key with a `quantity`: fills an mnSchedule */
    MN_KEY_VALUE,     /* a number or vector of the schedule's target, double[3] */
    MN_KEY_IGNORED    /* allowed, a string, not stored */
} mnKeyType;

/* What a vector or rotation may be in 2D, where everything lives in z = 0. */
typedef enum mnPlanar {
    MN_PLANAR_FREE,
    MN_PLANAR_WITHIN, /* no z component */
    MN_PLANAR_ABOUT   /* a rotation about z: no x and y components */
} mnPlanar;

typedef enum mnOrder { MN_ORDER_NONE, MN_ORDER_RISING, MN_ORDER_NOT_FALLING } mnOrder;

#define MN_NO_FIELD ((size_t)-1)

typedef struct mnKey {
    mnObject object;
    const char *name;
    mnKeyType type;
    size_t offset, size;      /* of the field in the object's struct */
    size_t second;            /* see mnKeyType; MN_NO_FIELD where there is none */
    double lower, upper;      /* allowed values in the file's unit, per component; equal: no range */
    bool above;               /* `lower` itself is not allowed */
    bool required;            /* must be given */
    bool nonzero;             /* a vector that is a direction */
    bool alone;               /* excludes every other key of its object */
    mnPlanar planar;          /* for vectors and rotations */
    mnOrder order;            /* for lists: how the time of the entries (their first field) must run */
    int least, most;          /* entries of lists and maps; most = 0: MN_LIST_MOST */
    unsigned variants;        /* for which values of the object's selector: bit mask, 0: all */
    mnObject child;           /* lists, maps, objects */
    const char *const *names; /* choices; ends with NULL, in the order of the enum */
    int quantity;             /* 1 + mnQuantity where a schedule may drive it, else 0 */
    const char *unit;         /* "" where there is none; degrees are turned into radians */
    const char *fallback;     /* what holds when it is not given, where no plain value says it */
    const char *doc;          /* one sentence */
} mnKey;

#define MN_LIST_MOST 1000000

typedef struct mnObjectInfo {
    const char *name;     /* in the schema, and as an anchor of the page */
    const char *title;    /* of its section */
    const char *doc;      /* one paragraph */
    const char *selector; /* key whose value decides about defaults and keys, or NULL */
    mnObject holder;      /* whose struct its fields are in: itself, or the object that contains it */
    size_t size;          /* of that struct */
} mnObjectInfo;

/* How a rotation is written with axis and angle. */
typedef struct mnAxisAngle {
    double axis[3];
    double angle; /* rad */
} mnAxisAngle;

const mnKey *mn_key_rows(int *count);
const mnObjectInfo *mn_object_info(mnObject object);

/* Sets the struct of an object (or of its holder) to its defaults for one value of the selector. What points up or down
 * by default does so along y in 2D. */
void mn_object_start(mnObject object, int variant, int dimension, void *fields);

/* The number of values the selector of an object has; 1 without selector. */
int mn_object_variants(mnObject object);
const mnKey *mn_object_selector(mnObject object);

/* Whether the row is a key of this object; variant −1: for any value of the selector. */
bool mn_key_belongs(const mnKey *key, mnObject object, int variant);
const mnKey *mn_key_find(mnObject object, int variant, const char *name);

/* The dimension of a scene, 3 where it does not say so properly. */
int mn_json_dimension(const json_t *scene);

/* Factor from the file's unit to the struct's. */
double mn_key_scale(const mnKey *key);

/* The default in the file's unit as a new reference, or NULL where none can be written down: for all scenes, or for
 * those of one dimension, where more can. */
json_t *mn_key_default(const mnKey *key, int variant);
json_t *mn_key_default_in(const mnKey *key, int variant, int dimension);

/* "0.001 to 100000 kg/m³", or "" where there is no range. */
void mn_key_range(const mnKey *key, char *text, size_t size);

/* "a number in kg/m³", "3 numbers in m", "one of sphere, box": what a value of this key is. */
void mn_key_expected(const mnKey *key, char *text, size_t size);

#define MN_NUMBER_TEXT 32
/* The shortest text of a number with up to ten digits, valid as JSON when it is finite. */
const char *mn_number_text(double value, char text[MN_NUMBER_TEXT]);

/* The same as a JSON value, whole numbers without a fraction; NULL where it is not finite. The ten digits cut off the
 * rounding of an angle that came back from radians. */
json_t *mn_number_json(double value);

#endif
