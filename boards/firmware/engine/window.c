#include "window.h"

enum { PADDING_SAME = 0, PADDING_VALID = 1 };

/* Room for origin + dilation * filter + size without overflow. */
#define MOST_COORDINATE ((int64_t)1 << 29)

static int64_t effective(int32_t filter, int32_t dilation) {
  return ((int64_t)filter - 1) * dilation + 1;
}

static int64_t output_size(uint8_t padding, int32_t size, int32_t filter, int32_t stride,
                           int32_t dilation) {
  const int64_t reach = padding == PADDING_SAME ? 1 : effective(filter, dilation);
  return ((int64_t)size + stride - reach) / stride;
}

static int32_t before(int64_t out, int32_t size, int32_t filter, int32_t stride,
                      int32_t dilation) {
  const int64_t total = (out - 1) * stride + effective(filter, dilation) - size;
  return total > 0 ? (int32_t)(total / 2) : 0;
}

bool window_prepare(const preparation *p, uint8_t padding, const engine_value *input,
                    const engine_value *output, window *w) {
  if (w->stride_h <= 0 || w->stride_w <= 0) {
    return prepare_refuse(p, 1, w->stride_h < w->stride_w ? w->stride_h : w->stride_w,
                          "a stride is not above 0");
  }
  if (w->dilation_h <= 0 || w->dilation_w <= 0) {
    return prepare_refuse(p, 1, w->dilation_h < w->dilation_w ? w->dilation_h : w->dilation_w,
                          "a dilation is not above 0");
  }
  if (w->filter_h <= 0 || w->filter_w <= 0) {
    return prepare_refuse(p, 1, w->filter_h < w->filter_w ? w->filter_h : w->filter_w,
                          "a filter has no rows or no columns");
  }
  if (padding != PADDING_SAME && padding != PADDING_VALID) {
    return prepare_refuse(p, PADDING_VALID, padding, "padding is neither SAME nor VALID");
  }
  const int64_t reach_h = (int64_t)output->dims[1] * w->stride_h +
                          effective(w->filter_h, w->dilation_h) + w->dilation_h + input->dims[1];
  const int64_t reach_w = (int64_t)output->dims[2] * w->stride_w +
                          effective(w->filter_w, w->dilation_w) + w->dilation_w + input->dims[2];
  if (reach_h > MOST_COORDINATE || reach_w > MOST_COORDINATE) {
    return prepare_unsupported(p, reach_h > reach_w ? reach_h : reach_w,
                               "strides and dilations reach too far from the image");
  }
  /* kernels/padding.h, ComputePaddingHeightWidth: the output size is computed, not taken from
   * the output tensor, and where VALID leaves a negative size both paddings stay 0. */
  const int64_t out_h = output_size(padding, input->dims[1], w->filter_h, w->stride_h,
                                    w->dilation_h);
  const int64_t out_w = output_size(padding, input->dims[2], w->filter_w, w->stride_w,
                                    w->dilation_w);
  w->pad_h = 0;
  w->pad_w = 0;
  if (out_h >= 0 && out_w >= 0) {
    w->pad_h = before(out_h, input->dims[1], w->filter_h, w->stride_h, w->dilation_h);
    w->pad_w = before(out_w, input->dims[2], w->filter_w, w->stride_w, w->dilation_w);
  }
  return true;
}
