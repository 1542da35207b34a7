/* libFuzzer target for what pages say; not part of the build. Compile this file with studio/server/protocol.c, wire.c,
 * message.c and shot.c, src/scene/names.c and src/base/status.c, with clang -D_GNU_SOURCE
 * -fsanitize=fuzzer,address,undefined -Iinclude -Isrc -Istudio/server and -ljansson. */
#include "protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    mnStudioMessage message;
    mnError error = {0};
    mn_studio_parse((const char *)data, size, &message, &error);
    mn_studio_message_clear(&message);
    return 0;
}
