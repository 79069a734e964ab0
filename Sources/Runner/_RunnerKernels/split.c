#include "SplitKernels.h"

#include <string.h>

#include "dispatch.h"

/// Channels whose products one instruction adds up, and numbers of a tile: 16 rows of them.
#define RK_SPLIT_DEPTH 32
#define RK_SPLIT_TILE 512
/// The parts of a number.
#define RK_SPLIT_PARTS 3

static ptrdiff_t rk_split_chunks(ptrdiff_t inputs) {
  return (inputs + RK_SPLIT_DEPTH - 1) / RK_SPLIT_DEPTH;
}

/// How the parts of an input lie: [32 inputs][part][position][32], and the sums: [position][32].
typedef struct rk_split_input {
  ptrdiff_t rows, width;
  /// Pixels that follow each other, and are multiplied in pairs of tiles of so many rows; and how often.
  ptrdiff_t run, runs, tile_rows;
  /// All pixels under the taps, row after row, and what tiles read past the last.
  ptrdiff_t positions;
  /// From the sums of a row to the next, and all of them. Runs share none: those of several passes are added up.
  ptrdiff_t sum_row, sums;
} rk_split_input;

static rk_split_input rk_split_input_of(const rk_split_conv *c, ptrdiff_t row_count) {
  rk_split_input s;
  s.rows = (row_count - 1) * c->stride_y + (c->taps_y - 1) * c->dilation_y + 1;
  s.width = (c->out_width - 1) * c->stride_x + (c->taps_x - 1) * c->dilation_x + 1;
  // Without a stride all rows are one long row. Sums at its turns are not used.
  const int is_flat = c->stride_x == 1 && c->stride_y == 1;
  s.runs = is_flat ? 1 : row_count;
  s.run = is_flat ? (row_count - 1) * s.width + c->out_width : c->out_width;
  // Tiles of equally many rows, as the time of a product goes by them.
  const ptrdiff_t pairs = (s.run + 31) / 32;
  s.tile_rows = (s.run + 2 * pairs - 1) / (2 * pairs);
  const ptrdiff_t past = 2 * pairs * s.tile_rows - s.run;
  s.positions = s.rows * s.width + past * c->stride_x;
  s.sum_row = is_flat ? s.width : s.run + past;
  s.sums = s.runs * (s.run + past);
  return s;
}

ptrdiff_t rk_split_scratch(const rk_split_conv *c, ptrdiff_t row_count) {
  const rk_split_input s = rk_split_input_of(c, row_count);
  return rk_split_chunks(c->inputs) * RK_SPLIT_PARTS * s.positions * RK_SPLIT_DEPTH * 2 + s.sums * 128;
}

ptrdiff_t rk_split_packed_size(ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps) {
  return (outputs + 15) / 16 * rk_split_chunks(inputs) * taps * RK_SPLIT_PARTS * RK_SPLIT_TILE;
}

void rk_split_pack_weights(
    const float *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step, float alpha,
    uint16_t *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps) {
  for (ptrdiff_t o = 0; o < outputs; o += 16)
    for (ptrdiff_t i = 0; i < inputs; i += RK_SPLIT_DEPTH)
      for (ptrdiff_t t = 0; t < taps; t++, packed += RK_SPLIT_PARTS * RK_SPLIT_TILE) {
        float tile[RK_SPLIT_TILE] = {0}, widened[RK_SPLIT_TILE];
        for (ptrdiff_t k = 0; k < RK_SPLIT_DEPTH && i + k < inputs; k++) {
          const float *from = weights + o * output_step + (i + k) * input_step + t * tap_step;
          for (ptrdiff_t n = 0; n < 16 && o + n < outputs; n++)
            tile[k % 16 * 32 + n * 2 + k / 16] = alpha * from[n * output_step];
        }
        for (int part = 0; part < RK_SPLIT_PARTS; part++) {
          uint16_t *to = packed + part * RK_SPLIT_TILE;
          rk_f32_to_bf16(tile, to, RK_SPLIT_TILE);
          rk_bf16_to_f32(to, widened, RK_SPLIT_TILE);
          for (int k = 0; k < RK_SPLIT_TILE; k++) {
            if (__builtin_isinf(widened[k]) && !__builtin_isinf(tile[k])) {
              // The greatest numbers are rounded down, not to infinity.
              to[k]--;
              rk_bf16_to_f32(to + k, widened + k, 1);
            }
            // An infinite number has no other parts.
            tile[k] = __builtin_isinf(widened[k]) ? 0.0f : tile[k] - widened[k];
          }
        }
      }
}

#define VK_BODY "split_body.h"
#include "amx_level.h"

int rk_splits_products(void) { return vk_level() >= VK_LEVEL_AMX; }

void rk_split_conv_rows(
    const rk_split_conv *conv, const float *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count, void *scratch) {
#if VK_HAS_X86_LEVELS
  rk_split_conv_rows_amx(
      conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count,
      scratch);
#endif
}
