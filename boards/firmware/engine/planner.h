/* Offsets for tensors that live in the arena's head. */
#ifndef ENGINE_PLANNER_H
#define ENGINE_PLANNER_H

#include "model.h"

/* Gives every value that is no constant and not empty its place; sets the engine's head_used. */
bool planner_plan(engine *e, const container *c);

#endif
