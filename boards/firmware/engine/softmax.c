/* SOFTMAX from int8 to int8 or int16: micro/kernels/softmax.cc, softmax_common.cc and
 * kernels/internal/reference/softmax.h. */
#include <stddef.h>
#include <string.h>

#include "kernels.h"

/* SoftmaxOptions */
enum { OPTION_BETA = 0 };
static const schema_field option_fields[] = {
    {SCHEMA_WORD, 0}, /* beta, a float */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

#define SCALED_DIFF_INTEGER_BITS 5
#define ACCUMULATION_INTEGER_BITS 12
/* A sum of this many exponentials of up to 1 still fits 12 bits before the point. */
#define MOST_DEPTH 4095

typedef struct {
  fixed_factor factor;
  int32_t diff_min; /* differences below give 0 */
  uint32_t depth;
  uint32_t rows;
} softmax_data;

static bool check_output(const preparation *p, const engine_value *output,
                         const quantization *out) {
  if (output->type == TYPE_INT16) {
    const float difference = out->scale - 1.0f / 65536;
    const float magnitude = difference < 0 ? -difference : difference;
    if (out->zero_point != -32768 || !(magnitude <= 0.001f * 1.0f / 65536)) {
      return prepare_refuse(p, -32768, out->zero_point,
                            "SOFTMAX to int16 needs scale 1/65536 and zero point -32768");
    }
    return true;
  }
  if (!prepare_type(p, output, TYPE_INT8)) {
    return false;
  }
  if (out->zero_point != -128 || !(out->scale == 1.0f / 256)) {
    return prepare_refuse(p, -128, out->zero_point,
                          "SOFTMAX to int8 needs scale 1/256 and zero point -128");
  }
  return true;
}

/* kernels/internal/quantization_util.cc, PreprocessSoftmaxScaling */
static bool prepare_scaling(const preparation *p, float beta, float scale, softmax_data *d) {
  const double most = 2147483647.0;
  const double scaled = (double)beta * (double)scale *
                        (double)(INT32_C(1) << (31 - SCALED_DIFF_INTEGER_BITS));
  const double real = scaled < most ? scaled : most;
  if (!(scaled > 1.0)) {
    return prepare_refuse(p, 1, 0, "SOFTMAX's beta times input scale is too small");
  }
  int64_t fraction;
  if (!fixed_split(real, &fraction, &d->factor.shift)) {
    return prepare_refuse(p, 1, 0, "SOFTMAX's beta times input scale is not a number");
  }
  if (fraction == (int64_t)1 << 31) {
    fraction /= 2;
    d->factor.shift += 1;
  }
  d->factor.multiplier = (int32_t)fraction;
  d->diff_min = -fixed_input_radius(SCALED_DIFF_INTEGER_BITS, d->factor.shift);
  return true;
}

static bool prepare(preparation *p) {
  quantization in;
  quantization out;
  float beta;
  if (!prepare_counts(p, 1, 1, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "SOFTMAX is only done for int8 input");
  }
  softmax_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_type(p, input, TYPE_INT8) || !prepare_not_empty(p, input) ||
      !prepare_quantized(p, input, &in) || !prepare_quantized(p, output, &out) ||
      !check_output(p, output, &out)) {
    return false;
  }
  if (input->rank < 1 || input->rank != output->rank ||
      memcmp(input->dims, output->dims, input->rank * sizeof input->dims[0]) != 0) {
    return prepare_refuse(p, input->rank, output->rank,
                          "SOFTMAX needs input and output of one shape with a dimension or more");
  }
  d->depth = (uint32_t)input->dims[input->rank - 1];
  d->rows = value_count(input) / d->depth;
  if (d->depth > MOST_DEPTH) {
    return prepare_unsupported(p, d->depth, "SOFTMAX over more than 4095 values");
  }
  const int32_t beta_bits = prepare_option_i32(p, OPTION_BETA, 0);
  memcpy(&beta, &beta_bits, sizeof beta);
  p->node->data = d;
  return prepare_scaling(p, beta, in.scale, d);
}

/* exp of a difference to the row's largest value, no bits before the point. TFLM multiplies with
 * a shift of up to 31 here. */
static int32_t exponential(const softmax_data *d, int32_t difference) {
  const int32_t shifted = (int32_t)((uint32_t)difference << d->factor.shift);
  return fixed_exp_on_negative(fixed_high_mul(shifted, d->factor.multiplier),
                               SCALED_DIFF_INTEGER_BITS);
}

static void store(const engine_value *output, uint32_t i, int32_t level) {
  if (output->type == TYPE_INT16) {
    const int32_t clamped = fixed_clamp(level + INT16_MIN, INT16_MIN, INT16_MAX);
    store_i16(output->data + 2 * (size_t)i, (int16_t)clamped);
  } else {
    output->data[i] = (uint8_t)fixed_clamp(level + INT8_MIN, INT8_MIN, INT8_MAX);
  }
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  const softmax_data *d = node->data;
  const engine_value *output = node->outputs[0];
  const int8_t *x = (const int8_t *)node->inputs[0]->data;
  const int32_t output_bits = output->type == TYPE_INT16 ? 16 : 8;
  for (uint32_t row = 0; row < d->rows; ++row) {
    int32_t most = INT8_MIN;
    for (uint32_t i = 0; i < d->depth; ++i) {
      most = x[i] > most ? x[i] : most;
    }
    int32_t sum = 0;
    for (uint32_t i = 0; i < d->depth; ++i) {
      if (x[i] - most >= d->diff_min) {
        sum += fixed_divide_by_pot(exponential(d, x[i] - most), ACCUMULATION_INTEGER_BITS);
      }
    }
    int32_t bits_over_unit;
    const int32_t scale = fixed_reciprocal(sum, ACCUMULATION_INTEGER_BITS, &bits_over_unit);
    const int32_t exponent = bits_over_unit + 31 - output_bits;
    if (exponent < 0 || exponent > 31) {
      error->text = "SOFTMAX's sum leaves no exponent";
      return ENGINE_INVOKE_FAILED;
    }
    for (uint32_t i = 0; i < d->depth; ++i) {
      int32_t level = 0;
      if (x[i] - most >= d->diff_min) {
        level = fixed_divide_by_pot(fixed_high_mul(scale, exponential(d, x[i] - most)), exponent);
      }
      store(output, row * d->depth + i, level);
    }
    x += d->depth;
  }
  return ENGINE_OK;
}

const engine_kernel kernel_softmax = {
    .builtin_code = 25,
    .name = "SOFTMAX",
    .options_type = 9,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
