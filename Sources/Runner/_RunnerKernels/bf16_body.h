// Products of bfloat16 numbers, at one level. See BFloat16Kernels.h.

#include "lanes.h"
#include "finish_body.h"
#include "tile_sizes.h"

typedef vu VK(bf16_unaligned_vu) __attribute__((aligned(2), may_alias));

/// sum + the products of the two numbers in each lane of x and w, the second one's first.
VK_INLINE vf VK(bf16_dot)(vf sum, vu x, vu w) {
#if VK_DOT && VK_HAS_LANES
  const bfloat16x8_t a = __builtin_bit_cast(bfloat16x8_t, x);
  const bfloat16x8_t b = __builtin_bit_cast(bfloat16x8_t, w);
  const float32x4_t second = vbfmlaltq_f32(__builtin_bit_cast(float32x4_t, sum), a, b);
  return __builtin_bit_cast(vf, vbfmlalbq_f32(second, a, b));
#elif VK_DOT
  return __builtin_bit_cast(
      vf, _mm512_dpbf16_ps(
              __builtin_bit_cast(__m512, sum), __builtin_bit_cast(__m512bh, x),
              __builtin_bit_cast(__m512bh, w)));
#else
  sum = sum + v_float(x & 0xffff0000u) * v_float(w & 0xffff0000u);
  return sum + v_float(x << 16) * v_float(w << 16);
#endif
}

typedef struct VK(bf16_operands) {
  const uint16_t *input, *weights;
  const rk_bf16_conv *conv;
  ptrdiff_t weight_step;
} VK(bf16_operands);

#if VK_HAS_LANES
/// Four pairs of each pixel, whose lanes the products take, in the order of bf16_dot; `pixels` is a
/// constant where this is inlined.
VK_INLINE void VK(bf16_lanes)(
    const uint16_t *pixel, ptrdiff_t step, const uint16_t *weights, vf *sum, const int pixels) {
#if VK_DOT
  bfloat16x8_t x[RK_BF16_TILE(1)];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++)
    x[p] = __builtin_bit_cast(bfloat16x8_t, *(const VK(bf16_unaligned_vu) *)(pixel + p * step));
#define RK_PRODUCTS(multiply, lane)                                                        \
  _Pragma("clang loop unroll(full)") for (int p = 0; p < pixels; p++)                      \
    sum[l * pixels + p] = __builtin_bit_cast(                                              \
        vf, multiply(__builtin_bit_cast(float32x4_t, sum[l * pixels + p]), w, x[p], lane));
#define RK_PAIR(k)                                                                         \
  _Pragma("clang loop unroll(full)") for (int l = 0; l < RK_LANES; l++) {                  \
    const bfloat16x8_t w = __builtin_bit_cast(                                             \
        bfloat16x8_t, *(const VK(bf16_unaligned_vu) *)(weights + k * 32 + l * VK_WIDTH * 2)); \
    RK_PRODUCTS(vbfmlaltq_laneq_f32, 2 * k + 1)                                            \
    RK_PRODUCTS(vbfmlalbq_laneq_f32, 2 * k)                                                \
  }
  RK_PAIR(0) RK_PAIR(1) RK_PAIR(2) RK_PAIR(3)
#undef RK_PAIR
#undef RK_PRODUCTS
#else
  vf first[RK_BF16_TILE(1)], second[RK_BF16_TILE(1)];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) {
    const vu x = *(const VK(bf16_unaligned_vu) *)(pixel + p * step);
    first[p] = v_float(x << 16);
    second[p] = v_float(x & 0xffff0000u);
  }
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const vu w = *(const VK(bf16_unaligned_vu) *)(weights + k * 32 + l * VK_WIDTH * 2);
      const vf w1 = v_float(w << 16), w2 = v_float(w & 0xffff0000u);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) sum[l * pixels + p] += v_set(second[p][k]) * w2;
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) sum[l * pixels + p] += v_set(first[p][k]) * w1;
    }
#endif
}
#endif

/// acc[block][lanes][pixel]; `pixels` and `blocks` are constants wherever this is inlined.
VK_INLINE void VK(bf16_tile)(
    const VK(bf16_operands) *o, vf *acc, const int pixels, const int blocks) {
  vf sum[RK_BF16_BLOCKS * RK_LANES * RK_BF16_TILE(1)];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const rk_bf16_conv *c = o->conv;
  const uint16_t *weights = o->weights;
  const ptrdiff_t step = c->pixel_step, step3 = 3 * step, weight_step = o->weight_step;
  const ptrdiff_t pairs = c->pairs;
  for (ptrdiff_t ib = 0; ib < c->input_blocks; ib++)
    for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < c->taps_x; tx++) {
        const uint16_t *pixel =
            o->input + ib * c->block_step + ty * c->tap_row + tx * c->tap_column;
        // Pointers to every fourth pixel: one each would not leave registers enough.
        const uint16_t *row[4] = {pixel, pixel + 4 * step, pixel + 8 * step, pixel + 12 * step};
        const ptrdiff_t fours = VK_HAS_LANES ? pairs & ~3 : 0;
#if VK_HAS_LANES
        for (ptrdiff_t k = 0; k < fours; k += 4)
          VK(bf16_lanes)(pixel + k * 2, step, weights + k * 32, sum, pixels);
#endif
        for (ptrdiff_t k = fours; k < pairs; k++) {
          vu w[RK_BF16_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
            for (int l = 0; l < RK_LANES; l++)
              w[b * RK_LANES + l] = *(const VK(bf16_unaligned_vu) *)(
                  weights + b * weight_step + k * 32 + l * VK_WIDTH * 2);
#pragma clang loop unroll(full)
          for (int p = 0; p < pixels; p++) {
            uint32_t pair;
            __builtin_memcpy(
                &pair, row[p / 4] + (p % 4 == 3 ? step3 : p % 4 * step) + k * 2, 4);
            vu x = (vu)pair;
#pragma clang loop unroll(full)
            for (int b = 0; b < blocks * RK_LANES; b++)
              sum[b * pixels + p] = VK(bf16_dot)(sum[b * pixels + p], x, w[b]);
          }
        }
        weights += pairs * 32;
      }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

static void VK(bf16_products)(const VK(bf16_operands) *o, vf *acc, int pixels, int blocks) {
#define RK_COMPUTE(p, b) VK(bf16_tile)(o, acc, p, b)
#define RK_COMPUTE_BLOCKS RK_BF16_BLOCKS
#define RK_COMPUTE_TILE RK_BF16_TILE
#include "tile_switch.h"
}

VK_INLINE void VK(bf16_write_tile)(
    const rk_bf16_conv *c, const vf *acc, int pixels, int blocks, ptrdiff_t block, const float *bias,
    float *output, const float *residual, const vk_activation_kind kind) {
  for (int b = 0; b < blocks; b++)
    for (int l = 0; l < RK_LANES; l++) {
      const ptrdiff_t first = (block + b) * 16 + l * VK_WIDTH;
      const ptrdiff_t count = c->writes_whole_blocks ? VK_WIDTH : c->outputs - first;
      if (count <= 0) break;
      vf add = bias ? v_load(bias + first) : (vf)0.0f;
      const vf *from = acc + (b * RK_LANES + l) * pixels;
      for (int p = 0; p < pixels; p++)
        VK(finish_some)(
            from[p] + add, output + b * c->out_block + p * c->out_pixel + l * VK_WIDTH,
            residual
                ? residual + b * c->residual_block + p * c->residual_pixel + l * VK_WIDTH : 0,
            count, &c->finish, kind);
    }
}

static void VK(rk_bf16_conv_rows)(
    const rk_bf16_conv *c, const uint16_t *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count) {
  vf acc[RK_BF16_BLOCKS * RK_LANES * RK_BF16_TILE(1)];
  VK(bf16_operands) o = {
      .conv = c, .weight_step = c->input_blocks * c->taps_y * c->taps_x * c->pairs * 32};
  const ptrdiff_t end_block = first_block + block_count;
  for (ptrdiff_t block = first_block; block < end_block;) {
    const int blocks =
        end_block - block < RK_BF16_BLOCKS ? (int)(end_block - block) : RK_BF16_BLOCKS;
    const int tile = RK_BF16_TILE(blocks);
    for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
      for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels) {
        const ptrdiff_t parts = (c->out_width - x + tile - 1) / tile;
        pixels = (c->out_width - x + parts - 1) / parts;
        o.input = input + row * c->row_step + x * c->pixel_step;
        o.weights = weights + block * o.weight_step;
        VK(bf16_products)(&o, acc, (int)pixels, blocks);
        float *to = output + block * c->out_block + row * c->out_row + x * c->out_pixel;
        const float *from = residual
            ? residual + block * c->residual_block + row * c->residual_row + x * c->residual_pixel
            : 0;
        switch (c->finish.activation.kind) {
          case VK_IDENTITY:
            VK(bf16_write_tile)(
                c, acc, (int)pixels, blocks, block, bias, to, from, VK_IDENTITY);
            break;
          case VK_SILU:
            VK(bf16_write_tile)(c, acc, (int)pixels, blocks, block, bias, to, from, VK_SILU);
            break;
          default:
            VK(bf16_write_tile)(
                c, acc, (int)pixels, blocks, block, bias, to, from, c->finish.activation.kind);
        }
      }
    block += blocks;
  }
}
