#include "RunnerKernels.h"

// Convolution on channel blocks.
//
// A tensor [channels, height, width] lies as [channels / 16][rows][columns][16]: the sixteen channels
// of a block side by side, so that every load is a whole vector whatever the width of the image, and
// a 1x1 convolution needs no copy. Rows and blocks may be any distance apart, which lets a tensor have
// a margin of zeros for the padding of the convolution that reads it, and lets several convolutions
// write side by side into one tensor (Concat).

#include "tiling.h"

/// The first of the fewest parts of `count`, none above `most`, that are as even as can be: a last
/// part of one pixel would leave most of a tile's multipliers idle.
static inline ptrdiff_t rk_even_part(ptrdiff_t count, ptrdiff_t most) {
  const ptrdiff_t parts = (count + most - 1) / most;
  return (count + parts - 1) / parts;
}

/// How many of these parts are as large as the first.
static inline ptrdiff_t rk_first_parts(ptrdiff_t count, ptrdiff_t most) {
  const ptrdiff_t parts = (count + most - 1) / most;
  return parts - (parts * rk_even_part(count, most) - count);
}

int rk_depthwise_is_bare(
    ptrdiff_t kernel_height, ptrdiff_t kernel_width, ptrdiff_t stride, ptrdiff_t dilation) {
  const ptrdiff_t most = kernel_width == 3 || kernel_width == 5 ? 2 : kernel_width == 7 ? 1 : 0;
  return kernel_height == kernel_width && stride >= 1 && stride <= most && dilation == 1;
}

static ptrdiff_t blocks_of(ptrdiff_t channels) { return (channels + RK_BLOCK - 1) / RK_BLOCK; }

/// Input columns under the taps of `pixels` neighbouring outputs.
static ptrdiff_t rk_planar_width(const rk_blocked_conv *c, ptrdiff_t pixels) {
  return (pixels - 1) * c->stride_x + (c->kernel_width - 1) * c->dilation_x + 1;
}

static ptrdiff_t rk_planar_height(const rk_blocked_conv *c, ptrdiff_t row_count) {
  return (row_count - 1) * c->stride_y + (c->kernel_height - 1) * c->dilation_y + 1;
}

/// The most pixels of a tile, at any level.
#define RK_PLANAR_PIXELS 12

ptrdiff_t rk_planar_scratch(const rk_blocked_conv *c, ptrdiff_t channels, ptrdiff_t row_count) {
  return channels * rk_planar_width(c, c->out_width) * rk_planar_height(c, row_count);
}

ptrdiff_t rk_winograd_plane(ptrdiff_t blocks, ptrdiff_t tile_count) {
  // An odd number of cache lines, so that the 36 planes of a tile fall into different sets.
  return (blocks * tile_count | 1) * RK_BLOCK;
}

/// Floats from one of the 36 elements of an input block's transformed weights to the next: an odd
/// number of cache lines, too.
static inline ptrdiff_t rk_winograd_element(ptrdiff_t step) { return (step + 1) * RK_BLOCK; }

ptrdiff_t rk_winograd_weights_stride(ptrdiff_t input_blocks) {
  return input_blocks * 36 * rk_winograd_element(2 * RK_BLOCK);
}

/// Input blocks whose weights are transformed at a time: a quarter of a MiB for a pair of output blocks.
#define RK_WINOGRAD_FRESH 4

/// Floats for the sums of a pair, whose halves have planes of their own where they are computed apart.
static inline ptrdiff_t rk_winograd_pair_sums(ptrdiff_t tile_count) {
  return 36 * (2 * rk_winograd_plane(1, tile_count) + RK_BLOCK);
}

ptrdiff_t rk_winograd_fresh_scratch(ptrdiff_t tile_count) {
  return rk_winograd_pair_sums(tile_count) + rk_winograd_weights_stride(RK_WINOGRAD_FRESH);
}

#define VK_BODY "blocked_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_blocked_conv_f32,
    (const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
     const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
     ptrdiff_t first_row, ptrdiff_t row_count),
    (conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count))
VK_DISPATCH(
    rk_planar_conv_f32,
    (const rk_blocked_conv *conv, const rk_planar_input *planes, const float *input,
     const float *weights, const float *bias, float *output, ptrdiff_t first_row,
     ptrdiff_t row_count, float *scratch),
    (conv, planes, input, weights, bias, output, first_row, row_count, scratch))
VK_DISPATCH(
    rk_winograd_transform_f32,
    (const rk_blocked_conv *conv, const float *input, float *patches, ptrdiff_t plane,
     ptrdiff_t first_tile, ptrdiff_t tile_count, ptrdiff_t block_step, ptrdiff_t first_block,
     ptrdiff_t block_count),
    (conv, input, patches, plane, first_tile, tile_count, block_step, first_block, block_count))
VK_DISPATCH(
    rk_winograd_f32,
    (const rk_blocked_conv *conv, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
     const float *weights, const float *bias, const float *residual, float *output,
     ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
     float *scratch),
    (conv, patches, plane, block_step, weights, bias, residual, output, first_pair, pair_count,
     first_tile, tile_count, scratch))
VK_DISPATCH(
    rk_winograd_fresh_f32,
    (const rk_blocked_conv *conv, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
     const float *weights, const float *bias, const float *residual, float *output,
     ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
     float *scratch),
    (conv, patches, plane, block_step, weights, bias, residual, output, first_pair, pair_count,
     first_tile, tile_count, scratch))
VK_DISPATCH(
    rk_winograd_weights_f32,
    (const float *weights, float *transformed, ptrdiff_t output_blocks, ptrdiff_t input_blocks,
     ptrdiff_t first_pair, ptrdiff_t pair_count),
    (weights, transformed, output_blocks, input_blocks, first_pair, pair_count))
VK_DISPATCH(
    rk_blocked_depthwise_f32,
    (const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
     float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count),
    (conv, input, weights, bias, output, block, first_row, row_count))
VK_DISPATCH(
    rk_blocked_pool_f32,
    (const rk_window *window, const float *input, rk_blocked_layout in, float *output,
     rk_blocked_layout out, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count, int averages,
     int count_padding),
    (window, input, in, output, out, block, first_row, row_count, averages, count_padding))

VK_DISPATCH(
    rk_blocked_scale_f32,
    (const float *input, ptrdiff_t in_row, const float *factors, float *output, ptrdiff_t out_row,
     ptrdiff_t height, ptrdiff_t width),
    (input, in_row, factors, output, out_row, height, width))

VK_DISPATCH(
    rk_blocked_affine_f32,
    (const float *input, ptrdiff_t in_row, const float *factors, const float *shifts, float *output,
     ptrdiff_t out_row, ptrdiff_t height, ptrdiff_t width),
    (input, in_row, factors, shifts, output, out_row, height, width))

void rk_pack_conv_weights_f32(
    const float *weights, float *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps) {
  const ptrdiff_t in_blocks = blocks_of(inputs), out_blocks = blocks_of(outputs);
  __builtin_memset(
      packed, 0, (size_t)(in_blocks * out_blocks * taps * RK_BLOCK * RK_BLOCK) * sizeof(float));
  for (ptrdiff_t o = 0; o < outputs; o++)
    for (ptrdiff_t i = 0; i < inputs; i++)
      for (ptrdiff_t t = 0; t < taps; t++)
        packed[((((o / RK_BLOCK) * in_blocks + i / RK_BLOCK) * taps + t) * RK_BLOCK + i % RK_BLOCK) *
                   RK_BLOCK +
               o % RK_BLOCK] = weights[(o * inputs + i) * taps + t];
}

void rk_pack_planar_weights_f32(
    const float *weights, float *packed, ptrdiff_t outputs, ptrdiff_t taps) {
  for (ptrdiff_t first = 0; first < outputs; first += 2 * RK_BLOCK) {
    const ptrdiff_t step = outputs - first <= RK_BLOCK ? RK_BLOCK : 2 * RK_BLOCK;
    for (ptrdiff_t tap = 0; tap < taps; tap++)
      for (ptrdiff_t o = 0; o < step; o++)
        *packed++ = first + o < outputs ? weights[(first + o) * taps + tap] : 0.0f;
  }
}
