/* From a JSON tree to the structs of meniscus/scene.h, guided by the table of keys.
 *
 * Reading never stops at a problem: it is noted and the field keeps its default, so that one pass finds everything. */
#ifndef MN_SCENE_READ_H
#define MN_SCENE_READ_H

#include <jansson.h>
#include <stdbool.h>

#include "scene/keys.h"
#include "scene/locate.h"
#include "scene/mend.h"
#include "scene/scene.h"
#include "scene/set.h"

/* Problems of one file that are told in full; the rest is counted. */
#define MN_PROBLEMS_TOLD 100

typedef struct mnReader {
    mnScene *scene; /* being filled */
    mnReport *report;
    const char *file;
    mnSource source; /* the file's text */
    const mnMends *mends;
    const mnSets *sets;
    json_t *fluids, *solids; /* the objects that hold them by name; NULL where there is none */
    int dimension;
    int depth;                          /* of objects being read */
    int told, errors;                   /* problems */
    int untold_errors, untold_warnings; /* of them */
    bool out_of_memory;
    const mnKey *target; /* what the schedule being read drives; NULL: unknown */
} mnReader;

/* Which place of the text a problem is shown at. */
typedef enum mnPlace { MN_PLACE_VALUE, MN_PLACE_KEY, MN_PLACE_HOLDER } mnPlace;

void mn_reader_problem(mnReader *reader, bool is_warning, mnPlace place, const mnPath *path, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/* The same for what is not JSON and begins at an offset of the text. */
void mn_reader_syntax(mnReader *reader, size_t offset, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Tells what was mended and not told because nothing had to read it, and how many problems were not told. */
void mn_reader_finish(mnReader *reader);

/* What a mended value was, as "NaN, which JSON does not know"; it counts as told. */
void mn_reader_mended(const mnReader *reader, mnMend *mend, char *text, size_t size);

/* Memory of the scene; notes when there is none. */
void *mn_reader_keep(mnReader *reader, size_t count, size_t size);

/* Reads one object and all it contains. `fields` is the struct of the object (or of its holder). */
void mn_read_object(mnReader *reader, mnObject object, const mnPath *path, const json_t *json, void *fields);

/* read_value.c: a value that is not made of objects, into its field. */
void mn_read_value(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json, void *fields);
/* Says that the type is wrong. */
void mn_read_wrong(mnReader *reader, const mnKey *key, const mnPath *path, const json_t *json);

/* read_names.c: what names something else in the scene. An index, or −1 after a problem. */
int mn_read_fluid_name(mnReader *reader, const mnPath *path, mnPlace place, const char *name);
void mn_read_target(mnReader *reader, const mnPath *path, const char *target, mnSchedule *schedule);
/* Whether the name can be a step of a path. */
bool mn_name_is_usable(const char *name);

/* read_check.c: what the table cannot say about one object by itself. */
void mn_read_check(mnReader *reader, mnObject object, const mnPath *path, const json_t *json, void *fields);

/* read_motion.c: tells of keyframes of a solid that are more than half a turn apart. */
void mn_read_motion(mnReader *reader, const mnPath *path, const json_t *json);

/* read_geometry.c: builds the shapes and starts the emitters of the scene, which was read and knows its folder, and
 * tells of all that fail. */
void mn_read_geometry(mnReader *reader);

#endif
