/* The schema's objects that the engine uses, each read and verified at a stretch. Positions of
 * the vectors are kept in the engine by model_open; the rest is read again where it is needed. */
#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "node.h"

/* Walks the whole model once; fills the engine's positions and counts. */
bool model_open(engine *e, const container *c);

/* Tensor i: fills everything of `v`; `data` is NULL unless it is a constant. */
bool model_tensor(const engine *e, const container *c, uint32_t i, engine_value *v);

/* Where tensor i's table is. */
uint32_t model_tensor_position(const engine *e, const container *c, uint32_t i);

/* Quantization of the tensor whose table lies at `position`, verified before. */
bool model_quantization(const container *c, uint32_t position, quantization *q);

typedef struct {
  uint32_t position;
  uint32_t builtin_code;
  const engine_kernel *kernel;
  container_vector inputs;  /* int32 tensor indices, -1 for absent */
  container_vector outputs; /* int32 tensor indices */
  bool has_options;
  container_table options;
} model_operator;

/* Operator i, with its indices in range and its kernel found. */
bool model_operator_at(const engine *e, const container *c, uint32_t i, model_operator *op);

#endif
