/* Tables of the `.tflite` schema (schema.fbs), as far as models that this engine takes use them:
 * what a table's fields are, for the container to verify. Options tables stand with their
 * kernels. */
#ifndef ENGINE_SCHEMA_H
#define ENGINE_SCHEMA_H

#include "engine.h"

typedef enum {
  SCHEMA_BYTE,   /* scalars of 1, 4 and 8 bytes */
  SCHEMA_WORD,
  SCHEMA_LONG,
  SCHEMA_STRING,
  SCHEMA_BYTES,  /* vectors of scalars of 1, 4 and 8 bytes */
  SCHEMA_WORDS,
  SCHEMA_LONGS,
  SCHEMA_TABLE,  /* a reference; what it leads to is verified when it is opened */
  SCHEMA_TABLES  /* a vector of such references */
} schema_kind;

typedef struct {
  uint8_t kind; /* schema_kind */
  uint8_t most; /* number of values of the enumeration that a byte stands for; 0: any */
} schema_field;

/* Fields in the order of their slots. Slots beyond them, of newer schemas, are not looked at. */
typedef struct {
  const schema_field *fields;
  uint8_t count;
} schema_table;

#define SCHEMA_TABLE_OF(fields) {fields, (uint8_t)(sizeof fields / sizeof fields[0])}

/* Sizes of enumerations, for `most`. */
enum {
  SCHEMA_TENSOR_TYPES = 23,
  SCHEMA_PADDINGS = 2,
  SCHEMA_ACTIVATIONS = 6,
  SCHEMA_WEIGHTS_FORMATS = 2,
  SCHEMA_CUSTOM_OPTIONS_FORMATS = 1
};

extern const schema_table schema_model;
extern const schema_table schema_subgraph;
extern const schema_table schema_tensor;
extern const schema_table schema_quantization;
extern const schema_table schema_operator_code;
extern const schema_table schema_operator;
extern const schema_table schema_buffer;
extern const schema_table schema_metadata;
extern const schema_table schema_signature;
extern const schema_table schema_tensor_map;
extern const schema_table schema_nothing; /* a table whose fields nobody reads */

#endif
