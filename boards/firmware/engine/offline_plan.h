/* OfflineMemoryAllocation: a memory plan in the model's metadata
 * (micro/docs/memory_management.md). 32-bit words: a version and a number of subgraphs, which
 * TFLM does not look at, the number of offsets, then one offset a tensor. */
#ifndef ENGINE_OFFLINE_PLAN_H
#define ENGINE_OFFLINE_PLAN_H

#include "model.h"

#define OFFLINE_PLAN_ONLINE (-1) /* left to the greedy planner */

/* Whether a metadata entry of this name (a string) is a plan. */
bool offline_plan_is_named(const container *c, const container_vector *name);

/* Checks the length of the plan in buffer `buffer`, which the entry at `entry` names, and keeps
 * it; of several, the last counts. */
bool offline_plan_open(engine *e, const container *c, uint32_t entry, uint32_t buffer);

/* Checks the offsets of the plan that was kept, if there is one. */
bool offline_plan_verify(const engine *e, const container *c);

/* Tensor i's offset: OFFLINE_PLAN_ONLINE, or bytes from the arena's base, not negative. */
int32_t offline_plan_offset(const engine *e, const container *c, uint32_t i);

/* Where tensor i's offset stands in a model that has a plan. */
uint32_t offline_plan_position(const engine *e, uint32_t i);

#endif
