/* Sliding windows of convolutions and poolings: padding, and which taps lie in the image. */
#ifndef ENGINE_WINDOW_H
#define ENGINE_WINDOW_H

#include "node.h"

typedef struct {
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t filter_h, filter_w;
  int32_t pad_h, pad_w;
} window;

/* Checks strides, dilations and filter, and that every coordinate fits 32 bits for inputs and
 * outputs of rank 4 (batch, height, width, channels); computes the padding before the image.
 * Padding (enum): SAME 0, VALID 1. */
bool window_prepare(const preparation *p, uint8_t padding, const engine_value *input,
                    const engine_value *output, window *w);

/* Taps [first, end) of a filter of `filter` taps, `dilation` apart, whose tap 0 stands at
 * `origin`, that lie in [0, size). */
static inline void window_taps(int32_t origin, int32_t dilation, int32_t filter, int32_t size,
                               int32_t *first, int32_t *end) {
  *first = origin >= 0 ? 0 : (dilation == 1 ? -origin : (dilation - 1 - origin) / dilation);
  const int32_t room = size - origin;
  const int32_t last = room <= 0 ? 0 : (dilation == 1 ? room : (room + dilation - 1) / dilation);
  *end = last < filter ? last : filter;
  if (*end < *first) {
    *end = *first;
  }
}

#endif
