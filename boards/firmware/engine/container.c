#include "container.h"

#include <string.h>

bool container_fail(const container *c, engine_status status, uint32_t position, int64_t expected,
                    int64_t got, const char *text) {
  engine_error *error = c->error;
  if (error->status == ENGINE_OK) {
    error->status = status;
    error->position = position;
    error->expected = expected;
    error->got = got;
    error->text = text;
  }
  return false;
}

static bool malformed(const container *c, uint32_t position, int64_t expected, int64_t got,
                      const char *text) {
  return container_fail(c, ENGINE_MODEL_MALFORMED, position, expected, got, text);
}

static bool inside(const container *c, uint32_t position, uint32_t length) {
  return position <= c->size && length <= c->size - position;
}

uint8_t container_byte(const container *c, uint32_t position) {
  return inside(c, position, 1) ? c->data[position] : 0;
}

static uint32_t half_word(const container *c, uint32_t position) {
  if (!inside(c, position, 2)) {
    return 0;
  }
  const uint8_t *p = c->data + position;
  return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

uint32_t container_word(const container *c, uint32_t position) {
  if (!inside(c, position, 4)) {
    return 0;
  }
  const uint8_t *p = c->data + position;
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t container_long(const container *c, uint32_t position) {
  if (!inside(c, position, 8)) {
    return 0;
  }
  return (uint64_t)container_word(c, position) |
         (uint64_t)container_word(c, position + 4) << 32;
}

/* --- verifying -------------------------------------------------------------------------------- */

static uint32_t inline_width(uint8_t kind) {
  return kind == SCHEMA_BYTE ? 1 : (kind == SCHEMA_LONG ? 8 : 4);
}

static uint32_t element_width(uint8_t kind) {
  return kind == SCHEMA_STRING || kind == SCHEMA_BYTES ? 1 : (kind == SCHEMA_LONGS ? 8 : 4);
}

/* Follows the reference stored at `at`, which lies in the file. */
static bool follow(const container *c, uint32_t at, uint32_t *target) {
  const uint32_t distance = container_word(c, at);
  if (distance == 0 || distance > c->size - at || !inside(c, at + distance, 4)) {
    return malformed(c, at, c->size - at, distance, "a reference leads out of the file");
  }
  *target = at + distance;
  if (*target % 4 != 0) {
    return malformed(c, at, 4, *target, "a reference leads to no multiple of 4");
  }
  return true;
}

static bool verify_vector(const container *c, uint32_t at, uint8_t kind) {
  uint32_t position;
  const uint32_t width = element_width(kind);
  if (!follow(c, at, &position)) {
    return false;
  }
  const uint32_t count = container_word(c, position);
  const uint32_t room = (c->size - position - 4) / width;
  if (count > room) {
    return malformed(c, position, room, count, "a vector or string is longer than the file");
  }
  const uint32_t end = position + 4 + count;
  if (kind == SCHEMA_STRING && (end >= c->size || container_byte(c, end) != 0)) {
    return malformed(c, end, 0, container_byte(c, end), "no NUL behind a string");
  }
  return true;
}

/* Offset of a field in its table, 0 where it is absent. */
static uint32_t field_offset(const container *c, const container_table *t, uint32_t slot) {
  const uint32_t entry = 4 + 2 * slot;
  return entry + 2 > t->vtable_size ? 0 : half_word(c, t->vtable + entry);
}

static bool verify_place(const container *c, const container_table *t, const schema_table *schema,
                         uint32_t slot) {
  const uint32_t entry = t->vtable + 4 + 2 * slot;
  const uint32_t offset = field_offset(c, t, slot);
  const uint32_t width = inline_width(schema->fields[slot].kind);
  if (offset < 4 || offset + width > t->size || !inside(c, t->position, offset + width)) {
    return malformed(c, entry, t->size, offset, "a field lies outside its table");
  }
  if ((t->position + offset) % width != 0) {
    return malformed(c, entry, width, offset, "a field stands at no multiple of its size");
  }
  for (uint32_t other = 0; other < slot; ++other) {
    const uint32_t start = field_offset(c, t, other);
    const uint32_t end = start + inline_width(schema->fields[other].kind);
    if (start != 0 && offset < end && start < offset + width) {
      return malformed(c, entry, end, offset, "two fields of a table overlap");
    }
  }
  return true;
}

static bool verify_field(const container *c, const container_table *t, const schema_table *schema,
                         uint32_t slot) {
  const schema_field *field = &schema->fields[slot];
  const uint32_t offset = field_offset(c, t, slot);
  if (offset == 0) {
    return true;
  }
  if (!verify_place(c, t, schema, slot)) {
    return false;
  }
  const uint32_t at = t->position + offset;
  uint32_t target;
  switch (field->kind) {
    case SCHEMA_BYTE:
      return field->most == 0 || container_byte(c, at) < field->most ||
             malformed(c, at, field->most - 1, (int8_t)container_byte(c, at),
                       "a number that its enumeration does not have");
    case SCHEMA_WORD:
    case SCHEMA_LONG:
      return true;
    case SCHEMA_TABLE:
      return follow(c, at, &target);
    default:
      return verify_vector(c, at, field->kind);
  }
}

bool container_open(const container *c, uint32_t position, const schema_table *schema,
                    container_table *t) {
  memset(t, 0, sizeof *t);
  if (position % 4 != 0 || !inside(c, position, 4)) {
    return malformed(c, position, c->size, position,
                     "a table starts outside the file or at no multiple of 4");
  }
  const int64_t distance = (int32_t)container_word(c, position);
  const int64_t vtable = (int64_t)position - distance;
  if (vtable < 0 || vtable > (int64_t)c->size - 4 || vtable % 2 != 0) {
    return malformed(c, position, c->size, vtable,
                     "a table's vtable lies outside the file or at an odd byte");
  }
  t->position = position;
  t->vtable = (uint32_t)vtable;
  t->vtable_size = (uint16_t)half_word(c, t->vtable);
  t->size = (uint16_t)half_word(c, t->vtable + 2);
  if (t->vtable_size < 4 || t->vtable_size % 2 != 0 || !inside(c, t->vtable, t->vtable_size)) {
    return malformed(c, t->vtable, c->size - t->vtable, t->vtable_size,
                     "a vtable's size is odd, below 4 or beyond the file");
  }
  /* The table's size itself may count padding that this table, the file's last, does not have. */
  if (t->size < 4) {
    return malformed(c, t->vtable + 2, 4, t->size, "a table is smaller than 4 bytes");
  }
  for (uint32_t slot = 0; slot < schema->count; ++slot) {
    if (!verify_field(c, t, schema, slot)) {
      return false;
    }
  }
  return true;
}

bool container_root(const container *c, const schema_table *schema, container_table *root) {
  uint32_t position;
  if (c->size < 8) {
    return malformed(c, 0, 8, c->size, "the file is shorter than a root offset and identifier");
  }
  if (memcmp(c->data + 4, "TFL3", 4) != 0) {
    return container_fail(c, ENGINE_MODEL_IDENTIFIER, 4, 0x334C4654, container_word(c, 4),
                          "the file identifier is not TFL3: not a .tflite model");
  }
  return follow(c, 0, &position) && container_open(c, position, schema, root);
}

/* --- reading what has been verified ----------------------------------------------------------- */

bool container_has_field(const container *c, const container_table *t, uint32_t slot) {
  return field_offset(c, t, slot) != 0;
}

uint8_t container_field_byte(const container *c, const container_table *t, uint32_t slot,
                             uint8_t fallback) {
  const uint32_t offset = field_offset(c, t, slot);
  return offset == 0 ? fallback : container_byte(c, t->position + offset);
}

int32_t container_field_word(const container *c, const container_table *t, uint32_t slot,
                             int32_t fallback) {
  const uint32_t offset = field_offset(c, t, slot);
  return offset == 0 ? fallback : (int32_t)container_word(c, t->position + offset);
}

uint64_t container_field_long(const container *c, const container_table *t, uint32_t slot) {
  const uint32_t offset = field_offset(c, t, slot);
  return offset == 0 ? 0 : container_long(c, t->position + offset);
}

container_vector container_field_vector(const container *c, const container_table *t,
                                        uint32_t slot) {
  container_vector v = {0, 0, 0};
  const uint32_t offset = field_offset(c, t, slot);
  if (offset != 0) {
    const uint32_t at = t->position + offset;
    v.position = at + container_word(c, at);
    v.first = v.position + 4;
    v.count = container_word(c, v.position);
  }
  return v;
}

bool container_field_table(const container *c, const container_table *t, uint32_t slot,
                           const schema_table *schema, container_table *table) {
  uint32_t position;
  return follow(c, t->position + field_offset(c, t, slot), &position) &&
         container_open(c, position, schema, table);
}

bool container_element_table(const container *c, const container_vector *v, uint32_t i,
                             const schema_table *schema, container_table *table) {
  uint32_t position;
  return follow(c, v->first + 4 * i, &position) && container_open(c, position, schema, table);
}
