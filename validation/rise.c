/* Capillary rise in the slot of rise.json and, in 3D, rise3d.json. Its right wall ends at x = 0 and the basin, which is
 * as wide and deep as the last body of water, starts 8h further right; both have their floor at y = 0. */
#include <math.h>

#include "walls.h"

/* In h, as in the scene. */
static const double PLATE_START = -28, BASIN_START = 8;

enum { WINDOW = 8, LONGEST = 60 }; /* readings of the height, four in the time √(H/g) */

/* The viscosity makes drag and inertia equally strong, so that the liquid rises without swinging for long: it goes with
 * ρw²/√(H/g), and H with 1/w. */
static mnSim *open_slot(Case *c, const char *scene, double width, const char *const *sets) {
    const double h = 0.00018;
    const char *all[16] = {
        case_set(c, "solids.plates.shape.children[0].size[0]", h * (-PLATE_START - width)),
        case_set(c, "solids.plates.shape.children[0].translation[0]", 0.5 * h * (PLATE_START - width)),
        case_set(c, "fluids.water.bodies[0].shape.size[0]", h * width),
        case_set(c, "fluids.water.bodies[0].shape.translation[0]", -0.5 * h * width),
        case_set(c, "fluids.water.viscosity", 0.02 * pow(width / 12, 2.5)),
    };
    for (int k = 0; sets && sets[k]; k++) all[5 + k] = sets[k];
    return case_open(c, scene, all);
}

/* The edge of what is counted in the slot is blurred over 4h, or whole rows of particles would come and go. */
static void read_rise(const mnSim *sim, double width, Rise *rise) {
    mnParticles p = mn_sim_particles(sim);
    const mnSceneDesc *scene = mn_sim_scene(sim);
    const mnFluid *water = &scene->fluids[0];
    const double *basin = water->bodies[water->body_count - 1].shape.size;
    double h = scene->spacing, depth = scene->dimension == 3 ? basin[2] : 1, volume = 0, raised = 0;
    for (int64_t i = 0; i < p.count; i++)
        if ((double)p.position[i].x > BASIN_START * h) volume += (double)p.position[i].w;
    rise->basin = volume / (basin[0] * depth);
    for (int64_t i = 0; i < p.count; i++) {
        double above = ((double)p.position[i].y - rise->basin) / h;
        if ((double)p.position[i].x < 0) raised += (double)p.position[i].w * fmin(fmax(0.25 * above + 0.5, 0), 1);
    }
    rise->height = raised / (width * h * depth);
}

bool rise_settle(Case *c, const char *name, double width, const char *const *sets, Rise *rise, mnSim **out) {
    mnSim *sim = *out = open_slot(c, name, width, sets);
    if (!sim) return false;
    const mnSceneDesc *scene = mn_sim_scene(sim);
    const mnFluid *water = &scene->fluids[0];
    double pull = 2 * water->tension_vapor * cos(solid_angle(sim, "plates")), gravity = -scene->gravity[1];
    rise->law = pull / (water->density * gravity * width * scene->spacing);
    double unit = sqrt(rise->law / gravity), heights[WINDOW] = {0};
    for (int k = 0; k < LONGEST; k++) {
        if (!case_run(c, sim, 0.25 * unit * (k + 1))) return false;
        read_rise(sim, width, rise);
        double low = rise->height, high = rise->height;
        heights[k % WINDOW] = rise->height;
        for (int i = 0; i < WINDOW; i++) {
            low = fmin(low, heights[i]);
            high = fmax(high, heights[i]);
        }
        if (high - low < 0.01 * rise->law) break;
        case_progress(c, (double)k / LONGEST);
    }
    rise->height = 0;
    for (int i = 0; i < WINDOW; i++) rise->height += heights[i] / WINDOW;
    return true;
}
