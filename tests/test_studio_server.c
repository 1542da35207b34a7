/* The studio as a browser sees it, and as one that means harm does. */
#include "folder_helpers.h"

#include <math.h>
#include <sys/stat.h>

#include "past.h"
#include "studio_client.h"

/* A drop on a floor in 2D, of a hundred particles: 20 steps to a frame, five frames. */
#define DROP(duration)                                                                                                 \
    "{\"title\": \"A drop\", \"dimension\": 2, \"spacing\": 0.0002, \"duration\": " duration ", \"fps\": 1000,\n"      \
    " \"time_step\": {\"fixed\": 5e-5},\n"                                                                             \
    " \"fluids\": {\"water\": {\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [0.002, 0.0014, 1],\n"           \
    "   \"translation\": [0, 0.0007, 0]}}]}},\n"                                                                       \
    " \"solids\": {\"floor\": {\"shape\": {\"kind\": \"plane\", \"size\": [0.006, 1]}, \"contact_angle\": 90},\n"      \
    "   \"lid\": {\"shape\": {\"kind\": \"box\", \"size\": [0.002, 0.001, 1], \"translation\": [0, 0.004, 0]},\n"      \
    "     \"motion\": [{\"time\": 0}, {\"time\": 1, \"translation\": [0, 1, 0]}]}}}\n"

static Served served;
static char page[300], scene_path[300], output[300];

static int begin(void **state) {
    if (make_folder(state) != 0) return -1;
    snprintf(page, sizeof page, "%s/page", folder);
    snprintf(scene_path, sizeof scene_path, "%s/drop.json", folder);
    snprintf(output, sizeof output, "%s/out", folder);
    mkdir(page, 0755);
    mkdir(path_of("page/assets"), 0755);
    write_text("page/index.html", "<!doctype html><title>studio</title>");
    write_text("page/assets/main.js", "start();");
    write_text("page/.hidden", "hidden");
    write_text("secret.txt", "secret");
    char link[320];
    snprintf(link, sizeof link, "%s/link.txt", page);
    if (symlink(path_of("secret.txt"), link) != 0) return -1;
    write_text("drop.json", DROP("0.005"));
    return 0;
}

static int end(void **state) {
    return remove_folder(state);
}

static mnStudioScene shipped[1];

/* A server of its own for every test. */
static int open_studio(void **state) {
    (void)state;
    shipped[0] = (mnStudioScene){.name = "drop", .title = "A drop", .path = scene_path};
    served = (Served){
        .desc = {.studio = {.scenes = shipped, .scene_count = 1, .output = output, .threads = 1}, .page = page}};
    return serve_begin(&served) ? 0 : -1;
}

static int close_studio(void **state) {
    (void)state;
    return serve_end(&served) == MN_OK ? 0 : -1;
}

static char answer[8192];

static int get(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A path with the token for each %s. */
static int get(const char *format, ...) {
    char path[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return http_request(&served, "GET", path, NULL, answer, sizeof answer);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void the_page_is_served(void **state) {
    (void)state;
    assert_int_equal(get("/%s/", served.token), 200);
    assert_non_null(strstr(answer, "<!doctype html><title>studio</title>"));
    static const char *const headers[] = {
        "content-type: text/html; charset=utf-8", "content-security-policy: default-src 'self'",
        "x-content-type-options: nosniff", "referrer-policy: no-referrer", "cache-control: no-store"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) assert_non_null(strstr(answer, headers[i]));
    assert_int_equal(get("/%s/index.html", served.token), 200);
    assert_int_equal(get("/%s/assets/main.js", served.token), 200);
    assert_non_null(strstr(answer, "content-type: text/javascript"));
    assert_non_null(strstr(answer, "start();"));
}

static void without_the_token_nothing_is_served(void **state) {
    (void)state;
    char wrong[64];
    snprintf(wrong, sizeof wrong, "%s", served.token);
    wrong[31] = wrong[31] == '0' ? '1' : '0';
    assert_int_equal(get("/"), 403);
    assert_int_equal(get("/index.html"), 403);
    assert_int_equal(get("/%s/", wrong), 403);
    assert_int_equal(get("/%s/index.html", wrong), 403);
    assert_int_equal(get("/%s", served.token), 403);
    assert_int_equal(get("/%s0/", served.token), 403);
    assert_int_equal(get("/%.31s/", served.token), 403);
}

static void foreign_names_of_this_machine_are_refused(void **state) {
    (void)state;
    char path[80], host[64];
    snprintf(path, sizeof path, "/%s/", served.token);
    snprintf(host, sizeof host, "localhost:%d", served.port);
    assert_int_equal(http_request(&served, "GET", path, host, answer, sizeof answer), 200);
    static const char *const foreign[] = {"evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "",
                                          "[::1]:80"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_int_not_equal(http_request(&served, "GET", path, foreign[i], answer, sizeof answer), 200);
    snprintf(host, sizeof host, "127.0.0.1:%d.evil.example", served.port);
    assert_int_equal(http_request(&served, "GET", path, host, answer, sizeof answer), 403);
    char request[128];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n\r\n", path);
    assert_int_not_equal(http_raw(served.port, request, (size_t)length, answer, sizeof answer), 200);
}

static void no_path_leads_out_of_the_page(void **state) {
    (void)state;
    static const char *const paths[] = {
        "../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "%2e%2e%2fsecret.txt",
        "..\\secret.txt",
        "%2e%2e%5csecret.txt",
        "%252e%252e/secret.txt",
        "assets/../../secret.txt",
        "....//secret.txt",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "index.html%00.png",
        "assets%00/main.js",
        "link.txt",
        ".hidden",
        "assets",
        "assets/",
        "scenes/drop.png",
        "INDEX.HTML",
        "%c0%ae%c0%ae/secret.txt",
        "..;/secret.txt",
        "index.html/",
        "live",
        "~root",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int code = get("/%s/%s", served.token, paths[i]);
        if (code == 200) fail_msg("%s was served: %s", paths[i], answer);
        assert_null(strstr(answer, "secret\n"));
        assert_null(strstr(answer, "root:"));
    }
    assert_int_not_equal(get("/%s/../%s/../../secret.txt", served.token, served.token), 200);
    assert_int_equal(get("/%s/", served.token), 200);
}

static void only_get_is_answered(void **state) {
    (void)state;
    char path[80];
    snprintf(path, sizeof path, "/%s/", served.token);
    static const char *const methods[] = {"POST",  "PUT",   "DELETE",  "HEAD", "OPTIONS",
                                          "PATCH", "TRACE", "CONNECT", "GOT"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        int code = http_request(&served, methods[i], path, NULL, answer, sizeof answer);
        if (code == 200) fail_msg("%s was answered", methods[i]);
    }
    static char endless[40000];
    memset(endless, 'a', sizeof endless - 1);
    assert_int_not_equal(http_raw(served.port, endless, sizeof endless - 1, answer, sizeof answer), 200);
    assert_int_not_equal(http_raw(served.port, "\0\1\2\3\r\n\r\n", 8, answer, sizeof answer), 200);
    assert_int_equal(get("/%s/", served.token), 200);
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static void a_foreign_page_does_not_connect(void **state) {
    (void)state;
    Client client;
    char with_port[64];
    snprintf(with_port, sizeof with_port, "evil.example:%d", served.port);
    const Handshake wrong[] = {
        {.token = "00000000000000000000000000000000"},
        {.token = "x"},
        {.path = "other"},
        {.path = ""},
        {.host = "evil.example"},
        {.host = with_port},
        {.origin = "evil.example"},
        {.origin = with_port},
        {.origin = "127.0.0.1"},
        {.origin = "127.0.0.1:1"},
        {.has_no_origin = true},
        {.protocol = "http"},
        {.protocol = "other"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (ws_connect(&served, &wrong[i], &client) == 101) fail_msg("handshake %zu was accepted", i);
    assert_int_equal(ws_connect(&served, NULL, &client), 101);
    ws_end(&client);
}

static Client join(void) {
    Client client;
    assert_int_equal(ws_connect(&served, NULL, &client), 101);
    json_t *hello = ws_wait(&client, "hello");
    assert_non_null(hello);
    json_decref(hello);
    return client;
}

static const char *text_in(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

static double number_in(const json_t *json, const char *key) {
    return json_number_value(json_object_get(json, key));
}

/* The code of the answer to a message, which is an error. */
static void expect_error(Client *client, const char *message, const char *code) {
    ws_say(client, message);
    json_t *error = ws_wait(client, "error");
    assert_non_null(error);
    assert_string_equal(text_in(error, "code"), code);
    assert_true(*text_in(error, "text"));
    json_decref(error);
}

static void wait_for_state(Client *client, const char *state) {
    for (;;) {
        json_t *message = ws_wait(client, "state");
        assert_non_null(message);
        bool is_it = strcmp(text_in(message, "state"), state) == 0;
        json_decref(message);
        if (is_it) return;
    }
}

static void what_is_no_message_is_refused(void **state) {
    (void)state;
    Client client = join();
    static const char *const wrong[][2] = {
        {"", "malformed"},
        {"{", "malformed"},
        {"[]", "malformed"},
        {"null", "malformed"},
        {"{\"type\": 1}", "malformed"},
        {"{\"type\": \"run\", \"type\": \"stop\"}", "malformed"},
        {"{\"type\": \"run\"} x", "malformed"},
        {"{\"type\": \"explode\"}", "unknown"},
        {"{\"type\": \"run\", \"now\": true}", "unknown"},
        {"{\"type\": \"field\", \"name\": \"colour\"}", "unknown"},
        {"{\"type\": \"field\"}", "malformed"},
        {"{\"type\": \"open\"}", "malformed"},
        {"{\"type\": \"open\", \"scene\": \"drop\", \"run\": true}", "malformed"},
        {"{\"type\": \"frame\", \"number\": -1}", "malformed"},
        {"{\"type\": \"frame\", \"number\": 0.5}", "malformed"},
        {"{\"type\": \"steer\", \"path\": \"gravity\", \"value\": \"up\"}", "malformed"},
        {"{\"type\": \"pick\", \"id\": 1e300}", "malformed"},
        {"{\"type\": \"\\u0000\"}", "malformed"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) expect_error(&client, wrong[i][0], wrong[i][1]);
    /* One that is right begins the count anew. */
    ws_say(&client, "{\"type\": \"field\", \"name\": \"phase\"}");
    for (int i = 0; i < MN_REFUSED_MOST - 1; i++) expect_error(&client, "{", "malformed");
    ws_say(&client, "{");
    assert_int_equal(ws_closed(&client), 1008);
    ws_end(&client);
}

static void what_is_too_much_is_not_taken(void **state) {
    (void)state;
    Client client = join();
    size_t length = MN_INCOMING_MOST + 1;
    char *large = malloc(length);
    memset(large, ' ', length);
    ws_send_frame(&client, 0x80 | WS_TEXT, large, length);
    assert_int_equal(ws_closed(&client), 1009);
    ws_end(&client);
    /* The same in pieces. */
    client = join();
    for (size_t piece = 0; piece < 20; piece++)
        if (!ws_send_frame(&client, piece ? 0 : WS_TEXT, large, length / 16)) break;
    assert_int_equal(ws_closed(&client), 1009);
    ws_end(&client);
    /* What is just small enough is a message. */
    client = join();
    memcpy(large, "{\"type\": \"save\"}", 16);
    ws_send_frame(&client, 0x80 | WS_TEXT, large, MN_INCOMING_MOST);
    json_t *error = ws_wait(&client, "error");
    assert_string_equal(text_in(error, "code"), "state");
    json_decref(error);
    ws_end(&client);
    free(large);
    client = join();
    ws_send_frame(&client, 0x80 | WS_BINARY, "{\"type\": \"save\"}", 16);
    assert_int_equal(ws_closed(&client), 1003);
    ws_end(&client);
    client = join();
    for (int i = 0; i < 2 * MN_MESSAGES_MOST; i++)
        if (!ws_say(&client, "{\"type\": \"field\", \"name\": \"phase\"}")) break;
    /* What it still says then may keep it from hearing why. */
    int code = ws_closed(&client);
    assert_true(code == 1008 || code == 1006);
    ws_end(&client);
    client = join();
    ws_end(&client);
}

static void there_is_room_for_so_many(void **state) {
    (void)state;
    Client clients[MN_CONNECTIONS_MOST], one_more;
    for (int i = 0; i < MN_CONNECTIONS_MOST; i++) clients[i] = join();
    assert_int_equal(ws_connect(&served, NULL, &one_more), 101);
    assert_int_equal(ws_closed(&one_more), 1013);
    ws_end(&one_more);
    for (int i = 0; i < MN_CONNECTIONS_MOST; i++) ws_end(&clients[i]);
    /* Those that are gone make room, soon. */
    for (int code = 1013; code == 1013;) {
        Client again;
        assert_int_equal(ws_connect(&served, NULL, &again), 101);
        json_t *hello = ws_wait(&again, "hello");
        code = hello ? 0 : again.closed;
        json_decref(hello);
        ws_end(&again);
    }
}

static bool waits_to_steer(Client *client, bool *is_taken) {
    json_t *role = ws_wait(client, "role");
    assert_non_null(role);
    bool steers = json_is_true(json_object_get(role, "steers"));
    *is_taken = json_is_true(json_object_get(role, "taken"));
    json_decref(role);
    return steers;
}

static void one_steers(void **state) {
    (void)state;
    bool is_taken;
    Client first = join();
    assert_true(waits_to_steer(&first, &is_taken));
    Client second = join();
    assert_false(waits_to_steer(&second, &is_taken));
    assert_true(is_taken);
    static const char *const steering[] = {"{\"type\": \"open\", \"scene\": \"drop\"}",
                                           "{\"type\": \"set\", \"path\": \"duration\", \"value\": 1}",
                                           "{\"type\": \"run\"}",
                                           "{\"type\": \"pause\"}",
                                           "{\"type\": \"step\"}",
                                           "{\"type\": \"stop\"}",
                                           "{\"type\": \"restart\"}",
                                           "{\"type\": \"steer\", \"path\": \"gravity\", \"value\": [0, 0, 0]}"};
    for (size_t i = 0; i < sizeof steering / sizeof *steering; i++) expect_error(&second, steering[i], "not_steering");
    expect_error(&second, "{\"type\": \"take\"}", "refused");
    ws_say(&first, "{\"type\": \"release\"}");
    while (is_taken) assert_false(waits_to_steer(&second, &is_taken));
    ws_say(&second, "{\"type\": \"take\"}");
    assert_true(waits_to_steer(&second, &is_taken));
    expect_error(&first, steering[0], "not_steering");
    ws_say(&second, steering[0]);
    json_t *scene = ws_wait(&first, "scene");
    assert_string_equal(text_in(scene, "name"), "drop");
    json_decref(scene);
    /* Whoever leaves steers no more. */
    ws_end(&second);
    do assert_false(waits_to_steer(&first, &is_taken));
    while (is_taken);
    ws_end(&first);
}

/* ---- scenes and runs --------------------------------------------------------------------------------------------- */

static void scenes_are_checked(void **state) {
    (void)state;
    Client client = join();
    expect_error(&client, "{\"type\": \"run\"}", "state");
    expect_error(&client, "{\"type\": \"save\"}", "state");
    expect_error(&client, "{\"type\": \"open\", \"scene\": \"nothing\"}", "refused");
    expect_error(&client, "{\"type\": \"open\", \"scene\": \"../secret\"}", "refused");
    expect_error(&client, "{\"type\": \"open\", \"run\": true}", "refused");
    json_t *open = json_pack("{s:s,s:s,s:s}", "type", "open", "name", "../../a b.json", "text",
                             "{\"spacing\": 1e-4,\n \"fluids\": {\"water\": {\"densty\": 1, \"bodies\": "
                             "[{\"shape\": {\"kind\": \"sphere\", \"radius\": 1e-3}}]}}}");
    char *text = json_dumps(open, 0);
    ws_say(&client, text);
    json_t *scene = ws_wait(&client, "scene"), *problem = json_array_get(json_object_get(scene, "problems"), 0);
    assert_true(json_is_false(json_object_get(scene, "ok")));
    assert_string_equal(text_in(scene, "name"), "a_b");
    assert_string_equal(text_in(problem, "path"), "fluids.water.densty");
    assert_int_equal(number_in(problem, "line"), 2);
    assert_non_null(strstr(text_in(problem, "text"), "density"));
    json_decref(scene);
    expect_error(&client, "{\"type\": \"run\"}", "refused");
    expect_error(&client, "{\"type\": \"set\", \"path\": \"fluids.water.viscosty\"}", "refused");
    ws_say(&client, "{\"type\": \"set\", \"path\": \"fluids.water.densty\"}");
    scene = ws_wait(&client, "scene");
    assert_true(json_is_true(json_object_get(scene, "ok")));
    assert_int_equal(number_in(scene, "dimension"), 3);
    json_decref(scene);
    ws_say(&client, "{\"type\": \"set\", \"path\": \"fluids.water.density\", \"value\": -3}");
    scene = ws_wait(&client, "scene");
    problem = json_array_get(json_object_get(scene, "problems"), 0);
    assert_string_equal(text_in(problem, "path"), "fluids.water.density");
    json_decref(scene);
    /* Files of this machine are not looked at for pages. */
    expect_error(&client,
                 "{\"type\": \"set\", \"path\": \"fluids.water.bodies.0.shape\", \"value\": {\"kind\": \"mesh\", "
                 "\"path\": \"/etc/passwd\"}}",
                 "refused");
    json_object_set_new(open, "text",
                        json_string("{\"spacing\": 1, \"fluids\": {\"a\": {\"bodies\": [{\"shape\": {\"kind\": "
                                    "\"mesh\", \"path\": \"a.obj\"}}]}}}"));
    free(text);
    text = json_dumps(open, 0);
    expect_error(&client, text, "refused");
    free(text);
    json_decref(open);
    ws_end(&client);
}

/* The particles of the next picture. */
typedef struct Picture {
    uint32_t sequence, count;
    double time;
    int64_t step, frame;
    float lower[3], upper[3];
} Picture;

static Picture next_picture(Client *client) {
    for (;;) {
        Received received = ws_receive(client);
        assert_int_not_equal(received.kind, WS_CLOSE);
        Picture picture = {0};
        bool is_it = received.kind == WS_BINARY && received.bytes[4] == 1;
        if (is_it) {
            assert_memory_equal(received.bytes, "SMN1", 4);
            memcpy(&picture.sequence, received.bytes + 8, 4);
            memcpy(&picture.count, received.bytes + 12, 4);
            memcpy(&picture.time, received.bytes + 16, 8);
            memcpy(&picture.step, received.bytes + 24, 8);
            memcpy(&picture.frame, received.bytes + 32, 8);
            memcpy(picture.lower, received.bytes + 40, 12);
            memcpy(picture.upper, received.bytes + 52, 12);
            size_t count = picture.count, expected = 80 + (6 * count + 3) / 4 * 4 + (2 * count + 3) / 4 * 4;
            assert_int_equal(received.length, expected + 4 * count + (count + 3) / 4 * 4);
        }
        free(received.bytes);
        if (is_it) return picture;
    }
}

static void drawn(Client *client, Picture picture) {
    char text[64];
    snprintf(text, sizeof text, "{\"type\": \"ack\", \"sequence\": %u}", picture.sequence);
    ws_say(client, text);
}

/* Before anything runs there is something to look at, and a change of the scene is seen. */
static void the_start_is_shown(void **state) {
    (void)state;
    Client client = join();
    ws_say(&client, "{\"type\": \"open\", \"scene\": \"drop\"}");
    Picture picture = next_picture(&client);
    assert_true(picture.time == 0 && picture.step == 0 && picture.frame == -1);
    assert_int_equal(picture.count, 70);
    drawn(&client, picture);
    ws_say(&client, "{\"type\": \"set\", \"path\": \"fluids.water.bodies.0.shape.size.0\", \"value\": 0.001}");
    do {
        picture = next_picture(&client);
        drawn(&client, picture);
    } while (picture.count == 70);
    assert_true(picture.time == 0 && picture.count > 10 && picture.count < 70);
    ws_end(&client);
}

static void a_run_is_watched_to_its_end(void **state) {
    (void)state;
    Client client = join(), late;
    ws_say(&client, "{\"type\": \"open\", \"scene\": \"drop\"}");
    wait_for_state(&client, "ready");
    ws_say(&client, "{\"type\": \"step\"}");
    wait_for_state(&client, "paused");
    ws_say(&client, "{\"type\": \"field\", \"name\": \"pressure\"}"); /* has it sent again */
    Picture picture = next_picture(&client);
    while (picture.step != 1) {
        drawn(&client, picture);
        picture = next_picture(&client);
    }
    assert_int_equal(picture.frame, -1);
    assert_int_equal(picture.count, 70);
    assert_true(picture.lower[0] < -0.0008f && picture.upper[0] > 0.0008f && picture.upper[2] == 0);
    ws_say(&client, "{\"type\": \"pick\", \"id\": 3}");
    json_t *particle = ws_wait(&client, "particle");
    assert_true(json_is_true(json_object_get(particle, "found")));
    assert_string_equal(text_in(particle, "fluid"), "water");
    assert_true(number_in(particle, "speed") > 0);
    json_decref(particle);
    ws_say(&client, "{\"type\": \"pick\", \"id\": 70}");
    particle = ws_wait(&client, "particle");
    assert_true(json_is_false(json_object_get(particle, "found")));
    json_decref(particle);
    expect_error(&client, "{\"type\": \"set\", \"path\": \"duration\", \"value\": 1}", "state");
    expect_error(&client, "{\"type\": \"steer\", \"path\": \"solids.floor.slip\", \"value\": 1}", "refused");
    ws_say(&client, "{\"type\": \"steer\", \"path\": \"solids.floor.friction\", \"value\": -1}");
    json_t *refusal = ws_wait(&client, "error");
    assert_string_equal(text_in(refusal, "code"), "refused");
    assert_string_equal(text_in(refusal, "path"), "solids.floor.friction");
    json_decref(refusal);
    ws_say(&client, "{\"type\": \"steer\", \"path\": \"solids.floor.friction\", \"value\": 0.5}");
    json_t *scene = ws_wait(&client, "scene");
    assert_non_null(strstr(text_in(scene, "text"), "solids.floor.friction"));
    json_decref(scene);
    ws_say(&client, "{\"type\": \"run\"}");
    drawn(&client, picture);
    wait_for_state(&client, "done");
    expect_error(&client, "{\"type\": \"run\"}", "state");
    expect_error(&client, "{\"type\": \"frame\", \"number\": 6}", "refused");
    ws_say(&client, "{\"type\": \"frame\", \"number\": 2}");
    do {
        picture = next_picture(&client);
        drawn(&client, picture);
    } while (picture.frame != 2);
    assert_true(picture.time > 0.00195 && picture.time < 0.00205);
    /* One that comes late sees the end, and all that led there. */
    late = join();
    scene = ws_wait(&late, "scene");
    json_t *marks = json_object_get(scene, "marks"), *mark = json_array_get(marks, 0);
    assert_int_equal(json_array_size(marks), 1);
    assert_string_equal(text_in(mark, "path"), "solids.floor.friction");
    assert_true(number_in(mark, "value") == 0.5);
    assert_true(fabs(number_in(mark, "time") - 5e-5) < 1e-12);
    json_decref(scene);
    json_t *points = ws_wait(&late, "points");
    assert_true(json_is_true(json_object_get(points, "first")));
    assert_int_equal(json_array_size(json_object_get(points, "rows")), 101);
    json_decref(points);
    picture = next_picture(&late);
    assert_int_equal(picture.step, 100);
    ws_end(&late);
    ws_say(&client, "{\"type\": \"save\"}");
    json_t *text = ws_wait(&client, "text");
    assert_string_equal(text_in(text, "name"), "drop.json");
    assert_non_null(strstr(text_in(text, "text"), "schedules"));
    json_decref(text);
    /* Starting over forgets what was steered. */
    ws_say(&client, "{\"type\": \"restart\"}");
    scene = ws_wait(&client, "scene");
    assert_null(strstr(text_in(scene, "text"), "schedules"));
    json_decref(scene);
    wait_for_state(&client, "done");
    ws_end(&client);
}

static void a_finished_run_is_looked_through(void **state) {
    (void)state;
    /* The run of the test before. */
    serve_end(&served);
    served = (Served){.desc = {.studio = {.run = output, .threads = 1}, .page = page}};
    assert_true(serve_begin(&served));
    Client client = join();
    json_t *message = ws_wait(&client, "state");
    assert_string_equal(text_in(message, "state"), "done");
    assert_int_equal(number_in(message, "frames"), 6);
    assert_true(fabs(number_in(message, "time") - 0.005) < 1e-9);
    assert_int_equal(number_in(message, "step"), 100);
    assert_int_equal(number_in(message, "particles"), 70);
    assert_true(number_in(message, "boundary") > 0);
    json_decref(message);
    /* Its series comes as the rows of a live run do: one for each frame. */
    message = ws_wait(&client, "points");
    json_t *rows = json_object_get(message, "rows"), *last = json_array_get(rows, 5);
    assert_true(json_is_true(json_object_get(message, "first")));
    assert_int_equal(json_array_size(rows), 6);
    assert_int_equal(json_array_size(last), MN_CHART_COLUMNS);
    assert_true(json_number_value(json_array_get(last, MN_CHART_KINETIC)) > 0);
    assert_true(json_number_value(json_array_get(last, MN_CHART_DT)) > 0);
    for (size_t c = 0; c < MN_CHART_COLUMNS; c++) /* a series has them all but one */
        assert_true(json_is_null(json_array_get(last, c)) == (c == MN_CHART_CORE_PRESSURE));
    assert_true(json_is_null(json_array_get(json_array_get(rows, 0), MN_CHART_DT)));
    json_decref(message);
    Picture picture = next_picture(&client);
    assert_int_equal(picture.frame, 5);
    drawn(&client, picture);
    ws_say(&client, "{\"type\": \"frame\", \"number\": 0}");
    picture = next_picture(&client);
    assert_true(picture.frame == 0 && picture.time == 0 && picture.step == -1);
    drawn(&client, picture);
    /* One that has gone is told, and those after it are there. */
    char frames[320], moved[340];
    snprintf(frames, sizeof frames, "%s/frames", output);
    snprintf(moved, sizeof moved, "%s_moved", frames);
    assert_int_equal(rename(frames, moved), 0);
    ws_say(&client, "{\"type\": \"frame\", \"number\": 3}");
    message = ws_wait(&client, "error");
    assert_string_equal(text_in(message, "code"), "file");
    assert_int_equal(number_in(message, "frame"), 3);
    json_decref(message);
    assert_int_equal(rename(moved, frames), 0);
    ws_say(&client, "{\"type\": \"frame\", \"number\": 4}");
    assert_int_equal(next_picture(&client).frame, 4);
    ws_end(&client);
}

/* What a page is told of a run whose series is broken, which is shown all the same. */
static void a_broken_series_is_told(void **state) {
    (void)state;
    serve_end(&served);
    char series[320];
    snprintf(series, sizeof series, "%s/series.csv", output);
    FILE *file = fopen(series, "ab");
    assert_non_null(file);
    fputs("6,0.006,12", file);
    fclose(file);
    served = (Served){.desc = {.studio = {.run = output, .threads = 1}, .page = page}};
    assert_true(serve_begin(&served));
    Client client = join();
    json_t *message = ws_wait(&client, "error");
    assert_string_equal(text_in(message, "code"), "file");
    assert_non_null(strstr(text_in(message, "text"), "row 7 of "));
    json_decref(message);
    message = ws_wait(&client, "points");
    assert_int_equal(json_array_size(json_object_get(message, "rows")), 6);
    json_decref(message);
    assert_int_equal(next_picture(&client).frame, 5);
    ws_end(&client);
}

/* How many rows are taken of a series with this text; `notice` is part of what is told, NULL: nothing is. */
static int rows_of(const char *text, const char *notice) {
    static mnPast past;
    write_text("series.csv", text);
    mn_past_read(&past, folder);
    if (notice)
        assert_non_null(strstr(past.notice.text, notice));
    else
        assert_string_equal(past.notice.text, "");
    return past.chart.count;
}

static void a_hostile_series_does_no_harm(void **state) {
    (void)state;
    static mnPast past;
    assert_int_equal(rows_of("time [s],step\n0,0\n1,5\n", NULL), 2);
    assert_int_equal(rows_of("other,step,time\r\n7,0,0\r\n", NULL), 1);
    assert_int_equal(rows_of("time\n", NULL), 0);
    assert_int_equal(rows_of("", "not the series"), 0);
    assert_int_equal(rows_of("time", "not the series"), 0);
    assert_int_equal(rows_of("frame,step\n0,0\n", "not the series"), 0);
    assert_int_equal(rows_of("time,step\n0,0\n1\n2,2\n", "row 2 "), 1);
    assert_int_equal(rows_of("time,step\n0,0\n1,1,1\n", "row 2 "), 1);
    assert_int_equal(rows_of("time,step\n0,0\n1,x\n", "row 2 "), 1);
    assert_int_equal(rows_of("time,step\n0,0\n1,1", "row 2 "), 1);
    assert_int_equal(rows_of("time,step\n0,0\nnan,1\n", "row 2 "), 1);
    assert_int_equal(rows_of("time,step\n1,0\n0.5,1\n", "row 2 "), 1);
    assert_int_equal(rows_of("time,step,particles_fluid\n0,1e300,-5\n", NULL), 1);
    static char wide[20000];
    memset(wide, '1', sizeof wide - 1);
    assert_int_equal(rows_of(wide, "not the series"), 0);
    memset(wide, ',', sizeof wide - 1);
    memcpy(wide, "time", 4);
    assert_int_equal(rows_of(wide, "not the series"), 0);
    memset(wide, '1', sizeof wide - 1);
    memcpy(wide, "time\n", 5);
    assert_int_equal(rows_of(wide, "row 1 "), 0);
    /* Too many rows are thinned, without a hole of a hundredth of the way. */
    FILE *file = fopen(path_of("series.csv"), "wb");
    fputs("time,energy_kinetic\n", file);
    for (int i = 0; i < 20000; i++) fprintf(file, "%d,1\n", i);
    fclose(file);
    mn_past_read(&past, folder);
    assert_string_equal(past.notice.text, "");
    assert_in_range(past.chart.count, MN_CHART_ROWS / 2, MN_CHART_ROWS);
    assert_true(past.end.time == 19999 && past.chart.rows[past.chart.count - 1].value[MN_CHART_TIME] == 19999);
    for (int i = 1; i < past.chart.count; i++)
        assert_true(past.chart.rows[i].value[MN_CHART_TIME] - past.chart.rows[i - 1].value[MN_CHART_TIME] < 200);
    /* Neither a large file, nor a pipe, nor none. */
    assert_int_equal(truncate(path_of("series.csv"), ((off_t)64 << 20) + 1), 0);
    mn_past_read(&past, folder);
    assert_non_null(strstr(past.notice.text, "larger than 64 MiB"));
    assert_int_equal(past.chart.count, 0);
    remove(path_of("series.csv"));
    assert_int_equal(mkfifo(path_of("series.csv"), 0600), 0);
    mn_past_read(&past, folder);
    assert_non_null(strstr(past.notice.text, "not a plain file"));
    remove(path_of("series.csv"));
    mn_past_read(&past, folder);
    assert_non_null(strstr(past.notice.text, "cannot read"));
}

/* A page that never reads, while another watches a run of thousands of steps. */
static void whoever_does_not_read_stops_nobody(void **state) {
    (void)state;
    write_text("drop.json", DROP("0.1"));
    Client client = join(), deaf = join();
    int small = 4096;
    setsockopt(deaf.socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    ws_say(&client, "{\"type\": \"open\", \"scene\": \"drop\"}");
    wait_for_state(&client, "ready");
    ws_say(&client, "{\"type\": \"run\"}");
    wait_for_state(&client, "done");
    ws_end(&client);
    ws_end(&deaf);
    write_text("drop.json", DROP("0.005"));
}

static void nobody(void *context) {
    (void)context;
}

/* Takes all that waits; how many messages that were, and whether one of them has the text in it. */
static int take_all(mnConnection *connection, const char *text, bool *has_it) {
    int count = 0;
    for (const mnMessage *message; (message = mn_connection_next(connection)); count++) {
        char *copy = strndup((const char *)message->bytes, message->length);
        if (!message->is_binary && strstr(copy, text)) *has_it = true;
        free(copy);
        mn_connection_sent(connection, message->length);
    }
    return count;
}

/* The same without sockets: of a whole run next to nothing waits for a page that has not yet read what was said. */
static void what_waits_for_whoever_does_not_read_is_little(void **state) {
    (void)state;
    mnStudioDesc desc = {.scene = scene_path, .output = output, .threads = 1};
    mnStudio *studio;
    bool is_done = false;
    double clock = 1;
    assert_int_equal(mn_studio_create(&desc, nobody, NULL, &studio, NULL), MN_OK);
    mnConnection *deaf = mn_studio_join(studio), *other = mn_studio_join(studio);
    take_all(deaf, "", &is_done);
    mn_studio_tick(studio, clock);
    take_all(deaf, "", &is_done);
    mn_connection_send(deaf, mn_message_new(MN_WAITING_MOST / 4, false));
    mn_studio_receive(studio, deaf, "{\"type\": \"run\"}", 15);
    for (is_done = false; !is_done; clock += 1) {
        mn_studio_tick(studio, clock);
        take_all(other, "\"state\":\"done\"", &is_done);
        rest();
    }
    assert_int_equal(deaf->closing, MN_CLOSING_NOT);
    assert_in_range(take_all(deaf, "", &is_done), 1, 3); /* what was there, and a frame with its poses */
    mn_studio_end(studio);
    mn_studio_leave(studio, deaf);
    mn_studio_destroy(studio);
}

/* Nor of scene after scene: their triangles may be large. */
static void solids_do_not_pile_up(void **state) {
    (void)state;
    mnStudioDesc desc = {.scene = scene_path, .output = output, .threads = 1};
    mnStudio *studio;
    bool has_last = false;
    assert_int_equal(mn_studio_create(&desc, nobody, NULL, &studio, NULL), MN_OK);
    mnConnection *deaf = mn_studio_join(studio);
    take_all(deaf, "", &has_last);
    for (int i = 1; i <= 100; i++) {
        char message[80];
        snprintf(message, sizeof message, "{\"type\": \"set\", \"path\": \"duration\", \"value\": %d}", i);
        mn_studio_receive(studio, deaf, message, strlen(message));
        mn_studio_tick(studio, i);
    }
    /* A scene with its solids and their poses, and its state; where its start is ready by then, that and its poses. */
    assert_in_range(take_all(deaf, "", &has_last), 3, 7);
    mn_studio_tick(studio, 101);
    has_last = false;
    take_all(deaf, "\"duration\":100", &has_last);
    assert_true(has_last);
    mn_studio_leave(studio, deaf);
    mn_studio_destroy(studio);
}

static void the_end_of_the_studio_ends_a_run_in_good_order(void **state) {
    (void)state;
    char command[400];
    write_text("drop.json", DROP("1000"));
    Client client = join();
    ws_say(&client, "{\"type\": \"open\", \"scene\": \"drop\"}");
    ws_say(&client, "{\"type\": \"run\"}");
    wait_for_state(&client, "running");
    assert_int_equal(serve_end(&served), MN_OK);
    snprintf(command, sizeof command, "grep -q '\"status\": \"interrupted\"' '%s/summary.json'", output);
    assert_int_equal(system(command), 0);
    ws_end(&client);
    write_text("drop.json", DROP("0.005"));
    assert_int_equal(open_studio(state), 0);
}

static void what_keeps_it_from_serving_is_told(void **state) {
    (void)state;
    Served other = {.desc = {.page = page, .port = served.port}};
    assert_false(serve_begin(&other));
    serve_end(&other);
    assert_non_null(strstr(other.error.text, "cannot listen on port"));
    assert_non_null(strstr(other.error.text, "in use"));
    other = (Served){.desc = {.page = path_of("nowhere")}};
    assert_false(serve_begin(&other));
    serve_end(&other);
    assert_non_null(strstr(other.error.text, "nowhere"));
    other = (Served){.desc = {.page = page, .studio.scene = path_of("nothing.json")}};
    assert_false(serve_begin(&other));
    serve_end(&other);
    assert_non_null(strstr(other.error.text, "nothing.json"));
    other = (Served){.desc = {.page = page, .studio.run = page}};
    assert_false(serve_begin(&other));
    serve_end(&other);
    assert_non_null(strstr(other.error.text, "has no frames"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_studio, close_studio)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_page_is_served),
        TEST(without_the_token_nothing_is_served),
        TEST(foreign_names_of_this_machine_are_refused),
        TEST(no_path_leads_out_of_the_page),
        TEST(only_get_is_answered),
        TEST(a_foreign_page_does_not_connect),
        TEST(what_is_no_message_is_refused),
        TEST(what_is_too_much_is_not_taken),
        TEST(there_is_room_for_so_many),
        TEST(one_steers),
        TEST(scenes_are_checked),
        TEST(the_start_is_shown),
        TEST(a_run_is_watched_to_its_end),
        TEST(a_finished_run_is_looked_through),
        TEST(a_broken_series_is_told),
        TEST(a_hostile_series_does_no_harm),
        TEST(whoever_does_not_read_stops_nobody),
        TEST(what_waits_for_whoever_does_not_read_is_little),
        TEST(solids_do_not_pile_up),
        TEST(the_end_of_the_studio_ends_a_run_in_good_order),
        TEST(what_keeps_it_from_serving_is_told),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
