/* Supply, voltage scale, PLL1, bus dividers, flash wait states. */
#include "core.h"
#include "disco.h"
#include "protocol.h"
#include "stm32h747.h"

#define HSI_HZ 64000000u
#define CORE_HZ 400000000u

static uint32_t core_hz = HSI_HZ;
static uint32_t usart_hz = HSI_HZ;

uint32_t disco_core_hz(void) { return core_hz; }

uint32_t disco_usart_hz(void) { return usart_hz; }

/* The board feeds the core from the chip's step-down converter (UM2411, 6.4; RM0399, 6.4.1).
 * PWR_CR3 takes its first write after power-on only; any other choice stops this board. */
static uint8_t start_supply(void) {
  PWR_CR3 = (PWR_CR3 & ~PWR_CR3_SUPPLY) | PWR_CR3_SDEN;
  if (!core_wait(&PWR_CSR1, PWR_CSR1_ACTVOSRDY, PWR_CSR1_ACTVOSRDY)) {
    return PROTOCOL_INIT_VOLTAGE;
  }
  PWR_D3CR |= PWR_D3CR_VOS_1;
  if (!core_wait(&PWR_D3CR, PWR_D3CR_VOSRDY, PWR_D3CR_VOSRDY)) {
    return PROTOCOL_INIT_VOLTAGE;
  }
  return PROTOCOL_INIT_NONE;
}

/* VCO at 800 MHz: 25 MHz / 5 * 160, or 64 MHz / 4 * 50; P divides by 2 (RM0399, 9.5.5). */
static uint8_t start_pll(void) {
  uint32_t multiplier = 160u;
  RCC_CR |= RCC_CR_HSEON;
  if (core_wait(&RCC_CR, RCC_CR_HSERDY, RCC_CR_HSERDY)) {
    RCC_PLLCKSELR = RCC_PLLCKSELR_HSE | 5u << RCC_PLLCKSELR_DIVM1_SHIFT;
    RCC_PLLCFGR = RCC_PLLCFGR_PLL1RGE_4_8_MHZ | RCC_PLLCFGR_DIVP1EN;
  } else {
    RCC_CR &= ~RCC_CR_HSEON;
    RCC_CR = (RCC_CR & ~RCC_CR_HSIDIV) | RCC_CR_HSION;
    if (!core_wait(&RCC_CR, RCC_CR_HSIRDY, RCC_CR_HSIRDY)) {
      return PROTOCOL_INIT_OSCILLATOR;
    }
    RCC_PLLCKSELR = RCC_PLLCKSELR_HSI | 4u << RCC_PLLCKSELR_DIVM1_SHIFT;
    RCC_PLLCFGR = RCC_PLLCFGR_PLL1RGE_8_16_MHZ | RCC_PLLCFGR_DIVP1EN;
    multiplier = 50u;
  }
  RCC_PLL1DIVR = (multiplier - 1u) | (2u - 1u) << 9;
  RCC_CR |= RCC_CR_PLL1ON;
  return core_wait(&RCC_CR, RCC_CR_PLL1RDY, RCC_CR_PLL1RDY) ? PROTOCOL_INIT_NONE
                                                           : PROTOCOL_INIT_PLL;
}

uint8_t disco_start_clocks(void) {
  uint8_t stage = start_supply();
  if (stage == PROTOCOL_INIT_NONE) {
    stage = start_pll();
  }
  if (stage != PROTOCOL_INIT_NONE) {
    return stage;
  }
  /* VOS1, AXI at 200 MHz: 2 wait states, WRHIGHFREQ 2 (RM0399, table 17). */
  FLASH_ACR = 2u | 2u << 4;
  if (!core_wait(&FLASH_ACR, 0xFu, 2u)) {
    return PROTOCOL_INIT_CLOCK_SWITCH;
  }
  RCC_D1CFGR = 8u | 4u << 4;      /* HPRE /2, D1PPRE /2 */
  RCC_D2CFGR = 4u << 4 | 4u << 8; /* D2PPRE1 /2, D2PPRE2 /2 */
  RCC_D3CFGR = 4u << 4;           /* D3PPRE /2 */
  RCC_CFGR = (RCC_CFGR & ~RCC_CFGR_SW) | RCC_CFGR_SW_PLL1;
  if (!core_wait(&RCC_CFGR, RCC_CFGR_SW << RCC_CFGR_SWS_SHIFT,
                 RCC_CFGR_SW_PLL1 << RCC_CFGR_SWS_SHIFT)) {
    return PROTOCOL_INIT_CLOCK_SWITCH;
  }
  core_hz = CORE_HZ;
  usart_hz = CORE_HZ / 4u;
  return PROTOCOL_INIT_NONE;
}
