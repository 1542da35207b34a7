/* The law that tension follows: that of measure.h, or one of the two it is compared with. All of them are weights of
 * the same sum over pairs (tension.h), so what differs is here and in the headers included. */
#ifndef MN_KERNELS_MODELS_H
#define MN_KERNELS_MODELS_H

#include "kernels/measure.h"
#include "kernels/pairwise.h"
#include "kernels/robust_csf.h"

/* The weights of fluid particle i; `numbers` are its own, of measure.h. */
MN_BODY mnVec mn_model_fluid_weights_at(int32_t i, mnConstants c, mnAround around, MN_GLOBAL const mnVec *ahead,
                                        mnVec numbers, MN_GLOBAL const int32_t *phase,
                                        MN_GLOBAL const mnVec *boundary_ahead, MN_GLOBAL const int32_t *solid,
                                        MN_GLOBAL const mnFluidConstants *fluids,
                                        MN_GLOBAL const mnPairConstants *pairs) {
    if (c.model == MN_TENSION_PAIRWISE) return mn_pairwise_fluid_weights(fluids[phase[i]], ahead[i].w);
    if (c.model == MN_TENSION_ROBUST_CSF)
        return mn_robust_csf_weights_at(i, c, around, ahead, phase, boundary_ahead, solid, fluids, pairs);
    return mn_measure_fluid_weights(c, fluids[phase[i]], numbers);
}

MN_BODY mnVec mn_model_boundary_weights(mnConstants c, mnSolidConstants solid, mnReal volume, mnVec numbers) {
    if (c.model == MN_TENSION_PAIRWISE) return mn_pairwise_boundary_weights(volume);
    if (c.model == MN_TENSION_ROBUST_CSF) return mn_vec(0, 0, 0, 0);
    return mn_measure_boundary_weights(c, solid, volume, numbers);
}

/* The energy whose gradient the force is, J; 0 where there is none. */
MN_BODY mnReal mn_model_fluid_energy(mnConstants c, mnFluidConstants fluid, mnReal volume, mnVec numbers) {
    if (c.model == MN_TENSION_PAIRWISE) return mn_pairwise_fluid_energy(fluid, volume, numbers);
    return c.model == MN_TENSION_ROBUST_CSF ? 0 : mn_measure_fluid_energy(c, fluid, numbers);
}

MN_BODY mnReal mn_model_boundary_energy(mnConstants c, mnSolidConstants solid, mnReal volume, mnVec numbers) {
    if (c.model == MN_TENSION_PAIRWISE) return mn_pairwise_boundary_energy(volume, numbers);
    return c.model == MN_TENSION_ROBUST_CSF ? 0 : mn_measure_boundary_energy(c, solid, volume, numbers);
}

#endif
