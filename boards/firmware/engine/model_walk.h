/* What the files of the model share: recording errors, and vectors known by position. */
#ifndef ENGINE_MODEL_WALK_H
#define ENGINE_MODEL_WALK_H

#include "model.h"

static inline bool invalid(const container *c, uint32_t position, int64_t expected, int64_t got,
                           const char *text) {
  return container_fail(c, ENGINE_MODEL_INVALID, position, expected, got, text);
}

static inline bool unsupported(const container *c, uint32_t position, int64_t got,
                               const char *text) {
  return container_fail(c, ENGINE_UNSUPPORTED, position, 0, got, text);
}

/* A vector that was verified when the model was opened. */
static inline container_vector vector_at(const container *c, uint32_t position) {
  container_vector v = {position, position + 4, 0};
  if (position != 0) {
    v.count = container_word(c, position);
  }
  return v;
}

/* Buffer i and where its bytes are. */
bool model_buffer(const engine *e, const container *c, uint32_t i, container_vector *data);

/* The builtin code of operator code i. */
bool model_builtin_code(const engine *e, const container *c, uint32_t i, uint32_t *code);

/* Refuses indices below `least` and beyond the tensors. */
bool model_tensor_indices(const engine *e, const container *c, const container_vector *v,
                          int32_t least);

/* Metadata, of which the engine uses a memory plan alone, and signatures, of which it uses
 * nothing; a sound model has them in order. */
bool model_metadata(engine *e, const container *c, const container_table *model);
bool model_signatures(const engine *e, const container *c, const container_table *model);

#endif
