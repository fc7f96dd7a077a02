/* The engine: runs a `.tflite` model in place, computing what TensorFlow Lite Micro computes.
 *
 * This is the C interface between the two halves of the firmware. The agent (protocol, model
 * store, cycle counter) includes only this file; another engine, such as an adapter for TFLM
 * itself, implements the same functions.
 *
 * Order of calls: engine_open, engine_allocate, then any number of (write inputs,
 * engine_invoke, read outputs). A failed open or allocate leaves the engine closed. The model's
 * bytes and the arena belong to the caller, must stay where they are, and the model's must not
 * change, until the next engine_open.
 *
 * No malloc, no recursion, no variable-length arrays, no static mutable state: two engines may
 * live side by side. Every byte of the model is untrusted; nothing here faults on any input.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Both the model's first byte and the arena's must lie at a multiple of this: the format aligns
 * buffers relative to the start of the file (schema.fbs, `force_align: 16`), and TFLM's planner
 * aligns tensors relative to the start of the arena (micro_arena_constants.h). */
#define ENGINE_ALIGNMENT 16u

/* Ranks above this are refused as ENGINE_UNSUPPORTED; TFLM's RuntimeShape ends there, too. */
#define ENGINE_MAX_RANK 6u

#define ENGINE_NO_OFFSET UINT32_MAX   /* tensor that the plan does not place: a constant */
#define ENGINE_NO_POSITION UINT32_MAX /* error that has no place in the file */

/* Never renumber: the wire protocol carries these. */
typedef enum {
  ENGINE_OK = 0,
  ENGINE_BAD_ARGUMENT = 1,     /* the caller broke the interface (null, index out of range) */
  ENGINE_WRONG_STATE = 2,      /* called before engine_open or engine_allocate succeeded */
  ENGINE_MODEL_UNALIGNED = 3,  /* model base is no multiple of ENGINE_ALIGNMENT; got = base % 16 */
  ENGINE_MODEL_MALFORMED = 4,  /* the container is broken: an offset or a length leaves the file */
  ENGINE_MODEL_IDENTIFIER = 5, /* bytes 4..7 are not "TFL3" */
  ENGINE_MODEL_VERSION = 6,    /* schema version; expected 3, got what the file says */
  ENGINE_MODEL_INVALID = 7,    /* sound container, impossible numbers: indices, shapes, lengths */
  ENGINE_UNKNOWN_OPERATOR = 8, /* no kernel in the registration table; got = builtin code */
  ENGINE_UNSUPPORTED = 9,      /* a feature or type that TFLM may have and this engine has not */
  ENGINE_REFUSED = 10,         /* the operator's prepare refuses, as TFLM's does */
  ENGINE_ARENA_UNALIGNED = 11, /* arena base is no multiple of ENGINE_ALIGNMENT */
  ENGINE_ARENA_TOO_SMALL = 12, /* expected = bytes known to be needed so far, got = arena size */
  ENGINE_ABORTED = 13,         /* an observer's callback returned false */
  ENGINE_INVOKE_FAILED = 14    /* an operator met data it cannot compute with, as TFLM's would */
} engine_status;

/* What went wrong and where. Filled whenever a function returns other than ENGINE_OK. */
typedef struct {
  engine_status status;
  int32_t op_index;     /* -1: not about one operator */
  int32_t tensor_index; /* -1: not about one tensor */
  uint32_t position;    /* byte offset in the model, or ENGINE_NO_POSITION */
  int64_t expected;     /* meaning as in `text`; 0 where the text has no number */
  int64_t got;
  const char *text;     /* static, one line of ASCII: what was looked at, what it has to be */
} engine_error;

/* One tensor as the caller sees it. `data` is what the tensor holds now: tensors that are not
 * outputs of the model share memory, so read them only in after_op of the operator that wrote
 * them. Constants point into the model. */
typedef struct {
  uint32_t index;
  uint8_t type;    /* TensorType of the schema: FLOAT32 0, INT32 2, UINT8 3, INT16 7, INT8 9 ... */
  uint8_t rank;
  int32_t dims[ENGINE_MAX_RANK];
  uint8_t *data;   /* never write to a constant: it may lie in flash */
  uint32_t length; /* bytes */
  uint32_t offset; /* bytes from the arena's base, or ENGINE_NO_OFFSET */
} engine_tensor;

/* One operator as the observer sees it. */
typedef struct {
  uint32_t index;        /* position in subgraph 0, in execution order */
  uint32_t builtin_code; /* BuiltinOperator of the schema */
  const char *name;      /* TFLM's name, such as "CONV_2D" */
  uint32_t output_count;
} engine_operator;

/* Called around each operator, so that the agent can read its cycle counter as close to the
 * kernel as possible and digest outputs right after they are written. Either may be NULL.
 * Returning false stops the inference with ENGINE_ABORTED. */
typedef struct {
  void *context;
  bool (*before_op)(void *context, const engine_operator *op);
  bool (*after_op)(void *context, const engine_operator *op); /* see engine_op_output */
} engine_observer;

struct engine_node;
struct engine_value;

/* State; treat as opaque. Storage is the caller's, a few hundred bytes. */
typedef struct {
  const uint8_t *model;
  uint32_t model_size;
  uint32_t state;
  /* positions in the model of what engine_open has verified */
  uint32_t operator_codes, tensors, operators, inputs, outputs, buffers;
  uint32_t operator_code_count, tensor_count, operator_count, input_count, output_count,
      buffer_count;
  uint32_t offline_plan; /* position of its first word; 0: the model has none */
  /* the arena, after engine_allocate */
  uint8_t *arena;
  uint32_t arena_size;
  uint32_t head_used; /* end of the plan, from the base */
  uint32_t tail_used; /* persistent bytes at the end */
  uint32_t temp_used; /* bytes that planning needs between the two */
  struct engine_value *values; /* per tensor */
  struct engine_node *nodes;   /* per operator */
} engine;

/* Verifies the model: container, identifier, version, every table that will be used, operators
 * against the registration table. Needs no arena. */
engine_status engine_open(engine *e, const uint8_t *model, uint32_t model_size,
                          engine_error *error);

/* Builds the tensor and operator tables in the arena's tail, prepares every operator, and plans
 * the activations in its head as TFLM's GreedyMemoryPlanner does, so that tensor offsets equal
 * TFLM's with its reference kernels. Offsets of OfflineMemoryAllocation metadata are kept; those
 * at no multiple of ENGINE_ALIGNMENT, or that share memory while both tensors are in use, are
 * ENGINE_UNSUPPORTED. May be called again with another arena. */
engine_status engine_allocate(engine *e, uint8_t *arena, uint32_t arena_size,
                              engine_error *error);

/* Runs all operators. Inputs must be written before each call: the plan reuses their memory.
 * `observer` may be NULL. */
engine_status engine_invoke(engine *e, const engine_observer *observer, engine_error *error);

/* After engine_open. */
uint32_t engine_tensor_count(const engine *e);
uint32_t engine_operator_count(const engine *e);
uint32_t engine_input_count(const engine *e);
uint32_t engine_output_count(const engine *e);
engine_status engine_operator_at(const engine *e, uint32_t op_index, engine_operator *op);

/* After engine_allocate: input i is tensor inputs[i] of subgraph 0, in the file's order. */
engine_status engine_input(const engine *e, uint32_t i, engine_tensor *tensor);
engine_status engine_output(const engine *e, uint32_t i, engine_tensor *tensor);
engine_status engine_tensor_at(const engine *e, uint32_t tensor_index, engine_tensor *tensor);
engine_status engine_op_output(const engine *e, uint32_t op_index, uint32_t k,
                               engine_tensor *tensor);

/* After engine_allocate. `head` is TFLM's planned head; `tail` is this engine's own tables (its
 * structs are not TFLM's, so the sum is not TFLM's arena_used_bytes). `needed` is the smallest
 * arena with which engine_allocate succeeds for this model. */
uint32_t engine_arena_head(const engine *e);
uint32_t engine_arena_tail(const engine *e);
uint32_t engine_arena_needed(const engine *e);

/* Who computes; all static strings of ASCII. */
const char *engine_name(void);        /* "tflm-hil-engine" */
const char *engine_version(void);     /* "0.1.0" */
const char *engine_kernel_set(void);  /* "portable" */
const char *engine_build_flags(void); /* "", or such as "single-rounding" */
const char *engine_status_name(engine_status status);

#ifdef __cplusplus
}
#endif

#endif
