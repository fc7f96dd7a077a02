/* DEPTHWISE_CONV_2D, int8: micro/kernels/depthwise_conv.cc, depthwise_conv_common.cc and
 * kernels/internal/reference/integer_ops/depthwise_conv.h, DepthwiseConvPerChannel. */
#include <stddef.h>

#include "kernels.h"
#include "requantize.h"
#include "window.h"

/* DepthwiseConv2DOptions */
enum {
  OPTION_PADDING = 0,
  OPTION_STRIDE_W = 1,
  OPTION_STRIDE_H = 2,
  OPTION_DEPTH_MULTIPLIER = 3,
  OPTION_ACTIVATION = 4,
  OPTION_DILATION_W = 5,
  OPTION_DILATION_H = 6
};
static const schema_field option_fields[] = {
    {SCHEMA_BYTE, SCHEMA_PADDINGS}, /* padding */
    {SCHEMA_WORD, 0}, /* stride_w */
    {SCHEMA_WORD, 0}, /* stride_h */
    {SCHEMA_WORD, 0}, /* depth_multiplier */
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
    {SCHEMA_WORD, 0}, /* dilation_w_factor */
    {SCHEMA_WORD, 0}, /* dilation_h_factor */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

typedef struct {
  window w;
  requantization r;
  int32_t input_offset;
  uint32_t multiplier;
} depthwise_data;

static bool check_shapes(const preparation *p, const engine_value *input,
                         const engine_value *filter, const engine_value *output,
                         int32_t multiplier) {
  if (!prepare_rank(p, input, 4) || !prepare_rank(p, filter, 4) || !prepare_rank(p, output, 4) ||
      !prepare_not_empty(p, input) || !prepare_not_empty(p, filter) ||
      !prepare_not_empty(p, output)) {
    return false;
  }
  if (input->dims[0] != output->dims[0]) {
    return prepare_refuse(p, input->dims[0], output->dims[0], "input and output batches differ");
  }
  if (filter->dims[0] != 1) {
    return prepare_refuse(p, 1, filter->dims[0], "a depthwise filter's first dimension is not 1");
  }
  if (filter->dims[3] != output->dims[3]) {
    return prepare_refuse(p, filter->dims[3], output->dims[3],
                          "filter and output have another number of channels");
  }
  if ((int64_t)input->dims[3] * multiplier != output->dims[3]) {
    return prepare_refuse(p, (int64_t)input->dims[3] * multiplier, output->dims[3],
                          "output channels are not input channels times depth_multiplier");
  }
  return true;
}

static bool prepare(preparation *p) {
  quantization q;
  if (!prepare_counts(p, 2, 3, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *filter = prepare_input(p, 1);
  const engine_value *bias = prepare_optional_input(p, 2);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || filter == NULL || output == NULL) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 && filter->type != TYPE_FLOAT32) {
    return prepare_refuse(p, TYPE_FLOAT32, filter->type, "TFLM does not support hybrid models");
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "DEPTHWISE_CONV_2D is only done for int8 input");
  }
  if (!prepare_type(p, input, TYPE_INT8) || !prepare_type(p, filter, TYPE_INT8) ||
      !prepare_type(p, output, TYPE_INT8)) {
    return false;
  }
  depthwise_data *d = prepare_allocate(p, sizeof *d);
  const int32_t multiplier = prepare_option_i32(p, OPTION_DEPTH_MULTIPLIER, 0);
  if (d == NULL || !check_shapes(p, input, filter, output, multiplier) ||
      !bias_prepare(p, bias, filter->dims[3])) {
    return false;
  }
  d->w.stride_w = prepare_option_i32(p, OPTION_STRIDE_W, 0);
  d->w.stride_h = prepare_option_i32(p, OPTION_STRIDE_H, 0);
  d->w.dilation_w = prepare_option_i32(p, OPTION_DILATION_W, 1);
  d->w.dilation_h = prepare_option_i32(p, OPTION_DILATION_H, 1);
  d->w.filter_h = filter->dims[1];
  d->w.filter_w = filter->dims[2];
  if (!window_prepare(p, prepare_option_u8(p, OPTION_PADDING, 0), input, output, &d->w) ||
      !requantization_prepare(p, input, filter, output, (uint32_t)filter->dims[3],
                              prepare_option_u8(p, OPTION_ACTIVATION, 0), &d->r) ||
      !prepare_quantization(p, input, &q)) {
    return false;
  }
  d->input_offset = -q.zero_point;
  d->multiplier = (uint32_t)multiplier;
  p->node->data = d;
  return true;
}

/* Where one output pixel looks: taps in the image, and the strides between them. */
typedef struct {
  const int8_t *image;  /* of the first tap, channel 0 */
  const int8_t *filter; /* likewise */
  uint32_t rows, columns;
  uint32_t image_row, image_column; /* elements from tap to tap */
  uint32_t filter_row, filter_column;
} taps;

static uint32_t sum_taps(const taps *t, uint32_t input_channel, uint32_t output_channel,
                         int32_t offset) {
  const int8_t *x_row = t->image + input_channel;
  const int8_t *w_row = t->filter + output_channel;
  uint32_t sum = 0;
  for (uint32_t row = 0; row < t->rows; ++row) {
    const int8_t *x = x_row;
    const int8_t *w = w_row;
    for (uint32_t column = 0; column < t->columns; ++column) {
      sum += (uint32_t)((*x + offset) * *w);
      x += t->image_column;
      w += t->filter_column;
    }
    x_row += t->image_row;
    w_row += t->filter_row;
  }
  return sum;
}

static void compute_pixel(const depthwise_data *d, const taps *t, const uint8_t *bias,
                          uint32_t input_channels, int8_t *out) {
  uint32_t channel = 0;
  for (uint32_t input_channel = 0; input_channel < input_channels; ++input_channel) {
    for (uint32_t m = 0; m < d->multiplier; ++m) {
      uint32_t sum = sum_taps(t, input_channel, channel, d->input_offset);
      if (bias != NULL) {
        sum += (uint32_t)load_i32(bias + 4 * channel);
      }
      out[channel] = requantize(&d->r, channel, sum);
      ++channel;
    }
  }
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const depthwise_data *d = node->data;
  const engine_value *input = node->inputs[0];
  const engine_value *output = node->outputs[0];
  const int8_t *image = (const int8_t *)input->data;
  const int8_t *filter = (const int8_t *)node->inputs[1]->data;
  const uint8_t *bias = bias_data(node);
  const uint32_t input_channels = (uint32_t)input->dims[3];
  const uint32_t channels = (uint32_t)output->dims[3];
  const uint32_t row_size = (uint32_t)input->dims[2] * input_channels;
  int8_t *out = (int8_t *)output->data;
  taps t;
  t.image_row = (uint32_t)d->w.dilation_h * row_size;
  t.image_column = (uint32_t)d->w.dilation_w * input_channels;
  t.filter_row = (uint32_t)d->w.filter_w * channels;
  t.filter_column = channels;
  for (int32_t batch = 0; batch < output->dims[0]; ++batch) {
    for (int32_t oy = 0; oy < output->dims[1]; ++oy) {
      int32_t first_y;
      int32_t end_y;
      const int32_t y = oy * d->w.stride_h - d->w.pad_h;
      window_taps(y, d->w.dilation_h, d->w.filter_h, input->dims[1], &first_y, &end_y);
      for (int32_t ox = 0; ox < output->dims[2]; ++ox) {
        int32_t first_x;
        int32_t end_x;
        const int32_t x = ox * d->w.stride_w - d->w.pad_w;
        window_taps(x, d->w.dilation_w, d->w.filter_w, input->dims[2], &first_x, &end_x);
        t.rows = (uint32_t)(end_y - first_y);
        t.columns = (uint32_t)(end_x - first_x);
        t.image = image;
        t.filter = filter;
        if (t.rows != 0 && t.columns != 0) {
          t.image += (uint32_t)(y + first_y * d->w.dilation_h) * row_size +
                     (uint32_t)(x + first_x * d->w.dilation_w) * input_channels;
          t.filter += (uint32_t)first_y * t.filter_row + (uint32_t)first_x * channels;
        } else {
          t.rows = 0;
        }
        compute_pixel(d, &t, bias, input_channels, out);
        out += channels;
      }
    }
    image += (uint32_t)input->dims[1] * row_size;
  }
  return ENGINE_OK;
}

const engine_kernel kernel_depthwise_conv_2d = {
    .builtin_code = 4,
    .name = "DEPTHWISE_CONV_2D",
    .options_type = 2,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
