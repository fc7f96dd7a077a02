/* ALLOCATE and the tensors' memory: offsets, inputs, reading back. */
#include <string.h>

#include "agent.h"
#include "bytes.h"

#define ALIGNMENT ENGINE_ALIGNMENT

typedef struct {
  uint8_t *base;
  uint32_t size;
} extent;

/* What region number `number` has left for an arena, at most `limit` bytes (0: all of it). */
static extent arena_in(const board_region *region, uint32_t limit) {
  extent arena = {region->base, region->size_bytes};
  if ((region->flags & PROTOCOL_REGION_MODEL) != 0) {
    uint32_t taken = (agent.model_size + ALIGNMENT - 1u) & ~(ALIGNMENT - 1u);
    if (taken > arena.size) {
      taken = arena.size;
    }
    arena.base += taken;
    arena.size -= taken;
  }
  if (limit != 0 && limit < arena.size) {
    arena.size = limit;
  }
  return arena;
}

static void reply_allocated(uint32_t number, extent arena) {
  const uint32_t head = engine_arena_head(&agent.engine);
  const uint32_t tail = engine_arena_tail(&agent.engine);
  uint8_t *p = agent_reply(PROTOCOL_CODE_ALLOCATE_REPLY, PROTOCOL_ALLOCATE_REPLY_SIZE);
  p[PROTOCOL_ALLOCATE_REPLY_AT_REGION] = (uint8_t)number;
  put_u32(p + PROTOCOL_ALLOCATE_REPLY_AT_BASE, (uint32_t)(uintptr_t)arena.base);
  put_u32(p + PROTOCOL_ALLOCATE_REPLY_AT_SIZE_BYTES, arena.size);
  put_u32(p + PROTOCOL_ALLOCATE_REPLY_AT_USED_BYTES, head + tail);
  put_u32(p + PROTOCOL_ALLOCATE_REPLY_AT_HEAD_BYTES, head);
  put_u32(p + PROTOCOL_ALLOCATE_REPLY_AT_TAIL_BYTES, tail);
  memcpy(p + PROTOCOL_ALLOCATE_REPLY_AT_MODEL_SHA256, agent.model_sha256, SHA256_LENGTH);
}

void agent_allocate(const uint8_t *payload, uint32_t length) {
  const uint8_t wanted = payload[PROTOCOL_ALLOCATE_AT_REGION];
  const uint32_t limit = get_u32(payload + PROTOCOL_ALLOCATE_AT_LIMIT_BYTES);
  engine_error error = {ENGINE_ARENA_TOO_SMALL, -1, -1, ENGINE_NO_POSITION, 0, 0, ""};
  uint32_t count, i;
  const board_region *regions = board_regions(&count);
  (void)length;
  if (agent.model_state != MODEL_OPEN) {
    agent_refuse(PROTOCOL_ERROR_NO_MODEL, 0, 0, "no verified model is held");
    return;
  }
  if (wanted != PROTOCOL_ANY_REGION &&
      (wanted >= count || (regions[wanted].flags & PROTOCOL_REGION_ARENA) == 0)) {
    agent_refuse(PROTOCOL_ERROR_NO_SUCH_REGION, count, wanted, "region for the arena");
    return;
  }
  agent.allocated = false;
  agent_forget_run();
  for (i = 0; i < count && error.status == ENGINE_ARENA_TOO_SMALL; i++) {
    extent arena;
    if ((regions[i].flags & PROTOCOL_REGION_ARENA) == 0 ||
        (wanted != PROTOCOL_ANY_REGION && wanted != i)) {
      continue;
    }
    arena = arena_in(&regions[i], limit);
    /* A failed allocation leaves the engine closed, and the tables of the last one are gone. */
    if (engine_open(&agent.engine, agent.model, agent.model_size, &error) == ENGINE_OK &&
        engine_allocate(&agent.engine, arena.base, arena.size, &error) == ENGINE_OK) {
      agent.allocated = true;
      reply_allocated(i, arena);
      return;
    }
  }
  agent_refuse_engine(error.status == ENGINE_ARENA_TOO_SMALL ? PROTOCOL_ERROR_ARENA_TOO_SMALL
                                                             : PROTOCOL_ERROR_ALLOCATE_FAILED,
                      &error);
}

/* True if an arena is planned; refuses otherwise. */
static bool need_allocated(void) {
  if (!agent.allocated) {
    agent_refuse(PROTOCOL_ERROR_NOT_ALLOCATED, 0, 0, "no ALLOCATE before");
  }
  return agent.allocated;
}

void agent_tensor_offsets(const uint8_t *payload, uint32_t length) {
  const uint32_t subgraph = get_u32(payload + PROTOCOL_TENSOR_OFFSETS_AT_SUBGRAPH);
  const uint32_t first = get_u32(payload + PROTOCOL_TENSOR_OFFSETS_AT_FIRST);
  const uint32_t room =
      (PROTOCOL_MAX_PAYLOAD - PROTOCOL_TENSOR_OFFSETS_REPLY_SIZE) / PROTOCOL_TENSOR_OFFSET_SIZE;
  uint32_t tensors, count, i;
  uint8_t *p;
  (void)length;
  if (!need_allocated()) {
    return;
  }
  if (subgraph != 0) {
    agent_refuse(PROTOCOL_ERROR_NO_SUCH_SUBGRAPH, 1, subgraph, "subgraph");
    return;
  }
  tensors = engine_tensor_count(&agent.engine);
  count = first < tensors ? tensors - first : 0;
  count = count < room ? count : room;
  p = agent_reply(PROTOCOL_CODE_TENSOR_OFFSETS_REPLY,
                  PROTOCOL_TENSOR_OFFSETS_REPLY_SIZE + count * PROTOCOL_TENSOR_OFFSET_SIZE);
  put_u32(p + PROTOCOL_TENSOR_OFFSETS_REPLY_AT_TENSORS, tensors);
  put_u16(p + PROTOCOL_TENSOR_OFFSETS_REPLY_AT_OFFSETS, count);
  p += PROTOCOL_TENSOR_OFFSETS_REPLY_SIZE;
  for (i = 0; i < count; i++, p += PROTOCOL_TENSOR_OFFSET_SIZE) {
    engine_tensor tensor;
    const bool known = engine_tensor_at(&agent.engine, first + i, &tensor) == ENGINE_OK;
    put_u32(p + PROTOCOL_TENSOR_OFFSET_AT_TENSOR, first + i);
    put_u32(p + PROTOCOL_TENSOR_OFFSET_AT_OFFSET_BYTES,
            known ? tensor.offset : PROTOCOL_NONE_INDEX);
  }
}

void agent_input(const uint8_t *payload, uint32_t length) {
  const uint32_t position = get_u32(payload + PROTOCOL_INPUT_AT_POSITION);
  const uint32_t offset = get_u32(payload + PROTOCOL_INPUT_AT_OFFSET_BYTES);
  const uint32_t size = length - PROTOCOL_INPUT_SIZE;
  engine_tensor tensor;
  uint8_t *p;
  if (!need_allocated()) {
    return;
  }
  if (position >= AGENT_MAX_INPUTS ||
      engine_input(&agent.engine, position, &tensor) != ENGINE_OK) {
    agent_refuse(PROTOCOL_ERROR_NO_SUCH_INPUT, engine_input_count(&agent.engine), position,
                 "input");
    return;
  }
  if (offset == 0) {
    agent.input_written[position] = 0;
  }
  if (offset != agent.input_written[position]) {
    agent_refuse(PROTOCOL_ERROR_INPUT_OUT_OF_ORDER, agent.input_written[position], offset,
                 "input offset");
    return;
  }
  if (size > tensor.length - offset) {
    agent_refuse(PROTOCOL_ERROR_INPUT_OUT_OF_RANGE, tensor.length, (int64_t)offset + size,
                 "bytes of the input");
    return;
  }
  /* What a run left is overwritten from here on. */
  agent.valid = VALID_NOTHING;
  if (size != 0) {
    memcpy(tensor.data + offset, payload + PROTOCOL_INPUT_AT_DATA, size);
  }
  agent.input_written[position] += size;
  p = agent_reply(PROTOCOL_CODE_INPUT_REPLY, PROTOCOL_INPUT_REPLY_SIZE);
  put_u32(p + PROTOCOL_INPUT_REPLY_AT_WRITTEN_BYTES, agent.input_written[position]);
  put_u32(p + PROTOCOL_INPUT_REPLY_AT_SIZE_BYTES, tensor.length);
}

static bool may_read(uint32_t index) {
  engine_tensor tensor;
  uint32_t i;
  if (agent.valid == VALID_CAPTURED) {
    return index == agent.captured_tensor;
  }
  for (i = 0; agent.valid == VALID_OUTPUTS && i < engine_output_count(&agent.engine); i++) {
    if (engine_output(&agent.engine, i, &tensor) == ENGINE_OK && tensor.index == index) {
      return true;
    }
  }
  return false;
}

void agent_read_tensor(const uint8_t *payload, uint32_t length) {
  const uint32_t index = get_u32(payload + PROTOCOL_READ_TENSOR_AT_TENSOR);
  const uint32_t offset = get_u32(payload + PROTOCOL_READ_TENSOR_AT_OFFSET_BYTES);
  const uint32_t room = PROTOCOL_MAX_PAYLOAD - PROTOCOL_READ_TENSOR_REPLY_SIZE;
  uint32_t size = get_u32(payload + PROTOCOL_READ_TENSOR_AT_LENGTH_BYTES);
  engine_tensor tensor;
  uint8_t *p;
  (void)length;
  if (!need_allocated()) {
    return;
  }
  if (engine_tensor_at(&agent.engine, index, &tensor) != ENGINE_OK) {
    agent_refuse(PROTOCOL_ERROR_NO_SUCH_TENSOR, engine_tensor_count(&agent.engine), index,
                 "tensor");
    return;
  }
  if (!may_read(index)) {
    agent_refuse(PROTOCOL_ERROR_TENSOR_NOT_VALID, 0, index,
                 "its memory may be another tensor's by now; use CAPTURE");
    return;
  }
  if (offset > tensor.length) {
    agent_refuse(PROTOCOL_ERROR_TENSOR_OUT_OF_RANGE, tensor.length, offset, "offset");
    return;
  }
  size = size < room ? size : room;
  size = size < tensor.length - offset ? size : tensor.length - offset;
  p = agent_reply(PROTOCOL_CODE_READ_TENSOR_REPLY, PROTOCOL_READ_TENSOR_REPLY_SIZE + size);
  put_u32(p + PROTOCOL_READ_TENSOR_REPLY_AT_TENSOR, index);
  put_u32(p + PROTOCOL_READ_TENSOR_REPLY_AT_OFFSET_BYTES, offset);
  put_u32(p + PROTOCOL_READ_TENSOR_REPLY_AT_SIZE_BYTES, tensor.length);
  if (size != 0) {
    memcpy(p + PROTOCOL_READ_TENSOR_REPLY_AT_DATA, tensor.data + offset, size);
  }
}
