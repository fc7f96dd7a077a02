/* Per-channel factors of convolutions, and the way from an int32 sum to an int8 output. */
#ifndef ENGINE_REQUANTIZE_H
#define ENGINE_REQUANTIZE_H

#include "node.h"

typedef struct {
  const fixed_factor *factors;
  uint32_t mask; /* of the channel: all ones for a factor each, 0 for one that all share */
  int32_t zero_point;
  int32_t low;
  int32_t high;
} requantization;

/* kernels/kernel_util.cc, PopulateConvolutionQuantizationParams, for an int8 input: factors of
 * `channels` output channels, and the output's zero point and clamp. */
bool requantization_prepare(const preparation *p, const engine_value *input,
                            const engine_value *filter, const engine_value *output,
                            uint32_t channels, uint8_t activation, requantization *r);

static inline int8_t requantize(const requantization *r, uint32_t channel, uint32_t sum) {
  const int32_t scaled = fixed_multiply((int32_t)sum, r->factors[channel & r->mask]);
  return (int8_t)fixed_clamp(fixed_wrap_add(scaled, r->zero_point), r->low, r->high);
}

#endif
