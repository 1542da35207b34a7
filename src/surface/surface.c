#include "surface/surface.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "surface/inside.h"

/* The voxel in multiples of the spacing: finer shows nothing more, coarser has lost the particles. */
static const double finest = 0.125, coarsest = 2;
enum { SMOOTHING_MOST = 1000 };

mnSurfaceDesc mn_default_surface(void) {
    return (mnSurfaceDesc){.smoothing = 10};
}

mnStatus mn_surface_no_memory(const mnReconstruction *r, double bytes) {
    return mn_error_set(
        r->error, MN_ERROR_MEMORY,
        "the surface of %lld particles needs another %.3g MB of memory, and of the %.3g MB there are it holds "
        "%.3g MB already; take a larger voxel than %g m (--voxel)",
        (long long)r->desc->count, bytes / 1e6, (double)r->memory.limit / 1e6, (double)r->memory.held / 1e6, r->voxel);
}

static mnStatus check(const mnSurfaceDesc *desc, mnError *error) {
    if (!(desc->spacing > 0) || !isfinite(desc->spacing))
        return mn_error_set(error, MN_ERROR_INPUT, "the spacing of the particles is %g m; it has to be positive",
                            desc->spacing);
    if (desc->voxel != 0 && !(desc->voxel >= finest * desc->spacing && desc->voxel <= coarsest * desc->spacing))
        return mn_error_set(error, MN_ERROR_INPUT,
                            "a voxel of %g m does not suit particles %g m apart; it may be from %g to %g m",
                            desc->voxel, desc->spacing, finest * desc->spacing, coarsest * desc->spacing);
    if (desc->smoothing < 0 || desc->smoothing > SMOOTHING_MOST)
        return mn_error_set(error, MN_ERROR_INPUT, "%d passes of smoothing; there can be 0 to %d", desc->smoothing,
                            SMOOTHING_MOST);
    if (desc->count > INT32_MAX)
        return mn_error_set(error, MN_ERROR_INPUT, "%lld particles are more than a surface can be made of",
                            (long long)desc->count);
    return MN_OK;
}

static mnStatus reconstruct(mnReconstruction *r, mnSurface *surface) {
    mnStatus status = mn_surface_spread(r);
    if (status == MN_OK) status = mn_surface_fill(r);
    if (status == MN_OK) status = mn_surface_balance(r);
    if (status == MN_OK) status = mn_surface_contour(r);
    if (status == MN_OK) mn_blocks_release(&r->blocks, &r->memory);
    if (status == MN_OK) status = mn_surface_fair(r);
    if (status == MN_OK) status = mn_surface_finish(r, surface);
    return status;
}

static void release(mnReconstruction *r) {
    mnMemory *memory = &r->memory;
    size_t count = (size_t)r->count, vertices = (size_t)r->contour.vertex_count;
    mn_blocks_release(&r->blocks, memory);
    mn_cells_release(&r->cells, memory);
    mn_sorting_give(&r->sorting, memory, r->desc->count);
    mn_memory_give(memory, r->position, count * sizeof *r->position);
    mn_memory_give(memory, r->ellipsoid, count * sizeof *r->ellipsoid);
    mn_memory_give(memory, r->is_outer, count);
    mn_memory_give(memory, r->contour.vertex, vertices * sizeof *r->contour.vertex);
    mn_memory_give(memory, r->contour.kind, vertices);
    mn_memory_give(memory, r->contour.triangle, (size_t)r->contour.triangle_count * sizeof *r->contour.triangle);
}

mnStatus mn_surface_make(const mnSurfaceDesc *desc, mnSurface *surface, mnError *error) {
    *surface = (mnSurface){0};
    if (desc->count == 0) return MN_OK; /* whatever the spacing, which then may not be known */
    mnStatus status = check(desc, error);
    if (status != MN_OK) return status;
    double voxel = desc->voxel > 0 ? desc->voxel : desc->spacing / 2;
    mnReconstruction r = {.desc = desc,
                          .memory = mn_memory_create((mnAllocator){0}, desc->memory_limit),
                          .error = error,
                          .threads = desc->threads > 0 ? desc->threads : mn_parallel_cores(),
                          .voxel = voxel,
                          .length = fmax(desc->spacing, 2 * voxel),
                          .count = desc->count};
    status = reconstruct(&r, surface);
    if (status != MN_OK) mn_surface_clear(surface);
    release(&r);
    return status;
}

void mn_surface_clear(mnSurface *surface) {
    free(surface->vertex);
    free(surface->normal);
    free(surface->velocity);
    free(surface->triangle);
    *surface = (mnSurface){0};
}
