/* CONCATENATION: micro/kernels/concatenation.cc and kernels/internal/reference/concatenation.h. */
#include <stddef.h>
#include <string.h>

#include "kernels.h"

/* ConcatenationOptions */
enum { OPTION_AXIS = 0, OPTION_ACTIVATION = 1 };
static const schema_field option_fields[] = {
    {SCHEMA_WORD, 0}, /* axis */
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

#define MOST_INPUTS 10 /* concatenation.cc, kMaxInputNum */

typedef struct {
  uint32_t outer; /* product of the dimensions before the axis */
} concatenation_data;

static bool check_type(const preparation *p, uint8_t type) {
  switch (type) {
    case TYPE_FLOAT32:
    case TYPE_INT8:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64:
    case TYPE_BOOL:
      return true;
    default:
      return prepare_refuse(p, TYPE_INT8, type, "CONCATENATION does not take this type");
  }
}

static bool check_quantization(const preparation *p, const engine_value *input,
                               const quantization *out) {
  quantization in;
  if (!prepare_quantization(p, input, &in)) {
    return false;
  }
  if (input->type == TYPE_INT8 &&
      (!(in.scale == out->scale) || in.zero_point != out->zero_point)) {
    return prepare_refuse(p, out->zero_point, in.zero_point,
                          "int8 inputs need the output's scale and zero point");
  }
  if (input->type == TYPE_INT16 && (in.zero_point != 0 || out->zero_point != 0)) {
    return prepare_refuse(p, 0, in.zero_point, "int16 tensors need a zero point of 0");
  }
  return true;
}

static bool check_shape(const preparation *p, const engine_value *input,
                        const engine_value *output, int32_t axis) {
  if (!prepare_rank(p, input, output->rank)) {
    return false;
  }
  for (int32_t k = 0; k < output->rank; ++k) {
    if (k != axis && input->dims[k] != output->dims[k]) {
      return prepare_refuse(p, output->dims[k], input->dims[k],
                            "an input differs from the output in a dimension besides the axis");
    }
  }
  return true;
}

static bool prepare(preparation *p) {
  quantization out;
  const engine_node *node = p->node;
  if (!prepare_counts(p, 1, MOST_INPUTS, 1)) {
    return false;
  }
  const engine_value *output = prepare_output(p, 0);
  concatenation_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !check_type(p, output->type) || !prepare_quantization(p, output, &out)) {
    return false;
  }
  const uint8_t activation = prepare_option_u8(p, OPTION_ACTIVATION, 0);
  if (activation != 0) {
    return prepare_refuse(p, 0, activation, "CONCATENATION with a fused activation");
  }
  int32_t axis = prepare_option_i32(p, OPTION_AXIS, 0);
  if (axis < 0) {
    axis += output->rank;
  }
  if (axis < 0 || axis >= output->rank) {
    return prepare_refuse(p, output->rank - 1, axis, "the axis is out of range");
  }
  int64_t along = 0;
  for (uint32_t k = 0; k < node->input_count; ++k) {
    const engine_value *input = prepare_input(p, k);
    if (input == NULL || !prepare_same_type(p, output, input) ||
        !check_quantization(p, input, &out) || !check_shape(p, input, output, axis)) {
      return false;
    }
    along += input->dims[axis];
  }
  if (along != output->dims[axis]) {
    return prepare_refuse(p, along, output->dims[axis],
                          "the inputs do not add up to the output along the axis");
  }
  d->outer = 1;
  for (int32_t k = 0; k < axis; ++k) {
    d->outer *= (uint32_t)output->dims[k];
  }
  if (value_count(output) == 0) {
    d->outer = 0;
  }
  p->node->data = d;
  return true;
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const concatenation_data *d = node->data;
  uint8_t *out = node->outputs[0]->data;
  for (uint32_t outer = 0; outer < d->outer; ++outer) {
    for (uint32_t k = 0; k < node->input_count; ++k) {
      const engine_value *input = node->inputs[k];
      const uint32_t size = input->length / d->outer;
      if (size != 0) {
        memcpy(out, input->data + (size_t)outer * size, size);
        out += size;
      }
    }
  }
  return ENGINE_OK;
}

const engine_kernel kernel_concatenation = {
    .builtin_code = 2,
    .name = "CONCATENATION",
    .options_type = 10,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
