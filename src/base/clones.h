/* Functions that the processor at hand decides about.
 *
 * MN_CLONES before a function has it compiled three times, for plain x86-64 and for processors with AVX2 and with
 * AVX-512, and the one that fits is taken when the program starts. Where the whole program is compiled for a processor
 * with AVX2 already, or for another kind, there is nothing to choose, and a sanitizer is not awake yet when the choice
 * is made. A loop that OpenMP shares out must not be in such a function but around it: what OpenMP makes of it is
 * compiled only once. */
#ifndef MN_BASE_CLONES_H
#define MN_BASE_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__AVX2__) && !defined(MN_DOUBLE) && !defined(MN_SANITIZED)
#define MN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MN_CLONES
#endif

#endif
