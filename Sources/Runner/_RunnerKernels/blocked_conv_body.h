// Convolution of one group on channel blocks, at one level. See blocked.c for the layout.

#include "kinds.h"

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
  // Whether the target has the sums of the input blocks before these.
  int goes_on;
  // As many weights of one block as the tile has, to be fetched into the second-level cache
  // meanwhile.
  const float *ahead;
} VK(rk_operands);

/// Where tiles go. Their sums are added to the bias, kept from `low` to `high`, added to the residual, kept from
/// `last_low` to `last_high`, and stored while they are in registers.
typedef struct VK(rk_target) {
  float *output;
  const float *bias, *residual;
  ptrdiff_t block_stride, step, residual_block_stride;
  float low, high, last_low, last_high;
} VK(rk_target);

/// Stores a tile `at` pixels from the target's first; `pixels` and `blocks` are constants. NaN stays.
VK_INLINE void VK(rk_store_tile)(
    const vf *sum, const VK(rk_target) *t, const ptrdiff_t at, const int pixels, const int blocks) {
  const vf low = v_set(t->low), high = v_set(t->high);
#pragma clang loop unroll(full)
  for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const vf add = t->bias ? v_load(t->bias + b * RK_BLOCK + l * VK_WIDTH) : (vf)0.0f;
      float *to = t->output + at * t->step + b * t->block_stride + l * VK_WIDTH;
      const vf *from = sum + (b * RK_LANES + l) * pixels;
      if (t->residual) {
        const float *residual =
            t->residual + at * RK_BLOCK + b * t->residual_block_stride + l * VK_WIDTH;
        const vf last_low = v_set(t->last_low), last_high = v_set(t->last_high);
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; p++) {
          const vf both = v_min(v_max(from[p] + add, low), high) + v_load(residual + p * RK_BLOCK);
          v_store(to + p * t->step, v_min(v_max(both, last_low), last_high));
        }
      } else {
#pragma clang loop unroll(full)
        for (int p = 0; p < pixels; p++) v_store(to + p * t->step, v_min(v_max(from[p] + add, low), high));
      }
    }
}

/// Loads a tile that was stored before, of pixels `step` apart.
VK_INLINE void VK(rk_load_tile)(
    vf *sum, const float *from, ptrdiff_t block_stride, ptrdiff_t step, const int pixels, const int blocks) {
#pragma clang loop unroll(full)
  for (int b = 0; b < blocks; b++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++)
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        sum[(b * RK_LANES + l) * pixels + p] = v_load(from + b * block_stride + p * step + l * VK_WIDTH);
}

#if VK_WIDTH == 8
/// Input blocks from which on pixels are fetched ahead: then a tile's pixels of all blocks do not stay in the
/// first-level cache, and each block's lie on pages of their own, which the processor does not foresee.
#define RK_DEEP 16
#endif

#if VK_WIDTH >= 8
/// Fetches pixels that are needed soon.
VK_INLINE void VK(rk_fetch_pixels)(const float *pixel, const ptrdiff_t step, const int pixels) {
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) __builtin_prefetch(pixel + p * step, 0, 3);
}
#endif

/// Adds one tap's products of the input channels from `first` to `depth`. With `fetches`, the weights `ahead` are
/// fetched meanwhile.
VK_INLINE void VK(rk_tap_products)(
    vf *sum, const float *pixel, const ptrdiff_t step, const float *weights, ptrdiff_t weight_stride,
    const float *ahead, const ptrdiff_t first, const ptrdiff_t depth, const int fetches, const int pixels,
    const int blocks) {
#if VK_WIDTH == 8
#pragma clang loop unroll_count(4)
#endif
  for (ptrdiff_t c = first; c < depth; c++) {
    vf w[RK_CONV_BLOCKS * RK_LANES];
    // One pixel uses each weight once, and waits for nothing else.
    if (pixels == 1)
#pragma clang loop unroll(full)
      for (int b = 0; b < blocks; b++)
        __builtin_prefetch(weights + b * weight_stride + c * RK_BLOCK + 512, 0, 3);
    else if (fetches)
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
}

/// sum[block][pixel] = sum over input blocks, taps and channels.
VK_INLINE void VK(rk_tile_sums)(
    const VK(rk_operands) *o, const float *input, const ptrdiff_t step, const int fetches, vf *sum, const int pixels,
    const int blocks) {
  const ptrdiff_t weight_stride = o->weight_block_stride;
  for (ptrdiff_t block = 0; block < o->input_blocks; block++) {
    const float *plane = input + block * o->input_block_stride;
    const ptrdiff_t depth = block == o->input_blocks - 1 ? o->last_depth : RK_BLOCK;
#if VK_WIDTH == 8
    // Windows of several taps find most of their pixels where others left them.
    if (o->taps_x == 1 && o->taps_y == 1 && o->input_blocks >= RK_DEEP)
      VK(rk_fetch_pixels)(plane + o->input_block_stride, step, pixels);
#endif
    for (ptrdiff_t ty = o->first_y; ty < o->end_y; ty++) {
#if VK_WIDTH == 16
      // The next tile's. Half of them were often written by another thread, whose core takes long to give them.
      VK(rk_fetch_pixels)(plane + ty * o->tap_row + o->first_x * o->tap_column + pixels * step, step, pixels);
#endif
      const ptrdiff_t tap = (block * o->taps_y + ty) * o->taps_x + o->first_x;
      const float *weights = o->weights + tap * (RK_BLOCK * RK_BLOCK);
      const float *ahead = o->ahead + tap * (RK_BLOCK * RK_BLOCK);
      for (ptrdiff_t tx = o->first_x; tx < o->end_x; tx++) {
        const float *pixel = plane + ty * o->tap_row + tx * o->tap_column;
        const ptrdiff_t fours = VK_HAS_LANES ? depth & ~3 : 0;
#if VK_HAS_LANES
        for (ptrdiff_t c = 0; c < fours; c += 4) {
#pragma clang loop unroll(full)
          for (int i = 0; i < 4; i++) __builtin_prefetch(ahead + (c + i) * RK_BLOCK, 0, 2);
#pragma clang loop unroll(full)
          for (int b = 0; b < blocks; b++)
            VK(v_lane_products)(
                sum + b * RK_LANES * pixels, pixels, 1, RK_LANES, pixels, pixel + c, step,
                weights + b * weight_stride + c * RK_BLOCK, RK_BLOCK);
        }
#endif
#if VK_WIDTH == 8
        // Whole blocks: with 12 products a channel, counting takes a fifth of what a core can start.
        if (depth == RK_BLOCK)
          VK(rk_tap_products)(
              sum, pixel, step, weights, weight_stride, ahead, 0, RK_BLOCK, fetches, pixels, blocks);
        else
#endif
          VK(rk_tap_products)(
              sum, pixel, step, weights, weight_stride, ahead, fours, depth, fetches, pixels, blocks);
        weights += RK_BLOCK * RK_BLOCK;
        ahead += RK_BLOCK * RK_BLOCK;
      }
    }
  }
}

/// Tiles side by side; `pixels` and `blocks` are constants wherever this is inlined, `step` and `fetches` in the
/// common case. The loop is here because a call for each tile takes as long as the products of a few channels.
VK_INLINE void VK(rk_tile_products)(
    const VK(rk_operands) *operands, const ptrdiff_t step, const int fetches, const VK(rk_target) *target,
    const ptrdiff_t tiles, const int pixels, const int blocks) {
#if VK_WIDTH == 16
  // With a copy clang keeps some of 24 sums in memory.
  const VK(rk_operands) *const o = operands;
#else
  // A copy, which no store can change.
  const VK(rk_operands) copy = *operands, *const o = &copy;
#endif
  // The target is read again for each tile: its vectors would take the registers that products need.
  for (ptrdiff_t tile = 0; tile < tiles; tile++) {
    vf sum[RK_CONV_BLOCKS * RK_LANES * RK_CONV_TILE(1)];
    if (RK_CONV_NEAR && o->goes_on)
      VK(rk_load_tile)(
          sum, target->output + tile * pixels * target->step, target->block_stride, target->step, pixels, blocks);
    else
#pragma clang loop unroll(full)
      for (int i = 0; i < blocks * RK_LANES * pixels; i++) sum[i] = (vf)0.0f;
    VK(rk_tile_sums)(o, o->input + tile * pixels * step, step, fetches, sum, pixels, blocks);
    VK(rk_store_tile)(sum, target, tile * pixels, pixels, blocks);
  }
}

#if VK_HAS_LANES
/// Several blocks of so few pixels that one would have few sums. A function of its own, as clang
/// finds better registers then.
__attribute__((noinline)) static void VK(rk_narrow_products)(
    const VK(rk_operands) *o, const VK(rk_target) *target, ptrdiff_t tiles, int pixels, int blocks) {
#define RK_COMPUTE(p, b) VK(rk_tile_products)(o, o->pixel_step, 1, target, tiles, p, b)
#define RK_COMPUTE_BLOCKS RK_CONV_BLOCKS
#define RK_COMPUTE_TILE(b) ((b) == 1 ? 0 : RK_CONV_TILE(b))
#include "tile_switch.h"
}
#endif

#if VK_WIDTH == 8
/// One block of pixels that do not lie side by side, without fetching. A function of its own, as clang finds better
/// registers then.
__attribute__((noinline)) static void VK(rk_strided_products)(
    const VK(rk_operands) *o, const VK(rk_target) *target, ptrdiff_t tiles, int pixels) {
  switch (pixels) {
#define RK_COMPUTE(p, b) VK(rk_tile_products)(o, o->pixel_step, 0, target, tiles, p, b)
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_CONV_TILE(1)
#include "tile_cases.h"
#undef RK_COMPUTE
  }
}
#endif

/// The same for numbers of pixels and blocks that are known only now.
static void VK(rk_products)(
    const VK(rk_operands) *o, const VK(rk_target) *target, ptrdiff_t tiles, int pixels, int blocks) {
#if VK_HAS_LANES
  if (blocks > 1) {
    VK(rk_narrow_products)(o, target, tiles, pixels, blocks);
    return;
  }
#define RK_COMPUTE_BLOCKS 1
#else
#define RK_COMPUTE_BLOCKS RK_CONV_BLOCKS
#endif
#if VK_WIDTH == 8
  // Only the first tiles of a block fetch others. With a known step a load adds it to its address for nothing, and
  // there are six loads for twelve products.
  if (o->ahead == o->weights) {
    if (o->pixel_step != RK_BLOCK) {
      VK(rk_strided_products)(o, target, tiles, pixels);
      return;
    }
    switch (pixels) {
#define RK_COMPUTE(p, b) VK(rk_tile_products)(o, RK_BLOCK, 0, target, tiles, p, b)
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_CONV_TILE(1)
#include "tile_cases.h"
#undef RK_COMPUTE
    }
    return;
  }
#endif
#define RK_COMPUTE(p, b) VK(rk_tile_products)(o, o->pixel_step, 1, target, tiles, p, b)
#define RK_COMPUTE_TILE RK_CONV_TILE
#include "tile_switch.h"
}

/// Bias, residual and activation of one pixel's part of a block, and the store.
VK_INLINE void VK(vk_finish)(
    vf v, float *to, const float *residual, const vk_finish *f, const vk_activation_kind kind) {
  if (f->residual_first && residual) v = v + v_load(residual);
  v = v_activate(v, kind, f->activation.alpha, f->activation.beta);
  if (!f->residual_first && residual) v = v + v_load(residual);
  v_store(to, v);
}

/// The same for a tile.
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

/// The same for pixels that are stored already with their bias.
static void VK(rk_finish_pixels)(
    const VK(rk_target) *t, ptrdiff_t pixels, int blocks, const float *residual, const vk_finish *f) {
  RK_FOR_KIND(
      f->activation.kind,
      for (int b = 0; b < blocks; b++)
        for (ptrdiff_t p = 0; p < pixels; p++)
          for (int l = 0; l < RK_BLOCK; l += VK_WIDTH) {
            float *to = t->output + b * t->block_stride + p * t->step + l;
            VK(vk_finish)(
                v_load(to), to, residual ? residual + b * t->residual_block_stride + p * RK_BLOCK + l : 0, f,
                (vk_activation_kind)K);
          })
}

#include "blocked_precise_body.h"

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
#if VK_HAS_LANES
  int most_blocks = 1;
  if (!is_precise)
    while (most_blocks < RK_CONV_BLOCKS && c->out_width <= RK_CONV_TILE(most_blocks + 1)) most_blocks++;
#else
  const int most_blocks = is_precise ? RK_PRECISE_BLOCKS : RK_CONV_BLOCKS;
#endif
  const vk_activation activation = c->finish.activation;
  // The other activations would be compiled once a size of tile, so they take another turn over some pixels.
  const rk_bounds bounds = rk_bounds_of(activation);
  const int is_cheap = bounds.suffice, is_later = residual && c->finish.residual_first;
  VK(rk_target) target = {
      .block_stride = c->output.block_stride, .step = c->output_step,
      .residual_block_stride = c->residual.block_stride,
      .last_low = is_later ? bounds.low : -__builtin_inff(), .last_high = is_later ? bounds.high : __builtin_inff()};
  VK(rk_operands) o = {
      .input_blocks = c->input_blocks, .input_block_stride = c->input.block_stride,
      .pixel_step = c->stride_x * RK_BLOCK, .taps_y = c->kernel_height, .taps_x = c->kernel_width,
      .tap_row = c->dilation_y * c->input.row_stride, .tap_column = c->dilation_x * RK_BLOCK,
      .end_y = c->kernel_height, .end_x = c->kernel_width,
      .last_depth = c->last_input_depth,
      .weight_block_stride = c->input_blocks * c->kernel_height * c->kernel_width * RK_BLOCK * RK_BLOCK};
  const int has_edges = c->edges.height > 0;
  const ptrdiff_t taps = c->kernel_height * c->kernel_width;
  vf acc[RK_PRECISE_BLOCKS * RK_LANES * RK_PRECISE_TILE];
  const ptrdiff_t end_block = first_block + block_count;
  for (ptrdiff_t block = first_block; block < end_block;) {
    const int blocks = (int)rk_even_part(end_block - block, most_blocks);
    const ptrdiff_t most = is_precise ? RK_PRECISE_TILE : RK_CONV_TILE(blocks);
    // So many input blocks at a time. In between, sums are in the output.
    ptrdiff_t near = c->input_blocks;
    if (RK_CONV_NEAR && c->out_width * row_count > 2 * most) {
      near = RK_CONV_NEAR / (taps * blocks);
      near = near < 1 ? 1 : rk_even_part(c->input_blocks, near);
    }
    for (ptrdiff_t first = 0, count; first < c->input_blocks; first += count) {
      count = c->input_blocks - first < near ? c->input_blocks - first : near;
      const int is_last = first + count == c->input_blocks;
      o.input_blocks = count;
      o.last_depth = is_last ? c->last_input_depth : RK_BLOCK;
      o.goes_on = first > 0;
      target.bias = bias && is_last ? bias + block * RK_BLOCK : 0;
      const int is_bounded = is_cheap && is_last && !is_later;
      target.low = is_bounded ? bounds.low : -__builtin_inff();
      target.high = is_bounded ? bounds.high : __builtin_inff();
      const float *from_weights = weights + block * o.weight_block_stride + first * taps * (RK_BLOCK * RK_BLOCK);
      // What is next: the same blocks' weights of further input blocks, or the first ones of the next blocks.
      ptrdiff_t next = is_last ? block + blocks : block;
      const ptrdiff_t end_next = next + most_blocks < end_block ? next + most_blocks : end_block;
      const float *next_weights = weights + (is_last ? 0 : (first + count) * taps * (RK_BLOCK * RK_BLOCK));
      for (ptrdiff_t row = first_row; row < first_row + row_count; row++)
        for (ptrdiff_t x = 0, pixels, run; x < c->out_width; x += run * pixels, next += run) {
          const ptrdiff_t left = c->out_width - x;
          if (!VK_HAS_LANES && is_precise)
            pixels = left < RK_PRECISE_TILE ? 1 : RK_PRECISE_TILE;
          else
            pixels = rk_even_part(left, most);
          run = 1;
          o.input = input + first * c->input.block_stride + row * c->stride_y * c->input.row_stride + x * o.pixel_step;
          o.weights = from_weights;
          if (has_edges) {
            VK(rk_seen_taps)(
                row * c->stride_y - c->edges.pad_top, 1, c->stride_y, c->dilation_y, c->kernel_height,
                c->edges.height, &o.first_y, &o.end_y);
            VK(rk_seen_taps)(
                x * c->stride_x - c->edges.pad_left, pixels, c->stride_x, c->dilation_x,
                c->kernel_width, c->edges.width, &o.first_x, &o.end_x);
          }
          // The first tiles fetch a block each of those that are next.
          const int fetches = next < end_next;
          o.ahead = fetches ? next_weights + next * o.weight_block_stride : o.weights;
          target.output = output + block * c->output.block_stride + row * c->output.row_stride + x * c->output_step;
          const float *from = residual && is_last
              ? residual + block * c->residual.block_stride + row * c->residual.row_stride + x * RK_BLOCK
              : 0;
          if (is_precise) {
            VK(rk_precise_products)(&o, acc, (int)pixels, blocks);
            RK_FOR_KIND(
                activation.kind,
                VK(rk_write_tile)(
                    acc, (int)pixels, blocks, target.bias, target.output, target.block_stride, target.step, from,
                    target.residual_block_stride, &c->finish, (vk_activation_kind)K))
            continue;
          }
          const int finishes = !is_cheap && is_last;
          if (!fetches && !has_edges) {
            // All that follow and are as large. If there is another turn over them, they stay in the first-level cache.
            run = rk_first_parts(left, most);
            const ptrdiff_t close = 256 / (pixels * blocks);
            if (finishes && run > close) run = close;
          }
          target.residual = is_cheap ? from : 0;
          VK(rk_products)(&o, &target, run, (int)pixels, blocks);
          if (finishes) VK(rk_finish_pixels)(&target, run * pixels, blocks, from, &c->finish);
        }
    }
    block += blocks;
  }
}
