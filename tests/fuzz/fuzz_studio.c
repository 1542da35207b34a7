/* What pages say to the studio. Scenes that they open and change are read as the server reads them. */
#include <string.h>

#include "document.h"
#include "fuzz.h"
#include "protocol.h"

static const char first_scene[] = "{\"spacing\": 0.001, \"fluids\": {\"a\": {\"bodies\": [{\"shape\": {\"kind\": "
                                  "\"sphere\", \"radius\": 0.004}}]}}}";

static void change_document(const mnStudioMessage *message) {
    mnDocument document = {0};
    json_t *known = json_array(); /* no mesh is */
    mnError error = {0};
    const bool is_open = message->verb == MN_STUDIO_OPEN;
    const char *text = is_open ? message->text : first_scene;
    mn_document_open(&document, text, message->name ? message->name : "page", NULL, known, &error);
    if (!is_open) mn_document_set(&document, message->path, message->value, known, &error);
    json_decref(mn_document_describe(&document, NULL, NULL, 0));
    mn_document_clear(&document);
    json_decref(known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mnStudioMessage message;
    mnError error = {0};
    mnStatus status = mn_studio_parse((const char *)data, size, &message, &error);
    REQUIRE((status == MN_OK) == (error.text[0] == '\0') && (status == MN_OK || message.code));
    if (status == MN_OK) {
        REQUIRE(message.verb < MN_STUDIO_VERBS && (message.verb != MN_STUDIO_SET || message.path));
        if (message.verb == MN_STUDIO_SET || (message.verb == MN_STUDIO_OPEN && message.text))
            change_document(&message);
    }
    mn_studio_message_clear(&message);
    return 0;
}
