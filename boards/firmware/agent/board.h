/* What the agent needs of a board. A board folder implements this; so does host/ for tests. */
#ifndef HIL_AGENT_BOARD_H
#define HIL_AGENT_BOARD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *name;
  uint8_t *base; /* a multiple of 16 */
  uint32_t size_bytes;
  uint8_t flags; /* PROTOCOL_REGION_MODEL for exactly one, PROTOCOL_REGION_ARENA for any */
} board_region;

typedef enum { BOARD_NO_BYTE, BOARD_BYTE, BOARD_LINE_ERROR } board_received;

/* Clocks, memories, caches, UART, cycle counter. Returns PROTOCOL_INIT_NONE, or the first stage
 * that did not come up in time; the UART works in any case, at the console's baud rate. */
uint8_t board_init(void);

const char *board_name(void);
uint32_t board_cpuid(void);
uint32_t board_clock_hz(void);
uint8_t board_cache_flags(void);  /* PROTOCOL_CACHE_* */
uint8_t board_counter_kind(void); /* PROTOCOL_COUNTER_* */

/* In order of preference for the arena. */
const board_region *board_regions(uint32_t *count);

/* The program as it lies in flash: what the ELF loads, and nothing else. */
const uint8_t *board_image(uint32_t *size_bytes);

/* Counts core cycles and wraps. Never inlined: on the emulator, the host counts instructions
 * between two arrivals here. */
uint32_t board_cycles(void);

/* Empties the instruction cache before a run, so that cycles depend less on what ran before; on
 * the emulator, whose branch prediction starts anew with it, not at all. */
void board_forget_history(void);

/* Polls; BOARD_LINE_ERROR means that at least one byte was lost or broken on the line. */
board_received board_receive(uint8_t *byte);
void board_send(const uint8_t *data, uint32_t length);

/* Waits until the last byte has left, then resets the processor. */
void board_reset(void);

#endif
