/* INVOKE, RESULT and CAPTURE: running the engine, timing and digesting each operator. */
#include <string.h>

#include "agent.h"
#include "bytes.h"

#define MAX_OUTPUTS \
  ((PROTOCOL_MAX_PAYLOAD - PROTOCOL_OPERATOR_SIZE) / PROTOCOL_OUTPUT_DIGEST_SIZE)

typedef struct {
  bool capturing;
  uint32_t wanted_event;
  uint32_t wanted_tensor;
  bool found;
  agent_digest captured;
  uint32_t start;
  uint64_t cycles; /* in all operators */
} run;

void agent_forget_run(void) {
  agent.event_count = 0;
  agent.digest_count = 0;
  agent.valid = VALID_NOTHING;
  memset(agent.input_written, 0, sizeof agent.input_written);
}

static void digest_tensor(const engine_tensor *tensor, agent_digest *out) {
  uint8_t full[SHA256_LENGTH];
  sha256(tensor->data, tensor->length, full);
  out->tensor = tensor->index;
  out->length = tensor->length;
  memcpy(out->digest, full, PROTOCOL_DIGEST_LENGTH);
}

static void put_digest(uint8_t *p, const agent_digest *digest) {
  put_u32(p + PROTOCOL_OUTPUT_DIGEST_AT_TENSOR, digest->tensor);
  put_u32(p + PROTOCOL_OUTPUT_DIGEST_AT_LENGTH_BYTES, digest->length);
  memcpy(p + PROTOCOL_OUTPUT_DIGEST_AT_DIGEST, digest->digest, PROTOCOL_DIGEST_LENGTH);
}

/* OPERATOR and RESULT_REPLY have one layout. */
static void put_event(uint8_t *p, uint32_t number, const agent_event *event) {
  put_u32(p + PROTOCOL_OPERATOR_AT_EVENT, number);
  put_u32(p + PROTOCOL_OPERATOR_AT_SUBGRAPH, 0);
  put_u32(p + PROTOCOL_OPERATOR_AT_OPERATOR, event->operator_index);
  put_u32(p + PROTOCOL_OPERATOR_AT_BUILTIN_CODE, event->builtin_code);
  put_u64(p + PROTOCOL_OPERATOR_AT_CYCLES, event->cycles);
  put_u16(p + PROTOCOL_OPERATOR_AT_OUTPUTS, event->digest_count);
}

static void keep(const agent_event *event, const uint8_t *digests) {
  agent_event *kept;
  uint32_t i;
  if (agent.event_count >= AGENT_MAX_EVENTS) {
    return;
  }
  kept = &agent.events[agent.event_count];
  *kept = *event;
  if (event->digest_count > AGENT_MAX_DIGESTS - agent.digest_count) {
    kept->first_digest = PROTOCOL_NONE_INDEX;
    return;
  }
  kept->first_digest = agent.digest_count;
  for (i = 0; i < event->digest_count; i++, digests += PROTOCOL_OUTPUT_DIGEST_SIZE) {
    agent_digest *digest = &agent.digests[agent.digest_count++];
    digest->tensor = get_u32(digests + PROTOCOL_OUTPUT_DIGEST_AT_TENSOR);
    digest->length = get_u32(digests + PROTOCOL_OUTPUT_DIGEST_AT_LENGTH_BYTES);
    memcpy(digest->digest, digests + PROTOCOL_OUTPUT_DIGEST_AT_DIGEST, PROTOCOL_DIGEST_LENGTH);
  }
}

static bool before_operator(void *context, const engine_operator *op) {
  run *r = context;
  agent.running = op->index;
#ifdef AGENT_FAULT_AT_OPERATOR
  if (op->index == AGENT_FAULT_AT_OPERATOR) {
    /* Between ITCM and flash: nothing is there (RM0399, 2.3.2). */
    (void)*(volatile uint32_t *)(uintptr_t)0x04000000u;
  }
#endif
  r->start = board_cycles();
  return true;
}

/* The reply's buffer is free while the engine runs, so events are built there. */
static void report(run *r, const engine_operator *op, uint32_t cycles) {
  agent_event event = {cycles, op->index, op->builtin_code, 0, 0};
  uint8_t *const p = agent.reply;
  uint8_t *digests = p + PROTOCOL_OPERATOR_SIZE;
  uint32_t k;
  r->cycles += cycles;
  for (k = 0; k < op->output_count && event.digest_count < MAX_OUTPUTS; k++) {
    engine_tensor tensor;
    agent_digest digest;
    if (engine_op_output(&agent.engine, op->index, k, &tensor) != ENGINE_OK) {
      continue;
    }
    digest_tensor(&tensor, &digest);
    put_digest(digests, &digest);
    digests += PROTOCOL_OUTPUT_DIGEST_SIZE;
    event.digest_count++;
  }
  put_event(p, agent.event_count, &event);
  keep(&event, p + PROTOCOL_OPERATOR_SIZE);
  frame_send(PROTOCOL_CODE_OPERATOR, agent.reply_sequence, p, (uint32_t)(digests - p));
}

/* True once the wanted event is over. */
static bool capture(run *r, const engine_operator *op) {
  uint32_t k;
  if (agent.event_count != r->wanted_event) {
    return false;
  }
  for (k = 0; k < op->output_count && !r->found; k++) {
    engine_tensor tensor;
    if (engine_op_output(&agent.engine, op->index, k, &tensor) == ENGINE_OK &&
        tensor.index == r->wanted_tensor) {
      digest_tensor(&tensor, &r->captured);
      r->found = true;
    }
  }
  return true;
}

static bool after_operator(void *context, const engine_operator *op) {
  const uint32_t end = board_cycles();
  run *r = context;
  bool stop = false;
  agent.running = PROTOCOL_NONE_INDEX;
  if (r->capturing) {
    stop = capture(r, op);
  } else {
    report(r, op, end - r->start);
  }
  agent.event_count++;
  return !stop;
}

static bool inputs_written(void) {
  uint32_t i;
  for (i = 0; i < engine_input_count(&agent.engine); i++) {
    engine_tensor tensor;
    if (engine_input(&agent.engine, i, &tensor) != ENGINE_OK) {
      return false;
    }
    if (agent.input_written[i] != tensor.length) {
      agent_refuse(PROTOCOL_ERROR_INPUTS_NOT_WRITTEN, tensor.length, agent.input_written[i],
                   "bytes written to an input since the last run");
      return false;
    }
  }
  return true;
}

/* Runs the engine; false once it has refused. */
static bool run_engine(run *r) {
  const engine_observer observer = {r, before_operator, after_operator};
  engine_error error;
  engine_status status;
  if (!agent.allocated) {
    agent_refuse(PROTOCOL_ERROR_NOT_ALLOCATED, 0, 0, "no ALLOCATE before");
    return false;
  }
  if (!inputs_written()) {
    return false;
  }
  agent_forget_run();
  board_forget_history();
  status = engine_invoke(&agent.engine, &observer, &error);
  agent.running = PROTOCOL_NONE_INDEX;
  if (status != ENGINE_OK && !(r->capturing && status == ENGINE_ABORTED)) {
    agent_refuse_engine(PROTOCOL_ERROR_INVOKE_FAILED, &error);
    return false;
  }
  return true;
}

void agent_invoke(const uint8_t *payload, uint32_t length) {
  run r = {0};
  uint8_t *p;
  (void)payload;
  (void)length;
  if (!run_engine(&r)) {
    return;
  }
  agent.valid = VALID_OUTPUTS;
  p = agent_reply(PROTOCOL_CODE_INVOKE_REPLY, PROTOCOL_INVOKE_REPLY_SIZE);
  put_u32(p + PROTOCOL_INVOKE_REPLY_AT_EVENTS, agent.event_count);
  put_u64(p + PROTOCOL_INVOKE_REPLY_AT_CYCLES, r.cycles);
}

void agent_capture(const uint8_t *payload, uint32_t length) {
  run r = {0};
  uint8_t *p;
  uint32_t events;
  (void)length;
  r.capturing = true;
  r.wanted_event = get_u32(payload + PROTOCOL_CAPTURE_AT_EVENT);
  r.wanted_tensor = get_u32(payload + PROTOCOL_CAPTURE_AT_TENSOR);
  if (!run_engine(&r)) {
    return;
  }
  events = agent.event_count;
  agent.event_count = 0; /* a capture keeps no results */
  if (!r.found) {
    if (events <= r.wanted_event) {
      agent_refuse(PROTOCOL_ERROR_NO_SUCH_EVENT, events, r.wanted_event, "operators executed");
    } else {
      agent_refuse(PROTOCOL_ERROR_NO_SUCH_TENSOR, 0, r.wanted_tensor,
                   "not an output of that operator");
    }
    return;
  }
  agent.valid = VALID_CAPTURED;
  agent.captured_tensor = r.captured.tensor;
  p = agent_reply(PROTOCOL_CODE_CAPTURE_REPLY, PROTOCOL_CAPTURE_REPLY_SIZE);
  put_u32(p + PROTOCOL_CAPTURE_REPLY_AT_EVENT, r.wanted_event);
  put_u32(p + PROTOCOL_CAPTURE_REPLY_AT_TENSOR, r.captured.tensor);
  put_u32(p + PROTOCOL_CAPTURE_REPLY_AT_LENGTH_BYTES, r.captured.length);
  memcpy(p + PROTOCOL_CAPTURE_REPLY_AT_DIGEST, r.captured.digest, PROTOCOL_DIGEST_LENGTH);
}

void agent_result(const uint8_t *payload, uint32_t length) {
  const uint32_t number = get_u32(payload + PROTOCOL_RESULT_AT_EVENT);
  const agent_event *event;
  uint8_t *p;
  uint32_t i;
  (void)length;
  if (number >= agent.event_count) {
    agent_refuse(PROTOCOL_ERROR_NO_SUCH_EVENT, agent.event_count, number, "operators executed");
    return;
  }
  event = &agent.events[number < AGENT_MAX_EVENTS ? number : 0];
  if (number >= AGENT_MAX_EVENTS || event->first_digest == PROTOCOL_NONE_INDEX) {
    agent_refuse(PROTOCOL_ERROR_EVENT_NOT_KEPT, AGENT_MAX_EVENTS, number,
                 "the table of results is full; run again");
    return;
  }
  p = agent_reply(PROTOCOL_CODE_RESULT_REPLY,
                  PROTOCOL_RESULT_REPLY_SIZE + event->digest_count * PROTOCOL_OUTPUT_DIGEST_SIZE);
  put_event(p, number, event);
  p += PROTOCOL_RESULT_REPLY_SIZE;
  for (i = 0; i < event->digest_count; i++, p += PROTOCOL_OUTPUT_DIGEST_SIZE) {
    put_digest(p, &agent.digests[event->first_digest + i]);
  }
}
