#include "render/rays.h"

#if MN_HAVE_EMBREE
#include <embree3/rtcore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mnRays {
    const mnTableau *tableau;
    RTCDevice device;
    RTCScene scene[MN_RAY_SETS];
};

mnStatus mn_rays_check(mnError *error) {
    (void)error;
    return MN_OK;
}

static bool belongs(mnMaterial material, mnRaySet set) {
    return set == MN_RAYS_ALL || material == MN_MATERIAL_MATT ||
           (set == MN_RAYS_SHADOW && material == MN_MATERIAL_WATER);
}

static bool put_vertices(RTCGeometry geometry, unsigned moment, const mnV3 *vertex, int64_t count) {
    void *buffer = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, moment, RTC_FORMAT_FLOAT3, sizeof *vertex,
                                           (size_t)count);
    if (buffer) memcpy(buffer, vertex, (size_t)count * sizeof *vertex);
    return buffer != NULL;
}

static bool put_part(mnRays *rays, int p) {
    const mnPart *part = &rays->tableau->parts[p];
    if (part->triangle_count == 0) return true;
    RTCGeometry geometry = rtcNewGeometry(rays->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!geometry) return false;
    if (part->vertex_end) rtcSetGeometryTimeStepCount(geometry, 2);
    void *triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                              sizeof *part->triangle, (size_t)part->triangle_count);
    bool ok = triangles && put_vertices(geometry, 0, part->vertex, part->vertex_count) &&
              (!part->vertex_end || put_vertices(geometry, 1, part->vertex_end, part->vertex_count));
    if (ok) {
        memcpy(triangles, part->triangle, (size_t)part->triangle_count * sizeof *part->triangle);
        rtcCommitGeometry(geometry);
        for (int set = 0; set < MN_RAY_SETS; set++)
            if (belongs(part->material, (mnRaySet)set)) rtcAttachGeometryByID(rays->scene[set], geometry, (unsigned)p);
    }
    rtcReleaseGeometry(geometry);
    return ok;
}

static bool build(mnRays *rays) {
    for (int set = 0; set < MN_RAY_SETS; set++) {
        rays->scene[set] = rtcNewScene(rays->device);
        if (!rays->scene[set]) return false;
        rtcSetSceneFlags(rays->scene[set], RTC_SCENE_FLAG_ROBUST);
    }
    for (int p = 0; p < rays->tableau->part_count; p++)
        if (!put_part(rays, p)) return false;
    for (int set = 0; set < MN_RAY_SETS; set++) rtcCommitScene(rays->scene[set]);
    return rtcGetDeviceError(rays->device) == RTC_ERROR_NONE;
}

mnStatus mn_rays_create(const mnTableau *tableau, int threads, mnRays **rays, mnError *error) {
    char settings[64];
    snprintf(settings, sizeof settings, "threads=%d", threads);
    mnRays *made = calloc(1, sizeof *made);
    if (made) {
        made->tableau = tableau;
        made->device = rtcNewDevice(settings);
    }
    if (made && made->device && build(made)) {
        *rays = made;
        return MN_OK;
    }
    mn_rays_destroy(made);
    return mn_error_set(error, MN_ERROR_MEMORY, "no memory left to trace rays in this scene");
}

void mn_rays_destroy(mnRays *rays) {
    if (!rays) return;
    for (int set = 0; set < MN_RAY_SETS; set++)
        if (rays->scene[set]) rtcReleaseScene(rays->scene[set]);
    if (rays->device) rtcReleaseDevice(rays->device);
    free(rays);
}

static struct RTCRay embree_ray(const mnRay *ray) {
    return (struct RTCRay){.org_x = ray->origin.x,
                           .org_y = ray->origin.y,
                           .org_z = ray->origin.z,
                           .tnear = ray->near,
                           .dir_x = ray->direction.x,
                           .dir_y = ray->direction.y,
                           .dir_z = ray->direction.z,
                           .time = ray->time,
                           .tfar = ray->far,
                           .mask = ~0U};
}

bool mn_rays_meet(const mnRays *rays, mnRaySet set, const mnRay *ray, mnHit *hit) {
    struct RTCRayHit query = {.ray = embree_ray(ray), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(rays->scene[set], &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    const mnPart *part = &rays->tableau->parts[query.hit.geomID];
    mnV3 face = v3_unit(v3(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z)), normal = face;
    if (part->normal) {
        const int32_t *corner = part->triangle[query.hit.primID];
        float u = query.hit.u, v = query.hit.v;
        normal = v3_along(v3_along(v3_scale(1 - u - v, part->normal[corner[0]]), u, part->normal[corner[1]]), v,
                          part->normal[corner[2]]);
        normal = v3_unit(normal);
        if (v3_dot(normal, face) < 0.05F) normal = face;
    }
    *hit = (mnHit){.distance = query.ray.tfar,
                   .part = (int)query.hit.geomID,
                   .triangle = (int64_t)query.hit.primID,
                   .face = face,
                   .normal = normal};
    return true;
}

bool mn_rays_blocked(const mnRays *rays, mnRaySet set, const mnRay *ray) {
    struct RTCRay query = embree_ray(ray);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(rays->scene[set], &context, &query);
    return query.tfar < 0;
}

#else

mnStatus mn_rays_check(mnError *error) {
    return mn_error_set(error, MN_ERROR_FEATURE,
                        "this look needs Embree 3, which this build lacks (Debian: libembree-dev, then configure and "
                        "build again); field:NAME works without it");
}

mnStatus mn_rays_create(const mnTableau *tableau, int threads, mnRays **rays, mnError *error) {
    (void)tableau;
    (void)threads;
    (void)rays;
    return mn_rays_check(error);
}

void mn_rays_destroy(mnRays *rays) {
    (void)rays;
}

bool mn_rays_meet(const mnRays *rays, mnRaySet set, const mnRay *ray, mnHit *hit) {
    (void)rays;
    (void)set;
    (void)ray;
    (void)hit;
    return false;
}

bool mn_rays_blocked(const mnRays *rays, mnRaySet set, const mnRay *ray) {
    (void)rays;
    (void)set;
    (void)ray;
    return false;
}

#endif
