// Convolution from planes to channel blocks, at one level. See blocked.c.

// Pixels by vectors of sums, each with a partial sum beside it.
#undef RK_PLANAR_SHARED_TAPS
#define RK_PLANAR_SHARED_TAPS 6

/// What a tile of a convolution from planes reads.
typedef struct VK(rk_planar_operands) {
  const float *input, *weights;
  ptrdiff_t channels, plane, taps_y, taps_x, tap_row, tap_column, pixel_step;
} VK(rk_planar_operands);

/// Weights of neighbouring taps are `step` apart; `taps_x` and `pixel_step`, which the operands
/// have too, are constants in the common cases. Each row of taps is added up on its own first:
/// these are the sums of the layer next to the image, of large numbers that cancel.
///
/// `is_shared` says that they are constants, taps lie side by side, and there is one vector of sums
/// a pixel: then every value of the image is loaded once for all taps that want it. With but one
/// vector, each product would otherwise need a load of its own.
VK_INLINE void VK(rk_planar_tile)(
    const VK(rk_planar_operands) *o, const ptrdiff_t step, const ptrdiff_t taps_x,
    const ptrdiff_t pixel_step, vf *acc, const int pixels, const int blocks, const int is_shared) {
  vf sum[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const float *weights = o->weights;
  for (ptrdiff_t c = 0; c < o->channels; c++)
    for (ptrdiff_t ty = 0; ty < o->taps_y; ty++) {
      const float *row = o->input + c * o->plane + ty * o->tap_row;
      vf part[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) part[i] = (vf)0.0f;
      if (is_shared) {
        vf w[RK_PLANAR_SHARED_TAPS];
#pragma clang loop unroll(full)
        for (ptrdiff_t tx = 0; tx < taps_x; tx++) w[tx] = v_load(weights + tx * step);
#pragma clang loop unroll(full)
        for (ptrdiff_t i = 0; i < (pixels - 1) * pixel_step + taps_x; i++) {
          vf x = v_set(row[i]);
#pragma clang loop unroll(full)
          for (ptrdiff_t tx = 0; tx < taps_x; tx++) {
            const ptrdiff_t p = (i - tx) / pixel_step;
            if (i >= tx && (i - tx) % pixel_step == 0 && p < pixels) part[p] = part[p] + x * w[tx];
          }
        }
        weights += taps_x * step;
      } else {
        for (ptrdiff_t tx = 0; tx < taps_x; tx++) {
          const float *from = row + tx * o->tap_column;
          vf w[RK_PLANAR_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
          for (int i = 0; i < blocks * RK_LANES; i++) w[i] = v_load(weights + i * VK_WIDTH);
#pragma clang loop unroll(full)
          for (int p = 0; p < pixels; p++) {
            vf x = v_set(from[p * pixel_step]);
#pragma clang loop unroll(full)
            for (int i = 0; i < blocks * RK_LANES; i++)
              part[i * pixels + p] = part[i * pixels + p] + x * w[i];
          }
          weights += step;
        }
      }
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = sum[i] + part[i];
    }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

#if VK_HAS_LANES
#include "planar_lanes_body.h"
#endif

static void VK(rk_planar_products)(
    const VK(rk_planar_operands) *o, ptrdiff_t step, vf *acc, int pixels, int blocks) {
#define RK_CALL(p, b, kx, sx, is_shared) \
  VK(rk_planar_tile)(o, b == 2 ? 2 * RK_BLOCK : step, kx, sx, acc, p, b, is_shared)
#define RK_COMMON(p, b, kx, is_shared) \
  if (pixels == p && blocks == b && o->taps_x == kx) return RK_CALL(p, b, kx, 2, is_shared);
  if (o->pixel_step == 2) {
#if VK_WIDTH == 16
    RK_COMMON(6, 2, 3, 0) RK_COMMON(6, 2, 6, 0)
    if (o->tap_column == 1) {
      RK_COMMON(12, 1, 3, 1) RK_COMMON(11, 1, 3, 1) RK_COMMON(12, 1, 6, 1) RK_COMMON(11, 1, 6, 1)
    }
#elif !VK_HAS_LANES
    RK_COMMON(RK_PLANAR_TILE(1), 1, 3, 0) RK_COMMON(RK_PLANAR_TILE(1), 1, 6, 0)
#endif
  }
#define RK_COMPUTE(p, b) RK_CALL(p, b, o->taps_x, o->pixel_step, 0)
#if RK_PLANAR_BLOCKS > 1
  if (blocks == 2) {
    switch (pixels) {
#define RK_CASE_BLOCKS 2
#define RK_CASE_PIXELS RK_PLANAR_TILE(2)
#include "tile_cases.h"
    }
    return;
  }
#endif
  switch (pixels) {
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_PLANAR_TILE(1)
#include "tile_cases.h"
  }
#undef RK_COMMON
#undef RK_COMPUTE
#undef RK_CALL
}

VK_INLINE void VK(rk_planar_zeros)(float *to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) v_store_some(to + i, (vf)0.0f, count - i);
}

/// Copies `height` rows of `width` pixels of each plane, `step` rows apart, from row `top` and
/// column `left` on, which may lie outside: there are zeros.
static void VK(rk_planar_copy)(
    const rk_planar_input *in, const float *input, ptrdiff_t top, ptrdiff_t left, ptrdiff_t height,
    ptrdiff_t step, ptrdiff_t width, float *to) {
  const ptrdiff_t first = rk_first_inside(left, 1, width);
  const ptrdiff_t outside = rk_first_outside(left, 1, width, in->width);
  for (ptrdiff_t channel = 0; channel < in->channels; channel++)
    for (ptrdiff_t r = 0; r < height; r++, to += width) {
      const ptrdiff_t y = top + r * step;
      if (y < 0 || y >= in->height || outside <= first) {
        VK(rk_planar_zeros)(to, width);
        continue;
      }
      const float *from = input + (channel * in->height + y) * in->width + left;
      VK(rk_planar_zeros)(to, first);
      if (outside - first > 64)
        __builtin_memcpy(to + first, from + first, (outside - first) * sizeof(float));
      else
        // A call would take longer.
        for (ptrdiff_t i = first; i < outside; i += VK_WIDTH)
          v_store_some(to + i, v_load_some(from + i, outside - i), outside - i);
      VK(rk_planar_zeros)(to + outside, width - outside);
    }
}

/// Where a tile finds its input: in the image itself, or, at its edge, in a copy.
VK_INLINE void VK(rk_planar_place)(
    const rk_blocked_conv *c, const rk_planar_input *in, const float *input, ptrdiff_t top,
    ptrdiff_t left, ptrdiff_t pixels, float *scratch, VK(rk_planar_operands) *o) {
  const ptrdiff_t width = rk_planar_width(c, pixels);
  if (top >= 0 && top + (c->kernel_height - 1) * c->dilation_y < in->height && left >= 0 &&
      left + width <= in->width) {
    o->input = input + top * in->width + left;
    o->plane = in->height * in->width;
    o->tap_row = c->dilation_y * in->width;
  } else {
    VK(rk_planar_copy)(in, input, top, left, c->kernel_height, c->dilation_y, width, scratch);
    o->input = scratch;
    o->plane = c->kernel_height * width;
    o->tap_row = width;
  }
}

static void VK(rk_planar_conv_f32)(
    const rk_blocked_conv *c, const rk_planar_input *in, const float *input, const float *weights,
    const float *bias, float *output, ptrdiff_t first_row, ptrdiff_t row_count, float *scratch) {
  if (row_count <= 0) return;
  const ptrdiff_t width = rk_planar_width(c, c->out_width);
  const ptrdiff_t height = rk_planar_height(c, row_count);
  const ptrdiff_t top = first_row * c->stride_y - in->pad_top;
  vf acc[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
  VK(rk_planar_operands) o = {
      .channels = in->channels, .plane = height * width, .taps_y = c->kernel_height,
      .taps_x = c->kernel_width, .tap_row = c->dilation_y * width, .tap_column = c->dilation_x,
      .pixel_step = c->stride_x};
  // The rows that are wanted are copied, with their padding written out, unless that would take
  // long beside the few products with them: then only tiles at the image's edge get a copy of their
  // own. Many rows of taps are better copied even so, as they would come from too many places at
  // once.
  const int is_copied =
      VK_WIDTH < 16 || c->output_blocks > 1 || in->channels * c->kernel_height > 9;
  if (is_copied)
    VK(rk_planar_copy)(in, input, top, -in->pad_left, height, 1, width, scratch);
#if VK_HAS_LANES
  const int laned = VK(rk_planar_lane_pixels)(c);
#else
  const int laned = 0;
#endif
  const ptrdiff_t taps = in->channels * c->kernel_height * c->kernel_width;
  for (ptrdiff_t block = 0, blocks; block < c->output_blocks; block += blocks) {
    const ptrdiff_t paired = c->output_blocks - block / 2 * 2 < 2 ? 1 : 2;
    blocks = paired < RK_PLANAR_BLOCKS ? 1 : RK_PLANAR_BLOCKS;
    const ptrdiff_t step = paired * RK_BLOCK;
    o.weights = weights + block / 2 * taps * 2 * RK_BLOCK + block % 2 * RK_BLOCK;
    for (ptrdiff_t row = 0; row < row_count; row++)
      for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels) {
#if VK_HAS_LANES
        // The last tile starts where it ends with the row, and computes some pixels again.
        if (laned > 0 && x + laned > c->out_width) x = c->out_width - laned;
#endif
        pixels = laned > 0 ? laned : rk_even_part(c->out_width - x, RK_PLANAR_TILE(blocks));
        if (is_copied)
          o.input = scratch + row * c->stride_y * width + x * c->stride_x;
        else
          VK(rk_planar_place)(
              c, in, input, top + row * c->stride_y, x * c->stride_x - in->pad_left, pixels, scratch,
              &o);
#if VK_HAS_LANES
        if (laned > 0)
          VK(rk_planar_lane_products)(&o, step, acc);
        else
#endif
          VK(rk_planar_products)(&o, step, acc, (int)pixels, (int)blocks);
        float *to = output + block * c->output.block_stride +
            (first_row + row) * c->output.row_stride + x * RK_BLOCK;
        RK_FOR_KIND(
            c->finish.activation.kind,
            VK(rk_write_tile)(
                acc, (int)pixels, (int)blocks, bias ? bias + block * RK_BLOCK : 0, to,
                c->output.block_stride, RK_BLOCK, 0, 0, &c->finish, (vk_activation_kind)K))
      }
  }
}
