/* FULLY_CONNECTED, int8: micro/kernels/fully_connected.cc, fully_connected_common.cc and
 * kernels/internal/reference/integer_ops/fully_connected.h. */
#include <stddef.h>

#include "activation.h"
#include "dot.h"
#include "kernels.h"
#include "requantize.h"

/* FullyConnectedOptions */
enum { OPTION_ACTIVATION = 0, OPTION_WEIGHTS_FORMAT = 1 };
static const schema_field option_fields[] = {
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
    {SCHEMA_BYTE, SCHEMA_WEIGHTS_FORMATS}, /* weights_format */
    {SCHEMA_BYTE, 0}, /* keep_num_dims */
    {SCHEMA_BYTE, 0}, /* asymmetric_quantize_inputs */
    {SCHEMA_BYTE, SCHEMA_TENSOR_TYPES}, /* quantized_bias_type */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

typedef struct {
  requantization r;
  int32_t input_offset;
  int32_t filter_offset; /* TFLM honours it with one scale, ignores it with one a channel */
  uint32_t depth;
  uint32_t channels;
  uint32_t batches;
} fully_connected_data;

static bool check_shapes(const preparation *p, const engine_value *input,
                         const engine_value *filter, const engine_value *output,
                         fully_connected_data *d) {
  if (!prepare_not_empty(p, input) || !prepare_not_empty(p, filter) ||
      !prepare_not_empty(p, output)) {
    return false;
  }
  if (filter->rank < 2 || output->rank < 1) {
    return prepare_refuse(p, 2, filter->rank,
                          "the filter has less than 2 dimensions or the output none");
  }
  d->depth = (uint32_t)filter->dims[filter->rank - 1];
  d->channels = (uint32_t)output->dims[output->rank - 1];
  d->batches = value_count(output) / d->channels;
  if (d->channels != value_count(filter) / d->depth) {
    return prepare_refuse(p, value_count(filter) / d->depth, d->channels,
                          "the output has not as many channels as the filter has rows");
  }
  if ((uint64_t)d->batches * d->depth != value_count(input)) {
    return prepare_refuse(p, (int64_t)d->batches * d->depth, value_count(input),
                          "the input has not as many elements as the output's batches ask for");
  }
  return true;
}

/* kernels/kernel_util.cc, GetQuantizedConvolutionMultipler: the product of scales is made in
 * float there, unlike per channel. */
static bool one_factor(const preparation *p, const quantization *in, const quantization *weights,
                       const engine_value *bias, const quantization *out, fixed_factor *factor) {
  if (bias != NULL) {
    quantization q;
    if (!prepare_quantization(p, bias, &q)) {
      return false;
    }
    const double difference = (double)in->scale * (double)weights->scale - (double)q.scale;
    const double magnitude = difference < 0 ? -difference : difference;
    if (!(magnitude / (double)out->scale <= 0.02)) {
      return prepare_refuse(p, 0, 0, "the bias' scale is not input scale times filter scale");
    }
  }
  const double product = (double)(in->scale * weights->scale);
  if (!(product >= 0)) {
    return prepare_refuse(p, 0, 0, "input scale times filter scale is negative");
  }
  return prepare_factor(p, product / (double)out->scale, factor);
}

static bool prepare_one_scale(const preparation *p, const engine_value *bias,
                              const engine_value *output, const quantization *in,
                              const quantization *weights, uint8_t activation,
                              fully_connected_data *d) {
  quantization out;
  fixed_factor *factor = prepare_allocate(p, sizeof *factor);
  if (factor == NULL || !prepare_quantized(p, output, &out) ||
      !one_factor(p, in, weights, bias, &out, factor)) {
    return false;
  }
  d->r.factors = factor;
  d->r.mask = 0;
  d->r.zero_point = out.zero_point;
  d->filter_offset = -weights->zero_point;
  return activation_range(p, activation, output, &out, &d->r.low, &d->r.high);
}

static bool prepare(preparation *p) {
  quantization in;
  quantization weights;
  if (!prepare_counts(p, 2, 3, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *filter = prepare_input(p, 1);
  const engine_value *bias = prepare_optional_input(p, 2);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || filter == NULL || output == NULL ||
      !prepare_same_type(p, input, output)) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 && filter->type != TYPE_FLOAT32) {
    return prepare_refuse(p, TYPE_FLOAT32, filter->type, "TFLM does not support hybrid models");
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "FULLY_CONNECTED is only done for int8 input");
  }
  if (!prepare_type(p, input, TYPE_INT8) || !prepare_type(p, filter, TYPE_INT8)) {
    return false;
  }
  fully_connected_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !check_shapes(p, input, filter, output, d) ||
      !bias_prepare(p, bias, (int32_t)d->channels) ||
      !prepare_quantized_i8(p, input, &in) || !prepare_quantized_i8(p, filter, &weights)) {
    return false;
  }
  if (prepare_option_u8(p, OPTION_WEIGHTS_FORMAT, 0) != 0) {
    return prepare_unsupported(p, 1, "FULLY_CONNECTED with shuffled weights");
  }
  const uint8_t activation = prepare_option_u8(p, OPTION_ACTIVATION, 0);
  d->input_offset = -in.zero_point;
  p->node->data = d;
  if (weights.scale_count > 1) {
    return requantization_prepare(p, input, filter, output, d->channels, activation, &d->r);
  }
  return prepare_one_scale(p, bias, output, &in, &weights, activation, d);
}

/* What a filter zero point adds to every channel: filter_offset * sum of (x + input_offset). */
static uint32_t filter_offset_term(const fully_connected_data *d, const int8_t *x) {
  uint32_t sum = 0;
  if (d->filter_offset != 0) {
    for (uint32_t i = 0; i < d->depth; ++i) {
      sum += (uint32_t)(x[i] + d->input_offset);
    }
  }
  return sum * (uint32_t)d->filter_offset;
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const fully_connected_data *d = node->data;
  const int8_t *x = (const int8_t *)node->inputs[0]->data;
  const int8_t *filter = (const int8_t *)node->inputs[1]->data;
  const uint8_t *bias = bias_data(node);
  int8_t *out = (int8_t *)node->outputs[0]->data;
  for (uint32_t batch = 0; batch < d->batches; ++batch) {
    const uint32_t common = filter_offset_term(d, x);
    uint32_t rows;
    for (uint32_t channel = 0; channel < d->channels; channel += rows) {
      const uint32_t left = d->channels - channel;
      const int8_t *w = filter + channel * d->depth;
      uint32_t sums[DOT_ROWS] = {common, common, common, common};
      rows = left < DOT_ROWS ? left : DOT_ROWS;
      if (rows == DOT_ROWS) {
        dot_rows(x, w, d->depth, d->depth, d->input_offset, sums);
      }
      for (uint32_t r = 0; r < rows; ++r) {
        if (rows != DOT_ROWS) {
          sums[r] += dot_row(x, w + r * d->depth, d->depth, d->input_offset);
        }
        if (bias != NULL) {
          sums[r] += (uint32_t)load_i32(bias + 4 * (channel + r));
        }
        out[channel + r] = requantize(&d->r, channel + r, sums[r]);
      }
    }
    x += d->depth;
    out += d->channels;
  }
  return ENGINE_OK;
}

const engine_kernel kernel_fully_connected = {
    .builtin_code = 9,
    .name = "FULLY_CONNECTED",
    .options_type = 8,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
