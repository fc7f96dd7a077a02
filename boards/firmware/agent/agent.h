/* The agent: answers the host's requests. One device, one conversation, one model. */
#ifndef HIL_AGENT_AGENT_H
#define HIL_AGENT_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "engine.h"
#include "frame.h"
#include "sha256.h"

#define AGENT_MAX_INPUTS 64u
#define AGENT_MAX_EVENTS 512u  /* results kept for a host that lost the OPERATOR frame */
#define AGENT_MAX_DIGESTS 1024u /* outputs in them */

typedef enum { MODEL_NONE, MODEL_RECEIVING, MODEL_OPEN } agent_model_state;
typedef enum { VALID_NOTHING, VALID_CAPTURED, VALID_OUTPUTS } agent_valid;

typedef struct {
  uint64_t cycles;
  uint32_t operator_index;
  uint32_t builtin_code;
  uint32_t first_digest; /* PROTOCOL_NONE_INDEX: the table was full */
  uint32_t digest_count;
} agent_event;

typedef struct {
  uint32_t tensor;
  uint32_t length;
  uint8_t digest[PROTOCOL_DIGEST_LENGTH];
} agent_digest;

typedef struct {
  uint8_t init_stage;
  frame_decoder request;
  bool line_error; /* the frame under way lost bytes on the line */

  /* The last reply, kept for a host that asks again: a repeated request is one whose CRC over
   * version, code, sequence number and payload is the last one's. */
  bool replied;
  uint32_t request_crc;
  uint8_t reply_code;
  uint16_t reply_sequence;
  uint32_t reply_length;
  uint8_t reply[PROTOCOL_MAX_PAYLOAD];

  /* The model store. */
  agent_model_state model_state;
  uint8_t *model;
  uint32_t model_capacity;
  uint32_t model_size;
  uint32_t model_received;
  uint8_t model_sha256[SHA256_LENGTH];

  /* The engine, and what it may be asked now. */
  engine engine;
  bool allocated;
  uint32_t input_written[AGENT_MAX_INPUTS];
  agent_valid valid;
  uint32_t captured_tensor;

  /* The last run. */
  uint32_t event_count;
  uint32_t digest_count;
  agent_event events[AGENT_MAX_EVENTS];
  agent_digest digests[AGENT_MAX_DIGESTS];
  uint32_t running; /* operator that runs now, or PROTOCOL_NONE_INDEX; for the fault report */
} agent_state;

extern agent_state agent;

/* Sets up the board; then call agent_receive for ever. */
void agent_init(void);

/* Takes one poll's outcome; answers where it completes a request. */
void agent_receive(board_received received, uint8_t byte);

/* Room for a reply's payload of so many bytes, zeroed; sent when the handler returns. */
uint8_t *agent_reply(uint8_t code, uint32_t length);

/* Replies with an ERROR instead. */
void agent_refuse(uint16_t code, int64_t expected, int64_t got, const char *text);

/* The same with the engine's facts. */
void agent_refuse_engine(uint16_t code, const engine_error *error);

/* Handlers: payload as received. Each calls agent_reply or one of agent_refuse exactly once. */
void agent_hello(const uint8_t *payload, uint32_t length);
void agent_model_begin(const uint8_t *payload, uint32_t length);
void agent_model_chunk(const uint8_t *payload, uint32_t length);
void agent_model_end(const uint8_t *payload, uint32_t length);
void agent_allocate(const uint8_t *payload, uint32_t length);
void agent_tensor_offsets(const uint8_t *payload, uint32_t length);
void agent_input(const uint8_t *payload, uint32_t length);
void agent_invoke(const uint8_t *payload, uint32_t length);
void agent_result(const uint8_t *payload, uint32_t length);
void agent_capture(const uint8_t *payload, uint32_t length);
void agent_read_tensor(const uint8_t *payload, uint32_t length);

/* Forgets the last run and that inputs were written. */
void agent_forget_run(void);

#endif
