/* Frames on the wire: COBS between zero bytes; version, code, sequence, payload, CRC-32 inside. */
#ifndef HIL_AGENT_FRAME_H
#define HIL_AGENT_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

#define FRAME_MAX (PROTOCOL_MAX_PAYLOAD + PROTOCOL_FRAME_OVERHEAD)
#define FRAME_HEADER 4u

typedef enum { FRAME_INCOMPLETE, FRAME_READY, FRAME_BAD } frame_status;

/* Takes the stream apart. All zero is the state before the first byte. */
typedef struct {
  uint8_t bytes[FRAME_MAX]; /* when FRAME_READY: header, payload, CRC */
  uint32_t length;
  uint8_t block;     /* COBS code of the current block, 0 before the first */
  uint8_t remaining; /* bytes of it still to come */
  bool broken;       /* already known to be no frame; skip to the delimiter */
} frame_decoder;

/* Takes one byte. After FRAME_READY or FRAME_BAD the next byte begins anew. */
frame_status frame_push(frame_decoder *decoder, uint8_t byte);

/* Marks what has come since the last delimiter as no frame: the line lost a byte. */
void frame_spoil(frame_decoder *decoder);

uint8_t frame_version(const frame_decoder *decoder);
uint8_t frame_code(const frame_decoder *decoder);
uint16_t frame_sequence(const frame_decoder *decoder);
const uint8_t *frame_payload(const frame_decoder *decoder, uint32_t *length);
uint32_t frame_crc(const frame_decoder *decoder);

/* Sends a frame through board_send, with a delimiter before and after it. */
void frame_send(uint8_t code, uint16_t sequence, const uint8_t *payload, uint32_t length);

#endif
