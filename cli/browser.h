/* A page opened in the user's browser.
 *
 * Other accounts see the arguments of every process, so the browser is not given the address, which is a secret, but a
 * file that only its owner can read and that leads there. */
#ifndef MN_CLI_BROWSER_H
#define MN_CLI_BROWSER_H

#include <stdbool.h>

typedef struct Browser {
    char *file;   /* NULL: there is none */
    char *folder; /* made for it; NULL: it lies in one that was there */
} Browser;

/* False: no file could be made, and nothing was opened. Whether there is a browser, and what becomes of it, is not
 * known. */
bool browser_open(Browser *browser, const char *address);

/* Removes the file. */
void browser_forget(Browser *browser);

#endif
