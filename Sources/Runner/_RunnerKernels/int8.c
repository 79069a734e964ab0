#include "Int8Kernels.h"
#include "dispatch.h"

#if VK_HAS_LANES
#include "arm_features.h"
#endif

#include <stdatomic.h>
#include <string.h>

#define VK_BODY "int8_body.h"
#define VK_DOT_AVX2 "avxvnni,"
#define VK_DOT_AVX512 "avx512vnni,"
#define VK_DOT_NEON "dotprod"
#include "levels.h"
#undef VK_BODY

/// Tiles of weights that the kernel with AMX can copy.
#define RK_Q8_AMX_COPIES 18
#define VK_BODY "int8_amx_body.h"
#include "amx_level.h"

static atomic_int dot_allowed = 1;

static int has_dot(int level) {
#if VK_HAS_X86_LEVELS
  if (level >= VK_LEVEL_AVX512) return __builtin_cpu_supports("avx512vnni") != 0;
  if (level == VK_LEVEL_AVX2) return __builtin_cpu_supports("avxvnni") != 0;
#elif VK_HAS_LANES
  return rk_arm_has_dot();
#endif
  return 0;
}

int rk_uses_dot_instructions(void) {
  return atomic_load_explicit(&dot_allowed, memory_order_relaxed) && has_dot(vk_level());
}

void rk_allow_dot_instructions(int allowed) {
  atomic_store_explicit(&dot_allowed, allowed != 0, memory_order_relaxed);
}

#if VK_HAS_X86_LEVELS
#define RK_CHOOSE_DOT(name, arguments)                                     \
  const int dot = rk_uses_dot_instructions();                              \
  switch (vk_level()) {                                                    \
    case VK_LEVEL_AMX:                                                     \
    case VK_LEVEL_AVX512:                                                  \
      if (dot) return name##_avx512_dot arguments;                         \
      return name##_avx512 arguments;                                      \
    case VK_LEVEL_AVX2:                                                    \
      if (dot) return name##_avx2_dot arguments;                           \
      return name##_avx2 arguments;                                        \
    default: return name##_baseline arguments;                             \
  }
#elif VK_HAS_LANES
#define RK_CHOOSE_DOT(name, arguments)                                  \
  if (rk_uses_dot_instructions()) return name##_baseline_dot arguments; \
  return name##_baseline arguments;
#else
#define RK_CHOOSE_DOT(name, arguments) return name##_baseline arguments;
#endif

#if VK_HAS_X86_LEVELS
/// Whether tiles are faster for such a call. A tile takes as long with one group of channels as with 16, and to get
/// ready takes longer than a few products.
static int uses_tiles(const rk_q8_conv *c, ptrdiff_t block_count, ptrdiff_t row_count) {
  if (vk_level() < VK_LEVEL_AMX || !rk_uses_dot_instructions() || c->depth < 4) return 0;
  const ptrdiff_t chunks = (c->depth + 15) / 16, taps = c->taps_y * c->taps_x;
  if (c->depth % chunks != 0 && 2 * taps > RK_Q8_AMX_COPIES) return 0;
  return taps * c->depth >= 8 &&
      row_count * c->out_width * block_count * taps * c->depth >= 4096;
}
#endif

void rk_q8_conv_rows(
    const rk_q8_conv *conv, const uint8_t *input, const int8_t *weights, const rk_q8_finish *finish,
    void *output, ptrdiff_t first_block, ptrdiff_t block_count, ptrdiff_t first_row,
    ptrdiff_t row_count) {
#if VK_HAS_X86_LEVELS
  if (uses_tiles(conv, block_count, row_count)) {
    rk_q8_conv_rows_amx(
        conv, input, weights, finish, output, first_block, block_count, first_row, row_count);
    return;
  }
#endif
  RK_CHOOSE_DOT(
      rk_q8_conv_rows,
      (conv, input, weights, finish, output, first_block, block_count, first_row, row_count))
}
VK_DISPATCH(
    rk_q8_depthwise_rows,
    (const rk_q8_conv *conv, const uint8_t *input, const float *weights, int32_t zero,
     const rk_q8_finish *finish, void *output, ptrdiff_t first_row, ptrdiff_t row_count),
    (conv, input, weights, zero, finish, output, first_row, row_count))
VK_DISPATCH(
    rk_quantize_f32,
    (const float *x, uint8_t *y, ptrdiff_t count, float scale, int32_t zero, int is_signed),
    (x, y, count, scale, zero, is_signed))
VK_DISPATCH(
    rk_dequantize_f32,
    (const uint8_t *x, float *y, ptrdiff_t count, float scale, int32_t zero, int is_signed),
    (x, y, count, scale, zero, is_signed))
VK_DISPATCH(
    rk_q8_binary,
    (rk_binary_op op, const uint8_t *a, ptrdiff_t a_step, rk_q8_range a_range, const uint8_t *b,
     ptrdiff_t b_step, rk_q8_range b_range, uint8_t *y, rk_q8_range y_range, ptrdiff_t count),
    (op, a, a_step, a_range, b, b_step, b_range, y, y_range, count))
VK_DISPATCH(
    rk_q8_column_sums,
    (const uint8_t *x, ptrdiff_t rows, ptrdiff_t pitch, int32_t *sums, ptrdiff_t columns),
    (x, rows, pitch, sums, columns))
VK_DISPATCH(rk_q8_max, (const uint8_t *x, uint8_t *y, ptrdiff_t count), (x, y, count))

// MARK: - Packing

ptrdiff_t rk_q8_packed_size(ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps, int ones) {
  return ((outputs + 15) / 16 + (ones ? 1 : 0)) * taps * ((inputs + 3) / 4) * 64;
}

void rk_q8_pack_weights(
    const uint8_t *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step,
    uint8_t flip, int8_t *packed, int32_t *sums, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps,
    int ones) {
  const ptrdiff_t depth = (inputs + 3) / 4, blocks = (outputs + 15) / 16;
  memset(packed, 0, (size_t)rk_q8_packed_size(outputs, inputs, taps, ones));
  memset(sums, 0, (size_t)blocks * 16 * sizeof(int32_t));
  for (ptrdiff_t b = 0; b < blocks; b++) {
    const ptrdiff_t count = outputs - b * 16 < 16 ? outputs - b * 16 : 16;
    for (ptrdiff_t t = 0; t < taps; t++)
      for (ptrdiff_t i = 0; i < inputs; i++) {
        const uint8_t *from = weights + b * 16 * output_step + i * input_step + t * tap_step;
        int8_t *to = packed + ((b * taps + t) * depth + i / 4) * 64 + i % 4;
        for (ptrdiff_t o = 0; o < count; o++) {
          const int8_t w = (int8_t)(from[o * output_step] ^ flip);
          to[o * 4] = w;
          sums[b * 16 + o] = (int32_t)((uint32_t)sums[b * 16 + o] + (uint32_t)(int32_t)w);
        }
      }
  }
  if (!ones) return;
  int8_t *last = packed + blocks * taps * depth * 64;
  for (ptrdiff_t t = 0; t < taps; t++)
    for (ptrdiff_t i = 0; i < inputs; i++)
      for (ptrdiff_t o = 0; o < 16; o++) last[(t * depth + i / 4) * 64 + o * 4 + i % 4] = 1;
}

typedef uint8_t rk_bytes __attribute__((ext_vector_type(16)));
typedef rk_bytes rk_unaligned_bytes __attribute__((aligned(1), may_alias));

/// y[r, c] = x[c, r] ^ flip for 16 rows and columns: four times the first half of the lines is interleaved
/// with the second, which turns their numbers by a bit each time.
static void transpose_16x16(
    const uint8_t *x, ptrdiff_t x_line, uint8_t *y, ptrdiff_t y_line, uint8_t flip) {
  rk_bytes lines[16], turned[16];
  for (int i = 0; i < 16; i++)
    lines[i] = *(const rk_unaligned_bytes *)(x + i * x_line) ^ (rk_bytes)flip;
#pragma clang loop unroll(full)
  for (int turn = 0; turn < 4; turn++) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 8; i++) {
      turned[2 * i] = __builtin_shufflevector(
          lines[i], lines[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      turned[2 * i + 1] = __builtin_shufflevector(
          lines[i], lines[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    for (int i = 0; i < 16; i++) lines[i] = turned[i];
  }
  for (int i = 0; i < 16; i++) *(rk_unaligned_bytes *)(y + i * y_line) = lines[i];
}

/// A transposition in squares.
static void transpose_bytes(
    const uint8_t *x, ptrdiff_t x_line, uint8_t *y, ptrdiff_t y_line, ptrdiff_t rows,
    ptrdiff_t columns, uint8_t flip) {
  for (ptrdiff_t r = 0; r < rows; r += 16)
    for (ptrdiff_t c = 0; c < columns; c += 16) {
      if (r + 16 <= rows && c + 16 <= columns) {
        transpose_16x16(x + c * x_line + r, x_line, y + r * y_line + c, y_line, flip);
        continue;
      }
      for (ptrdiff_t i = r; i < r + 16 && i < rows; i++)
        for (ptrdiff_t j = c; j < c + 16 && j < columns; j++)
          y[i * y_line + j] = x[j * x_line + i] ^ flip;
    }
}

void rk_q8_gather(
    const uint8_t *x, ptrdiff_t x_row, ptrdiff_t x_column, uint8_t *y, ptrdiff_t y_pitch,
    ptrdiff_t rows, ptrdiff_t columns, uint8_t flip) {
  if (x_column == 1) {
    for (ptrdiff_t r = 0; r < rows; r++)
      for (ptrdiff_t c = 0; c < columns; c++) y[r * y_pitch + c] = x[r * x_row + c] ^ flip;
    return;
  }
  if (x_row == 1) {
    transpose_bytes(x, x_column, y, y_pitch, rows, columns, flip);
    return;
  }
  // Squares small enough that the lines they touch stay in the cache.
  for (ptrdiff_t first = 0; first < rows; first += 64) {
    const ptrdiff_t end = first + 64 < rows ? first + 64 : rows;
    for (ptrdiff_t c = 0; c < columns; c++) {
      const uint8_t *from = x + c * x_column;
      for (ptrdiff_t r = first; r < end; r++) y[r * y_pitch + c] = from[r * x_row] ^ flip;
    }
  }
}

// MARK: - Tables

#if VK_HAS_X86_LEVELS
__attribute__((target("avx512vbmi,avx512f,avx512bw,avx512vl"))) static void table_vbmi(
    const uint8_t *x, uint8_t *y, ptrdiff_t count, const uint8_t *table) {
  const __m512i a = _mm512_loadu_si512(table), b = _mm512_loadu_si512(table + 64);
  const __m512i c = _mm512_loadu_si512(table + 128), d = _mm512_loadu_si512(table + 192);
  for (; count > 0; count -= 64, x += 64, y += 64) {
    const __mmask64 mask = count >= 64 ? ~0ull : (1ull << count) - 1;
    const __m512i v = _mm512_maskz_loadu_epi8(mask, x);
    const __m512i low = _mm512_permutex2var_epi8(a, v, b);
    const __m512i high = _mm512_permutex2var_epi8(c, v, d);
    _mm512_mask_storeu_epi8(y, mask, _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high));
  }
}
#elif VK_HAS_LANES
/// The first bytes, as many as are a multiple of 16: a quarter of the table at a time. A number past
/// a quarter takes nothing from it. Returns how many.
static ptrdiff_t table_lanes(const uint8_t *x, uint8_t *y, ptrdiff_t count, const uint8_t *table) {
  const uint8x16x4_t a = vld1q_u8_x4(table), b = vld1q_u8_x4(table + 64);
  const uint8x16x4_t c = vld1q_u8_x4(table + 128), d = vld1q_u8_x4(table + 192);
  const ptrdiff_t whole = count & ~(ptrdiff_t)15;
  for (ptrdiff_t i = 0; i < whole; i += 16) {
    const uint8x16_t v = vld1q_u8(x + i);
    uint8x16_t to = vqtbl4q_u8(a, v);
    to = vqtbx4q_u8(to, b, veorq_u8(v, vdupq_n_u8(64)));
    to = vqtbx4q_u8(to, c, veorq_u8(v, vdupq_n_u8(128)));
    to = vqtbx4q_u8(to, d, veorq_u8(v, vdupq_n_u8(192)));
    vst1q_u8(y + i, to);
  }
  return whole;
}
#endif

void rk_q8_table(const uint8_t *x, uint8_t *y, ptrdiff_t count, const uint8_t *table) {
  // Nothing is read then, the table neither.
  if (count <= 0) return;
#if VK_HAS_X86_LEVELS
  if (vk_level() >= VK_LEVEL_AVX512 && __builtin_cpu_supports("avx512vbmi")) {
    table_vbmi(x, y, count, table);
    return;
  }
#endif
  ptrdiff_t i = 0;
#if VK_HAS_LANES
  if (count >= 16) i = table_lanes(x, y, count, table);
#endif
  for (; i < count; i++) y[i] = table[x[i]];
}
