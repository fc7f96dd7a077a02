#include "frame.h"

#include "board.h"
#include "bytes.h"

#define COBS_FULL 0xFFu /* a block of 254 bytes without a zero after it */

/* CRC-32 as in zlib: reflected 0x04C11DB7, four bits at a time. */
static uint32_t crc_step(uint32_t crc, uint8_t byte) {
  static const uint32_t table[16] = {
      0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u,
      0x4DB26158u, 0x5005713Cu, 0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu,
      0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu};
  crc ^= byte;
  crc = crc >> 4 ^ table[crc & 15u];
  return crc >> 4 ^ table[crc & 15u];
}

static void begin(frame_decoder *decoder) {
  decoder->length = 0;
  decoder->block = 0;
  decoder->remaining = 0;
  decoder->broken = false;
}

static void append(frame_decoder *decoder, uint8_t byte) {
  if (decoder->length >= FRAME_MAX) {
    decoder->broken = true;
    return;
  }
  decoder->bytes[decoder->length++] = byte;
}

static frame_status finish(const frame_decoder *decoder) {
  uint32_t i, crc = 0xFFFFFFFFu;
  if (decoder->broken || decoder->remaining != 0 || decoder->length < PROTOCOL_FRAME_OVERHEAD) {
    return FRAME_BAD;
  }
  for (i = 0; i < decoder->length - 4; i++) {
    crc = crc_step(crc, decoder->bytes[i]);
  }
  return (crc ^ 0xFFFFFFFFu) == frame_crc(decoder) ? FRAME_READY : FRAME_BAD;
}

frame_status frame_push(frame_decoder *decoder, uint8_t byte) {
  if (byte == 0) {
    const bool empty = decoder->block == 0 && !decoder->broken;
    const frame_status status = empty ? FRAME_INCOMPLETE : finish(decoder);
    /* READY keeps bytes and length for the caller; the next byte finds block == 0. */
    decoder->block = 0;
    decoder->remaining = 0;
    decoder->broken = false;
    if (status != FRAME_READY) {
      decoder->length = 0;
    }
    return status;
  }
  if (decoder->broken) {
    return FRAME_INCOMPLETE;
  }
  if (decoder->remaining != 0) {
    append(decoder, byte);
    decoder->remaining--;
    return FRAME_INCOMPLETE;
  }
  if (decoder->block == 0) {
    begin(decoder);
  } else if (decoder->block != COBS_FULL) {
    append(decoder, 0);
  }
  decoder->block = byte;
  decoder->remaining = (uint8_t)(byte - 1u);
  return FRAME_INCOMPLETE;
}

void frame_spoil(frame_decoder *decoder) { decoder->broken = true; }

uint8_t frame_version(const frame_decoder *decoder) { return decoder->bytes[0]; }

uint8_t frame_code(const frame_decoder *decoder) { return decoder->bytes[1]; }

uint16_t frame_sequence(const frame_decoder *decoder) { return get_u16(decoder->bytes + 2); }

const uint8_t *frame_payload(const frame_decoder *decoder, uint32_t *length) {
  *length = decoder->length - PROTOCOL_FRAME_OVERHEAD;
  return decoder->bytes + FRAME_HEADER;
}

uint32_t frame_crc(const frame_decoder *decoder) {
  return get_u32(decoder->bytes + decoder->length - 4);
}

/* One COBS block under construction; block[0] is its code. */
typedef struct {
  uint8_t block[256];
  uint32_t used;
  uint32_t crc;
} frame_encoder;

static void flush(frame_encoder *encoder) {
  encoder->block[0] = (uint8_t)encoder->used;
  board_send(encoder->block, encoder->used);
  encoder->used = 1;
}

static void encode(frame_encoder *encoder, uint8_t byte) {
  if (byte == 0) {
    flush(encoder);
    return;
  }
  encoder->block[encoder->used++] = byte;
  if (encoder->used == COBS_FULL) {
    flush(encoder);
  }
}

static void encode_all(frame_encoder *encoder, const uint8_t *data, uint32_t length) {
  uint32_t i;
  for (i = 0; i < length; i++) {
    encoder->crc = crc_step(encoder->crc, data[i]);
    encode(encoder, data[i]);
  }
}

void frame_send(uint8_t code, uint16_t sequence, const uint8_t *payload, uint32_t length) {
  static const uint8_t delimiter = 0;
  uint8_t header[FRAME_HEADER] = {PROTOCOL_VERSION, code};
  uint8_t crc[4];
  frame_encoder encoder;
  encoder.used = 1;
  encoder.crc = 0xFFFFFFFFu;
  put_u16(header + 2, sequence);
  board_send(&delimiter, 1);
  encode_all(&encoder, header, FRAME_HEADER);
  encode_all(&encoder, payload, length);
  put_u32(crc, encoder.crc ^ 0xFFFFFFFFu);
  encode_all(&encoder, crc, 4);
  flush(&encoder);
  board_send(&delimiter, 1);
}
