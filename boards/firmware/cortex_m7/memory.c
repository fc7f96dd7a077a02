/* The C library functions that the compiler and our code call; nothing else of one is linked.
 *
 * This file is compiled without loop-to-call transformation, lest each calls itself. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD_MASK (sizeof(uint32_t) - 1u)

typedef uint32_t __attribute__((may_alias)) word;

static int aligned(const void *a, const void *b) {
  return (((uintptr_t)a | (uintptr_t)b) & WORD_MASK) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if (aligned(d, s)) {
    for (; count >= sizeof(word); count -= sizeof(word)) {
      *(word *)(void *)d = *(const word *)(const void *)s;
      d += sizeof(word);
      s += sizeof(word);
    }
  }
  while (count-- != 0) {
    *d++ = *s++;
  }
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  uint8_t *d = to;
  const uint8_t *s = from;
  if ((uintptr_t)d <= (uintptr_t)s) {
    while (count-- != 0) {
      *d++ = *s++;
    }
  } else {
    while (count-- != 0) {
      d[count] = s[count];
    }
  }
  return to;
}

void *memset(void *to, int value, size_t count) {
  uint8_t *d = to;
  const uint32_t byte = (uint8_t)value;
  while (count != 0 && ((uintptr_t)d & WORD_MASK) != 0) {
    *d++ = (uint8_t)byte;
    count--;
  }
  for (; count >= sizeof(word); count -= sizeof(word)) {
    *(word *)(void *)d = byte * 0x01010101u;
    d += sizeof(word);
  }
  while (count-- != 0) {
    *d++ = (uint8_t)byte;
  }
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  const uint8_t *p = a, *q = b;
  for (; count != 0; count--, p++, q++) {
    if (*p != *q) {
      return *p < *q ? -1 : 1;
    }
  }
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != '\0') {
    length++;
  }
  return length;
}
