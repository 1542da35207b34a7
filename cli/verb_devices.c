#include <string.h>

#include "cli.h"

enum { DEVICES_MAX = 64 };

static error_t parse(int key, char *argument, struct argp_state *state) {
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    argp_error(state, "no argument is expected, found \"%s\"", argument);
    return 0;
}

/* As wide as the longest text of a column, its head included. */
static int widen(int width, const char *text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}

static void print_table(const mnDeviceInfo *devices, int count) {
    int platform = widen(0, "platform"), name = widen(0, "device");
    for (int i = 0; i < count; i++) {
        platform = widen(platform, devices[i].platform);
        name = widen(name, devices[i].name);
    }
    printf("%3s  %-*s  %-*s  %8s  %5s  %s\n", "no.", platform, "platform", name, "device", "memory", "units", "driver");
    for (int i = 0; i < count; i++) {
        const mnDeviceInfo *d = &devices[i];
        char memory[32];
        printf("%3d  %-*s  %-*s  %8s  %5d  %s\n", i, platform, d->platform, name, d->name,
               size_text((double)d->memory, memory), d->compute_units, d->driver);
    }
}

int verb_devices(int argc, char **argv) {
    const struct argp parser = {NULL,
                                parse,
                                NULL,
                                "Lists the devices that OpenCL can run on: platform, device, memory, compute units "
                                "and driver. Where there is none it tells what is missing; the exit status is 0 then "
                                "too.",
                                NULL,
                                NULL,
                                NULL};
    parse_arguments(&parser, argc, argv, NULL);
    mnDeviceInfo devices[DEVICES_MAX];
    mnError error;
    int count = 0;
    if (mn_devices(devices, DEVICES_MAX, &count, &error) == MN_OK)
        print_table(devices, count < DEVICES_MAX ? count : DEVICES_MAX);
    else
        printf("no devices: %s\n", error.text);
    return EXIT_DONE;
}
