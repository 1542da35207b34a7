/* A target of libFuzzer: a call that must come back in good order whatever the bytes are.
 *
 * Each fuzz_NAME.c here is one. Built by clang with MN_SANITIZE=fuzzer it searches for inputs by itself (make fuzz);
 * built in any other way it is linked with replay.c and runs what there is: seeds, and the cases of old crashes. */
#ifndef MN_FUZZ_FUZZ_H
#define MN_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has to hold of every answer; NDEBUG does not turn it off. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (condition) break;                                                                                          \
        fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);                                  \
        abort();                                                                                                       \
    } while (0)

#endif
