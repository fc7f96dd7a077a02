/* Fused activations as clamps of the quantized output. */
#ifndef ENGINE_ACTIVATION_H
#define ENGINE_ACTIVATION_H

#include "node.h"

/* The clamp of a fused activation (ActivationFunctionType) on an output of type int8, uint8 or
 * int16: kernels/kernel_util.cc, CalculateActivationRangeQuantized. */
bool activation_range(const preparation *p, uint8_t activation, const engine_value *output,
                      const quantization *q, int32_t *low, int32_t *high);

#endif
