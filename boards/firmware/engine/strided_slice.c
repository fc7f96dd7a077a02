/* STRIDED_SLICE: micro/kernels/strided_slice.cc, strided_slice_common.cc and
 * kernels/internal/strided_slice_logic.h. TFLM reads neither ellipsis_mask nor new_axis_mask nor
 * offset. */
#include <stddef.h>
#include <string.h>

#include "kernels.h"

/* StridedSliceOptions */
enum { OPTION_BEGIN_MASK = 0, OPTION_END_MASK = 1, OPTION_SHRINK_AXIS_MASK = 4 };
static const schema_field option_fields[] = {
    {SCHEMA_WORD, 0}, /* begin_mask */
    {SCHEMA_WORD, 0}, /* end_mask */
    {SCHEMA_WORD, 0}, /* ellipsis_mask */
    {SCHEMA_WORD, 0}, /* new_axis_mask */
    {SCHEMA_WORD, 0}, /* shrink_axis_mask */
    {SCHEMA_BYTE, 0}, /* offset */
};
static const schema_table options = SCHEMA_TABLE_OF(option_fields);

#define MOST_DIMS 4

typedef struct {
  int32_t start[MOST_DIMS];
  int32_t stride[MOST_DIMS];
  uint32_t count[MOST_DIMS];     /* elements taken along each dimension */
  uint32_t elements[MOST_DIMS];  /* of the input, from one index to the next */
} slice;

static int64_t clamp(int64_t x, int64_t low, int64_t high) {
  return x < low ? low : (x > high ? high : x);
}

/* StridedSliceStartForAxis */
static int64_t start_of(int64_t begin, int64_t stride, int64_t size, bool masked) {
  if (masked) {
    return stride > 0 ? 0 : size - 1;
  }
  const int64_t start = begin < 0 ? begin + size : begin;
  return stride > 0 ? clamp(start, 0, size) : clamp(start, -1, size - 1);
}

/* StridedSliceEndForAxis, for an axis that stays */
static int64_t end_of(int64_t end, int64_t stride, int64_t size, bool masked) {
  if (masked) {
    return stride > 0 ? size : -1;
  }
  const int64_t stop = end < 0 ? end + size : end;
  return stride > 0 ? clamp(stop, 0, size) : clamp(stop, -1, size - 1);
}

static bool check_vector(const preparation *p, const engine_value *v, uint8_t rank) {
  if (!prepare_type(p, v, TYPE_INT32)) {
    return false;
  }
  if ((v->flags & VALUE_CONSTANT) == 0) {
    return prepare_refuse(p, 1, 0, "begin, end and strides have to be constants");
  }
  if (value_count(v) != rank) {
    return prepare_refuse(p, rank, value_count(v),
                          "begin, end and strides need one value for each dimension");
  }
  return true;
}

static bool check_type(const preparation *p, uint8_t type) {
  switch (type) {
    case TYPE_FLOAT32:
    case TYPE_INT8:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_BOOL:
      return true;
    default:
      return prepare_refuse(p, TYPE_INT8, type, "STRIDED_SLICE does not take this type");
  }
}

/* One dimension. `kept` counts the output's dimensions so far. */
static bool prepare_axis(const preparation *p, slice *s, const int32_t masks[3], int axis,
                         const engine_value *output, uint32_t *kept) {
  const int32_t bit = (int32_t)(UINT32_C(1) << axis);
  const engine_node *node = p->node;
  const int64_t size = node->inputs[0]->dims[axis];
  const int64_t stride = load_i32(node->inputs[3]->data + 4 * axis);
  if (stride == 0) {
    return prepare_refuse(p, 1, 0, "a stride is 0");
  }
  const int64_t start =
      start_of(load_i32(node->inputs[1]->data + 4 * axis), stride, size, (masks[0] & bit) != 0);
  int64_t count;
  if ((masks[2] & bit) != 0) {
    count = start >= 0 && start < size && stride > 0 ? 1 : 0;
  } else {
    const int64_t end =
        end_of(load_i32(node->inputs[2]->data + 4 * axis), stride, size, (masks[1] & bit) != 0);
    const int64_t distance = stride > 0 ? end - start : start - end;
    const int64_t step = stride > 0 ? stride : -stride;
    count = distance > 0 ? (distance + step - 1) / step : 0;
    if (*kept >= output->rank || output->dims[*kept] != count) {
      return prepare_refuse(p, count, *kept < output->rank ? output->dims[*kept] : -1,
                            "the output's shape is not what begin, end and strides give");
    }
    *kept += 1;
  }
  s->start[axis] = (int32_t)start;
  s->stride[axis] = (int32_t)stride;
  s->count[axis] = (uint32_t)count;
  return true;
}

static bool prepare(preparation *p) {
  if (!prepare_counts(p, 4, 4, 1)) {
    return false;
  }
  const engine_value *output = prepare_output(p, 0);
  for (uint32_t k = 0; k < 4; ++k) {
    if (prepare_input(p, k) == NULL) {
      return false;
    }
  }
  const engine_value *input = p->node->inputs[0];
  slice *s = prepare_allocate(p, sizeof *s);
  if (s == NULL || !check_type(p, input->type) || !prepare_same_type(p, input, output)) {
    return false;
  }
  if (input->rank > MOST_DIMS) {
    return prepare_refuse(p, MOST_DIMS, input->rank, "STRIDED_SLICE takes up to 4 dimensions");
  }
  for (uint32_t k = 1; k < 4; ++k) {
    if (!check_vector(p, p->node->inputs[k], input->rank)) {
      return false;
    }
  }
  const int32_t masks[3] = {prepare_option_i32(p, OPTION_BEGIN_MASK, 0),
                            prepare_option_i32(p, OPTION_END_MASK, 0),
                            prepare_option_i32(p, OPTION_SHRINK_AXIS_MASK, 0)};
  uint32_t kept = 0;
  uint32_t taken = 1;
  for (int axis = 0; axis < MOST_DIMS; ++axis) {
    s->stride[axis] = 1;
    s->count[axis] = 1;
    if (axis < input->rank) {
      if (!prepare_axis(p, s, masks, axis, output, &kept)) {
        return false;
      }
    }
    taken *= s->count[axis];
  }
  if (kept != output->rank || taken != value_count(output)) {
    return prepare_refuse(p, taken, value_count(output),
                          "the output's shape is not what begin, end and strides give");
  }
  uint32_t elements = 1;
  for (int axis = MOST_DIMS - 1; axis >= 0; --axis) {
    s->elements[axis] = elements;
    elements *= axis < input->rank ? (uint32_t)input->dims[axis] : 1;
  }
  p->node->data = s;
  return true;
}

static uint32_t index_of(const slice *s, int axis, uint32_t k) {
  return (uint32_t)(s->start[axis] + (int64_t)k * s->stride[axis]) * s->elements[axis];
}

static engine_status invoke(const engine_node *node, engine_error *error) {
  (void)error;
  const slice *s = node->data;
  const engine_value *input = node->inputs[0];
  const uint32_t size = input->element_size;
  uint8_t *out = node->outputs[0]->data;
  if (value_count(node->outputs[0]) == 0) {
    return ENGINE_OK;
  }
  for (uint32_t a = 0; a < s->count[0]; ++a) {
    for (uint32_t b = 0; b < s->count[1]; ++b) {
      for (uint32_t c = 0; c < s->count[2]; ++c) {
        const uint32_t base = index_of(s, 0, a) + index_of(s, 1, b) + index_of(s, 2, c);
        if (s->elements[3] == 1 && s->stride[3] == 1) {
          const uint32_t first = base + index_of(s, 3, 0);
          memcpy(out, input->data + (size_t)first * size, (size_t)s->count[3] * size);
          out += s->count[3] * size;
          continue;
        }
        for (uint32_t d = 0; d < s->count[3]; ++d) {
          memcpy(out, input->data + (size_t)(base + index_of(s, 3, d)) * size, size);
          out += size;
        }
      }
    }
  }
  return ENGINE_OK;
}

const engine_kernel kernel_strided_slice = {
    .builtin_code = 45,
    .name = "STRIDED_SLICE",
    .options_type = 32,
    .options = &options,
    .needs_options = true,
    .prepare = prepare,
    .invoke = invoke,
};
