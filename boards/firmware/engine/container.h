/* The flatbuffer container, read in place: every access is checked against the file's length.
 *
 * Rules followed, from flatbuffers' internals document and its verifier: the first 4 bytes are the
 * root table's position; a table starts with a signed 32-bit distance back to its vtable; a vtable
 * holds uint16: its own size, the table's size, then one offset a field (0: absent); a reference
 * is an unsigned 32-bit distance from where it is stored; a vector is a 32-bit count and its
 * elements, a string a vector of bytes with a NUL behind. Tables and vectors stand at multiples of
 * 4, vtables at multiples of 2; no field overlaps another. Elements of 8 bytes may stand at
 * multiples of 4, as public models that tools have rewritten have them.
 *
 * Opening a table verifies all of its fields by its schema, also those that nobody reads. Bytes
 * are read one by one, so nothing here asks for alignment of the file itself. Readers return false
 * after recording what is wrong; the first fault stays.
 */
#ifndef ENGINE_CONTAINER_H
#define ENGINE_CONTAINER_H

#include "schema.h"

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

/* Checks length and identifier, and opens the root table. */
bool container_root(const container *c, const schema_table *schema, container_table *root);
bool container_open(const container *c, uint32_t position, const schema_table *schema,
                    container_table *t);

/* Scalars at a position that a vector or table has vouched for; 0 outside the file. */
uint8_t container_byte(const container *c, uint32_t position);
uint32_t container_word(const container *c, uint32_t position);
uint64_t container_long(const container *c, uint32_t position);

/* Fields of an open table; `fallback` where a scalar is absent. */
uint8_t container_field_byte(const container *c, const container_table *t, uint32_t slot,
                             uint8_t fallback);
int32_t container_field_word(const container *c, const container_table *t, uint32_t slot,
                             int32_t fallback);
uint64_t container_field_long(const container *c, const container_table *t, uint32_t slot);
/* A vector of any kind, or a string; all zero where it is absent. */
container_vector container_field_vector(const container *c, const container_table *t,
                                        uint32_t slot);
bool container_has_field(const container *c, const container_table *t, uint32_t slot);
/* The table of a field that is present. */
bool container_field_table(const container *c, const container_table *t, uint32_t slot,
                           const schema_table *schema, container_table *table);

/* Element i of a vector of tables. */
bool container_element_table(const container *c, const container_vector *v, uint32_t i,
                             const schema_table *schema, container_table *table);

#endif
