/* Colours for numbers. */
#ifndef MN_RENDER_COLOURS_H
#define MN_RENDER_COLOURS_H

#include "render/vector.h"

/* A linear colour for t from 0 to 1: from dark violet by green to light yellow. Equal steps look equally large, and it
 * gets ever lighter, so that it reads in grey and without a sense of red and green. */
mnV3 mn_colour_of(double t);

/* One that is told apart from those of its neighbouring numbers; the twelfth is like the first. */
mnV3 mn_colour_of_kind(int kind);

#endif
