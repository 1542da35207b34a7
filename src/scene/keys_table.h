/* The rows themselves, apart from the questions that keys.h answers about them. */
#ifndef MN_SCENE_KEYS_TABLE_H
#define MN_SCENE_KEYS_TABLE_H

#include "scene/keys.h"

extern const mnKey mn_key_table[];
extern const int mn_key_table_count;
extern const mnObjectInfo mn_object_table[MN_OBJECT_COUNT];

#endif
