/* What an engine tells about itself and the model it holds. */
#include <stddef.h>
#include <string.h>

#include "engine_state.h"

uint32_t engine_tensor_count(const engine *e) { return e->tensor_count; }
uint32_t engine_operator_count(const engine *e) { return e->operator_count; }
uint32_t engine_input_count(const engine *e) { return e->input_count; }
uint32_t engine_output_count(const engine *e) { return e->output_count; }

engine_status engine_tensor_at(const engine *e, uint32_t tensor_index, engine_tensor *tensor) {
  if (e->state != STATE_ALLOCATED) {
    return ENGINE_WRONG_STATE;
  }
  if (tensor_index >= e->tensor_count) {
    return ENGINE_BAD_ARGUMENT;
  }
  const engine_value *v = &e->values[tensor_index];
  memset(tensor, 0, sizeof *tensor);
  tensor->index = tensor_index;
  tensor->type = v->type;
  tensor->rank = v->rank;
  memcpy(tensor->dims, v->dims, v->rank * sizeof tensor->dims[0]);
  tensor->data = v->data;
  tensor->length = v->length;
  tensor->offset = ENGINE_NO_OFFSET;
  if ((v->flags & VALUE_CONSTANT) == 0 && v->data != NULL) {
    tensor->offset = (uint32_t)(v->data - e->arena);
  }
  return ENGINE_OK;
}

static engine_status listed(const engine *e, uint32_t vector, uint32_t count, uint32_t i,
                            engine_tensor *tensor) {
  if (e->state != STATE_ALLOCATED) {
    return ENGINE_WRONG_STATE;
  }
  if (i >= count) {
    return ENGINE_BAD_ARGUMENT;
  }
  const container c = {e->model, e->model_size, NULL};
  return engine_tensor_at(e, container_word(&c, vector + 4 + 4 * i), tensor);
}

engine_status engine_input(const engine *e, uint32_t i, engine_tensor *tensor) {
  return listed(e, e->inputs, e->input_count, i, tensor);
}

engine_status engine_output(const engine *e, uint32_t i, engine_tensor *tensor) {
  return listed(e, e->outputs, e->output_count, i, tensor);
}

engine_status engine_op_output(const engine *e, uint32_t op_index, uint32_t k,
                               engine_tensor *tensor) {
  if (e->state != STATE_ALLOCATED) {
    return ENGINE_WRONG_STATE;
  }
  if (op_index >= e->operator_count || k >= e->nodes[op_index].output_count) {
    return ENGINE_BAD_ARGUMENT;
  }
  return engine_tensor_at(e, (uint32_t)(e->nodes[op_index].outputs[k] - e->values), tensor);
}

uint32_t engine_arena_head(const engine *e) { return e->head_used; }
uint32_t engine_arena_tail(const engine *e) { return e->tail_used; }

uint32_t engine_arena_needed(const engine *e) {
  const uint32_t low = e->head_used > e->temp_used ? e->head_used : e->temp_used;
  return (low + e->tail_used + ENGINE_ALIGNMENT - 1) / ENGINE_ALIGNMENT * ENGINE_ALIGNMENT;
}

const char *engine_name(void) { return "tflm-hil-engine"; }
const char *engine_version(void) { return "0.1.0"; }

const char *engine_build_flags(void) {
#ifdef ENGINE_SINGLE_ROUNDING
  return "single-rounding";
#else
  return "";
#endif
}

const char *engine_status_name(engine_status status) {
  static const char *const names[] = {
      "OK",          "BAD_ARGUMENT",    "WRONG_STATE",     "MODEL_UNALIGNED", "MODEL_MALFORMED",
      "MODEL_IDENTIFIER", "MODEL_VERSION", "MODEL_INVALID", "UNKNOWN_OPERATOR", "UNSUPPORTED",
      "REFUSED",     "ARENA_UNALIGNED", "ARENA_TOO_SMALL", "ABORTED",         "INVOKE_FAILED"};
  const uint32_t code = (uint32_t)status;
  return code < sizeof names / sizeof names[0] ? names[code] : "UNKNOWN_STATUS";
}
