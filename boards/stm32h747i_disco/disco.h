/* The parts of this board's start-up; each returns PROTOCOL_INIT_NONE or its stage. */
#ifndef STM32H747I_DISCO_H
#define STM32H747I_DISCO_H

#include <stdint.h>

/* Core at 400 MHz, buses at 200, peripherals at 100, from the 25 MHz crystal, else from HSI. */
uint8_t disco_start_clocks(void);

/* What the clocks came out as. */
uint32_t disco_core_hz(void);
uint32_t disco_usart_hz(void);

/* The SDRAM on FMC bank 2. */
uint8_t disco_start_sdram(void);

/* USART1 on the ST-LINK's virtual COM port. */
uint8_t disco_start_uart(uint32_t baud);

/* Puts pin `pin` of a port on alternate function `function`, fast, with a pull-up. */
void disco_pin(uint32_t port, uint32_t pin, uint32_t function);

#endif
