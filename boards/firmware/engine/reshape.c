/* RESHAPE: micro/kernels/reshape.cc, reshape_common.cc. The shape is the output tensor's; the
 * second input and the options are not read. */
#include <stddef.h>
#include <string.h>

#include "kernels.h"

/* ReshapeOptions */
static const schema_field option_fields[] = {
    {SCHEMA_WORDS, 0}, /* new_shape */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

static bool prepare(preparation *p) {
  if (!prepare_counts(p, 1, 2, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL || !prepare_same_type(p, input, output)) {
    return false;
  }
  if (value_count(input) != value_count(output)) {
    return prepare_refuse(p, value_count(input), value_count(output),
                          "input and output have another number of elements");
  }
  return true;
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const engine_value *input = node->inputs[0];
  if (input->length != 0) {
    memcpy(node->outputs[0]->data, input->data, input->length);
  }
  return ENGINE_OK;
}

const engine_kernel kernel_reshape = {
    .builtin_code = 22,
    .name = "RESHAPE",
    .options_type = 17,
    .options = &options,
    .needs_options = false,
    .prepare = prepare,
    .invoke = invoke,
};
