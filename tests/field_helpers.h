/* Fields of the fluid that only a step knows, wherever the particles are: the arrays of this machine hold no more than
 * what is kept of a fluid that is on a device. */
#ifndef MN_TEST_FIELD_HELPERS_H
#define MN_TEST_FIELD_HELPERS_H

#include "sim_helpers.h"

#ifdef MN_TEST_OPENCL
#include "run/opencl/world_inside.h"

static inline bool device_read(const mnSim *sim, int field, size_t bytes, void *to) {
    const mnDeviceWorld *on = sim->world.device;
    if (on) mn_buffer_read(on->device, &on->fluid[field], 0, bytes, to);
    return on != NULL;
}

static inline bool device_read_contacts(const mnSim *sim, int field, size_t bytes, void *to) {
    const mnDeviceWorld *on = sim->world.device;
    if (on) mn_buffer_read(on->device, &on->contacts[field], 0, bytes, to);
    return on != NULL;
}

static inline bool device_write(mnSim *sim, int field, size_t bytes, const void *from) {
    mnDeviceWorld *on = sim->world.device;
    if (!on) return false;
    mn_buffer_write(on->device, &on->fluid[field], 0, bytes, from);
    on->host_is_old = true;
    return true;
}
#else
#define device_read(sim, field, bytes, to) false
#define device_read_contacts(sim, field, bytes, to) false
#define device_write(sim, field, bytes, from) false
#endif

#define FIELD_BYTES(sim, name) ((size_t)(sim)->world.fluid.count * sizeof *(sim)->world.fluid.name)

/* `to` has an entry for each fluid particle, in the order of mn_sim_particles. */
#define FIELD_READ(sim, name, to)                                                                                      \
    do {                                                                                                               \
        if (!device_read(sim, MN_FLUID_##name, FIELD_BYTES(sim, name), to))                                            \
            memcpy(to, (sim)->world.fluid.name, FIELD_BYTES(sim, name));                                               \
    } while (0)

/* `to` has an entry for each contact. */
#define CONTACT_READ(sim, name, to)                                                                                    \
    do {                                                                                                               \
        const mnContactState *contacts = &(sim)->world.neighbours.contacts;                                            \
        size_t bytes = (size_t)contacts->count * sizeof *contacts->name;                                               \
        if (!device_read_contacts(sim, MN_CONTACT_##name, bytes, to)) memcpy(to, contacts->name, bytes);               \
    } while (0)

#define FIELD_WRITE(sim, name, from)                                                                                   \
    do {                                                                                                               \
        if (!device_write(sim, MN_FLUID_##name, FIELD_BYTES(sim, name), from))                                         \
            memcpy((sim)->world.fluid.name, from, FIELD_BYTES(sim, name));                                             \
    } while (0)

#endif
