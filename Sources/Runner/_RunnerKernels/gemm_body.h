// Matrix product at one level. The tile of the result that is held in registers is RK_GEMM_ROWS rows
// of RK_GEMM_VECTORS; the right matrix is copied into panels as wide, a block of rows at a time,
// so that a panel stays in the first-level cache while all rows of the left matrix pass over it
// (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008).

#include "tile_sizes.h"

#define RK_GEMM_PANEL (RK_GEMM_VECTORS * VK_WIDTH)

#if VK_HAS_LANES
#include "gemm_lanes_body.h"
#else
/// `rows` rows (a constant where this is inlined) of the result, `columns` (up to a panel) wide:
/// c = alpha a b + beta c.
VK_INLINE void VK(gemm_tile)(
    const int rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, float beta, float *c,
    ptrdiff_t c_row) {
  vf sums[RK_GEMM_ROWS][2];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++) sums[r][0] = sums[r][1] = v_set(0.0f);
  for (ptrdiff_t k = 0; k < depth; k++) {
    vf left = v_load(b);
    vf right = v_load(b + VK_WIDTH);
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++) {
      vf x = v_set(a[r * a_row]);
      sums[r][0] += x * left;
      sums[r][1] += x * right;
    }
    a += a_column;
    b += b_row;
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++) {
    float *line = c + r * c_row;
    ptrdiff_t second = columns - VK_WIDTH;
    vf low = sums[r][0] * alpha;
    vf high = sums[r][1] * alpha;
    if (beta != 0.0f) {
      low += v_load_some(line, columns) * beta;
      if (second > 0) high += v_load_some(line + VK_WIDTH, second) * beta;
    }
    v_store_some(line, low, columns);
    if (second > 0) v_store_some(line + VK_WIDTH, high, second);
  }
}
#endif

/// All rows under one panel.
static void VK(gemm_panel)(
    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, float beta, float *c,
    ptrdiff_t c_row) {
#define RK_GEMM_TILE(count)                                                                   \
  for (; rows >= count; rows -= count, a += count * a_row, c += count * c_row)                \
    VK(gemm_tile)                                                                             \
  (count, columns, depth, alpha, a, a_row, a_column, b, b_row, beta, c, c_row)
  RK_GEMM_TILE(RK_GEMM_ROWS);
#if RK_GEMM_ROWS > 6
  RK_GEMM_TILE(8);
#endif
#if RK_GEMM_ROWS > 4
  RK_GEMM_TILE(4);
#endif
  RK_GEMM_TILE(2);
  RK_GEMM_TILE(1);
#undef RK_GEMM_TILE
}

/// A panel's worth of the right matrix, zeros past its last column.
static void VK(gemm_pack)(
    const float *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t depth, ptrdiff_t columns,
    float *panel) {
  if (b_column == 1) {
    for (ptrdiff_t k = 0; k < depth; k++) {
#if VK_HAS_LANES
      for (int v = 0; v < RK_GEMM_VECTORS; v++) {
        ptrdiff_t left = columns - v * VK_WIDTH;
        v_store(panel + v * VK_WIDTH, left > 0 ? v_load_some(b + v * VK_WIDTH, left) : v_set(0.0f));
      }
#else
      v_store(panel, v_load_some(b, columns > VK_WIDTH ? VK_WIDTH : columns));
      ptrdiff_t second = columns - VK_WIDTH;
      v_store(
          panel + VK_WIDTH, second > 0 ? v_load_some(b + VK_WIDTH, second) : v_set(0.0f));
#endif
      b += b_row;
      panel += RK_GEMM_PANEL;
    }
    return;
  }
  for (ptrdiff_t j = 0; j < RK_GEMM_PANEL; j++)
    for (ptrdiff_t k = 0; k < depth; k++)
      panel[k * RK_GEMM_PANEL + j] = j < columns ? b[j * b_column + k * b_row] : 0.0f;
}

static void VK(rk_gemm_f32)(
    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, ptrdiff_t b_column,
    float beta, float *c, ptrdiff_t c_row) {
  if (rows <= 0) return;
  // 64 KiB at most, on the stack.
  enum { block = 256, panel_size = block * RK_GEMM_PANEL };
  __attribute__((aligned(64))) float packed[panel_size];
  // A left matrix that is too large for the second-level cache is gone through once, if the result is
  // not; each sum adds up in the same order either way.
  const int is_deep = rows * depth > (1 << 16) && rows * columns <= (1 << 17);
  const ptrdiff_t at_once = is_deep ? block : depth;
  for (ptrdiff_t start = 0; start < depth; start += at_once) {
    ptrdiff_t end = depth - start < at_once ? depth : start + at_once;
    for (ptrdiff_t j = 0; j < columns; j += RK_GEMM_PANEL) {
      ptrdiff_t width = columns - j < RK_GEMM_PANEL ? columns - j : RK_GEMM_PANEL;
      for (ptrdiff_t k = start; k < end; k += block) {
        ptrdiff_t length = end - k < block ? end - k : block;
        const float *source = b + k * b_row + j * b_column;
        // Copying pays only when several tiles read the copy.
        int is_direct = b_column == 1 && width == RK_GEMM_PANEL && rows <= RK_GEMM_ROWS;
        if (!is_direct) VK(gemm_pack)(source, b_row, b_column, length, width, packed);
        VK(gemm_panel)(
            rows, width, length, alpha, a + k * a_column, a_row, a_column,
            is_direct ? source : packed, is_direct ? b_row : RK_GEMM_PANEL, k == 0 ? beta : 1.0f,
            c + j, c_row);
      }
    }
  }
}

/// Row by row, and row of the right matrix by row, or as sums of products where its columns lie side by
/// side: models seldom work in float64.
static void VK(rk_gemm_f64)(
    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, double alpha, const double *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const double *b, ptrdiff_t b_row, ptrdiff_t b_column,
    double beta, double *c, ptrdiff_t c_row) {
  for (ptrdiff_t r = 0; r < rows && depth > 0; r++, a += a_row, c += c_row) {
    for (ptrdiff_t j = 0; j < columns; j++) c[j] = beta == 0.0 ? 0.0 : beta * c[j];
    if (b_column == 1) {
      for (ptrdiff_t k = 0; k < depth; k++) {
        const double x = alpha * a[k * a_column];
        for (ptrdiff_t j = 0; j < columns; j++) c[j] += x * b[k * b_row + j];
      }
    } else {
      for (ptrdiff_t j = 0; j < columns; j++) {
        double sum = 0;
        for (ptrdiff_t k = 0; k < depth; k++) sum += a[k * a_column] * b[k * b_row + j * b_column];
        c[j] += alpha * sum;
      }
    }
  }
}
