// Products and companions on 8-bit integers, at one level. See Int8Kernels.h.

#include "lanes.h"
#include "int8_results_body.h"

/// What a tile of products reads.
typedef struct VK(q8_operands) {
  const uint8_t *input;
  const int8_t *weights;
  ptrdiff_t depth, taps_y, taps_x, tap_row, tap_column, pixel_step, block_stride;
#if VK_HAS_LANES
  // Where sums begin, for tiles of more than one pixel. See int8_neon_body.h.
  const vi *start;
#endif
} VK(q8_operands);

#if VK_HAS_LANES
#include "int8_neon_body.h"
#else
/// sum + the four products of unsigned bytes in each lane of x and signed ones in w.
VK_INLINE vi VK(q8_dot)(vi sum, vi x, vi w) {
#if VK_DOT && VK_WIDTH == 16
  return __builtin_bit_cast(
      vi, _mm512_dpbusd_epi32(
              __builtin_bit_cast(__m512i, sum), __builtin_bit_cast(__m512i, x),
              __builtin_bit_cast(__m512i, w)));
#elif VK_DOT && VK_WIDTH == 8
  return __builtin_bit_cast(
      vi, _mm256_dpbusd_avx_epi32(
              __builtin_bit_cast(__m256i, sum), __builtin_bit_cast(__m256i, x),
              __builtin_bit_cast(__m256i, w)));
#elif VK_HAS_X86_LEVELS
  // Two of 16 bits at a time: the instruction for bytes would saturate.
#if VK_WIDTH == 16
#define RK_V(x) __builtin_bit_cast(__m512i, x)
#define RK_MADD _mm512_madd_epi16
#define RK_SRA _mm512_srai_epi16
#define RK_SLL _mm512_slli_epi16
#define RK_SRL _mm512_srli_epi16
#elif VK_WIDTH == 8
#define RK_V(x) __builtin_bit_cast(__m256i, x)
#define RK_MADD _mm256_madd_epi16
#define RK_SRA _mm256_srai_epi16
#define RK_SLL _mm256_slli_epi16
#define RK_SRL _mm256_srli_epi16
#else
#define RK_V(x) __builtin_bit_cast(__m128i, x)
#define RK_MADD _mm_madd_epi16
#define RK_SRA _mm_srai_epi16
#define RK_SLL _mm_slli_epi16
#define RK_SRL _mm_srli_epi16
#endif
  vi even = __builtin_bit_cast(vi, RK_MADD(RK_V(x & 0x00ff00ff), RK_SRA(RK_SLL(RK_V(w), 8), 8)));
  vi odd = __builtin_bit_cast(vi, RK_MADD(RK_SRL(RK_V(x), 8), RK_SRA(RK_V(w), 8)));
  return sum + (even + odd);
#undef RK_V
#undef RK_MADD
#undef RK_SRA
#undef RK_SLL
#undef RK_SRL
#else
  vu bytes = __builtin_bit_cast(vu, x);
  for (int i = 0; i < 4; i++) {
    vi a = __builtin_bit_cast(vi, (bytes >> (8 * i)) & 0xffu);
    sum += a * ((w << (24 - 8 * i)) >> 24);
  }
  return sum;
#endif
}

/// acc[block][lanes][pixel]; `pixels` and `blocks` are constants wherever this is inlined.
VK_INLINE void VK(q8_tile)(
    const VK(q8_operands) *o, vi *acc, const int pixels, const int blocks) {
  vi sum[RK_Q8_BLOCKS * RK_LANES * RK_Q8_TILE(1)];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vi)0;
  const int8_t *weights = o->weights;
  const ptrdiff_t step = o->pixel_step, block_stride = o->block_stride, depth = o->depth;
  for (ptrdiff_t ty = 0; ty < o->taps_y; ty++)
    for (ptrdiff_t tx = 0; tx < o->taps_x; tx++) {
      const uint8_t *pixel = o->input + ty * o->tap_row + tx * o->tap_column;
      // Pointers to every fourth pixel: one each would not leave registers enough.
      const uint8_t *row[4] = {pixel, pixel + 4 * step, pixel + 8 * step, pixel + 12 * step};
      const ptrdiff_t step3 = 3 * step;
      for (ptrdiff_t c = 0; c < depth; c++) {
        vi w[RK_Q8_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
        for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
          for (int l = 0; l < RK_LANES; l++)
            w[b * RK_LANES + l] =
                VK(q8_load)(weights + b * block_stride + c * 64 + l * VK_WIDTH * 4);
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; p++) {
          int32_t four;
          __builtin_memcpy(
              &four, row[p / 4] + (p % 4 == 3 ? step3 : p % 4 * step) + c * 4, 4);
          vi x = (vi)four;
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks * RK_LANES; b++)
            sum[b * pixels + p] = VK(q8_dot)(sum[b * pixels + p], x, w[b]);
        }
      }
      weights += depth * 64;
    }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}
#endif

static void VK(q8_products)(const VK(q8_operands) *o, vi *acc, int pixels, int blocks) {
#define RK_COMPUTE(p, b) VK(q8_tile)(o, acc, p, b)
#define RK_COMPUTE_BLOCKS RK_Q8_BLOCKS
#define RK_COMPUTE_TILE RK_Q8_TILE
#include "tile_switch.h"
}

/// Pixels whose sums of inputs are kept for all blocks.
#define RK_Q8_STRIP 1024

/// A part of some rows, for which all blocks are computed before the next part.
typedef struct VK(q8_strip) {
  ptrdiff_t row, end_row, x, end_x;
} VK(q8_strip);

/// Up to `tile` pixels from column `x` on, such that all tiles of a strip's row are about as wide.
VK_INLINE ptrdiff_t VK(q8_pixels)(const VK(q8_strip) *strip, ptrdiff_t x, ptrdiff_t tile) {
  const ptrdiff_t parts = (strip->end_x - x + tile - 1) / tile;
  return (strip->end_x - x + parts - 1) / parts;
}

/// The sum of each pixel's inputs, as a block of outputs whose weights are 1.
static void VK(q8_sum_inputs)(
    const rk_q8_conv *c, const uint8_t *input, VK(q8_operands) o, const VK(q8_strip) *strip,
    int32_t *ones) {
  vi acc[RK_LANES * RK_Q8_TILE(1)];
  for (ptrdiff_t row = strip->row; row < strip->end_row; row++)
    for (ptrdiff_t x = strip->x, pixels; x < strip->end_x; x += pixels) {
      pixels = VK(q8_pixels)(strip, x, RK_Q8_TILE(1));
      o.input = input + row * c->row_step + x * c->pixel_step;
      VK(q8_products)(&o, acc, (int)pixels, 1);
      for (ptrdiff_t p = 0; p < pixels; p++) *ones++ = acc[p][0];
    }
}

static void VK(rk_q8_conv_rows)(
    const rk_q8_conv *c, const uint8_t *input, const int8_t *weights, const rk_q8_finish *finish,
    void *output, ptrdiff_t first_block, ptrdiff_t block_count, ptrdiff_t first_row,
    ptrdiff_t row_count) {
  if (row_count <= 0 || c->out_width <= 0 || block_count <= 0) return;
  // Results could overwrite what is in memory of others, so that it would be read again for each of them.
  const rk_q8_finish own = *finish, *const f = &own;
  vi acc[RK_Q8_BLOCKS * RK_LANES * RK_Q8_TILE(1)];
  int32_t ones[RK_Q8_STRIP];
  VK(q8_operands) o = {
      .depth = c->depth, .taps_y = c->taps_y, .taps_x = c->taps_x, .tap_row = c->tap_row,
      .tap_column = c->tap_column, .pixel_step = c->pixel_step,
      .block_stride = c->taps_y * c->taps_x * c->depth * 64};
  const ptrdiff_t end_block = first_block + block_count, end_row = first_row + row_count;
  const int8_t *last = weights + (c->outputs + 15) / 16 * o.block_stride;
#if VK_HAS_LANES
  const ptrdiff_t weight_count = c->taps_y * c->taps_x;
  vi ones_start[RK_LANES], start[RK_LANES];
  if (f->weight_zero) VK(q8_start)(last, weight_count, c->depth, ones_start);
#endif
  // Weights too many for the first-level cache are read by more pixels at once.
  const int most = RK_Q8_BLOCKS > 2 && o.block_stride > 4096 ? 2 : RK_Q8_BLOCKS;
  // Only the sums of inputs need strips.
  const ptrdiff_t columns =
      f->weight_zero && c->out_width > RK_Q8_STRIP ? RK_Q8_STRIP : c->out_width;
  const ptrdiff_t rows = f->weight_zero ? RK_Q8_STRIP / columns : row_count;
  for (VK(q8_strip) strip = {.row = first_row}; strip.row < end_row; strip.row += rows) {
    strip.end_row = end_row - strip.row < rows ? end_row : strip.row + rows;
    for (strip.x = 0; strip.x < c->out_width; strip.x += columns) {
      strip.end_x = c->out_width - strip.x < columns ? c->out_width : strip.x + columns;
      if (f->weight_zero) {
#if VK_HAS_LANES
        o.start = ones_start;
#endif
        o.weights = last;
        VK(q8_sum_inputs)(c, input, o, &strip, ones);
      }
      for (ptrdiff_t block = first_block; block < end_block;) {
        const int blocks = end_block - block < most ? (int)(end_block - block) : most;
        const int32_t *sums = ones;
        o.weights = weights + block * o.block_stride;
#if VK_HAS_LANES
        if (c->out_width > 1) VK(q8_start)(o.weights, weight_count, c->depth, start);
        o.start = start;
#endif
        for (ptrdiff_t row = strip.row; row < strip.end_row; row++)
          for (ptrdiff_t x = strip.x, pixels; x < strip.end_x; x += pixels, sums += pixels) {
            pixels = VK(q8_pixels)(&strip, x, RK_Q8_TILE(blocks));
            o.input = input + row * c->row_step + x * c->pixel_step;
            VK(q8_products)(&o, acc, (int)pixels, blocks);
            void *to = VK(q8_at)(output, f->result, row * c->out_row + x * c->out_pixel);
            RK_Q8_FOR_RESULT(VK(q8_write_tile)(
                acc, f->weight_zero ? sums : 0, (int)pixels, blocks, block, c->outputs, f, to,
                c->out_pixel, (rk_q8_result)R, (vk_activation_kind)K))
          }
        block += blocks;
      }
    }
  }
}

// MARK: - Depthwise

// What follows has no use for the instructions for products.
#if !VK_DOT

#undef RK_Q8_PIXELS
#undef RK_Q8_NEIGHBOURS
#define RK_Q8_PIXELS 4
/// Pixels whose windows overlap.
#define RK_Q8_NEIGHBOURS 8

/// Sums of up to RK_Q8_PIXELS neighbouring outputs in one vector of channels. float32 holds sums of so
/// few products exactly.
VK_INLINE void VK(q8_depthwise_tile)(
    const rk_q8_conv *c, const uint8_t *input, const float *weights, vf zero, vf *sum,
    const int pixels) {
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) sum[p] = (vf)0.0f;
  for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
    for (ptrdiff_t tx = 0; tx < c->taps_x; tx++) {
      const uint8_t *from = input + ty * c->tap_row + tx * c->tap_column;
      const vf w = v_load(weights);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) {
        vf x = __builtin_convertvector(VK(q8_widened)(from + p * c->pixel_step), vf) - zero;
        sum[p] = sum[p] + x * w;
      }
      weights += (c->outputs + 15) & ~(ptrdiff_t)15;
    }
}

/// The same for an odd number of pixels.
static void VK(q8_depthwise)(
    const rk_q8_conv *c, const uint8_t *input, const float *weights, vf zero, vf *sum, int pixels) {
  switch (pixels) {
    case 1: VK(q8_depthwise_tile)(c, input, weights, zero, sum, 1); return;
    case 2: VK(q8_depthwise_tile)(c, input, weights, zero, sum, 2); return;
    case 3: VK(q8_depthwise_tile)(c, input, weights, zero, sum, 3); return;
    case 4: VK(q8_depthwise_tile)(c, input, weights, zero, sum, 4); return;
  }
}

/// The same where each pixel's neighbour lies one tap on: each input is widened once for all pixels that see it.
VK_INLINE void VK(q8_depthwise_neighbours)(
    const rk_q8_conv *c, const uint8_t *input, const float *weights, vf zero, vf *sum,
    const int taps) {
  const ptrdiff_t pitch = (c->outputs + 15) & ~(ptrdiff_t)15;
  vf own[RK_Q8_NEIGHBOURS];
#pragma clang loop unroll(full)
  for (int p = 0; p < RK_Q8_NEIGHBOURS; p++) own[p] = (vf)0.0f;
  for (ptrdiff_t ty = 0; ty < c->taps_y; ty++) {
    const uint8_t *from = input + ty * c->tap_row;
    vf w[5];
#pragma clang loop unroll(full)
    for (int t = 0; t < taps; t++) w[t] = v_load(weights + t * pitch);
#pragma clang loop unroll(full)
    for (int column = 0; column < RK_Q8_NEIGHBOURS + taps - 1; column++) {
      const vf x = __builtin_convertvector(VK(q8_widened)(from + column * c->tap_column), vf) - zero;
#pragma clang loop unroll(full)
      for (int t = 0; t < taps; t++)
        if (column >= t && column - t < RK_Q8_NEIGHBOURS) own[column - t] = own[column - t] + x * w[t];
    }
    weights += taps * pitch;
  }
#pragma clang loop unroll(full)
  for (int p = 0; p < RK_Q8_NEIGHBOURS; p++) sum[p] = own[p];
}

VK_INLINE void VK(q8_write_pixels)(
    const vf *sum, int pixels, ptrdiff_t o, ptrdiff_t outputs, const rk_q8_finish *f, void *output,
    ptrdiff_t out_pixel, const rk_q8_result result, const vk_activation_kind kind) {
  for (int p = 0; p < pixels; p++)
    VK(q8_write)(
        __builtin_convertvector(sum[p], vi), o, outputs - o, f, output, p * out_pixel + o, result,
        kind);
}

static void VK(rk_q8_depthwise_rows)(
    const rk_q8_conv *c, const uint8_t *input, const float *weights, int32_t zero,
    const rk_q8_finish *finish, void *output, ptrdiff_t first_row, ptrdiff_t row_count) {
  const rk_q8_finish own = *finish, *const f = &own;
  vf sum[RK_Q8_NEIGHBOURS];
  const int shares = c->pixel_step == c->tap_column && (c->taps_x == 3 || c->taps_x == 5);
  for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
    for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels) {
      const int has_neighbours = shares && c->out_width - x >= RK_Q8_NEIGHBOURS;
      pixels = has_neighbours ? RK_Q8_NEIGHBOURS : RK_Q8_PIXELS;
      if (pixels > c->out_width - x) pixels = c->out_width - x;
      const uint8_t *from = input + row * c->row_step + x * c->pixel_step;
      void *to = VK(q8_at)(output, f->result, row * c->out_row + x * c->out_pixel);
      for (ptrdiff_t o = 0; o < c->outputs; o += VK_WIDTH) {
        if (has_neighbours && c->taps_x == 3)
          VK(q8_depthwise_neighbours)(c, from + o, weights + o, (vf)(float)zero, sum, 3);
        else if (has_neighbours)
          VK(q8_depthwise_neighbours)(c, from + o, weights + o, (vf)(float)zero, sum, 5);
        else
          VK(q8_depthwise)(c, from + o, weights + o, (vf)(float)zero, sum, (int)pixels);
        RK_Q8_FOR_RESULT(VK(q8_write_pixels)(
            sum, (int)pixels, o, c->outputs, f, to, c->out_pixel, (rk_q8_result)R,
            (vk_activation_kind)K))
      }
    }
}

// MARK: - Between products

static void VK(rk_quantize_f32)(
    const float *x, uint8_t *y, ptrdiff_t count, float scale, int32_t zero, int is_signed) {
  const int32_t low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    vf v = v_load_some(x + i, count - i < VK_WIDTH ? count - i : VK_WIDTH);
    VK(q8_store_bytes)(y + i, VK(q8_quantized)(v / scale, zero, low, high), count - i);
  }
}

/// Up to a vector of bytes, as integers.
VK_INLINE vi VK(q8_load_some)(const uint8_t *p, ptrdiff_t count, int is_signed) {
  VK(q8_bytes) bytes = (VK(q8_bytes))0;
  if (count >= VK_WIDTH)
    bytes = *(const VK(q8_unaligned_bytes) *)p;
  else
    for (ptrdiff_t i = 0; i < count; i++) ((uint8_t *)&bytes)[i] = p[i];
  if (is_signed)
    return __builtin_convertvector(__builtin_bit_cast(VK(q8_signed), bytes), vi);
  return __builtin_convertvector(bytes, vi);
}

static void VK(rk_dequantize_f32)(
    const uint8_t *x, float *y, ptrdiff_t count, float scale, int32_t zero, int is_signed) {
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    vf v = __builtin_convertvector(VK(q8_load_some)(x + i, count - i, is_signed) - zero, vf) * scale;
    v_store_some(y + i, v, count - i < VK_WIDTH ? count - i : VK_WIDTH);
  }
}

VK_INLINE void VK(q8_binary)(
    const rk_binary_op op, const uint8_t *a, ptrdiff_t a_step, rk_q8_range ar, const uint8_t *b,
    ptrdiff_t b_step, rk_q8_range br, uint8_t *y, rk_q8_range yr, ptrdiff_t count) {
  vi one_a = a_step ? (vi)0 : (vi)(int32_t)a[0], one_b = b_step ? (vi)0 : (vi)(int32_t)b[0];
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    vi m = a_step ? VK(q8_load_some)(a + i, count - i, 0) : one_a;
    vi n = b_step ? VK(q8_load_some)(b + i, count - i, 0) : one_b;
    vf p = __builtin_convertvector(m - ar.zero, vf) * ar.scale;
    vf q = __builtin_convertvector(n - br.zero, vf) * br.scale;
    vf r;
    {
      // Each step rounds on its own, as it would in separate nodes.
#pragma clang fp contract(off)
      r = op == RK_ADD ? p + q : op == RK_SUB ? p - q : op == RK_MUL ? p * q : p / q;
    }
    VK(q8_store_bytes)(y + i, VK(q8_quantized)(r / yr.scale, yr.zero, 0, 255), count - i);
  }
}

static void VK(rk_q8_binary)(
    rk_binary_op op, const uint8_t *a, ptrdiff_t a_step, rk_q8_range ar, const uint8_t *b,
    ptrdiff_t b_step, rk_q8_range br, uint8_t *y, rk_q8_range yr, ptrdiff_t count) {
  switch (op) {
    case RK_ADD: VK(q8_binary)(RK_ADD, a, a_step, ar, b, b_step, br, y, yr, count); return;
    case RK_SUB: VK(q8_binary)(RK_SUB, a, a_step, ar, b, b_step, br, y, yr, count); return;
    case RK_MUL: VK(q8_binary)(RK_MUL, a, a_step, ar, b, b_step, br, y, yr, count); return;
    default: VK(q8_binary)(RK_DIV, a, a_step, ar, b, b_step, br, y, yr, count); return;
  }
}

static void VK(rk_q8_column_sums)(
    const uint8_t *x, ptrdiff_t rows, ptrdiff_t pitch, int32_t *sums, ptrdiff_t columns) {
  for (ptrdiff_t r = 0; r < rows; r++)
    for (ptrdiff_t c = 0; c < columns; c++) sums[c] += x[r * pitch + c];
}

static void VK(rk_q8_max)(const uint8_t *x, uint8_t *y, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
}
#endif
