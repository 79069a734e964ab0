// Winograd F(4x4, 3x3) on channel blocks, at one level: Lavin and Gray, "Fast algorithms for
// convolutional neural networks", 2016. See blocked.c.

// The method evaluates polynomials at 0, infinity and four points. With the points 1, -1, 2 and -2 of the paper, the
// largest error of a convolution of 128 channels is about ten times that of direct sums in float32. With 5/8, -5/8, 3/2
// and -3/2 it is less than twice that. No others of sixteenths were better by more than a hundredth on average. Their
// powers are exact in float32. The transforms take hardly longer: two more multiplications for a column of sums.
#define RK_WINOGRAD_P 0.625f
#define RK_WINOGRAD_Q 1.5f
#define RK_WINOGRAD_PP (RK_WINOGRAD_P * RK_WINOGRAD_P)
#define RK_WINOGRAD_QQ (RK_WINOGRAD_Q * RK_WINOGRAD_Q)

/// B^T d for one column of six.
#define RK_WINOGRAD_INPUT(d0, d1, d2, d3, d4, d5, r)                                     \
  do {                                                                                   \
    vf even = d4 - RK_WINOGRAD_QQ * d2, odd = d3 - RK_WINOGRAD_QQ * d1;                  \
    vf even2 = d4 - RK_WINOGRAD_PP * d2, odd2 = d3 - RK_WINOGRAD_PP * d1;                \
    r[0] = RK_WINOGRAD_PP * RK_WINOGRAD_QQ * d0 - (RK_WINOGRAD_PP + RK_WINOGRAD_QQ) * d2 + d4; \
    r[1] = even + RK_WINOGRAD_P * odd;                                                   \
    r[2] = even - RK_WINOGRAD_P * odd;                                                   \
    r[3] = even2 + RK_WINOGRAD_Q * odd2;                                                 \
    r[4] = even2 - RK_WINOGRAD_Q * odd2;                                                 \
    r[5] = RK_WINOGRAD_PP * RK_WINOGRAD_QQ * d1 - (RK_WINOGRAD_PP + RK_WINOGRAD_QQ) * d3 + d5; \
  } while (0)

/// One lane group of one block's 6x6 patch, to 36 places `stride` apart.
VK_INLINE void VK(rk_winograd_input)(
    const float *patch, ptrdiff_t row_stride, float *to, ptrdiff_t stride) {
  vf t[6][6];
#pragma clang loop unroll(full)
  for (int x = 0; x < 6; x++) {
    vf r[6];
    vf d0 = v_load(patch + x * RK_BLOCK), d1 = v_load(patch + row_stride + x * RK_BLOCK);
    vf d2 = v_load(patch + 2 * row_stride + x * RK_BLOCK);
    vf d3 = v_load(patch + 3 * row_stride + x * RK_BLOCK);
    vf d4 = v_load(patch + 4 * row_stride + x * RK_BLOCK);
    vf d5 = v_load(patch + 5 * row_stride + x * RK_BLOCK);
    RK_WINOGRAD_INPUT(d0, d1, d2, d3, d4, d5, r);
#pragma clang loop unroll(full)
    for (int y = 0; y < 6; y++) t[y][x] = r[y];
  }
#pragma clang loop unroll(full)
  for (int y = 0; y < 6; y++) {
    vf r[6];
    RK_WINOGRAD_INPUT(t[y][0], t[y][1], t[y][2], t[y][3], t[y][4], t[y][5], r);
#pragma clang loop unroll(full)
    for (int x = 0; x < 6; x++) v_store(to + (y * 6 + x) * stride, r[x]);
  }
}

/// A^T m for one column of six.
#define RK_WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, r)                        \
  do {                                                                       \
    vf s1 = m1 + m2, d1 = m1 - m2, s2 = m3 + m4, d2 = m3 - m4;               \
    r[0] = m0 + s1 + s2;                                                     \
    r[1] = RK_WINOGRAD_P * d1 + RK_WINOGRAD_Q * d2;                          \
    r[2] = RK_WINOGRAD_PP * s1 + RK_WINOGRAD_QQ * s2;                        \
    r[3] = m5 + RK_WINOGRAD_PP * RK_WINOGRAD_P * d1 + RK_WINOGRAD_QQ * RK_WINOGRAD_Q * d2; \
  } while (0)

/// One lane group of one tile's sums, to the 4x4 output pixels of `to`, side by side.
VK_INLINE void VK(rk_winograd_output)(const float *from, ptrdiff_t stride, vf bias, float *to) {
  vf t[4][6];
#pragma clang loop unroll(full)
  for (int x = 0; x < 6; x++) {
    vf r[4];
    vf m0 = v_load(from + x * stride), m1 = v_load(from + (6 + x) * stride);
    vf m2 = v_load(from + (12 + x) * stride), m3 = v_load(from + (18 + x) * stride);
    vf m4 = v_load(from + (24 + x) * stride), m5 = v_load(from + (30 + x) * stride);
    RK_WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, r);
#pragma clang loop unroll(full)
    for (int y = 0; y < 4; y++) t[y][x] = r[y];
  }
#pragma clang loop unroll(full)
  for (int y = 0; y < 4; y++) {
    vf r[4];
    RK_WINOGRAD_OUTPUT(t[y][0], t[y][1], t[y][2], t[y][3], t[y][4], t[y][5], r);
#pragma clang loop unroll(full)
    for (int x = 0; x < 4; x++) v_store(to + (y * 4 + x) * VK_WIDTH, r[x] + bias);
  }
}

/// The pixels of a tile to where they belong.
VK_INLINE void VK(rk_winograd_write)(
    const float *from, float *output, ptrdiff_t row_stride, const float *residual,
    ptrdiff_t residual_row_stride, int rows, int columns, const vk_finish *f,
    const vk_activation_kind kind) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      VK(vk_finish)(
          v_load(from + (y * 4 + x) * VK_WIDTH), output + y * row_stride + x * RK_BLOCK,
          residual ? residual + y * residual_row_stride + x * RK_BLOCK : 0, f, kind);
}

/// Patches of `tile_count` tiles from `first_tile` on, to the planes of `to` (rk_winograd_plane).
static void VK(rk_winograd_transform_f32)(
    const rk_blocked_conv *c, const float *input, float *to, ptrdiff_t plane, ptrdiff_t first_tile,
    ptrdiff_t tile_count, ptrdiff_t block_step, ptrdiff_t first_block, ptrdiff_t block_count) {
  const ptrdiff_t across = (c->out_width + 3) / 4;
  // What the input holds: the image, or with padding in memory all that outputs see. A tile at the edge may reach
  // past that.
  const int is_bare = c->edges.height > 0;
  const ptrdiff_t above = is_bare ? c->edges.pad_top : 0, left = is_bare ? c->edges.pad_left : 0;
  const ptrdiff_t in_rows = above + (is_bare ? c->edges.height : c->out_height + 2);
  const ptrdiff_t in_columns = left + (is_bare ? c->edges.width : c->out_width + 2);
  float patch[36 * RK_BLOCK];
  for (ptrdiff_t t = 0; t < tile_count; t++) {
    const ptrdiff_t y = (first_tile + t) / across * 4, x = (first_tile + t) % across * 4;
    const ptrdiff_t first_row = above > y ? above - y : 0, first_column = left > x ? left - x : 0;
    const ptrdiff_t end_row = in_rows - y < 6 ? in_rows - y : 6;
    const ptrdiff_t end_column = in_columns - x < 6 ? in_columns - x : 6;
    const int is_whole = first_row == 0 && first_column == 0 && end_row == 6 && end_column == 6;
    for (ptrdiff_t b = first_block; b < first_block + block_count; b++) {
      const float *from = input + b * c->input.block_stride + y * c->input.row_stride + x * RK_BLOCK;
      ptrdiff_t row_stride = c->input.row_stride;
      if (!is_whole) {
        __builtin_memset(patch, 0, sizeof patch);
        if (first_column < end_column)
          for (ptrdiff_t r = first_row; r < end_row; r++)
            __builtin_memcpy(
                patch + (r * 6 + first_column) * RK_BLOCK, from + r * row_stride + first_column * RK_BLOCK,
                (size_t)(end_column - first_column) * RK_BLOCK * sizeof(float));
        from = patch;
        row_stride = 6 * RK_BLOCK;
      }
      for (int l = 0; l < RK_LANES; l++)
        VK(rk_winograd_input)(
            from + l * VK_WIDTH, row_stride, to + (b * block_step + t) * RK_BLOCK + l * VK_WIDTH,
            plane);
    }
  }
}

/// Adds the products of one input block's channels from `first` to `depth`. With `fetches`, the weights `ahead` are
/// fetched meanwhile.
VK_INLINE void VK(rk_winograd_block)(
    vf *sum, const float *pixel, const float *weights, const float *ahead, const ptrdiff_t step,
    const ptrdiff_t first, const ptrdiff_t depth, const int fetches, const int pixels, const int blocks) {
#if VK_WIDTH == 8
#pragma clang loop unroll_count(4)
#endif
  for (ptrdiff_t c = first; c < depth; c++) {
    const float *row = weights + c * step;
    vf w[RK_WINOGRAD_BLOCKS * RK_LANES];
    if (fetches) __builtin_prefetch(ahead + c * step, 0, 2);
    if (fetches && blocks == 2) __builtin_prefetch(ahead + c * step + RK_BLOCK, 0, 2);
#pragma clang loop unroll(full)
    for (int i = 0; i < blocks * RK_LANES; i++) w[i] = v_load(row + i * VK_WIDTH);
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p++) {
      vf x = v_set(pixel[p * RK_BLOCK + c]);
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES; i++)
        sum[i * pixels + p] = sum[i * pixels + p] + x * w[i];
    }
  }
}

/// One element's products for `pixels` tiles and `blocks` output blocks (both constants here).
/// Weights of neighbouring input channels are `step` apart, those of neighbouring input blocks
/// `weight_stride`; those of two output blocks lie side by side. `ahead`, which lies like the
/// weights, is fetched into the second-level cache meanwhile, with `fetches`. If `adds` is not 0, they are added
/// to what is there.
VK_INLINE void VK(rk_winograd_tile)(
    const float *from, ptrdiff_t in_blocks, ptrdiff_t last_depth, ptrdiff_t block_stride,
    const float *weights, const float *ahead, ptrdiff_t weight_stride, const ptrdiff_t step,
    float *to, ptrdiff_t to_block_stride, const int adds, const int fetches, const int pixels,
    const int blocks) {
  vf sum[RK_WINOGRAD_BLOCKS * RK_LANES * RK_WINOGRAD_TILE];
  if (adds) {
    VK(rk_load_tile)(sum, to, to_block_stride, RK_BLOCK, pixels, blocks);
  } else {
#pragma clang loop unroll(full)
    for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  }
  for (ptrdiff_t block = 0; block < in_blocks; block++) {
    const float *pixel = from + block * block_stride;
    const ptrdiff_t depth = block == in_blocks - 1 ? last_depth : RK_BLOCK;
#if VK_WIDTH == 8
    VK(rk_fetch_pixels)(pixel + block_stride, RK_BLOCK, pixels);
#endif
    const ptrdiff_t fours = VK_HAS_LANES ? depth & ~3 : 0;
#if VK_HAS_LANES
    for (ptrdiff_t c = 0; c < fours; c += 4) {
#pragma clang loop unroll(full)
      for (int i = 0; i < 4; i++) __builtin_prefetch(ahead + (c + i) * step, 0, 2);
      VK(v_lane_products)(
          sum, pixels, 1, RK_LANES, pixels, pixel + c, RK_BLOCK, weights + c * step, step);
    }
#endif
#if VK_WIDTH == 8
    // As in blocked_conv_body.h.
    if (depth == RK_BLOCK)
      VK(rk_winograd_block)(sum, pixel, weights, ahead, step, 0, RK_BLOCK, fetches, pixels, blocks);
    else
#endif
      VK(rk_winograd_block)(sum, pixel, weights, ahead, step, fours, depth, fetches, pixels, blocks);
    weights += weight_stride;
    ahead += weight_stride;
  }
#pragma clang loop unroll(full)
  for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++)
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        v_store(
            to + b * to_block_stride + p * RK_BLOCK + l * VK_WIDTH,
            sum[(b * RK_LANES + l) * pixels + p]);
}

static void VK(rk_winograd_products)(
    const float *from, ptrdiff_t in_blocks, ptrdiff_t last_depth, ptrdiff_t block_stride,
    const float *weights, const float *ahead, ptrdiff_t weight_stride, ptrdiff_t step, float *to,
    ptrdiff_t to_block_stride, int adds, int pixels, int blocks) {
#if VK_WIDTH == 8
  if (step == 2 * RK_BLOCK && ahead == weights) {
    switch (pixels) {
#define RK_COMPUTE(p, b)                                                                    \
  VK(rk_winograd_tile)                                                                      \
  (from, in_blocks, last_depth, block_stride, weights, ahead, weight_stride, 2 * RK_BLOCK,  \
   to, to_block_stride, adds, 0, p, b)
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_WINOGRAD_TILE
#include "tile_cases.h"
#undef RK_COMPUTE
    }
    return;
  }
#endif
#define RK_COMPUTE(p, b)                                                                    \
  VK(rk_winograd_tile)                                                                      \
  (from, in_blocks, last_depth, block_stride, weights, ahead, weight_stride,                \
   b == 2 ? 2 * RK_BLOCK : step, to, to_block_stride, adds, 1, p, b)
#if RK_WINOGRAD_BLOCKS > 1
  if (blocks == 2) {
    switch (pixels) {
#define RK_CASE_BLOCKS 2
#define RK_CASE_PIXELS RK_WINOGRAD_TILE
#include "tile_cases.h"
    }
    return;
  }
#endif
  switch (pixels) {
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_WINOGRAD_TILE
#include "tile_cases.h"
  }
#undef RK_COMPUTE
}

/// The products of the 36 elements, for `blocks` output blocks from `half` of a pair on, to `sums`.
static void VK(rk_winograd_elements)(
    const float *patches, ptrdiff_t plane, ptrdiff_t block_step, ptrdiff_t in_blocks,
    ptrdiff_t last_depth, const float *weights, ptrdiff_t step, int blocks, ptrdiff_t tile_count,
    float *sums, int adds) {
  const ptrdiff_t sum_plane = rk_winograd_plane(RK_WINOGRAD_BLOCKS, tile_count);
  const ptrdiff_t element = rk_winograd_element(step);
  for (int e = 0; e < 36; e++) {
    const float *w = weights + e * element;
    for (ptrdiff_t t = 0, pixels; t < tile_count; t += pixels) {
      pixels = rk_even_part(tile_count - t, RK_WINOGRAD_TILE);
      VK(rk_winograd_products)(
          patches + e * plane + t * RK_BLOCK, in_blocks, last_depth, block_step * RK_BLOCK, w,
          t == 0 && e < 35 ? w + element : w, 36 * element, step,
          sums + e * sum_plane + t * RK_BLOCK, tile_count * RK_BLOCK, adds, (int)pixels, blocks);
    }
  }
}

/// The sums of `blocks` output blocks from `block` on, transformed back.
static void VK(rk_winograd_results)(
    const rk_blocked_conv *c, const float *sums, const float *bias, const float *residual,
    float *output, ptrdiff_t block, int blocks, ptrdiff_t first_tile, ptrdiff_t tile_count) {
  const ptrdiff_t across = (c->out_width + 3) / 4;
  const ptrdiff_t sum_plane = rk_winograd_plane(RK_WINOGRAD_BLOCKS, tile_count);
  for (ptrdiff_t t = 0; t < tile_count; t++) {
    const ptrdiff_t y = (first_tile + t) / across * 4, x = (first_tile + t) % across * 4;
    const int rows = c->out_height - y < 4 ? (int)(c->out_height - y) : 4;
    const int columns = c->out_width - x < 4 ? (int)(c->out_width - x) : 4;
    for (int b = 0; b < blocks; b++)
      for (int l = 0; l < RK_LANES; l++) {
        const ptrdiff_t lane = l * VK_WIDTH;
        vf add = bias ? v_load(bias + (block + b) * RK_BLOCK + lane) : (vf)0.0f;
        const ptrdiff_t at = x * RK_BLOCK + lane;
        float *to = output + (block + b) * c->output.block_stride + y * c->output.row_stride + at;
        const float *more = residual ? residual + (block + b) * c->residual.block_stride +
                y * c->residual.row_stride + at
                                     : 0;
        float pixels[16 * VK_WIDTH];
        VK(rk_winograd_output)(
            sums + (b * tile_count + t) * RK_BLOCK + lane, sum_plane, add, pixels);
        RK_FOR_KIND(
            c->finish.activation.kind,
            VK(rk_winograd_write)(
                pixels, to, c->output.row_stride, more, c->residual.row_stride, rows, columns,
                &c->finish, (vk_activation_kind)K))
      }
  }
}

static void VK(rk_winograd_f32)(
    const rk_blocked_conv *c, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
    const float *weights, const float *bias, const float *residual, float *output,
    ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
    float *scratch) {
  for (ptrdiff_t pair = first_pair; pair < first_pair + pair_count; pair++) {
    const ptrdiff_t paired = c->output_blocks - 2 * pair < 2 ? 1 : 2;
    const float *pair_weights =
        weights + (pair - first_pair) * rk_winograd_weights_stride(c->input_blocks);
    for (ptrdiff_t half = 0; half < paired; half += RK_WINOGRAD_BLOCKS) {
      const int blocks = paired < RK_WINOGRAD_BLOCKS ? 1 : RK_WINOGRAD_BLOCKS;
      VK(rk_winograd_elements)(
          patches, plane, block_step, c->input_blocks, c->last_input_depth,
          pair_weights + half * RK_BLOCK, paired * RK_BLOCK, blocks, tile_count, scratch, 0);
      VK(rk_winograd_results)(
          c, scratch, bias, residual, output, 2 * pair + half, blocks, first_tile, tile_count);
    }
  }
}

/// G w for one column of three.
#define RK_WINOGRAD_WEIGHTS(a, b, c, r)                                                            \
  do {                                                                                             \
    const float near = 0.5f / (RK_WINOGRAD_PP * (RK_WINOGRAD_PP - RK_WINOGRAD_QQ));                \
    const float far = 0.5f / (RK_WINOGRAD_QQ * (RK_WINOGRAD_QQ - RK_WINOGRAD_PP));                 \
    vf even = a * near + c * (RK_WINOGRAD_PP * near), odd = b * (RK_WINOGRAD_P * near);            \
    vf even2 = a * far + c * (RK_WINOGRAD_QQ * far), odd2 = b * (RK_WINOGRAD_Q * far);             \
    r[0] = a * (1.0f / (RK_WINOGRAD_PP * RK_WINOGRAD_QQ));                                         \
    r[1] = even + odd;                                                                             \
    r[2] = even - odd;                                                                             \
    r[3] = even2 + odd2;                                                                           \
    r[4] = even2 - odd2;                                                                           \
    r[5] = c;                                                                                      \
  } while (0)

/// G w G^T, of the input blocks first_block ..< first_block + block_count of one output block, to
/// rows `step` apart.
VK_INLINE void VK(rk_winograd_block_weights)(
    const float *weights, float *to, ptrdiff_t step, ptrdiff_t first_block, ptrdiff_t block_count) {
  const ptrdiff_t element = rk_winograd_element(step);
  for (ptrdiff_t i = 0; i < block_count * RK_BLOCK; i++) {
    const float *from =
        weights + ((first_block + i / RK_BLOCK) * 9 * RK_BLOCK + i % RK_BLOCK) * RK_BLOCK;
    float *row = to + i / RK_BLOCK * 36 * element + i % RK_BLOCK * step;
    // The next block's, as the processor does not see that nine lines at a time are read on and on.
#pragma clang loop unroll(full)
    for (int tap = 0; tap < 9; tap++)
      __builtin_prefetch(from + (9 + tap) * RK_BLOCK * RK_BLOCK, 0, 3);
    for (int l = 0; l < RK_LANES; l++) {
      vf t[6][3];
#pragma clang loop unroll(full)
      for (int x = 0; x < 3; x++) {
        const float *tap = from + x * RK_BLOCK * RK_BLOCK + l * VK_WIDTH;
        vf a = v_load(tap), b = v_load(tap + 3 * RK_BLOCK * RK_BLOCK);
        vf c = v_load(tap + 6 * RK_BLOCK * RK_BLOCK), r[6];
        RK_WINOGRAD_WEIGHTS(a, b, c, r);
#pragma clang loop unroll(full)
        for (int y = 0; y < 6; y++) t[y][x] = r[y];
      }
#pragma clang loop unroll(full)
      for (int y = 0; y < 6; y++) {
        vf r[6];
        RK_WINOGRAD_WEIGHTS(t[y][0], t[y][1], t[y][2], r);
#pragma clang loop unroll(full)
        for (int x = 0; x < 6; x++) v_store(row + (y * 6 + x) * element + l * VK_WIDTH, r[x]);
      }
    }
  }
}

static void VK(rk_winograd_weights_f32)(
    const float *weights, float *to, ptrdiff_t output_blocks, ptrdiff_t input_blocks,
    ptrdiff_t first_pair, ptrdiff_t pair_count) {
  const ptrdiff_t end = 2 * (first_pair + pair_count);
  for (ptrdiff_t o = 2 * first_pair; o < end && o < output_blocks; o++) {
    const ptrdiff_t step = (output_blocks - o / 2 * 2 < 2 ? 1 : 2) * RK_BLOCK;
    float *pair = to + (o / 2 - first_pair) * rk_winograd_weights_stride(input_blocks);
    VK(rk_winograd_block_weights)(
        weights + o * input_blocks * 9 * RK_BLOCK * RK_BLOCK, pair + o % 2 * RK_BLOCK, step, 0,
        input_blocks);
  }
}

static void VK(rk_winograd_fresh_f32)(
    const rk_blocked_conv *c, const float *patches, ptrdiff_t plane, ptrdiff_t block_step,
    const float *weights, const float *bias, const float *residual, float *output,
    ptrdiff_t first_pair, ptrdiff_t pair_count, ptrdiff_t first_tile, ptrdiff_t tile_count,
    float *scratch) {
  float *transformed = scratch + rk_winograd_pair_sums(tile_count);
  const ptrdiff_t in_blocks = c->input_blocks;
  const ptrdiff_t each = in_blocks * 9 * RK_BLOCK * RK_BLOCK;
  for (ptrdiff_t pair = first_pair; pair < first_pair + pair_count; pair++) {
    const ptrdiff_t paired = c->output_blocks - 2 * pair < 2 ? 1 : 2;
    const int blocks = paired < RK_WINOGRAD_BLOCKS ? 1 : RK_WINOGRAD_BLOCKS;
    // The sums of the halves that are computed apart lie side by side.
    const ptrdiff_t half_sums = 36 * rk_winograd_plane(RK_WINOGRAD_BLOCKS, tile_count);
    for (ptrdiff_t first = 0; first < in_blocks; first += RK_WINOGRAD_FRESH) {
      const ptrdiff_t count =
          in_blocks - first < RK_WINOGRAD_FRESH ? in_blocks - first : RK_WINOGRAD_FRESH;
      for (ptrdiff_t half = 0; half < paired; half++)
        VK(rk_winograd_block_weights)(
            weights + (2 * pair + half) * each, transformed + half * RK_BLOCK, paired * RK_BLOCK,
            first, count);
      for (ptrdiff_t half = 0; half < paired; half += RK_WINOGRAD_BLOCKS)
        VK(rk_winograd_elements)(
            patches + first * block_step * RK_BLOCK, plane, block_step, count,
            first + count == in_blocks ? c->last_input_depth : RK_BLOCK,
            transformed + half * RK_BLOCK, paired * RK_BLOCK, blocks, tile_count,
            scratch + half * half_sums, first > 0);
    }
    for (ptrdiff_t half = 0; half < paired; half += RK_WINOGRAD_BLOCKS)
      VK(rk_winograd_results)(
          c, scratch + half * half_sums, bias, residual, output, 2 * pair + half, blocks, first_tile,
          tile_count);
  }
}
