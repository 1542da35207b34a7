/* The texts of kernels, which are a part of the library: src/kernels/ and the .cl files of this folder, put there by
 * cmake/embed.cmake. Names are paths below src/, as #include lines have them. */
#ifndef MN_RUN_OPENCL_SOURCE_H
#define MN_RUN_OPENCL_SOURCE_H

typedef struct mnSource {
    const char *name, *text;
} mnSource;

extern const mnSource mn_embedded[];
extern const int mn_embedded_count;

/* The embedded text of that name. It must be there. */
mnSource mn_source(const char *name);

/* One text of all sources in turn. Lines that include an embedded text with #include "…" are replaced by it where it is
 * met first and dropped after that, whatever #if they stand in; other includes are left to OpenCL's preprocessor. #line
 * directives keep names and numbers right in messages. Owned by the caller, NULL without memory. */
char *mn_source_join(const mnSource *sources, int count);

#endif
