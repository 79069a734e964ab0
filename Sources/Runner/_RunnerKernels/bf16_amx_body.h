// Products of bfloat16 numbers by tiles. See BFloat16Kernels.h.
//
// A tile of sums is up to 16 neighbouring pixels of a row of the image by a block of outputs. Tiles of inputs and of
// weights are loaded from where these lie: as many pairs of channels as divide those of a block of inputs, up to 16.
// If the pixels of a row are not a multiple of those of a tile, the last tile begins before the end of the one before.
//
// While the unit for tiles multiplies, the other units finish the sums of the tiles before: between two groups
// of products lies a share of that work.

#include "amx.h"
#include "finish_body.h"

/// How the sizes of a call are cut into tiles.
typedef struct VK(bf16_cut) {
  /// Pairs of channels in a tile, and tiles in a tap of a block of inputs.
  ptrdiff_t pairs, chunks;
  /// Pixels in a tile, and tiles in a row of the image.
  ptrdiff_t pixels, tiles;
  /// All pairs of tiles whose products a sum has, and numbers of the weights of a block of outputs.
  ptrdiff_t steps, weight_step;
} VK(bf16_cut);

/// Sums that are to be finished: of so many pixels each of two tiles, by one or two blocks from `block` on.
typedef struct VK(bf16_pending) {
  struct {
    /// 32 a pixel.
    const float *sums;
    float *to;
    const float *residual;
    ptrdiff_t pixels;
  } part[2];
  ptrdiff_t block, blocks;
} VK(bf16_pending);

/// Finishes the next `count` pixels, if there are as many.
VK_INLINE void VK(bf16_finish_some)(
    VK(bf16_pending) *q, ptrdiff_t count, const rk_bf16_conv *c, const float *bias, int adds_residual,
    const vk_activation_kind kind) {
  const ptrdiff_t o = q->block * 16;
  const ptrdiff_t first_count = c->writes_whole_blocks ? 16 : c->outputs - o;
  const ptrdiff_t second_count = c->writes_whole_blocks ? 16 : c->outputs - o - 16;
  for (; count > 0; count--) {
    if (q->part[0].pixels <= 0) {
      if (q->part[1].pixels <= 0) return;
      q->part[0] = q->part[1];
      q->part[1].pixels = 0;
    }
    const float *sums = q->part[0].sums;
    const float *residual = adds_residual ? q->part[0].residual : 0;
    float *to = q->part[0].to;
    const vf first = v_load(sums) + (bias ? v_load(bias + o) : (vf)0.0f);
    VK(finish_some)(first, to, residual, first_count, &c->finish, kind);
    if (q->blocks > 1) {
      const vf second = v_load(sums + 16) + (bias ? v_load(bias + o + 16) : (vf)0.0f);
      VK(finish_some)(
          second, to + c->out_block, residual ? residual + c->residual_block : 0, second_count,
          &c->finish, kind);
    }
    q->part[0].sums += 32;
    q->part[0].to += c->out_pixel;
    if (residual) q->part[0].residual += c->residual_pixel;
    q->part[0].pixels--;
  }
}

/// Sums of `rows` tiles of pixels by `blocks` blocks of outputs (constants where this is inlined), 32 numbers a
/// pixel; and finishes what is pending.
VK_INLINE void VK(bf16_tile_products)(
    const rk_bf16_conv *c, const VK(bf16_cut) *cut, const uint16_t *const *input, const uint16_t *w,
    float *sums, VK(bf16_pending) *q, const float *bias, int adds_residual,
    const vk_activation_kind kind, const int rows, const int blocks) {
  _tile_zero(0);
  if (blocks > 1) _tile_zero(1);
  if (rows > 1) _tile_zero(2);
  if (rows > 1 && blocks > 1) _tile_zero(3);
  const ptrdiff_t step = c->pixel_step * 2;
  const ptrdiff_t share = (q->part[0].pixels + q->part[1].pixels + cut->steps - 1) / cut->steps;
  for (ptrdiff_t ib = 0; ib < c->input_blocks; ib++)
    for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < c->taps_x; tx++) {
        const ptrdiff_t tap = ib * c->block_step + ty * c->tap_row + tx * c->tap_column;
        for (ptrdiff_t k = 0; k < cut->chunks; k++, w += cut->pairs * 32) {
          const ptrdiff_t at = tap + k * cut->pairs * 2;
          _tile_loadd(4, input[0] + at, step);
          _tile_loadd(6, w, 64);
          if (blocks > 1) _tile_loadd(7, w + cut->weight_step, 64);
          if (rows > 1) _tile_loadd(5, input[1] + at, step);
          _tile_dpbf16ps(0, 4, 6);
          if (blocks > 1) _tile_dpbf16ps(1, 4, 7);
          if (rows > 1) _tile_dpbf16ps(2, 5, 6);
          if (rows > 1 && blocks > 1) _tile_dpbf16ps(3, 5, 7);
          VK(bf16_finish_some)(q, share, c, bias, adds_residual, kind);
        }
      }
  _tile_stored(0, sums, 128);
  if (blocks > 1) _tile_stored(1, sums + 16, 128);
  if (rows > 1) _tile_stored(2, sums + 512, 128);
  if (rows > 1 && blocks > 1) _tile_stored(3, sums + 512 + 16, 128);
}

/// All tiles of the blocks; a tile's first pixels may belong to the tile before.
VK_INLINE void VK(bf16_tiles)(
    const rk_bf16_conv *c, const VK(bf16_cut) *cut, const uint16_t *input, const uint16_t *weights,
    const float *bias, const float *residual, float *output, ptrdiff_t first_block,
    ptrdiff_t end_block, ptrdiff_t row_count, const vk_activation_kind kind) {
  float sums[2][1024] __attribute__((aligned(64)));
  const ptrdiff_t tiles = row_count * cut->tiles;
  VK(bf16_pending) q = {.blocks = 0};
  const uint16_t *from[2] = {input, input};
  int turn = 0;
  for (ptrdiff_t block = first_block; block < end_block; block += 2) {
    const int blocks = end_block - block < 2 ? 1 : 2;
    const uint16_t *w = weights + block * cut->weight_step;
    for (ptrdiff_t tile = 0; tile < tiles; tile += 2) {
      const int rows = tiles - tile < 2 ? 1 : 2;
      VK(bf16_pending) next = {.block = block, .blocks = blocks};
      for (int r = 0; r < rows; r++) {
        const ptrdiff_t row = (tile + r) / cut->tiles;
        const ptrdiff_t start = (tile + r) % cut->tiles * cut->pixels;
        const ptrdiff_t x = start + cut->pixels > c->out_width ? c->out_width - cut->pixels : start;
        from[r] = input + row * c->row_step + x * c->pixel_step;
        next.part[r].sums = sums[turn] + r * 512 + (start - x) * 32;
        next.part[r].to =
            output + block * c->out_block + row * c->out_row + start * c->out_pixel;
        if (residual)
          next.part[r].residual = residual + block * c->residual_block +
              row * c->residual_row + start * c->residual_pixel;
        next.part[r].pixels = x + cut->pixels - start;
      }
#define RK_PRODUCTS(rows, blocks)                                                             \
  VK(bf16_tile_products)(                                                                     \
      c, cut, from, w, sums[turn], &q, bias, residual != 0, kind, rows, blocks)
      if (rows > 1 && blocks > 1) RK_PRODUCTS(2, 2);
      else if (blocks > 1) RK_PRODUCTS(1, 2);
      else if (rows > 1) RK_PRODUCTS(2, 1);
      else RK_PRODUCTS(1, 1);
#undef RK_PRODUCTS
      q = next;
      turn ^= 1;
    }
  }
  VK(bf16_finish_some)(&q, 32, c, bias, residual != 0, kind);
}

/// `pairs`, up to 16, divide those of a block of inputs.
static void VK(rk_bf16_conv_rows)(
    const rk_bf16_conv *conv, const uint16_t *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count, ptrdiff_t pairs) {
  if (row_count <= 0 || conv->out_width <= 0 || block_count <= 0) return;
  // Results could overwrite what is in memory of others, so that it would be read again for each of them.
  const rk_bf16_conv own = *conv, *const c = &own;
  VK(bf16_cut) cut = {.pairs = pairs, .chunks = c->pairs / pairs};
  cut.tiles = (c->out_width + 15) / 16;
  cut.pixels = (c->out_width + cut.tiles - 1) / cut.tiles;
  cut.steps = c->input_blocks * c->taps_y * c->taps_x * cut.chunks;
  cut.weight_step = cut.steps * pairs * 32;
  input += first_row * c->row_step;
  output += first_row * c->out_row;
  if (residual) residual += first_row * c->residual_row;
  rk_amx_begin(cut.pixels, pairs);
#define RK_TILES(kind)                                                                        \
  VK(bf16_tiles)(                                                                             \
      c, &cut, input, weights, bias, residual, output, first_block, first_block + block_count, \
      row_count, kind)
  switch (c->finish.activation.kind) {
    case VK_IDENTITY: RK_TILES(VK_IDENTITY); break;
    case VK_SILU: RK_TILES(VK_SILU); break;
    default: RK_TILES(c->finish.activation.kind);
  }
#undef RK_TILES
  rk_amx_end();
}
