#pragma once

// Kernels on 8-bit integers: products with 32-bit sums, and what lies between them.
//
// Inputs of products are unsigned; signed ones become so by adding 128 to them and to their zero point.
// Weights are signed. Images lie with all channels of a pixel side by side ("pixels"): a pixel takes
// `pitch` bytes, of which the last few may be unused. Integer results are the same at every level.

#include "RunnerKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Instruction sets (int8.c)

/// Whether the products use instructions made for them (AMX, AVX512_VNNI, AVX-VNNI, on ARM FEAT_DotProd).
int rk_uses_dot_instructions(void);
/// Lets the products use them (not 0) or not. For tests and measurements.
void rk_allow_dot_instructions(int allowed);

// MARK: - Products (int8.c)

/// A convolution of one group over pixels, or a product of matrices: then the taps are 1 by 1, the rows
/// of the left matrix are pixels of one row, and the columns of the right one are the outputs.
typedef struct rk_q8_conv {
  /// Input channels over four, rounded up. The bytes read past the last channel may hold anything.
  ptrdiff_t depth;
  ptrdiff_t taps_y, taps_x;
  /// Bytes from a tap's input to the next tap's, to the next output's and to the next output row's.
  ptrdiff_t tap_row, tap_column, pixel_step, row_step;
  ptrdiff_t outputs;
  ptrdiff_t out_width;
  /// Elements from an output pixel to the next and from an output row to the next.
  ptrdiff_t out_pixel, out_row;
} rk_q8_conv;

typedef enum rk_q8_result {
  /// sum + offset
  RK_Q8_INT32 = 0,
  /// activation((sum + offset) * scale + bias)
  RK_Q8_FLOAT,
  /// The same times `inverse`, rounded to the nearest even, plus `zero`, kept in low...high.
  RK_Q8_BYTE,
} rk_q8_result;

/// What becomes of a sum. Arrays hold 16 values a block of outputs.
typedef struct rk_q8_finish {
  rk_q8_result result;
  /// Bias less what zero points add to the sum.
  const int32_t *offset;
  const float *scale;
  /// May be null.
  const float *bias;
  /// The weights' zero points where they are not zero, else null: the sum of the inputs times this is
  /// taken from the sum. Needs a block of ones after the packed weights.
  const int32_t *weight_zero;
  vk_activation activation;
  float inverse;
  int32_t zero, low, high;
} rk_q8_finish;

/// Output blocks (of 16) first_block ..< first_block + block_count, rows likewise. `output` is of
/// int32_t, float or uint8_t as the finish says, and points at the first row.
void rk_q8_conv_rows(
    const rk_q8_conv *conv, const uint8_t *input, const int8_t *weights, const rk_q8_finish *finish,
    void *output, ptrdiff_t first_block, ptrdiff_t block_count, ptrdiff_t first_row,
    ptrdiff_t row_count);

/// Bytes of packed weights: 64 for 16 outputs times 4 inputs, and `ones` blocks more.
ptrdiff_t rk_q8_packed_size(ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps, int ones);
/// Weights to [16 outputs][tap][4 inputs][output][input], zeros where there is no channel. Neighbouring
/// outputs, inputs and taps are as far apart as given; `flip` is xored into every weight (128 makes
/// unsigned ones signed). `sums`, 16 a block, gets the sum of each output's packed weights.
void rk_q8_pack_weights(
    const uint8_t *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step,
    uint8_t flip, int8_t *packed, int32_t *sums, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps,
    int ones);

/// A depthwise convolution: `weights` are [tap][channels], already less their zero points, of at most
/// 512 taps; `zero` is the input's zero point. Of the conv, depth is not used and `outputs` are the
/// channels. Offsets do not contain the zero point's part.
void rk_q8_depthwise_rows(
    const rk_q8_conv *conv, const uint8_t *input, const float *weights, int32_t zero,
    const rk_q8_finish *finish, void *output, ptrdiff_t first_row, ptrdiff_t row_count);

// MARK: - Between products (int8.c)

/// y[i] = table[x[i]]; x and y may be the same.
void rk_q8_table(const uint8_t *x, uint8_t *y, ptrdiff_t count, const uint8_t *table);

/// round(x / scale) + zero, kept in 0...255, or in -128...127 where `is_signed`.
void rk_quantize_f32(
    const float *x, uint8_t *y, ptrdiff_t count, float scale, int32_t zero, int is_signed);
/// (x - zero) * scale
void rk_dequantize_f32(
    const uint8_t *x, float *y, ptrdiff_t count, float scale, int32_t zero, int is_signed);

typedef struct rk_q8_range {
  float scale;
  int32_t zero;
} rk_q8_range;

/// y = quantised(dequantised(a) op dequantised(b)) of unsigned numbers; steps are 0 or 1.
void rk_q8_binary(
    rk_binary_op op, const uint8_t *a, ptrdiff_t a_step, rk_q8_range a_range, const uint8_t *b,
    ptrdiff_t b_step, rk_q8_range b_range, uint8_t *y, rk_q8_range y_range, ptrdiff_t count);

/// sums[i] += x[r * pitch + i] over all rows.
void rk_q8_column_sums(
    const uint8_t *x, ptrdiff_t rows, ptrdiff_t pitch, int32_t *sums, ptrdiff_t columns);

/// y[r * y_pitch + c] = x[r * x_row + c * x_column] ^ flip for all rows and columns.
void rk_q8_gather(
    const uint8_t *x, ptrdiff_t x_row, ptrdiff_t x_column, uint8_t *y, ptrdiff_t y_pitch,
    ptrdiff_t rows, ptrdiff_t columns, uint8_t flip);

/// y[i] = max(x[i], y[i])
void rk_q8_max(const uint8_t *x, uint8_t *y, ptrdiff_t count);

#ifdef __cplusplus
}
#endif
