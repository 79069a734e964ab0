// The tile of a matrix product if products take lanes. See gemm_body.h.

#include "lanes.h"

/// `rows` rows (a constant where this is inlined) of the result, `columns` (up to a panel) wide:
/// c = alpha a b + beta c.
VK_INLINE void VK(gemm_tile)(
    const int rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
    ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, float beta, float *c,
    ptrdiff_t c_row) {
  enum { vectors = RK_GEMM_VECTORS };
  vf sums[RK_GEMM_ROWS * vectors];
#pragma clang loop unroll(full)
  for (int i = 0; i < rows * vectors; i++) sums[i] = v_set(0.0f);
  if (a_column == 1)
    for (; depth >= 4; depth -= 4, a += 4, b += 4 * b_row)
      VK(v_lane_products)(sums, rows, vectors, vectors, 1, a, a_row, b, b_row);
  for (ptrdiff_t k = 0; k < depth; k++, a += a_column, b += b_row) {
    vf right[vectors];
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) right[v] = v_load(b + v * VK_WIDTH);
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++) {
      vf x = v_set(a[r * a_row]);
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) sums[r * vectors + v] += x * right[v];
    }
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
      ptrdiff_t left = columns - v * VK_WIDTH;
      if (left <= 0) continue;
      float *to = c + r * c_row + v * VK_WIDTH;
      vf sum = sums[r * vectors + v] * alpha;
      if (beta != 0.0f) sum += v_load_some(to, left) * beta;
      v_store_some(to, sum, left);
    }
}
