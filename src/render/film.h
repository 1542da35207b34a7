/* A film: pictures handed one by one to ffmpeg, which makes an MP4 (H.264) of them.
 *
 * ffmpeg is found on the path and started without a shell. It writes to a temporary neighbour of the final name, which
 * takes its place when all has gone well. A film that is not ended by mn_film_commit leaves nothing behind. */
#ifndef MN_RENDER_FILM_H
#define MN_RENDER_FILM_H

#include <sys/types.h>

#include "render/picture.h"

typedef struct mnFilm {
    char *path, *temporary; /* owned */
    unsigned char *rgb;     /* owned: one picture as bytes */
    int width, height;
    pid_t child;
    int to_child; /* what ffmpeg reads as its input */
    int messages; /* a nameless file with what it complained about */
} mnFilm;

/* Sides have to be even: H.264 halves its colours. */
mnStatus mn_film_start(mnFilm *film, const char *path, int width, int height, double pictures_per_second,
                       mnError *error);

/* A failure is final: then only mn_film_discard is left. */
mnStatus mn_film_add(mnFilm *film, const mnPicture *picture, mnError *error);

/* Each of them ends the film; a failed commit leaves what was at the path before. */
mnStatus mn_film_commit(mnFilm *film, mnError *error);
void mn_film_discard(mnFilm *film);

#endif
