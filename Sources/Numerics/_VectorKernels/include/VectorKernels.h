#pragma once

// Vectors as wide as the processor has them, and the kernels on them that several modules want.
//
// Every kernel is compiled for several instruction sets and picks one at run time, on first use.
// Sizes are element counts. Pointers need no alignment beyond their type's. A count of zero or less
// does nothing. Results differ between instruction sets by rounding only.
//
// Nothing here checks sizes against memory: that is the caller's part.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// MARK: - Instruction sets (dispatch.c)

/// Portable code: SSE2 on x86-64, NEON on arm64.
#define VK_LEVEL_BASELINE 0
/// AVX2 with FMA and F16C.
#define VK_LEVEL_AVX2 1
/// AVX-512 F, BW, DQ and VL.
#define VK_LEVEL_AVX512 2
/// AVX-512 as above and its BF16, with AMX's products of tiles of bfloat16 and of bytes. Kernels that make no
/// use of tiles are those of AVX-512.
#define VK_LEVEL_AMX 3

/// The level in use.
int vk_level(void);
/// The best level that this machine can run.
int vk_best_level(void);
/// The level that this thread was told to use; below 0 where it was told nothing.
int vk_forced_level(void);
/// Uses `level` on this thread, and in what others do for it, from now on; the best level where it is
/// negative or above the best. For tests and measurements; returns the level now in use.
int vk_force_level(int level);

// MARK: - Functions of one value (simd.h)

/// Functions that a convolution or another kernel can apply as it writes its results.
typedef enum vk_activation_kind {
  VK_IDENTITY = 0,
  VK_RELU,
  /// x < 0 ? alpha x : x
  VK_LEAKY_RELU,
  /// min(max(x, alpha), beta); NaN stays
  VK_CLIP,
  VK_SIGMOID,
  /// x sigmoid(x)
  VK_SILU,
  VK_TANH,
  /// max(0, min(1, alpha x + beta))
  VK_HARD_SIGMOID,
  /// x max(0, min(1, x / 6 + 1 / 2))
  VK_HARD_SWISH,
  VK_EXP,
  VK_ERF,
  /// x (1 + erf(x / sqrt 2)) / 2
  VK_GELU,
  /// alpha x max(0, min(1, x / 6 + 1 / 2)) + beta
  VK_SCALED_HARD_SWISH,
  /// beta (x < 0 ? alpha (e^x - 1) : x)
  VK_ELU,
  /// x sigmoid(sqrt(8 / pi) (x + 0.044715 x^3)), which is the GELU by tanh
  VK_TANH_GELU,
  /// beta y sigmoid(y) of y = alpha x
  VK_SCALED_SILU,
} vk_activation_kind;

typedef struct vk_activation {
  vk_activation_kind kind;
  float alpha;
  float beta;
} vk_activation;

// MARK: - Products with a packed right matrix (packed_gemm.c)

/// Columns in a panel of a packed matrix, at every level.
#define VK_PANEL 32

/// Panels of a matrix; packed, it takes vk_panel_count(columns) * depth * VK_PANEL floats.
ptrdiff_t vk_panel_count(ptrdiff_t columns);
/// Packs the panels first_panel ..< first_panel + panel_count of alpha b: [panel][depth][32 columns],
/// zeros past the last column. Neighbours in a row of b are b_column apart, in a column b_row.
void vk_pack_right_f32(
    const float *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t depth, ptrdiff_t columns,
    float alpha, float *packed, ptrdiff_t first_panel, ptrdiff_t panel_count);

/// Packs all panels of a contiguous matrix, whose floats may lie at any address.
void vk_pack_rows_f32(
    const void *b, ptrdiff_t depth, ptrdiff_t columns, float alpha, float *packed);

/// What happens to a sum before it is stored: the activation, and a residual added before or after.
typedef struct vk_finish {
  vk_activation activation;
  int residual_first;
} vk_finish;

/// A product c = finish(a b + bias), b packed. Neighbours in a row of a are a_column apart, in a
/// column a_row.
typedef struct vk_product {
  ptrdiff_t columns, depth;
  ptrdiff_t a_row, a_column;
  ptrdiff_t c_row, residual_row;
  vk_finish finish;
} vk_product;

/// Rows first_row ..< first_row + row_count of c under panels first_panel ..< first_panel +
/// panel_count. `bias` (a value per column) and `residual` (a matrix like c) may be null. c overlaps
/// nothing. Values do not depend on which rows and panels a call covers. With a depth of 0 nothing is
/// done.
void vk_packed_gemm_f32(
    const vk_product *product, const float *a, const float *packed, const float *bias,
    const float *residual, float *c, ptrdiff_t first_row, ptrdiff_t row_count,
    ptrdiff_t first_panel, ptrdiff_t panel_count);

// MARK: - Sums in double precision (sums.c)

/// Inner products, every product and sum of them in double precision.
double vk_dot_f32_f32(const float *a, const float *b, ptrdiff_t count);
double vk_dot_f32_f64(const float *a, const double *b, ptrdiff_t count);
double vk_dot_f64_f64(const double *a, const double *b, ptrdiff_t count);
/// sum[i] += scale x[i]
void vk_add_scaled_f32_f64(double scale, const float *x, double *sum, ptrdiff_t count);
void vk_add_scaled_f64_f64(double scale, const double *x, double *sum, ptrdiff_t count);

// MARK: - Transposition (transpose.c)

/// output[j * output_stride + i] = input[i * input_stride + j] for i in rows, j in columns. Bits are
/// kept, so any 32-bit type may pass through. Input and output must not overlap.
void vk_transpose_f32(
    const float *input, float *output, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t input_stride,
    ptrdiff_t output_stride);

#ifdef __cplusplus
}
#endif
