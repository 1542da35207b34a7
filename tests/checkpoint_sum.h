/* The checksum of a checkpoint, as docs/reliability.md tells it. */
#ifndef MN_TEST_CHECKPOINT_SUM_H
#define MN_TEST_CHECKPOINT_SUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Puts it into a file of which it is known where it has its place. */
static inline void seal_checkpoint(unsigned char *bytes, size_t size, size_t place) {
    uint64_t sum = 0;
    memset(bytes + place, 0, 8);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && at + k < size; k++) word |= (uint64_t)bytes[at + k] << (8 * k);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    for (int k = 0; k < 8; k++) bytes[place + (size_t)k] = (unsigned char)(sum >> (8 * k));
}

#endif
