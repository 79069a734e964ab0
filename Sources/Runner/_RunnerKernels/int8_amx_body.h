// Products of 8-bit integers by tiles. See Int8Kernels.h.
//
// A tile of sums is up to 16 neighbouring pixels of a row of the image by a block of outputs. Tiles of inputs and
// of weights are loaded from where these lie: 16 groups of four channels of the pixels, or fewer. All tiles of a call
// have one shape. If the groups of a pixel are not a multiple of those of a tile, the last tile begins before the end
// of the one before. Weights that were multiplied already are zero there, in a copy that is made of these weights. If
// the pixels of a row are not a multiple, the last tile begins before the end of the one before, too.
//
// While the unit for tiles multiplies, the other units finish the sums of the tiles before: between two groups
// of products lies a share of that work.

#include "amx.h"
#include "int8_results_body.h"

/// Tiles of pixels whose sums of inputs are known in advance, if the weights have zero points.
#define RK_Q8_AMX_STRIP 32

/// How the sizes of a call are cut into tiles.
typedef struct VK(q8_cut) {
  /// Groups of four channels in a tile, and tiles in a tap.
  ptrdiff_t groups, chunks;
  /// Pixels in a tile, and tiles in a row of the image.
  ptrdiff_t pixels, tiles;
  ptrdiff_t taps;
  /// Bytes of the weights of a block.
  ptrdiff_t block_bytes;
} VK(q8_cut);

/// Sums that are to be finished: of so many pixels each of two tiles, by one or two blocks from `block` on.
typedef struct VK(q8_pending) {
  struct {
    /// 32 a pixel.
    const int32_t *sums;
    /// The sums of the inputs, one a pixel; may be null.
    const int32_t *ones;
    char *to;
    ptrdiff_t pixels;
  } part[2];
  ptrdiff_t block, blocks;
} VK(q8_pending);

/// Finishes the next `count` pixels, if there are as many.
VK_INLINE void VK(q8_finish_some)(
    VK(q8_pending) *q, ptrdiff_t count, const rk_q8_conv *c, const rk_q8_finish *f,
    ptrdiff_t pixel_bytes, const rk_q8_result result, const vk_activation_kind kind) {
  const ptrdiff_t o = q->block * 16, outputs = c->outputs;
  for (; count > 0; count--) {
    if (q->part[0].pixels <= 0) {
      if (q->part[1].pixels <= 0) return;
      q->part[0] = q->part[1];
      q->part[1].pixels = 0;
    }
    const int32_t *sums = q->part[0].sums;
    vi first = VK(q8_load)(sums), second = VK(q8_load)(sums + 16);
    if (f->weight_zero) {
      const vi ones = (vi)*q->part[0].ones++;
      first -= ones * VK(q8_load)(f->weight_zero + o);
      if (q->blocks > 1) second -= ones * VK(q8_load)(f->weight_zero + o + 16);
    }
    VK(q8_write)(first, o, outputs - o, f, q->part[0].to, o, result, kind);
    if (q->blocks > 1)
      VK(q8_write)(second, o + 16, outputs - o - 16, f, q->part[0].to, o + 16, result, kind);
    q->part[0].sums += 32;
    q->part[0].to += pixel_bytes;
    q->part[0].pixels--;
  }
}

typedef struct VK(q8_tiles) {
  /// Under the first tap of the tiles' first pixels.
  const uint8_t *input[2];
  const int8_t *weights;
  /// Weights of the last groups of a tap; bytes to those of the next tap and block.
  const int8_t *last;
  ptrdiff_t last_tap, last_block;
} VK(q8_tiles);

/// Sums of `rows` tiles of pixels by `blocks` blocks of outputs (constants where this is inlined), 32 numbers a
/// pixel; and finishes what is pending.
VK_INLINE void VK(q8_tile_products)(
    const rk_q8_conv *c, const VK(q8_cut) *cut, const VK(q8_tiles) *t, int32_t *sums,
    VK(q8_pending) *q, const rk_q8_finish *f, ptrdiff_t pixel_bytes, const rk_q8_result result,
    const vk_activation_kind kind, const int rows, const int blocks) {
  _tile_zero(0);
  if (blocks > 1) _tile_zero(1);
  if (rows > 1) _tile_zero(2);
  if (rows > 1 && blocks > 1) _tile_zero(3);
  const ptrdiff_t step = c->pixel_step, depth = c->depth, chunks = cut->chunks, groups = cut->groups;
  const ptrdiff_t pending = q->part[0].pixels + q->part[1].pixels;
  const ptrdiff_t share = (pending + cut->taps * chunks - 1) / (cut->taps * chunks);
  const int8_t *w = t->weights, *last = t->last;
  for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
    for (ptrdiff_t tx = 0; tx < c->taps_x; tx++, w += depth * 64, last += t->last_tap) {
      const ptrdiff_t tap = ty * c->tap_row + tx * c->tap_column;
      for (ptrdiff_t k = 0; k < chunks; k++) {
        const int is_last = k + 1 == chunks;
        const ptrdiff_t group = is_last ? depth - groups : k * groups;
        const int8_t *from = is_last ? last : w + group * 64;
        const ptrdiff_t next_block = is_last ? t->last_block : cut->block_bytes;
        const ptrdiff_t at = tap + group * 4;
        _tile_loadd(4, t->input[0] + at, step);
        _tile_loadd(6, from, 64);
        if (blocks > 1) _tile_loadd(7, from + next_block, 64);
        if (rows > 1) _tile_loadd(5, t->input[1] + at, step);
        _tile_dpbusd(0, 4, 6);
        if (blocks > 1) _tile_dpbusd(1, 4, 7);
        if (rows > 1) _tile_dpbusd(2, 5, 6);
        if (rows > 1 && blocks > 1) _tile_dpbusd(3, 5, 7);
        VK(q8_finish_some)(q, share, c, f, pixel_bytes, result, kind);
      }
    }
  _tile_stored(0, sums, 128);
  if (blocks > 1) _tile_stored(1, sums + 16, 128);
  if (rows > 1) _tile_stored(2, sums + 512, 128);
  if (rows > 1 && blocks > 1) _tile_stored(3, sums + 512 + 16, 128);
}

/// Weights of the last groups of each tap of `blocks` blocks, zero in those that belong to the groups before.
static void VK(q8_copy_last)(
    const rk_q8_conv *c, const VK(q8_cut) *cut, const int8_t *weights, ptrdiff_t blocks, int8_t *to) {
  const ptrdiff_t twice = cut->groups * cut->chunks - c->depth;
  for (ptrdiff_t b = 0; b < blocks; b++)
    for (ptrdiff_t t = 0; t < cut->taps; t++, to += cut->groups * 64) {
      const int8_t *from = weights + b * cut->block_bytes + ((t + 1) * c->depth - cut->groups) * 64;
      memset(to, 0, (size_t)twice * 64);
      memcpy(to + twice * 64, from + twice * 64, (size_t)(cut->groups - twice) * 64);
    }
}

/// Where a tile's pixels are, and how many of them belong to the tile before.
typedef struct VK(q8_place) {
  ptrdiff_t row, x, before;
} VK(q8_place);

static inline VK(q8_place) VK(q8_place_of)(
    const rk_q8_conv *c, const VK(q8_cut) *cut, ptrdiff_t tile) {
  VK(q8_place) p = {.row = tile / cut->tiles, .x = tile % cut->tiles * cut->pixels};
  if (p.x + cut->pixels > c->out_width) {
    p.before = p.x + cut->pixels - c->out_width;
    p.x -= p.before;
  }
  return p;
}

/// All blocks of the tiles first_tile ..< end_tile of the rows from `input` and `output` on.
VK_INLINE void VK(q8_strip)(
    const rk_q8_conv *c, const VK(q8_cut) *cut, const uint8_t *input, const int8_t *weights,
    const rk_q8_finish *f, char *output, ptrdiff_t first_block, ptrdiff_t end_block,
    ptrdiff_t first_tile, ptrdiff_t end_tile, const rk_q8_result result,
    const vk_activation_kind kind) {
  int32_t sums[2][1024] __attribute__((aligned(64)));
  int32_t ones[RK_Q8_AMX_STRIP * 16];
  int8_t copy[RK_Q8_AMX_COPIES * 1024] __attribute__((aligned(64)));
  const ptrdiff_t ones_block = (c->outputs + 15) / 16;
  const ptrdiff_t element = result == RK_Q8_BYTE ? 1 : 4;
  const ptrdiff_t pixel_bytes = c->out_pixel * element;
  const int copies = cut->groups * cut->chunks != c->depth;
  VK(q8_pending) q = {.blocks = 0};
  VK(q8_tiles) t;
  t.last_tap = (copies ? cut->groups : c->depth) * 64;
  t.last_block = copies ? cut->taps * t.last_tap : cut->block_bytes;
  int turn = 0;
  // The sums of the inputs come first, as a block of their own.
  for (ptrdiff_t block = f->weight_zero ? -1 : first_block; block < end_block;) {
    const int blocks = block < 0 || end_block - block < 2 ? 1 : 2;
    t.weights = weights + (block < 0 ? ones_block : block) * cut->block_bytes;
    t.last = copies ? copy : t.weights + (c->depth - cut->groups) * 64;
    if (copies) VK(q8_copy_last)(c, cut, t.weights, blocks, copy);
    for (ptrdiff_t tile = first_tile; tile < end_tile; tile += 2) {
      const int rows = end_tile - tile < 2 ? 1 : 2;
      VK(q8_pending) next = {.block = block, .blocks = blocks};
      for (int r = 0; r < rows; r++) {
        const VK(q8_place) p = VK(q8_place_of)(c, cut, tile + r);
        t.input[r] = input + p.row * c->row_step + p.x * c->pixel_step;
        next.part[r].sums = sums[turn] + r * 512 + p.before * 32;
        next.part[r].ones = ones + (tile + r - first_tile) * 16 + p.before;
        next.part[r].to =
            output + (p.row * c->out_row + (p.x + p.before) * c->out_pixel) * element;
        next.part[r].pixels = cut->pixels - p.before;
      }
#define RK_PRODUCTS(rows, blocks)                                                             \
  VK(q8_tile_products)(                                                                       \
      c, cut, &t, sums[turn], &q, f, pixel_bytes, result, kind, rows, blocks)
      if (rows > 1 && blocks > 1) RK_PRODUCTS(2, 2);
      else if (blocks > 1) RK_PRODUCTS(1, 2);
      else if (rows > 1) RK_PRODUCTS(2, 1);
      else RK_PRODUCTS(1, 1);
#undef RK_PRODUCTS
      if (block < 0) {
        for (ptrdiff_t p = 0; p < rows * 16; p++)
          ones[(tile - first_tile) * 16 + p] = sums[turn][p * 32];
        continue;
      }
      q = next;
      turn ^= 1;
    }
    block = block < 0 ? first_block : block + blocks;
  }
  VK(q8_finish_some)(&q, 32, c, f, pixel_bytes, result, kind);
}

static void VK(rk_q8_conv_rows)(
    const rk_q8_conv *c, const uint8_t *input, const int8_t *weights, const rk_q8_finish *finish,
    void *output, ptrdiff_t first_block, ptrdiff_t block_count, ptrdiff_t first_row,
    ptrdiff_t row_count) {
  if (row_count <= 0 || c->out_width <= 0 || block_count <= 0) return;
  // Results could overwrite what is in memory of others, so that it would be read again for each of them.
  const rk_q8_finish own = *finish, *const f = &own;
  VK(q8_cut) cut = {.taps = c->taps_y * c->taps_x};
  cut.chunks = (c->depth + 15) / 16;
  cut.groups = (c->depth + cut.chunks - 1) / cut.chunks;
  cut.tiles = (c->out_width + 15) / 16;
  cut.pixels = (c->out_width + cut.tiles - 1) / cut.tiles;
  cut.block_bytes = cut.taps * c->depth * 64;
  const ptrdiff_t count = row_count * cut.tiles;
  const uint8_t *from = input + first_row * c->row_step;
  char *to = (char *)output + first_row * c->out_row * (f->result == RK_Q8_BYTE ? 1 : 4);
  rk_amx_begin(cut.pixels, cut.groups);
  for (ptrdiff_t tile = 0; tile < count; tile += RK_Q8_AMX_STRIP) {
    const ptrdiff_t end = count - tile < RK_Q8_AMX_STRIP ? count : tile + RK_Q8_AMX_STRIP;
    RK_Q8_FOR_RESULT(VK(q8_strip)(
        c, &cut, from, weights, f, to, first_block, first_block + block_count, tile, end,
        (rk_q8_result)R, (vk_activation_kind)K))
  }
  rk_amx_end();
}
