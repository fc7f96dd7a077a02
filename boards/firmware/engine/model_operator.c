#include <string.h>

#include "model_walk.h"

/* Slots: see schema.c. */
enum {
  CODE_DEPRECATED = 0,
  CODE_BUILTIN = 3,
  OPERATOR_CODE = 0,
  OPERATOR_INPUTS = 1,
  OPERATOR_OUTPUTS = 2,
  OPERATOR_OPTIONS_TYPE = 3,
  OPERATOR_OPTIONS = 4,
  OPERATOR_INTERMEDIATES = 8,
  OPERATOR_LARGE_OPTIONS_SIZE = 10,
  OPERATOR_OPTIONS_2_TYPE = 11
};

/* No kernel takes as many. Keeps the walk linear when many operators share one long vector. */
#define MOST_TENSORS 64u

/* The larger of the two fields: compiler/mlir/lite/schema/schema_utils.cc, GetBuiltinCode. */
bool model_builtin_code(const engine *e, const container *c, uint32_t index, uint32_t *code) {
  container_table t;
  const container_vector codes = vector_at(c, e->operator_codes);
  if (!container_element_table(c, &codes, index, &schema_operator_code, &t)) {
    return false;
  }
  const int32_t old = (int8_t)container_field_byte(c, &t, CODE_DEPRECATED, 0);
  const int32_t builtin = container_field_word(c, &t, CODE_BUILTIN, 0);
  *code = (uint32_t)(old > builtin ? old : builtin);
  return true;
}

bool model_tensor_indices(const engine *e, const container *c, const container_vector *v,
                          int32_t least) {
  for (uint32_t k = 0; k < v->count; ++k) {
    const int32_t index = (int32_t)container_word(c, v->first + 4 * k);
    if (index < least || (index >= 0 && (uint32_t)index >= e->tensor_count)) {
      return invalid(c, v->first + 4 * k, e->tensor_count, index, "a tensor index is out of range");
    }
  }
  return true;
}

/* Options of the operator's own type are verified; TFLM would take others for none and run with
 * zeros, which is refused here. */
static bool operator_options(const container *c, const container_table *t, model_operator *op) {
  const uint8_t type = container_field_byte(c, t, OPERATOR_OPTIONS_TYPE, 0);
  if (container_field_byte(c, t, OPERATOR_OPTIONS_2_TYPE, 0) != 0 ||
      container_field_long(c, t, OPERATOR_LARGE_OPTIONS_SIZE) != 0) {
    return unsupported(c, t->position, 2, "operators with options of a second kind");
  }
  if (type == 0) {
    return true;
  }
  if (type != op->kernel->options_type) {
    return invalid(c, t->position, op->kernel->options_type, type,
                   "an operator has another operator's options (BuiltinOptions)");
  }
  if (!container_has_field(c, t, OPERATOR_OPTIONS)) {
    return true;
  }
  op->has_options = true;
  return container_field_table(c, t, OPERATOR_OPTIONS, op->kernel->options, &op->options);
}

bool model_operator_at(const engine *e, const container *c, uint32_t i, model_operator *op) {
  container_table t;
  const container_vector operators = vector_at(c, e->operators);
  memset(op, 0, sizeof *op);
  c->error->op_index = (int32_t)i;
  if (!container_element_table(c, &operators, i, &schema_operator, &t)) {
    return false;
  }
  op->position = t.position;
  op->inputs = container_field_vector(c, &t, OPERATOR_INPUTS);
  op->outputs = container_field_vector(c, &t, OPERATOR_OUTPUTS);
  const uint32_t code = (uint32_t)container_field_word(c, &t, OPERATOR_CODE, 0);
  if (code >= e->operator_code_count) {
    return invalid(c, t.position, e->operator_code_count, code,
                   "an operator's opcode_index is out of range");
  }
  if (op->inputs.count > MOST_TENSORS || op->outputs.count > MOST_TENSORS) {
    return unsupported(c, t.position, op->inputs.count,
                       "an operator has more inputs or outputs than any kernel takes");
  }
  if (!model_builtin_code(e, c, code, &op->builtin_code) ||
      !model_tensor_indices(e, c, &op->inputs, -1) ||
      !model_tensor_indices(e, c, &op->outputs, 0)) {
    return false;
  }
  if (container_field_vector(c, &t, OPERATOR_INTERMEDIATES).count != 0) {
    return unsupported(c, t.position, 1, "operators with intermediate tensors are not supported");
  }
  op->kernel = engine_find_kernel(op->builtin_code);
  if (op->kernel == NULL) {
    return container_fail(c, ENGINE_UNKNOWN_OPERATOR, t.position, 0, (int32_t)op->builtin_code,
                          "no kernel for this builtin code in the registration table");
  }
  if (!operator_options(c, &t, op)) {
    return false;
  }
  c->error->op_index = -1;
  return true;
}
