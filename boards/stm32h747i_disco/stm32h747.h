/* Registers of STM32H747 by ST's names (RM0399 rev 4; section numbers beside each group). */
#ifndef STM32H747_H
#define STM32H747_H

#include "registers.h"

/* RCC, 9.7 */
#define RCC_CR REGISTER(0x58024400u)
#define RCC_CFGR REGISTER(0x58024410u)
#define RCC_D1CFGR REGISTER(0x58024418u)
#define RCC_D2CFGR REGISTER(0x5802441Cu)
#define RCC_D3CFGR REGISTER(0x58024420u)
#define RCC_PLLCKSELR REGISTER(0x58024428u)
#define RCC_PLLCFGR REGISTER(0x5802442Cu)
#define RCC_PLL1DIVR REGISTER(0x58024430u)
#define RCC_D1CCIPR REGISTER(0x5802444Cu)
#define RCC_D2CCIP2R REGISTER(0x58024454u)
#define RCC_AHB3ENR REGISTER(0x580244D4u)
#define RCC_AHB4ENR REGISTER(0x580244E0u)
#define RCC_APB2ENR REGISTER(0x580244F0u)
#define RCC_CR_HSION (1u << 0)
#define RCC_CR_HSIRDY (1u << 2)
#define RCC_CR_HSIDIV (3u << 3)
#define RCC_CR_HSEON (1u << 16)
#define RCC_CR_HSERDY (1u << 17)
#define RCC_CR_PLL1ON (1u << 24)
#define RCC_CR_PLL1RDY (1u << 25)
#define RCC_CFGR_SW 7u
#define RCC_CFGR_SW_PLL1 3u
#define RCC_CFGR_SWS_SHIFT 3u
#define RCC_PLLCKSELR_HSI 0u
#define RCC_PLLCKSELR_HSE 2u
#define RCC_PLLCKSELR_DIVM1_SHIFT 4u
#define RCC_PLLCFGR_PLL1RGE_4_8_MHZ (2u << 2)
#define RCC_PLLCFGR_PLL1RGE_8_16_MHZ (3u << 2)
#define RCC_PLLCFGR_DIVP1EN (1u << 16)
#define RCC_AHB3ENR_FMCEN (1u << 12)
#define RCC_APB2ENR_USART1EN (1u << 4)

/* PWR, 7.8 */
#define PWR_CSR1 REGISTER(0x58024804u)
#define PWR_CR3 REGISTER(0x5802480Cu)
#define PWR_D3CR REGISTER(0x58024818u)
#define PWR_CSR1_ACTVOSRDY (1u << 13)
#define PWR_CR3_SUPPLY 7u /* BYPASS, LDOEN, SDEN */
#define PWR_CR3_SDEN (1u << 2)
#define PWR_D3CR_VOS_1 (3u << 14)
#define PWR_D3CR_VOSRDY (1u << 13)

/* DBGMCU, 65.5.8 */
#define DBGMCU_IDC REGISTER(0x5C001000u)

/* Flash interface, 4.9 */
#define FLASH_ACR REGISTER(0x52002000u)

/* GPIO, 11.4; ports lie 0x400 apart from A */
#define GPIO_PORT(letter) (0x58020000u + 0x400u * (uint32_t)((letter) - 'A'))
#define GPIO_MODER(port) REGISTER((port) + 0x00u)
#define GPIO_OSPEEDR(port) REGISTER((port) + 0x08u)
#define GPIO_PUPDR(port) REGISTER((port) + 0x0Cu)
#define GPIO_AFR(port, pin) REGISTER((port) + 0x20u + 4u * ((pin) / 8u))
#define GPIO_MODE_ALTERNATE 2u
#define GPIO_SPEED_VERY_HIGH 3u
#define GPIO_PULL_UP 1u

/* FMC, 23.7 and 23.9 */
#define FMC_BCR1 REGISTER(0x52004000u)
#define FMC_SDCR1 REGISTER(0x52004140u)
#define FMC_SDCR2 REGISTER(0x52004144u)
#define FMC_SDTR1 REGISTER(0x52004148u)
#define FMC_SDTR2 REGISTER(0x5200414Cu)
#define FMC_SDCMR REGISTER(0x52004150u)
#define FMC_SDRTR REGISTER(0x52004154u)
#define FMC_SDSR REGISTER(0x52004158u)
#define FMC_BCR1_FMCEN (1u << 31)
#define FMC_SDSR_BUSY (1u << 5)

/* USART1, 53.8 */
#define USART1_CR1 REGISTER(0x40011000u)
#define USART1_CR3 REGISTER(0x40011008u)
#define USART1_BRR REGISTER(0x4001100Cu)
#define USART1_ISR REGISTER(0x4001101Cu)
#define USART1_ICR REGISTER(0x40011020u)
#define USART1_RDR REGISTER(0x40011024u)
#define USART1_TDR REGISTER(0x40011028u)
#define USART_CR1_UE (1u << 0)
#define USART_CR1_RE (1u << 2)
#define USART_CR1_TE (1u << 3)
#define USART_CR1_FIFOEN (1u << 29)
#define USART_ISR_ERRORS 0xEu /* FE, NE, ORE; PE cannot be without parity */
#define USART_ISR_RXFNE (1u << 5)
#define USART_ISR_TC (1u << 6)
#define USART_ISR_TXFNF (1u << 7)
#define USART_ISR_TEACK (1u << 21)
#define USART_ISR_REACK (1u << 22)

#endif
