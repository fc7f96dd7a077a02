#include "core.h"

#include "agent.h"
#include "registers.h"

#define WAIT_LIMIT 2000000u /* reads; some 50 ms at 400 MHz, longer than any start-up time */
#define DELAY_LOOP_CYCLES 1u /* at least, per turn */

bool core_wait(const volatile uint32_t *address, uint32_t mask, uint32_t value) {
  uint32_t left;
  for (left = WAIT_LIMIT; left != 0; left--) {
    if ((*address & mask) == value) {
      return true;
    }
  }
  return false;
}

void core_delay(uint32_t cycles) {
  volatile uint32_t left = cycles / DELAY_LOOP_CYCLES;
  while (left != 0) {
    left--;
  }
}

void core_enable_mpu(const core_mpu_region *regions, uint32_t count) {
  uint32_t i;
  barrier();
  MPU_CTRL = 0;
  for (i = 0; i < count; i++) {
    MPU_RNR = i;
    MPU_RBAR = regions[i].base;
    MPU_RASR = regions[i].attributes | RASR_SIZE(regions[i].log2_bytes) | RASR_ENABLE;
  }
  MPU_CTRL = MPU_CTRL_ENABLE | MPU_CTRL_PRIVDEFENA;
  barrier();
}

/* DDI 0403E, B2.2.7: after reset the data cache's content is unknown, so each set and way is
 * invalidated before it is switched on. */
static void invalidate_data_cache(void) {
  uint32_t sets, ways, set, way, size;
  SCB_CSSELR = 0;
  barrier();
  size = SCB_CCSIDR;
  sets = size >> 13 & 0x7FFFu;
  ways = size >> 3 & 0x3FFu;
  for (set = 0; set <= sets; set++) {
    for (way = 0; way <= ways; way++) {
      SCB_DCISW = set << 5 | way << 30;
    }
  }
}

void core_enable_caches(void) {
  barrier();
  SCB_ICIALLU = 0;
  barrier();
  SCB_CCR |= CCR_IC;
  invalidate_data_cache();
  barrier();
  SCB_CCR |= CCR_DC;
  barrier();
}

bool core_start_cycle_counter(void) {
  uint32_t before;
  DEMCR |= DEMCR_TRCENA;
  DWT_LAR = DWT_LAR_KEY;
  DWT_CYCCNT = 0;
  DWT_CTRL |= DWT_CTRL_CYCCNTENA;
  before = DWT_CYCCNT;
  core_delay(16);
  return DWT_CYCCNT != before;
}

uint32_t board_cpuid(void) { return SCB_CPUID; }

uint8_t board_cache_flags(void) {
  const uint32_t ccr = SCB_CCR;
  return (uint8_t)(((ccr & CCR_IC) != 0 ? PROTOCOL_CACHE_INSTRUCTION : 0u) |
                   ((ccr & CCR_DC) != 0 ? PROTOCOL_CACHE_DATA : 0u) |
                   ((MPU_CTRL & MPU_CTRL_ENABLE) != 0 ? PROTOCOL_CACHE_MPU : 0u));
}

bool core_cycle_counter_runs(void) { return (DWT_CTRL & DWT_CTRL_CYCCNTENA) != 0; }

void board_forget_history(void) {
  barrier();
  SCB_ICIALLU = 0;
  barrier();
}

__attribute__((noinline)) uint32_t board_cycles(void) { return DWT_CYCCNT; }
