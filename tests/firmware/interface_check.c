/* Checks engine.h's promises that a result does not show. Argument: a model of one input. */
#define _POSIX_C_SOURCE 200112L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define CHECK(what)                                              \
  do {                                                           \
    if (!(what)) {                                               \
      (void)printf("line %d: %s does not hold\n", __LINE__, #what); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

static uint8_t *aligned(size_t size) {
  void *p = NULL;
  CHECK(posix_memalign(&p, ENGINE_ALIGNMENT, size) == 0);
  return p;
}

typedef struct {
  uint32_t before, after, stop_before, stop_after;
} counts;

static bool before(void *context, const engine_operator *op) {
  counts *c = context;
  CHECK(op->index == c->before);
  c->before += 1;
  return op->index != c->stop_before;
}

static bool after(void *context, const engine_operator *op) {
  counts *c = context;
  CHECK(op->index == c->after && c->before == c->after + 1);
  CHECK(op->output_count == 1 && op->name[0] != '\0');
  c->after += 1;
  return op->index != c->stop_after;
}

static void check_states(const uint8_t *model, uint32_t size, uint8_t *arena) {
  engine e;
  engine_error error;
  engine_tensor t;
  engine_operator op;
  memset(&e, 0, sizeof e);
  CHECK(engine_allocate(&e, arena, 1 << 20, &error) == ENGINE_WRONG_STATE);
  CHECK(error.status == ENGINE_WRONG_STATE && error.text[0] != '\0');
  CHECK(error.op_index == -1 && error.tensor_index == -1);
  CHECK(error.position == ENGINE_NO_POSITION);
  CHECK(engine_invoke(&e, NULL, &error) == ENGINE_WRONG_STATE);
  CHECK(engine_input(&e, 0, &t) == ENGINE_WRONG_STATE);
  CHECK(engine_operator_at(&e, 0, &op) == ENGINE_WRONG_STATE);
  CHECK(engine_open(&e, NULL, 8, &error) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_open(&e, model, size, &error) == ENGINE_OK);
  CHECK(error.status == ENGINE_OK);
  CHECK(engine_operator_at(&e, 0, &op) == ENGINE_OK && op.index == 0);
  CHECK(engine_operator_at(&e, engine_operator_count(&e), &op) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_tensor_at(&e, 0, &t) == ENGINE_WRONG_STATE);
  CHECK(engine_invoke(&e, NULL, &error) == ENGINE_WRONG_STATE);
  CHECK(engine_allocate(&e, NULL, 1 << 20, &error) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_allocate(&e, arena + 8, 1 << 19, &error) == ENGINE_ARENA_UNALIGNED);
  CHECK(error.got == 8);
  CHECK(engine_allocate(&e, arena, 64, &error) == ENGINE_ARENA_TOO_SMALL);
  CHECK(engine_invoke(&e, NULL, &error) == ENGINE_WRONG_STATE);
  CHECK(engine_allocate(&e, arena, 1 << 20, &error) == ENGINE_OK);
  CHECK(engine_input(&e, engine_input_count(&e), &t) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_output(&e, engine_output_count(&e), &t) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_tensor_at(&e, engine_tensor_count(&e), &t) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_op_output(&e, engine_operator_count(&e), 0, &t) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_op_output(&e, 0, 1, &t) == ENGINE_BAD_ARGUMENT);
  CHECK(engine_open(&e, model, 7, &error) == ENGINE_MODEL_MALFORMED);
  CHECK(engine_invoke(&e, NULL, &error) == ENGINE_WRONG_STATE);
}

static void check_observer(const uint8_t *model, uint32_t size, uint8_t *arena) {
  engine e;
  engine_error error;
  counts c = {0, 0, UINT32_MAX, UINT32_MAX};
  const engine_observer observer = {&c, before, after};
  CHECK(engine_open(&e, model, size, &error) == ENGINE_OK);
  CHECK(engine_allocate(&e, arena, 1 << 20, &error) == ENGINE_OK);
  CHECK(engine_invoke(&e, &observer, &error) == ENGINE_OK);
  CHECK(c.before == engine_operator_count(&e) && c.after == c.before);
  const counts stops_before = {0, 0, 2, UINT32_MAX};
  c = stops_before;
  CHECK(engine_invoke(&e, &observer, &error) == ENGINE_ABORTED);
  CHECK(error.op_index == 2 && c.before == 3 && c.after == 2);
  const counts stops_after = {0, 0, UINT32_MAX, 1};
  c = stops_after;
  CHECK(engine_invoke(&e, &observer, &error) == ENGINE_ABORTED);
  CHECK(error.op_index == 1 && c.before == 2 && c.after == 2);
  CHECK(engine_invoke(&e, NULL, &error) == ENGINE_OK);
}

/* Fills the input with a pattern and returns a copy of the output's first bytes. */
static uint64_t result_of(engine *e, uint8_t seed) {
  engine_error error;
  engine_tensor t;
  uint64_t result = 0;
  CHECK(engine_input(e, 0, &t) == ENGINE_OK);
  for (uint32_t i = 0; i < t.length; ++i) {
    t.data[i] = (uint8_t)(seed + 37 * i);
  }
  CHECK(engine_invoke(e, NULL, &error) == ENGINE_OK);
  CHECK(engine_output(e, 0, &t) == ENGINE_OK);
  memcpy(&result, t.data, t.length < 8 ? t.length : 8);
  return result;
}

static void check_two_engines(const uint8_t *model, uint32_t size, uint8_t *arena) {
  engine a;
  engine b;
  engine_error error;
  uint8_t *other = aligned(1 << 20);
  CHECK(engine_open(&a, model, size, &error) == ENGINE_OK);
  CHECK(engine_open(&b, model, size, &error) == ENGINE_OK);
  CHECK(engine_allocate(&a, arena, 1 << 20, &error) == ENGINE_OK);
  CHECK(engine_allocate(&b, other, 1 << 20, &error) == ENGINE_OK);
  const uint64_t one = result_of(&a, 1);
  const uint64_t two = result_of(&b, 2);
  CHECK(result_of(&a, 1) == one);
  CHECK(result_of(&b, 2) == two);
  CHECK(result_of(&b, 1) == one);
  free(other);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  FILE *file = fopen(argv[1], "rb");
  CHECK(file != NULL);
  uint8_t *model = aligned(1 << 20);
  uint8_t *arena = aligned(1 << 20);
  const uint32_t size = (uint32_t)fread(model, 1, 1 << 20, file);
  (void)fclose(file);
  check_states(model, size, arena);
  check_observer(model, size, arena);
  check_two_engines(model, size, arena);
  free(model);
  free(arena);
  (void)printf("ok\n");
  return 0;
}
