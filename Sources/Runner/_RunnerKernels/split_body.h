// Products of float32 numbers by parts. See SplitKernels.h.
//
// AMX's unit for products blocks one of the two ports that compute on vectors. So little is won by doing both at
// the same time: first the parts of all pixels are made, then tile after tile is multiplied and finished.

#include "amx.h"
#include "finish_body.h"
#include "kinds.h"

typedef vu VK(split_unaligned) __attribute__((aligned(4), may_alias));

/// Two vectors of numbers to a row of each part, `part` numbers apart: the first number of each pair is of `low`.
/// The parts are cut off, not rounded, so that no lanes have to be moved.
VK_INLINE void VK(split_row)(vf low, vf high, uint16_t *to, ptrdiff_t part) {
  const vu upper = (vu)0xffff0000u;
#pragma clang loop unroll(full)
  for (int p = 0; p < RK_SPLIT_PARTS; p++) {
    const vu first = v_bits(low), second = v_bits(high) & upper;
    *(VK(split_unaligned) *)(to + p * part) = first >> 16 | second;
    if (p == RK_SPLIT_PARTS - 1) break;
    low -= v_float(first & upper);
    high -= v_float(second);
  }
}

/// The parts of all pixels under the taps.
static void VK(split_input)(
    const rk_split_conv *c, const rk_split_input *s, const float *input, uint16_t *next) {
  const ptrdiff_t part = s->positions * RK_SPLIT_DEPTH, step = c->in_pixel;
  for (ptrdiff_t i = 0; i < c->inputs; i += RK_SPLIT_DEPTH, next += RK_SPLIT_PARTS * part) {
    const ptrdiff_t left = c->inputs - i;
    const ptrdiff_t low_count = left < 16 ? left : 16;
    const ptrdiff_t high_count = left < 32 ? left - low_count : 16;
    uint16_t *to = next;
    for (ptrdiff_t y = 0; y < s->rows; y++) {
      const float *low = input + i / 16 * c->in_block + y * c->in_row;
      // A block that is not there is not read.
      const float *high = high_count > 0 ? low + c->in_block : low;
      const float *const end = low + s->width * step;
      if (high_count == 16)
        for (; low < end; low += step, high += step, to += RK_SPLIT_DEPTH)
          VK(split_row)(v_load(low), v_load(high), to, part);
      else
        for (; low < end; low += step, high += step, to += RK_SPLIT_DEPTH)
          VK(split_row)(v_load_some(low, low_count), v_load_some(high, high_count), to, part);
    }
  }
}

typedef struct VK(split_operands) {
  const uint16_t *input, *weights;
  ptrdiff_t chunks, taps_y, taps_x;
  /// From a row of a tile to the next, in bytes; numbers to the second tile, and from a part, a group of channels
  /// and a tap to the next.
  ptrdiff_t row_bytes, second, part, chunk, tap_row, tap_column;
  /// Numbers from a block of weights to the next.
  ptrdiff_t weight_block;
  /// Rows of a tile.
  ptrdiff_t rows;
} VK(split_operands);

/// Sums of two tiles of pixels by `blocks` blocks of outputs (a constant where this is inlined), 32 floats a pixel.
/// If `adds` is not 0, they are added to what is there.
VK_INLINE void VK(split_tiles)(
    const VK(split_operands) *o, float *sums, int adds, const int blocks) {
  float *more = sums + o->rows * 32;
  if (adds) {
    _tile_loadd(0, sums, 128);
    _tile_loadd(2, more, 128);
    if (blocks > 1) _tile_loadd(1, sums + 16, 128);
    if (blocks > 1) _tile_loadd(3, more + 16, 128);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const ptrdiff_t step = o->row_bytes, part = o->part, second = o->second;
  const ptrdiff_t weight_block = o->weight_block;
  const uint16_t *w = o->weights;
#define RK_SPLIT_INPUT(p)                      \
  _tile_loadd(4, x + (p) * part, step);        \
  _tile_loadd(5, x + (p) * part + second, step);
#define RK_SPLIT_WEIGHTS(p)                    \
  _tile_loadd(6, w + (p) * RK_SPLIT_TILE, 64); \
  if (blocks > 1) _tile_loadd(7, w + (p) * RK_SPLIT_TILE + weight_block, 64);
#define RK_SPLIT_PRODUCTS()                    \
  _tile_dpbf16ps(0, 4, 6);                     \
  if (blocks > 1) _tile_dpbf16ps(1, 4, 7);     \
  _tile_dpbf16ps(2, 5, 6);                     \
  if (blocks > 1) _tile_dpbf16ps(3, 5, 7);
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
  _tile_stored(2, more, 128);
  if (blocks > 1) _tile_stored(1, sums + 16, 128);
  if (blocks > 1) _tile_stored(3, more + 16, 128);
}

static void VK(split_products)(const VK(split_operands) *o, float *sums, int adds, int blocks) {
  if (blocks > 1) VK(split_tiles)(o, sums, adds, 2);
  else VK(split_tiles)(o, sums, adds, 1);
}

/// Neighbouring output pixels of one row and a block, whose sums are 32 floats apart.
typedef struct VK(split_result) {
  float *sums;
  const float *input, *bias, *residual;
  const uint16_t *weights;
  float *output;
  ptrdiff_t pixels, outputs;
} VK(split_result);

/// A sum of 16 outputs by multiply-adds, from the numbers themselves and the sums of the weights' parts.
static vf VK(split_exact)(const rk_split_conv *c, const float *input, const uint16_t *weights) {
  vf sum = (vf)0.0f;
  for (ptrdiff_t i = 0; i < c->inputs; i++) {
    const ptrdiff_t chunk = i / RK_SPLIT_DEPTH, pair = i % 16;
    for (ptrdiff_t ty = 0; ty < c->taps_y; ty++)
      for (ptrdiff_t tx = 0; tx < c->taps_x; tx++) {
        const uint16_t *tile =
            weights + ((chunk * c->taps_y + ty) * c->taps_x + tx) * RK_SPLIT_PARTS * RK_SPLIT_TILE;
        vf weight = (vf)0.0f;
        for (int p = RK_SPLIT_PARTS - 1; p >= 0; p--) {
          const vu pairs = *(const VK(split_unaligned) *)(tile + p * RK_SPLIT_TILE + pair * 32);
          weight += v_float(i & 16 ? pairs & 0xffff0000u : pairs << 16);
        }
        const float x = input[i / 16 * c->in_block + i % 16 + ty * c->dilation_y * c->in_row +
                              tx * c->dilation_x * c->in_pixel];
        sum += x * weight;
      }
  }
  return sum;
}

/// Finishes sums and stores them, in a block that is `whole` or the last (a constant where this is inlined, like the
/// kind). Returns NaN in a lane if a sum there is not finite.
VK_INLINE vf VK(split_write_kind)(
    const rk_split_conv *c, const VK(split_result) * r, const vk_activation_kind kind, const int whole) {
  const vk_finish f = c->finish;
  const ptrdiff_t count = whole || c->writes_whole_blocks ? 16 : r->outputs;
  vf add = (vf)0.0f, check = (vf)0.0f;
  if (r->bias) add = whole ? v_load(r->bias) : v_load_some(r->bias, r->outputs);
  const float *sums = r->sums, *residual = r->residual;
  float *to = r->output;
  for (ptrdiff_t x = 0; x < r->pixels; x++, sums += 32, to += c->out_pixel) {
    const vf v = v_load(sums);
    check += v * 0.0f;
    VK(finish_some)(v + add, to, residual, count, &f, kind);
    if (residual) residual += c->residual_pixel;
  }
  return check;
}

static vf VK(split_write)(const rk_split_conv *c, const VK(split_result) * r) {
  vf check = (vf)0.0f;
  RK_FOR_KIND(c->finish.activation.kind, {
    if (r->outputs >= 16) check = VK(split_write_kind)(c, r, (vk_activation_kind)K, 1);
    else check = VK(split_write_kind)(c, r, (vk_activation_kind)K, 0);
  })
  return check;
}

static void VK(split_finish)(const rk_split_conv *c, const VK(split_result) * r) {
  const __m512 check = (__m512)VK(split_write)(c, r);
  if (__builtin_expect(_mm512_cmp_ps_mask(check, check, _CMP_UNORD_Q) == 0, 1)) return;
  // What came out as NaN is computed in another way.
  for (ptrdiff_t x = 0; x < r->pixels; x++) {
    const __m512 v = (__m512)v_load(r->sums + x * 32);
    if (_mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q) == 0) continue;
    v_store(
        r->sums + x * 32, VK(split_exact)(c, r->input + x * c->stride_x * c->in_pixel, r->weights));
  }
  VK(split_write)(c, r);
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
  float *all_sums = (float *)(parts + chunks * chunk);
  input += first_row * c->stride_y * c->in_row;
  output += first_row * c->out_row;
  if (residual) residual += first_row * c->residual_row;
  VK(split_input)(c, &s, input, parts);

  const ptrdiff_t weight_chunk = taps * RK_SPLIT_PARTS * RK_SPLIT_TILE;
  const ptrdiff_t weight_block = chunks * weight_chunk;
  // So many groups of channels at a time that their parts and two blocks of weights stay in the cache.
  const ptrdiff_t fitting = RK_SPLIT_CACHE / (2 * chunk + 4 * weight_chunk);
  const ptrdiff_t passes = fitting < 1 ? chunks : (chunks + fitting - 1) / fitting;
  const ptrdiff_t rows = s.tile_rows;

  rk_amx_begin(rows, 16);
  for (ptrdiff_t block = first_block; block < first_block + block_count; block += 2) {
    const int blocks = first_block + block_count - block < 2 ? 1 : 2;
    const uint16_t *block_weights = weights + block * weight_block;
    for (ptrdiff_t pass = 0; pass < passes; pass++) {
      const ptrdiff_t first = chunks * pass / passes, end = chunks * (pass + 1) / passes;
      VK(split_operands) o = {
          .weights = block_weights + first * weight_chunk, .chunks = end - first, .taps_y = c->taps_y,
          .taps_x = c->taps_x, .row_bytes = c->stride_x * RK_SPLIT_DEPTH * 2,
          .second = rows * c->stride_x * RK_SPLIT_DEPTH, .part = part, .chunk = chunk,
          .tap_row = c->dilation_y * s.width * RK_SPLIT_DEPTH,
          .tap_column = c->dilation_x * RK_SPLIT_DEPTH, .weight_block = weight_block, .rows = rows};
      for (ptrdiff_t r = 0; r < s.runs; r++)
        for (ptrdiff_t x = 0; x < s.run; x += 2 * rows) {
          o.input = parts + first * chunk +
              (r * c->stride_y * s.width + x * c->stride_x) * RK_SPLIT_DEPTH;
          VK(split_products)(&o, all_sums + (r * s.sum_row + x) * 32, pass > 0, blocks);
        }
    }
    for (ptrdiff_t y = 0; y < row_count; y++)
      for (int b = 0; b < blocks; b++) {
        const VK(split_result) result = {
            .sums = all_sums + y * s.sum_row * 32 + b * 16,
            .input = input + y * c->stride_y * c->in_row,
            .bias = bias ? bias + (block + b) * 16 : 0,
            .residual =
                residual ? residual + (block + b) * c->residual_block + y * c->residual_row : 0,
            .weights = block_weights + b * weight_block,
            .output = output + (block + b) * c->out_block + y * c->out_row,
            .pixels = c->out_width, .outputs = c->outputs - (block + b) * 16};
        VK(split_finish)(c, &result);
      }
  }
  rk_amx_end();
}
