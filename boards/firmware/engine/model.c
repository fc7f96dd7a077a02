#include "model_walk.h"

/* Slots: see schema.c. */
enum {
  MODEL_VERSION = 0,
  MODEL_OPERATOR_CODES = 1,
  MODEL_SUBGRAPHS = 2,
  MODEL_BUFFERS = 4,
  MODEL_EXTERNAL_BUFFERS = 9,
  SUBGRAPH_TENSORS = 0,
  SUBGRAPH_INPUTS = 1,
  SUBGRAPH_OUTPUTS = 2,
  SUBGRAPH_OPERATORS = 3
};

static bool open_subgraph(engine *e, const container *c, const container_table *model) {
  container_table t;
  const container_vector subgraphs = container_field_vector(c, model, MODEL_SUBGRAPHS);
  if (subgraphs.count == 0) {
    return invalid(c, model->position, 1, 0, "the model has no subgraphs");
  }
  if (subgraphs.count > 1) {
    return unsupported(c, subgraphs.position, subgraphs.count,
                       "models with more than one subgraph are not supported");
  }
  if (!container_element_table(c, &subgraphs, 0, &schema_subgraph, &t)) {
    return false;
  }
  if (!container_has_field(c, &t, SUBGRAPH_TENSORS) ||
      !container_has_field(c, &t, SUBGRAPH_INPUTS) ||
      !container_has_field(c, &t, SUBGRAPH_OUTPUTS)) {
    return invalid(c, t.position, 1, 0, "the subgraph lacks tensors, inputs or outputs");
  }
  const container_vector tensors = container_field_vector(c, &t, SUBGRAPH_TENSORS);
  const container_vector operators = container_field_vector(c, &t, SUBGRAPH_OPERATORS);
  const container_vector inputs = container_field_vector(c, &t, SUBGRAPH_INPUTS);
  const container_vector outputs = container_field_vector(c, &t, SUBGRAPH_OUTPUTS);
  e->tensors = tensors.position;
  e->tensor_count = tensors.count;
  e->operators = operators.position;
  e->operator_count = operators.count;
  e->inputs = inputs.position;
  e->input_count = inputs.count;
  e->outputs = outputs.position;
  e->output_count = outputs.count;
  return model_tensor_indices(e, c, &inputs, 0) && model_tensor_indices(e, c, &outputs, 0);
}

static bool open_tables(const engine *e, const container *c) {
  for (uint32_t i = 0; i < e->buffer_count; ++i) {
    container_vector data;
    if (!model_buffer(e, c, i, &data)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->operator_code_count; ++i) {
    uint32_t code;
    if (!model_builtin_code(e, c, i, &code)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->tensor_count; ++i) {
    engine_value value;
    if (!model_tensor(e, c, i, &value)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->operator_count; ++i) {
    model_operator op;
    if (!model_operator_at(e, c, i, &op)) {
      return false;
    }
  }
  return true;
}

bool model_open(engine *e, const container *c) {
  container_table model;
  if (!container_root(c, &schema_model, &model)) {
    return false;
  }
  const int32_t version = container_field_word(c, &model, MODEL_VERSION, 0);
  if (version != 3) {
    return container_fail(c, ENGINE_MODEL_VERSION, model.position, 3, version,
                          "the model's schema version is not 3");
  }
  const container_vector codes = container_field_vector(c, &model, MODEL_OPERATOR_CODES);
  const container_vector buffers = container_field_vector(c, &model, MODEL_BUFFERS);
  e->operator_codes = codes.position;
  e->operator_code_count = codes.count;
  e->buffers = buffers.position;
  e->buffer_count = buffers.count;
  if (buffers.count == 0) {
    return invalid(c, model.position, 1, 0, "the model has no buffers");
  }
  if (container_field_vector(c, &model, MODEL_EXTERNAL_BUFFERS).count != 0) {
    return unsupported(c, model.position, 1, "external buffers are not supported");
  }
  return open_subgraph(e, c, &model) && open_tables(e, c) && model_metadata(e, c, &model) &&
         model_signatures(e, c, &model);
}
