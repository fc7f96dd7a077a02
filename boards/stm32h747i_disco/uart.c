/* USART1 on PA9 and PA10, polled, FIFOs on (RM0399, chapter 53). */
#include "board.h"
#include "core.h"
#include "disco.h"
#include "protocol.h"
#include "stm32h747.h"

#define USART_FUNCTION 7u

uint8_t disco_start_uart(uint32_t baud) {
  const uint32_t port = GPIO_PORT('A');
  disco_pin(port, 9, USART_FUNCTION);
  disco_pin(port, 10, USART_FUNCTION);
  RCC_APB2ENR |= RCC_APB2ENR_USART1EN;
  /* Kernel clock: rcc_pclk2 once PLL1 drives the buses, HSI while it does not. */
  RCC_D2CCIP2R = (RCC_D2CCIP2R & ~(7u << 3)) | (disco_core_hz() == disco_usart_hz() ? 3u << 3 : 0u);
  (void)RCC_D2CCIP2R;
  USART1_CR1 = 0;
  USART1_BRR = (disco_usart_hz() + baud / 2u) / baud;
  USART1_CR1 = USART_CR1_FIFOEN | USART_CR1_RE | USART_CR1_TE;
  USART1_CR1 |= USART_CR1_UE;
  return core_wait(&USART1_ISR, USART_ISR_TEACK | USART_ISR_REACK,
                   USART_ISR_TEACK | USART_ISR_REACK)
             ? PROTOCOL_INIT_NONE
             : PROTOCOL_INIT_UART;
}

board_received board_receive(uint8_t *byte) {
  const uint32_t status = USART1_ISR;
  if ((status & USART_ISR_ERRORS) != 0) {
    USART1_ICR = status & USART_ISR_ERRORS;
    return BOARD_LINE_ERROR;
  }
  if ((status & USART_ISR_RXFNE) == 0) {
    return BOARD_NO_BYTE;
  }
  *byte = (uint8_t)USART1_RDR;
  return BOARD_BYTE;
}

void board_send(const uint8_t *data, uint32_t length) {
  uint32_t i;
  for (i = 0; i < length; i++) {
    while ((USART1_ISR & USART_ISR_TXFNF) == 0) {
    }
    USART1_TDR = data[i];
  }
}

void board_reset(void) {
  (void)core_wait(&USART1_ISR, USART_ISR_TC, USART_ISR_TC);
  barrier();
  SCB_AIRCR = AIRCR_SYSRESETREQ;
  barrier();
  for (;;) {
  }
}
