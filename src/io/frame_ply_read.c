#include <string.h>

#include "io/bytes.h"
#include "io/frame_columns.h"
#include "io/ply_header.h"

enum { CHUNK = 1 << 16 };

static mnStatus read_records(mnFrameReader *reader, const mnPlyHeader *header, mnError *error) {
    unsigned char buffer[CHUNK];
    mnColumn columns[MN_PLY_PROPERTIES];
    for (int k = 0; k < header->property_count; k++)
        columns[k] = mn_column_named(header->properties[k].name, strlen(header->properties[k].name));
    int64_t at_once = CHUNK / header->record;
    for (int64_t done = 0; done < header->vertices;) {
        int64_t now = header->vertices - done < at_once ? header->vertices - done : at_once;
        mnStatus status = mn_frame_bytes(reader, buffer, (size_t)(now * header->record), error);
        if (status != MN_OK) return status;
        for (int64_t i = 0; i < now; i++)
            for (int k = 0; k < header->property_count; k++)
                mn_frame_set(reader, done + i, columns[k],
                             mn_get_number(buffer + i * header->record + header->properties[k].offset,
                                           header->properties[k].kind, header->properties[k].bytes));
        done += now;
    }
    return MN_OK;
}

static bool has_places(const mnPlyHeader *header) {
    unsigned found = 0;
    for (int k = 0; k < header->property_count; k++) {
        mnColumn column = mn_column_named(header->properties[k].name, strlen(header->properties[k].name));
        if (column <= MN_COLUMN_Z) found |= 1u << column;
    }
    return found == 7;
}

mnStatus mn_ply_read(mnFrameReader *reader, mnError *error) {
    mnPlyHeader header;
    mnStatus status = mn_ply_header_read(reader->stream, reader->path, &header, error);
    if (status != MN_OK) return status;
    if (!header.is_binary || !header.has_records || header.record > CHUNK || !has_places(&header))
        return mn_frame_broken(reader, error,
                               "not a frame: its particles must be binary little-endian records that "
                               "begin the file and have x, y and z");
    if (header.faces > 0) return mn_frame_broken(reader, error, "a surface, not a frame of particles");
    reader->frame->has_time = header.has_time;
    reader->frame->time = header.time;
    status = mn_frame_room(reader, header.vertices, header.record, error);
    return status == MN_OK ? read_records(reader, &header, error) : status;
}
