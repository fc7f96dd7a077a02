#include <string.h>

#include "model_walk.h"

/* Slots: see schema.c. */
enum {
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
  BUFFER_SIZE = 2
};

bool model_buffer(const engine *e, const container *c, uint32_t i, container_vector *data) {
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
  bool empty = false;
  v->rank = (uint8_t)shape.count;
  /* At a multiple of 4, since vectors stand there and the model at a multiple of 16. */
  v->dims = (const int32_t *)(const void *)(c->data + shape.first);
  for (uint32_t k = 0; k < shape.count; ++k) {
    const int32_t dim = (int32_t)container_word(c, shape.first + 4 * k);
    if (dim < 0) {
      return invalid(c, shape.first + 4 * k, 0, dim,
                     "a dimension is negative; fix dynamic shapes before conversion");
    }
    empty = empty || dim == 0;
    bytes *= dim == 0 ? 1 : (uint32_t)dim;
    if (bytes > INT32_MAX) {
      return invalid(c, shape.first + 4 * k, INT32_MAX, (int64_t)bytes,
                     "overflow: a tensor's size in bytes does not fit 32 bits");
    }
  }
  v->length = empty ? 0 : (uint32_t)bytes;
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
  if (!model_buffer(e, c, index, &data)) {
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

uint32_t model_tensor_position(const engine *e, const container *c, uint32_t i) {
  const uint32_t at = vector_at(c, e->tensors).first + 4 * i;
  return at + container_word(c, at);
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
