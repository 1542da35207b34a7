#include "space/densities.h"

#include "base/parallel.h"

void mn_densities_add(mnDensities *sum, const mnVec *position, int32_t first, int32_t end, mnVec x, mnConstants c) {
    mnReal wide = 0, near = 0;
    MN_LANES(wide, near)
    for (int32_t j = first; j < end; j++) {
        mnVec xj = mn_load(position, j), d = mn_sub(x, xj);
        mnReal r = mn_sqrt(mn_dot(d, d));
        wide += xj.w * mn_spline_value(c.wide, r);
        near += xj.w * mn_spline_value(c.near, r);
    }
    sum->wide += wide;
    sum->near += near;
}

/* Likewise what those of another fluid than `own` contribute. */
static mnReal others(const mnVec *position, const int32_t *phase, int32_t own, int32_t first, int32_t end, mnVec x,
                     mnConstants c) {
    mnReal other = 0;
    for (int32_t j = first; j < end; j++) {
        if (phase[j] == own) continue;
        mnVec d = mn_sub(x, position[j]);
        other += position[j].w * mn_spline_value(c.wide, mn_sqrt(mn_dot(d, d)));
    }
    return other;
}

/* Of all within 3h of x, each of whom may have left its cell by `strayed`, m. `phase` is NULL where there are no
 * others.
 */
static mnDensities densities_at(const mnCells *cells, const mnVec *position, const int32_t *phase, int32_t own, mnVec x,
                                mnConstants c, double strayed) {
    mnDensities sum = {0, 0, 0};
    const mnCell *end = cells->cells + cells->cell_count;
    mnReal reach = MN_REACH_MAX * c.spacing + (mnReal)strayed;
    int32_t low[3], high[3];
    mn_cells_locate(cells, mn_vec(x.x - reach, x.y - reach, x.z - reach, 0), low);
    mn_cells_locate(cells, mn_vec(x.x + reach, x.y + reach, x.z + reach, 0), high);
    mn_cells_clamp(cells, low, high);
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const mnCell *cell = mn_cells_row(cells, low[0], high[0], y, z);
            if (!cell) continue;
            int32_t first = cell->first, last = first;
            for (; cell < end && cell->z == z && cell->y == y && cell->x <= high[0]; cell++) last += cell->count;
            mn_densities_add(&sum, position, first, last, x, c);
            if (phase) sum.other += others(position, phase, own, first, last, x, c);
        }
    return sum;
}

void mn_densities_find(const mnNeighbours *neighbours, const mnFluidState *fluid, const mnBoundaryState *boundary,
                       mnConstants c, int threads) {
    const int32_t *phase = c.fluid_count > 1 ? fluid->phase : NULL;
    double strayed = neighbours->travelled;
    (void)threads;
    MN_PARALLEL_FOR(threads)
    for (int64_t i = 0; i < fluid->count; i++) {
        mnVec x = fluid->position[i];
        if (!mn_cells_reach(&neighbours->fluid_cells, x)) {
            fluid->numbers[i] = mn_vec(0, 1, 0, 0); /* nowhere, and nobody around */
            continue;
        }
        mnDensities own =
            densities_at(&neighbours->fluid_cells, fluid->position, phase, fluid->phase[i], x, c, strayed);
        mnDensities walls = densities_at(&neighbours->boundary_cells, boundary->position, NULL, 0, x, c, strayed);
        fluid->numbers[i] = mn_vec(own.wide + walls.wide, own.near + walls.near, own.other, walls.wide);
    }
}
