// Pooling on channel blocks, and a factor and a shift a channel, at one level. See blocked.c.

// Floats of rows that a separable maximum keeps: 32 KiB, on the stack.
#undef RK_POOL_ROOM
#define RK_POOL_ROOM 8192

/// How many output rows at a time the greatest values of rows leave room for.
static ptrdiff_t VK(rk_max_pool_rows)(const rk_window *w) {
  const ptrdiff_t reach = w->kernel_height;
  if (w->dilation_y != 1 || w->kernel_height * w->kernel_width < 9) return 0;
  const ptrdiff_t fits = RK_POOL_ROOM / (w->out_width * RK_BLOCK) - reach;
  return fits < 0 ? 0 : fits / w->stride_y + 1;
}

/// The greatest value under the window, first along rows, then down columns: for a window of k x k
/// that is 2 k values to look at instead of k k.
static void VK(rk_separable_max_pool)(
    const rk_window *w, const float *input, ptrdiff_t in_row, float *output, ptrdiff_t out_row,
    ptrdiff_t first_row, ptrdiff_t row_count) {
  float lines[RK_POOL_ROOM];
  const ptrdiff_t width = w->out_width * RK_BLOCK;
  const ptrdiff_t top = first_row * w->stride_y - w->pad_top;
  const ptrdiff_t height = (row_count - 1) * w->stride_y + w->kernel_height;
  for (ptrdiff_t r = 0; r < height; r++) {
    if (top + r < 0 || top + r >= w->in_height) continue;
    const float *row = input + (top + r) * in_row;
    for (ptrdiff_t x = 0; x < w->out_width; x++) {
      const ptrdiff_t left = x * w->stride_x - w->pad_left;
      const ptrdiff_t kx0 = rk_first_inside(left, w->dilation_x, w->kernel_width);
      const ptrdiff_t kx1 = rk_first_outside(left, w->dilation_x, w->kernel_width, w->in_width);
      for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
        vf best = (vf)-__builtin_inff();
        for (ptrdiff_t kx = kx0; kx < kx1; kx++)
          best = v_nan_max(best, v_load(row + (left + kx * w->dilation_x) * RK_BLOCK + l));
        v_store(lines + r * width + x * RK_BLOCK + l, best);
      }
    }
  }
  for (ptrdiff_t y = 0; y < row_count; y++) {
    const ptrdiff_t ky0 = rk_first_inside(top + y * w->stride_y, 1, w->kernel_height);
    const ptrdiff_t ky1 =
        rk_first_outside(top + y * w->stride_y, 1, w->kernel_height, w->in_height);
    for (ptrdiff_t i = 0; i < width; i += VK_WIDTH) {
      vf best = (vf)-__builtin_inff();
      for (ptrdiff_t ky = ky0; ky < ky1; ky++)
        best = v_nan_max(best, v_load(lines + (y * w->stride_y + ky) * width + i));
      v_store(output + (first_row + y) * out_row + i, best);
    }
  }
}

static void VK(rk_blocked_pool_f32)(
    const rk_window *w, const float *input, rk_blocked_layout in, float *output,
    rk_blocked_layout out, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count, int averages,
    int count_padding) {
  input += block * in.block_stride;
  output += block * out.block_stride;
  const ptrdiff_t together = averages ? 0 : VK(rk_max_pool_rows)(w);
  if (together > 0) {
    for (ptrdiff_t row = 0; row < row_count; row += together)
      VK(rk_separable_max_pool)(
          w, input, in.row_stride, output, out.row_stride, first_row + row,
          row_count - row < together ? row_count - row : together);
    return;
  }
  for (ptrdiff_t row = first_row; row < first_row + row_count; row++) {
    const ptrdiff_t top = row * w->stride_y - w->pad_top;
    const ptrdiff_t ky0 = rk_first_inside(top, w->dilation_y, w->kernel_height);
    const ptrdiff_t ky1 = rk_first_outside(top, w->dilation_y, w->kernel_height, w->in_height);
    const ptrdiff_t ky2 =
        rk_first_outside(top, w->dilation_y, w->kernel_height, w->in_height + w->pad_bottom);
    for (ptrdiff_t x = 0; x < w->out_width; x++) {
      const ptrdiff_t left = x * w->stride_x - w->pad_left;
      const ptrdiff_t kx0 = rk_first_inside(left, w->dilation_x, w->kernel_width);
      const ptrdiff_t kx1 = rk_first_outside(left, w->dilation_x, w->kernel_width, w->in_width);
      const ptrdiff_t kx2 =
          rk_first_outside(left, w->dilation_x, w->kernel_width, w->in_width + w->pad_right);
      const float counted = count_padding ? (float)(ky2 * kx2) : (float)((ky1 - ky0) * (kx1 - kx0));
      for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
        vf best = (vf)(averages ? 0.0f : -__builtin_inff());
        for (ptrdiff_t ky = ky0; ky < ky1; ky++) {
          const float *from = input + (top + ky * w->dilation_y) * in.row_stride + left * RK_BLOCK + l;
          // Rows are added up on their own, so that large sums keep their precision.
          vf line = (vf)(averages ? 0.0f : -__builtin_inff());
          for (ptrdiff_t kx = kx0; kx < kx1; kx++) {
            vf v = v_load(from + kx * w->dilation_x * RK_BLOCK);
            line = averages ? line + v : v_nan_max(line, v);
          }
          best = averages ? best + line : v_nan_max(best, line);
        }
        if (averages) best = counted > 0 ? best / counted : (vf)0.0f;
        v_store(output + row * out.row_stride + x * RK_BLOCK + l, best);
      }
    }
  }
}

static void VK(rk_blocked_scale_f32)(
    const float *input, ptrdiff_t in_row, const float *factors, float *output, ptrdiff_t out_row,
    ptrdiff_t height, ptrdiff_t width) {
  for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
    const vf factor = v_load(factors + l);
    for (ptrdiff_t y = 0; y < height; y++)
      for (ptrdiff_t x = 0; x < width; x++)
        v_store(
            output + y * out_row + x * RK_BLOCK + l,
            v_load(input + y * in_row + x * RK_BLOCK + l) * factor);
  }
}

static void VK(rk_blocked_affine_f32)(
    const float *input, ptrdiff_t in_row, const float *factors, const float *shifts, float *output,
    ptrdiff_t out_row, ptrdiff_t height, ptrdiff_t width) {
  for (ptrdiff_t y = 0; y < height; y++)
    for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
      const vf factor = v_load(factors + l), shift = v_load(shifts + l);
      const float *from = input + y * in_row + l;
      float *to = output + y * out_row + l;
      for (ptrdiff_t x = 0; x < width; x++)
        v_store(to + x * RK_BLOCK, v_load(from + x * RK_BLOCK) * factor + shift);
    }
}
