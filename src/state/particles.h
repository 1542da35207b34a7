/* The arrays of all fluid particles and of all boundary particles, made from the table of fields. */
#ifndef MN_STATE_PARTICLES_H
#define MN_STATE_PARTICLES_H

#include "base/memory.h"
#include "kernels/fields.h"

#define MN_FIELD_POINTER(type, name, kept) type *name;

typedef struct mnContactState {
    int64_t count, capacity;
    MN_CONTACT_FIELDS(MN_FIELD_POINTER)
} mnContactState;

typedef struct mnFluidState {
    int64_t count, capacity;
    bool is_copy; /* of what is elsewhere: fields that are not kept have no arrays */
    MN_FLUID_FIELDS(MN_FIELD_POINTER)
    void *spare; /* room for sorting one field, and for the places of a search (space/neighbours.h) */
} mnFluidState;

typedef struct mnBoundaryState {
    int64_t count, capacity;
    int64_t active_count;
    bool is_copy;
    MN_BOUNDARY_FIELDS(MN_FIELD_POINTER)
    void *spare;
} mnBoundaryState;

enum { MN_PLACES_PADDING = 16 };

/* Make room for `capacity` particles, keeping what there is. False: no memory, state unchanged in meaning. */
bool mn_fluid_reserve(mnFluidState *fluid, mnMemory *memory, int64_t capacity);
bool mn_boundary_reserve(mnBoundaryState *boundary, mnMemory *memory, int64_t capacity);
void mn_fluid_release(mnFluidState *fluid, mnMemory *memory);
void mn_boundary_release(mnBoundaryState *boundary, mnMemory *memory);

/* Makes room for so many contacts; what was in it is gone. False: no memory, and there are none. */
bool mn_contacts_reserve(mnContactState *contacts, mnMemory *memory, int64_t count);
/* The same, and for no more than these. */
bool mn_contacts_take(mnContactState *contacts, mnMemory *memory, int64_t capacity);
void mn_contacts_release(mnContactState *contacts, mnMemory *memory);

/* Gives back all that a copy has no use for: arrays of fields that are not kept, and room for sorting. */
void mn_fluid_shed(mnFluidState *fluid, mnMemory *memory);
void mn_boundary_shed(mnBoundaryState *boundary, mnMemory *memory);

/* Moves kept fields so that the new particle i is the old order[i]; `count` entries of `order` remain. */
void mn_fluid_reorder(mnFluidState *fluid, const int32_t *order, int64_t count, int threads);
void mn_boundary_reorder(mnBoundaryState *boundary, const int32_t *order, int64_t count, int threads);

/* Makes the entry behind the last particle nobody: far away, and zero in all else. To be called when the number of
 * particles has changed, before neighbours are visited. */
void mn_fluid_close(mnFluidState *fluid);
void mn_boundary_close(mnBoundaryState *boundary);

/* Bytes per particle of all fields. */
size_t mn_fluid_bytes(void);
size_t mn_boundary_bytes(void);

#endif
