// Products of float32 numbers by parts. See SplitKernels.h.

#include "amx.h"
#include "kinds.h"

/// Two vectors of numbers to a row of each part, `part` numbers apart.
VK_INLINE void VK(split_row)(vf low, vf high, uint16_t *to, ptrdiff_t part) {
  for (int p = 0; p < RK_SPLIT_PARTS; p++) {
    const __m512i row = (__m512i)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low);
    _mm512_store_si512(to + p * part, row);
    const __m512i first = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(row));
    const __m512i second = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(row, 1));
    low -= (vf)_mm512_slli_epi32(first, 16);
    high -= (vf)_mm512_slli_epi32(second, 16);
  }
}

/// The parts of all pixels under the taps.
static void VK(split_input)(
    const rk_split_conv *c, const rk_split_input *s, const float *input, uint16_t *to) {
  const ptrdiff_t part = s->positions * RK_SPLIT_DEPTH;
  for (ptrdiff_t i = 0; i < c->inputs; i += RK_SPLIT_DEPTH, to += RK_SPLIT_PARTS * part) {
    const ptrdiff_t left = c->inputs - i;
    const ptrdiff_t low_count = left < 16 ? left : 16;
    const ptrdiff_t high_count = left < 32 ? left - low_count : 16;
    for (ptrdiff_t y = 0; y < s->rows; y++) {
      const float *low = input + i / 16 * c->in_block + y * c->in_row;
      // A block that is not there is not read.
      const float *high = high_count > 0 ? low + c->in_block : low;
      uint16_t *row = to + y * s->width * RK_SPLIT_DEPTH;
      for (ptrdiff_t x = 0; x < s->width; x++, row += RK_SPLIT_DEPTH)
        VK(split_row)(
            v_load_some(low + x * c->in_pixel, low_count),
            v_load_some(high + x * c->in_pixel, high_count), row, part);
    }
  }
}

typedef struct VK(split_operands) {
  const uint16_t *input, *weights;
  ptrdiff_t chunks, taps_y, taps_x;
  /// From a row of a tile to the next, in bytes; numbers from a part, a group of channels and a tap to the next.
  ptrdiff_t row_bytes, part, chunk, tap_row, tap_column;
  /// Numbers from a block of weights to the next.
  ptrdiff_t weight_block;
} VK(split_operands);

/// Sums of `rows` tiles of pixels by `blocks` blocks of outputs (constants where this is inlined), 32 floats a
/// pixel. If `adds` is not 0, they are added to what is there.
VK_INLINE void VK(split_tile)(
    const VK(split_operands) *o, float *sums, int adds, const int rows, const int blocks) {
  if (adds) {
    _tile_loadd(0, sums, 128);
    if (blocks > 1) _tile_loadd(1, sums + 16, 128);
    if (rows > 1) _tile_loadd(2, sums + 512, 128);
    if (rows > 1 && blocks > 1) _tile_loadd(3, sums + 512 + 16, 128);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const ptrdiff_t step = o->row_bytes, part = o->part, second = 8 * step;
  const ptrdiff_t weight_block = o->weight_block;
  const uint16_t *w = o->weights;
#define RK_SPLIT_INPUT(p)                                       \
  _tile_loadd(4, x + (p) * part, step);                         \
  if (rows > 1) _tile_loadd(5, x + (p) * part + second, step);
#define RK_SPLIT_WEIGHTS(p)                                     \
  _tile_loadd(6, w + (p) * RK_SPLIT_TILE, 64);                  \
  if (blocks > 1) _tile_loadd(7, w + (p) * RK_SPLIT_TILE + weight_block, 64);
#define RK_SPLIT_PRODUCTS()                                     \
  _tile_dpbf16ps(0, 4, 6);                                      \
  if (blocks > 1) _tile_dpbf16ps(1, 4, 7);                      \
  if (rows > 1) _tile_dpbf16ps(2, 5, 6);                        \
  if (rows > 1 && blocks > 1) _tile_dpbf16ps(3, 5, 7);
  for (ptrdiff_t chunk = 0; chunk < o->chunks; chunk++)
    for (ptrdiff_t ty = 0; ty < o->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < o->taps_x; tx++, w += RK_SPLIT_PARTS * RK_SPLIT_TILE) {
        const uint16_t *x = o->input + chunk * o->chunk + ty * o->tap_row + tx * o->tap_column;
        // The smallest first, and a new pair of tiles at a time.
        RK_SPLIT_INPUT(2) RK_SPLIT_WEIGHTS(0) RK_SPLIT_PRODUCTS()
        RK_SPLIT_INPUT(1) RK_SPLIT_PRODUCTS()
        RK_SPLIT_WEIGHTS(1) RK_SPLIT_PRODUCTS()
        RK_SPLIT_INPUT(0) RK_SPLIT_PRODUCTS()
        RK_SPLIT_WEIGHTS(2) RK_SPLIT_PRODUCTS()
        RK_SPLIT_WEIGHTS(0) RK_SPLIT_PRODUCTS()
      }
#undef RK_SPLIT_INPUT
#undef RK_SPLIT_WEIGHTS
#undef RK_SPLIT_PRODUCTS
  _tile_stored(0, sums, 128);
  if (blocks > 1) _tile_stored(1, sums + 16, 128);
  if (rows > 1) _tile_stored(2, sums + 512, 128);
  if (rows > 1 && blocks > 1) _tile_stored(3, sums + 512 + 16, 128);
}

static void VK(split_products)(
    const VK(split_operands) *o, float *sums, int adds, int rows, int blocks) {
  if (rows > 1 && blocks > 1) VK(split_tile)(o, sums, adds, 2, 2);
  else if (blocks > 1) VK(split_tile)(o, sums, adds, 1, 2);
  else if (rows > 1) VK(split_tile)(o, sums, adds, 2, 1);
  else VK(split_tile)(o, sums, adds, 1, 1);
}

/// A sum of 16 outputs by multiply-adds, from the numbers themselves and the sums of the weights' parts.
static vf VK(split_exact)(const rk_split_conv *c, const float *input, const uint16_t *weights) {
  vf sum = (vf)0.0f;
  for (ptrdiff_t i = 0; i < c->inputs; i++) {
    const ptrdiff_t chunk = i / RK_SPLIT_DEPTH, k = i % RK_SPLIT_DEPTH;
    for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < c->taps_x; tx++) {
        const uint16_t *tile =
            weights + ((chunk * c->taps_y + ty) * c->taps_x + tx) * RK_SPLIT_PARTS * RK_SPLIT_TILE;
        vf weight = (vf)0.0f;
        for (int p = RK_SPLIT_PARTS - 1; p >= 0; p--) {
          const vu pairs = *(const vu *)(tile + p * RK_SPLIT_TILE + k / 2 * 32);
          weight += v_float(k % 2 ? pairs & 0xffff0000u : pairs << 16);
        }
        const float x = input[i / 16 * c->in_block + i % 16 + ty * c->dilation_y * c->in_row +
                              tx * c->dilation_x * c->in_pixel];
        sum += x * weight;
      }
  }
  return sum;
}

/// The sums of `blocks` blocks of a row of pixels, 32 floats a pixel, to where they belong.
VK_INLINE void VK(split_write)(
    const rk_split_conv *c, const float *sums, const float *input, const uint16_t *weights,
    ptrdiff_t weight_block, const float *bias, const float *residual, float *output, ptrdiff_t block,
    int blocks, const vk_activation_kind kind) {
  for (int b = 0; b < blocks; b++) {
    const ptrdiff_t left = c->outputs - (block + b) * 16;
    const ptrdiff_t count = c->writes_whole_blocks || left > 16 ? 16 : left;
    const ptrdiff_t add_count = left < 16 ? left : 16;
    const vf add = bias ? v_load_some(bias + (block + b) * 16, add_count) : (vf)0.0f;
    for (ptrdiff_t x = 0; x < c->out_width; x++) {
      vf v = v_load(sums + x * 32 + b * 16);
      if (__builtin_expect(_mm512_cmp_ps_mask((__m512)v, (__m512)v, _CMP_UNORD_Q) != 0, 0))
        v = VK(split_exact)(c, input + x * c->stride_x * c->in_pixel, weights + b * weight_block);
      v += add;
      const vf more = residual
          ? v_load_some(
                residual + b * c->residual_block + x * c->residual_pixel,
                c->writes_whole_blocks ? 16 : add_count)
          : (vf)0.0f;
      if (c->finish.residual_first && residual) v += more;
      v = v_activate(v, kind, c->finish.activation.alpha, c->finish.activation.beta);
      if (!c->finish.residual_first && residual) v += more;
      v_store_some(output + b * c->out_block + x * c->out_pixel, v, count);
    }
  }
}

/// Bytes of parts and of weights that are used again and again and should stay in the second-level cache.
#define RK_SPLIT_CACHE (640 << 10)

static void VK(rk_split_conv_rows)(
    const rk_split_conv *c, const float *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count, void *scratch) {
  if (row_count <= 0 || c->out_width <= 0) return;
  const rk_split_input s = rk_split_input_of(c, row_count);
  const ptrdiff_t chunks = rk_split_chunks(c->inputs), taps = c->taps_y * c->taps_x;
  uint16_t *parts = scratch;
  const ptrdiff_t part = s.positions * RK_SPLIT_DEPTH, chunk = RK_SPLIT_PARTS * part;
  float *sums = (float *)(parts + chunks * chunk);
  input += first_row * c->stride_y * c->in_row;
  output += first_row * c->out_row;
  if (residual) residual += first_row * c->residual_row;
  VK(split_input)(c, &s, input, parts);

  const ptrdiff_t weight_chunk = taps * RK_SPLIT_PARTS * RK_SPLIT_TILE;
  const ptrdiff_t weight_block = chunks * weight_chunk;
  // So many groups of channels at a time that their parts and two blocks of weights stay in the cache.
  const ptrdiff_t chunk_bytes = 2 * chunk + 4 * weight_chunk;
  const ptrdiff_t fitting = RK_SPLIT_CACHE / chunk_bytes;
  const ptrdiff_t passes = fitting < 1 ? chunks : (chunks + fitting - 1) / fitting;
  // Without a stride all rows are one long row: sums at its turns are not used.
  const int is_flat = c->stride_x == 1 && c->stride_y == 1;
  const ptrdiff_t runs = is_flat ? 1 : row_count;
  const ptrdiff_t run = is_flat ? (row_count - 1) * s.width + c->out_width : c->out_width;

  rk_amx_begin();
  for (ptrdiff_t block = first_block; block < first_block + block_count; block += 2) {
    const int blocks = first_block + block_count - block < 2 ? 1 : 2;
    const uint16_t *block_weights = weights + block * weight_block;
    for (ptrdiff_t pass = 0; pass < passes; pass++) {
      const ptrdiff_t first = chunks * pass / passes, end = chunks * (pass + 1) / passes;
      VK(split_operands) o = {
          .chunks = end - first, .taps_y = c->taps_y, .taps_x = c->taps_x,
          .row_bytes = c->stride_x * RK_SPLIT_DEPTH * 2, .part = part, .chunk = chunk,
          .tap_row = c->dilation_y * s.width * RK_SPLIT_DEPTH,
          .tap_column = c->dilation_x * RK_SPLIT_DEPTH, .weight_block = weight_block};
      o.weights = block_weights + first * weight_chunk;
      for (ptrdiff_t r = 0; r < runs; r++)
        for (ptrdiff_t x = 0; x < run; x += 32) {
          o.input = parts + first * chunk +
              (r * c->stride_y * s.width + x * c->stride_x) * RK_SPLIT_DEPTH;
          VK(split_products)(
              &o, sums + (r * s.width + x) * 32, pass > 0, run - x > 16 ? 2 : 1, blocks);
        }
    }
    for (ptrdiff_t y = 0; y < row_count; y++) {
      const float *from = residual ? residual + block * c->residual_block + y * c->residual_row : 0;
      RK_FOR_KIND(
          c->finish.activation.kind,
          VK(split_write)(
              c, sums + y * s.width * 32, input + y * c->stride_y * c->in_row, block_weights,
              weight_block, bias, from, output + block * c->out_block + y * c->out_row, block, blocks,
              (vk_activation_kind)K))
    }
  }
  rk_amx_end();
}
