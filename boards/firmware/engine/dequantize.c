/* DEQUANTIZE to float32: micro/kernels/dequantize.cc, dequantize_common.cc and
 * kernels/internal/reference/dequantize.h. The product is made in double. */
#include <stddef.h>

#include "kernels.h"

typedef struct {
  float scale;
  int32_t zero_point;
} dequantize_data;

static bool prepare(preparation *p) {
  quantization q;
  if (!prepare_counts(p, 1, 1, 1)) {
    return false;
  }
  const engine_value *input = prepare_input(p, 0);
  const engine_value *output = prepare_output(p, 0);
  if (input == NULL || output == NULL) {
    return false;
  }
  if (input->type != TYPE_INT8 && input->type != TYPE_INT16 && input->type != TYPE_UINT8) {
    return prepare_refuse(p, TYPE_INT8, input->type, "DEQUANTIZE does not take this type");
  }
  dequantize_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_type(p, output, TYPE_FLOAT32) || !prepare_quantization(p, input, &q)) {
    return false;
  }
  if (q.zero_point < -(1 << 30) || q.zero_point > 1 << 30) {
    return prepare_refuse(p, 1 << 30, q.zero_point, "a zero point is far outside its type");
  }
  if (value_count(input) != value_count(output)) {
    return prepare_refuse(p, value_count(input), value_count(output),
                          "input and output have another number of elements");
  }
  d->scale = q.scale;
  d->zero_point = q.zero_point;
  p->node->data = d;
  return true;
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const dequantize_data *d = node->data;
  const engine_value *input = node->inputs[0];
  uint8_t *out = node->outputs[0]->data;
  const uint32_t count = value_count(input);
  const double scale = (double)d->scale;
  for (uint32_t i = 0; i < count; ++i) {
    int32_t value;
    if (input->type == TYPE_INT8) {
      value = (int8_t)input->data[i];
    } else if (input->type == TYPE_UINT8) {
      value = input->data[i];
    } else {
      value = load_i16(input->data + 2 * (size_t)i);
    }
    store_f32(out + 4 * (size_t)i, (float)(scale * (double)(value - d->zero_point)));
  }
  return ENGINE_OK;
}

const engine_kernel kernel_dequantize = {
    .builtin_code = 6,
    .name = "DEQUANTIZE",
    .options_type = 38,
    .options = &schema_nothing,
    .needs_options = false,
    .prepare = prepare,
    .invoke = invoke,
};
