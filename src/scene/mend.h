/* Mistakes in a JSON text that need not hide what else is wrong with it.
 *
 * jansson stops at the first thing that is not JSON. Words it does not know (NaN, Infinity, 012), numbers that are not
 * finite and keys given twice are noted here and taken out of a copy of the text, so that the rest can be read. */
#ifndef MN_SCENE_MEND_H
#define MN_SCENE_MEND_H

#include <stdbool.h>
#include <stddef.h>

#include "scene/locate.h"

/* Offsets are bytes of the text as it came. */
typedef struct mnMend {
    size_t at;         /* the value or key that is wrong */
    size_t start, end; /* what the copy lacks: a value, for which null stands there, or a second key with all it has */
    bool is_too_large; /* a number that is not finite */
    bool is_duplicate; /* a key given twice, first at `first` */
    size_t first;
    bool told; /* a problem was reported for it */
} mnMend;

/* In the order of the text. Start from a zeroed struct, end with mn_mends_clear. */
typedef struct mnMends {
    mnMend *list;
    int count;
} mnMends;

/* Notes what can be taken out, up to a number that nobody wants to be told. False when memory is lacking. */
bool mn_mends_find(mnMends *mends, mnSource source);
void mn_mends_clear(mnMends *mends);

/* The copy, to be freed; NULL when memory is lacking. */
char *mn_mends_apply(const mnMends *mends, mnSource source, size_t *length);

/* Where an offset of the copy lies in the text. */
size_t mn_mends_origin(const mnMends *mends, size_t offset);

/* The value that was taken out at an offset of the text, or NULL. */
mnMend *mn_mends_value_at(const mnMends *mends, size_t offset);

#endif
