/* QUANTIZE: micro/kernels/quantize_common.cc, kernels/internal/reference/quantize.h
 * (AffineQuantize) and requantize.h. */
#include <stddef.h>

#include "kernels.h"

typedef struct {
  fixed_factor factor; /* from integers */
  float scale;         /* from floats */
  int32_t input_zero_point;
  int32_t output_zero_point;
} quantize_data;

static bool is_pair(const preparation *p, uint8_t from, uint8_t to) {
  bool ok = false;
  switch (from) {
    case TYPE_FLOAT32:
    case TYPE_INT32:
      ok = to == TYPE_INT8 || to == TYPE_INT16;
      break;
    case TYPE_INT16:
      ok = to == TYPE_INT8 || to == TYPE_INT16 || to == TYPE_INT32;
      break;
    case TYPE_INT8:
      ok = to == TYPE_INT8 || to == TYPE_UINT8 || to == TYPE_INT16 || to == TYPE_INT32;
      break;
    case TYPE_UINT8:
      ok = to == TYPE_INT8;
      break;
    default:
      break;
  }
  return ok || prepare_refuse(p, from, to, "QUANTIZE does not convert between these types");
}

static bool prepare(preparation *p) {
  quantization in;
  quantization out;
  if (!prepare_counts(p, 1, 1, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL || !is_pair(p, input->type, output->type)) {
    return false;
  }
  quantize_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_quantized(p, output, &out)) {
    return false;
  }
  if (out.scale_count != 1) {
    return prepare_refuse(p, 1, out.scale_count, "QUANTIZE's output needs exactly one scale");
  }
  if (value_count(input) != value_count(output)) {
    return prepare_refuse(p, value_count(input), value_count(output),
                          "input and output have another number of elements");
  }
  d->scale = out.scale;
  d->output_zero_point = out.zero_point;
  p->node->data = d;
  if (input->type == TYPE_FLOAT32) {
    return d->scale > 0.0f || prepare_refuse(p, 0, 0, "QUANTIZE's output scale is not above 0");
  }
  if (!prepare_quantized(p, input, &in)) {
    return false;
  }
  d->input_zero_point = in.zero_point;
  return prepare_factor(p, (double)in.scale / (double)out.scale, &d->factor);
}

/* A cast from float to int32 as Cortex-M7's VCVT does it: saturating, NaN to 0. */
static int32_t to_i32(float x) {
  if (x >= 2147483648.0f) {
    return INT32_MAX;
  }
  if (x < -2147483648.0f) {
    return INT32_MIN;
  }
  return x == x ? (int32_t)x : 0;
}

static int32_t level_of(const quantize_data *d, const engine_value *input, uint32_t i) {
  int32_t value;
  switch (input->type) {
    case TYPE_FLOAT32: {
      const float x = load_f32(input->data + 4 * (size_t)i);
      return fixed_wrap_add(to_i32(fixed_round(x / d->scale)), d->output_zero_point);
    }
    case TYPE_INT32:
      value = load_i32(input->data + 4 * (size_t)i);
      break;
    case TYPE_INT16:
      value = load_i16(input->data + 2 * (size_t)i);
      break;
    case TYPE_UINT8:
      value = input->data[i];
      break;
    default:
      value = (int8_t)input->data[i];
      break;
  }
  const int32_t scaled = fixed_multiply(fixed_wrap_sub(value, d->input_zero_point), d->factor);
  return fixed_wrap_add(scaled, d->output_zero_point);
}

static void store(const engine_value *output, uint32_t i, int32_t level) {
  switch (output->type) {
    case TYPE_INT32:
      store_i32(output->data + 4 * (size_t)i, level);
      break;
    case TYPE_INT16:
      store_i16(output->data + 2 * (size_t)i, (int16_t)fixed_clamp(level, INT16_MIN, INT16_MAX));
      break;
    case TYPE_UINT8:
      output->data[i] = (uint8_t)fixed_clamp(level, 0, UINT8_MAX);
      break;
    default:
      output->data[i] = (uint8_t)fixed_clamp(level, INT8_MIN, INT8_MAX);
      break;
  }
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const engine_value *output = node->outputs[0];
  const uint32_t count = value_count(output);
  for (uint32_t i = 0; i < count; ++i) {
    store(output, i, level_of(node->data, node->inputs[0], i));
  }
  return ENGINE_OK;
}

const engine_kernel kernel_quantize = {
    .builtin_code = 114,
    .name = "QUANTIZE",
    .options_type = 89,
    .options = &schema_nothing,
    .needs_options = false,
    .prepare = prepare,
    .invoke = invoke,
};
