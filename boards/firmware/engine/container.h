/* The flatbuffer container, read in place: every access is checked against the file's length.
 *
 * Rules followed, from flatbuffers' internals document: the first 4 bytes are the root table's
 * position; a table starts with a signed 32-bit distance back to its vtable; a vtable holds
 * uint16: its own size, the table's size, then one offset a field (0: absent); a reference is an
 * unsigned 32-bit distance from where it is stored; a vector is a 32-bit count and its elements.
 *
 * Bytes are read one by one, so nothing here asks for alignment. Readers return false after
 * recording what is wrong; the first fault stays.
 */
#ifndef ENGINE_CONTAINER_H
#define ENGINE_CONTAINER_H

#include "engine.h"

typedef struct {
  const uint8_t *data;
  uint32_t size;
  engine_error *error;
} container;

typedef struct {
  uint32_t position;
  uint32_t vtable;
  uint16_t vtable_size;
  uint16_t size;
} container_table;

typedef struct {
  uint32_t position; /* of the count; 0 for an absent vector */
  uint32_t first;    /* of element 0 */
  uint32_t count;
} container_vector;

/* Records an error (unless there is one already) and returns false, to be returned in turn. */
bool container_fail(const container *c, engine_status status, uint32_t position, int64_t expected,
                    int64_t got, const char *text);

bool container_root(const container *c, container_table *root);
bool container_table_at(const container *c, uint32_t position, container_table *t);

/* Scalars at a position that a vector or table has vouched for; 0 outside the file. */
uint8_t container_byte(const container *c, uint32_t position);
uint32_t container_word(const container *c, uint32_t position);
uint64_t container_double_word(const container *c, uint32_t position);

/* Scalar fields: `fallback` where the field is absent. */
bool container_field_u8(const container *c, const container_table *t, uint32_t slot,
                        uint8_t fallback, uint8_t *value);
bool container_field_i32(const container *c, const container_table *t, uint32_t slot,
                         int32_t fallback, int32_t *value);
bool container_field_u64(const container *c, const container_table *t, uint32_t slot,
                         uint64_t fallback, uint64_t *value);

/* Where a scalar field of `width` bytes lies; 0 where it is absent. */
bool container_field_position(const container *c, const container_table *t, uint32_t slot,
                              uint32_t width, uint32_t *position);

/* Reference fields: `present` false and the rest zero where the field is absent. */
bool container_field_table(const container *c, const container_table *t, uint32_t slot,
                           bool *present, container_table *table);
bool container_field_vector(const container *c, const container_table *t, uint32_t slot,
                            uint32_t element_size, bool *present, container_vector *vector);

/* Element i of a vector of tables. */
bool container_element_table(const container *c, const container_vector *v, uint32_t i,
                             container_table *table);

#endif
