/* Dot products of int8 runs: what convolutions and fully connected layers spend their time in.
 * Sums are modulo 2^32, as TFLM's int32 accumulator wraps. */
#ifndef ENGINE_DOT_H
#define ENGINE_DOT_H

#include <stdint.h>

#define DOT_ROWS 4u

/* sums[r] += sum over i < n of (x[i] + offset) * w[r * step + i], for r < DOT_ROWS. Four rows at
 * once load and offset each x only once, and are as many as a Cortex-M7 has registers for.
 * offset is -255..255. */
void dot_rows(const int8_t *x, const int8_t *w, uint32_t step, uint32_t n, int32_t offset,
              uint32_t sums[DOT_ROWS]);

/* The same sum for one row. */
uint32_t dot_row(const int8_t *x, const int8_t *w, uint32_t n, int32_t offset);

#endif
