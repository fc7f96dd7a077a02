/* Little-endian numbers at any address. */
#ifndef HIL_AGENT_BYTES_H
#define HIL_AGENT_BYTES_H

#include <stdint.h>

static inline uint16_t get_u16(const uint8_t *p) { return (uint16_t)(p[0] | (uint16_t)(p[1] << 8)); }

static inline uint32_t get_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void put_u16(uint8_t *p, uint32_t value) {
  p[0] = (uint8_t)value;
  p[1] = (uint8_t)(value >> 8);
}

static inline void put_u32(uint8_t *p, uint32_t value) {
  put_u16(p, value);
  put_u16(p + 2, value >> 16);
}

static inline void put_u64(uint8_t *p, uint64_t value) {
  put_u32(p, (uint32_t)value);
  put_u32(p + 4, (uint32_t)(value >> 32));
}

#endif
