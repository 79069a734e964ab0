// Convolution and its companions on channel blocks, at one level. See blocked.c for the layout.

// Accumulators of a tile: RK_TILE(n) output pixels by n channel blocks. They fill the registers of the
// level, less those for weights and one broadcast input.
#undef RK_LANES
#undef RK_MOST_BLOCKS
#undef RK_TILE
#define RK_LANES (RK_BLOCK / VK_WIDTH)
#if VK_WIDTH == 16
#define RK_MOST_BLOCKS 4
#define RK_TILE(blocks) ((blocks) == 1 ? 14 : (blocks) == 2 ? 12 : (blocks) == 3 ? 8 : 6)
#elif VK_WIDTH == 8
#define RK_MOST_BLOCKS 1
#define RK_TILE(blocks) 6
#else
#define RK_MOST_BLOCKS 1
#define RK_TILE(blocks) 2
#endif

/// What a tile of products reads: for every block of `depth` input channels and every tap, `pixels`
/// input pixels `pixel_step` apart.
typedef struct VK(rk_operands) {
  const float *input, *weights;
  ptrdiff_t input_blocks, input_block_stride, pixel_step;
  ptrdiff_t taps_y, taps_x, tap_row, tap_column;
  // Those that see more than padding.
  ptrdiff_t first_y, end_y, first_x, end_x;
  ptrdiff_t last_depth;
  ptrdiff_t weight_block_stride;
  // As many weights of one block as the tile has, to be fetched into the second-level cache meanwhile.
  const float *ahead;
} VK(rk_operands);

/// acc[block][pixel] = sum over input blocks, taps and channels; `pixels` and `blocks` are constants
/// wherever this is inlined.
VK_INLINE void VK(rk_tile_products)(
    const VK(rk_operands) *o, vf *acc, const int pixels, const int blocks) {
  vf sum[RK_MOST_BLOCKS * RK_LANES * RK_TILE(1)];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const ptrdiff_t step = o->pixel_step, weight_stride = o->weight_block_stride;
  for (ptrdiff_t block = 0; block < o->input_blocks; block++) {
    const float *plane = o->input + block * o->input_block_stride;
    const ptrdiff_t depth = block == o->input_blocks - 1 ? o->last_depth : RK_BLOCK;
    for (ptrdiff_t ty = o->first_y; ty < o->end_y; ty++) {
      const ptrdiff_t tap = (block * o->taps_y + ty) * o->taps_x + o->first_x;
      const float *weights = o->weights + tap * (RK_BLOCK * RK_BLOCK);
      const float *ahead = o->ahead + tap * (RK_BLOCK * RK_BLOCK);
      for (ptrdiff_t tx = o->first_x; tx < o->end_x; tx++) {
        const float *pixel = plane + ty * o->tap_row + tx * o->tap_column;
        for (ptrdiff_t c = 0; c < depth; c++) {
          vf w[RK_MOST_BLOCKS * RK_LANES];
          // One pixel uses each weight once, and waits for nothing else.
          if (pixels == 1)
#pragma clang loop unroll(full)
            for (int b = 0; b < blocks; b++)
              __builtin_prefetch(weights + b * weight_stride + c * RK_BLOCK + 512, 0, 3);
          else
            __builtin_prefetch(ahead + c * RK_BLOCK, 0, 2);
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
            for (int l = 0; l < RK_LANES; l++)
              w[b * RK_LANES + l] = v_load(weights + b * weight_stride + c * RK_BLOCK + l * VK_WIDTH);
#pragma clang loop unroll(full)
          for (int p = 0; p < pixels; p++) {
            vf x = v_set(pixel[p * step + c]);
#pragma clang loop unroll(full)
            for (int b = 0; b < blocks * RK_LANES; b++)
              sum[b * pixels + p] = sum[b * pixels + p] + x * w[b];
          }
        }
        weights += RK_BLOCK * RK_BLOCK;
        ahead += RK_BLOCK * RK_BLOCK;
      }
    }
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

/// The same for numbers of pixels and blocks known only now.
static void VK(rk_products)(const VK(rk_operands) *o, vf *acc, int pixels, int blocks) {
#define RK_CASE(p, b) \
  case p: VK(rk_tile_products)(o, acc, p, b); return;
  switch (blocks) {
    case 1:
      switch (pixels) {
        RK_CASE(1, 1) RK_CASE(2, 1)
#if VK_WIDTH > 4
        RK_CASE(3, 1) RK_CASE(4, 1) RK_CASE(5, 1) RK_CASE(6, 1)
#endif
#if VK_WIDTH == 16
        RK_CASE(7, 1) RK_CASE(8, 1) RK_CASE(9, 1) RK_CASE(10, 1) RK_CASE(11, 1) RK_CASE(12, 1)
        RK_CASE(13, 1) RK_CASE(14, 1)
#endif
      }
      return;
#if VK_WIDTH == 16
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
VK_INLINE void VK(vk_finish)(
    vf v, float *to, const float *residual, const vk_finish *f, const vk_activation_kind kind) {
  if (f->residual_first && residual) v = v + v_load(residual);
  v = v_activate(v, kind, f->activation.alpha, f->activation.beta);
  if (!f->residual_first && residual) v = v + v_load(residual);
  v_store(to, v);
}

/// Switches on the activation once, so that the loop inside has it as a constant.
#undef RK_FOR_KIND
#define RK_FOR_KIND(kind, call)                                    \
  switch (kind) {                                                  \
    case VK_IDENTITY: { enum { K = VK_IDENTITY }; call; } break;   \
    case VK_RELU: { enum { K = VK_RELU }; call; } break;           \
    case VK_LEAKY_RELU: { enum { K = VK_LEAKY_RELU }; call; } break; \
    case VK_CLIP: { enum { K = VK_CLIP }; call; } break;           \
    case VK_SIGMOID: { enum { K = VK_SIGMOID }; call; } break;     \
    case VK_SILU: { enum { K = VK_SILU }; call; } break;           \
    case VK_TANH: { enum { K = VK_TANH }; call; } break;           \
    case VK_HARD_SIGMOID: { enum { K = VK_HARD_SIGMOID }; call; } break; \
    case VK_HARD_SWISH: { enum { K = VK_HARD_SWISH }; call; } break; \
    case VK_EXP: { enum { K = VK_EXP }; call; } break;             \
    case VK_ERF: { enum { K = VK_ERF }; call; } break;             \
    case VK_GELU: { enum { K = VK_GELU }; call; } break;           \
    case VK_SCALED_HARD_SWISH: { enum { K = VK_SCALED_HARD_SWISH }; call; } break; \
    case VK_ELU: { enum { K = VK_ELU }; call; } break;             \
  }

VK_INLINE void VK(rk_write_tile)(
    const vf *acc, int pixels, int blocks, const float *bias, float *output, ptrdiff_t block_stride,
    ptrdiff_t step, const float *residual, ptrdiff_t residual_block_stride, const vk_finish *f,
    const vk_activation_kind kind) {
  for (int b = 0; b < blocks; b++)
    for (int l = 0; l < RK_LANES; l++) {
      vf add = bias ? v_load(bias + b * RK_BLOCK + l * VK_WIDTH) : (vf)0.0f;
      const vf *from = acc + (b * RK_LANES + l) * pixels;
      for (int p = 0; p < pixels; p++) {
        VK(vk_finish)(
            from[p] + add, output + b * block_stride + p * step + l * VK_WIDTH,
            residual ? residual + b * residual_block_stride + p * RK_BLOCK + l * VK_WIDTH : 0, f,
            kind);
      }
    }
}

// MARK: - Sums that lose less, for the layers next to the image

#undef RK_PRECISE_TILE
#undef RK_PRECISE_BLOCKS
#if VK_WIDTH == 16
#define RK_PRECISE_BLOCKS 2
#define RK_PRECISE_TILE 6
#elif VK_WIDTH == 8
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 3
#else
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 2
#endif

/// Like rk_tile_products for one input block, each tap's products added up on their own first.
VK_INLINE void VK(rk_tapwise_products)(
    const VK(rk_operands) *o, vf *acc, const int pixels, const int blocks) {
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
                v_load(weights + b * o->weight_block_stride + c * RK_BLOCK + l * VK_WIDTH);
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

static void VK(rk_precise_products)(const VK(rk_operands) *o, vf *acc, int pixels, int blocks) {
#if RK_PRECISE_BLOCKS > 1
  if (blocks == 2) {
    if (pixels == 1)
      VK(rk_tapwise_products)(o, acc, 1, 2);
    else
      VK(rk_tapwise_products)(o, acc, RK_PRECISE_TILE, 2);
    return;
  }
#endif
  if (pixels == 1)
    VK(rk_tapwise_products)(o, acc, 1, 1);
  else
    VK(rk_tapwise_products)(o, acc, RK_PRECISE_TILE, 1);
}

/// The taps along an axis that see some of an image of `size`: those of the window that begins at
/// `start`, and of the `count` - 1 after it, `stride` apart.
VK_INLINE void VK(rk_seen_taps)(
    ptrdiff_t start, ptrdiff_t count, ptrdiff_t stride, ptrdiff_t dilation, ptrdiff_t taps,
    ptrdiff_t size, ptrdiff_t *first, ptrdiff_t *end) {
  ptrdiff_t last = start + (count - 1) * stride;
  ptrdiff_t unseen = last >= 0 ? 0 : (-last + dilation - 1) / dilation;
  *first = unseen < taps ? unseen : taps;
  ptrdiff_t seen = size <= start ? 0 : (size - start + dilation - 1) / dilation;
  *end = seen < taps ? seen : taps;
}

static void VK(rk_blocked_conv_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count) {
  const int is_precise = c->is_precise && c->input_blocks == 1;
  const int most_blocks = is_precise ? RK_PRECISE_BLOCKS : RK_MOST_BLOCKS;
  vf acc[RK_MOST_BLOCKS * RK_LANES * RK_TILE(1)];
  VK(rk_operands) o = {
      .input_blocks = c->input_blocks, .input_block_stride = c->input.block_stride,
      .pixel_step = c->stride_x * RK_BLOCK, .taps_y = c->kernel_height, .taps_x = c->kernel_width,
      .tap_row = c->dilation_y * c->input.row_stride, .tap_column = c->dilation_x * RK_BLOCK,
      .end_y = c->kernel_height, .end_x = c->kernel_width,
      .last_depth = c->last_input_depth,
      .weight_block_stride = c->input_blocks * c->kernel_height * c->kernel_width * RK_BLOCK * RK_BLOCK};
  const ptrdiff_t end_block = first_block + block_count;
  for (ptrdiff_t block = first_block; block < end_block;) {
    int blocks = end_block - block < most_blocks ? (int)(end_block - block) : most_blocks;
    int tile = RK_TILE(blocks);
    ptrdiff_t ahead = block + blocks;
    for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
      for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels, ahead++) {
        if (is_precise)
          pixels = c->out_width - x < RK_PRECISE_TILE ? 1 : RK_PRECISE_TILE;
        else
          pixels = rk_even_part(c->out_width - x, tile);
        o.input = input + row * c->stride_y * c->input.row_stride + x * o.pixel_step;
        o.weights = weights + block * o.weight_block_stride;
        if (c->edges.height > 0) {
          VK(rk_seen_taps)(
              row * c->stride_y - c->edges.pad_top, 1, c->stride_y, c->dilation_y, c->kernel_height,
              c->edges.height, &o.first_y, &o.end_y);
          VK(rk_seen_taps)(
              x * c->stride_x - c->edges.pad_left, pixels, c->stride_x, c->dilation_x,
              c->kernel_width, c->edges.width, &o.first_x, &o.end_x);
        }
        // The first tiles fetch a block each of those that are next.
        o.ahead = ahead < end_block && ahead < block + blocks + most_blocks
            ? weights + ahead * o.weight_block_stride
            : o.weights;
        if (is_precise)
          VK(rk_precise_products)(&o, acc, (int)pixels, blocks);
        else
          VK(rk_products)(&o, acc, (int)pixels, blocks);
        float *to = output + block * c->output.block_stride + row * c->output.row_stride +
            x * c->output_step;
        const float *from = residual
            ? residual + block * c->residual.block_stride + row * c->residual.row_stride + x * RK_BLOCK
            : 0;
        RK_FOR_KIND(
            c->finish.activation.kind,
            VK(rk_write_tile)(
                acc, (int)pixels, blocks, bias ? bias + block * RK_BLOCK : 0, to, c->output.block_stride,
                c->output_step, from, c->residual.block_stride, &c->finish, (vk_activation_kind)K))
      }
    block += blocks;
  }
}

// MARK: - From planes

// Pixels by vectors of sums, each with a partial sum beside it.
#undef RK_PLANAR_BLOCKS
#undef RK_PLANAR_TILE
#undef RK_PLANAR_SHARED_TAPS
#define RK_PLANAR_SHARED_TAPS 6
#if VK_WIDTH == 16
#define RK_PLANAR_BLOCKS 2
#define RK_PLANAR_TILE(blocks) ((blocks) == 2 ? 6 : 12)
#elif VK_WIDTH == 8
#define RK_PLANAR_BLOCKS 1
#define RK_PLANAR_TILE(blocks) 3
#else
#define RK_PLANAR_BLOCKS 1
#define RK_PLANAR_TILE(blocks) 1
#endif

/// What a tile of a convolution from planes reads.
typedef struct VK(rk_planar_operands) {
  const float *input, *weights;
  ptrdiff_t channels, plane, taps_y, taps_x, tap_row, tap_column, pixel_step;
} VK(rk_planar_operands);

/// Weights of neighbouring taps are `step` apart; `taps_x` and `pixel_step`, which the operands have
/// too, are constants in the common cases. Each row of taps is added up on its own first: these
/// are the sums of the layer next to the image, of large numbers that cancel.
///
/// `is_shared` says that they are constants, taps lie side by side, and there is one vector of sums a
/// pixel: then every value of the image is loaded once for all taps that want it. With but one
/// vector, each product would otherwise need a load of its own.
VK_INLINE void VK(rk_planar_tile)(
    const VK(rk_planar_operands) *o, const ptrdiff_t step, const ptrdiff_t taps_x,
    const ptrdiff_t pixel_step, vf *acc, const int pixels, const int blocks, const int is_shared) {
  vf sum[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  const float *weights = o->weights;
  for (ptrdiff_t c = 0; c < o->channels; c++)
    for (ptrdiff_t ty = 0; ty < o->taps_y; ty++) {
      const float *row = o->input + c * o->plane + ty * o->tap_row;
      vf part[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) part[i] = (vf)0.0f;
      if (is_shared) {
        vf w[RK_PLANAR_SHARED_TAPS];
#pragma clang loop unroll(full)
        for (ptrdiff_t tx = 0; tx < taps_x; tx++) w[tx] = v_load(weights + tx * step);
#pragma clang loop unroll(full)
        for (ptrdiff_t i = 0; i < (pixels - 1) * pixel_step + taps_x; i++) {
          vf x = v_set(row[i]);
#pragma clang loop unroll(full)
          for (ptrdiff_t tx = 0; tx < taps_x; tx++) {
            const ptrdiff_t p = (i - tx) / pixel_step;
            if (i >= tx && (i - tx) % pixel_step == 0 && p < pixels) part[p] = part[p] + x * w[tx];
          }
        }
        weights += taps_x * step;
      } else {
        for (ptrdiff_t tx = 0; tx < taps_x; tx++) {
          const float *from = row + tx * o->tap_column;
          vf w[RK_PLANAR_BLOCKS * RK_LANES];
#pragma clang loop unroll(full)
          for (int i = 0; i < blocks * RK_LANES; i++) w[i] = v_load(weights + i * VK_WIDTH);
#pragma clang loop unroll(full)
          for (int p = 0; p < pixels; p++) {
            vf x = v_set(from[p * pixel_step]);
#pragma clang loop unroll(full)
            for (int i = 0; i < blocks * RK_LANES; i++)
              part[i * pixels + p] = part[i * pixels + p] + x * w[i];
          }
          weights += step;
        }
      }
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = sum[i] + part[i];
    }
#pragma clang loop unroll(full)
  for (int i = 0; i < blocks * RK_LANES * pixels; i++) acc[i] = sum[i];
}

static void VK(rk_planar_products)(
    const VK(rk_planar_operands) *o, ptrdiff_t step, vf *acc, int pixels, int blocks) {
#define RK_CALL(p, b, kx, sx, is_shared) \
  VK(rk_planar_tile)(o, b == 2 ? 2 * RK_BLOCK : step, kx, sx, acc, p, b, is_shared)
#define RK_CASE(p, b) \
  case p: RK_CALL(p, b, o->taps_x, o->pixel_step, 0); return;
#define RK_COMMON(p, b, kx, is_shared) \
  if (pixels == p && blocks == b && o->taps_x == kx) return RK_CALL(p, b, kx, 2, is_shared);
  if (o->pixel_step == 2) {
#if VK_WIDTH == 16
    RK_COMMON(6, 2, 3, 0) RK_COMMON(6, 2, 6, 0)
    if (o->tap_column == 1) {
      RK_COMMON(12, 1, 3, 1) RK_COMMON(11, 1, 3, 1) RK_COMMON(12, 1, 6, 1) RK_COMMON(11, 1, 6, 1)
    }
#else
    RK_COMMON(RK_PLANAR_TILE(1), 1, 3, 0) RK_COMMON(RK_PLANAR_TILE(1), 1, 6, 0)
#endif
  }
#if VK_WIDTH == 16
  if (blocks == 2) {
    switch (pixels) {
      RK_CASE(1, 2) RK_CASE(2, 2) RK_CASE(3, 2) RK_CASE(4, 2) RK_CASE(5, 2) RK_CASE(6, 2)
    }
    return;
  }
#endif
  switch (pixels) {
    RK_CASE(1, 1)
#if VK_WIDTH > 4
    RK_CASE(2, 1) RK_CASE(3, 1)
#endif
#if VK_WIDTH == 16
    RK_CASE(4, 1) RK_CASE(5, 1) RK_CASE(6, 1) RK_CASE(7, 1) RK_CASE(8, 1) RK_CASE(9, 1)
    RK_CASE(10, 1) RK_CASE(11, 1) RK_CASE(12, 1)
#endif
  }
#undef RK_COMMON
#undef RK_CASE
#undef RK_CALL
}

VK_INLINE void VK(rk_planar_zeros)(float *to, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) v_store_some(to + i, (vf)0.0f, count - i);
}

/// Copies `height` rows of `width` pixels of each plane, `step` rows apart, from row `top` and column
/// `left` on, which may lie outside: there are zeros.
static void VK(rk_planar_copy)(
    const rk_planar_input *in, const float *input, ptrdiff_t top, ptrdiff_t left, ptrdiff_t height,
    ptrdiff_t step, ptrdiff_t width, float *to) {
  const ptrdiff_t first = rk_first_inside(left, 1, width);
  const ptrdiff_t outside = rk_first_outside(left, 1, width, in->width);
  for (ptrdiff_t channel = 0; channel < in->channels; channel++)
    for (ptrdiff_t r = 0; r < height; r++, to += width) {
      const ptrdiff_t y = top + r * step;
      if (y < 0 || y >= in->height || outside <= first) {
        VK(rk_planar_zeros)(to, width);
        continue;
      }
      const float *from = input + (channel * in->height + y) * in->width + left;
      VK(rk_planar_zeros)(to, first);
      if (outside - first > 64)
        __builtin_memcpy(to + first, from + first, (outside - first) * sizeof(float));
      else
        // A call would take longer.
        for (ptrdiff_t i = first; i < outside; i += VK_WIDTH)
          v_store_some(to + i, v_load_some(from + i, outside - i), outside - i);
      VK(rk_planar_zeros)(to + outside, width - outside);
    }
}

/// Where a tile finds its input: in the image itself, or, at its edge, in a copy.
VK_INLINE void VK(rk_planar_place)(
    const rk_blocked_conv *c, const rk_planar_input *in, const float *input, ptrdiff_t top,
    ptrdiff_t left, ptrdiff_t pixels, float *scratch, VK(rk_planar_operands) *o) {
  const ptrdiff_t width = rk_planar_width(c, pixels);
  if (top >= 0 && top + (c->kernel_height - 1) * c->dilation_y < in->height && left >= 0 &&
      left + width <= in->width) {
    o->input = input + top * in->width + left;
    o->plane = in->height * in->width;
    o->tap_row = c->dilation_y * in->width;
  } else {
    VK(rk_planar_copy)(in, input, top, left, c->kernel_height, c->dilation_y, width, scratch);
    o->input = scratch;
    o->plane = c->kernel_height * width;
    o->tap_row = width;
  }
}

static void VK(rk_planar_conv_f32)(
    const rk_blocked_conv *c, const rk_planar_input *in, const float *input, const float *weights,
    const float *bias, float *output, ptrdiff_t first_row, ptrdiff_t row_count, float *scratch) {
  if (row_count <= 0) return;
  const ptrdiff_t width = rk_planar_width(c, c->out_width);
  const ptrdiff_t height = rk_planar_height(c, row_count);
  const ptrdiff_t top = first_row * c->stride_y - in->pad_top;
  vf acc[RK_PLANAR_BLOCKS * RK_LANES * RK_PLANAR_PIXELS];
  VK(rk_planar_operands) o = {
      .channels = in->channels, .plane = height * width, .taps_y = c->kernel_height,
      .taps_x = c->kernel_width, .tap_row = c->dilation_y * width, .tap_column = c->dilation_x,
      .pixel_step = c->stride_x};
  // The rows that are wanted are copied, with their padding written out, unless that would take long
  // beside the few products with them: then only tiles at the image's edge get a copy of their own.
  // Many rows of taps are better copied even so, as they would come from too many places at once.
  const int is_copied =
      VK_WIDTH < 16 || c->output_blocks > 1 || in->channels * c->kernel_height > 9;
  if (is_copied)
    VK(rk_planar_copy)(in, input, top, -in->pad_left, height, 1, width, scratch);
  const ptrdiff_t taps = in->channels * c->kernel_height * c->kernel_width;
  for (ptrdiff_t block = 0, blocks; block < c->output_blocks; block += blocks) {
    const ptrdiff_t paired = c->output_blocks - block / 2 * 2 < 2 ? 1 : 2;
    blocks = paired < RK_PLANAR_BLOCKS ? 1 : RK_PLANAR_BLOCKS;
    const ptrdiff_t step = paired * RK_BLOCK;
    o.weights = weights + block / 2 * taps * 2 * RK_BLOCK + block % 2 * RK_BLOCK;
    for (ptrdiff_t row = 0; row < row_count; row++)
      for (ptrdiff_t x = 0, pixels; x < c->out_width; x += pixels) {
        pixels = rk_even_part(c->out_width - x, RK_PLANAR_TILE(blocks));
        if (is_copied)
          o.input = scratch + row * c->stride_y * width + x * c->stride_x;
        else
          VK(rk_planar_place)(
              c, in, input, top + row * c->stride_y, x * c->stride_x - in->pad_left, pixels, scratch,
              &o);
        VK(rk_planar_products)(&o, step, acc, (int)pixels, (int)blocks);
        float *to = output + block * c->output.block_stride +
            (first_row + row) * c->output.row_stride + x * RK_BLOCK;
        RK_FOR_KIND(
            c->finish.activation.kind,
            VK(rk_write_tile)(
                acc, (int)pixels, (int)blocks, bias ? bias + block * RK_BLOCK : 0, to,
                c->output.block_stride, RK_BLOCK, 0, 0, &c->finish, (vk_activation_kind)K))
      }
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
#define RK_WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, r)      \
  do {                                                     \
    vf s1 = m1 + m2, d1 = m1 - m2, s2 = m3 + m4, d2 = m3 - m4; \
    r[0] = m0 + s1 + s2;                                   \
    r[1] = d1 + 2.0f * d2;                                 \
    r[2] = s1 + 4.0f * s2;                                 \
    r[3] = d1 + 8.0f * d2 + m5;                            \
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
  // What the input holds, its padding included: a tile at the edge may reach past that.
  const ptrdiff_t in_rows = c->out_height + 2, in_columns = c->out_width + 2;
  float patch[36 * RK_BLOCK];
  for (ptrdiff_t t = 0; t < tile_count; t++) {
    const ptrdiff_t y = (first_tile + t) / across * 4, x = (first_tile + t) % across * 4;
    const int rows = in_rows - y < 6 ? (int)(in_rows - y) : 6;
    const int columns = in_columns - x < 6 ? (int)(in_columns - x) : 6;
    for (ptrdiff_t b = first_block; b < first_block + block_count; b++) {
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
      for (int l = 0; l < RK_LANES; l++)
        VK(rk_winograd_input)(
            from + l * VK_WIDTH, row_stride, to + (b * block_step + t) * RK_BLOCK + l * VK_WIDTH,
            plane);
    }
  }
}

// Tiles by blocks of sums in registers; the weights of two blocks lie side by side.
#undef RK_WINOGRAD_BLOCKS
#undef RK_WINOGRAD_TILE
#if VK_WIDTH == 16
#define RK_WINOGRAD_BLOCKS 2
#define RK_WINOGRAD_TILE 14
#else
#define RK_WINOGRAD_BLOCKS 1
#define RK_WINOGRAD_TILE RK_TILE(1)
#endif

/// One element's products for `pixels` tiles and `blocks` output blocks (both constants here). Weights
/// of neighbouring input channels are `step` apart, those of neighbouring blocks `weight_stride`;
/// `ahead`, which lies like the weights, is fetched into the second-level cache meanwhile. If `adds`
/// is not 0, they are added to what is there.
VK_INLINE void VK(rk_winograd_tile)(
    const float *from, ptrdiff_t in_blocks, ptrdiff_t last_depth, ptrdiff_t block_stride,
    const float *weights, const float *ahead, ptrdiff_t weight_stride, const ptrdiff_t step,
    float *to, ptrdiff_t to_block_stride, const int adds, const int pixels, const int blocks) {
  vf sum[RK_WINOGRAD_BLOCKS * RK_LANES * RK_WINOGRAD_TILE];
  if (adds) {
#pragma clang loop unroll(full)
    for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
      for (int l = 0; l < RK_LANES; l++)
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; p++)
          sum[(b * RK_LANES + l) * pixels + p] =
              v_load(to + b * to_block_stride + p * RK_BLOCK + l * VK_WIDTH);
  } else {
#pragma clang loop unroll(full)
    for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
  }
  for (ptrdiff_t block = 0; block < in_blocks; block++) {
    const float *pixel = from + block * block_stride;
    const ptrdiff_t depth = block == in_blocks - 1 ? last_depth : RK_BLOCK;
    for (ptrdiff_t c = 0; c < depth; c++) {
      const float *row = weights + c * step;
      vf w[RK_WINOGRAD_BLOCKS * RK_LANES];
      __builtin_prefetch(ahead + c * step, 0, 2);
      if (blocks == 2) __builtin_prefetch(ahead + c * step + RK_BLOCK, 0, 2);
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
#define RK_CASE(p, b)                                                                       \
  case p:                                                                                   \
    VK(rk_winograd_tile)                                                                    \
    (from, in_blocks, last_depth, block_stride, weights, ahead, weight_stride,              \
     b == 2 ? 2 * RK_BLOCK : step, to, to_block_stride, adds, p, b);                        \
    return;
#if VK_WIDTH == 16
  if (blocks == 2) {
    switch (pixels) {
      RK_CASE(1, 2) RK_CASE(2, 2) RK_CASE(3, 2) RK_CASE(4, 2) RK_CASE(5, 2) RK_CASE(6, 2)
      RK_CASE(7, 2) RK_CASE(8, 2) RK_CASE(9, 2) RK_CASE(10, 2) RK_CASE(11, 2) RK_CASE(12, 2)
      RK_CASE(13, 2) RK_CASE(14, 2)
    }
    return;
  }
#endif
  switch (pixels) {
    RK_CASE(1, 1) RK_CASE(2, 1)
#if VK_WIDTH > 4
    RK_CASE(3, 1) RK_CASE(4, 1) RK_CASE(5, 1) RK_CASE(6, 1)
#endif
#if VK_WIDTH == 16
    RK_CASE(7, 1) RK_CASE(8, 1) RK_CASE(9, 1) RK_CASE(10, 1) RK_CASE(11, 1) RK_CASE(12, 1)
    RK_CASE(13, 1) RK_CASE(14, 1)
#endif
  }
#undef RK_CASE
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
#define RK_WINOGRAD_WEIGHTS(a, b, c, r)                                                     \
  do {                                                                                     \
    vf outer = (a + c) * (1.0f / 6), low = a * (1.0f / 24) + c * (1.0f / 6);               \
    r[0] = a * 0.25f;                                                                      \
    r[1] = -outer - b * (1.0f / 6);                                                        \
    r[2] = b * (1.0f / 6) - outer;                                                         \
    r[3] = low + b * (1.0f / 12);                                                          \
    r[4] = low - b * (1.0f / 12);                                                          \
    r[5] = c;                                                                              \
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

// MARK: - Depthwise

/// Everything but the pointers is a constant in the common cases. `rows_apart` adds up each row of taps
/// on its own first. The results are kept from `low` to `high`; NaN stays.
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

static void VK(rk_blocked_depthwise_f32)(
    const rk_blocked_conv *c, const float *input, const float *weights, const float *bias,
    float *output, ptrdiff_t block, ptrdiff_t first_row, ptrdiff_t row_count) {
  const ptrdiff_t height = c->kernel_height, width = c->kernel_width;
  const ptrdiff_t row_stride = c->input.row_stride;
  weights += block * height * width * RK_BLOCK;
  if (bias) bias += block * RK_BLOCK;
  const int is_dense = c->dilation_y == 1 && c->dilation_x == 1 && !c->is_precise;
  // The cheapest activations cost less than another turn over the row.
  const vk_activation activation = c->finish.activation;
  const int clips = activation.kind == VK_CLIP, cuts = activation.kind == VK_RELU;
  const float least = clips ? activation.alpha : cuts ? 0.0f : -__builtin_inff();
  const float most = clips ? activation.beta : __builtin_inff();
  for (ptrdiff_t y = first_row; y < first_row + row_count; y++) {
    const float *from = input + block * c->input.block_stride + y * c->stride_y * row_stride;
    float *to = output + block * c->output.block_stride + y * c->output.row_stride;
#define RK_ROW(k, s)                                                                         \
  VK(rk_depthwise_row)                                                                       \
  (from, row_stride, RK_BLOCK, s * RK_BLOCK, weights, bias, least, most, to, c->out_width, k, k, 0)
    if (is_dense && height == 3 && width == 3 && c->stride_x == 1)
      RK_ROW(3, 1);
    else if (is_dense && height == 3 && width == 3 && c->stride_x == 2)
      RK_ROW(3, 2);
    else if (is_dense && height == 5 && width == 5 && c->stride_x == 1)
      RK_ROW(5, 1);
    else
      VK(rk_depthwise_row)(
          from, c->dilation_y * row_stride, c->dilation_x * RK_BLOCK, c->stride_x * RK_BLOCK,
          weights, bias, least, most, to, c->out_width, height, width, c->is_precise);
#undef RK_ROW
    if (activation.kind != VK_IDENTITY && !clips && !cuts)
      VK(rk_activate_row)(to, c->out_width * RK_BLOCK, activation);
  }
}

// MARK: - Pooling

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

/// The greatest value under the window, first along rows, then down columns: for a window of k x k that
/// is 2 k values to look at instead of k k.
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
