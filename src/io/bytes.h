/* Numbers from little-endian bytes, whatever the machine's order is; io/file.h has the other way. */
#ifndef MN_IO_BYTES_H
#define MN_IO_BYTES_H

#include <stdint.h>

static inline uint64_t mn_get_bits(const unsigned char *from, int bytes) {
    uint64_t bits = 0;
    for (int i = 0; i < bytes; i++) bits |= (uint64_t)from[i] << (8 * i);
    return bits;
}

static inline double mn_get_f32(const unsigned char *from) {
    union {
        uint32_t bits;
        float real;
    } pun = {.bits = (uint32_t)mn_get_bits(from, 4)};
    return (double)pun.real;
}

static inline double mn_get_f64(const unsigned char *from) {
    union {
        uint64_t bits;
        double real;
    } pun = {.bits = mn_get_bits(from, 8)};
    return pun.real;
}

/* Of kind 'f' real, in 4 or 8 bytes, 'i' signed or 'u' unsigned, in 1 to 8. */
static inline double mn_get_number(const unsigned char *from, char kind, int bytes) {
    if (kind == 'f') return bytes == 4 ? mn_get_f32(from) : mn_get_f64(from);
    uint64_t bits = mn_get_bits(from, bytes);
    if (kind == 'u') return (double)bits;
    int unused = 64 - 8 * bytes;
    return (double)((int64_t)(bits << unused) >> unused);
}

#endif
