#include "dot.h"

uint32_t dot_row(const int8_t *x, const int8_t *w, uint32_t n, int32_t offset) {
  const int8_t *const end = x + n;
  uint32_t sum = 0;
  while (x != end) {
    sum += (uint32_t)((*x++ + offset) * *w++);
  }
  return sum;
}

void dot_rows(const int8_t *x, const int8_t *w, uint32_t step, uint32_t n, int32_t offset,
              uint32_t sums[DOT_ROWS]) {
  const int8_t *const end = x + n;
  const int8_t *w1 = w + step;
  const int8_t *w2 = w1 + step;
  const int8_t *w3 = w2 + step;
  uint32_t s0 = sums[0];
  uint32_t s1 = sums[1];
  uint32_t s2 = sums[2];
  uint32_t s3 = sums[3];
  while (x != end) {
    const int32_t value = *x++ + offset;
    s0 += (uint32_t)(value * *w++);
    s1 += (uint32_t)(value * *w1++);
    s2 += (uint32_t)(value * *w2++);
    s3 += (uint32_t)(value * *w3++);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}
