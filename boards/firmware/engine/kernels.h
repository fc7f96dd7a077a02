/* Every kernel that registration.c names, and what convolutions and fully connected layers share
 * about their bias. */
#ifndef ENGINE_KERNELS_H
#define ENGINE_KERNELS_H

#include "node.h"

extern const engine_kernel kernel_add;
extern const engine_kernel kernel_average_pool_2d;
extern const engine_kernel kernel_concatenation;
extern const engine_kernel kernel_conv_2d;
extern const engine_kernel kernel_depthwise_conv_2d;
extern const engine_kernel kernel_dequantize;
extern const engine_kernel kernel_fully_connected;
extern const engine_kernel kernel_logistic;
extern const engine_kernel kernel_max_pool_2d;
extern const engine_kernel kernel_quantize;
extern const engine_kernel kernel_reshape;
extern const engine_kernel kernel_softmax;
extern const engine_kernel kernel_strided_slice;

/* An int32 bias of `channels` elements, or NULL. */
bool bias_prepare(const preparation *p, const engine_value *bias, int32_t channels);
/* Input 2's bytes, or NULL. */
const uint8_t *bias_data(const engine_node *node);

#endif
