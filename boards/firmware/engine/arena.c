#include "arena.h"

#include <string.h>

static bool too_small(const engine *e, const container *c, uint64_t needed) {
  return container_fail(c, ENGINE_ARENA_TOO_SMALL, ENGINE_NO_POSITION, (int64_t)needed,
                        e->arena_size, "the arena is too small; expected: bytes needed so far");
}

void *arena_allocate_tail(engine *e, const container *c, uint64_t size) {
  const uint64_t rounded =
      (size + ARENA_TAIL_ALIGNMENT - 1) / ARENA_TAIL_ALIGNMENT * ARENA_TAIL_ALIGNMENT;
  const uint64_t needed = e->tail_used + rounded;
  if (needed > e->arena_size) {
    too_small(e, c, needed);
    return NULL;
  }
  e->tail_used = (uint32_t)needed;
  uint8_t *p = e->arena + (e->arena_size - e->tail_used);
  memset(p, 0, (size_t)rounded);
  return p;
}

void *arena_temporary(engine *e, const container *c, uint64_t size) {
  const uint64_t needed = e->tail_used + size;
  if (needed > e->arena_size) {
    too_small(e, c, needed);
    return NULL;
  }
  if (size > e->temp_used) {
    e->temp_used = (uint32_t)size;
  }
  return e->arena;
}
