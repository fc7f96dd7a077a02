#include "schema.h"

#include <stddef.h>

static const schema_field model_fields[] = {
    {SCHEMA_WORD, 0},   /* version */
    {SCHEMA_TABLES, 0}, /* operator_codes */
    {SCHEMA_TABLES, 0}, /* subgraphs */
    {SCHEMA_STRING, 0}, /* description */
    {SCHEMA_TABLES, 0}, /* buffers */
    {SCHEMA_WORDS, 0},  /* metadata_buffer */
    {SCHEMA_TABLES, 0}, /* metadata */
    {SCHEMA_TABLES, 0}, /* signature_defs */
    {SCHEMA_TABLES, 0}, /* external_buffer_groups */
    {SCHEMA_TABLES, 0}, /* external_buffers */
};
const schema_table schema_model = SCHEMA_TABLE_OF(model_fields);

static const schema_field subgraph_fields[] = {
    {SCHEMA_TABLES, 0}, /* tensors */
    {SCHEMA_WORDS, 0},  /* inputs */
    {SCHEMA_WORDS, 0},  /* outputs */
    {SCHEMA_TABLES, 0}, /* operators */
    {SCHEMA_STRING, 0}, /* name */
    {SCHEMA_WORD, 0},   /* debug_metadata_index */
};
const schema_table schema_subgraph = SCHEMA_TABLE_OF(subgraph_fields);

static const schema_field tensor_fields[] = {
    {SCHEMA_WORDS, 0},                  /* shape */
    {SCHEMA_BYTE, SCHEMA_TENSOR_TYPES}, /* type */
    {SCHEMA_WORD, 0},                   /* buffer */
    {SCHEMA_STRING, 0},                 /* name */
    {SCHEMA_TABLE, 0},                  /* quantization */
    {SCHEMA_BYTE, 0},                   /* is_variable */
    {SCHEMA_TABLE, 0},                  /* sparsity */
    {SCHEMA_WORDS, 0},                  /* shape_signature */
    {SCHEMA_BYTE, 0},                   /* has_rank */
    {SCHEMA_TABLES, 0},                 /* variant_tensors */
    {SCHEMA_WORD, 0},                   /* external_buffer */
};
const schema_table schema_tensor = SCHEMA_TABLE_OF(tensor_fields);

static const schema_field quantization_fields[] = {
    {SCHEMA_WORDS, 0}, /* min */
    {SCHEMA_WORDS, 0}, /* max */
    {SCHEMA_WORDS, 0}, /* scale */
    {SCHEMA_LONGS, 0}, /* zero_point */
    {SCHEMA_BYTE, 0},  /* details_type */
    {SCHEMA_TABLE, 0}, /* details */
    {SCHEMA_WORD, 0},  /* quantized_dimension */
};
const schema_table schema_quantization = SCHEMA_TABLE_OF(quantization_fields);

static const schema_field operator_code_fields[] = {
    {SCHEMA_BYTE, 0},   /* deprecated_builtin_code */
    {SCHEMA_STRING, 0}, /* custom_code */
    {SCHEMA_WORD, 0},   /* version */
    {SCHEMA_WORD, 0},   /* builtin_code */
};
const schema_table schema_operator_code = SCHEMA_TABLE_OF(operator_code_fields);

static const schema_field operator_fields[] = {
    {SCHEMA_WORD, 0},                             /* opcode_index */
    {SCHEMA_WORDS, 0},                            /* inputs */
    {SCHEMA_WORDS, 0},                            /* outputs */
    {SCHEMA_BYTE, 0},                             /* builtin_options_type */
    {SCHEMA_TABLE, 0},                            /* builtin_options */
    {SCHEMA_BYTES, 0},                            /* custom_options */
    {SCHEMA_BYTE, SCHEMA_CUSTOM_OPTIONS_FORMATS}, /* custom_options_format */
    {SCHEMA_BYTES, 0},                            /* mutating_variable_inputs */
    {SCHEMA_WORDS, 0},                            /* intermediates */
    {SCHEMA_LONG, 0},                             /* large_custom_options_offset */
    {SCHEMA_LONG, 0},                             /* large_custom_options_size */
    {SCHEMA_BYTE, 0},                             /* builtin_options_2_type */
    {SCHEMA_TABLE, 0},                            /* builtin_options_2 */
    {SCHEMA_WORD, 0},                             /* debug_metadata_index */
};
const schema_table schema_operator = SCHEMA_TABLE_OF(operator_fields);

static const schema_field buffer_fields[] = {
    {SCHEMA_BYTES, 0}, /* data */
    {SCHEMA_LONG, 0},  /* offset */
    {SCHEMA_LONG, 0},  /* size */
};
const schema_table schema_buffer = SCHEMA_TABLE_OF(buffer_fields);

static const schema_field metadata_fields[] = {
    {SCHEMA_STRING, 0}, /* name */
    {SCHEMA_WORD, 0},   /* buffer */
};
const schema_table schema_metadata = SCHEMA_TABLE_OF(metadata_fields);

static const schema_field signature_fields[] = {
    {SCHEMA_TABLES, 0}, /* inputs */
    {SCHEMA_TABLES, 0}, /* outputs */
    {SCHEMA_STRING, 0}, /* signature_key */
    {SCHEMA_STRING, 0}, /* deprecated_tag */
    {SCHEMA_WORD, 0},   /* subgraph_index */
};
const schema_table schema_signature = SCHEMA_TABLE_OF(signature_fields);

static const schema_field tensor_map_fields[] = {
    {SCHEMA_STRING, 0}, /* name */
    {SCHEMA_WORD, 0},   /* tensor_index */
};
const schema_table schema_tensor_map = SCHEMA_TABLE_OF(tensor_map_fields);

const schema_table schema_nothing = {NULL, 0};
