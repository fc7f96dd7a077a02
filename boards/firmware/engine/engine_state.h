/* Which calls an engine is ready for. */
#ifndef ENGINE_STATE_H
#define ENGINE_STATE_H

#include "model.h"

enum { STATE_CLOSED = 0, STATE_OPEN = 0x0BE17, STATE_ALLOCATED = 0xA110C };

static inline bool engine_is_open(const engine *e) {
  return e->state == STATE_OPEN || e->state == STATE_ALLOCATED;
}

#endif
