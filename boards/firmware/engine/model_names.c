#include "model_walk.h"
#include "offline_plan.h"

/* Slots: see schema.c. */
enum {
  MODEL_METADATA_BUFFER = 5,
  MODEL_METADATA = 6,
  MODEL_SIGNATURES = 7,
  METADATA_NAME = 0,
  METADATA_BUFFER = 1,
  SIGNATURE_INPUTS = 0,
  SIGNATURE_OUTPUTS = 1,
  SIGNATURE_SUBGRAPH = 4,
  MAP_TENSOR = 1
};

/* Names of inputs and outputs in all signatures. Keeps the walk short where vectors are shared. */
#define MOST_MAPS 65536u

bool model_metadata(engine *e, const container *c, const container_table *model) {
  const container_vector metadata = container_field_vector(c, model, MODEL_METADATA);
  for (uint32_t k = 0; k < metadata.count; ++k) {
    container_table t;
    if (!container_element_table(c, &metadata, k, &schema_metadata, &t)) {
      return false;
    }
    const container_vector name = container_field_vector(c, &t, METADATA_NAME);
    const uint32_t buffer = (uint32_t)container_field_word(c, &t, METADATA_BUFFER, 0);
    if (buffer >= e->buffer_count) {
      return invalid(c, t.position, e->buffer_count, buffer,
                     "a metadata entry's buffer index is out of range");
    }
    if (offline_plan_is_named(c, &name) && !offline_plan_open(e, c, t.position, buffer)) {
      return false;
    }
  }
  const container_vector indices = container_field_vector(c, model, MODEL_METADATA_BUFFER);
  for (uint32_t k = 0; k < indices.count; ++k) {
    const uint32_t buffer = container_word(c, indices.first + 4 * k);
    if (buffer >= e->buffer_count) {
      return invalid(c, indices.first + 4 * k, e->buffer_count, buffer,
                     "a metadata_buffer index is out of range");
    }
  }
  return offline_plan_verify(e, c);
}

static bool check_maps(const engine *e, const container *c, const container_vector *maps,
                       uint32_t *left) {
  for (uint32_t k = 0; k < maps->count; ++k) {
    container_table t;
    if (*left == 0) {
      return unsupported(c, maps->position, maps->count, "more signature names than are looked at");
    }
    *left -= 1;
    if (!container_element_table(c, maps, k, &schema_tensor_map, &t)) {
      return false;
    }
    const uint32_t tensor = (uint32_t)container_field_word(c, &t, MAP_TENSOR, 0);
    if (tensor >= e->tensor_count) {
      return invalid(c, t.position, e->tensor_count, tensor,
                     "a signature's tensor index is out of range");
    }
  }
  return true;
}

bool model_signatures(const engine *e, const container *c, const container_table *model) {
  uint32_t left = MOST_MAPS;
  const container_vector signatures = container_field_vector(c, model, MODEL_SIGNATURES);
  for (uint32_t k = 0; k < signatures.count; ++k) {
    container_table t;
    if (!container_element_table(c, &signatures, k, &schema_signature, &t)) {
      return false;
    }
    const container_vector inputs = container_field_vector(c, &t, SIGNATURE_INPUTS);
    const container_vector outputs = container_field_vector(c, &t, SIGNATURE_OUTPUTS);
    if (container_field_word(c, &t, SIGNATURE_SUBGRAPH, 0) != 0) {
      return invalid(c, t.position, 0, container_field_word(c, &t, SIGNATURE_SUBGRAPH, 0),
                     "a signature's subgraph index is out of range");
    }
    if (!check_maps(e, c, &inputs, &left) || !check_maps(e, c, &outputs, &left)) {
      return false;
    }
  }
  return true;
}
