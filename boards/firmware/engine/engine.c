#include "engine.h"

#include <stddef.h>
#include <string.h>

#include "arena.h"
#include "engine_state.h"
#include "planner.h"

static void clear_error(engine_error *error) {
  memset(error, 0, sizeof *error);
  error->op_index = -1;
  error->tensor_index = -1;
  error->position = ENGINE_NO_POSITION;
  error->text = "";
}

static engine_status fail(engine_error *error, engine_status status, int64_t expected, int64_t got,
                          const char *text) {
  error->status = status;
  error->expected = expected;
  error->got = got;
  error->text = text;
  return status;
}

static container container_of(const engine *e, engine_error *error) {
  const container c = {e->model, e->model_size, error};
  return c;
}

engine_status engine_open(engine *e, const uint8_t *model, uint32_t model_size,
                          engine_error *error) {
  clear_error(error);
  memset(e, 0, sizeof *e);
  if (model == NULL) {
    return fail(error, ENGINE_BAD_ARGUMENT, 1, 0, "no model given");
  }
  const uint32_t misaligned = (uint32_t)((uintptr_t)model % ENGINE_ALIGNMENT);
  if (misaligned != 0) {
    return fail(error, ENGINE_MODEL_UNALIGNED, 0, misaligned,
                "the model's address is no multiple of 16");
  }
  e->model = model;
  e->model_size = model_size;
  const container c = container_of(e, error);
  if (!model_open(e, &c)) {
    memset(e, 0, sizeof *e);
    return error->status;
  }
  e->state = STATE_OPEN;
  return ENGINE_OK;
}

/* Tensor indices as pointers; an absent input is NULL. */
static void resolve(const engine *e, const container *c, const container_vector *indices,
                    engine_value **values) {
  for (uint32_t k = 0; k < indices->count; ++k) {
    const int32_t index = (int32_t)container_word(c, indices->first + 4 * k);
    values[k] = index < 0 ? NULL : &e->values[index];
  }
}

static bool invalid_tensor(const engine *e, const container *c, const engine_value *v,
                           const char *text) {
  const uint32_t index = (uint32_t)(v - e->values);
  if (c->error->status == ENGINE_OK) {
    c->error->tensor_index = (int32_t)index;
  }
  return container_fail(c, ENGINE_MODEL_INVALID, model_tensor_position(e, c, index), 0, 0, text);
}

/* What TFLM leaves to luck: an operator must not read what nothing has written, nor write to a
 * constant (which may lie in flash) or over its own input. */
static bool check_flow(const engine *e, const container *c, const engine_node *node) {
  for (uint32_t k = 0; k < node->input_count; ++k) {
    const engine_value *v = node->inputs[k];
    if (v != NULL && (v->flags & (VALUE_CONSTANT | VALUE_WRITTEN)) == 0) {
      return invalid_tensor(e, c, v, "an operator reads a tensor that nothing has written");
    }
  }
  for (uint32_t k = 0; k < node->output_count; ++k) {
    engine_value *v = node->outputs[k];
    if ((v->flags & VALUE_CONSTANT) != 0) {
      return invalid_tensor(e, c, v, "an operator writes to a constant");
    }
    for (uint32_t n = 0; n < node->input_count; ++n) {
      if (node->inputs[n] == v) {
        return invalid_tensor(e, c, v, "an operator's output is also its input");
      }
    }
    for (uint32_t n = 0; n < k; ++n) {
      if (node->outputs[n] == v) {
        return invalid_tensor(e, c, v, "an operator has one output twice");
      }
    }
    v->flags |= VALUE_WRITTEN;
  }
  return true;
}

static bool prepare_node(engine *e, const container *c, uint32_t index) {
  model_operator op;
  engine_node *node = &e->nodes[index];
  if (!model_operator_at(e, c, index, &op)) {
    return false;
  }
  c->error->op_index = (int32_t)index;
  const uint32_t count = op.inputs.count + op.outputs.count;
  engine_value **values = arena_allocate_tail(e, c, (uint64_t)count * sizeof *values);
  if (values == NULL) {
    return false;
  }
  node->kernel = op.kernel;
  node->inputs = values;
  node->outputs = values + op.inputs.count;
  node->input_count = (uint8_t)op.inputs.count;
  node->output_count = (uint8_t)op.outputs.count;
  resolve(e, c, &op.inputs, node->inputs);
  resolve(e, c, &op.outputs, node->outputs);
  if (!check_flow(e, c, node)) {
    return false;
  }
  preparation p = {e, *c, node, index, op.position, op.has_options, op.options};
  if (op.kernel->needs_options && !op.has_options) {
    return prepare_refuse(&p, op.kernel->options_type, 0, "the operator's options are missing");
  }
  if (!op.kernel->prepare(&p)) {
    if (c->error->status == ENGINE_OK) {
      prepare_refuse(&p, 0, 0, "the operator's prepare failed");
    }
    return false;
  }
  c->error->op_index = -1;
  return true;
}

static bool allocate(engine *e, const container *c) {
  e->values = arena_allocate_tail(e, c, (uint64_t)e->tensor_count * sizeof *e->values);
  if (e->values == NULL) {
    return false;
  }
  e->nodes = arena_allocate_tail(e, c, (uint64_t)e->operator_count * sizeof *e->nodes);
  if (e->nodes == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < e->tensor_count; ++i) {
    if (!model_tensor(e, c, i, &e->values[i])) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->input_count; ++i) {
    engine_value *v = &e->values[container_word(c, e->inputs + 4 + 4 * i)];
    if ((v->flags & VALUE_CONSTANT) != 0) {
      return invalid_tensor(e, c, v, "a model input is a constant");
    }
    if ((v->flags & VALUE_WRITTEN) != 0) {
      return invalid_tensor(e, c, v, "a tensor is twice among the model's inputs");
    }
    v->flags |= VALUE_WRITTEN;
  }
  for (uint32_t i = 0; i < e->operator_count; ++i) {
    if (!prepare_node(e, c, i)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->output_count; ++i) {
    const engine_value *v = &e->values[container_word(c, e->outputs + 4 + 4 * i)];
    if ((v->flags & (VALUE_CONSTANT | VALUE_WRITTEN)) == 0) {
      return invalid_tensor(e, c, v, "nothing writes a model output");
    }
  }
  return planner_plan(e, c);
}

engine_status engine_allocate(engine *e, uint8_t *arena, uint32_t arena_size,
                              engine_error *error) {
  clear_error(error);
  if (!engine_is_open(e)) {
    return fail(error, ENGINE_WRONG_STATE, 0, 0, "engine_allocate before engine_open");
  }
  if (arena == NULL) {
    return fail(error, ENGINE_BAD_ARGUMENT, 1, 0, "no arena given");
  }
  const uint32_t misaligned = (uint32_t)((uintptr_t)arena % ENGINE_ALIGNMENT);
  if (misaligned != 0) {
    return fail(error, ENGINE_ARENA_UNALIGNED, 0, misaligned,
                "the arena's address is no multiple of 16");
  }
  e->state = STATE_OPEN;
  e->arena = arena;
  e->arena_size = arena_size / ENGINE_ALIGNMENT * ENGINE_ALIGNMENT;
  e->head_used = 0;
  e->tail_used = 0;
  e->temp_used = 0;
  const container c = container_of(e, error);
  if (!allocate(e, &c)) {
    return error->status;
  }
  e->state = STATE_ALLOCATED;
  return ENGINE_OK;
}

static void describe(const engine *e, uint32_t index, engine_operator *op) {
  const engine_node *node = &e->nodes[index];
  op->index = index;
  op->builtin_code = node->kernel->builtin_code;
  op->name = node->kernel->name;
  op->output_count = node->output_count;
}

engine_status engine_invoke(engine *e, const engine_observer *observer, engine_error *error) {
  clear_error(error);
  if (e->state != STATE_ALLOCATED) {
    return fail(error, ENGINE_WRONG_STATE, 0, 0, "engine_invoke before engine_allocate");
  }
  for (uint32_t i = 0; i < e->operator_count; ++i) {
    const engine_node *node = &e->nodes[i];
    engine_operator op;
    describe(e, i, &op);
    error->op_index = (int32_t)i;
    if (observer != NULL && observer->before_op != NULL &&
        !observer->before_op(observer->context, &op)) {
      return fail(error, ENGINE_ABORTED, 0, 0, "stopped before an operator");
    }
    const engine_status status = node->kernel->invoke(node, error);
    if (status != ENGINE_OK) {
      error->status = status;
      return status;
    }
    if (observer != NULL && observer->after_op != NULL &&
        !observer->after_op(observer->context, &op)) {
      return fail(error, ENGINE_ABORTED, 0, 0, "stopped after an operator");
    }
  }
  error->op_index = -1;
  return ENGINE_OK;
}

engine_status engine_operator_at(const engine *e, uint32_t op_index, engine_operator *op) {
  if (!engine_is_open(e)) {
    return ENGINE_WRONG_STATE;
  }
  if (op_index >= e->operator_count) {
    return ENGINE_BAD_ARGUMENT;
  }
  engine_error error;
  model_operator found;
  clear_error(&error);
  const container c = container_of(e, &error);
  if (!model_operator_at(e, &c, op_index, &found)) {
    return error.status;
  }
  op->index = op_index;
  op->builtin_code = found.builtin_code;
  op->name = found.kernel->name;
  op->output_count = found.outputs.count;
  return ENGINE_OK;
}
