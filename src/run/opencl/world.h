/* The particles of a simulation on a device: their fields, their neighbours, and the passes over them.
 *
 * The arrays of the host (state/particles.h) are a copy that may be old. They are what a simulation starts from, new
 * particles are put behind them, and what is to be looked at is brought back into them. */
#ifndef MN_RUN_OPENCL_WORLD_H
#define MN_RUN_OPENCL_WORLD_H

#include "kernels/passes.h"
#include "run/opencl/device.h"

/* Opens a device (device.h says what `which` may be), compiles what is needed and takes the particles there. */
mnStatus mn_opencl_move(mnWorld *world, const char *which, bool profiled, mnError *error);

#endif
