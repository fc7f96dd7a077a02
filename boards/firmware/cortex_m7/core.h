/* What every board with a Cortex-M7 does the same way. */
#ifndef HIL_CORTEX_M7_CORE_H
#define HIL_CORTEX_M7_CORE_H

#include <stdbool.h>
#include <stdint.h>

/* One MPU region of 2^log2_bytes bytes; `attributes` is made of RASR_ bits. */
typedef struct {
  uint32_t base;
  uint32_t log2_bytes;
  uint32_t attributes;
} core_mpu_region;

/* Programs the MPU over the default memory map. Before caches are on. */
void core_enable_mpu(const core_mpu_region *regions, uint32_t count);

void core_enable_caches(void);

/* Opens the DWT's lock and starts CYCCNT; false if it does not count. */
bool core_start_cycle_counter(void);
bool core_cycle_counter_runs(void);

/* Bounded wait for a ready bit: true once (*address & mask) == value. */
bool core_wait(const volatile uint32_t *address, uint32_t mask, uint32_t value);

/* A busy loop of at least so many core cycles. */
void core_delay(uint32_t cycles);

#endif
