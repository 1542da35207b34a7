/* The writers behind mn_frame_write, one file each. */
#ifndef MN_IO_FRAME_FORMATS_H
#define MN_IO_FRAME_FORMATS_H

#include "io/file.h"
#include "io/frames.h"

static inline unsigned char *mn_put_vector(unsigned char *to, const mnVec *v) {
    to = mn_put_f32(to, (double)v->x);
    to = mn_put_f32(to, (double)v->y);
    return mn_put_f32(to, (double)v->z);
}

mnStatus mn_ply_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error);
mnStatus mn_vtp_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error);
mnStatus mn_csv_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error);
mnStatus mn_bgeo_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error);
mnStatus mn_vtkhdf_write(const char *path, const mnSnapshot *snapshot, const int64_t *order, mnError *error);

#endif
