/* HELLO: who this is. */
#include <string.h>

#include "agent.h"
#include "bytes.h"

#define FIRMWARE_NAME "hil-agent"
#define FIRMWARE_VERSION "0.1.0"

/* The TFLM commit that the engine's arithmetic and planner follow. */
#define TFLM_RELEASE "2026-08 (90b983c2b)"

#ifndef AGENT_BUILD
#define AGENT_BUILD "unknown"
#endif

#ifdef ENGINE_SINGLE_ROUNDING
#define BUILD_ROUNDING PROTOCOL_BUILD_SINGLE_ROUNDING
#else
#define BUILD_ROUNDING 0u
#endif
#ifdef AGENT_FAULT_AT_OPERATOR
#define BUILD_FAULT PROTOCOL_BUILD_FAULT_INJECTION
#else
#define BUILD_FAULT 0u
#endif

/* Text into a field of `room` bytes, padded with the zeros that are already there. */
static void put_text(uint8_t *p, uint32_t room, const char *text) {
  uint32_t i;
  for (i = 0; i < room && text[i] != '\0'; i++) {
    p[i] = (uint8_t)text[i];
  }
}

static void put_engine(uint8_t *p) {
  const char *name = engine_name();
  const uint32_t length = (uint32_t)strlen(name);
  put_text(p, PROTOCOL_HELLO_REPLY_ENGINE_LENGTH, name);
  if (length + 1u < PROTOCOL_HELLO_REPLY_ENGINE_LENGTH) {
    p[length] = ' ';
    put_text(p + length + 1u, PROTOCOL_HELLO_REPLY_ENGINE_LENGTH - length - 1u, engine_version());
  }
}

static void put_image(uint8_t *p) {
  static bool hashed;
  static uint8_t digest[SHA256_LENGTH];
  uint32_t size;
  const uint8_t *image = board_image(&size);
  if (!hashed) {
    sha256(image, size, digest);
    hashed = true;
  }
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_IMAGE_BASE, (uint32_t)(uintptr_t)image);
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_IMAGE_SIZE_BYTES, size);
  memcpy(p + PROTOCOL_HELLO_REPLY_AT_IMAGE_SHA256, digest, SHA256_LENGTH);
}

void agent_hello(const uint8_t *payload, uint32_t length) {
  uint32_t count, i;
  const board_region *regions = board_regions(&count);
  uint8_t *p = agent_reply(PROTOCOL_CODE_HELLO_REPLY,
                           PROTOCOL_HELLO_REPLY_SIZE + count * PROTOCOL_REGION_SIZE);
  (void)payload;
  (void)length;
  p[PROTOCOL_HELLO_REPLY_AT_COUNTER_KIND] = board_counter_kind();
  p[PROTOCOL_HELLO_REPLY_AT_CACHE_FLAGS] = board_cache_flags();
  p[PROTOCOL_HELLO_REPLY_AT_BUILD_FLAGS] = BUILD_ROUNDING | BUILD_FAULT;
  p[PROTOCOL_HELLO_REPLY_AT_INIT_STAGE] = agent.init_stage;
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_CPUID, board_cpuid());
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_CLOCK_HZ, board_clock_hz());
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_MAX_PAYLOAD_BYTES, PROTOCOL_MAX_PAYLOAD);
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_MAX_EVENTS, AGENT_MAX_EVENTS);
  put_u32(p + PROTOCOL_HELLO_REPLY_AT_MODEL_CAPACITY_BYTES, agent.model_capacity);
  if (agent.model_state == MODEL_OPEN) {
    put_u32(p + PROTOCOL_HELLO_REPLY_AT_MODEL_SIZE_BYTES, agent.model_size);
    memcpy(p + PROTOCOL_HELLO_REPLY_AT_MODEL_SHA256, agent.model_sha256, SHA256_LENGTH);
  }
  put_image(p);
  put_text(p + PROTOCOL_HELLO_REPLY_AT_FIRMWARE_NAME, PROTOCOL_HELLO_REPLY_FIRMWARE_NAME_LENGTH,
           FIRMWARE_NAME);
  put_text(p + PROTOCOL_HELLO_REPLY_AT_FIRMWARE_VERSION,
           PROTOCOL_HELLO_REPLY_FIRMWARE_VERSION_LENGTH, FIRMWARE_VERSION);
  put_text(p + PROTOCOL_HELLO_REPLY_AT_BUILD, PROTOCOL_HELLO_REPLY_BUILD_LENGTH, AGENT_BUILD);
  put_text(p + PROTOCOL_HELLO_REPLY_AT_BOARD, PROTOCOL_HELLO_REPLY_BOARD_LENGTH, board_name());
  put_engine(p + PROTOCOL_HELLO_REPLY_AT_ENGINE);
  put_text(p + PROTOCOL_HELLO_REPLY_AT_KERNELS, PROTOCOL_HELLO_REPLY_KERNELS_LENGTH,
           engine_kernel_set());
  put_text(p + PROTOCOL_HELLO_REPLY_AT_TFLM, PROTOCOL_HELLO_REPLY_TFLM_LENGTH, TFLM_RELEASE);
  put_u16(p + PROTOCOL_HELLO_REPLY_AT_REGIONS, count);
  p += PROTOCOL_HELLO_REPLY_SIZE;
  for (i = 0; i < count; i++, p += PROTOCOL_REGION_SIZE) {
    put_text(p + PROTOCOL_REGION_AT_NAME, PROTOCOL_REGION_NAME_LENGTH, regions[i].name);
    put_u32(p + PROTOCOL_REGION_AT_BASE, (uint32_t)(uintptr_t)regions[i].base);
    put_u32(p + PROTOCOL_REGION_AT_SIZE_BYTES, regions[i].size_bytes);
    p[PROTOCOL_REGION_AT_FLAGS] = regions[i].flags;
  }
}
