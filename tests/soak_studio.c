/* Random pages for as many minutes as one likes: they come and go, say what is right, wrong or garbage, and some never
 * read. tools/studio_soak runs it under the sanitizers, which tell of leaks when it ends.
 *
 *     soak_studio MINUTES [SEED] */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "studio_client.h"

enum { PAGES = 12, LARGEST = 3 << 20, RESIDENT_MOST = 4 << 20 /* kB */ };

static const char drop[] =
    "{\"title\": \"A drop\", \"dimension\": 2, \"spacing\": 0.0002, \"duration\": 0.05, \"fps\": 1000,\n"
    " \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.003, 0.002, 1],\n"
    "   \"translation\": [0, 0.001, 0]}}]}},\n"
    " \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.01, 1]}, \"contact_angle\": 90},\n"
    "   \"lid\": {\"shape\": {\"kind\": \"box\", \"size\": [0.002, 0.001, 1], \"translation\": [0, 0.006, 0]},\n"
    "     \"motion\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0, 0.1, 0]}]}}}\n";

/* What pages say when they know how to; %d and %g are random. */
static const char *const sayings[] = {
    "{\"type\":\"open\",\"scene\":\"drop\"}",
    "{\"type\":\"open\",\"scene\":\"broken\"}",
    "{\"type\":\"open\",\"text\":\"{\\\"spacing\\\": 1}\",\"name\":\"x.json\"}",
    "{\"type\":\"run\"}",
    "{\"type\":\"run\"}",
    "{\"type\":\"pause\"}",
    "{\"type\":\"step\"}",
    "{\"type\":\"stop\"}",
    "{\"type\":\"restart\"}",
    "{\"type\":\"restart\"}",
    "{\"type\":\"steer\",\"path\":\"gravity\",\"value\":[%d,-9.81,0]}",
    "{\"type\":\"steer\",\"path\":\"solids.floor.friction\",\"value\":%g}",
    "{\"type\":\"steer\",\"path\":\"solids.floor.contact_angle\",\"value\":%d}",
    "{\"type\":\"steer\",\"path\":\"fluids.water.viscosity\",\"value\":%g}",
    "{\"type\":\"steer\",\"path\":\"fluids.water.tension.vapor\",\"value\":0.05}",
    "{\"type\":\"set\",\"path\":\"duration\",\"value\":%g}",
    "{\"type\":\"set\",\"path\":\"fluids.water.viscosity\",\"value\":%g}",
    "{\"type\":\"set\",\"path\":\"fluids.water.bodies.0.velocity\",\"value\":[%d,0]}",
    "{\"type\":\"set\",\"path\":\"fluids.water.viscosity\"}",
    "{\"type\":\"set\",\"path\":\"solids\"}",
    "{\"type\":\"frame\",\"number\":%d}",
    "{\"type\":\"frame\",\"number\":0}",
    "{\"type\":\"frame\",\"number\":null}",
    "{\"type\":\"field\",\"name\":\"pressure\"}",
    "{\"type\":\"field\",\"name\":\"measure\"}",
    "{\"type\":\"pick\",\"id\":%d}",
    "{\"type\":\"take\"}",
    "{\"type\":\"take\"}",
    "{\"type\":\"release\"}",
    "{\"type\":\"save\"}",
    "{\"type\":\"ack\",\"sequence\":%d}",
};

typedef struct Page {
    const Served *served;
    uint64_t random;
    pthread_t thread;
    atomic_long messages, visits;
} Page;

static atomic_bool is_late;

static unsigned below(Page *page, unsigned bound) {
    page->random ^= page->random << 13;
    page->random ^= page->random >> 7;
    page->random ^= page->random << 17;
    return (unsigned)((page->random >> 20) % bound);
}

static void pause_for(unsigned milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, (long)(milliseconds % 1000) * 1000000}, NULL);
}

/* Takes what has come; frames are said to be drawn. */
static void listen_to(Page *page, Client *client) {
    for (int i = 0; i < 200 && !client->closed; i++) {
        struct pollfd ready = {.fd = client->socket, .events = POLLIN};
        if (poll(&ready, 1, 0) <= 0) return;
        Received received = ws_receive(client);
        if (received.kind == WS_BINARY && received.length >= 16 && received.bytes[4] == 1 && below(page, 20) > 0) {
            char text[64];
            uint32_t sequence;
            memcpy(&sequence, received.bytes + 8, 4);
            snprintf(text, sizeof text, "{\"type\":\"ack\",\"sequence\":%u}", sequence);
            ws_say(client, text);
        }
        free(received.bytes);
    }
}

static void say_something(Page *page, Client *client) {
    char text[512];
    const char *saying = sayings[below(page, sizeof sayings / sizeof *sayings)];
    if (strstr(saying, "%g"))
        snprintf(text, sizeof text, saying, 0.002 * (1 + below(page, 20)));
    else
        snprintf(text, sizeof text, saying, below(page, 60));
    if (below(page, 30) == 0) text[below(page, (unsigned)strlen(text))] = (char)(1 + below(page, 255));
    ws_say(client, text);
}

static void say_garbage(Page *page, Client *client) {
    static const unsigned sizes[] = {0, 1, 20, 1000, 70000, LARGEST};
    size_t length = sizes[below(page, sizeof sizes / sizeof *sizes)];
    unsigned char *bytes = malloc(length + 1);
    for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)below(page, 256);
    if (below(page, 4) == 0)
        client_write(client->socket, bytes, length); /* not even a frame */
    else
        ws_send_frame(client, below(page, 256), bytes, length);
    free(bytes);
}

static void visit(Page *page) {
    char answer[4096], path[256];
    Client client;
    Handshake handshake = {0};
    switch (below(page, 12)) {
    case 0:
        snprintf(path, sizeof path, "/%s/%s", page->served->token, below(page, 2) ? "" : "../../etc/passwd");
        http_request(page->served, below(page, 3) ? "GET" : "POST", path, NULL, answer, sizeof answer);
        return;
    case 1:
        handshake.origin = "evil.example";
        break;
    case 2:
        handshake.token = "0123";
        break;
    default:
        break;
    }
    if (ws_connect(page->served, &handshake, &client) != 101) return;
    fcntl(client.socket, F_SETFL, fcntl(client.socket, F_GETFL) | O_NONBLOCK);
    bool is_deaf = below(page, 8) == 0, is_wild = below(page, 10) == 0;
    unsigned most = below(page, 300);
    for (unsigned i = 0; i < most && !client.closed && !atomic_load(&is_late); i++) {
        if (is_wild && below(page, 5) == 0)
            say_garbage(page, &client);
        else
            say_something(page, &client);
        atomic_fetch_add(&page->messages, 1);
        if (!is_deaf) listen_to(page, &client);
        pause_for(is_wild ? below(page, 4) : below(page, 60));
    }
    ws_end(&client);
}

static void *live(void *context) {
    Page *page = context;
    while (!atomic_load(&is_late)) {
        visit(page);
        atomic_fetch_add(&page->visits, 1);
        pause_for(below(page, 200));
    }
    return NULL;
}

static long resident_kilobytes(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void write_file(const char *folder, const char *name, const char *text, char path[300]) {
    snprintf(path, 300, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fputs(text, file);
    fclose(file);
}

int main(int argc, char **argv) {
    double minutes = argc > 1 ? strtod(argv[1], NULL) : 1;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    char folder[] = "/tmp/meniscus-soak-XXXXXX", page[300], index[300], output[300], path[2][300], command[400];
    if (!mkdtemp(folder)) return 1;
    snprintf(page, sizeof page, "%s/page", folder);
    snprintf(output, sizeof output, "%s/out", folder);
    mkdir(page, 0755);
    write_file(page, "index.html", "<!doctype html>", index);
    write_file(folder, "drop.json", drop, path[0]);
    write_file(folder, "broken.json", "{\"spacing\": 0.1, \"fluids\": {\"a\": {\"densty\": 1}}", path[1]);
    const mnStudioScene scenes[2] = {{"drop", "A drop", path[0], false}, {"broken", "", path[1], false}};
    static Served served;
    served.desc =
        (mnServerDesc){.studio = {.scenes = scenes, .scene_count = 2, .output = output, .threads = 1}, .page = page};
    if (!serve_begin(&served)) {
        fprintf(stderr, "%s\n", served.error.text);
        return 1;
    }
    printf("seed %llu, %g minutes\n", (unsigned long long)seed, minutes);
    static Page pages[PAGES];
    for (int i = 0; i < PAGES; i++) {
        pages[i].served = &served;
        pages[i].random = 0x9e3779b97f4a7c15u * (seed + 1) + (uint64_t)i * 7919u + 1;
        pthread_create(&pages[i].thread, NULL, live, &pages[i]);
    }
    bool is_alive = true;
    for (double left = 60 * minutes; left > 0 && is_alive; left -= 10) {
        for (double second = 0; second < fmin(left, 10); second++) pause_for(1000);
        long messages = 0, visits = 0;
        for (int i = 0; i < PAGES; i++) {
            messages += atomic_load(&pages[i].messages);
            visits += atomic_load(&pages[i].visits);
        }
        long resident = resident_kilobytes();
        printf("%.0f s left: %ld visits, %ld messages, %ld MB\n", fmax(left - 10, 0), visits, messages,
               resident / 1024);
        fflush(stdout);
        is_alive = atomic_load(&served.stage) == 1 && resident < RESIDENT_MOST;
    }
    atomic_store(&is_late, true);
    for (int i = 0; i < PAGES; i++) pthread_join(pages[i].thread, NULL);
    mnStatus status = serve_end(&served);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    if (system(command) != 0) is_alive = false;
    puts(is_alive && status == MN_OK ? "done" : "FAILED");
    return is_alive && status == MN_OK ? 0 : 1;
}
