#include "fixedpoint.h"

#include <string.h>

bool fixed_split(double real, int64_t *fraction, int32_t *exponent) {
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  const bool negative = bits >> 63 != 0;
  const int32_t biased = (int32_t)(bits >> 52 & 0x7FF);
  if (biased == 0x7FF) {
    return false;
  }
  *fraction = 0;
  *exponent = 0;
  if (biased == 0) {
    /* Zero; or below 2^-1022, which no caller can tell from zero. */
    return true;
  }
  /* frexp's fraction in [0.5, 1) is mantissa / 2^53; times 2^31 leaves 22 bits to round off. */
  const int64_t mantissa = (int64_t)((bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52);
  const int64_t magnitude = (mantissa + ((int64_t)1 << 21)) >> 22;
  *fraction = negative ? -magnitude : magnitude;
  *exponent = biased - 1022;
  return true;
}

bool fixed_quantize_multiplier(double real, fixed_factor *factor) {
  int64_t fraction;
  int32_t exponent;
  factor->multiplier = 0;
  factor->shift = 0;
  if (!fixed_split(real, &fraction, &exponent)) {
    return false;
  }
  if (fraction == (int64_t)1 << 31) {
    fraction /= 2;
    exponent += 1;
  }
  if (exponent < -31) {
    return true;
  }
  if (exponent > 30) {
    /* TFLM shifts a 32-bit number by more than 30 here. */
    return false;
  }
  factor->multiplier = (int32_t)fraction;
  factor->shift = exponent;
  return true;
}

int32_t fixed_input_radius(int32_t integer_bits, int32_t left_shift) {
  /* floor((2^i - 1) * 2^(31 - i) / 2^shift), all exact. */
  if (left_shift < 0) {
    return 0;
  }
  const int64_t scaled = (((int64_t)1 << integer_bits) - 1) * ((int64_t)1 << (31 - integer_bits));
  return left_shift > 31 ? 0 : (int32_t)(scaled >> left_shift);
}

float fixed_round(float x) {
  if (!(x > -8388608.0f && x < 8388608.0f)) {
    return x; /* 2^23 and more are whole; NaN stays */
  }
  const float whole = (float)(int32_t)x;
  const float rest = x - whole;
  if (rest >= 0.5f) {
    return whole + 1.0f;
  }
  if (rest <= -0.5f) {
    return whole - 1.0f;
  }
  return whole;
}

/* x * 2^exponent with saturation: gemmlowp SaturatingRoundingMultiplyByPOT, exponent > 0. */
static int32_t saturating_shift_left(int32_t x, int32_t exponent) {
  const int32_t limit = (int32_t)((UINT32_C(1) << (31 - exponent)) - 1);
  if (x > limit) {
    return INT32_MAX;
  }
  if (x < -limit) {
    return INT32_MIN;
  }
  return (int32_t)((uint32_t)x << exponent);
}

/* exp(x) for -1/4 <= x < 0, no bits before the point: gemmlowp
 * exp_on_interval_between_negative_one_quarter_and_0_excl, a Taylor polynomial around -1/8. */
static int32_t exp_on_quarter(int32_t a) {
  const int32_t exp_of_minus_one_eighth = 1895147668;
  const int32_t one_third = 715827883;
  const int32_t x = fixed_wrap_add(a, INT32_C(1) << 28);
  const int32_t x2 = fixed_high_mul(x, x);
  const int32_t x3 = fixed_high_mul(x2, x);
  const int32_t x4 = fixed_high_mul(x2, x2);
  const int32_t x4_over_4 = fixed_divide_by_pot(x4, 2);
  const int32_t sum = fixed_wrap_add(
      fixed_high_mul(fixed_wrap_add(x4_over_4, x3), one_third), x2);
  const int32_t tail = fixed_divide_by_pot(sum, 1);
  return fixed_wrap_add(exp_of_minus_one_eighth,
                        fixed_high_mul(exp_of_minus_one_eighth, fixed_wrap_add(x, tail)));
}

int32_t fixed_exp_on_negative(int32_t x, int32_t integer_bits) {
  /* exp(-2^k) for k = -2 .. 4 */
  static const int32_t powers[] = {1672461947, 1302514674, 790015084, 290630308,
                                   39332535,   720401,     242};
  const int32_t fractional_bits = 31 - integer_bits;
  const int32_t quarter = (int32_t)(UINT32_C(1) << (fractional_bits - 2));
  const int32_t in_quarter = (x & (quarter - 1)) - quarter;
  int32_t result = exp_on_quarter(saturating_shift_left(in_quarter, integer_bits));
  const int32_t remainder = fixed_wrap_sub(in_quarter, x);
  for (int32_t k = -2; k <= 4 && k < integer_bits; ++k) {
    if ((remainder & (int32_t)(UINT32_C(1) << (fractional_bits + k))) != 0) {
      result = fixed_high_mul(result, powers[k + 2]);
    }
  }
  return x == 0 ? INT32_MAX : result;
}

/* 1 / (1 + x) for 0 <= x <= 1: gemmlowp one_over_one_plus_x_for_x_in_0_1, three steps of
 * Newton-Raphson with 2 bits before the point. */
static int32_t one_over_one_plus(int32_t x) {
  const int64_t sum = (int64_t)x + INT32_MAX;
  const int32_t half_denominator = (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
  const int32_t constant_48_over_17 = 1515870810;
  const int32_t constant_neg_32_over_17 = -1010580540;
  int32_t y = fixed_wrap_add(constant_48_over_17,
                             fixed_high_mul(half_denominator, constant_neg_32_over_17));
  for (int step = 0; step < 3; ++step) {
    const int32_t product = fixed_high_mul(half_denominator, y);
    const int32_t error = fixed_wrap_sub(INT32_C(1) << 29, product);
    y = fixed_wrap_add(y, saturating_shift_left(fixed_high_mul(y, error), 2));
  }
  return saturating_shift_left(y, 1);
}

int32_t fixed_logistic(int32_t x) {
  if (x == 0) {
    return INT32_C(1) << 30;
  }
  const int32_t minus_abs = x > 0 ? -x : x;
  const int32_t positive = one_over_one_plus(fixed_exp_on_negative(minus_abs, 4));
  return x > 0 ? positive : INT32_MAX - positive;
}

int32_t fixed_reciprocal(int32_t x, int32_t integer_bits, int32_t *bits_over_unit) {
  int32_t headroom = 0;
  uint32_t shifted = (uint32_t)x;
  while (headroom < 31 && (shifted & UINT32_C(0x80000000)) == 0) {
    shifted <<= 1;
    headroom += 1;
  }
  *bits_over_unit = integer_bits - headroom;
  return one_over_one_plus((int32_t)(shifted - UINT32_C(0x80000000)));
}
