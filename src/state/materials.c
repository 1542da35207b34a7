#include "state/materials.h"

#include "scene/scene.h"
#include "state/rest_areas.h"

bool mn_materials_create(mnMaterials *m, mnMemory *memory, const mnSceneDesc *scene) {
    *m = (mnMaterials){.fluid_count = scene->fluid_count, .solid_count = scene->solid_count};
    size_t fluids = (size_t)scene->fluid_count, solids = (size_t)scene->solid_count;
    m->fluids = mn_memory_take(memory, fluids * sizeof *m->fluids);
    m->solids = mn_memory_take(memory, solids * sizeof *m->solids);
    m->pairs = mn_memory_take(memory, fluids * solids * sizeof *m->pairs);
    return m->fluids && m->solids && m->pairs;
}

void mn_materials_release(mnMaterials *m, mnMemory *memory) {
    size_t fluids = (size_t)m->fluid_count, solids = (size_t)m->solid_count;
    mn_memory_give(memory, m->fluids, fluids * sizeof *m->fluids);
    mn_memory_give(memory, m->solids, solids * sizeof *m->solids);
    mn_memory_give(memory, m->pairs, fluids * solids * sizeof *m->pairs);
    *m = (mnMaterials){0};
}

/* Of the interfaces that can be: none of a fluid that never appears, none between fluids where there is but one. */
static double capillary_step(const mnSceneDesc *scene, const mnSceneNow *now) {
    double h = scene->spacing, least = INFINITY;
    int present = 0;
    for (int f = 0; f < scene->fluid_count; f++) present += mn_scene_has_fluid(scene, f);
    for (int f = 0; f < scene->fluid_count; f++) {
        double tension = fmax(now->fluid_tension_vapor[f], present > 1 ? now->fluid_tension_fluid[f] : 0);
        if (tension > 0 && mn_scene_has_fluid(scene, f))
            least = fmin(least, sqrt(scene->fluids[f].density * h * h * h / (2.0 * 3.14159265358979323846 * tension)));
    }
    return least;
}

/* κ of the comparison models where the scene gives none, over γ/h and γ·h; [0]: 2D, [1]: 3D. Chosen so that the mean
 * pressure of a settled free drop of R/h = 10 is Laplace's, γ/R and 2γ/R: the mean over drops of water of R/h 9.8
 * to 10.2 (2D: 9.5 to 10.5), h = 0.5 mm, default settings but for an Ohnesorge number of 0.1, three periods after the
 * start. */
static const double cohesion_factor[2] = {0.106, 0.219}, squared_gradient_factor[2] = {8.1, 10.4};

static double attraction(const mnSceneDesc *scene, int f, double vapor) {
    const mnFluid *fluid = &scene->fluids[f];
    int d = scene->dimension - 2;
    switch (scene->solver.tension_model) {
    case MN_TENSION_PAIRWISE:
        return isnan(fluid->cohesion) ? cohesion_factor[d] * vapor / scene->spacing : fluid->cohesion;
    case MN_TENSION_ROBUST_CSF:
        return isnan(fluid->squared_gradient) ? squared_gradient_factor[d] * vapor * scene->spacing
                                              : fluid->squared_gradient;
    case MN_TENSION_ENERGY:
        break;
    }
    return 0;
}

static void update_fluids(mnMaterials *m, const mnSceneDesc *scene, const mnSceneNow *now) {
    m->largest_viscosity = 0;
    m->capillary_step = capillary_step(scene, now);
    for (int f = 0; f < m->fluid_count; f++) {
        m->fluids[f] = (mnFluidConstants){.density = (mnReal)scene->fluids[f].density,
                                          .viscosity = (mnReal)now->fluid_viscosity[f],
                                          .gamma_fv = (mnReal)now->fluid_tension_vapor[f],
                                          .gamma_ff = (mnReal)now->fluid_tension_fluid[f],
                                          .gamma_fb = (mnReal)now->fluid_tension_solid[f],
                                          .attraction = (mnReal)attraction(scene, f, now->fluid_tension_vapor[f])};
        m->largest_viscosity = fmax(m->largest_viscosity, now->fluid_viscosity[f]);
    }
}

/* What the fluid's own energy at walls takes off cos θ, N/m. */
static double own_worth(mnWallLaw law, const mnSceneNow *now, int f) {
    double vapor = now->fluid_tension_vapor[f], own = now->fluid_tension_solid[f];
    return vapor > 0 ? vapor * mn_wall_own_worth(law, own / vapor) : own;
}

/* γ^BV of a solid: what its angles need, or what the scene says. */
static double dry_energy(const mnMaterials *m, mnWallLaw law, const mnSceneNow *now, int s) {
    double needed = 0;
    bool has_angle = false;
    for (int f = 0; f < m->fluid_count; f++) {
        double angle = now->contact_angle[s * m->fluid_count + f];
        if (isnan(angle)) continue;
        has_angle = true;
        double attraction = now->fluid_tension_vapor[f] * mn_wall_attraction(law, cos(angle));
        needed = fmax(needed, attraction + own_worth(law, now, f));
    }
    return has_angle ? needed : now->solid_tension_vapor[s];
}

/* γ^BF of a pair: what is left between the dry wall, cos θ and the fluid's own energy. */
static double wet_energy(mnWallLaw law, const mnSceneNow *now, int s, int f, int pair, double dry) {
    double angle = now->contact_angle[pair], vapor = now->fluid_tension_vapor[f], own = now->fluid_tension_solid[f];
    /* Without an angle the difference of the energies that the scene gives is kept. */
    double less = isnan(angle) ? now->solid_tension_vapor[s] - now->solid_tension_fluid[s] - own : vapor * cos(angle);
    if (vapor <= 0) return dry - less - own;
    double worth = (dry - own_worth(law, now, f)) / vapor - mn_wall_attraction(law, less / vapor);
    return vapor * (mn_wall_repulsion(law, worth) + law.offset);
}

static void update_solid(mnMaterials *m, const mnSceneDesc *scene, const mnSceneNow *now, int s) {
    const mnSolverDesc *solver = &scene->solver;
    mnWallLaw law = mn_rest_areas_wall_law(scene->dimension, solver->measure, solver->paper_rest_areas);
    double dry = dry_energy(m, law, now, s), largest = 0, least = 0;
    mnPairConstants *pairs = m->pairs + s * m->fluid_count;
    for (int f = 0; f < m->fluid_count; f++) {
        int pair = s * m->fluid_count + f;
        double wet = wet_energy(law, now, s, f, pair, dry);
        pairs[f] = (mnPairConstants){.friction = (mnReal)now->friction[pair], .wet_weight = (mnReal)wet};
        m->has_friction = m->has_friction || now->friction[pair] > 0;
        largest = fmax(largest, wet);
        least = fmin(least, wet);
    }
    /* Only the difference of dry and wet matters to the fluid; where a wet energy would be negative both are raised. */
    dry -= least;
    largest -= least;
    for (int f = 0; f < m->fluid_count; f++)
        pairs[f].wet_weight = largest > 0 ? (pairs[f].wet_weight - (mnReal)least) / (mnReal)largest : 0;
    m->solids[s] =
        (mnSolidConstants){.gamma_bv = (mnReal)dry, .gamma_bf = (mnReal)largest, .drag = scene->solids[s].slip ? 0 : 1};
}

/* cos θ of a pair for the comparison models, which have no energies of walls: Young's equation, cut to what an angle
 * can be. */
static double wetting(const mnMaterials *m, const mnSceneNow *now, int s, int f) {
    double angle = now->contact_angle[s * m->fluid_count + f], vapor = now->fluid_tension_vapor[f];
    if (!isnan(angle)) return cos(angle);
    double gained = now->solid_tension_vapor[s] - now->solid_tension_fluid[s] - now->fluid_tension_solid[f];
    return vapor > 0 ? fmax(-1, fmin(1, gained / vapor)) : (gained > 0) - (gained < 0);
}

static void update_adhesion(mnMaterials *m, const mnSceneDesc *scene, const mnSceneNow *now, int s) {
    for (int f = 0; f < m->fluid_count; f++) {
        mnPairConstants *pair = &m->pairs[s * m->fluid_count + f];
        double cosine = wetting(m, now, s, f);
        pair->adhesion = (mnReal)(0.5 * (1 + cosine));
        if (scene->solver.tension_model == MN_TENSION_PAIRWISE)
            pair->wet_weight = -m->fluids[f].attraction * (mnReal)cosine;
    }
}

static bool has_tension(const mnMaterials *m) {
    bool has = false;
    for (int f = 0; f < m->fluid_count; f++) {
        const mnFluidConstants *fluid = &m->fluids[f];
        has = has || fluid->gamma_fv > 0 || fluid->gamma_ff > 0 || fluid->gamma_fb > 0 || fluid->attraction > 0;
    }
    for (int s = 0; s < m->solid_count; s++) has = has || m->solids[s].gamma_bv > 0 || m->solids[s].gamma_bf > 0;
    return has;
}

void mn_materials_update(mnMaterials *m, const mnSceneDesc *scene, const mnSceneNow *now) {
    update_fluids(m, scene, now);
    m->has_friction = false;
    for (int s = 0; s < m->solid_count; s++) {
        update_solid(m, scene, now, s);
        if (scene->solver.tension_model != MN_TENSION_ENERGY) update_adhesion(m, scene, now, s);
    }
    m->has_tension = has_tension(m);
}
