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

#define RK_BODY "blocked_body.h"
#include "levels.h"

RK_DISPATCH(
    rk_blocked_conv_f32,
    (const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
     const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
     ptrdiff_t first_row, ptrdiff_t row_count),
    (conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count))
RK_DISPATCH(
    rk_winograd_f32,
    (const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
     const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
     ptrdiff_t first_tile, ptrdiff_t tile_count, float *scratch),
    (conv, input, weights, bias, residual, output, first_block, block_count, first_tile, tile_count,
     scratch))
RK_DISPATCH(
    rk_blocked_depthwise_f32,
    (const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
     float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count),
    (conv, input, weights, bias, output, block, first_row, row_count))
RK_DISPATCH(
    rk_blocked_pool_f32,
    (const rk_window *window, const float *input, rk_blocked_layout in, float *output,
     rk_blocked_layout out, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count, int averages,
     int count_padding),
    (window, input, in, output, out, block, first_row, row_count, averages, count_padding))

ptrdiff_t rk_winograd_scratch(ptrdiff_t input_blocks, ptrdiff_t tile_count) {
  return 36 * RK_BLOCK * tile_count * (input_blocks + 4);
}

static ptrdiff_t blocks_of(ptrdiff_t channels) { return (channels + RK_BLOCK - 1) / RK_BLOCK; }

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

void rk_pack_winograd_weights_f32(
    const float *weights, float *packed, ptrdiff_t outputs, ptrdiff_t inputs) {
  static const double g[6][3] = {{1.0 / 4, 0, 0},
                                 {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                 {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                 {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                 {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                 {0, 0, 1}};
  const ptrdiff_t in_blocks = blocks_of(inputs), out_blocks = blocks_of(outputs);
  const ptrdiff_t plane = in_blocks * out_blocks * RK_BLOCK * RK_BLOCK;
  __builtin_memset(packed, 0, (size_t)(36 * plane) * sizeof(float));
  for (ptrdiff_t o = 0; o < outputs; o++)
    for (ptrdiff_t i = 0; i < inputs; i++) {
      const float *w = weights + (o * inputs + i) * 9;
      float *to = packed +
          (((o / RK_BLOCK) * in_blocks + i / RK_BLOCK) * RK_BLOCK + i % RK_BLOCK) * RK_BLOCK +
          o % RK_BLOCK;
      for (int y = 0; y < 6; y++) {
        double row[3];
        for (int k = 0; k < 3; k++)
          row[k] = g[y][0] * w[k] + g[y][1] * w[3 + k] + g[y][2] * w[6 + k];
        for (int x = 0; x < 6; x++)
          to[(y * 6 + x) * plane] =
              (float)(row[0] * g[x][0] + row[1] * g[x][1] + row[2] * g[x][2]);
      }
    }
}
