/* What a run goes on from: a checkpoint in its folder, and the scene as it was, or changed in what can be changed. */
#ifndef MN_CLI_RESUME_H
#define MN_CLI_RESUME_H

#include "session.h"

/* Opens the newest good checkpoint of a folder, says what is wrong with newer ones, and sees to it that nobody has
 * changed the scene in the folder since. False after a complaint; resume_end is due in any case. */
bool resume_begin(const char *folder, Resume *resume);
void resume_end(Resume *resume);

/* The scene of the checkpoint with changes as those of --set, or NULL after a complaint. */
mnScene *resume_scene(Resume *resume, const char *const *sets, int set_count, bool quiet);

#endif
