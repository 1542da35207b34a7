#include <string.h>

#include "io/bgeo.h"
#include "io/frame_columns.h"

enum { CHUNK = 1 << 16 };

static mnColumn column_of(const mnBgeoAttribute *attribute) {
    if (strcmp(attribute->name, "v") == 0) return attribute->size == 3 ? MN_COLUMN_VX : MN_COLUMN_COUNT;
    if (attribute->size != 1) return MN_COLUMN_COUNT;
    if (strcmp(attribute->name, "pscale") == 0) return MN_COLUMN_RADIUS;
    return mn_column_named(attribute->name, strlen(attribute->name));
}

static double number_at(const unsigned char *at, int type) {
    return type == MN_BGEO_FLOAT || type == MN_BGEO_VECTOR ? mn_bgeo_f32(at) : (double)(int32_t)mn_bgeo_u32(at);
}

static void take_point(mnFrameReader *reader, const mnBgeoHeader *header, const mnColumn *columns,
                       const unsigned char *record, int64_t i) {
    for (int axis = 0; axis < 3; axis++)
        mn_frame_set(reader, i, (mnColumn)(MN_COLUMN_X + axis), mn_bgeo_f32(record + 4 * axis));
    for (int a = 0; a < header->attribute_count; a++) {
        const mnBgeoAttribute *attribute = &header->attributes[a];
        for (int c = 0; columns[a] != MN_COLUMN_COUNT && c < attribute->size; c++)
            mn_frame_set(reader, i, (mnColumn)(columns[a] + c),
                         number_at(record + attribute->offset + 4 * c, attribute->type));
    }
}

static mnStatus read_points(mnFrameReader *reader, const mnBgeoHeader *header, mnError *error) {
    unsigned char buffer[CHUNK];
    mnColumn columns[MN_BGEO_ATTRIBUTES];
    for (int a = 0; a < header->attribute_count; a++) columns[a] = column_of(&header->attributes[a]);
    int64_t at_once = CHUNK / header->record;
    for (int64_t done = 0; done < header->points;) {
        int64_t now = header->points - done < at_once ? header->points - done : at_once;
        mnStatus status = mn_frame_bytes(reader, buffer, (size_t)(now * header->record), error);
        if (status != MN_OK) return status;
        for (int64_t k = 0; k < now; k++) take_point(reader, header, columns, buffer + k * header->record, done + k);
        done += now;
    }
    return MN_OK;
}

mnStatus mn_bgeo_read(mnFrameReader *reader, mnError *error) {
    mnBgeoHeader header;
    mnStatus status = mn_bgeo_header_read(reader->stream, reader->path, &header, error);
    if (status == MN_OK && header.record > CHUNK)
        status = mn_frame_broken(reader, error, "not a frame: each of its points takes %lld bytes",
                                 (long long)header.record);
    if (status == MN_OK) status = mn_frame_room(reader, header.points, header.record, error);
    if (status == MN_OK) status = read_points(reader, &header, error);
    if (status != MN_OK) return status;
    return mn_bgeo_end_read(reader->stream, reader->path, &header, &reader->frame->has_time, &reader->frame->time,
                            error);
}
