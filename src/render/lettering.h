/* Letters drawn as lines, sharp at any size. What has no letter here is drawn as a small one or as a box. */
#ifndef MN_RENDER_LETTERING_H
#define MN_RENDER_LETTERING_H

#include "render/picture.h"

/* Width of a line of text whose capitals are `size` pixels high. */
float mn_letters_width(const char *text, float size);

/* Writes from (x, y), the left end of the line on which letters stand. UTF-8. */
void mn_letters_draw(mnPicture *picture, float x, float y, float size, mnV3 colour, const char *text);

#endif
