/* SHA-256 (FIPS 180-4). */
#ifndef HIL_AGENT_SHA256_H
#define HIL_AGENT_SHA256_H

#include <stdint.h>

#define SHA256_LENGTH 32u

void sha256(const uint8_t *data, uint32_t length, uint8_t digest[SHA256_LENGTH]);

#endif
