/* 32 MB of SDRAM, 32 bits wide, on FMC bank 2: 4 banks, 12 row and 9 column bits, CAS latency 3.
 *
 * Pins: UM2411, figure of the SDRAM. Sequence: RM0399, 23.9.3. Times at 100 MHz (200 MHz / 2). */
#include "core.h"
#include "disco.h"
#include "protocol.h"
#include "stm32h747.h"

#define FMC_FUNCTION 12u
#define TARGET_BANK2 (1u << 3)
#define COMMAND_CLOCK_ENABLE 1u
#define COMMAND_PRECHARGE_ALL 2u
#define COMMAND_AUTO_REFRESH 3u
#define COMMAND_LOAD_MODE 4u
#define REFRESHES(count) (((count)-1u) << 5)
/* Burst length 1, sequential, CAS latency 3, single writes. */
#define MODE_REGISTER (0x230u << 9)
/* 64 ms for 4096 rows at 100 MHz are 1562 cycles; 20 off, as RM0399 asks. */
#define REFRESH_CYCLES (1562u - 20u)
#define POWER_UP_CYCLES (400u * 200u) /* 200 us of core clock; the chip asks for 100 us */

static const struct {
  char port;
  uint16_t pins;
} pins[] = {
    {'D', 0xC703u}, /* D0..D3, D13..D15 */
    {'E', 0xFF83u}, /* NBL0, NBL1, D4..D12 */
    {'F', 0xF83Fu}, /* A0..A9, SDNRAS */
    {'G', 0x8137u}, /* A10..A12, BA0, BA1, SDCLK, SDNCAS */
    {'H', 0xFFE0u}, /* SDNWE, SDNE1, SDCKE1, D16..D23 */
    {'I', 0x06FFu}, /* D24..D31, NBL2, NBL3 */
};

static bool command(uint32_t word) {
  FMC_SDCMR = word | TARGET_BANK2;
  return core_wait(&FMC_SDSR, FMC_SDSR_BUSY, 0);
}

/* A word written and read back through the bus; a chip that is absent or wrongly wired fails. */
static bool answers(void) {
  volatile uint32_t *const memory = (volatile uint32_t *)(uintptr_t)0xD0000000u;
  memory[0] = 0x55AA33CCu;
  memory[1] = 0xAA55CC33u;
  return memory[0] == 0x55AA33CCu && memory[1] == 0xAA55CC33u;
}

uint8_t disco_start_sdram(void) {
  uint32_t i, pin;
  for (i = 0; i < sizeof pins / sizeof pins[0]; i++) {
    const uint32_t port = GPIO_PORT(pins[i].port);
    for (pin = 0; pin < 16u; pin++) {
      if ((pins[i].pins >> pin & 1u) != 0) {
        disco_pin(port, pin, FMC_FUNCTION);
      }
    }
  }
  RCC_D1CCIPR &= ~3u; /* FMC clock: rcc_hclk3 */
  RCC_AHB3ENR |= RCC_AHB3ENR_FMCEN;
  (void)RCC_AHB3ENR; /* the clock is on two cycles later (RM0399, 9.5.12) */
  /* Clock, read burst and read pipe stand in SDCR1 for both banks, row cycle and precharge in
   * SDTR1 (RM0399, 23.9.5). */
  FMC_SDCR1 = 2u << 10 | 1u << 12;
  FMC_SDCR2 = 1u | 1u << 2 | 2u << 4 | 1u << 6 | 3u << 7 | 2u << 10 | 1u << 12;
  FMC_SDTR1 = 6u << 12 | 1u << 20;
  FMC_SDTR2 = 1u | 6u << 4 | 3u << 8 | 6u << 12 | 1u << 16 | 1u << 20 | 1u << 24;
  FMC_BCR1 |= FMC_BCR1_FMCEN;
  if (!command(COMMAND_CLOCK_ENABLE)) {
    return PROTOCOL_INIT_SDRAM;
  }
  core_delay(POWER_UP_CYCLES);
  if (!command(COMMAND_PRECHARGE_ALL) || !command(COMMAND_AUTO_REFRESH | REFRESHES(8u)) ||
      !command(COMMAND_LOAD_MODE | MODE_REGISTER)) {
    return PROTOCOL_INIT_SDRAM;
  }
  FMC_SDRTR = REFRESH_CYCLES << 1;
  return answers() ? PROTOCOL_INIT_NONE : PROTOCOL_INIT_SDRAM;
}
