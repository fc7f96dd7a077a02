/* The model store: one model, received in order, hashed by the device itself, then opened. */
#include <string.h>

#include "agent.h"
#include "bytes.h"

void agent_model_begin(const uint8_t *payload, uint32_t length) {
  const uint32_t size = get_u32(payload + PROTOCOL_MODEL_BEGIN_AT_SIZE_BYTES);
  const uint8_t *digest = payload + PROTOCOL_MODEL_BEGIN_AT_SHA256;
  (void)length;
  if (agent.init_stage != PROTOCOL_INIT_NONE) {
    agent_refuse(PROTOCOL_ERROR_BOARD_INIT_FAILED, PROTOCOL_INIT_NONE, agent.init_stage,
                 "the board did not come up; stage as in HELLO");
    return;
  }
  if (size > agent.model_capacity) {
    agent_refuse(PROTOCOL_ERROR_MODEL_TOO_LARGE, agent.model_capacity, size,
                 "bytes of the model store");
    return;
  }
  if (agent.model_state == MODEL_OPEN && agent.model_size == size &&
      memcmp(agent.model_sha256, digest, SHA256_LENGTH) == 0) {
    agent_reply(PROTOCOL_CODE_MODEL_BEGIN_REPLY,
                PROTOCOL_MODEL_BEGIN_REPLY_SIZE)[PROTOCOL_MODEL_BEGIN_REPLY_AT_HELD] = 1;
    return;
  }
  agent.model_state = MODEL_RECEIVING;
  agent.model_size = size;
  agent.model_received = 0;
  memcpy(agent.model_sha256, digest, SHA256_LENGTH);
  agent.allocated = false;
  agent_forget_run();
  (void)agent_reply(PROTOCOL_CODE_MODEL_BEGIN_REPLY, PROTOCOL_MODEL_BEGIN_REPLY_SIZE);
}

void agent_model_chunk(const uint8_t *payload, uint32_t length) {
  const uint32_t offset = get_u32(payload + PROTOCOL_MODEL_CHUNK_AT_OFFSET_BYTES);
  const uint32_t size = length - PROTOCOL_MODEL_CHUNK_SIZE;
  if (agent.model_state != MODEL_RECEIVING) {
    agent_refuse(PROTOCOL_ERROR_NO_MODEL, 0, 0, "no MODEL_BEGIN before");
    return;
  }
  if (offset != agent.model_received) {
    agent_refuse(PROTOCOL_ERROR_CHUNK_OUT_OF_ORDER, agent.model_received, offset, "chunk offset");
    return;
  }
  if (size > agent.model_size - agent.model_received) {
    agent_refuse(PROTOCOL_ERROR_MODEL_TOO_LARGE, agent.model_size, (int64_t)offset + size,
                 "bytes announced by MODEL_BEGIN");
    return;
  }
  memcpy(agent.model + offset, payload + PROTOCOL_MODEL_CHUNK_AT_DATA, size);
  agent.model_received += size;
  put_u32(agent_reply(PROTOCOL_CODE_MODEL_CHUNK_REPLY, PROTOCOL_MODEL_CHUNK_REPLY_SIZE) +
              PROTOCOL_MODEL_CHUNK_REPLY_AT_RECEIVED_BYTES,
          agent.model_received);
}

/* Hashes and opens what has been received; false once it has refused. */
static bool open_received(void) {
  uint8_t digest[SHA256_LENGTH];
  engine_error error;
  if (agent.model_received != agent.model_size) {
    agent_refuse(PROTOCOL_ERROR_MODEL_INCOMPLETE, agent.model_size, agent.model_received,
                 "bytes received");
    return false;
  }
  sha256(agent.model, agent.model_size, digest);
  if (memcmp(digest, agent.model_sha256, SHA256_LENGTH) != 0) {
    agent.model_state = MODEL_NONE;
    agent_refuse(PROTOCOL_ERROR_MODEL_HASH_MISMATCH, get_u32(agent.model_sha256), get_u32(digest),
                 "first word of the SHA-256 of what arrived");
    return false;
  }
  if (engine_open(&agent.engine, agent.model, agent.model_size, &error) != ENGINE_OK) {
    agent.model_state = MODEL_NONE;
    agent_refuse_engine(PROTOCOL_ERROR_MODEL_REFUSED, &error);
    return false;
  }
  if (engine_input_count(&agent.engine) > AGENT_MAX_INPUTS) {
    agent.model_state = MODEL_NONE;
    agent_refuse(PROTOCOL_ERROR_MODEL_REFUSED, AGENT_MAX_INPUTS, engine_input_count(&agent.engine),
                 "inputs of the model");
    return false;
  }
  agent.model_state = MODEL_OPEN;
  return true;
}

void agent_model_end(const uint8_t *payload, uint32_t length) {
  uint8_t *p;
  (void)payload;
  (void)length;
  if (agent.model_state == MODEL_NONE) {
    agent_refuse(PROTOCOL_ERROR_NO_MODEL, 0, 0, "no MODEL_BEGIN before");
    return;
  }
  if (agent.model_state == MODEL_RECEIVING && !open_received()) {
    return;
  }
  p = agent_reply(PROTOCOL_CODE_MODEL_END_REPLY, PROTOCOL_MODEL_END_REPLY_SIZE);
  memcpy(p + PROTOCOL_MODEL_END_REPLY_AT_SHA256, agent.model_sha256, SHA256_LENGTH);
  put_u32(p + PROTOCOL_MODEL_END_REPLY_AT_INPUTS, engine_input_count(&agent.engine));
  put_u32(p + PROTOCOL_MODEL_END_REPLY_AT_OUTPUTS, engine_output_count(&agent.engine));
  put_u32(p + PROTOCOL_MODEL_END_REPLY_AT_TENSORS, engine_tensor_count(&agent.engine));
  put_u32(p + PROTOCOL_MODEL_END_REPLY_AT_OPERATORS, engine_operator_count(&agent.engine));
}
