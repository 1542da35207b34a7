/* The inside of particles on a device, for the files that work on it. */
#ifndef MN_RUN_OPENCL_WORLD_INSIDE_H
#define MN_RUN_OPENCL_WORLD_INSIDE_H

#include "run/backend.h"
#include "run/opencl/primitives.h"
#include "run/opencl/world.h"

#define MN_FIELD_INDEX(type, name, kept) MN_FLUID_##name,
enum { MN_FLUID_FIELDS(MN_FIELD_INDEX) MN_FLUID_FIELD_COUNT };
#undef MN_FIELD_INDEX
#define MN_FIELD_INDEX(type, name, kept) MN_BOUNDARY_##name,
enum { MN_BOUNDARY_FIELDS(MN_FIELD_INDEX) MN_BOUNDARY_FIELD_COUNT };
#undef MN_FIELD_INDEX
#define MN_FIELD_INDEX(type, name, kept) MN_CONTACT_##name,
enum { MN_CONTACT_FIELDS(MN_FIELD_INDEX) MN_CONTACT_FIELD_COUNT };
#undef MN_FIELD_INDEX

typedef struct mnField {
    const char *name;
    size_t bytes; /* of an entry */
    bool is_kept;
} mnField;

extern const mnField mn_fluid_fields[MN_FLUID_FIELD_COUNT], mn_boundary_fields[MN_BOUNDARY_FIELD_COUNT],
    mn_contact_fields[MN_CONTACT_FIELD_COUNT];

/* A kind of particle, sorted by cells. */
typedef struct mnCrowd {
    const mnField *fields;
    int field_count;
    mnBuffer *buffers; /* of the fields */
    int64_t count, capacity;
    int64_t seen;         /* particles in the host's arrays, as they were last looked at */
    const mnBuffer *keys; /* of the cells, sorted */
    double cell;          /* m, their edge */
    /* Fields that a step makes anew, in whose place particles are sorted and then flagged. */
    const mnBuffer *spare_keys, *spare_order[2], *spare_field;
    int32_t low[3], high[3]; /* cells */
    bool is_sorted;
} mnCrowd;

typedef struct mnDeviceWorld {
    mnDevice *device;
    mnPrimitives primitives;
    mnProgram passes_program, search_program;
    mnKernel *passes[MN_PASS_COUNT];
    bool has_arguments[MN_PASS_COUNT]; /* those that are buffers; false: to be set again */
    mnBuffer fluid[MN_FLUID_FIELD_COUNT], boundary[MN_BOUNDARY_FIELD_COUNT], contacts[MN_CONTACT_FIELD_COUNT];
    mnCrowd fluids_crowd, walls_crowd;
    mnBuffer wall_keys; /* of cells, which last while walls rest; the fluid's lie where a step makes fields anew */
    mnBuffer fluids, solids, pairs;
    mnBuffer near_list, far_list, history;
    mnBuffer rows, results; /* of sums */
    mnBuffer totals;        /* of the search, as are those of rooms: how much of the lists blocks of particles take */
    mnBuffer fluid_near_rooms, fluid_far_rooms, wall_near_rooms, wall_far_rooms;
    size_t local;
    bool host_is_old;
    mnStatus refused; /* memory, and with which words */
    mnError refusal;
} mnDeviceWorld;

/* Compiles what is needed for an open device, which then belongs to the world that is made; on failure it is closed. */
mnStatus mn_device_world_create(mnDevice *device, mnDeviceWorld **out, mnError *error);
void mn_device_world_destroy(mnDeviceWorld *on);

/* A buffer of at least so many bytes; what was in it is gone. Passes will set their arguments again. False: no memory,
 * as the device's world then tells. */
bool mn_device_world_room(mnDeviceWorld *on, mnBuffer *buffer, const char *name, size_t bytes);

/* Rows of values that the groups of a kernel over `items` have left become values for the host. */
void mn_device_world_totals(mnDeviceWorld *on, int64_t items, int sums, int maxima, double *values);

/* Verbs of mn_opencl_backend, in search.c. A search sorts particles, drops the dead and lists all neighbours; it sets
 * the counts of fluid, of contacts and of walls near fluid in the world. */
mnSearchResult mn_opencl_search(mnWorld *world, mnMemory *memory, int64_t removed, double reach, double skin);
void mn_opencl_walls_moved(mnWorld *world);
bool mn_opencl_walls_own(mnWorld *world, mnMemory *memory, bool all);

#endif
