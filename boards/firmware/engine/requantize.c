#include "requantize.h"

#include <stddef.h>

#include "activation.h"

bool requantization_prepare(const preparation *p, const engine_value *input,
                            const engine_value *filter, const engine_value *output,
                            uint32_t channels, uint8_t activation, requantization *r) {
  quantization in;
  quantization weights;
  quantization out;
  if (!prepare_quantized_i8(p, input, &in) || !prepare_quantized_i8(p, filter, &weights) ||
      !prepare_quantized(p, output, &out)) {
    return false;
  }
  const bool per_channel = weights.scale_count > 1;
  if (per_channel) {
    if (weights.scale_count != channels) {
      return prepare_refuse(p, channels, weights.scale_count,
                            "the filter has neither 1 scale nor one for each channel");
    }
    if (weights.dimension < 0 || weights.dimension >= filter->rank) {
      return prepare_refuse(p, filter->rank - 1, weights.dimension,
                            "the filter's quantized_dimension is out of range");
    }
    if ((uint32_t)filter->dims[weights.dimension] != channels) {
      return prepare_refuse(p, channels, filter->dims[weights.dimension],
                            "the filter's quantized_dimension is not that of its channels");
    }
  }
  const uint32_t count = per_channel ? channels : 1;
  fixed_factor *factors = prepare_allocate(p, count * (uint32_t)sizeof(fixed_factor));
  if (factors == NULL) {
    return false;
  }
  for (uint32_t k = 0; k < count; ++k) {
    const float scale = quantization_scale(p, &weights, k);
    const double real = (double)in.scale * (double)scale / (double)out.scale;
    if (!prepare_factor(p, real, &factors[k])) {
      return false;
    }
  }
  r->factors = factors;
  r->mask = per_channel ? UINT32_MAX : 0;
  r->zero_point = out.zero_point;
  return activation_range(p, activation, output, &out, &r->low, &r->high);
}
