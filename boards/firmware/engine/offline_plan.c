#include "offline_plan.h"

#include <string.h>

#include "model_walk.h"

enum { WORD_COUNT = 2, HEADER_WORDS = 3 };

bool offline_plan_is_named(const container *c, const container_vector *name) {
  static const char wanted[] = "OfflineMemoryAllocation"; /* micro_allocation_info.cc */
  return name->count == sizeof wanted - 1 &&
         memcmp(c->data + name->first, wanted, name->count) == 0;
}

/* TFLM checks the count, of each entry of the name, and nothing else. */
bool offline_plan_open(engine *e, const container *c, uint32_t entry, uint32_t buffer) {
  container_vector words;
  if (!model_buffer(e, c, buffer, &words)) {
    return false;
  }
  if (words.count < 4 * HEADER_WORDS) {
    return invalid(c, entry, 4 * HEADER_WORDS, words.count,
                   "an offline memory plan is cut off; expected: bytes of its header");
  }
  const uint32_t count = container_word(c, words.first + 4 * WORD_COUNT);
  if (count != e->tensor_count) {
    return invalid(c, words.first + 4 * WORD_COUNT, e->tensor_count, count,
                   "an offline memory plan has another number of offsets than the model tensors");
  }
  if ((words.count - 4 * HEADER_WORDS) / 4 < count) {
    return invalid(c, entry, 4 * ((int64_t)HEADER_WORDS + count), words.count,
                   "an offline memory plan is cut off; expected: bytes of all its offsets");
  }
  e->offline_plan = words.first;
  return true;
}

bool offline_plan_verify(const engine *e, const container *c) {
  const uint32_t count = e->offline_plan == 0 ? 0 : e->tensor_count;
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t offset = offline_plan_offset(e, c, i);
    if (offset < OFFLINE_PLAN_ONLINE) {
      c->error->tensor_index = (int32_t)i;
      return invalid(c, offline_plan_position(e, i), OFFLINE_PLAN_ONLINE, offset,
                     "an offline memory plan puts a tensor before the arena");
    }
  }
  return true;
}

uint32_t offline_plan_position(const engine *e, uint32_t i) {
  return e->offline_plan + 4 * (HEADER_WORDS + i);
}

int32_t offline_plan_offset(const engine *e, const container *c, uint32_t i) {
  if (e->offline_plan == 0) {
    return OFFLINE_PLAN_ONLINE;
  }
  return (int32_t)container_word(c, offline_plan_position(e, i));
}
