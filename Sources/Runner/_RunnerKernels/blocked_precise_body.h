// Sums that lose less, for the layers next to the image, at one level. See blocked.c for the layout.

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
      const ptrdiff_t fours = VK_HAS_LANES ? o->last_depth & ~3 : 0;
#if VK_HAS_LANES
      for (ptrdiff_t c = 0; c < fours; c += 4)
        VK(v_lane_products)(
            part, pixels, 1, RK_LANES, pixels, pixel + c, o->pixel_step, weights + c * RK_BLOCK,
            RK_BLOCK);
#endif
      for (ptrdiff_t c = fours; c < o->last_depth; c++) {
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
#if VK_HAS_LANES
  switch (pixels) {
#define RK_COMPUTE(p, b) VK(rk_tapwise_products)(o, acc, p, b)
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_PRECISE_TILE
#include "tile_cases.h"
#undef RK_COMPUTE
  }
#else
  if (pixels == 1)
    VK(rk_tapwise_products)(o, acc, 1, 1);
  else
    VK(rk_tapwise_products)(o, acc, RK_PRECISE_TILE, 1);
#endif
}
