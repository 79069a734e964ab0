// Convolution and its companions on channel blocks, at one level. See blocked.c for the layout.

// Accumulators of a tile: RK_TILE(n) output pixels by n channel blocks. They fill the registers of the
// level, less those for weights and one broadcast input.
#undef RK_LANES
#undef RK_MOST_BLOCKS
#undef RK_TILE
#define RK_LANES (RK_BLOCK / RK_WIDTH)
#if RK_WIDTH == 16
#define RK_MOST_BLOCKS 4
#define RK_TILE(blocks) ((blocks) == 1 ? 14 : (blocks) == 2 ? 12 : (blocks) == 3 ? 8 : 6)
#elif RK_WIDTH == 8
#define RK_MOST_BLOCKS 1
#define RK_TILE(blocks) 6
#else
#define RK_MOST_BLOCKS 1
#define RK_TILE(blocks) 2
#endif

/// What a tile of products reads: for every block of `depth` input channels and every tap, `pixels`
/// input pixels `pixel_step` apart.
typedef struct RK(rk_operands) {
  const float *input, *weights;
  ptrdiff_t input_blocks, input_block_stride, pixel_step;
  ptrdiff_t taps_y, taps_x, tap_row, tap_column;
  ptrdiff_t last_depth;
  ptrdiff_t weight_block_stride;
} RK(rk_operands);

/// acc[block][pixel] = sum over input blocks, taps and channels; `pixels` and `blocks` are constants
/// wherever this is inlined.
RK_INLINE void RK(rk_tile_products)(
    const RK(rk_operands) *o, vf *acc, const int pixels, const int blocks) {
  vf sum[RK_MOST_BLOCKS * RK_LANES * RK_TILE(1)];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const float *weights = o->weights;
  const ptrdiff_t step = o->pixel_step, weight_stride = o->weight_block_stride;
  for (ptrdiff_t block = 0; block < o->input_blocks; block++) {
    const float *plane = o->input + block * o->input_block_stride;
    const ptrdiff_t depth = block == o->input_blocks - 1 ? o->last_depth : RK_BLOCK;
    for (ptrdiff_t ty = 0; ty < o->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < o->taps_x; tx++) {
        const float *pixel = plane + ty * o->tap_row + tx * o->tap_column;
        for (ptrdiff_t c = 0; c < depth; c++) {
          vf w[RK_MOST_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
            for (int l = 0; l < RK_LANES; l++)
              w[b * RK_LANES + l] = v_load(weights + b * weight_stride + c * RK_BLOCK + l * RK_WIDTH);
#pragma clang loop unroll(full)
          for (int p = 0; p < pixels; p++) {
            vf x = v_set(pixel[p * step + c]);
#pragma clang loop unroll(full)
            for (int b = 0; b < blocks * RK_LANES; b++)
              sum[b * pixels + p] = sum[b * pixels + p] + x * w[b];
          }
        }
        weights += RK_BLOCK * RK_BLOCK;
      }
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

/// The same for numbers of pixels and blocks known only now.
static void RK(rk_products)(const RK(rk_operands) *o, vf *acc, int pixels, int blocks) {
#define RK_CASE(p, b) \
  case p: RK(rk_tile_products)(o, acc, p, b); return;
  switch (blocks) {
    case 1:
      switch (pixels) {
        RK_CASE(1, 1) RK_CASE(2, 1)
#if RK_WIDTH > 4
        RK_CASE(3, 1) RK_CASE(4, 1) RK_CASE(5, 1) RK_CASE(6, 1)
#endif
#if RK_WIDTH == 16
        RK_CASE(7, 1) RK_CASE(8, 1) RK_CASE(9, 1) RK_CASE(10, 1) RK_CASE(11, 1) RK_CASE(12, 1)
        RK_CASE(13, 1) RK_CASE(14, 1)
#endif
      }
      return;
#if RK_WIDTH == 16
    case 2:
      switch (pixels) {
        RK_CASE(1, 2) RK_CASE(2, 2) RK_CASE(3, 2) RK_CASE(4, 2) RK_CASE(5, 2) RK_CASE(6, 2)
        RK_CASE(7, 2) RK_CASE(8, 2) RK_CASE(9, 2) RK_CASE(10, 2) RK_CASE(11, 2) RK_CASE(12, 2)
      }
      return;
    case 3:
      switch (pixels) {
        RK_CASE(1, 3) RK_CASE(2, 3) RK_CASE(3, 3) RK_CASE(4, 3) RK_CASE(5, 3) RK_CASE(6, 3)
        RK_CASE(7, 3) RK_CASE(8, 3)
      }
      return;
    case 4:
      switch (pixels) {
        RK_CASE(1, 4) RK_CASE(2, 4) RK_CASE(3, 4) RK_CASE(4, 4) RK_CASE(5, 4) RK_CASE(6, 4)
      }
      return;
#endif
  }
#undef RK_CASE
}

/// Bias, residual and activation of one pixel's part of a block, and the store.
RK_INLINE void RK(rk_finish)(
    vf v, float *to, const float *residual, const rk_finish *f, const rk_activation_kind kind) {
  if (f->residual_first && residual) v = v + v_load(residual);
  v = v_activate(v, kind, f->activation.alpha, f->activation.beta);
  if (!f->residual_first && residual) v = v + v_load(residual);
  v_store(to, v);
}

/// Switches on the activation once, so that the loop inside has it as a constant.
#undef RK_FOR_KIND
#define RK_FOR_KIND(kind, call)                                    \
  switch (kind) {                                                  \
    case RK_IDENTITY: { enum { K = RK_IDENTITY }; call; } break;   \
    case RK_RELU: { enum { K = RK_RELU }; call; } break;           \
    case RK_LEAKY_RELU: { enum { K = RK_LEAKY_RELU }; call; } break; \
    case RK_CLIP: { enum { K = RK_CLIP }; call; } break;           \
    case RK_SIGMOID: { enum { K = RK_SIGMOID }; call; } break;     \
    case RK_SILU: { enum { K = RK_SILU }; call; } break;           \
    case RK_TANH: { enum { K = RK_TANH }; call; } break;           \
    case RK_HARD_SIGMOID: { enum { K = RK_HARD_SIGMOID }; call; } break; \
    case RK_HARD_SWISH: { enum { K = RK_HARD_SWISH }; call; } break; \
    case RK_EXP: { enum { K = RK_EXP }; call; } break;             \
    case RK_ERF: { enum { K = RK_ERF }; call; } break;             \
    case RK_GELU: { enum { K = RK_GELU }; call; } break;           \
  }

RK_INLINE void RK(rk_write_tile)(
    const vf *acc, int pixels, int blocks, const float *bias, float *output, ptrdiff_t block_stride,
    const float *residual, ptrdiff_t residual_block_stride, const rk_finish *f,
    const rk_activation_kind kind) {
  for (int b = 0; b < blocks; b++)
    for (int l = 0; l < RK_LANES; l++) {
      vf add = bias ? v_load(bias + b * RK_BLOCK + l * RK_WIDTH) : (vf)0.0f;
      const vf *from = acc + (b * RK_LANES + l) * pixels;
      for (int p = 0; p < pixels; p++) {
        ptrdiff_t at = p * RK_BLOCK + l * RK_WIDTH;
        RK(rk_finish)(
            from[p] + add, output + b * block_stride + at,
            residual ? residual + b * residual_block_stride + at : 0, f, kind);
      }
    }
}

// MARK: - Sums that lose less, for the layers next to the image

#undef vd
#undef vh
#undef RK_HALF
#undef RK_DOUBLES
#undef RK_PRECISE_TILE
#define RK_HALF (RK_WIDTH / 2)
#define RK_DOUBLES (RK_BLOCK / RK_HALF)
#define vd RK(rk_vd)
#define vh RK(rk_vh)
typedef double vd __attribute__((ext_vector_type(RK_HALF)));
typedef float vh __attribute__((ext_vector_type(RK_HALF)));
typedef vh RK(rk_unaligned_vh) __attribute__((aligned(4), may_alias));
#undef RK_PRECISE_BLOCKS
#if RK_WIDTH == 16
#define RK_PRECISE_BLOCKS 2
#define RK_PRECISE_TILE 6
#elif RK_WIDTH == 8
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 3
#else
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 2
#endif

/// A block's half vectors, widened.
RK_INLINE vd RK(v_widened)(const float *p) {
  return __builtin_convertvector(*(const RK(rk_unaligned_vh) *)p, vd);
}

/// Like rk_tile_products for one input block, each tap's products added up on their own first.
RK_INLINE void RK(rk_tapwise_products)(
    const RK(rk_operands) *o, vf *acc, const int pixels, const int blocks) {
  vf sum[RK_PRECISE_BLOCKS * RK_LANES * RK_PRECISE_TILE];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const float *weights = o->weights;
  for (ptrdiff_t ty = 0; ty < o->taps_y; ty++)
    for (ptrdiff_t tx = 0; tx < o->taps_x; tx++) {
      const float *pixel = o->input + ty * o->tap_row + tx * o->tap_column;
      vf part[RK_PRECISE_BLOCKS * RK_LANES * RK_PRECISE_TILE];
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) part[i] = (vf)0.0f;
      for (ptrdiff_t c = 0; c < o->last_depth; c++) {
        vf w[RK_PRECISE_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
        for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
          for (int l = 0; l < RK_LANES; l++)
            w[b * RK_LANES + l] =
                v_load(weights + b * o->weight_block_stride + c * RK_BLOCK + l * RK_WIDTH);
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; p++) {
          vf x = v_set(pixel[p * o->pixel_step + c]);
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks * RK_LANES; b++)
            part[b * pixels + p] = part[b * pixels + p] + x * w[b];
        }
      }
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = sum[i] + part[i];
      weights += RK_BLOCK * RK_BLOCK;
    }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

static void RK(rk_precise_products)(const RK(rk_operands) *o, vf *acc, int pixels, int blocks) {
#if RK_PRECISE_BLOCKS > 1
  if (blocks == 2) {
    if (pixels == 1)
      RK(rk_tapwise_products)(o, acc, 1, 2);
    else
      RK(rk_tapwise_products)(o, acc, RK_PRECISE_TILE, 2);
    return;
  }
#endif
  if (pixels == 1)
    RK(rk_tapwise_products)(o, acc, 1, 1);
  else
    RK(rk_tapwise_products)(o, acc, RK_PRECISE_TILE, 1);
}

static void RK(rk_blocked_conv_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count) {
  const int is_precise = c->is_precise && c->input_blocks == 1;
  const int most_blocks = is_precise ? RK_PRECISE_BLOCKS : RK_MOST_BLOCKS;
  vf acc[RK_MOST_BLOCKS * RK_LANES * RK_TILE(1)];
  RK(rk_operands) o = {
      .input_blocks = c->input_blocks, .input_block_stride = c->input.block_stride,
      .pixel_step = c->stride_x * RK_BLOCK, .taps_y = c->kernel_height, .taps_x = c->kernel_width,
      .tap_row = c->dilation_y * c->input.row_stride, .tap_column = c->dilation_x * RK_BLOCK,
      .last_depth = c->last_input_depth,
      .weight_block_stride = c->input_blocks * c->kernel_height * c->kernel_width * RK_BLOCK * RK_BLOCK};
  const ptrdiff_t end_block = first_block + block_count;
  for (ptrdiff_t block = first_block; block < end_block;) {
    int blocks = end_block - block < most_blocks ? (int)(end_block - block) : most_blocks;
    int tile = RK_TILE(blocks);
    for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
      for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels) {
        if (is_precise)
          pixels = c->out_width - x < RK_PRECISE_TILE ? 1 : RK_PRECISE_TILE;
        else
          pixels = rk_even_part(c->out_width - x, tile);
        o.input = input + row * c->stride_y * c->input.row_stride + x * o.pixel_step;
        o.weights = weights + block * o.weight_block_stride;
        if (is_precise)
          RK(rk_precise_products)(&o, acc, (int)pixels, blocks);
        else
          RK(rk_products)(&o, acc, (int)pixels, blocks);
        float *to = output + block * c->output.block_stride + row * c->output.row_stride + x * RK_BLOCK;
        const float *from = residual
            ? residual + block * c->residual.block_stride + row * c->residual.row_stride + x * RK_BLOCK
            : 0;
        RK_FOR_KIND(
            c->finish.activation.kind,
            RK(rk_write_tile)(
                acc, (int)pixels, blocks, bias ? bias + block * RK_BLOCK : 0, to, c->output.block_stride,
                from, c->residual.block_stride, &c->finish, (rk_activation_kind)K))
      }
    block += blocks;
  }
}

// MARK: - Winograd F(4x4, 3x3): Lavin and Gray, "Fast algorithms for convolutional neural networks", 2016

/// B^T d for one column of six.
#define RK_WINOGRAD_INPUT(d0, d1, d2, d3, d4, d5, r)                         \
  do {                                                                       \
    vf even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1;                          \
    vf even2 = d4 - d2, odd2 = 2.0f * (d3 - d1);                             \
    r[0] = 4.0f * d0 - 5.0f * d2 + d4;                                       \
    r[1] = even + odd;                                                       \
    r[2] = even - odd;                                                       \
    r[3] = even2 + odd2;                                                     \
    r[4] = even2 - odd2;                                                     \
    r[5] = 4.0f * d1 - 5.0f * d3 + d5;                                       \
  } while (0)

/// One lane group of one block's 6x6 patch, to 36 places `stride` apart.
RK_INLINE void RK(rk_winograd_input)(
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
#define RK_WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, r)      \
  do {                                                     \
    vf s1 = m1 + m2, d1 = m1 - m2, s2 = m3 + m4, d2 = m3 - m4; \
    r[0] = m0 + s1 + s2;                                   \
    r[1] = d1 + 2.0f * d2;                                 \
    r[2] = s1 + 4.0f * s2;                                 \
    r[3] = d1 + 8.0f * d2 + m5;                            \
  } while (0)

/// One lane group of one tile's sums: to at most 4x4 output pixels.
RK_INLINE void RK(rk_winograd_output)(
    const float *from, ptrdiff_t stride, vf bias, float *output, ptrdiff_t row_stride,
    const float *residual, ptrdiff_t residual_row_stride, int rows, int columns,
    const rk_finish *f, const rk_activation_kind kind) {
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
    for (int x = 0; x < 4; x++) {
      if (y < rows && x < columns)
        RK(rk_finish)(
            r[x] + bias, output + y * row_stride + x * RK_BLOCK,
            residual ? residual + y * residual_row_stride + x * RK_BLOCK : 0, f, kind);
    }
  }
}

static void RK(rk_winograd_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_tile, ptrdiff_t tile_count, float *scratch) {
  const ptrdiff_t across = (c->out_width + 3) / 4;
  const ptrdiff_t in_blocks = c->input_blocks;
  // What the input holds, its padding included: a tile at the edge may reach past that.
  const ptrdiff_t in_rows = c->out_height + 2, in_columns = c->out_width + 2;
  const ptrdiff_t v_plane = in_blocks * tile_count * RK_BLOCK;
  float *sums = scratch + 36 * v_plane;
  const ptrdiff_t m_plane = RK_MOST_BLOCKS * tile_count * RK_BLOCK;
  float patch[36 * RK_BLOCK];

  for (ptrdiff_t t = 0; t < tile_count; t++) {
    const ptrdiff_t y = (first_tile + t) / across * 4, x = (first_tile + t) % across * 4;
    const int rows = in_rows - y < 6 ? (int)(in_rows - y) : 6;
    const int columns = in_columns - x < 6 ? (int)(in_columns - x) : 6;
    for (ptrdiff_t b = 0; b < in_blocks; b++) {
      const float *from = input + b * c->input.block_stride + y * c->input.row_stride + x * RK_BLOCK;
      ptrdiff_t row_stride = c->input.row_stride;
      if (rows < 6 || columns < 6) {
        __builtin_memset(patch, 0, sizeof patch);
        for (int r = 0; r < rows; r++)
          __builtin_memcpy(
              patch + r * 6 * RK_BLOCK, from + r * row_stride, columns * RK_BLOCK * sizeof(float));
        from = patch;
        row_stride = 6 * RK_BLOCK;
      }
      float *to = scratch + (b * tile_count + t) * RK_BLOCK;
      for (int l = 0; l < RK_LANES; l++)
        RK(rk_winograd_input)(from + l * RK_WIDTH, row_stride, to + l * RK_WIDTH, v_plane);
    }
  }

  vf acc[RK_MOST_BLOCKS * RK_LANES * RK_TILE(1)];
  RK(rk_operands) o = {
      .input_blocks = in_blocks, .input_block_stride = tile_count * RK_BLOCK, .pixel_step = RK_BLOCK,
      .taps_y = 1, .taps_x = 1, .last_depth = c->last_input_depth,
      .weight_block_stride = in_blocks * RK_BLOCK * RK_BLOCK};
  const ptrdiff_t weight_plane = c->output_blocks * o.weight_block_stride;
  const ptrdiff_t end_block = first_block + block_count;
  for (ptrdiff_t block = first_block; block < end_block;) {
    const int blocks =
        end_block - block < RK_MOST_BLOCKS ? (int)(end_block - block) : RK_MOST_BLOCKS;
    const int tile = RK_TILE(blocks);
    for (int e = 0; e < 36; e++) {
      o.weights = weights + e * weight_plane + block * o.weight_block_stride;
      for (ptrdiff_t t = 0, pixels; t < tile_count; t += pixels) {
        pixels = rk_even_part(tile_count - t, tile);
        o.input = scratch + e * v_plane + t * RK_BLOCK;
        RK(rk_products)(&o, acc, (int)pixels, blocks);
        for (int b = 0; b < blocks; b++)
          for (int p = 0; p < pixels; p++)
            for (int l = 0; l < RK_LANES; l++)
              v_store(
                  sums + e * m_plane + (b * tile_count + t + p) * RK_BLOCK + l * RK_WIDTH,
                  acc[(b * RK_LANES + l) * pixels + p]);
      }
    }
    for (ptrdiff_t t = 0; t < tile_count; t++) {
      const ptrdiff_t y = (first_tile + t) / across * 4, x = (first_tile + t) % across * 4;
      const int rows = c->out_height - y < 4 ? (int)(c->out_height - y) : 4;
      const int columns = c->out_width - x < 4 ? (int)(c->out_width - x) : 4;
      for (int b = 0; b < blocks; b++)
        for (int l = 0; l < RK_LANES; l++) {
          const ptrdiff_t lane = l * RK_WIDTH;
          vf add = bias ? v_load(bias + (block + b) * RK_BLOCK + lane) : (vf)0.0f;
          float *to = output + (block + b) * c->output.block_stride + y * c->output.row_stride +
              x * RK_BLOCK + lane;
          const float *more = residual ? residual + (block + b) * c->residual.block_stride +
                  y * c->residual.row_stride + x * RK_BLOCK + lane
                                       : 0;
          RK_FOR_KIND(
              c->finish.activation.kind,
              RK(rk_winograd_output)(
                  sums + (b * tile_count + t) * RK_BLOCK + lane, m_plane, add, to,
                  c->output.row_stride, more, c->residual.row_stride, rows, columns, &c->finish,
                  (rk_activation_kind)K))
        }
    }
    block += blocks;
  }
}

// MARK: - Depthwise

RK_INLINE void RK(rk_depthwise_pixels)(
    const rk_blocked_conv *c, const float *input, const float *weights, vf bias, float *output,
    const int pixels, const rk_activation_kind kind) {
  vf sum[8];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) sum[p] = bias;
  const ptrdiff_t step = c->stride_x * RK_BLOCK;
  for (ptrdiff_t ty = 0; ty < c->kernel_height; ty++)
    for (ptrdiff_t tx = 0; tx < c->kernel_width; tx++) {
      const float *from =
          input + ty * c->dilation_y * c->input.row_stride + tx * c->dilation_x * RK_BLOCK;
      vf w = v_load(weights + (ty * c->kernel_width + tx) * RK_BLOCK);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) sum[p] = sum[p] + v_load(from + p * step) * w;
    }
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) RK(rk_finish)(sum[p], output + p * RK_BLOCK, 0, &c->finish, kind);
}

/// One pixel of a block, its sum in double precision.
RK_INLINE void RK(rk_precise_depthwise_pixel)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    float *output, const rk_activation_kind kind) {
  vd sum[RK_DOUBLES];
  float rounded[RK_BLOCK];
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_DOUBLES; l++)
    sum[l] = bias ? RK(v_widened)(bias + l * RK_HALF) : (vd)0.0;
  for (ptrdiff_t ty = 0; ty < c->kernel_height; ty++)
    for (ptrdiff_t tx = 0; tx < c->kernel_width; tx++) {
      const float *from =
          input + ty * c->dilation_y * c->input.row_stride + tx * c->dilation_x * RK_BLOCK;
      const float *w = weights + (ty * c->kernel_width + tx) * RK_BLOCK;
#pragma clang loop unroll(full)
      for (int l = 0; l < RK_DOUBLES; l++)
        sum[l] = sum[l] + RK(v_widened)(from + l * RK_HALF) * RK(v_widened)(w + l * RK_HALF);
    }
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_DOUBLES; l++)
    *(RK(rk_unaligned_vh) *)(rounded + l * RK_HALF) = __builtin_convertvector(sum[l], vh);
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_LANES; l++)
    RK(rk_finish)(
        v_load(rounded + l * RK_WIDTH), output + l * RK_WIDTH, 0, &c->finish, kind);
}

RK_INLINE void RK(rk_depthwise_rows)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    float *output, ptrdiff_t first_row, ptrdiff_t row_count, const rk_activation_kind kind) {
  if (c->is_precise) {
    for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
      for (ptrdiff_t x = 0; x < c->out_width; x++)
        RK(rk_precise_depthwise_pixel)(
            c, input + row * c->stride_y * c->input.row_stride + x * c->stride_x * RK_BLOCK,
            weights, bias, output + row * c->output.row_stride + x * RK_BLOCK, kind);
    return;
  }
  for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
    for (int l = 0; l < RK_BLOCK; l += RK_WIDTH) {
      vf add = bias ? v_load(bias + l) : (vf)0.0f;
      const float *from = input + row * c->stride_y * c->input.row_stride + l;
      float *to = output + row * c->output.row_stride + l;
      ptrdiff_t x = 0;
      for (; x + 8 <= c->out_width; x += 8)
        RK(rk_depthwise_pixels)(
            c, from + x * c->stride_x * RK_BLOCK, weights + l, add, to + x * RK_BLOCK, 8, kind);
      for (; x < c->out_width; x++)
        RK(rk_depthwise_pixels)(
            c, from + x * c->stride_x * RK_BLOCK, weights + l, add, to + x * RK_BLOCK, 1, kind);
    }
}

static void RK(rk_blocked_depthwise_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count) {
  input += block * c->input.block_stride;
  output += block * c->output.block_stride;
  weights += block * c->kernel_height * c->kernel_width * RK_BLOCK;
  if (bias) bias += block * RK_BLOCK;
  RK_FOR_KIND(
      c->finish.activation.kind,
      RK(rk_depthwise_rows)(
          c, input, weights, bias, output, first_row, row_count, (rk_activation_kind)K))
}

// MARK: - Pooling

static void RK(rk_blocked_pool_f32)(
    const rk_window *w, const float *input, rk_blocked_layout in, float *output,
    rk_blocked_layout out, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count, int averages,
    int count_padding) {
  input += block * in.block_stride;
  output += block * out.block_stride;
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
      for (int l = 0; l < RK_BLOCK; l += RK_WIDTH) {
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
