#include "model.h"

#include <string.h>

/* Slots: see schema.c. */
enum {
  MODEL_VERSION = 0,
  MODEL_OPERATOR_CODES = 1,
  MODEL_SUBGRAPHS = 2,
  MODEL_BUFFERS = 4,
  MODEL_METADATA_BUFFER = 5,
  MODEL_METADATA = 6,
  MODEL_SIGNATURES = 7,
  MODEL_EXTERNAL_BUFFERS = 9,
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
  OPERATOR_LARGE_OPTIONS_SIZE = 10,
  OPERATOR_OPTIONS_2_TYPE = 11,
  TENSOR_SHAPE = 0,
  TENSOR_TYPE = 1,
  TENSOR_BUFFER = 2,
  TENSOR_QUANTIZATION = 4,
  TENSOR_IS_VARIABLE = 5,
  TENSOR_SPARSITY = 6,
  TENSOR_VARIANTS = 9,
  TENSOR_EXTERNAL_BUFFER = 10,
  QUANTIZATION_SCALE = 2,
  QUANTIZATION_ZERO_POINT = 3,
  QUANTIZATION_DETAILS_TYPE = 4,
  QUANTIZATION_DIMENSION = 6,
  BUFFER_DATA = 0,
  BUFFER_OFFSET = 1,
  BUFFER_SIZE = 2,
  METADATA_NAME = 0,
  METADATA_BUFFER = 1,
  SIGNATURE_INPUTS = 0,
  SIGNATURE_OUTPUTS = 1,
  SIGNATURE_SUBGRAPH = 4,
  MAP_TENSOR = 1
};

/* No kernel takes as many. Keeps the walk linear when many operators share one long vector. */
#define MOST_TENSORS 64u

/* Names of signatures' inputs and outputs in all, for the same reason. */
#define MOST_MAPS 65536u

static bool invalid(const container *c, uint32_t position, int64_t expected, int64_t got,
                    const char *text) {
  return container_fail(c, ENGINE_MODEL_INVALID, position, expected, got, text);
}

static bool unsupported(const container *c, uint32_t position, int64_t got, const char *text) {
  return container_fail(c, ENGINE_UNSUPPORTED, position, 0, got, text);
}

/* A vector that was verified when the model was opened. */
static container_vector vector_at(const container *c, uint32_t position) {
  container_vector v = {position, position + 4, 0};
  if (position != 0) {
    v.count = container_word(c, position);
  }
  return v;
}

/* --- buffers and tensors ---------------------------------------------------------------------- */

static bool open_buffer(const engine *e, const container *c, uint32_t i, container_vector *data) {
  container_table t;
  const container_vector buffers = vector_at(c, e->buffers);
  if (!container_element_table(c, &buffers, i, &schema_buffer, &t)) {
    return false;
  }
  *data = container_field_vector(c, &t, BUFFER_DATA);
  const uint64_t offset = container_field_long(c, &t, BUFFER_OFFSET);
  const uint64_t size = container_field_long(c, &t, BUFFER_SIZE);
  if (data->count == 0 && offset > 1 && size != 0) {
    /* Schema 3c's large buffers. TFLM does not look there and takes the tensor for an
     * activation. Offsets of 0 and 1 are a writer's placeholder. */
    return unsupported(c, t.position, 0, "a buffer's bytes lie outside the flatbuffer");
  }
  return true;
}

/* Bytes of one element; 0 for types without a size of whole bytes (micro/memory_helpers.cc,
 * TfLiteTypeSizeOf, refuses them; INT4's packing is not supported here). */
static uint8_t element_size(uint8_t type) {
  switch (type) {
    case 3: /* UINT8 */
    case 6: /* BOOL */
    case 9: /* INT8 */
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

/* No shape is a scalar: one element (micro/memory_helpers.cc). TFLM multiplies in an int and lets
 * it wrap; here the product, zeros left out, has to fit. */
static bool tensor_shape(const container *c, const container_table *t, engine_value *v) {
  const container_vector shape = container_field_vector(c, t, TENSOR_SHAPE);
  if (shape.count > ENGINE_MAX_RANK) {
    return unsupported(c, shape.position, shape.count, "a tensor has more than 6 dimensions");
  }
  uint64_t bytes = v->element_size;
  uint32_t count = 1;
  v->rank = (uint8_t)shape.count;
  for (uint32_t k = 0; k < shape.count; ++k) {
    const int32_t dim = (int32_t)container_word(c, shape.first + 4 * k);
    if (dim < 0) {
      return invalid(c, shape.first + 4 * k, 0, dim,
                     "a dimension is negative; fix dynamic shapes before conversion");
    }
    v->dims[k] = dim;
    count *= (uint32_t)dim;
    bytes *= dim == 0 ? 1 : (uint32_t)dim;
    if (bytes > INT32_MAX) {
      return invalid(c, shape.first + 4 * k, INT32_MAX, (int64_t)bytes,
                     "overflow: a tensor's size in bytes does not fit 32 bits");
    }
  }
  v->count = count;
  v->length = count * v->element_size;
  return true;
}

static bool tensor_buffer(const engine *e, const container *c, const container_table *t,
                          engine_value *v) {
  container_vector data;
  const uint32_t index = (uint32_t)container_field_word(c, t, TENSOR_BUFFER, 0);
  if (index >= e->buffer_count) {
    return invalid(c, t->position, e->buffer_count, index,
                   "a tensor's buffer index is out of range");
  }
  if (!open_buffer(e, c, index, &data)) {
    return false;
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
  container_table t;
  container_table table;
  memset(q, 0, sizeof *q);
  if (!container_open(c, position, &schema_tensor, &t)) {
    return false;
  }
  if (!container_has_field(c, &t, TENSOR_QUANTIZATION)) {
    return true;
  }
  if (!container_field_table(c, &t, TENSOR_QUANTIZATION, &schema_quantization, &table)) {
    return false;
  }
  if (container_field_byte(c, &table, QUANTIZATION_DETAILS_TYPE, 0) != 0) {
    return unsupported(c, table.position, 1, "quantization other than affine is not supported");
  }
  const container_vector scales = container_field_vector(c, &table, QUANTIZATION_SCALE);
  const container_vector zero_points = container_field_vector(c, &table, QUANTIZATION_ZERO_POINT);
  if (scales.count == 0 || zero_points.count == 0) {
    return true;
  }
  const uint32_t bits = container_word(c, scales.first);
  const int64_t zero_point = (int64_t)container_long(c, zero_points.first);
  if (zero_point < INT32_MIN || zero_point > INT32_MAX) {
    return invalid(c, zero_points.first, INT32_MAX, zero_point,
                   "a zero point does not fit 32 bits");
  }
  q->present = true;
  memcpy(&q->scale, &bits, sizeof bits);
  q->zero_point = (int32_t)zero_point;
  q->scale_count = scales.count;
  q->zero_point_count = zero_points.count;
  q->dimension = container_field_word(c, &table, QUANTIZATION_DIMENSION, 0);
  q->scales = scales.first;
  return true;
}

bool model_tensor(const engine *e, const container *c, uint32_t i, engine_value *v) {
  container_table t;
  quantization q;
  const container_vector tensors = vector_at(c, e->tensors);
  memset(v, 0, sizeof *v);
  c->error->tensor_index = (int32_t)i;
  if (!container_element_table(c, &tensors, i, &schema_tensor, &t)) {
    return false;
  }
  v->position = t.position;
  v->type = container_field_byte(c, &t, TENSOR_TYPE, TYPE_FLOAT32);
  v->element_size = element_size(v->type);
  if (v->element_size == 0) {
    return unsupported(c, t.position, v->type, "a tensor has a type without a size in bytes");
  }
  if (container_field_byte(c, &t, TENSOR_IS_VARIABLE, 0) != 0) {
    return unsupported(c, t.position, 1, "variable tensors are not supported");
  }
  if (container_has_field(c, &t, TENSOR_SPARSITY) ||
      container_field_vector(c, &t, TENSOR_VARIANTS).count != 0 ||
      container_field_word(c, &t, TENSOR_EXTERNAL_BUFFER, 0) != 0) {
    return unsupported(c, t.position, 1, "sparse, variant and external tensors are not supported");
  }
  if (!tensor_shape(c, &t, v) || !tensor_buffer(e, c, &t, v) ||
      !model_quantization(c, t.position, &q)) {
    return false;
  }
  c->error->tensor_index = -1;
  return true;
}

/* --- operators -------------------------------------------------------------------------------- */

/* The larger of the two fields: compiler/mlir/lite/schema/schema_utils.cc, GetBuiltinCode. */
static bool builtin_code(const engine *e, const container *c, uint32_t index, uint32_t *code) {
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

static bool tensor_indices(const engine *e, const container *c, const container_vector *v,
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
  if (!builtin_code(e, c, code, &op->builtin_code) || !tensor_indices(e, c, &op->inputs, -1) ||
      !tensor_indices(e, c, &op->outputs, 0)) {
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

/* --- what the engine does not use, but a sound model has -------------------------------------- */

static bool check_metadata(const engine *e, const container *c, const container_table *model) {
  static const char plan[] = "OfflineMemoryAllocation"; /* micro_allocation_info.cc */
  const container_vector metadata = container_field_vector(c, model, MODEL_METADATA);
  for (uint32_t k = 0; k < metadata.count; ++k) {
    container_table t;
    if (!container_element_table(c, &metadata, k, &schema_metadata, &t)) {
      return false;
    }
    const container_vector name = container_field_vector(c, &t, METADATA_NAME);
    const uint32_t buffer = (uint32_t)container_field_word(c, &t, METADATA_BUFFER, 0);
    if (buffer >= e->buffer_count) {
      return invalid(c, t.position, e->buffer_count, buffer,
                     "a metadata entry's buffer index is out of range");
    }
    if (name.count == sizeof plan - 1 && memcmp(c->data + name.first, plan, name.count) == 0) {
      return unsupported(c, t.position, 0, "an offline memory plan is not supported");
    }
  }
  const container_vector indices = container_field_vector(c, model, MODEL_METADATA_BUFFER);
  for (uint32_t k = 0; k < indices.count; ++k) {
    const uint32_t buffer = container_word(c, indices.first + 4 * k);
    if (buffer >= e->buffer_count) {
      return invalid(c, indices.first + 4 * k, e->buffer_count, buffer,
                     "a metadata_buffer index is out of range");
    }
  }
  return true;
}

static bool check_maps(const engine *e, const container *c, const container_vector *maps,
                       uint32_t *left) {
  for (uint32_t k = 0; k < maps->count; ++k) {
    container_table t;
    if (*left == 0) {
      return unsupported(c, maps->position, maps->count, "more signature names than are looked at");
    }
    *left -= 1;
    if (!container_element_table(c, maps, k, &schema_tensor_map, &t)) {
      return false;
    }
    const uint32_t tensor = (uint32_t)container_field_word(c, &t, MAP_TENSOR, 0);
    if (tensor >= e->tensor_count) {
      return invalid(c, t.position, e->tensor_count, tensor,
                     "a signature's tensor index is out of range");
    }
  }
  return true;
}

static bool check_signatures(const engine *e, const container *c, const container_table *model) {
  uint32_t left = MOST_MAPS;
  const container_vector signatures = container_field_vector(c, model, MODEL_SIGNATURES);
  for (uint32_t k = 0; k < signatures.count; ++k) {
    container_table t;
    if (!container_element_table(c, &signatures, k, &schema_signature, &t)) {
      return false;
    }
    const container_vector inputs = container_field_vector(c, &t, SIGNATURE_INPUTS);
    const container_vector outputs = container_field_vector(c, &t, SIGNATURE_OUTPUTS);
    if (container_field_word(c, &t, SIGNATURE_SUBGRAPH, 0) != 0) {
      return invalid(c, t.position, 0, container_field_word(c, &t, SIGNATURE_SUBGRAPH, 0),
                     "a signature's subgraph index is out of range");
    }
    if (!check_maps(e, c, &inputs, &left) || !check_maps(e, c, &outputs, &left)) {
      return false;
    }
  }
  return true;
}

/* --- opening ---------------------------------------------------------------------------------- */

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
  return tensor_indices(e, c, &inputs, 0) && tensor_indices(e, c, &outputs, 0);
}

static bool open_tables(const engine *e, const container *c) {
  for (uint32_t i = 0; i < e->buffer_count; ++i) {
    container_vector data;
    if (!open_buffer(e, c, i, &data)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < e->operator_code_count; ++i) {
    uint32_t code;
    if (!builtin_code(e, c, i, &code)) {
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
  return open_subgraph(e, c, &model) && open_tables(e, c) && check_metadata(e, c, &model) &&
         check_signatures(e, c, &model);
}
