#include "activation.h"

enum { ACTIVATION_RELU = 1, ACTIVATION_RELU_N1_TO_1 = 2, ACTIVATION_RELU6 = 3 };

static bool quantize(const preparation *p, float real, const quantization *q, int32_t *level) {
  const float rounded = fixed_round(real / q->scale);
  /* Also refuses NaN. 2^31 itself passes TFLM's check and then does not fit its cast. */
  if (!(rounded >= -2147483648.0f && rounded < 2147483648.0f)) {
    return prepare_refuse(p, 0, 0, "the activation's limit does not fit 32 bits at this scale");
  }
  const int64_t sum = (int64_t)(int32_t)rounded + q->zero_point;
  *level = sum > INT32_MAX ? INT32_MAX : (sum < INT32_MIN ? INT32_MIN : (int32_t)sum);
  return true;
}

bool activation_range(const preparation *p, uint8_t activation, const engine_value *output,
                      const quantization *q, int32_t *low, int32_t *high) {
  int32_t level = 0;
  switch (output->type) {
    case TYPE_INT8:
      *low = INT8_MIN;
      *high = INT8_MAX;
      break;
    case TYPE_UINT8:
      *low = 0;
      *high = UINT8_MAX;
      break;
    case TYPE_INT16:
      *low = INT16_MIN;
      *high = INT16_MAX;
      break;
    default:
      return prepare_refuse(p, TYPE_INT8, output->type,
                            "an activation needs an 8-bit or 16-bit output");
  }
  if (activation == ACTIVATION_RELU || activation == ACTIVATION_RELU6 ||
      activation == ACTIVATION_RELU_N1_TO_1) {
    const float least = activation == ACTIVATION_RELU_N1_TO_1 ? -1.0f : 0.0f;
    if (!quantize(p, least, q, &level)) {
      return false;
    }
    *low = level > *low ? level : *low;
  }
  if (activation == ACTIVATION_RELU6 || activation == ACTIVATION_RELU_N1_TO_1) {
    const float most = activation == ACTIVATION_RELU6 ? 6.0f : 1.0f;
    if (!quantize(p, most, q, &level)) {
      return false;
    }
    *high = level < *high ? level : *high;
  }
  if (*low > *high) {
    return prepare_refuse(p, *low, *high, "the activation leaves no value at this scale");
  }
  return true;
}
