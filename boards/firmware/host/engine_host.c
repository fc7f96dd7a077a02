/* The engine on the host, for tests: runs a model and writes what each operator computed, or runs
 * many damaged copies of one and reports how each ended.
 *
 *   engine_host run MODEL INPUTS OUTPUTS ARENA_SIZE POISON [MISALIGN]
 *     INPUTS: the input tensors' bytes, one after the other. OUTPUTS is written: each operator's
 *     output tensors right after it ran, one after the other. POISON fills the arena first.
 *     Prints "arena HEAD TAIL NEEDED", "tensor INDEX OFFSET LENGTH" for each planned tensor,
 *     "output OP NAME TENSOR LENGTH" for each output, then "ok"; or the error's line.
 *   engine_host damage MODEL INPUTS ARENA_SIZE INVOKE < list
 *     Each line of the list is "flip POSITION XOR", "word POSITION VALUE" (4 bytes, little
 *     endian) or "cut LENGTH", or several of these with ";" between. Prints for each "ok CRC32", the CRC over all operators' outputs,
 *     or the error's line. INVOKE 0 stops after planning.
 *   engine_host fixedpoint < list
 *     Each line "X MULTIPLIER SHIFT"; prints fixed_multiply of each.
 *
 * The error's line: "error STATUS op OP tensor TENSOR position POSITION expected E got G: TEXT".
 * The exit code is 0 unless the arguments are wrong: an error of the engine is a result.
 */
#define _POSIX_C_SOURCE 200112L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "fixedpoint.h"

typedef struct {
  uint8_t *bytes;
  size_t size;
} blob;

static void die(const char *what) {
  (void)fprintf(stderr, "engine_host: %s\n", what);
  exit(2);
}

/* Exactly `size` bytes, so that the address sanitizer sees the first one beyond. */
static uint8_t *aligned(size_t size) {
  void *p = NULL;
  if (posix_memalign(&p, ENGINE_ALIGNMENT, size == 0 ? 1 : size) != 0) {
    die("out of memory");
  }
  return p;
}

static blob read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    die("cannot read a file");
  }
  const long size = ftell(file);
  rewind(file);
  blob b = {aligned((size_t)size), (size_t)size};
  if (fread(b.bytes, 1, b.size, file) != b.size) {
    die("cannot read a file");
  }
  (void)fclose(file);
  return b;
}

static void print_error(const engine_error *e) {
  (void)printf("error %s op %" PRId32 " tensor %" PRId32 " position %" PRId64 " expected %" PRId64
               " got %" PRId64 ": %s\n",
               engine_status_name(e->status), e->op_index, e->tensor_index,
               e->position == ENGINE_NO_POSITION ? -1 : (int64_t)e->position, e->expected, e->got,
               e->text);
}

static void fill_inputs(const engine *e, const blob *inputs) {
  size_t at = 0;
  for (uint32_t i = 0; i < engine_input_count(e); ++i) {
    engine_tensor t;
    if (engine_input(e, i, &t) != ENGINE_OK) {
      die("engine_input failed");
    }
    for (uint32_t k = 0; k < t.length; ++k) {
      t.data[k] = inputs->size == 0 ? 0 : inputs->bytes[at % inputs->size];
      ++at;
    }
  }
}

typedef struct {
  const engine *e;
  FILE *file;
  uint32_t crc;
} recorder;

static uint32_t crc32_of(uint32_t crc, const uint8_t *p, size_t n) {
  crc = ~crc;
  for (size_t i = 0; i < n; ++i) {
    crc ^= p[i];
    for (int k = 0; k < 8; ++k) {
      crc = (crc >> 1) ^ (UINT32_C(0xEDB88320) & (0u - (crc & 1u)));
    }
  }
  return ~crc;
}

static bool record(void *context, const engine_operator *op) {
  recorder *r = context;
  for (uint32_t k = 0; k < op->output_count; ++k) {
    engine_tensor t;
    if (engine_op_output(r->e, op->index, k, &t) != ENGINE_OK) {
      die("engine_op_output failed");
    }
    r->crc = crc32_of(r->crc, t.data, t.length);
    if (r->file != NULL) {
      (void)printf("output %" PRIu32 " %s %" PRIu32 " %" PRIu32 "\n", op->index, op->name, t.index,
                   t.length);
      if (fwrite(t.data, 1, t.length, r->file) != t.length) {
        die("cannot write the outputs");
      }
    }
  }
  return true;
}

static int run(char **argv, int argc) {
  engine e;
  engine_error error;
  const blob file = read_file(argv[2]);
  const blob inputs = read_file(argv[3]);
  const uint32_t arena_size = (uint32_t)strtoul(argv[5], NULL, 0);
  const size_t misalign = argc > 7 ? strtoul(argv[7], NULL, 0) : 0;
  uint8_t *model = aligned(file.size + misalign) + misalign;
  memcpy(model, file.bytes, file.size);
  uint8_t *arena = aligned(arena_size);
  memset(arena, (int)strtoul(argv[6], NULL, 0), arena_size);
  FILE *out = fopen(argv[4], "wb");
  if (out == NULL) {
    die("cannot write the outputs");
  }
  recorder r = {&e, out, 0};
  const engine_observer observer = {&r, NULL, record};
  (void)printf("engine %s %s %s %s\n", engine_name(), engine_version(), engine_kernel_set(),
               engine_build_flags());
  if (engine_open(&e, model, (uint32_t)file.size, &error) != ENGINE_OK ||
      engine_allocate(&e, arena, arena_size, &error) != ENGINE_OK) {
    print_error(&error);
    return 0;
  }
  (void)printf("arena %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", engine_arena_head(&e),
               engine_arena_tail(&e), engine_arena_needed(&e));
  for (uint32_t i = 0; i < engine_tensor_count(&e); ++i) {
    engine_tensor t;
    if (engine_tensor_at(&e, i, &t) == ENGINE_OK && t.offset != ENGINE_NO_OFFSET) {
      (void)printf("tensor %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", i, t.offset, t.length);
    }
  }
  fill_inputs(&e, &inputs);
  if (engine_invoke(&e, &observer, &error) != ENGINE_OK) {
    print_error(&error);
    return 0;
  }
  if (memcmp(model, file.bytes, file.size) != 0) {
    die("the engine changed the model");
  }
  (void)fclose(out);
  (void)printf("ok\n");
  return 0;
}

static void run_damaged(const blob *model, const blob *inputs, uint8_t *arena, uint32_t arena_size,
                        bool invoke) {
  engine e;
  engine_error error;
  recorder r = {&e, NULL, 0};
  const engine_observer observer = {&r, NULL, record};
  memset(arena, 0xA5, arena_size);
  if (engine_open(&e, model->bytes, (uint32_t)model->size, &error) != ENGINE_OK ||
      engine_allocate(&e, arena, arena_size, &error) != ENGINE_OK) {
    print_error(&error);
    return;
  }
  fill_inputs(&e, inputs);
  if (invoke && engine_invoke(&e, &observer, &error) != ENGINE_OK) {
    print_error(&error);
    return;
  }
  (void)printf("ok %08" PRIx32 "\n", r.crc);
}

static bool apply(blob *model, const char *step) {
  char kind[16];
  unsigned long position = 0;
  unsigned long value = 0;
  const int fields = sscanf(step, "%15s %lu %lu", kind, &position, &value);
  if (fields == 2 && strcmp(kind, "cut") == 0 && position <= model->size) {
    model->size = position;
    return true;
  }
  if (fields == 3 && strcmp(kind, "flip") == 0 && position < model->size) {
    model->bytes[position] = (uint8_t)(model->bytes[position] ^ value);
    return true;
  }
  if (fields == 3 && strcmp(kind, "word") == 0 && position + 4 <= model->size) {
    for (unsigned k = 0; k < 4; ++k) {
      model->bytes[position + k] = (uint8_t)(value >> (8 * k));
    }
    return true;
  }
  return false;
}

static int damage(char **argv) {
  char line[512];
  const blob file = read_file(argv[2]);
  const blob inputs = read_file(argv[3]);
  const uint32_t arena_size = (uint32_t)strtoul(argv[4], NULL, 0);
  const bool invoke = strtoul(argv[5], NULL, 0) != 0;
  uint8_t *arena = aligned(arena_size);
  while (fgets(line, sizeof line, stdin) != NULL) {
    blob work = {aligned(file.size), file.size};
    memcpy(work.bytes, file.bytes, file.size);
    for (char *step = strtok(line, ";"); step != NULL; step = strtok(NULL, ";")) {
      if (!apply(&work, step)) {
        die("a line of the list is not understood");
      }
    }
    /* Exactly as long as what is left, for the address sanitizer. */
    const blob model = {aligned(work.size), work.size};
    memcpy(model.bytes, work.bytes, work.size);
    run_damaged(&model, &inputs, arena, arena_size, invoke);
    free(model.bytes);
    free(work.bytes);
  }
  return 0;
}

static int fixedpoint(void) {
  char line[128];
  while (fgets(line, sizeof line, stdin) != NULL) {
    long x;
    long multiplier;
    long shift;
    if (sscanf(line, "%ld %ld %ld", &x, &multiplier, &shift) != 3) {
      die("a line of the list is not understood");
    }
    const fixed_factor factor = {(int32_t)multiplier, (int32_t)shift};
    (void)printf("%" PRId32 "\n", fixed_multiply((int32_t)x, factor));
  }
  return 0;
}

int main(int argc, char **argv) {
  if ((argc == 7 || argc == 8) && strcmp(argv[1], "run") == 0) {
    return run(argv, argc);
  }
  if (argc == 6 && strcmp(argv[1], "damage") == 0) {
    return damage(argv);
  }
  if (argc == 2 && strcmp(argv[1], "fixedpoint") == 0) {
    return fixedpoint();
  }
  die("usage: engine_host run|damage|fixedpoint ...; see the source");
  return 2;
}
