#include "agent.h"

#include <string.h>

#include "bytes.h"

agent_state agent;

uint8_t *agent_reply(uint8_t code, uint32_t length) {
  agent.reply_code = code;
  agent.reply_length = length;
  memset(agent.reply, 0, length);
  return agent.reply;
}

static void refuse(uint16_t code, uint16_t detail, uint32_t operator_index, uint32_t tensor,
                   uint32_t position, int64_t expected, int64_t got, const char *text) {
  uint8_t *p;
  uint32_t length = 0;
  while (text[length] != '\0' && length < 160u) {
    length++;
  }
  p = agent_reply(PROTOCOL_CODE_ERROR, PROTOCOL_ERROR_SIZE + length);
  put_u16(p + PROTOCOL_ERROR_AT_ERROR, code);
  put_u16(p + PROTOCOL_ERROR_AT_DETAIL, detail);
  put_u32(p + PROTOCOL_ERROR_AT_OPERATOR, operator_index);
  put_u32(p + PROTOCOL_ERROR_AT_TENSOR, tensor);
  put_u32(p + PROTOCOL_ERROR_AT_POSITION, position);
  put_u64(p + PROTOCOL_ERROR_AT_EXPECTED, (uint64_t)expected);
  put_u64(p + PROTOCOL_ERROR_AT_GOT, (uint64_t)got);
  memcpy(p + PROTOCOL_ERROR_AT_TEXT, text, length);
}

void agent_refuse(uint16_t code, int64_t expected, int64_t got, const char *text) {
  refuse(code, 0, PROTOCOL_NONE_INDEX, PROTOCOL_NONE_INDEX, PROTOCOL_NONE_INDEX, expected, got,
         text);
}

void agent_refuse_engine(uint16_t code, const engine_error *error) {
  /* -1 and ENGINE_NO_POSITION are PROTOCOL_NONE_INDEX as unsigned numbers. */
  refuse(code, (uint16_t)error->status, (uint32_t)error->op_index, (uint32_t)error->tensor_index,
         error->position, error->expected, error->got, error->text == NULL ? "" : error->text);
}

static void on_ping(const uint8_t *payload, uint32_t length) {
  memcpy(agent_reply(PROTOCOL_CODE_PING_REPLY, length), payload, length);
}

static void on_reset(const uint8_t *payload, uint32_t length) {
  (void)payload;
  (void)length;
  (void)agent_reply(PROTOCOL_CODE_RESET_REPLY, 0);
}

typedef struct {
  uint8_t code;
  bool open_ended; /* data follows the fixed part */
  uint16_t size;   /* of the fixed part */
  void (*handle)(const uint8_t *payload, uint32_t length);
} request_kind;

static const request_kind requests[] = {
    {PROTOCOL_CODE_HELLO, false, PROTOCOL_HELLO_SIZE, agent_hello},
    {PROTOCOL_CODE_PING, true, PROTOCOL_PING_SIZE, on_ping},
    {PROTOCOL_CODE_RESET, false, PROTOCOL_RESET_SIZE, on_reset},
    {PROTOCOL_CODE_MODEL_BEGIN, false, PROTOCOL_MODEL_BEGIN_SIZE, agent_model_begin},
    {PROTOCOL_CODE_MODEL_CHUNK, true, PROTOCOL_MODEL_CHUNK_SIZE, agent_model_chunk},
    {PROTOCOL_CODE_MODEL_END, false, PROTOCOL_MODEL_END_SIZE, agent_model_end},
    {PROTOCOL_CODE_ALLOCATE, false, PROTOCOL_ALLOCATE_SIZE, agent_allocate},
    {PROTOCOL_CODE_TENSOR_OFFSETS, false, PROTOCOL_TENSOR_OFFSETS_SIZE, agent_tensor_offsets},
    {PROTOCOL_CODE_INPUT, true, PROTOCOL_INPUT_SIZE, agent_input},
    {PROTOCOL_CODE_INVOKE, false, PROTOCOL_INVOKE_SIZE, agent_invoke},
    {PROTOCOL_CODE_RESULT, false, PROTOCOL_RESULT_SIZE, agent_result},
    {PROTOCOL_CODE_CAPTURE, false, PROTOCOL_CAPTURE_SIZE, agent_capture},
    {PROTOCOL_CODE_READ_TENSOR, false, PROTOCOL_READ_TENSOR_SIZE, agent_read_tensor},
};

static void dispatch(uint8_t code, const uint8_t *payload, uint32_t length) {
  uint32_t i;
  for (i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    const request_kind *kind = &requests[i];
    if (kind->code != code) {
      continue;
    }
    if (length < kind->size || (!kind->open_ended && length != kind->size)) {
      agent_refuse(PROTOCOL_ERROR_BAD_PAYLOAD, kind->size, length, "payload length");
    } else {
      kind->handle(payload, length);
    }
    return;
  }
  agent_refuse(PROTOCOL_ERROR_UNKNOWN_REQUEST, 0, code, "request code");
}

static void send_reply(void) {
  frame_send(agent.reply_code, agent.reply_sequence, agent.reply, agent.reply_length);
}

/* Not kept as the last reply: it answers no request, and one before it may be asked again. */
static void complain(uint16_t code) {
  uint8_t payload[PROTOCOL_ERROR_SIZE] = {0};
  put_u16(payload + PROTOCOL_ERROR_AT_ERROR, code);
  put_u32(payload + PROTOCOL_ERROR_AT_OPERATOR, PROTOCOL_NONE_INDEX);
  put_u32(payload + PROTOCOL_ERROR_AT_TENSOR, PROTOCOL_NONE_INDEX);
  put_u32(payload + PROTOCOL_ERROR_AT_POSITION, PROTOCOL_NONE_INDEX);
  frame_send(PROTOCOL_CODE_ERROR, PROTOCOL_UNSOLICITED_SEQUENCE, payload, sizeof payload);
}

static void answer(void) {
  const frame_decoder *request = &agent.request;
  const uint32_t crc = frame_crc(request);
  uint32_t length;
  const uint8_t *payload = frame_payload(request, &length);
  if (agent.replied && agent.request_crc == crc &&
      agent.reply_sequence == frame_sequence(request)) {
    send_reply();
    return;
  }
  agent.replied = false;
  agent.reply_sequence = frame_sequence(request);
  if (frame_version(request) != PROTOCOL_VERSION) {
    agent_refuse(PROTOCOL_ERROR_UNSUPPORTED_VERSION, PROTOCOL_VERSION, frame_version(request),
                 "protocol version");
  } else {
    dispatch(frame_code(request), payload, length);
  }
  agent.replied = true;
  agent.request_crc = crc;
  send_reply();
  if (agent.reply_code == PROTOCOL_CODE_RESET_REPLY) {
    board_reset();
  }
}

void agent_init(void) {
  uint32_t count, i;
  const board_region *regions;
  memset(&agent, 0, sizeof agent);
  agent.running = PROTOCOL_NONE_INDEX;
  agent.init_stage = board_init();
  regions = board_regions(&count);
  for (i = 0; i < count; i++) {
    if ((regions[i].flags & PROTOCOL_REGION_MODEL) != 0) {
      agent.model = regions[i].base;
      agent.model_capacity = regions[i].size_bytes;
    }
  }
}

void agent_receive(board_received received, uint8_t byte) {
  if (received == BOARD_LINE_ERROR) {
    /* Complaining now would lose more bytes meanwhile; the frame's end comes soon. */
    frame_spoil(&agent.request);
    agent.line_error = true;
  } else if (received == BOARD_BYTE) {
    switch (frame_push(&agent.request, byte)) {
      case FRAME_READY:
        answer();
        break;
      case FRAME_BAD:
        complain(agent.line_error ? PROTOCOL_ERROR_UART_OVERRUN : PROTOCOL_ERROR_BAD_FRAME);
        agent.line_error = false;
        break;
      case FRAME_INCOMPLETE:
        break;
    }
  }
}
