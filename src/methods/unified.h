/* Unified pressure, surface tension and friction [Probst & Teschner 2024]: one step, as its algorithm boxes tell it. */
#ifndef MN_METHODS_UNIFIED_H
#define MN_METHODS_UNIFIED_H

#include "solve/fixed_point.h"
#include "solve/viscosity.h"

typedef struct mnUnified {
    mnSolverDesc solver;
    mnAccelerator accelerator;
} mnUnified;

void mn_unified_create(mnUnified *method, const mnSolverDesc *solver);
void mn_unified_release(mnUnified *method, mnMemory *memory, mnWorld *world);
bool mn_unified_reserve(mnUnified *method, mnMemory *memory, mnWorld *world);
/* Bytes per fluid particle beyond its fields. */
size_t mn_unified_bytes(const mnSolverDesc *solver);

/* From positions with fresh neighbour lists and velocities at t to `predicted`, the velocities at t + Δt. Nothing that
 * outlives the step is changed but the unknowns themselves, so a step can be tried again with another Δt: is_retry
 * starts them from zero. Fills iterations, convergence, residuals and times of the report. */
void mn_unified_step(mnUnified *method, mnWorld *world, bool has_viscosity, bool is_retry, mnStepReport *report);

#endif
