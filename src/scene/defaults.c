/* The default values of every description: the only place where they are written. The page and the schema read them
 * from here. */
#include "scene/defaults.h"

#include <math.h>

#include "meniscus/scene.h"

mnShape mn_default_shape(mnShapeKind kind) {
    return (mnShape){.kind = kind,
                     .radius = 0.001,
                     .tube_radius = 0.00025,
                     .height = 0.001,
                     .size = {0.001, 0.001, 0.001},
                     .normal = {0, 0, 1},
                     .rotation = {0, 0, 0, 1},
                     .scale = 1};
}

mnFluid mn_default_fluid(void) {
    return (mnFluid){.name = "water",
                     .density = 1000,
                     .viscosity = 0.001,
                     .tension_vapor = 0.072,
                     .cohesion = NAN,
                     .squared_gradient = NAN};
}

mnSolid mn_default_solid(void) {
    return (mnSolid){.name = "solid", .shape = mn_default_shape(MN_SHAPE_BOX)};
}

mnEmitter mn_default_emitter(mnEmitterKind kind) {
    return (mnEmitter){.kind = kind,
                       .direction = {0, 0, -1},
                       .speed = 1,
                       .radius = 0.001,
                       .size = {0.01, 0.01},
                       .rate = 100,
                       .stop = INFINITY};
}

mnSink mn_default_sink(void) {
    return (mnSink){.stop = INFINITY};
}

mnSolverDesc mn_default_solver(mnPreset preset) {
    if (preset == MN_PRESET_PAPER) {
        return (mnSolverDesc){.preset = preset,
                              .kind = MN_SOLVER_JACOBI,
                              .coupling = MN_COUPLING_UNIFIED,
                              .tension_model = MN_TENSION_ENERGY,
                              .measure = MN_MEASURE_NUMBER_DENSITY,
                              .volume_tolerance = 1e-3,
                              .force_tolerance = 1e-4,
                              .volume_recovery = 1,
                              .min_iterations = 2,
                              .max_iterations = 1000,
                              .relaxation_pressure = 0.5,
                              .relaxation_tension = 0.5,
                              .warm_start = false,
                              .warm_start_pressure = 0.9,
                              .anderson_depth = 6,
                              .paper_rest_areas = true};
    }
    return (mnSolverDesc){.preset = preset,
                          .kind = MN_SOLVER_ANDERSON,
                          .coupling = MN_COUPLING_UNIFIED,
                          .tension_model = MN_TENSION_ENERGY,
                          .measure = MN_MEASURE_NORMALISED,
                          .volume_tolerance = 1e-4,
                          .force_tolerance = 1e-5,
                          .volume_recovery = 0.3,
                          .min_iterations = 2,
                          .max_iterations = 200,
                          .relaxation_pressure = 0.5,
                          .relaxation_tension = 0.8,
                          .warm_start = true,
                          .warm_start_pressure = 0.9,
                          .anderson_depth = 6,
                          .paper_rest_areas = false};
}

mnTimeDesc mn_default_time(void) {
    return (mnTimeDesc){.adaptive = true,
                        .step = 1e-4,
                        .min_step = 1e-9,
                        .max_step = INFINITY,
                        .cfl_velocity = 0.4,
                        .cfl_acceleration = 0.25,
                        .capillary_ratio = 0.4};
}

mnView mn_default_view(void) {
    return (mnView){.from = {NAN, NAN, NAN},
                    .to = {NAN, NAN, NAN},
                    .up = {NAN, NAN, NAN},
                    .fov = 30 * (acos(-1.0) / 180),
                    .aperture = NAN,
                    .focus = NAN};
}

mnSceneDesc mn_default_scene(void) {
    return (mnSceneDesc){.cookie = MN_SCENE_COOKIE,
                         .name = "scene",
                         .title = "",
                         .folder = ".",
                         .dimension = 3,
                         .spacing = 0.0005,
                         .gravity = {0, 0, -9.81},
                         .duration = 1,
                         .frames_per_second = 50,
                         .seed = 1,
                         .time = mn_default_time(),
                         .solver = mn_default_solver(MN_PRESET_DEFAULT),
                         .view = mn_default_view()};
}
