#pragma once

// Kernels of the ONNX runner that want wide vectors.
//
// Every kernel is compiled for several instruction sets and picks one at run time, on first use.
// Sizes are element counts. Pointers need no alignment beyond their type's. A count of zero or less
// does nothing. Unless said otherwise, input and output are contiguous, and may be the same memory
// or not overlap at all. Results differ between instruction sets by rounding only.
//
// Nothing here checks sizes against memory: that is the caller's part.

#include "VectorKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Functions of one value (elementwise.c)

/// y[i] = activation(x[i])
void rk_activate_f32(const float *x, float *y, ptrdiff_t count, vk_activation activation);

void rk_exp_f32(const float *x, float *y, ptrdiff_t count);
void rk_sigmoid_f32(const float *x, float *y, ptrdiff_t count);
void rk_silu_f32(const float *x, float *y, ptrdiff_t count);
void rk_tanh_f32(const float *x, float *y, ptrdiff_t count);
void rk_erf_f32(const float *x, float *y, ptrdiff_t count);
void rk_gelu_f32(const float *x, float *y, ptrdiff_t count);
void rk_hard_swish_f32(const float *x, float *y, ptrdiff_t count);
void rk_hard_sigmoid_f32(const float *x, float *y, ptrdiff_t count, float alpha, float beta);
void rk_relu_f32(const float *x, float *y, ptrdiff_t count);
void rk_leaky_relu_f32(const float *x, float *y, ptrdiff_t count, float alpha);
void rk_clip_f32(const float *x, float *y, ptrdiff_t count, float low, float high);

/// Adds `bias[c]` (nothing where bias is null) to every value of plane c, then applies the activation,
/// in place. Planes are `plane_stride` apart, of `pixels` values each.
void rk_bias_activation_f32(
    float *data, const float *bias, ptrdiff_t channels, ptrdiff_t pixels, ptrdiff_t plane_stride,
    vk_activation activation);
/// The same for a matrix whose rows each get the whole of `bias` (`columns` values), as after a fully
/// connected layer. Rows are `row_stride` apart.
void rk_bias_activation_rows_f32(
    float *data, const float *bias, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t row_stride,
    vk_activation activation);

// MARK: - Functions of two values (binary.c)

typedef enum rk_binary_op {
  RK_ADD = 0,
  RK_SUB,
  RK_MUL,
  RK_DIV,
  /// NaN if either is NaN
  RK_MIN,
  /// NaN if either is NaN
  RK_MAX,
} rk_binary_op;

/// y[i] = a[i * a_step] op b[i * b_step]; steps are 0 (one value for all) or 1.
void rk_binary_f32(
    rk_binary_op op, const float *a, ptrdiff_t a_step, const float *b, ptrdiff_t b_step, float *y,
    ptrdiff_t count);
/// y[r, i] = a[r * a_row + i * a_step] op b[r * b_row + i * b_step], y contiguous. A row stride of 0
/// repeats one row, an inner step of 0 one value a row.
void rk_binary_rows_f32(
    rk_binary_op op, const float *a, ptrdiff_t a_row, ptrdiff_t a_step, const float *b,
    ptrdiff_t b_row, ptrdiff_t b_step, float *y, ptrdiff_t rows, ptrdiff_t columns);

typedef enum rk_relation {
  RK_EQUAL = 0,
  RK_GREATER,
  RK_GREATER_OR_EQUAL,
} rk_relation;

/// y[i] = 1 where a[i * a_step] stands in the relation to b[i * b_step], else 0; steps are 0 or 1. y must
/// not overlap the others.
void rk_compare_f32(
    rk_relation relation, const float *a, ptrdiff_t a_step, const float *b, ptrdiff_t b_step,
    uint8_t *y, ptrdiff_t count);
void rk_compare_i64(
    rk_relation relation, const int64_t *a, ptrdiff_t a_step, const int64_t *b, ptrdiff_t b_step,
    uint8_t *y, ptrdiff_t count);

// MARK: - Rows (rows.c)

/// Softmax of every row. A row with NaN, +infinity or only -infinity gives NaN in it.
void rk_softmax_f32(const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns);
/// Logarithm of the softmax of every row.
void rk_log_softmax_f32(const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns);
/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias over every row; bias may be null. `means`
/// and `inverse_deviations`, where not null, get one value a row.
void rk_layer_norm_f32(
    const float *x, const float *scale, const float *bias, float *y, ptrdiff_t rows,
    ptrdiff_t columns, float epsilon, float *means, float *inverse_deviations);

float rk_sum_f32(const float *x, ptrdiff_t count);
float rk_sum_of_squares_f32(const float *x, ptrdiff_t count);
float rk_dot_f32(const float *a, const float *b, ptrdiff_t count);
/// The sum of (x[i] - mean)^2.
float rk_squared_distance_f32(const float *x, float mean, ptrdiff_t count);
/// The greatest value; NaN if there is one, -infinity for no values.
float rk_max_f32(const float *x, ptrdiff_t count);
/// The least value; NaN if there is one, +infinity for no values.
float rk_min_f32(const float *x, ptrdiff_t count);
/// y[i] += alpha * x[i]
void rk_axpy_f32(float alpha, const float *x, float *y, ptrdiff_t count);

/// y[i] = alpha * a[i] + beta * b[i]
void rk_blend_f32(
    float alpha, const float *a, float beta, const float *b, float *y, ptrdiff_t count);
/// y[r, i] = alpha[i] * x[r, first[i]] + beta[i] * x[r, second[i]], without what has a beta of 0. Rows of
/// x are x_row apart, y is contiguous and must not overlap it.
void rk_blend_places_f32(
    const float *x, ptrdiff_t x_row, const int32_t *first, const int32_t *second,
    const float *alpha, const float *beta, float *y, ptrdiff_t rows, ptrdiff_t columns);
/// y[i] = the sum over r of weights[r] * x[places[r], i], of `count` rows of x, which are x_row apart; 0
/// of none. y must not overlap x.
void rk_weighted_rows_f32(
    const float *x, ptrdiff_t x_row, const int32_t *places, const float *weights, ptrdiff_t count,
    float *y, ptrdiff_t columns);

// MARK: - Overlaps (overlap.c)

/// Whether the overlap of `box` with one of `count` others, their common area as a share of that of both
/// together, is not at most `limit`. A box is its top, left, bottom and right edge and its area; those of
/// the others are `stride` floats apart, which is a multiple of 16, and zeros after the last.
int rk_overlaps_f32(
    const float *corners, ptrdiff_t stride, ptrdiff_t count, const float *box, float limit);

// MARK: - Products (gemm.c)

/// c = alpha a b + beta c. Neighbours in a row of a are a_column apart, in a column a_row; one of the
/// two is 1, and likewise for b. Rows of c are c_row apart. Where beta is 0, c need not be set. The
/// sums do not depend on which rows and columns a call covers. With a depth of 0 nothing is done.
void rk_gemm_f32(
    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, ptrdiff_t b_column,
    float beta, float *c, ptrdiff_t c_row);

/// The same in float64.
void rk_gemm_f64(
    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, double alpha, const double *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const double *b, ptrdiff_t b_row, ptrdiff_t b_column,
    double beta, double *c, ptrdiff_t c_row);

// MARK: - Attention (attention.c)

/// Attention of one head: output = softmax(scale query key^T + mask) value. Positions lie *_row apart,
/// a mask's neighbours for one query mask_column (0 or 1).
typedef struct rk_attention {
  ptrdiff_t keys;
  /// Features of a query or key, and of a value.
  ptrdiff_t size, value_size;
  float scale;
  ptrdiff_t query_row, key_row, value_row, output_row;
  ptrdiff_t mask_row, mask_column;
} rk_attention;

/// The queries first_query ..< first_query + query_count; `mask` may be null. A query that may look
/// at no key gives NaN. Values do not depend on which queries a call covers. `scratch` holds
/// rk_attention_scratch floats. Without keys nothing is done.
void rk_attention_f32(
    const rk_attention *attention, const float *query, const float *key, const float *value,
    const float *mask, float *output, ptrdiff_t first_query, ptrdiff_t query_count,
    float *scratch);
ptrdiff_t rk_attention_scratch(const rk_attention *attention);

// MARK: - Windows over planes (depthwise.c, im2col.c, pooling.c)

/// A window that slides over a plane. All sizes at least 1, paddings at least 0. The last window may
/// reach past the bottom and right padding (ONNX's ceil_mode).
typedef struct rk_window {
  ptrdiff_t in_height, in_width;
  ptrdiff_t out_height, out_width;
  ptrdiff_t kernel_height, kernel_width;
  ptrdiff_t stride_y, stride_x;
  ptrdiff_t dilation_y, dilation_x;
  ptrdiff_t pad_top, pad_left, pad_bottom, pad_right;
} rk_window;

/// Depthwise convolution: output plane c is input plane c / multiplier correlated with weights
/// [c, kernel_height, kernel_width], plus bias[c] (null: none), through the activation. `channels`
/// counts output planes. Input and output must not overlap.
void rk_depthwise_f32(
    const float *input, const float *weights, const float *bias, float *output, ptrdiff_t channels,
    ptrdiff_t multiplier, const rk_window *window, vk_activation activation);

/// Columns of a convolution for output rows first_row ..< first_row + row_count: row
/// (c, ky, kx) of `columns` holds the input value under tap (ky, kx) for each output pixel, zero in
/// the padding. Rows of `columns` are column_stride apart, at least row_count * out_width.
void rk_im2col_f32(
    const float *input, float *columns, ptrdiff_t channels, const rk_window *window,
    ptrdiff_t first_row, ptrdiff_t row_count, ptrdiff_t column_stride);

/// Greatest value under the window; NaN wins; -infinity where the window holds no pixel.
void rk_max_pool_f32(
    const float *input, float *output, ptrdiff_t channels, const rk_window *window);
/// Mean under the window, over its pixels only, or over the padding too (as zeros, but not what lies
/// past the padding) where `count_padding` is not 0. A window with nothing to count gives 0.
void rk_average_pool_f32(
    const float *input, float *output, ptrdiff_t channels, const rk_window *window,
    int count_padding);

// MARK: - Convolution on channel blocks (blocked.c)

/// Channels in a block.
#define RK_BLOCK 16

/// How far apart, in floats, the blocks and rows of a tensor [blocks][rows][columns][16] are.
typedef struct rk_blocked_layout {
  ptrdiff_t block_stride, row_stride;
} rk_blocked_layout;

/// The image within a convolution's padded input, and how much padding lies before it. A height of 0
/// says nothing of it.
typedef struct rk_blocked_edges {
  ptrdiff_t height, width, pad_top, pad_left;
} rk_blocked_edges;

/// Output pixels in a row that are computed together, at most.
#define RK_MOST_PIXELS 14

/// A convolution of one group. The input's padding is part of its memory: `input` points at the value
/// under the first tap of the first output. If the edges are given, taps that see nothing but padding
/// are left out, and of the padding there need be no more than RK_MOST_PIXELS of stride 1.
typedef struct rk_blocked_conv {
  ptrdiff_t input_blocks, output_blocks;
  /// Channels used of the last input block, 1 to 16.
  ptrdiff_t last_input_depth;
  rk_blocked_layout input, output, residual;
  /// Floats from a pixel of the output to the next: 16, or more where others lie between.
  ptrdiff_t output_step;
  ptrdiff_t out_height, out_width;
  ptrdiff_t kernel_height, kernel_width;
  ptrdiff_t stride_y, stride_x;
  ptrdiff_t dilation_y, dilation_x;
  vk_finish finish;
  /// Whether sums are to lose less: of one input block each tap's products are added up on their own,
  /// in a depthwise convolution each row's.
  int is_precise;
  rk_blocked_edges edges;
} rk_blocked_conv;

/// Output blocks first_block ..< first_block + block_count, rows first_row ..< first_row + row_count.
/// `weights` as rk_pack_conv_weights_f32 lays them; `bias` (16 values an output block) and `residual`
/// may be null. The output must not overlap the residual.
void rk_blocked_conv_f32(
    const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count);
/// [outputs, inputs, taps] to [output block][input block][tap][16 inputs][16 outputs], zeros where
/// there is no channel.
void rk_pack_conv_weights_f32(
    const float *weights, float *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps);

/// A tensor [channels, height, width], and how much padding a convolution sees above and left of it.
typedef struct rk_planar_input {
  ptrdiff_t channels, height, width, pad_top, pad_left;
} rk_planar_input;

/// A convolution that reads planes, for the few channels of an image; `conv` says nothing about its
/// input. Taps of a row are added up on their own first. `scratch` holds rk_planar_scratch floats.
void rk_planar_conv_f32(
    const rk_blocked_conv *conv, const rk_planar_input *planes, const float *input,
    const float *weights, const float *bias, float *output, ptrdiff_t first_row,
    ptrdiff_t row_count, float *scratch);
ptrdiff_t rk_planar_scratch(const rk_blocked_conv *conv, ptrdiff_t channels, ptrdiff_t row_count);
/// [outputs, taps] to [pair of output blocks][tap][32 outputs], the last pair of an odd number with 16.
void rk_pack_planar_weights_f32(
    const float *weights, float *packed, ptrdiff_t outputs, ptrdiff_t taps);

// A 3x3 convolution of stride and dilation 1 by Winograd's F(4x4, 3x3) takes two steps: patches of the
// input are transformed, then multiplied with the weights and transformed back. Output tiles are of 4x4
// pixels, counted row by row; output blocks are taken in pairs.

/// Floats from one of the 36 planes of `tile_count` tiles to the next; there are 36 of them.
ptrdiff_t rk_winograd_plane(ptrdiff_t blocks, ptrdiff_t tile_count);
/// Transformed patches of `tile_count` tiles from `first_tile` on, of some input blocks. The patches
/// of one block lie side by side, those of the next `block_step` patches farther on, planes `plane`
/// floats. Without `edges` the padding is in memory.
void rk_winograd_transform_f32(
    const rk_blocked_conv *conv, const float *input, float *patches, ptrdiff_t plane,
    ptrdiff_t first_tile, ptrdiff_t tile_count, ptrdiff_t block_step, ptrdiff_t first_block,
    ptrdiff_t block_count);
/// Output tiles first_tile ..< first_tile + tile_count of some pairs of output blocks; `patches`
/// points at those of the first tile, `weights` at the transformed ones of the first pair. `scratch`
/// holds 36 rk_winograd_plane(2, tile_count) floats.
void rk_winograd_f32(
    const rk_blocked_conv *conv, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
    const float *weights, const float *bias, const float *residual, float *output,
    ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
    float *scratch);
/// The same with weights as rk_pack_conv_weights_f32 makes them, of all pairs: for few tiles, which need
/// them once. A few input blocks' weights at a time are transformed, and so never leave the
/// second-level cache. `scratch` holds rk_winograd_fresh_scratch floats.
void rk_winograd_fresh_f32(
    const rk_blocked_conv *conv, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
    const float *weights, const float *bias, const float *residual, float *output,
    ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
    float *scratch);
ptrdiff_t rk_winograd_fresh_scratch(ptrdiff_t tile_count);
/// Weights as rk_pack_conv_weights_f32 makes them, transformed, of some pairs of output blocks:
/// [pair][input block][36][16 inputs][32 outputs] with a cache line after each of the 36, the last pair
/// of an odd number with 16 outputs.
///
/// They take four times as much memory as before; made again in each run, from what lies in the caches
/// anyway, they take little of its time.
void rk_winograd_weights_f32(
    const float *weights, float *transformed, ptrdiff_t output_blocks, ptrdiff_t input_blocks,
    ptrdiff_t first_pair, ptrdiff_t pair_count);
/// Floats from one pair's transformed weights to the next's.
ptrdiff_t rk_winograd_weights_stride(ptrdiff_t input_blocks);

/// Whether rk_blocked_depthwise_f32 takes an image without padding in memory, of a window of these extents with pads of
/// up to half of it.
int rk_depthwise_is_bare(
    ptrdiff_t kernel_height, ptrdiff_t kernel_width, ptrdiff_t stride, ptrdiff_t dilation);

/// A depthwise convolution of one block; weights are [block][tap][16]. Without `edges`, or if the window is not one
/// of rk_depthwise_is_bare, the padding is in memory.
void rk_blocked_depthwise_f32(
    const rk_blocked_conv *conv, const float *input, const float *weights, const float *bias,
    float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count);

/// The greatest value or the mean under the window, of one block; the padding is the window's and need
/// not be in memory. Like rk_max_pool_f32 and rk_average_pool_f32 otherwise.
void rk_blocked_pool_f32(
    const rk_window *window, const float *input, rk_blocked_layout in, float *output,
    rk_blocked_layout out, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count, int averages,
    int count_padding);

/// One block of `height` by `width` pixels, each channel times its factor; in place where it is the same.
void rk_blocked_scale_f32(
    const float *input, ptrdiff_t in_row, const float *factors, float *output, ptrdiff_t out_row,
    ptrdiff_t height, ptrdiff_t width);

/// One block of `height` by `width` pixels, each channel times its factor and plus its shift; in place
/// where it is the same.
void rk_blocked_affine_f32(
    const float *input, ptrdiff_t in_row, const float *factors, const float *shifts, float *output,
    ptrdiff_t out_row, ptrdiff_t height, ptrdiff_t width);

// MARK: - Movement (movement.c)

/// Each value of [channels, height, width] to a 2x2 block of [channels, 2 height, 2 width].
void rk_upsample_nearest2_f32(
    const float *input, float *output, ptrdiff_t channels, ptrdiff_t height, ptrdiff_t width);
/// The first `depth` channels of neighbouring pixels of a block, each to its row of the output.
void rk_pixel_rows_f32(
    const float *input, float *output, ptrdiff_t pixels, ptrdiff_t depth, ptrdiff_t output_step);
// MARK: - Narrow floats (narrow.c)

/// IEEE binary16 bits to float, exactly; signalling NaNs may become quiet.
void rk_f16_to_f32(const uint16_t *x, float *y, ptrdiff_t count);
/// Float to IEEE binary16 bits, rounding to nearest even.
void rk_f32_to_f16(const float *x, uint16_t *y, ptrdiff_t count);
/// bfloat16 bits to float, exactly.
void rk_bf16_to_f32(const uint16_t *x, float *y, ptrdiff_t count);
/// Float to bfloat16 bits, rounding to nearest even; NaN becomes a quiet NaN.
void rk_f32_to_bf16(const float *x, uint16_t *y, ptrdiff_t count);
/// The same of two blocks of 16 channels, which become one of 32: 16 numbers of `x`, 16 of `y`, and so on. Zeros
/// instead of those of `y` if it is null.
void rk_f32_to_bf16_pairs(const float *x, const float *y, uint16_t *z, ptrdiff_t pixels);

#ifdef __cplusplus
}
#endif
