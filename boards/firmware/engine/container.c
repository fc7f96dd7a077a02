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

uint64_t container_double_word(const container *c, uint32_t position) {
  if (!inside(c, position, 8)) {
    return 0;
  }
  return (uint64_t)container_word(c, position) |
         (uint64_t)container_word(c, position + 4) << 32;
}

bool container_table_at(const container *c, uint32_t position, container_table *t) {
  if (!inside(c, position, 4)) {
    return malformed(c, position, c->size, position, "a table starts outside the file");
  }
  const int64_t distance = (int32_t)container_word(c, position);
  const int64_t vtable = (int64_t)position - distance;
  if (vtable < 0 || vtable > (int64_t)c->size - 4) {
    return malformed(c, position, c->size, vtable, "a table's vtable lies outside the file");
  }
  t->position = position;
  t->vtable = (uint32_t)vtable;
  t->vtable_size = (uint16_t)half_word(c, t->vtable);
  t->size = (uint16_t)half_word(c, t->vtable + 2);
  if (t->vtable_size < 4 || t->vtable_size % 2 != 0) {
    return malformed(c, t->vtable, 4, t->vtable_size, "a vtable's size is not even or below 4");
  }
  if (!inside(c, t->vtable, t->vtable_size)) {
    return malformed(c, t->vtable, c->size - t->vtable, t->vtable_size,
                     "a vtable runs past the end of the file");
  }
  if (t->size < 4 || !inside(c, position, t->size)) {
    return malformed(c, t->vtable + 2, c->size - position, t->size,
                     "a table is smaller than 4 bytes or runs past the end of the file");
  }
  return true;
}

bool container_root(const container *c, container_table *root) {
  if (c->size < 8) {
    return malformed(c, 0, 8, c->size, "the file is shorter than a root offset and identifier");
  }
  if (memcmp(c->data + 4, "TFL3", 4) != 0) {
    return container_fail(c, ENGINE_MODEL_IDENTIFIER, 4, 0x334C4654, container_word(c, 4),
                          "the file identifier is not TFL3: not a .tflite model");
  }
  return container_table_at(c, container_word(c, 0), root);
}

bool container_field_position(const container *c, const container_table *t, uint32_t slot,
                              uint32_t width, uint32_t *position) {
  *position = 0;
  const uint32_t entry = 4 + 2 * slot;
  if (entry + 2 > t->vtable_size) {
    return true;
  }
  const uint32_t offset = half_word(c, t->vtable + entry);
  if (offset == 0) {
    return true;
  }
  if (offset < 4 || offset + width > t->size) {
    return malformed(c, t->vtable + entry, t->size, offset, "a field lies outside its table");
  }
  *position = t->position + offset;
  return true;
}

bool container_field_u8(const container *c, const container_table *t, uint32_t slot,
                        uint8_t fallback, uint8_t *value) {
  uint32_t position;
  *value = fallback;
  if (!container_field_position(c, t, slot, 1, &position)) {
    return false;
  }
  if (position != 0) {
    *value = container_byte(c, position);
  }
  return true;
}

bool container_field_i32(const container *c, const container_table *t, uint32_t slot,
                         int32_t fallback, int32_t *value) {
  uint32_t position;
  *value = fallback;
  if (!container_field_position(c, t, slot, 4, &position)) {
    return false;
  }
  if (position != 0) {
    *value = (int32_t)container_word(c, position);
  }
  return true;
}

bool container_field_u64(const container *c, const container_table *t, uint32_t slot,
                         uint64_t fallback, uint64_t *value) {
  uint32_t position;
  *value = fallback;
  if (!container_field_position(c, t, slot, 8, &position)) {
    return false;
  }
  if (position != 0) {
    *value = container_double_word(c, position);
  }
  return true;
}

/* Follows a reference stored at `at`. A distance of 0 would point at itself. */
static bool follow(const container *c, uint32_t at, uint32_t *target) {
  const uint32_t distance = container_word(c, at);
  if (distance == 0 || distance > c->size - at) {
    return malformed(c, at, c->size - at, distance, "a reference points outside the file");
  }
  *target = at + distance;
  return true;
}

bool container_field_table(const container *c, const container_table *t, uint32_t slot,
                           bool *present, container_table *table) {
  uint32_t at;
  uint32_t target;
  *present = false;
  memset(table, 0, sizeof *table);
  if (!container_field_position(c, t, slot, 4, &at)) {
    return false;
  }
  if (at == 0) {
    return true;
  }
  *present = true;
  return follow(c, at, &target) && container_table_at(c, target, table);
}

bool container_field_vector(const container *c, const container_table *t, uint32_t slot,
                            uint32_t element_size, bool *present, container_vector *vector) {
  uint32_t at;
  uint32_t target;
  *present = false;
  memset(vector, 0, sizeof *vector);
  if (!container_field_position(c, t, slot, 4, &at)) {
    return false;
  }
  if (at == 0) {
    return true;
  }
  *present = true;
  if (!follow(c, at, &target)) {
    return false;
  }
  if (!inside(c, target, 4)) {
    return malformed(c, target, c->size, target, "a vector starts outside the file");
  }
  const uint32_t count = container_word(c, target);
  const uint32_t room = (c->size - target - 4) / element_size;
  if (count > room) {
    return malformed(c, target, room, count, "a vector runs past the end of the file");
  }
  vector->position = target;
  vector->first = target + 4;
  vector->count = count;
  return true;
}

bool container_element_table(const container *c, const container_vector *v, uint32_t i,
                             container_table *table) {
  uint32_t target;
  return follow(c, v->first + 4 * i, &target) && container_table_at(c, target, table);
}
