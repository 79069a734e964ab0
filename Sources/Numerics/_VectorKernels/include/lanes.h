// Products by lanes. NEON multiplies a vector with one lane of another: a load brings four values
// of the left side, and none has to be spread over a vector of its own. Included by the bodies that
// have such products, once a level, on purpose without a guard.

#if VK_HAS_LANES
/// Has the compiler compute `v` before it loads what the code below loads. It would begin more sums
/// at once than there are registers for otherwise, and put them on the stack.
#undef VK_FINISHED
#define VK_FINISHED(v) __asm__ volatile("" : "+w"(v) : : "memory")

/// sum[r * row_step + v * vector_step] += a[r * a_row + k] b[k * b_row + v * VK_WIDTH] for k from 0
/// to 3, in this order, for up to 8 `rows`. Rows, vectors and their steps are constants where this
/// is inlined.
VK_INLINE void VK(v_lane_products)(
    vf *sum, const int rows, const int row_step, const int vectors, const int vector_step,
    const float *a, ptrdiff_t a_row, const float *b, ptrdiff_t b_row) {
  vf left[8];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++) left[r] = v_load(a + r * a_row);
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
      const vf right = v_load(b + k * b_row + v * VK_WIDTH);
#pragma clang loop unroll(full)
      for (int r = 0; r < rows; r++)
        sum[r * row_step + v * vector_step] += v_set(left[r][k]) * right;
    }
}
#endif
