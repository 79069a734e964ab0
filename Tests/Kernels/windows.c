// Windows over planes (depthwise.c, im2col.c, pooling.c), movement (movement.c, transpose.c) and narrow floats (narrow.c).

#include "drive.h"

static rk_window window_of(
    ptrdiff_t height, ptrdiff_t width, ptrdiff_t kernel_y, ptrdiff_t kernel_x, ptrdiff_t stride,
    ptrdiff_t dilation, ptrdiff_t pad) {
  return (rk_window){
      height,
      width,
      (height + 2 * pad - (kernel_y - 1) * dilation - 1) / stride + 1,
      (width + 2 * pad - (kernel_x - 1) * dilation - 1) / stride + 1,
      kernel_y,
      kernel_x,
      stride,
      stride,
      dilation,
      dilation,
      pad,
      pad,
      pad,
      pad};
}

static void slide(const rk_window *w, ptrdiff_t channels, ptrdiff_t multiplier, int kind, long number) {
  const ptrdiff_t in_plane = w->in_height * w->in_width, out_plane = w->out_height * w->out_width;
  const ptrdiff_t taps = w->kernel_height * w->kernel_width, outputs = channels * multiplier;
  float *input = some_floats(channels * in_plane, 1);
  const float *weights = some_floats(outputs * taps, 0.5f);
  const float *bias = number % 2 ? some_floats(outputs, 1) : NULL;
  float *output = floats(outputs * out_plane);
  rk_depthwise_f32(
      input, weights, bias, output, outputs, multiplier, w,
      (vk_activation){(vk_activation_kind)kind, -0.2f, 0.7f});
  record(NEAR, output, outputs * out_plane, 0, "rk_depthwise_f32 case %ld kind %d", number, kind);

  // The last rows of the output, their pixels a little farther apart than they need be.
  const ptrdiff_t first = w->out_height / 2, rows = w->out_height - first;
  const ptrdiff_t stride = rows * w->out_width + 3;
  const ptrdiff_t count = (channels * taps - 1) * stride + rows * w->out_width;
  float *columns = floats(count);
  rk_im2col_f32(input, columns, channels, w, first, rows, stride);
  record(EXACT, columns, count, 0, "rk_im2col_f32 case %ld", number);

  if (number % 3 == 0) input[draw_below(channels * in_plane)] = NAN;
  rk_max_pool_f32(input, output, channels, w);
  record(EXACT, output, channels * out_plane, 0, "rk_max_pool_f32 case %ld", number);
  for (int padding = 0; padding < 2; padding++) {
    rk_average_pool_f32(input, output, channels, w, padding);
    record(
        NEAR, output, channels * out_plane, 1, "rk_average_pool_f32 case %ld, %d", number, padding);
  }

  // Of a block with room between its rows.
  const rk_blocked_layout in = {0, (w->in_width + 1) * 16}, out = {0, (w->out_width + 2) * 16};
  const ptrdiff_t out_count = (w->out_height - 1) * out.row_stride + w->out_width * 16;
  const float *block = some_floats((w->in_height - 1) * in.row_stride + w->in_width * 16, 1);
  for (int mode = 0; mode < 3; mode++) {
    float *pooled = floats(out_count);
    rk_blocked_pool_f32(w, block, in, pooled, out, 0, 0, first, mode > 0, mode > 1);
    rk_blocked_pool_f32(w, block, in, pooled, out, 0, first, rows, mode > 0, mode > 1);
    record(
        mode ? NEAR : EXACT, pooled, out_count, mode ? 1 : 0, "rk_blocked_pool_f32 case %ld, mode %d",
        number, mode);
  }
  release();
}

void drive_windows(void) {
  static const ptrdiff_t cases[][8] = {
      // height, width, kernel, stride, dilation, padding, channels, multiplier
      {7, 7, 3, 3, 1, 1, 1, 3},    {13, 29, 3, 3, 1, 1, 1, 2},  {16, 33, 3, 3, 2, 1, 1, 2},
      {21, 40, 5, 5, 1, 1, 2, 2},  {20, 19, 5, 5, 2, 1, 2, 3},  {15, 15, 3, 3, 1, 2, 2, 2},
      {30, 30, 7, 7, 3, 1, 3, 1},  {9, 70, 2, 2, 2, 1, 0, 2},   {40, 41, 3, 3, 1, 1, 1, 1},
      {24, 24, 13, 13, 1, 1, 6, 1}, {12, 12, 1, 1, 1, 1, 0, 2},  {5, 90, 1, 5, 1, 1, 0, 1},
      {90, 5, 5, 1, 1, 1, 0, 1},   {1, 300, 1, 9, 1, 1, 4, 1},  {6, 6, 7, 7, 1, 1, 3, 1},
      {3, 900, 3, 3, 2, 3, 3, 1},
  };
  long number = 0;
  for EACH(s, cases) {
    const ptrdiff_t *c = cases[s];
    rk_window w = window_of(c[0], c[1], c[2], c[3], c[4], c[5], c[6]);
    slide(&w, 1 + s % 3, c[7], (int)(s % 6), number++);
    // With a last window that reaches past the padding.
    if (c[4] > 1 && s % 2 == 0) {
      w.out_height++;
      w.out_width++;
      slide(&w, 2, 1, 0, number++);
    }
  }
  for (ptrdiff_t width = 1; width <= 40; width++) {
    const ptrdiff_t stride = 1 + width % 2;
    const rk_window w = window_of(4 + width % 5, width, 3, 3, stride, 1, 1);
    slide(&w, 1 + width % 2, 1, (int)(width % 14), number++);
  }
}

// MARK: - Movement

void drive_movement(void) {
  for (ptrdiff_t height = 1; height < 5; height++)
    for (ptrdiff_t width = 1; width <= 37; width++) {
      const float *planes = some_floats(2 * height * width, 1);
      float *doubled = floats(8 * height * width);
      rk_upsample_nearest2_f32(planes, doubled, 2, height, width);
      record(
          EXACT, doubled, 8 * height * width, 0, "rk_upsample_nearest2_f32 %ldx%ld", (long)height,
          (long)width);
      release();
    }
  for (ptrdiff_t pixels = 1; pixels <= 20; pixels += 3)
    for (ptrdiff_t depth = 1; depth <= 16; depth++) {
      const ptrdiff_t step = depth + 5, count = (pixels - 1) * step + depth;
      const float *block = some_floats(pixels * 16, 1);
      float *rows = floats(count);
      rk_pixel_rows_f32(block, rows, pixels, depth, step);
      record(EXACT, rows, count, 0, "rk_pixel_rows_f32 %ld, %ld", (long)pixels, (long)depth);
      const float *factors = some_floats(16, 1);
      const ptrdiff_t in_row = (pixels + 1) * 16, out_row = (pixels + 2) * 16;
      float *block_rows = some_floats(2 * in_row + pixels * 16, 1);
      float *scaled = floats(2 * out_row + pixels * 16);
      rk_blocked_scale_f32(block_rows, in_row, factors, scaled, out_row, 3, pixels);
      record(
          EXACT, scaled, 2 * out_row + pixels * 16, 0, "rk_blocked_scale_f32 %ld, %ld", (long)pixels,
          (long)depth);
      rk_blocked_affine_f32(block_rows, in_row, factors, some_floats(16, 2), scaled, out_row, 3, pixels);
      record(
          NEAR, scaled, 2 * out_row + pixels * 16, 3, "rk_blocked_affine_f32 %ld, %ld", (long)pixels,
          (long)depth);
      rk_blocked_scale_f32(block_rows, in_row, factors, block_rows, in_row, 3, pixels);
      record(
          EXACT, block_rows, 2 * in_row + pixels * 16, 0, "rk_blocked_scale_f32 in place %ld, %ld",
          (long)pixels, (long)depth);
      release();
    }
  for (ptrdiff_t rows = 1; rows <= 35; rows += rows < 18 ? 1 : 7)
    for (ptrdiff_t columns = 1; columns <= 35; columns += columns < 18 ? 1 : 7) {
      const ptrdiff_t in = columns + 3, out = rows + 2, count = (columns - 1) * out + rows;
      const float *matrix = some_floats((rows - 1) * in + columns, 1);
      float *turned = floats(count);
      vk_transpose_f32(matrix, turned, rows, columns, in, out);
      record(EXACT, turned, count, 0, "vk_transpose_f32 %ldx%ld", (long)rows, (long)columns);
      release();
    }
}

// MARK: - Narrow floats

static void narrowed(const float *x, ptrdiff_t n, const char *which) {
  uint16_t *y = halves(n);
  rk_f32_to_f16(x, y, n);
  // Which NaN becomes which is not said of binary16.
  for (ptrdiff_t i = 0; i < n; i++)
    if ((y[i] & 0x7fff) > 0x7c00) y[i] = 0x7e00;
  record(HALVES, y, n, 0, "rk_f32_to_f16 %s, %ld", which, (long)n);
  rk_f32_to_bf16(x, y, n);
  record(HALVES, y, n, 0, "rk_f32_to_bf16 %s, %ld", which, (long)n);
  const ptrdiff_t pixels = n / 32;
  rk_f32_to_bf16_pairs(x, x + pixels * 16, y, pixels);
  record(HALVES, y, pixels * 32, 0, "rk_f32_to_bf16_pairs %s, %ld", which, (long)pixels);
  rk_f32_to_bf16_pairs(x, 0, y, pixels);
  record(HALVES, y, pixels * 32, 0, "rk_f32_to_bf16_pairs zeros, %s, %ld", which, (long)pixels);
}

void drive_narrow(void) {
  enum { all = 65536 };
  uint16_t *every = halves(all);
  float *wide = floats(all);
  for (int i = 0; i < all; i++) every[i] = (uint16_t)i;
  rk_f16_to_f32(every, wide, all);
  record(EXACT, wide, all, 0, "rk_f16_to_f32 every half");
  narrowed(wide, all, "every half");
  rk_bf16_to_f32(every, wide, all);
  record(INTS, wide, all, 0, "rk_bf16_to_f32 every bfloat16");
  narrowed(wide, all, "every bfloat16");
  for (ptrdiff_t i = 0; i < all; i++) {
    const uint32_t bits = (uint32_t)(draw() >> 20);
    memcpy(wide + i, &bits, 4);
  }
  narrowed(wide, all, "any bits");
  narrowed(special_floats, special_count, "specials");
  release();
  for (ptrdiff_t n = 0; n <= 67; n++) {
    const float *x = some_floats(n, 7e4f);
    narrowed(x, n, "a few");
    uint16_t *y = halves(n);
    float *z = floats(n);
    for (ptrdiff_t i = 0; i < n; i++) y[i] = (uint16_t)(draw() >> 20);
    rk_f16_to_f32(y, z, n);
    record(EXACT, z, n, 0, "rk_f16_to_f32 %ld", (long)n);
    rk_bf16_to_f32(y, z, n);
    record(INTS, z, n, 0, "rk_bf16_to_f32 %ld", (long)n);
    release();
  }
}
