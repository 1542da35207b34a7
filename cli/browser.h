/* A page opened in the user's browser. */
#ifndef MN_CLI_BROWSER_H
#define MN_CLI_BROWSER_H

/* Whether there is a browser, and what becomes of it, is not known. It is given the address itself: many are not let at
 * files that could lead them there instead. */
void browser_open(const char *address);

#endif
