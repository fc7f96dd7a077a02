/* AVERAGE_POOL_2D and MAX_POOL_2D, int8: micro/kernels/pooling.cc, pooling_common.cc and
 * kernels/internal/reference/integer_ops/pooling.h. */
#include <stddef.h>

#include "activation.h"
#include "kernels.h"
#include "window.h"

/* Pool2DOptions */
enum {
  OPTION_PADDING = 0,
  OPTION_STRIDE_W = 1,
  OPTION_STRIDE_H = 2,
  OPTION_FILTER_W = 3,
  OPTION_FILTER_H = 4,
  OPTION_ACTIVATION = 5
};
static const schema_field option_fields[] = {
    {SCHEMA_BYTE, SCHEMA_PADDINGS}, /* padding */
    {SCHEMA_WORD, 0}, /* stride_w */
    {SCHEMA_WORD, 0}, /* stride_h */
    {SCHEMA_WORD, 0}, /* filter_width */
    {SCHEMA_WORD, 0}, /* filter_height */
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

/* So many int8 values, and half their number, add up within 32 bits. */
#define MOST_TAPS ((int64_t)1 << 23)

typedef struct {
  window w;
  int32_t low;
  int32_t high;
} pooling_data;

static bool check_quantization(const preparation *p, const quantization *in,
                               const quantization *out) {
  const float difference = in->scale - out->scale;
  const double magnitude = (double)(difference < 0 ? -difference : difference);
  if (!(magnitude <= 1.0e-6)) {
    return prepare_refuse(p, 0, 0, "input and output scales of a pooling differ");
  }
  if (in->zero_point != out->zero_point) {
    return prepare_refuse(p, in->zero_point, out->zero_point,
                          "input and output zero points of a pooling differ");
  }
  return true;
}

static bool prepare(preparation *p) {
  quantization in;
  quantization out;
  if (!prepare_counts(p, 1, 1, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL || !prepare_same_type(p, input, output)) {
    return false;
  }
  if (input->type == TYPE_FLOAT32 || input->type == TYPE_INT16) {
    return prepare_unsupported(p, input->type, "poolings are only done for int8");
  }
  pooling_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_type(p, input, TYPE_INT8) || !prepare_rank(p, input, 4) ||
      !prepare_rank(p, output, 4) || !prepare_not_empty(p, input) ||
      !prepare_not_empty(p, output)) {
    return false;
  }
  d->w.stride_w = prepare_option_i32(p, OPTION_STRIDE_W, 0);
  d->w.stride_h = prepare_option_i32(p, OPTION_STRIDE_H, 0);
  d->w.filter_w = prepare_option_i32(p, OPTION_FILTER_W, 0);
  d->w.filter_h = prepare_option_i32(p, OPTION_FILTER_H, 0);
  if (input->dims[0] != output->dims[0] || input->dims[3] != output->dims[3]) {
    return prepare_refuse(p, input->dims[3], output->dims[3],
                          "input and output of a pooling differ in batches or channels");
  }
  const int64_t most_h = d->w.filter_h < input->dims[1] ? d->w.filter_h : input->dims[1];
  const int64_t most_w = d->w.filter_w < input->dims[2] ? d->w.filter_w : input->dims[2];
  if (most_h * most_w > MOST_TAPS) {
    return prepare_unsupported(p, most_h * most_w, "a pooling over too many pixels");
  }
  d->w.dilation_h = 1;
  d->w.dilation_w = 1;
  p->node->data = d;
  return window_prepare(p, prepare_option_u8(p, OPTION_PADDING, 0), input, output, &d->w) &&
         prepare_quantization(p, input, &in) && prepare_quantization(p, output, &out) &&
         check_quantization(p, &in, &out) &&
         activation_range(p, prepare_option_u8(p, OPTION_ACTIVATION, 0), output, &out, &d->low,
                          &d->high);
}

/* The part of a window that lies in the image: its first element of channel 0, and its size. */
typedef struct {
  const int8_t *image;
  uint32_t rows, columns;
  uint32_t row_size; /* elements of an image row */
  uint32_t channels;
} pool;

static void max_pixel(const pooling_data *d, const pool *at, int8_t *out) {
  for (uint32_t channel = 0; channel < at->channels; ++channel) {
    const int8_t *row = at->image + channel;
    int32_t most = INT8_MIN;
    for (uint32_t y = 0; y < at->rows; ++y) {
      const int8_t *x = row;
      for (uint32_t k = 0; k < at->columns; ++k) {
        most = *x > most ? *x : most;
        x += at->channels;
      }
      row += at->row_size;
    }
    out[channel] = (int8_t)fixed_clamp(most, d->low, d->high);
  }
}

static void average_pixel(const pooling_data *d, const pool *at, int8_t *out) {
  const int32_t count = (int32_t)(at->rows * at->columns);
  for (uint32_t channel = 0; channel < at->channels; ++channel) {
    const int8_t *row = at->image + channel;
    int32_t sum = 0;
    for (uint32_t y = 0; y < at->rows; ++y) {
      const int8_t *x = row;
      for (uint32_t k = 0; k < at->columns; ++k) {
        sum += *x;
        x += at->channels;
      }
      row += at->row_size;
    }
    const int32_t half = count / 2;
    const int32_t mean = (sum > 0 ? sum + half : sum - half) / count;
    out[channel] = (int8_t)fixed_clamp(mean, d->low, d->high);
  }
}

static engine_status run(const engine_node *node, engine_error *error, bool average) {
  const pooling_data *d = node->data;
  const engine_value *input = node->inputs[0];
  const engine_value *output = node->outputs[0];
  const int8_t *image = (const int8_t *)input->data;
  int8_t *out = (int8_t *)output->data;
  pool at;
  at.channels = (uint32_t)input->dims[3];
  at.row_size = (uint32_t)input->dims[2] * at.channels;
  for (int32_t batch = 0; batch < output->dims[0]; ++batch) {
    for (int32_t oy = 0; oy < output->dims[1]; ++oy) {
      int32_t first_y;
      int32_t end_y;
      const int32_t y = oy * d->w.stride_h - d->w.pad_h;
      window_taps(y, 1, d->w.filter_h, input->dims[1], &first_y, &end_y);
      for (int32_t ox = 0; ox < output->dims[2]; ++ox) {
        int32_t first_x;
        int32_t end_x;
        const int32_t x = ox * d->w.stride_w - d->w.pad_w;
        window_taps(x, 1, d->w.filter_w, input->dims[2], &first_x, &end_x);
        at.rows = (uint32_t)(end_y - first_y);
        at.columns = (uint32_t)(end_x - first_x);
        at.image = image;
        if (at.rows != 0 && at.columns != 0) {
          at.image += (uint32_t)(y + first_y) * at.row_size + (uint32_t)(x + first_x) * at.channels;
        } else if (average) {
          /* TFLM leaves the rest of the output as it was. */
          error->text = "an average pooling's window lies outside the image";
          return ENGINE_INVOKE_FAILED;
        } else {
          at.rows = 0;
        }
        (average ? average_pixel : max_pixel)(d, &at, out);
        out += at.channels;
      }
    }
    image += (uint32_t)input->dims[1] * at.row_size;
  }
  return ENGINE_OK;
}

static engine_status invoke_average(const engine_node *node, engine_error *error) {
  return run(node, error, true);
}

static engine_status invoke_max(const engine_node *node, engine_error *error) {
  return run(node, error, false);
}

const engine_kernel kernel_average_pool_2d = {
    .builtin_code = 1,
    .name = "AVERAGE_POOL_2D",
    .options_type = 5,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke_average,
};
const engine_kernel kernel_max_pool_2d = {
    .builtin_code = 17,
    .name = "MAX_POOL_2D",
    .options_type = 5,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke_max,
};
