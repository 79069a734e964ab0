// Depthwise convolution on channel blocks, at one level. See blocked.c.

/// Everything but the pointers is a constant in the common cases. `rows_apart` adds up each row of
/// taps on its own first. The results are kept from `low` to `high`; NaN stays.
VK_INLINE void VK(rk_depthwise_pixels)(
    const float *input, ptrdiff_t tap_row, const ptrdiff_t tap_column, const ptrdiff_t step,
    const float *weights, vf bias, vf low, vf high, float *output, const int pixels,
    const ptrdiff_t kernel_height, const ptrdiff_t kernel_width, const int rows_apart) {
  vf sum[8], part[8];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) sum[p] = bias;
#pragma clang loop unroll_count(3)
  for (ptrdiff_t ty = 0; ty < kernel_height; ty++) {
    const float *row = input + ty * tap_row;
    if (rows_apart)
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) part[p] = (vf)0.0f;
#pragma clang loop unroll_count(5)
    for (ptrdiff_t tx = 0; tx < kernel_width; tx++) {
      vf w = v_load(weights + (ty * kernel_width + tx) * RK_BLOCK);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        if (rows_apart)
          part[p] = part[p] + v_load(row + tx * tap_column + p * step) * w;
        else
          sum[p] = sum[p] + v_load(row + tx * tap_column + p * step) * w;
    }
    if (rows_apart)
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) sum[p] = sum[p] + part[p];
  }
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++)
    v_store(output + p * RK_BLOCK, v_min(v_max(sum[p], low), high));
}

/// One row of outputs, kept from `least` to `most`, before any other activation.
VK_INLINE void VK(rk_depthwise_row)(
    const float *input, ptrdiff_t tap_row, const ptrdiff_t tap_column, const ptrdiff_t step,
    const float *weights, const float *bias, float least, float most, float *output, ptrdiff_t width,
    const ptrdiff_t kernel_height, const ptrdiff_t kernel_width, const int rows_apart) {
  const vf low = v_set(least), high = v_set(most);
  for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
    vf add = bias ? v_load(bias + l) : (vf)0.0f;
    // The last tile starts where it ends with the row, and computes some pixels again.
#define RK_TILES(pixels)                                                                      \
  for (ptrdiff_t x = 0; x < width; x += pixels) {                                             \
    const ptrdiff_t at = x + pixels <= width ? x : width - pixels;                            \
    VK(rk_depthwise_pixels)                                                                   \
    (input + at * step + l, tap_row, tap_column, step, weights + l, add, low, high,           \
     output + at * RK_BLOCK + l, pixels, kernel_height, kernel_width, rows_apart);            \
  }
    if (width >= 8) {
      RK_TILES(8)
    } else if (width >= 4) {
      RK_TILES(4)
    } else {
      RK_TILES(1)
    }
#undef RK_TILES
  }
}

VK_INLINE void VK(rk_activate_row)(float *row, ptrdiff_t count, vk_activation activation) {
  RK_FOR_KIND(activation.kind, {
    for (ptrdiff_t i = 0; i < count; i += VK_WIDTH)
      v_store(
          row + i, v_activate(
                       v_load(row + i), (vk_activation_kind)K, activation.alpha, activation.beta));
  })
}

/// What a row of outputs sees of an image without padding around it in memory.
typedef struct VK(rk_seen) {
  // The taps above and below the image are left out.
  ptrdiff_t first, end;
  // Columns of the image begin at this column of the first output's window, and end before that one.
  ptrdiff_t left, right;
} VK(rk_seen);

/// Like rk_depthwise_pixels, of pixels that may see beyond the image; `pixels`, `kernel` and `stride` are constants.
///
/// What lies beyond is a column of zeros. Only the first pixels' columns left of their middle ones can lie there, and
/// the last pixels' right of theirs, so that all others are read as ever.
VK_INLINE void VK(rk_depthwise_edge)(
    const float *input, ptrdiff_t tap_row, const VK(rk_seen) *seen, ptrdiff_t at, const float *weights, vf bias,
    vf low, vf high, float *output, const int pixels, const ptrdiff_t kernel, const ptrdiff_t stride) {
  _Alignas(64) static const float zeros[RK_BLOCK];
  const ptrdiff_t left = seen->left - at * stride, right = seen->right - at * stride;
  vf sum[8];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) sum[p] = bias;
  for (ptrdiff_t ty = seen->first; ty < seen->end; ty++) {
    const float *row = input + ty * tap_row;
#pragma clang loop unroll(full)
    for (ptrdiff_t tx = 0; tx < kernel; tx++) {
      const vf w = v_load(weights + (ty * kernel + tx) * RK_BLOCK);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) {
        const ptrdiff_t column = p * stride + tx;
        const float *from = row + column * RK_BLOCK;
        if (column < kernel / 2 && column < left) from = zeros;
        if (column > (pixels - 1) * stride + kernel / 2 && column >= right) from = zeros;
        sum[p] = sum[p] + v_load(from) * w;
      }
    }
  }
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++)
    v_store(output + p * RK_BLOCK, v_min(v_max(sum[p], low), high));
}

// Each is a function of its own: in one large function clang keeps a pointer for every pixel and tap, most of them
// in memory. With a known step an address is a pointer and a constant.
#define RK_DW_SHAPE(k, s)                                                                         \
  __attribute__((noinline)) static void VK(rk_depthwise_row_##k##_##s)(                           \
      const float *input, ptrdiff_t tap_row, const float *weights, const float *bias,             \
      float least, float most, float *output, ptrdiff_t width) {                                  \
    VK(rk_depthwise_row)                                                                          \
    (input, tap_row, RK_BLOCK, s * RK_BLOCK, weights, bias, least, most, output, width, k, k, 0); \
  }
RK_DW_SHAPE(3, 1)
RK_DW_SHAPE(3, 2)
RK_DW_SHAPE(5, 1)
RK_DW_SHAPE(5, 2)
RK_DW_SHAPE(7, 1)
#undef RK_DW_SHAPE

// Tiles of pixels at the edges of an image; one in between too, if taps lie above or below it.
#define RK_DW_EDGE(k, s, pixels)                                                                                   \
  __attribute__((noinline)) static void VK(rk_depthwise_edge_##k##_##s##_##pixels)(                                \
      const float *input, ptrdiff_t tap_row, const VK(rk_seen) *seen, ptrdiff_t at, const float *weights,          \
      const float *bias, float least, float most, float *output) {                                                 \
    for (int l = 0; l < RK_BLOCK; l += VK_WIDTH)                                                                   \
      VK(rk_depthwise_edge)                                                                                        \
    (input + at * s * RK_BLOCK + l, tap_row, seen, at, weights + l, bias ? v_load(bias + l) : (vf)0.0f,            \
     v_set(least), v_set(most), output + at * RK_BLOCK + l, pixels, k, s);                                         \
  }
// A row of outputs of an image without padding around it in memory.
#define RK_DW_EDGES(k, s)                                                                                          \
  RK_DW_EDGE(k, s, 8)                                                                                              \
  RK_DW_EDGE(k, s, 4)                                                                                              \
  RK_DW_EDGE(k, s, 1)                                                                                              \
  static void VK(rk_depthwise_bare_##k##_##s)(                                                                     \
      const float *input, ptrdiff_t tap_row, const VK(rk_seen) *seen, const float *weights, const float *bias,     \
      float least, float most, float *output, ptrdiff_t width) {                                                   \
    const ptrdiff_t pixels = width >= 8 ? 8 : width >= 4 ? 4 : 1, last = width - pixels;                           \
    const int is_inside = seen->first == 0 && seen->end == k && width > 2 * pixels && pixels > 1;                  \
    if (is_inside)                                                                                                 \
      VK(rk_depthwise_row_##k##_##s)                                                                               \
    (input + pixels * s * RK_BLOCK, tap_row, weights, bias, least, most, output + pixels * RK_BLOCK,               \
     width - 2 * pixels);                                                                                          \
    for (ptrdiff_t x = 0; x < width; x += is_inside && x < last ? last : pixels) {                                 \
      const ptrdiff_t at = x < last ? x : last;                                                                    \
      if (pixels == 8)                                                                                             \
        VK(rk_depthwise_edge_##k##_##s##_8)(input, tap_row, seen, at, weights, bias, least, most, output);         \
      else if (pixels == 4)                                                                                        \
        VK(rk_depthwise_edge_##k##_##s##_4)(input, tap_row, seen, at, weights, bias, least, most, output);         \
      else                                                                                                         \
        VK(rk_depthwise_edge_##k##_##s##_1)(input, tap_row, seen, at, weights, bias, least, most, output);         \
    }                                                                                                              \
  }
RK_DW_EDGES(3, 1)
RK_DW_EDGES(3, 2)
RK_DW_EDGES(5, 1)
RK_DW_EDGES(5, 2)
RK_DW_EDGES(7, 1)
#undef RK_DW_EDGES
#undef RK_DW_EDGE

/// Windows of any size.
#define RK_DW_WINDOW(name, step, rows_apart)                                                                  \
  __attribute__((noinline)) static void VK(rk_depthwise_row_##name)(                                          \
      const rk_blocked_conv *c, const float *input, const float *weights, const float *bias, float least,     \
      float most, float *output) {                                                                            \
    VK(rk_depthwise_row)                                                                                      \
    (input, c->dilation_y * c->input.row_stride, c->dilation_x * RK_BLOCK, step, weights, bias, least, most,  \
     output, c->out_width, c->kernel_height, c->kernel_width, rows_apart);                                    \
  }
RK_DW_WINDOW(beside, RK_BLOCK, 0)
RK_DW_WINDOW(every_other, 2 * RK_BLOCK, 0)
RK_DW_WINDOW(any, c->stride_x *RK_BLOCK, 0)
RK_DW_WINDOW(precise, c->stride_x *RK_BLOCK, 1)
#undef RK_DW_WINDOW

static void VK(rk_blocked_depthwise_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count) {
  const ptrdiff_t height = c->kernel_height, width = c->kernel_width;
  const ptrdiff_t row_stride = c->input.row_stride;
  weights += block * height * width * RK_BLOCK;
  if (bias) bias += block * RK_BLOCK;
  const int is_dense = c->dilation_y == 1 && c->dilation_x == 1;
  const int is_bare = c->edges.height > 0 && is_dense && rk_depthwise_is_bare(height, width, c->stride_x, 1);
  // The cheapest activations cost less than another turn over the row.
  const vk_activation activation = c->finish.activation;
  const rk_bounds bounds = rk_bounds_of(activation);
  for (ptrdiff_t y = first_row; y < first_row + row_count; y++) {
    const float *from = input + block * c->input.block_stride + y * c->stride_y * row_stride;
    float *to = output + block * c->output.block_stride + y * c->output.row_stride;
#define RK_DW_ROW(k, s) \
  VK(rk_depthwise_row_##k##_##s)(from, row_stride, weights, bias, bounds.low, bounds.high, to, c->out_width)
#define RK_DW_ROW_OF(name) VK(rk_depthwise_row_##name)(c, from, weights, bias, bounds.low, bounds.high, to)
#define RK_DW_BARE_ROW(k, s)                                                                                       \
  VK(rk_depthwise_bare_##k##_##s)                                                                                  \
  (from, row_stride, &seen, weights, bias, bounds.low, bounds.high, to, c->out_width)
    if (is_bare) {
      VK(rk_seen) seen = {.left = c->edges.pad_left, .right = c->edges.pad_left + c->edges.width};
      VK(rk_seen_taps)(
          y * c->stride_y - c->edges.pad_top, 1, c->stride_y, 1, height, c->edges.height, &seen.first, &seen.end);
      if (width == 3 && c->stride_x == 1)
        RK_DW_BARE_ROW(3, 1);
      else if (width == 3)
        RK_DW_BARE_ROW(3, 2);
      else if (width == 5 && c->stride_x == 1)
        RK_DW_BARE_ROW(5, 1);
      else if (width == 5)
        RK_DW_BARE_ROW(5, 2);
      else
        RK_DW_BARE_ROW(7, 1);
    } else if (c->is_precise)
      RK_DW_ROW_OF(precise);
    else if (is_dense && height == 3 && width == 3 && c->stride_x == 1)
      RK_DW_ROW(3, 1);
    else if (is_dense && height == 3 && width == 3 && c->stride_x == 2)
      RK_DW_ROW(3, 2);
    else if (is_dense && height == 5 && width == 5 && c->stride_x == 1)
      RK_DW_ROW(5, 1);
    else if (is_dense && height == 5 && width == 5 && c->stride_x == 2)
      RK_DW_ROW(5, 2);
    else if (is_dense && height == 7 && width == 7 && c->stride_x == 1)
      RK_DW_ROW(7, 1);
    else if (c->stride_x == 1)
      RK_DW_ROW_OF(beside);
    else if (c->stride_x == 2)
      RK_DW_ROW_OF(every_other);
    else
      RK_DW_ROW_OF(any);
#undef RK_DW_ROW
#undef RK_DW_ROW_OF
#undef RK_DW_BARE_ROW
    if (!bounds.suffice)
      VK(rk_activate_row)(to, c->out_width * RK_BLOCK, activation);
  }
}
