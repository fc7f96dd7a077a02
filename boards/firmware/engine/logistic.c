/* LOGISTIC, int8: micro/kernels/logistic.cc, logistic_common.cc and
 * kernels/internal/reference/integer_ops/logistic.h. In fixed point, as TFLM computes it; a table
 * of 256 entries would give the same bytes. */
#include <stddef.h>

#include "kernels.h"

#define INPUT_INTEGER_BITS 4
#define OUTPUT_FRACTIONAL_BITS 8
#define OUTPUT_ZERO_POINT (-128)

typedef struct {
  fixed_factor factor;
  int32_t zero_point;
  int32_t radius; /* inputs this far from the zero point saturate */
} logistic_data;

static bool prepare(preparation *p) {
  quantization in;
  quantization out;
  int64_t fraction;
  if (!prepare_counts(p, 1, 1, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL || !prepare_same_type(p, input, output)) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "LOGISTIC is only done for int8");
  }
  logistic_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_type(p, input, TYPE_INT8) || !prepare_quantized(p, input, &in) ||
      !prepare_quantized(p, output, &out)) {
    return false;
  }
  if (out.zero_point != OUTPUT_ZERO_POINT) {
    return prepare_refuse(p, OUTPUT_ZERO_POINT, out.zero_point,
                          "LOGISTIC's output zero point has to be -128");
  }
  if (value_count(input) != value_count(output)) {
    return prepare_refuse(p, value_count(input), value_count(output),
                          "input and output have another number of elements");
  }
  const double real = (double)in.scale * (double)(INT32_C(1) << (31 - INPUT_INTEGER_BITS));
  if (!fixed_split(real, &fraction, &d->factor.shift) || fraction < 0 || d->factor.shift < 0) {
    return prepare_refuse(p, 0, d->factor.shift, "LOGISTIC's input scale is too small or negative");
  }
  /* A float's 24 bits leave the fraction below 2^31. */
  d->factor.multiplier = (int32_t)fraction;
  d->zero_point = in.zero_point;
  d->radius = fixed_input_radius(INPUT_INTEGER_BITS, d->factor.shift);
  p->node->data = d;
  return true;
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const logistic_data *d = node->data;
  const int8_t *x = (const int8_t *)node->inputs[0]->data;
  int8_t *out = (int8_t *)node->outputs[0]->data;
  const uint32_t count = value_count(node->inputs[0]);
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t value = x[i] - d->zero_point;
    if (value <= -d->radius) {
      out[i] = INT8_MIN;
    } else if (value >= d->radius) {
      out[i] = INT8_MAX;
    } else {
      const int32_t sigmoid = fixed_logistic(fixed_multiply(value, d->factor));
      const int32_t level = fixed_divide_by_pot(sigmoid, 31 - OUTPUT_FRACTIONAL_BITS);
      out[i] = (int8_t)fixed_clamp(level + OUTPUT_ZERO_POINT, INT8_MIN, INT8_MAX);
    }
  }
  return ENGINE_OK;
}

const engine_kernel kernel_logistic = {
    .builtin_code = 14,
    .name = "LOGISTIC",
    .options_type = 0,
    .options = &schema_nothing,
    .needs_options = false,
    .prepare = prepare,
    .invoke = invoke,
};
