/* STM32H747I-DISCO, Cortex-M7 side. Written from RM0399 and UM2411; not yet run on hardware. */
#include "board.h"

#include "core.h"
#include "disco.h"
#include "protocol.h"
#include "stm32h747.h"

#ifndef BOARD_BAUD
#error "BOARD_BAUD is the console's baud rate of board.yaml; the build passes it"
#endif

#define SDRAM2 0xD0000000u
#define GPIO_CLOCKS 0x7FFu /* ports A to K */
#define REVISION_OF_THE_EMULATOR 0xFFFFu /* emulator/peripherals/dbgmcu.py */

extern const uint8_t __image_start, __image_end;

static const board_region regions[] = {
    {"AXI_SRAM", (uint8_t *)(uintptr_t)0x24000000u, 0x80000u, PROTOCOL_REGION_ARENA},
    {"SDRAM2", (uint8_t *)(uintptr_t)SDRAM2, 0x400000u,
     PROTOCOL_REGION_MODEL | PROTOCOL_REGION_ARENA},
};

/* The SDRAM is Device memory by default, where unaligned access faults (field failure 43). The
 * first region keeps the core from speculative reads of external memory that does not answer:
 * it covers 0x60000000 to 0xDFFFFFFF, the subregions not switched off (AN4838, 3). */
static const core_mpu_region mpu_regions[] = {
    {0, 32u, RASR_NO_ACCESS | RASR_SHAREABLE | RASR_XN | RASR_SRD(0x87u)},
    {SDRAM2, 25u, RASR_FULL_ACCESS | RASR_NORMAL_WRITE_BACK_ALLOCATE | RASR_XN},
};

void disco_pin(uint32_t port, uint32_t pin, uint32_t function) {
  const uint32_t twice = 2u * pin, nibble = 4u * (pin % 8u);
  GPIO_AFR(port, pin) = (GPIO_AFR(port, pin) & ~(0xFu << nibble)) | function << nibble;
  GPIO_OSPEEDR(port) |= GPIO_SPEED_VERY_HIGH << twice;
  GPIO_PUPDR(port) = (GPIO_PUPDR(port) & ~(3u << twice)) | GPIO_PULL_UP << twice;
  GPIO_MODER(port) = (GPIO_MODER(port) & ~(3u << twice)) | GPIO_MODE_ALTERNATE << twice;
}

/* `stage` unless an earlier one failed already. */
static uint8_t first(uint8_t earlier, uint8_t stage) {
  return earlier != PROTOCOL_INIT_NONE ? earlier : stage;
}

uint8_t board_init(void) {
  uint8_t stage;
  RCC_AHB4ENR |= GPIO_CLOCKS;
  stage = disco_start_clocks();
  stage = first(stage, disco_start_uart(BOARD_BAUD));
  core_enable_mpu(mpu_regions, sizeof mpu_regions / sizeof mpu_regions[0]);
  stage = first(stage, disco_start_sdram());
  core_enable_caches();
  if (!core_start_cycle_counter()) {
    stage = first(stage, PROTOCOL_INIT_CYCLE_COUNTER);
  }
  return stage;
}

const char *board_name(void) { return "stm32h747i_disco"; }

uint8_t board_counter_kind(void) {
  if (!core_cycle_counter_runs()) {
    return PROTOCOL_COUNTER_NONE;
  }
  return DBGMCU_IDC >> 16 == REVISION_OF_THE_EMULATOR ? PROTOCOL_COUNTER_MODELLED_CYCCNT
                                                      : PROTOCOL_COUNTER_DWT_CYCCNT;
}

uint32_t board_clock_hz(void) { return disco_core_hz(); }

const board_region *board_regions(uint32_t *count) {
  *count = sizeof regions / sizeof regions[0];
  return regions;
}

const uint8_t *board_image(uint32_t *size_bytes) {
  *size_bytes = (uint32_t)((uintptr_t)&__image_end - (uintptr_t)&__image_start);
  return &__image_start;
}
