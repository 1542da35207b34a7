#include "bench.h"

/* Table 3 of Probst & Teschner 2024, with the iterations that it tells for Jacobi and NNCG. */
#define TABLE_3(h, dt, jacobi, nncg, warm, count)                                                                      \
    {.setting = "h = " h " mm, Δt = " dt " ms",                                                                        \
     .sets = {"spacing=" h "e-3", "time_step.fixed=" dt "e-3"},                                                        \
     .warm_up = warm,                                                                                                  \
     .steps = count,                                                                                                   \
     .paper_jacobi = jacobi,                                                                                           \
     .paper_nncg = nncg},                                                                                              \
    {                                                                                                                  \
        .setting = "h = " h " mm, Δt = " dt " ms, paper",                                                              \
        .sets = {"spacing=" h "e-3", "time_step.fixed=" dt "e-3", "solver.preset=\"paper\"",                           \
                 "solver.kind=\"anderson\"", "solver.warm_start=true"},                                                \
        .warm_up = warm, .steps = count, .paper_jacobi = jacobi, .paper_nncg = nncg                                    \
    }

static const BenchCase sessile[] = {
    TABLE_3("1", "0.04", 2, 2, 10, 60),   TABLE_3("1", "0.08", 2, 3, 10, 60),    TABLE_3("1", "0.12", 7, 6, 10, 60),
    TABLE_3("0.5", "0.04", 2, 4, 5, 25),  TABLE_3("0.5", "0.08", 12, 8, 5, 25),  TABLE_3("0.5", "0.12", 18, 9, 5, 25),
    TABLE_3("0.25", "0.04", 12, 8, 2, 8), TABLE_3("0.25", "0.08", 26, 12, 2, 8), TABLE_3("0.25", "0.12", 42, 18, 2, 8),
};

static const BenchCase cube[] = {
    {.setting = "32768 particles", .warm_up = 10, .steps = 60},
    {.setting = "32768 particles, Δt = 0.5 ms", .sets = {"time_step.fixed=0.5e-3"}, .warm_up = 10, .steps = 60},
    {.setting = "32768 particles, Δt = 1.05 ms", .sets = {"time_step.fixed=1.05e-3"}, .warm_up = 10, .steps = 60},
    {.setting = "262144 particles",
     .sets = {"fluids.water.bodies[0].shape.size=[0.032, 0.032, 0.032]"},
     .warm_up = 2,
     .steps = 10},
};
static const BenchCase slope[] = {{.setting = "", .sets = {"spacing=1e-4"}, .warm_up = 10, .steps = 60}};
static const BenchCase dam[] = {{.setting = "", .sets = {"spacing=0.00285"}, .warm_up = 10, .steps = 60}};
static const BenchCase rain[] = {{.setting = "", .sets = {"emitters[0].rate=800"}, .warm_up = 300, .steps = 200}};

#define CASES(table) .cases = table, .case_count = sizeof table / sizeof table[0]

#define CUBE(particles, edge)                                                                                          \
    {                                                                                                                  \
        .setting = particles " particles",                                                                             \
        .sets = {"fluids.water.bodies[0].shape.size=[" edge ", " edge ", " edge "]"}, .warm_up = 2, .steps = 8         \
    }
static const BenchCase growth[] = {CUBE("10648", "0.011"), CUBE("262144", "0.032"), CUBE("1 million", "0.05"),
                                   CUBE("4.1 million", "0.08"), CUBE("16 million", "0.126")};

const Bench benches[] = {
    {"sessile", "sessile drop of the paper's table 3, nine settings", "sessile", false, CASES(sessile)},
    {"cube", "free cube of water that becomes a drop", "cube_drop", false, CASES(cube)},
    {"slope", "drop that friction holds on a slope", "drop_on_slope", false, CASES(slope)},
    {"dam", "dam break without surface tension", "dam_break", false, CASES(dam)},
    {"rain", "rain on a pane, with an emitter and a sink", "rain_on_window", false, CASES(rain)},
    {"growth", "free cubes from ten thousand to 16 million particles (on request)", "cube_drop", true, CASES(growth)},
};
const int bench_count = sizeof benches / sizeof benches[0];
