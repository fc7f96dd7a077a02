#include <string.h>

#include "arena.h"
#include "model.h"
#include "node.h"

static bool fail(const preparation *p, engine_status status, uint32_t position, int64_t expected,
                 int64_t got, const char *text) {
  return container_fail(&p->c, status, position, expected, got, text);
}

bool prepare_refuse(const preparation *p, int64_t expected, int64_t got, const char *text) {
  return fail(p, ENGINE_REFUSED, p->position, expected, got, text);
}

bool prepare_unsupported(const preparation *p, int64_t got, const char *text) {
  return fail(p, ENGINE_UNSUPPORTED, p->position, 0, got, text);
}

engine_value *prepare_optional_input(const preparation *p, uint32_t k) {
  return k < p->node->input_count ? p->node->inputs[k] : NULL;
}

engine_value *prepare_input(const preparation *p, uint32_t k) {
  engine_value *v = prepare_optional_input(p, k);
  if (v == NULL) {
    prepare_refuse(p, k + 1, p->node->input_count, "an input that the operator needs is missing");
  }
  return v;
}

engine_value *prepare_output(const preparation *p, uint32_t k) {
  if (k >= p->node->output_count) {
    prepare_refuse(p, k + 1, p->node->output_count, "an output of the operator is missing");
    return NULL;
  }
  return p->node->outputs[k];
}

bool prepare_counts(const preparation *p, uint32_t least_inputs, uint32_t most_inputs,
                    uint32_t outputs) {
  const uint32_t inputs = p->node->input_count;
  if (inputs < least_inputs || inputs > most_inputs) {
    return prepare_refuse(p, most_inputs, inputs, "the operator has another number of inputs");
  }
  if (p->node->output_count != outputs) {
    return prepare_refuse(p, outputs, p->node->output_count,
                          "the operator has another number of outputs");
  }
  return true;
}

static uint32_t position_of(const preparation *p, const engine_value *v) {
  return model_tensor_position(p->e, &p->c, (uint32_t)(v - p->e->values));
}

static bool about(const preparation *p, const engine_value *v, engine_status status,
                  int64_t expected, int64_t got, const char *text) {
  if (p->c.error->status == ENGINE_OK) {
    p->c.error->tensor_index = (int32_t)(v - p->e->values);
  }
  return fail(p, status, position_of(p, v), expected, got, text);
}

bool prepare_type(const preparation *p, const engine_value *v, uint8_t type) {
  return v->type == type ||
         about(p, v, ENGINE_REFUSED, type, v->type, "a tensor has another type (TensorType)");
}

bool prepare_same_type(const preparation *p, const engine_value *a, const engine_value *b) {
  return a->type == b->type || about(p, b, ENGINE_REFUSED, a->type, b->type,
                                     "two tensors have to be of one type (TensorType)");
}

bool prepare_rank(const preparation *p, const engine_value *v, uint8_t rank) {
  return v->rank == rank ||
         about(p, v, ENGINE_REFUSED, rank, v->rank, "a tensor has another number of dimensions");
}

bool prepare_not_empty(const preparation *p, const engine_value *v) {
  return v->length > 0 ||
         about(p, v, ENGINE_UNSUPPORTED, 1, 0, "a tensor of the operator has no elements");
}

bool prepare_quantization(const preparation *p, const engine_value *v, quantization *q) {
  return model_quantization(&p->c, position_of(p, v), q);
}

/* So that the difference of two zero points, or of one and a value, stays in 32 bits. */
#define MOST_ZERO_POINT (INT32_C(1) << 30)

static bool check_zero_point(const preparation *p, const engine_value *v, const quantization *q,
                             int32_t low, int32_t high) {
  if (q->zero_point < low || q->zero_point > high) {
    return about(p, v, ENGINE_REFUSED, q->zero_point < low ? low : high, q->zero_point,
                 "a zero point is too far from its tensor's values");
  }
  return true;
}

bool prepare_quantized(const preparation *p, const engine_value *v, quantization *q) {
  if (!prepare_quantization(p, v, q)) {
    return false;
  }
  if (!q->present) {
    return about(p, v, ENGINE_REFUSED, 1, 0, "a tensor has no scale or no zero point");
  }
  return check_zero_point(p, v, q, -MOST_ZERO_POINT, MOST_ZERO_POINT);
}

bool prepare_quantized_i8(const preparation *p, const engine_value *v, quantization *q) {
  return prepare_quantized(p, v, q) && check_zero_point(p, v, q, INT8_MIN, INT8_MAX);
}

float quantization_scale(const preparation *p, const quantization *q, uint32_t channel) {
  float scale = 0.0f;
  if (channel < q->scale_count) {
    const uint32_t bits = container_word(&p->c, q->scales + 4 * channel);
    memcpy(&scale, &bits, sizeof scale);
  }
  return scale;
}

bool prepare_factor(const preparation *p, double real, fixed_factor *factor) {
  return fixed_quantize_multiplier(real, factor) ||
         prepare_refuse(p, 30, 0,
                        "scales give a factor that is not a number or not below 2^30");
}

void *prepare_allocate(const preparation *p, uint32_t size) {
  return arena_allocate_tail(p->e, &p->c, size);
}

int32_t prepare_option_i32(const preparation *p, uint32_t slot, int32_t fallback) {
  return p->has_options ? container_field_word(&p->c, &p->options, slot, fallback) : fallback;
}

uint8_t prepare_option_u8(const preparation *p, uint32_t slot, uint8_t fallback) {
  return p->has_options ? container_field_byte(&p->c, &p->options, slot, fallback) : fallback;
}
