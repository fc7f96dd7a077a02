#include "model.h"

#include <string.h>

/* Field numbers, in the order of declaration in schema.fbs. */
enum {
  MODEL_VERSION = 0,
  MODEL_OPERATOR_CODES = 1,
  MODEL_SUBGRAPHS = 2,
  MODEL_BUFFERS = 4,
  MODEL_METADATA = 6,
  SUBGRAPH_TENSORS = 0,
  SUBGRAPH_INPUTS = 1,
  SUBGRAPH_OUTPUTS = 2,
  SUBGRAPH_OPERATORS = 3,
  CODE_DEPRECATED = 0,
  CODE_BUILTIN = 3,
  OPERATOR_CODE = 0,
  OPERATOR_INPUTS = 1,
  OPERATOR_OUTPUTS = 2,
  OPERATOR_OPTIONS_TYPE = 3,
  OPERATOR_OPTIONS = 4,
  OPERATOR_INTERMEDIATES = 8,
  TENSOR_SHAPE = 0,
  TENSOR_TYPE = 1,
  TENSOR_BUFFER = 2,
  TENSOR_QUANTIZATION = 4,
  TENSOR_IS_VARIABLE = 5,
  TENSOR_SPARSITY = 6,
  QUANTIZATION_SCALE = 2,
  QUANTIZATION_ZERO_POINT = 3,
  QUANTIZATION_DIMENSION = 6,
  BUFFER_DATA = 0,
  BUFFER_OFFSET = 1,
  METADATA_NAME = 0
};

/* No kernel takes as many. Keeps the walk linear when many operators share one long vector. */
#define MOST_TENSORS 64u

static bool invalid(const container *c, uint32_t position, int64_t expected, int64_t got,
                    const char *text) {
  return container_fail(c, ENGINE_MODEL_INVALID, position, expected, got, text);
}

static bool unsupported(const container *c, uint32_t position, int64_t got, const char *text) {
  return container_fail(c, ENGINE_UNSUPPORTED, position, 0, got, text);
}

/* A vector field that has to be there. */
static bool required_vector(const container *c, const container_table *t, uint32_t slot,
                            uint32_t element_size, container_vector *v, const char *text) {
  bool present;
  if (!container_field_vector(c, t, slot, element_size, &present, v)) {
    return false;
  }
  return present || invalid(c, t->position, 1, 0, text);
}

/* A vector that an engine knows only by its position has been verified when it was opened. */
static container_vector vector_at(const container *c, uint32_t position) {
  container_vector v = {position, position + 4, 0};
  if (position != 0) {
    v.count = container_word(c, position);
  }
  return v;
}

/* Bytes of one element; 0 for types without a size of whole bytes (micro/memory_helpers.cc,
 * TfLiteTypeSizeOf, refuses them; INT4's packing is not supported here). */
static uint8_t element_size(uint8_t type) {
  switch (type) {
    case 3:  /* UINT8 */
    case 6:  /* BOOL */
    case 9:  /* INT8 */
      return 1;
    case 1:  /* FLOAT16 */
    case 7:  /* INT16 */
    case 16: /* UINT16 */
      return 2;
    case 0:  /* FLOAT32 */
    case 2:  /* INT32 */
    case 15: /* UINT32 */
      return 4;
    case 4:  /* INT64 */
    case 8:  /* COMPLEX64 */
    case 10: /* FLOAT64 */
    case 12: /* UINT64 */
      return 8;
    default:
      return 0;
  }
}

static bool tensor_shape(const container *c, const container_table *t, engine_value *v) {
  bool present;
  container_vector shape;
  if (!container_field_vector(c, t, TENSOR_SHAPE, 4, &present, &shape)) {
    return false;
  }
  if (shape.count > ENGINE_MAX_RANK) {
    return unsupported(c, shape.position, shape.count, "a tensor has more than 6 dimensions");
  }
  /* No shape is a scalar: one element (micro/memory_helpers.cc). The product is kept in 32 bits
   * and made to fit; TFLM multiplies in an int and lets it wrap. */
  uint64_t count = 1;
  v->rank = (uint8_t)shape.count;
  for (uint32_t k = 0; k < shape.count; ++k) {
    const int32_t dim = (int32_t)container_word(c, shape.first + 4 * k);
    if (dim < 0) {
      return invalid(c, shape.first + 4 * k, 0, dim,
                     "a dimension is negative; dynamic shapes have to be fixed before");
    }
    v->dims[k] = dim;
    count *= (uint32_t)dim;
    if (count > INT32_MAX) {
      return invalid(c, shape.first, INT32_MAX, (int64_t)count,
                     "a shape's product overflows 32 bits");
    }
  }
  if (count * v->element_size > INT32_MAX) {
    return invalid(c, t->position, INT32_MAX, (int64_t)(count * v->element_size),
                   "a tensor's size in bytes overflows 32 bits");
  }
  v->count = (uint32_t)count;
  v->length = (uint32_t)count * v->element_size;
  return true;
}

static bool tensor_buffer(const engine *e, const container *c, const container_table *t,
                          engine_value *v) {
  int32_t index;
  container_table buffer;
  container_vector data;
  bool present;
  uint64_t offset;
  const container_vector buffers = vector_at(c, e->buffers);
  if (!container_field_i32(c, t, TENSOR_BUFFER, 0, &index)) {
    return false;
  }
  if ((uint32_t)index >= buffers.count) {
    return invalid(c, t->position, buffers.count, (uint32_t)index,
                   "a tensor's buffer index is out of range");
  }
  if (!container_element_table(c, &buffers, (uint32_t)index, &buffer) ||
      !container_field_vector(c, &buffer, BUFFER_DATA, 1, &present, &data) ||
      !container_field_u64(c, &buffer, BUFFER_OFFSET, 0, &offset)) {
    return false;
  }
  if (offset > 1) {
    /* TFLM does not read it and would take the tensor for an activation. */
    return unsupported(c, buffer.position, 0, "a buffer lies outside the flatbuffer");
  }
  if (data.count == 0) {
    return true;
  }
  if (data.count != v->length) {
    return invalid(c, data.position, v->length, data.count,
                   "a constant's length is not what its shape asks for");
  }
  /* Kernels write only to tensors that are not constants. */
  v->data = (uint8_t *)(uintptr_t)(c->data + data.first);
  v->flags = VALUE_CONSTANT;
  return true;
}

bool model_quantization(const container *c, uint32_t position, quantization *q) {
  memset(q, 0, sizeof *q);
  container_table t;
  container_table table;
  container_vector scales;
  container_vector zero_points;
  bool present;
  if (!container_table_at(c, position, &t) ||
      !container_field_table(c, &t, TENSOR_QUANTIZATION, &present, &table)) {
    return false;
  }
  if (!present) {
    return true;
  }
  if (!container_field_vector(c, &table, QUANTIZATION_SCALE, 4, &present, &scales) ||
      !container_field_vector(c, &table, QUANTIZATION_ZERO_POINT, 8, &present, &zero_points) ||
      !container_field_i32(c, &table, QUANTIZATION_DIMENSION, 0, &q->dimension)) {
    return false;
  }
  if (scales.count == 0 || zero_points.count == 0) {
    return true;
  }
  const uint32_t bits = container_word(c, scales.first);
  const int64_t zero_point = (int64_t)container_double_word(c, zero_points.first);
  if (zero_point < INT32_MIN || zero_point > INT32_MAX) {
    return invalid(c, zero_points.first, INT32_MAX, zero_point,
                   "a zero point does not fit 32 bits");
  }
  q->present = true;
  memcpy(&q->scale, &bits, sizeof bits);
  q->zero_point = (int32_t)zero_point;
  q->scale_count = scales.count;
  q->zero_point_count = zero_points.count;
  q->scales = scales.first;
  q->zero_points = zero_points.first;
  return true;
}

bool model_tensor(const engine *e, container *c, uint32_t i, engine_value *v) {
  container_table t;
  uint8_t is_variable;
  bool sparse;
  container_table sparsity;
  quantization q;
  const container_vector tensors = vector_at(c, e->tensors);
  memset(v, 0, sizeof *v);
  c->error->tensor_index = (int32_t)i;
  if (!container_element_table(c, &tensors, i, &t) ||
      !container_field_u8(c, &t, TENSOR_TYPE, TYPE_FLOAT32, &v->type) ||
      !container_field_u8(c, &t, TENSOR_IS_VARIABLE, 0, &is_variable) ||
      !container_field_table(c, &t, TENSOR_SPARSITY, &sparse, &sparsity)) {
    return false;
  }
  v->position = t.position;
  v->element_size = element_size(v->type);
  if (v->element_size == 0) {
    return unsupported(c, t.position, v->type, "a tensor has a type without a size in bytes");
  }
  if (is_variable != 0) {
    return unsupported(c, t.position, 1, "variable tensors are not supported");
  }
  if (sparse) {
    return unsupported(c, sparsity.position, 1, "sparse tensors are not supported");
  }
  if (!tensor_shape(c, &t, v) || !tensor_buffer(e, c, &t, v) ||
      !model_quantization(c, t.position, &q)) {
    return false;
  }
  c->error->tensor_index = -1;
  return true;
}

/* The larger of the two fields: compiler/mlir/lite/schema/schema_utils.cc, GetBuiltinCode. */
static bool builtin_code(const engine *e, const container *c, uint32_t index, uint32_t position,
                         uint32_t *code) {
  container_table t;
  uint8_t deprecated;
  int32_t builtin;
  const container_vector codes = vector_at(c, e->operator_codes);
  if (index >= codes.count) {
    return invalid(c, position, codes.count, index, "an operator's opcode_index is out of range");
  }
  if (!container_element_table(c, &codes, index, &t) ||
      !container_field_u8(c, &t, CODE_DEPRECATED, 0, &deprecated) ||
      !container_field_i32(c, &t, CODE_BUILTIN, 0, &builtin)) {
    return false;
  }
  const int32_t old = (int8_t)deprecated;
  const int32_t larger = old > builtin ? old : builtin;
  if (larger < 0) {
    return invalid(c, t.position, 0, larger, "an operator code is negative");
  }
  *code = (uint32_t)larger;
  return true;
}

static bool tensor_indices(const engine *e, const container *c, const container_vector *v,
                           int32_t least) {
  for (uint32_t k = 0; k < v->count; ++k) {
    const int32_t index = (int32_t)container_word(c, v->first + 4 * k);
    if (index < least || index >= (int32_t)e->tensor_count) {
      return invalid(c, v->first + 4 * k, e->tensor_count, index, "a tensor index is out of range");
    }
  }
  return true;
}

bool model_operator_at(const engine *e, container *c, uint32_t i, model_operator *op) {
  container_table t;
  int32_t opcode_index;
  container_vector intermediates;
  bool present;
  const container_vector operators = vector_at(c, e->operators);
  memset(op, 0, sizeof *op);
  c->error->op_index = (int32_t)i;
  if (!container_element_table(c, &operators, i, &t) ||
      !container_field_i32(c, &t, OPERATOR_CODE, 0, &opcode_index) ||
      !container_field_vector(c, &t, OPERATOR_INPUTS, 4, &present, &op->inputs) ||
      !container_field_vector(c, &t, OPERATOR_OUTPUTS, 4, &present, &op->outputs) ||
      !container_field_vector(c, &t, OPERATOR_INTERMEDIATES, 4, &present, &intermediates) ||
      !container_field_u8(c, &t, OPERATOR_OPTIONS_TYPE, 0, &op->options_type) ||
      !container_field_table(c, &t, OPERATOR_OPTIONS, &op->has_options, &op->options)) {
    return false;
  }
  op->position = t.position;
  if (op->inputs.count > MOST_TENSORS || op->outputs.count > MOST_TENSORS) {
    return unsupported(c, t.position, op->inputs.count,
                       "an operator has more inputs or outputs than any kernel takes");
  }
  if (!builtin_code(e, c, (uint32_t)opcode_index, t.position, &op->builtin_code) ||
      !tensor_indices(e, c, &op->inputs, -1) || !tensor_indices(e, c, &op->outputs, 0)) {
    return false;
  }
  if (intermediates.count != 0) {
    return unsupported(c, intermediates.position, intermediates.count,
                       "operators with intermediate tensors are not supported");
  }
  op->kernel = engine_find_kernel(op->builtin_code);
  if (op->kernel == NULL) {
    return container_fail(c, ENGINE_UNKNOWN_OPERATOR, t.position, 0, op->builtin_code,
                          "no kernel for this builtin code in the registration table");
  }
  c->error->op_index = -1;
  return true;
}

/* An offline plan would move the tensors; TFLM reads it from here (micro_allocation_info.cc). */
static bool check_metadata(const container *c, const container_table *model) {
  static const char name[] = "OfflineMemoryAllocation";
  bool present;
  container_vector metadata;
  if (!container_field_vector(c, model, MODEL_METADATA, 4, &present, &metadata)) {
    return false;
  }
  for (uint32_t k = 0; k < metadata.count; ++k) {
    container_table t;
    container_vector text;
    if (!container_element_table(c, &metadata, k, &t) ||
        !container_field_vector(c, &t, METADATA_NAME, 1, &present, &text)) {
      return false;
    }
    if (text.count == sizeof name - 1 && memcmp(c->data + text.first, name, text.count) == 0) {
      return unsupported(c, t.position, 0, "an offline memory plan is not supported");
    }
  }
  return true;
}

static bool open_subgraph(engine *e, const container *c, const container_table *model) {
  container_vector subgraphs;
  container_table t;
  container_vector v;
  bool present;
  if (!required_vector(c, model, MODEL_SUBGRAPHS, 4, &subgraphs, "the model has no subgraphs")) {
    return false;
  }
  if (subgraphs.count == 0) {
    return invalid(c, subgraphs.position, 1, 0, "the model has no subgraphs");
  }
  if (subgraphs.count > 1) {
    return unsupported(c, subgraphs.position, subgraphs.count,
                       "models with more than one subgraph are not supported");
  }
  if (!container_element_table(c, &subgraphs, 0, &t) ||
      !required_vector(c, &t, SUBGRAPH_TENSORS, 4, &v, "the subgraph has no tensors")) {
    return false;
  }
  e->tensors = v.position;
  e->tensor_count = v.count;
  if (!required_vector(c, &t, SUBGRAPH_OPERATORS, 4, &v, "the subgraph has no operators")) {
    return false;
  }
  e->operators = v.position;
  e->operator_count = v.count;
  if (!container_field_vector(c, &t, SUBGRAPH_INPUTS, 4, &present, &v) ||
      !tensor_indices(e, c, &v, 0)) {
    return false;
  }
  e->inputs = v.position;
  e->input_count = v.count;
  if (!container_field_vector(c, &t, SUBGRAPH_OUTPUTS, 4, &present, &v) ||
      !tensor_indices(e, c, &v, 0)) {
    return false;
  }
  e->outputs = v.position;
  e->output_count = v.count;
  return true;
}

bool model_open(engine *e, container *c) {
  container_table model;
  container_vector v;
  int32_t version;
  if (!container_root(c, &model) ||
      !container_field_i32(c, &model, MODEL_VERSION, 0, &version)) {
    return false;
  }
  if (version != 3) {
    return container_fail(c, ENGINE_MODEL_VERSION, model.position, 3, version,
                          "the model's schema version is not 3");
  }
  if (!required_vector(c, &model, MODEL_OPERATOR_CODES, 4, &v, "the model has no operator_codes")) {
    return false;
  }
  e->operator_codes = v.position;
  e->operator_code_count = v.count;
  if (!required_vector(c, &model, MODEL_BUFFERS, 4, &v, "the model has no buffers")) {
    return false;
  }
  e->buffers = v.position;
  e->buffer_count = v.count;
  if (!open_subgraph(e, c, &model) || !check_metadata(c, &model)) {
    return false;
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
