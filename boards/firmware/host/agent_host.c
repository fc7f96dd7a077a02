/* The agent on the host: the device's end of the protocol on standard input and output.
 *
 * For tests under sanitizers. Memories are as large as the STM32H747I-DISCO's; cycles are made
 * up; end of input ends the program; a reset starts the agent anew. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent.h"

#define ALIGNED __attribute__((aligned(16)))

static uint8_t axi_sram[0x80000] ALIGNED;
static uint8_t sdram[0x400000] ALIGNED;
static const uint8_t image[16] = "host";
static bool reset_wanted;

static const board_region regions[] = {
    {"AXI_SRAM", axi_sram, sizeof axi_sram, PROTOCOL_REGION_ARENA},
    {"SDRAM2", sdram, sizeof sdram, PROTOCOL_REGION_MODEL | PROTOCOL_REGION_ARENA},
};

uint8_t board_init(void) { return PROTOCOL_INIT_NONE; }

const char *board_name(void) { return "stm32h747i_disco"; }

uint32_t board_cpuid(void) { return 0x411FC271u; }

uint32_t board_clock_hz(void) { return 1000000000u; }

uint8_t board_cache_flags(void) { return 0; }

uint8_t board_counter_kind(void) { return PROTOCOL_COUNTER_MODELLED_CYCCNT; }

const board_region *board_regions(uint32_t *count) {
  *count = sizeof regions / sizeof regions[0];
  return regions;
}

const uint8_t *board_image(uint32_t *size_bytes) {
  *size_bytes = sizeof image;
  return image;
}

void board_forget_history(void) {}

uint32_t board_cycles(void) {
  static uint32_t now, step;
  step++;
  now += step;
  return now;
}

board_received board_receive(uint8_t *byte) {
  static uint8_t buffer[4096];
  static ssize_t used, available;
  if (used == available) {
    fflush(stdout);
    used = 0;
    available = read(STDIN_FILENO, buffer, sizeof buffer);
    if (available <= 0) {
      exit(EXIT_SUCCESS);
    }
  }
  *byte = buffer[used++];
  return BOARD_BYTE;
}

void board_send(const uint8_t *data, uint32_t length) {
  if (fwrite(data, 1, length, stdout) != length) {
    exit(EXIT_FAILURE);
  }
}

void board_reset(void) { reset_wanted = true; }

int main(void) {
  for (;;) {
    agent_init();
    for (reset_wanted = false; !reset_wanted;) {
      uint8_t byte = 0;
      const board_received received = board_receive(&byte);
      agent_receive(received, byte);
    }
  }
}
