#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t was_interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    was_interrupted = 1;
}

void watch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before; /* nohup has it ignored, and means it */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, NULL);
    /* A limit on file sizes should look like a full disk, not kill the program. */
    signal(SIGXFSZ, SIG_IGN);
}

bool interrupted(void) {
    return was_interrupted != 0;
}
