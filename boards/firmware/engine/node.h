/* What a kernel is given: one operator with its tensors resolved, and the calls that a prepare
 * function may make. To add a kernel, see README.md, "Adding an operator". */
#ifndef ENGINE_NODE_H
#define ENGINE_NODE_H

#include "container.h"
#include "engine.h"
#include "fixedpoint.h"

/* TensorType of the schema, those that kernels name. */
enum {
  TYPE_FLOAT32 = 0,
  TYPE_INT32 = 2,
  TYPE_UINT8 = 3,
  TYPE_INT64 = 4,
  TYPE_BOOL = 6,
  TYPE_INT16 = 7,
  TYPE_INT8 = 9
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "dimensions are read where they lie in the model, which is little-endian"
#endif

/* One tensor while the model runs. Every field is verified: dims are not negative, their product
 * times element_size is `length`, and `data` holds so many bytes. The tensor's index is its place
 * among the engine's values. */
typedef struct engine_value {
  uint8_t *data;       /* in the model for constants, else in the arena once planned */
  const int32_t *dims; /* `rank` of them, in the model */
  uint32_t length;     /* bytes */
  uint8_t rank;
  uint8_t type;
  uint8_t element_size;
  uint8_t flags;
} engine_value;

/* Elements. */
static inline uint32_t value_count(const engine_value *v) {
  return v->length / v->element_size;
}

enum {
  VALUE_CONSTANT = 1,
  VALUE_WRITTEN = 2 /* a model input, or some operator before has it as an output */
};

struct engine_kernel;

typedef struct engine_node {
  const struct engine_kernel *kernel;
  engine_value **inputs; /* NULL for an absent optional input */
  engine_value **outputs;
  void *data; /* what prepare left for invoke, in the arena's tail */
  uint8_t input_count;
  uint8_t output_count;
} engine_node;

/* One operator during prepare. */
typedef struct {
  engine *e;
  container c;
  engine_node *node;
  uint32_t index;
  uint32_t position; /* of the operator's table */
  bool has_options;
  container_table options;
} preparation;

typedef struct engine_kernel {
  uint32_t builtin_code; /* BuiltinOperator */
  const char *name;      /* TFLM's */
  uint8_t options_type;  /* BuiltinOptions member that goes with it; 0: none */
  const schema_table *options;
  bool needs_options;
  bool (*prepare)(preparation *p);
  engine_status (*invoke)(const engine_node *node, engine_error *error);
} engine_kernel;

/* registration.c: the kernel of a builtin code, or NULL. */
const engine_kernel *engine_find_kernel(uint32_t builtin_code);

/* What a tensor's quantization says, as TFLM's InitializeTfLiteTensorFromFlatbuffer reads it:
 * present only when scale and zero_point both have elements. */
typedef struct {
  bool present;
  float scale;        /* of channel 0, 0 when not present */
  int32_t zero_point; /* likewise */
  uint32_t scale_count;
  uint32_t zero_point_count;
  int32_t dimension;
  uint32_t scales; /* position of the first */
} quantization;

/* --- for prepare functions; all return false (or NULL) after recording an error ------------- */

/* TFLM's kernel would refuse: `text` says what has to hold. */
bool prepare_refuse(const preparation *p, int64_t expected, int64_t got, const char *text);
/* TFLM may take it; this engine does not. */
bool prepare_unsupported(const preparation *p, int64_t got, const char *text);

/* Input or output k, which has to be there. */
engine_value *prepare_input(const preparation *p, uint32_t k);
engine_value *prepare_output(const preparation *p, uint32_t k);
/* Input k or NULL, which is no error. */
engine_value *prepare_optional_input(const preparation *p, uint32_t k);

bool prepare_counts(const preparation *p, uint32_t least_inputs, uint32_t most_inputs,
                    uint32_t outputs);
bool prepare_type(const preparation *p, const engine_value *v, uint8_t type);
bool prepare_same_type(const preparation *p, const engine_value *a, const engine_value *b);
bool prepare_rank(const preparation *p, const engine_value *v, uint8_t rank);
/* All dimensions above 0. */
bool prepare_not_empty(const preparation *p, const engine_value *v);

bool prepare_quantization(const preparation *p, const engine_value *v, quantization *q);
/* The same; refuses where there is none, or the zero point is outside -2^30..2^30. */
bool prepare_quantized(const preparation *p, const engine_value *v, quantization *q);
/* The same; refuses a zero point outside int8, for kernels that multiply with it. */
bool prepare_quantized_i8(const preparation *p, const engine_value *v, quantization *q);
float quantization_scale(const preparation *p, const quantization *q, uint32_t channel);

/* The factor of a real number; refuses one that has none. */
bool prepare_factor(const preparation *p, double real, fixed_factor *factor);

/* `size` bytes in the arena's tail, zeroed, aligned for pointers and 32-bit numbers. */
void *prepare_allocate(const preparation *p, uint32_t size);

/* Option fields, verified; `fallback` is the schema's default. */
int32_t prepare_option_i32(const preparation *p, uint32_t slot, int32_t fallback);
uint8_t prepare_option_u8(const preparation *p, uint32_t slot, uint8_t fallback);

/* --- values in memory, little-endian; compilers make single loads and stores of these --------- */

static inline int32_t load_i32(const uint8_t *p) {
  return (int32_t)((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                   (uint32_t)p[3] << 24);
}

static inline void store_i32(uint8_t *p, int32_t x) {
  p[0] = (uint8_t)x;
  p[1] = (uint8_t)((uint32_t)x >> 8);
  p[2] = (uint8_t)((uint32_t)x >> 16);
  p[3] = (uint8_t)((uint32_t)x >> 24);
}

static inline int16_t load_i16(const uint8_t *p) {
  return (int16_t)(uint16_t)((uint32_t)p[0] | (uint32_t)p[1] << 8);
}

static inline void store_i16(uint8_t *p, int16_t x) {
  p[0] = (uint8_t)x;
  p[1] = (uint8_t)((uint16_t)x >> 8);
}

typedef union {
  int32_t word;
  float real;
} word_or_float;

static inline float load_f32(const uint8_t *p) {
  const word_or_float x = {load_i32(p)};
  return x.real;
}

static inline void store_f32(uint8_t *p, float real) {
  word_or_float x;
  x.real = real;
  store_i32(p, x.word);
}

#endif
