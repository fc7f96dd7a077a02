/* TFLM's greedy planner (micro/memory_planner/greedy_memory_planner.cc) with the lifetimes of
 * micro/micro_allocation_info.cc, so that offsets equal those of TFLM's reference kernels, which
 * ask for no scratch memory:
 *   - time 0 is the start, operator i runs at time i + 1; inputs live from 0, outputs to the end;
 *   - buffers are placed largest first; of equal ones the later tensor first, since the list is
 *     filled from its end and then sorted stably;
 *   - each goes into the first gap that is large enough between buffers alive at the same time;
 *   - buffers with an offset in an offline plan come before all others and stay where it says.
 */
#include "planner.h"

#include <stddef.h>

#include "arena.h"
#include "offline_plan.h"

/* Placing is quadratic in the number of buffers. More than this takes seconds on a Cortex-M7,
 * and no model that an arena of a few megabytes holds comes near. */
#define MOST_BUFFERS 4096u

#define NOT_YET (-1)
#define END UINT32_MAX

typedef struct {
  uint32_t tensor;
  uint32_t size;
  int32_t first_used;
  int32_t last_used;
  uint32_t offset;
  uint32_t next; /* by offset, among those placed */
} buffer;

static bool is_planned(const engine_value *v) {
  return (v->flags & VALUE_CONSTANT) == 0 && v->length != 0;
}

static void use(buffer *buffers, const uint32_t *buffer_of, const engine *e, const engine_value *v,
                int32_t time, bool creates) {
  const uint32_t k = buffer_of[(uint32_t)(v - e->values)];
  if (k == END) {
    return;
  }
  if (creates && buffers[k].first_used == NOT_YET) {
    buffers[k].first_used = time;
  }
  buffers[k].last_used = time;
}

static void mark_lifetimes(const engine *e, const container *c, buffer *buffers,
                           const uint32_t *buffer_of) {
  for (uint32_t i = 0; i < e->input_count; ++i) {
    use(buffers, buffer_of, e, &e->values[container_word(c, e->inputs + 4 + 4 * i)], 0, true);
  }
  int32_t time = 0;
  for (uint32_t i = 0; i < e->operator_count; ++i) {
    const engine_node *node = &e->nodes[i];
    time += 1;
    for (uint32_t k = 0; k < node->input_count; ++k) {
      if (node->inputs[k] != NULL) {
        use(buffers, buffer_of, e, node->inputs[k], time, false);
      }
    }
    for (uint32_t k = 0; k < node->output_count; ++k) {
      use(buffers, buffer_of, e, node->outputs[k], time, true);
    }
  }
  for (uint32_t i = 0; i < e->output_count; ++i) {
    use(buffers, buffer_of, e, &e->values[container_word(c, e->outputs + 4 + 4 * i)], time, true);
  }
}

/* Stable, by size, largest first. Insertion: lists are short or nearly sorted. */
static void sort(const buffer *buffers, uint32_t *order, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    const uint32_t moving = order[i];
    uint32_t k = i;
    while (k > 0 && buffers[order[k - 1]].size < buffers[moving].size) {
      order[k] = order[k - 1];
      k -= 1;
    }
    order[k] = moving;
  }
}

static bool share_time(const buffer *a, const buffer *b) {
  return a->first_used <= b->last_used && b->first_used <= a->last_used;
}

static uint64_t find_gap(const buffer *buffers, uint32_t first, const buffer *wanted) {
  uint64_t candidate = 0;
  for (uint32_t k = first; k != END; k = buffers[k].next) {
    const buffer *placed = &buffers[k];
    if (!share_time(placed, wanted)) {
      continue;
    }
    if (placed->offset >= candidate && placed->offset - candidate >= wanted->size) {
      break;
    }
    const uint64_t end = (uint64_t)placed->offset + placed->size;
    if (end > candidate) {
      candidate = end;
    }
  }
  return candidate;
}

static void insert(buffer *buffers, uint32_t *first, uint32_t k) {
  uint32_t *link = first;
  while (*link != END && buffers[*link].offset <= buffers[k].offset) {
    link = &buffers[*link].next;
  }
  buffers[k].next = *link;
  *link = k;
}

/* Looks at an offset of the offline plan. TFLM takes any: what overlaps is overwritten there. A
 * tensor that nothing ever uses is in nobody's way. */
static bool check_fixed(const engine *e, const container *c, const buffer *buffers, uint32_t first,
                        const buffer *b) {
  const uint32_t position = offline_plan_position(e, b->tensor);
  const uint64_t end = (uint64_t)b->offset + b->size;
  c->error->tensor_index = (int32_t)b->tensor;
  if (b->offset % ENGINE_ALIGNMENT != 0) {
    return container_fail(c, ENGINE_UNSUPPORTED, position, ENGINE_ALIGNMENT, b->offset,
                          "an offset of the offline memory plan is no multiple of 16");
  }
  for (uint32_t k = first; k != END && buffers[k].offset < end; k = buffers[k].next) {
    const buffer *placed = &buffers[k];
    if ((uint64_t)placed->offset + placed->size > b->offset && share_time(placed, b) &&
        b->first_used != NOT_YET) {
      return container_fail(c, ENGINE_UNSUPPORTED, position, -1, placed->tensor,
                            "the offline memory plan puts a tensor over another in use; got: it");
    }
  }
  c->error->tensor_index = -1;
  return true;
}

/* The first `fixed` of the order have their offsets. */
static bool place(engine *e, const container *c, buffer *buffers, const uint32_t *order,
                  uint32_t fixed, uint32_t count) {
  const uint32_t room = e->arena_size - e->tail_used;
  uint32_t first = END;
  uint64_t head = 0;
  for (uint32_t i = 0; i < count; ++i) {
    buffer *b = &buffers[order[i]];
    if (i < fixed && !check_fixed(e, c, buffers, first, b)) {
      return false;
    }
    const uint64_t offset = i < fixed ? b->offset : find_gap(buffers, first, b);
    const uint64_t end = offset + b->size;
    if (end > head) {
      head = end;
    }
    if (end > room) {
      uint32_t position = ENGINE_NO_POSITION;
      if (i < fixed) {
        c->error->tensor_index = (int32_t)b->tensor;
        position = offline_plan_position(e, b->tensor);
      }
      return container_fail(c, ENGINE_ARENA_TOO_SMALL, position, (int64_t)(head + e->tail_used),
                            e->arena_size,
                            "the arena is too small; expected: bytes needed so far");
    }
    b->offset = (uint32_t)offset;
    insert(buffers, &first, order[i]);
  }
  e->head_used = (uint32_t)head;
  return true;
}

bool planner_plan(engine *e, const container *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < e->tensor_count; ++i) {
    count += is_planned(&e->values[i]) ? 1 : 0;
  }
  if (count > MOST_BUFFERS) {
    return container_fail(c, ENGINE_UNSUPPORTED, e->tensors, MOST_BUFFERS, count,
                          "more tensors to plan than this engine takes");
  }
  const uint32_t buffers_size = count * (uint32_t)sizeof(buffer);
  const uint64_t indices_size = ((uint64_t)count + e->tensor_count) * sizeof(uint32_t);
  uint8_t *memory = arena_temporary(e, c, buffers_size + indices_size);
  if (memory == NULL) {
    return false;
  }
  buffer *buffers = (buffer *)(void *)memory;
  uint32_t *order = (uint32_t *)(void *)(memory + buffers_size);
  uint32_t *buffer_of = order + count;
  uint32_t k = 0;
  uint32_t fixed = 0;
  for (uint32_t i = 0; i < e->tensor_count; ++i) {
    buffer_of[i] = END;
    if (is_planned(&e->values[i])) {
      const uint32_t length = e->values[i].length;
      const uint32_t aligned =
          (length + ENGINE_ALIGNMENT - 1) / ENGINE_ALIGNMENT * ENGINE_ALIGNMENT;
      const int32_t offset = offline_plan_offset(e, c, i);
      const buffer b = {i, aligned, NOT_YET, NOT_YET, (uint32_t)offset, END};
      buffers[k] = b;
      buffer_of[i] = k;
      if (offset == OFFLINE_PLAN_ONLINE) {
        order[count - 1 - (k - fixed)] = k;
      } else {
        order[fixed] = k;
        fixed += 1;
      }
      k += 1;
    }
  }
  mark_lifetimes(e, c, buffers, buffer_of);
  sort(buffers, order + fixed, count - fixed);
  if (!place(e, c, buffers, order, fixed, count)) {
    return false;
  }
  for (k = 0; k < count; ++k) {
    e->values[buffers[k].tensor].data = e->arena + buffers[k].offset;
  }
  return true;
}
