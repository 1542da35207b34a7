/* Ctrl-C, a polite kill and a terminal that is closed: the first one ends the work in good order, the second one at
 * once. */
#ifndef MN_CLI_INTERRUPT_H
#define MN_CLI_INTERRUPT_H

#include <stdbool.h>

void watch_interrupts(void);
bool interrupted(void);

#endif
