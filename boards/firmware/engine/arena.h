/* The two-ended arena: the plan's tensors grow up from the base, persistent data grows down from
 * the end, and what is needed only while planning lies between. */
#ifndef ENGINE_ARENA_H
#define ENGINE_ARENA_H

#include "container.h"

#define ARENA_TAIL_ALIGNMENT ((uint32_t)sizeof(void *))

/* Bytes from the tail, zeroed; NULL after recording ENGINE_ARENA_TOO_SMALL. */
void *arena_allocate_tail(engine *e, const container *c, uint64_t size);

/* `size` bytes between head and tail, valid until the next allocation. Unlike the tail's they may
 * overlap the planned head. */
void *arena_temporary(engine *e, const container *c, uint64_t size);

#endif
