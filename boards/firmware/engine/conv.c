/* CONV_2D, int8: micro/kernels/conv.cc, conv_common.cc and
 * kernels/internal/reference/integer_ops/conv.h, ConvPerChannel.
 *
 * The sums are TFLM's in another order, which int32 arithmetic that wraps does not notice: where
 * taps lie side by side in both image and filter they are one run, and four output channels are
 * computed at once. */
#include <stddef.h>

#include "dot.h"
#include "kernels.h"
#include "requantize.h"
#include "window.h"

/* Conv2DOptions */
enum {
  OPTION_PADDING = 0,
  OPTION_STRIDE_W = 1,
  OPTION_STRIDE_H = 2,
  OPTION_ACTIVATION = 3,
  OPTION_DILATION_W = 4,
  OPTION_DILATION_H = 5
};
static const schema_field option_fields[] = {
    {SCHEMA_BYTE, SCHEMA_PADDINGS}, /* padding */
    {SCHEMA_WORD, 0}, /* stride_w */
    {SCHEMA_WORD, 0}, /* stride_h */
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
    {SCHEMA_WORD, 0}, /* dilation_w_factor */
    {SCHEMA_WORD, 0}, /* dilation_h_factor */
    {SCHEMA_BYTE, SCHEMA_TENSOR_TYPES}, /* quantized_bias_type */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

typedef struct {
  window w;
  requantization r;
  int32_t input_offset;
  uint32_t depth;       /* channels that one filter looks at */
  uint32_t filter_size; /* elements of one output channel's filter */
  uint32_t group_size;  /* output channels that look at the same input channels */
  bool rows_are_runs;   /* taps of a filter's row lie side by side in the image, too */
} conv_data;

static bool check_shapes(const preparation *p, const engine_value *input,
                         const engine_value *filter, const engine_value *output, conv_data *d) {
  if (!prepare_rank(p, input, 4) || !prepare_rank(p, filter, 4) || !prepare_rank(p, output, 4) ||
      !prepare_not_empty(p, input) || !prepare_not_empty(p, filter) ||
      !prepare_not_empty(p, output)) {
    return false;
  }
  if (input->dims[0] != output->dims[0]) {
    return prepare_refuse(p, input->dims[0], output->dims[0], "input and output batches differ");
  }
  if (filter->dims[0] != output->dims[3]) {
    return prepare_refuse(p, filter->dims[0], output->dims[3],
                          "the output has not as many channels as there are filters");
  }
  const int32_t groups = input->dims[3] / filter->dims[3];
  if (input->dims[3] % filter->dims[3] != 0 || output->dims[3] % groups != 0) {
    return prepare_refuse(p, filter->dims[3], input->dims[3],
                          "input channels are no multiple of the filter's, or groups are uneven");
  }
  d->depth = (uint32_t)filter->dims[3];
  d->filter_size = value_count(filter) / (uint32_t)filter->dims[0];
  d->group_size = (uint32_t)(output->dims[3] / groups);
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
  if (input == NULL || filter == NULL || output == NULL ||
      !prepare_same_type(p, input, output)) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 && filter->type != TYPE_FLOAT32) {
    return prepare_refuse(p, TYPE_FLOAT32, filter->type, "TFLM does not support hybrid models");
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "CONV_2D is only done for int8 input");
  }
  if (!prepare_type(p, input, TYPE_INT8) || !prepare_type(p, filter, TYPE_INT8)) {
    return false;
  }
  conv_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !check_shapes(p, input, filter, output, d) ||
      !bias_prepare(p, bias, filter->dims[0])) {
    return false;
  }
  d->w.stride_w = prepare_option_i32(p, OPTION_STRIDE_W, 0);
  d->w.stride_h = prepare_option_i32(p, OPTION_STRIDE_H, 0);
  d->w.dilation_w = prepare_option_i32(p, OPTION_DILATION_W, 1);
  d->w.dilation_h = prepare_option_i32(p, OPTION_DILATION_H, 1);
  d->w.filter_h = filter->dims[1];
  d->w.filter_w = filter->dims[2];
  if (!window_prepare(p, prepare_option_u8(p, OPTION_PADDING, 0), input, output, &d->w) ||
      !requantization_prepare(p, input, filter, output, (uint32_t)filter->dims[0],
                              prepare_option_u8(p, OPTION_ACTIVATION, 0), &d->r) ||
      !prepare_quantization(p, input, &q)) {
    return false;
  }
  d->input_offset = -q.zero_point;
  d->rows_are_runs = d->w.dilation_w == 1 && filter->dims[3] == input->dims[3];
  p->node->data = d;
  return true;
}

/* One output pixel's window. */
typedef struct {
  const int8_t *image; /* the batch's */
  uint32_t row_size;   /* elements of an image row */
  uint32_t channels;   /* of the image */
  int32_t y, x;        /* where tap (0, 0) stands */
  int32_t first_y, end_y, first_x, end_x;
} pixel;

static void add_taps(const conv_data *d, const pixel *at, uint32_t input_channel, const int8_t *w,
                     uint32_t rows, uint32_t sums[DOT_ROWS]) {
  const uint32_t columns = (uint32_t)(at->end_x - at->first_x);
  const uint32_t runs = d->rows_are_runs ? 1 : columns;
  const uint32_t run = d->rows_are_runs ? columns * d->depth : d->depth;
  const uint32_t image_step = (uint32_t)d->w.dilation_w * at->channels;
  if (columns == 0) {
    return;
  }
  for (int32_t fy = at->first_y; fy < at->end_y; ++fy) {
    const uint32_t image_y = (uint32_t)(at->y + fy * d->w.dilation_h);
    const uint32_t image_x = (uint32_t)(at->x + at->first_x * d->w.dilation_w);
    const int8_t *x = at->image + image_y * at->row_size + image_x * at->channels + input_channel;
    const int8_t *v = w + (uint32_t)(fy * d->w.filter_w + at->first_x) * d->depth;
    for (uint32_t k = 0; k < runs; ++k) {
      if (rows == DOT_ROWS) {
        dot_rows(x, v, d->filter_size, run, d->input_offset, sums);
      } else {
        for (uint32_t r = 0; r < rows; ++r) {
          sums[r] += dot_row(x, v + r * d->filter_size, run, d->input_offset);
        }
      }
      x += image_step;
      v += d->depth;
    }
  }
}

static void compute_pixel(const conv_data *d, const pixel *at, const int8_t *filter,
                          const uint8_t *bias, uint32_t channels, int8_t *out) {
  uint32_t rows;
  for (uint32_t channel = 0; channel < channels; channel += rows) {
    const uint32_t group = channel / d->group_size;
    const uint32_t left = (group + 1) * d->group_size - channel;
    uint32_t sums[DOT_ROWS] = {0};
    rows = left < DOT_ROWS ? left : DOT_ROWS;
    if (bias != NULL) {
      for (uint32_t r = 0; r < rows; ++r) {
        sums[r] = (uint32_t)load_i32(bias + 4 * (channel + r));
      }
    }
    add_taps(d, at, group * d->depth, filter + channel * d->filter_size, rows, sums);
    for (uint32_t r = 0; r < rows; ++r) {
      out[channel + r] = requantize(&d->r, channel + r, sums[r]);
    }
  }
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const conv_data *d = node->data;
  const engine_value *input = node->inputs[0];
  const engine_value *output = node->outputs[0];
  const int8_t *filter = (const int8_t *)node->inputs[1]->data;
  const uint8_t *bias = bias_data(node);
  const uint32_t channels = (uint32_t)output->dims[3];
  int8_t *out = (int8_t *)output->data;
  pixel at;
  at.channels = (uint32_t)input->dims[3];
  at.row_size = (uint32_t)input->dims[2] * at.channels;
  at.image = (const int8_t *)input->data;
  for (int32_t batch = 0; batch < output->dims[0]; ++batch) {
    for (int32_t oy = 0; oy < output->dims[1]; ++oy) {
      at.y = oy * d->w.stride_h - d->w.pad_h;
      window_taps(at.y, d->w.dilation_h, d->w.filter_h, input->dims[1], &at.first_y, &at.end_y);
      for (int32_t ox = 0; ox < output->dims[2]; ++ox) {
        at.x = ox * d->w.stride_w - d->w.pad_w;
        window_taps(at.x, d->w.dilation_w, d->w.filter_w, input->dims[2], &at.first_x, &at.end_x);
        compute_pixel(d, &at, filter, bias, channels, out);
        out += channels;
      }
    }
    at.image += (uint32_t)input->dims[1] * at.row_size;
  }
  return ENGINE_OK;
}

const engine_kernel kernel_conv_2d = {
    .builtin_code = 3,
    .name = "CONV_2D",
    .options_type = 1,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
