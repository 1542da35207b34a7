/* A simulation's state in an archive: everything that decides the bits of what follows. mn_sim_save and mn_sim_restore
 * (meniscus/meniscus.h) do the same with a file of its own. */
#ifndef MN_SIM_STATE_H
#define MN_SIM_STATE_H

#include "io/archive.h"

/* Refuses a simulation that an error has ended. */
mnStatus mn_sim_put(mnSim *sim, mnArchive *archive, mnError *error);
mnStatus mn_sim_take(const mnSceneDesc *scene, const mnOptions *options, mnArchive *archive, mnSim **sim,
                     mnError *error);

#endif
