/* What a page says to the studio. */
#include "fuzz.h"
#include "protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mnStudioMessage message;
    mnError error = {0};
    mnStatus status = mn_studio_parse((const char *)data, size, &message, &error);
    REQUIRE((status == MN_OK) == (message.code == NULL));
    REQUIRE(status == MN_OK || error.text[0]);
    mn_studio_message_clear(&message);
    return 0;
}
