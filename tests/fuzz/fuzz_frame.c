/* Frames of all formats. The first byte tells which, and whether it is of a run in 2D. */
#include "fuzz.h"
#include "io/frame_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    char path[64];
    mn_frame_name(path, 0, (mnFormat)(data[0] % MN_FORMAT_COUNT));
    FILE *stream = fmemopen((void *)(data + 1), size - 1, "rb");
    REQUIRE(stream);
    mnFrame frame = {0};
    mnError error = {0};
    mnStatus status = mn_frame_read_stream(stream, (int64_t)size - 1, path, data[0] & 0x80 ? 2 : 3, &frame, &error);
    fclose(stream);
    REQUIRE((status == MN_OK) == (error.text[0] == '\0') && (status == MN_OK) == (frame.memory != NULL));
    mnIdOrder order = {0};
    if (status == MN_OK) REQUIRE(mn_order_by_id(&order, &frame.particles, &error) == MN_OK);
    for (int64_t i = 1; i < frame.particles.count; i++)
        REQUIRE(frame.particles.id[order.index[i - 1]] <= frame.particles.id[order.index[i]]);
    mn_order_clear(&order);
    mn_frame_clear(&frame);
    return 0;
}
