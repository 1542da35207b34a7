/* Materials as the kernels want them, from the scene's values of the moment. */
#ifndef MN_STATE_MATERIALS_H
#define MN_STATE_MATERIALS_H

#include "base/memory.h"
#include "kernels/constants.h"
#include "scene/schedule.h"

typedef struct mnMaterials {
    int fluid_count, solid_count;
    mnFluidConstants *fluids;
    mnSolidConstants *solids;
    mnPairConstants *pairs;
    double largest_viscosity; /* Pa·s */
    double capillary_step; /* √(ρh³/(2πγ)), the smallest of the fluids there are; infinite without tension, s */
    bool has_friction, has_tension;
} mnMaterials;

bool mn_materials_create(mnMaterials *materials, mnMemory *memory, const mnSceneDesc *scene);
void mn_materials_release(mnMaterials *materials, mnMemory *memory);

/* Turns contact angles into energies by Young's equation (eq. 28, with γ^FB on the fluid's side):
 *     cos θ = (γ^BV − γ^BF − γ^FB)/γ^FV
 * A solid's γ^BV is the largest that one of its angles needs (or what the scene gives where no angle is), and γ^BF of
 * each pair follows; a fluid without an angle keeps γ^BV − γ^BF as the scene gives it. The comparison models get their
 * strength from γ^FV, or as the scene gives it, and cos θ from the same equation. */
void mn_materials_update(mnMaterials *materials, const mnSceneDesc *scene, const mnSceneNow *now);

#endif
