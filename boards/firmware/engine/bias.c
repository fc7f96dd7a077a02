#include <stddef.h>

#include "kernels.h"

bool bias_prepare(const preparation *p, const engine_value *bias, int32_t channels) {
  if (bias == NULL) {
    return true;
  }
  if (!prepare_type(p, bias, TYPE_INT32)) {
    return false;
  }
  if (value_count(bias) != (uint32_t)channels) {
    return prepare_refuse(p, channels, value_count(bias),
                          "the bias has not one value for each channel");
  }
  return true;
}

const uint8_t *bias_data(const engine_node *node) {
  const engine_value *bias = node->input_count > 2 ? node->inputs[2] : NULL;
  return bias == NULL ? NULL : bias->data;
}
