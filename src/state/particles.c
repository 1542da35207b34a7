#include "state/particles.h"

#include <string.h>

#include "base/parallel.h"

/* The widest kept field decides the room that sorting needs. A search takes it as three arrays that may be read
 * sixteen entries at a time, also at their ends. */
enum { SPARE = sizeof(mnVec), SPARE_ENTRIES = MN_PLACES_PADDING };

/* Growing is all or nothing: new arrays are taken into a second struct, and only when all are there the old ones go. */
#define TAKE(type, name, kept)                                                                                         \
    next.name = kept || !next.is_copy ? mn_memory_take(memory, (size_t)(capacity + 1) * sizeof(type)) : NULL;          \
    ok = ok && (next.name || (!kept && next.is_copy));
#define COPY(type, name, kept)                                                                                         \
    if (kept && state->name) memcpy(next.name, state->name, (size_t)state->capacity * sizeof(type));
#define GIVE(type, name, kept) mn_memory_give(memory, s->name, (size_t)(s->capacity + 1) * sizeof(type));
#define SHED(type, name, kept)                                                                                         \
    if (!kept) {                                                                                                       \
        mn_memory_give(memory, state->name, (size_t)(state->capacity + 1) * sizeof(type));                             \
        state->name = NULL;                                                                                            \
    }
#define MOVE(type, name, kept)                                                                                         \
    if (kept) {                                                                                                        \
        type *array = state->name, *spare = state->spare;                                                              \
        MN_PARALLEL_FOR(threads)                                                                                       \
        for (int64_t i = 0; i < count; i++) spare[i] = array[order[i]];                                                \
        MN_PARALLEL_FOR(threads)                                                                                       \
        for (int64_t i = 0; i < count; i++) array[i] = spare[i];                                                       \
    }
#define CLEAR(type, name, kept) memset(&state->name[state->count], 0, sizeof(type));
#define SIZE(type, name, kept) +sizeof(type)

#define DEFINE_STATE(State, FIELDS, noun)                                                                              \
    static void give_##noun(State *s, mnMemory *memory) {                                                              \
        FIELDS(GIVE)                                                                                                   \
        mn_memory_give(memory, s->spare, (size_t)(s->capacity + SPARE_ENTRIES) * SPARE);                               \
    }                                                                                                                  \
    bool mn_##noun##_reserve(State *state, mnMemory *memory, int64_t capacity) {                                       \
        if (capacity <= state->capacity) return true;                                                                  \
        State next = *state;                                                                                           \
        bool ok = true;                                                                                                \
        next.capacity = capacity;                                                                                      \
        FIELDS(TAKE)                                                                                                   \
        next.spare = next.is_copy ? NULL : mn_memory_take(memory, (size_t)(capacity + SPARE_ENTRIES) * SPARE);         \
        ok = ok && (next.spare || next.is_copy);                                                                       \
        if (!ok) {                                                                                                     \
            give_##noun(&next, memory);                                                                                \
            return false;                                                                                              \
        }                                                                                                              \
        FIELDS(COPY)                                                                                                   \
        give_##noun(state, memory);                                                                                    \
        *state = next;                                                                                                 \
        return true;                                                                                                   \
    }                                                                                                                  \
    void mn_##noun##_release(State *state, mnMemory *memory) {                                                         \
        give_##noun(state, memory);                                                                                    \
        *state = (State){0};                                                                                           \
    }                                                                                                                  \
    void mn_##noun##_shed(State *state, mnMemory *memory) {                                                            \
        FIELDS(SHED)                                                                                                   \
        mn_memory_give(memory, state->spare, (size_t)(state->capacity + SPARE_ENTRIES) * SPARE);                       \
        state->spare = NULL;                                                                                           \
        state->is_copy = true;                                                                                         \
    }                                                                                                                  \
    void mn_##noun##_reorder(State *state, const int32_t *order, int64_t count, int threads) {                         \
        (void)threads;                                                                                                 \
        FIELDS(MOVE)                                                                                                   \
        state->count = count;                                                                                          \
    }                                                                                                                  \
    static void clear_##noun(State *state){FIELDS(CLEAR)} size_t mn_##noun##_bytes(void) {                             \
        return SPARE FIELDS(SIZE);                                                                                     \
    }

DEFINE_STATE(mnFluidState, MN_FLUID_FIELDS, fluid)
DEFINE_STATE(mnBoundaryState, MN_BOUNDARY_FIELDS, boundary)

void mn_contacts_release(mnContactState *s, mnMemory *memory) {
    MN_CONTACT_FIELDS(GIVE)
    *s = (mnContactState){0};
}

bool mn_contacts_reserve(mnContactState *s, mnMemory *memory, int64_t count) {
    return count <= s->capacity || mn_contacts_take(s, memory, mn_memory_roomy(count));
}

bool mn_contacts_take(mnContactState *s, mnMemory *memory, int64_t capacity) {
    mn_contacts_release(s, memory);
    s->capacity = capacity;
    bool ok = true;
#define TAKE_CONTACTS(type, name, kept)                                                                                \
    s->name = mn_memory_take(memory, (size_t)(s->capacity + 1) * sizeof(type));                                        \
    ok = ok && s->name;
    MN_CONTACT_FIELDS(TAKE_CONTACTS)
    if (!ok) mn_contacts_release(s, memory);
    return ok;
}

/* Its square is still a float. */
static const mnVec NOWHERE = {.x = MN_REAL(1e15)};

void mn_fluid_close(mnFluidState *fluid) {
    if (fluid->capacity == 0) return;
    clear_fluid(fluid);
    int64_t nobody = fluid->count;
    fluid->position[nobody] = fluid->ahead[nobody] = fluid->push[nobody] = fluid->site[nobody] = NOWHERE;
}

void mn_boundary_close(mnBoundaryState *boundary) {
    if (boundary->capacity == 0) return;
    clear_boundary(boundary);
    boundary->position[boundary->count] = boundary->ahead[boundary->count] = NOWHERE;
}
