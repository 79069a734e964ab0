#pragma once

// Products of float32 numbers by parts, on processors with AMX.
//
// AMX multiplies bfloat16 numbers, whose significand has 8 bits, and adds in float32. A float32 number with its 24
// bits is exactly the sum of three of them. Of the nine products of the parts of two numbers the six greatest are
// added up; what the others add is below the rounding of a float32 sum. Six products of AMX take half the time of one
// multiply-add of AVX-512, and the sums are as exact (Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial
// intelligence datatype for higher-precision computations", 2019).
//
// Only below 1e-33 is a number less exact than float32, as AMX takes what is smaller than 1.2e-38 for zero. Sums
// that come out as NaN, as those of infinite numbers do, are computed again by multiply-adds.

#include "RunnerKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether products by parts are possible at the level in use.
int rk_splits_products(void);

/// A convolution of one group, or a product of matrices: then there is one tap, the rows of the left matrix are
/// pixels of one row, and the columns of the right one are the outputs. Strides count floats.
typedef struct rk_split_conv {
  ptrdiff_t inputs;
  /// From 16 input channels, a pixel and a row to the next.
  ptrdiff_t in_block, in_pixel, in_row;
  ptrdiff_t taps_y, taps_x;
  ptrdiff_t stride_y, stride_x;
  ptrdiff_t dilation_y, dilation_x;
  ptrdiff_t outputs, out_width;
  ptrdiff_t out_block, out_pixel, out_row;
  ptrdiff_t residual_block, residual_pixel, residual_row;
  /// Whether blocks of 16 are written even if there are fewer outputs left.
  int writes_whole_blocks;
  vk_finish finish;
} rk_split_conv;

/// Output blocks first_block ..< first_block + block_count, rows likewise. `input` is under the first tap of the
/// first output, and padding is part of its memory. `bias` (a value for each output) and `residual` may be null.
/// Values do not depend on which blocks and rows a call covers. `scratch` begins at a cache line and holds
/// rk_split_scratch bytes. Call this only if rk_splits_products is not 0.
void rk_split_conv_rows(
    const rk_split_conv *conv, const float *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count, void *scratch);
ptrdiff_t rk_split_scratch(const rk_split_conv *conv, ptrdiff_t row_count);

/// Numbers of two bytes that packed weights take.
ptrdiff_t rk_split_packed_size(ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps);
/// Packs alpha times the weights as [16 outputs][32 inputs][tap][part][16 inputs][output][2]. The second input of each
/// pair is 16 after the first. If there is no channel, the weight is zero. Neighbouring outputs, inputs and taps are
/// as far apart as given.
void rk_split_pack_weights(
    const float *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step, float alpha,
    uint16_t *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps);

#ifdef __cplusplus
}
#endif
