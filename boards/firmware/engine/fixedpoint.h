/* Every rounding, shift and saturation of the engine.
 *
 * TFLM rounds twice where other runtimes round once: a doubling high multiply that rounds halves
 * up, then a right shift that rounds halves away from zero (kernels/internal/common.cc,
 * MultiplyByQuantizedMultiplier; TFLITE_SINGLE_ROUNDING is not defined in its builds). The
 * difference is one unit in about one value of a hundred.
 *
 * Two assumptions about the compiler, both documented by gcc: `>>` of a negative number is
 * arithmetic, and converting an out-of-range uint32_t to int32_t wraps. Sums that may wrap are
 * made in uint32_t, so that nothing here is undefined.
 */
#ifndef ENGINE_FIXEDPOINT_H
#define ENGINE_FIXEDPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* A real factor as multiplier * 2^(shift - 31). */
typedef struct {
  int32_t multiplier;
  int32_t shift; /* left where positive */
} fixed_factor;

static inline int32_t fixed_wrap_add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t fixed_wrap_sub(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t fixed_clamp(int32_t x, int32_t low, int32_t high) {
  return x < low ? low : (x > high ? high : x);
}

/* High 32 bits of 2ab, halves rounded up: gemmlowp fixedpoint.h,
 * SaturatingRoundingDoublingHighMul. Its nudge depends on the sign and its division truncates;
 * together that is the floor taken here. Only (-2^31)^2 does not fit. */
static inline int32_t fixed_high_mul(int32_t a, int32_t b) {
  if (a == b && a == INT32_MIN) {
    return INT32_MAX;
  }
  return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}

/* x / 2^exponent, halves away from zero, exponent 0..31: gemmlowp fixedpoint.h,
 * RoundingDivideByPOT. */
static inline int32_t fixed_divide_by_pot(int32_t x, int32_t exponent) {
  const int32_t mask = (int32_t)((UINT32_C(1) << exponent) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

/* x * factor, rounded: kernels/internal/common.cc, MultiplyByQuantizedMultiplier. The left shift
 * wraps in 32 bits as TFLM's does. */
static inline int32_t fixed_multiply(int32_t x, fixed_factor factor) {
#ifdef ENGINE_SINGLE_ROUNDING
  /* Wrong on purpose: the test image that shows that a one-off in requantisation is found. */
  const int32_t total_shift = 31 - factor.shift;
  return (int32_t)(((int64_t)x * factor.multiplier + ((int64_t)1 << (total_shift - 1))) >>
                   total_shift);
#else
  const int32_t left = factor.shift > 0 ? factor.shift : 0;
  const int32_t right = factor.shift > 0 ? 0 : -factor.shift;
  const int32_t shifted = (int32_t)((uint32_t)x << left);
  return fixed_divide_by_pot(fixed_high_mul(shifted, factor.multiplier), right);
#endif
}

/* The factor of a real number: kernels/internal/quantization_util.cc, QuantizeMultiplier.
 * False where TFLM's behaviour is not defined: NaN, infinity, 2^31 and more. */
bool fixed_quantize_multiplier(double real, fixed_factor *factor);

/* Splits real = fraction * 2^(exponent - 31), fraction rounded to an integer of 31 bits, halves
 * away from zero: TfLiteRound(frexp(real) * 2^31). False for NaN and infinity. */
bool fixed_split(double real, int64_t *fraction, int32_t *exponent);

/* kernels/internal/quantization_util.cc, CalculateInputRadius with 31 bits in all. */
int32_t fixed_input_radius(int32_t integer_bits, int32_t left_shift);

/* std::round, halves away from zero, without libm. */
float fixed_round(float x);

/* exp(x) for x <= 0. x has `integer_bits` (4 or 5) bits before the point, the result none:
 * gemmlowp fixedpoint.h, exp_on_negative_values. */
int32_t fixed_exp_on_negative(int32_t x, int32_t integer_bits);

/* 1 / (1 + exp(-x)), x with 4 bits before the point, the result with none: gemmlowp logistic. */
int32_t fixed_logistic(int32_t x);

/* Reciprocal of x, which has `integer_bits` bits before the point, as a number in [0.5, 1] with
 * none, and how many bits x stood above 1: kernels/internal/common.h, GetReciprocal. x > 0. */
int32_t fixed_reciprocal(int32_t x, int32_t integer_bits, int32_t *bits_over_unit);

#endif
