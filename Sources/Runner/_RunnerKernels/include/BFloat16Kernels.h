#pragma once

// Products of bfloat16 numbers with sums in float32.
//
// By AVX512_BF16 where that is faster, by BFMLALT and BFMLALB on ARM (FEAT_BF16), else by widening and
// float32 products: all add the product of the second number of a pair first and round once a product,
// so that results are the same bits, but for denormal inputs, sums and results, which AVX512_BF16 takes
// for zero.
//
// AMX, at the level of its name, adds up to 32 products before it adds their sum to those before, and takes
// denormal numbers for zero. Its results differ from the others in rounding, but not with what a call covers.

#include "RunnerKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether this processor multiplies bfloat16 faster than float32: those with AMX at its level, and those of AMD
/// with AVX512_BF16. Intel's have that too, but finish half as many products with it as with float32
/// multiply-adds. On ARM it is as many products for one instruction.
int rk_bf16_is_faster(void);
/// Whether the products use AMX or AVX512_BF16: where that is faster, unless rk_prefer_bf16_instructions said
/// otherwise. Or whether they use FEAT_BF16: if the processor has it, unless that said 0. At the level of AMX
/// those that are too small for its tiles use neither.
int rk_uses_bf16_instructions(void);
/// Whether products are computed by the tiles of AMX, which hold 32 channels.
int rk_bf16_uses_tiles(void);
/// Lets the products use it where the processor has it (1), or not (0), or where it is faster (below 0).
/// For tests and measurements.
void rk_prefer_bf16_instructions(int preference);

/// A convolution of one group, or a product of matrices: then there is one block and one tap, the rows of
/// the left matrix are pixels of one row, and the columns of the right one are the outputs. Strides count
/// elements.
typedef struct rk_bf16_conv {
  /// Blocks of input channels, and pairs of channels in each. A last channel without a partner has weights
  /// of zero beside it, but what is read there must be finite.
  ptrdiff_t input_blocks, pairs;
  ptrdiff_t taps_y, taps_x;
  ptrdiff_t block_step, tap_row, tap_column, pixel_step, row_step;
  ptrdiff_t outputs, out_width;
  /// From a block of 16 outputs, a pixel and a row to the next.
  ptrdiff_t out_block, out_pixel, out_row;
  ptrdiff_t residual_block, residual_pixel, residual_row;
  /// Whether blocks of 16 are written even where there are fewer outputs left.
  int writes_whole_blocks;
  vk_finish finish;
} rk_bf16_conv;

/// Output blocks first_block ..< first_block + block_count, rows likewise. `bias` (16 values a block) and
/// `residual` may be null. Values do not depend on which blocks, rows and pixels a call covers.
void rk_bf16_conv_rows(
    const rk_bf16_conv *conv, const uint16_t *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count);

/// Weights to bfloat16 [16 outputs][input block][tap][pair][output][2], zeros where there is no channel.
/// `block_inputs`, even, is how many channels a block of inputs has.
void rk_bf16_pack_weights(
    const float *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step,
    uint16_t *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps, ptrdiff_t block_inputs);

#ifdef __cplusplus
}
#endif
