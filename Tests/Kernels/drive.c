// Runs every public kernel on drawn numbers and writes what came out, so that processors and instruction sets can be compared
// (see .ci/kernels, which builds and runs this, and compare, which reads what it writes).
//
//     drive OUTPUT PLACE LEVEL DOT BF16
//
// PLACE is "begin" or "end": which end of each buffer is at a page that may not be touched. LEVEL is vk_force_level's, DOT and
// BF16 say whether instructions for these products are used. It ends with 3 if this machine does not have them.

#include "drive.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static FILE *output;
static int at_end;
static const char *part = "";

// MARK: - Buffers

// Pages are mapped once for each power of two and used again, as the system takes longer to map them than most kernels to run.
typedef struct slot {
  struct slot *next;
  /// What may be touched.
  uint8_t *pages;
  size_t size;
  uint8_t *start;
  size_t bytes;
} slot;

static slot *used, *unused[48];

static slot *mapped(int order, size_t size, size_t page) {
  uint8_t *base =
      mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  slot *s = malloc(sizeof *s);
  expect(base != MAP_FAILED && s != NULL, "memory for a buffer of 2^%d pages", order);
  expect(
      mprotect(base, page, PROT_NONE) == 0 && mprotect(base + page + size, page, PROT_NONE) == 0,
      "pages that may not be touched");
  *s = (slot){NULL, base + page, size, NULL, 0};
  return s;
}

void *buffer(ptrdiff_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  expect(bytes >= 0, "a size of %ld bytes", (long)bytes);
  int order = 0;
  while (page << order < (size_t)bytes) order++;
  slot *s = unused[order];
  if (s)
    unused[order] = s->next;
  else
    s = mapped(order, page << order, page);
  s->next = used;
  used = s;
  s->bytes = (size_t)bytes;
  s->start = at_end ? s->pages + s->size - bytes : s->pages;
  memset(s->pages, 0xa5, s->size);
  return s->start;
}

static int is_untouched(const uint8_t *from, const uint8_t *end) {
  while (from < end)
    if (*from++ != 0xa5) return 0;
  return 1;
}

void release(void) {
  while (used) {
    slot *s = used;
    expect(
        is_untouched(s->pages, s->start) &&
            is_untouched(s->start + s->bytes, s->pages + s->size),
        "nothing written beside a buffer of %zu bytes", s->bytes);
    int order = 0;
    while ((size_t)sysconf(_SC_PAGESIZE) << order < s->size) order++;
    used = s->next;
    s->next = unused[order];
    unused[order] = s;
  }
}

float *floats(ptrdiff_t count) { return buffer(count * 4); }
double *doubles(ptrdiff_t count) { return buffer(count * 8); }
int32_t *ints(ptrdiff_t count) { return buffer(count * 4); }
uint16_t *halves(ptrdiff_t count) { return buffer(count * 2); }
uint8_t *bytes(ptrdiff_t count) { return buffer(count); }

float *some_floats(ptrdiff_t count, float reach) {
  float *p = floats(count);
  for (ptrdiff_t i = 0; i < count; i++) p[i] = draw_float(reach);
  return p;
}

double *some_doubles(ptrdiff_t count, double reach) {
  double *p = doubles(count);
  for (ptrdiff_t i = 0; i < count; i++)
    p[i] = (double)((int64_t)(draw() >> 11) - ((int64_t)1 << 52)) * (reach / 0x1p52);
  return p;
}

uint8_t *some_bytes(ptrdiff_t count) {
  uint8_t *p = bytes(count);
  for (ptrdiff_t i = 0; i < count; i++) p[i] = (uint8_t)(draw() >> 40);
  return p;
}

void *copy(const void *from, ptrdiff_t bytes) {
  void *p = buffer(bytes);
  memcpy(p, from, (size_t)bytes);
  return p;
}

// MARK: - Numbers

static uint64_t state;

/// SplitMix64.
uint64_t draw(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

ptrdiff_t draw_below(ptrdiff_t end) { return (ptrdiff_t)(draw() >> 33) % end; }

float draw_float(float reach) {
  return (float)((int32_t)(draw() >> 40) - (1 << 23)) * (reach / 0x1p23f);
}

const float *special_floats;
ptrdiff_t special_count;

static void make_specials(void) {
  // Where denormals, halves and bfloat16 numbers end, ties, and where the functions of simd.h take another way.
  static const float about[] = {
      0x1p-149f, 0x1p-148f, 0x1.fffffcp-127f, 0x1p-126f, 0x1p-60f,  0x1p-25f,    0x1p-24f, 0x1.8p-24f,
      0x1p-14f,  0.5f,      0.625f,           0.92f,     1.0f,      1.001953f,   1.5f,     2.0f,
      2.5f,      3.0f,      3.5f,             4.0f,      6.0f,      8.5f,        10.0f,    20.0f,
      40.0f,     64.0f,     87.0f,            87.3365f,  88.0f,     88.7228f,    89.0f,    103.9721f,
      104.0f,    127.5f,    255.5f,           2048.5f,   65504.0f,  65519.996f,  65520.0f, 0x1p23f,
      0x1p31f,   0x1p60f,   0x1p126f,         3.0e38f,   0x1.fep127f};
  enum { most = COUNT_OF(about) * 6 + 5 };
  static float all[most];
  ptrdiff_t n = 0;
  for EACH(i, about)
    for (int sign = -1; sign <= 1; sign += 2) {
      all[n++] = (float)sign * about[i];
      all[n++] = nextafterf((float)sign * about[i], INFINITY);
      all[n++] = nextafterf((float)sign * about[i], -INFINITY);
    }
  all[n++] = 0.0f;
  all[n++] = -0.0f;
  all[n++] = INFINITY;
  all[n++] = -INFINITY;
  all[n++] = NAN;
  special_floats = all;
  special_count = n;
}

// MARK: - Records

void record(
    record_kind kind, const void *values, ptrdiff_t count, double scale, const char *name, ...) {
  const size_t size = kind == BYTES ? 1 : kind == HALVES ? 2 : kind == NEAR_DOUBLES ? 8 : 4;
  va_list arguments;
  va_start(arguments, name);
  vfprintf(output, name, arguments);
  va_end(arguments);
  fprintf(output, "\n%c %ld %a\n", kind, (long)count, scale);
  if (count > 0) fwrite(values, size, (size_t)count, output);
}

void expect(int holds, const char *what, ...) {
  if (holds) return;
  va_list arguments;
  va_start(arguments, what);
  fprintf(stderr, "%s: not so: ", part);
  vfprintf(stderr, what, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

// MARK: - Parts

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {
      {"dispatch", drive_dispatch},
      {"counts of nothing", drive_nothing},
      {"elementwise", drive_elementwise},
      {"binary", drive_binary},
      {"rows", drive_rows},
      {"sums", drive_sums},
      {"packed products", drive_packed_products},
      {"products", drive_products},
      {"attention", drive_attention},
      {"windows", drive_windows},
      {"movement", drive_movement},
      {"narrow floats", drive_narrow},
      {"blocked convolution", drive_blocked},
      {"blocked companions", drive_blocked_others},
      {"planar convolution", drive_planar},
      {"Winograd", drive_winograd},
      {"8-bit products", drive_int8_products},
      {"between 8-bit products", drive_int8_others},
      {"bfloat16", drive_bf16},
      {"products by parts", drive_split},
      {"thread pool", drive_pool},
  };
  if (count != 6) {
    fprintf(stderr, "usage: drive OUTPUT begin|end LEVEL DOT BF16\n");
    return 2;
  }
  at_end = strcmp(arguments[2], "end") == 0;
  const int level = atoi(arguments[3]), dot = atoi(arguments[4]), bf16 = atoi(arguments[5]);
  rk_allow_dot_instructions(dot);
  rk_prefer_bf16_instructions(bf16);
  if (vk_force_level(level) != level || rk_uses_dot_instructions() != dot ||
      rk_uses_bf16_instructions() != bf16)
    return 3;
  output = fopen(arguments[1], "wb");
  if (!output) {
    perror(arguments[1]);
    return 2;
  }
  make_specials();
  for EACH(i, parts) {
    part = parts[i].name;
    state = 0x7a11 + (uint64_t)strlen(part) * 1000003u + (uint64_t)part[0];
    parts[i].run();
    release();
  }
  return fclose(output) == 0 ? 0 : 2;
}
