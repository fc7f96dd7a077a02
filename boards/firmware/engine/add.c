/* ADD, int8: micro/kernels/add.cc, add_common.cc and
 * kernels/internal/reference/integer_ops/add.h. */
#include <stddef.h>

#include "activation.h"
#include "kernels.h"

/* AddOptions */
enum { OPTION_ACTIVATION = 0 };
static const schema_field option_fields[] = {
    {SCHEMA_BYTE, SCHEMA_ACTIVATIONS}, /* fused_activation_function */
    {SCHEMA_BYTE, 0}, /* pot_scale_int16 */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

#define LEFT_SHIFT 20

typedef struct {
  int32_t offset[2];
  fixed_factor factor[2];
  fixed_factor output_factor;
  int32_t output_offset;
  int32_t low;
  int32_t high;
  uint32_t dims[ENGINE_MAX_RANK];    /* of the output, with ones in front */
  uint32_t steps[2][ENGINE_MAX_RANK]; /* elements of an input from one index to the next */
} add_data;

/* Broadcasting: a dimension of 1 is repeated. Shapes align at their ends. */
static bool prepare_shape(const preparation *p, const engine_value *output, add_data *d) {
  for (uint32_t k = 0; k < ENGINE_MAX_RANK; ++k) {
    const uint32_t from_end = ENGINE_MAX_RANK - 1 - k;
    d->dims[k] = from_end < output->rank ? (uint32_t)output->dims[output->rank - 1 - from_end] : 1;
  }
  for (uint32_t n = 0; n < 2; ++n) {
    const engine_value *input = p->node->inputs[n];
    uint32_t step = 1;
    for (uint32_t from_end = 0; from_end < ENGINE_MAX_RANK; ++from_end) {
      const uint32_t k = ENGINE_MAX_RANK - 1 - from_end;
      const uint32_t dim =
          from_end < input->rank ? (uint32_t)input->dims[input->rank - 1 - from_end] : 1;
      if (dim != d->dims[k] && dim != 1) {
        return prepare_refuse(p, d->dims[k], dim,
                              "an input's shape does not broadcast to the output's");
      }
      d->steps[n][k] = dim == 1 ? 0 : step;
      step *= dim;
    }
  }
  return true;
}

/* QuantizeMultiplierSmallerThanOneExp aborts outside (0, 1). */
static bool smaller_than_one(const preparation *p, double real, fixed_factor *factor) {
  if (!(real > 0.0 && real < 1.0)) {
    return prepare_refuse(p, 0, 0, "ADD's scales give a factor outside 0..1");
  }
  if (!prepare_factor(p, real, factor)) {
    return false;
  }
  return factor->shift <= 0 ||
         prepare_refuse(p, 0, factor->shift, "ADD's scales give a factor of 1");
}

static bool prepare(preparation *p) {
  quantization in[2];
  quantization out;
  if (!prepare_counts(p, 2, 2, 1)) {
    return false;
  }
  const engine_value *a = prepare_input(p, 0);
  const engine_value *b = prepare_input(p, 1);
  const engine_value *output = prepare_output(p, 0);
  if (a == NULL || b == NULL || output == NULL) {
    return false;
  }
  if (output->type == TYPE_FLOAT32 || output->type == TYPE_INT32 || output->type == TYPE_INT16) {
    return prepare_unsupported(p, output->type, "ADD is only done for int8");
  }
  add_data *d = prepare_allocate(p, sizeof *d);
  if (d == NULL || !prepare_type(p, output, TYPE_INT8) || !prepare_same_type(p, output, a) ||
      !prepare_same_type(p, output, b) || !prepare_not_empty(p, a) || !prepare_not_empty(p, b) ||
      !prepare_not_empty(p, output) || !prepare_quantized_i8(p, a, &in[0]) ||
      !prepare_quantized_i8(p, b, &in[1]) || !prepare_quantized(p, output, &out) ||
      !prepare_shape(p, output, d)) {
    return false;
  }
  const double larger = (double)(in[0].scale < in[1].scale ? in[1].scale : in[0].scale);
  for (uint32_t n = 0; n < 2; ++n) {
    d->offset[n] = -in[n].zero_point;
    if (!smaller_than_one(p, (double)in[n].scale / (2 * larger), &d->factor[n])) {
      return false;
    }
  }
  d->output_offset = out.zero_point;
  p->node->data = d;
  return smaller_than_one(p, 2 * larger / ((double)(1 << LEFT_SHIFT) * (double)out.scale),
                          &d->output_factor) &&
         activation_range(p, prepare_option_u8(p, OPTION_ACTIVATION, 0), output, &out, &d->low,
                          &d->high);
}

static int8_t add(const add_data *d, int32_t a, int32_t b) {
  const int32_t scaled_a = fixed_multiply((a + d->offset[0]) * (1 << LEFT_SHIFT), d->factor[0]);
  const int32_t scaled_b = fixed_multiply((b + d->offset[1]) * (1 << LEFT_SHIFT), d->factor[1]);
  const int32_t sum = fixed_wrap_add(scaled_a, scaled_b);
  const int32_t scaled = fixed_multiply(sum, d->output_factor);
  return (int8_t)fixed_clamp(fixed_wrap_add(scaled, d->output_offset), d->low, d->high);
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const add_data *d = node->data;
  const uint32_t inner = d->dims[ENGINE_MAX_RANK - 1];
  const uint32_t rows = value_count(node->outputs[0]) / inner;
  int8_t *out = (int8_t *)node->outputs[0]->data;
  for (uint32_t row = 0; row < rows; ++row) {
    const int8_t *a = (const int8_t *)node->inputs[0]->data;
    const int8_t *b = (const int8_t *)node->inputs[1]->data;
    uint32_t rest = row;
    for (uint32_t k = ENGINE_MAX_RANK - 1; k-- > 0;) {
      const uint32_t index = rest % d->dims[k];
      rest /= d->dims[k];
      a += index * d->steps[0][k];
      b += index * d->steps[1][k];
    }
    for (uint32_t i = 0; i < inner; ++i) {
      *out++ = add(d, *a, *b);
      a += d->steps[0][ENGINE_MAX_RANK - 1];
      b += d->steps[1][ENGINE_MAX_RANK - 1];
    }
  }
  return ENGINE_OK;
}

const engine_kernel kernel_add = {
    .builtin_code = 0,
    .name = "ADD",
    .options_type = 11,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
