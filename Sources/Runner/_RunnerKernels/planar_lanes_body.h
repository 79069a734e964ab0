// Convolution from planes to channel blocks by lanes: for rows of taps that lie side by side, of
// the common sizes. See blocked_planar_body.h.

/// acc[v * pixels + p], of `vectors` of a block from the weights' on; all but the operands and
/// `step` are constants. The values of the image that a row of taps sees are loaded once, and their
/// lanes taken.
VK_INLINE void VK(rk_planar_lanes)(
    const VK(rk_planar_operands) *o, const float *weights, ptrdiff_t step, const int taps,
    const int pixel_step, const int pixels, const int vectors, vf *acc) {
  enum { most = 8 };
  // As many weights as there are registers for.
  const int together = taps > 3 ? 1 : 2;
  const int count = (pixels - 1) * pixel_step + taps, last = (count - 1) / VK_WIDTH;
  vf sum[RK_LANES * RK_PLANAR_PIXELS];
#pragma clang loop unroll(full)
  for (int i = 0; i < vectors * pixels; i++) sum[i] = (vf)0.0f;
  // One loop over the rows of all channels: of two, clang would copy the sums from one to the
  // other.
  const float *row = o->input;
  const float *end = weights + o->channels * o->taps_y * taps * step;
  const ptrdiff_t tap_row = o->tap_row, next_plane = o->plane - (o->taps_y - 1) * tap_row;
  for (ptrdiff_t left = o->taps_y; weights < end; weights += taps * step) {
    vf x[most];
#pragma clang loop unroll(full)
    for (int l = 0; l < vectors; l += together) {
      vf w[2 * most];
#pragma clang loop unroll(full)
      for (int i = 0; i < taps * together; i++)
        w[i] = v_load(weights + i / together * step + (l + i % together) * VK_WIDTH);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++) {
        // Each vector of the image when it is first wanted. The last one ends with the last value.
        const int end = p * pixel_step + taps - 1;
        const int before = p > 0 ? (end - pixel_step) / VK_WIDTH : -1;
#pragma clang loop unroll(full)
        for (int i = before + 1; l == 0 && i <= end / VK_WIDTH; i++)
          x[i] = v_load(row + (i < last ? i * VK_WIDTH : count - VK_WIDTH));
#pragma clang loop unroll(full)
        for (int v = 0; v < together; v++) {
          vf part;
#pragma clang loop unroll(full)
          for (int tap = 0; tap < taps; tap++) {
            const int i = p * pixel_step + tap, in = i / VK_WIDTH;
            const float value = in < last ? x[in][i % VK_WIDTH] : x[last][i + VK_WIDTH - count];
            const vf weight = w[tap * together + v];
            part = tap == 0 ? v_set(value) * weight : part + v_set(value) * weight;
          }
          vf *to = sum + (l + v) * pixels + p;
          *to = *to + part;
          VK_FINISHED(*to);
        }
      }
    }
    row += --left == 0 ? next_plane : tap_row;
    left = left == 0 ? o->taps_y : left;
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < vectors * pixels; i++) acc[i] = sum[i];
}

// The common shapes: taps in a row, and how far apart the pixels are. RK_PLANAR_SHAPE is what is
// done with each.
#define RK_PLANAR_SHAPES                        \
  RK_PLANAR_SHAPE(3, 1) RK_PLANAR_SHAPE(3, 2)   \
  RK_PLANAR_SHAPE(6, 2) RK_PLANAR_SHAPE(7, 2)

// Each shape is a function of its own, as clang finds better registers then.
#define RK_PLANAR_SHAPE(taps, pixel_step)                                                       \
  __attribute__((noinline)) static void VK(rk_planar_##taps##_##pixel_step)(                    \
      const VK(rk_planar_operands) *o, const float *weights, ptrdiff_t step, vf *acc) {         \
    VK(rk_planar_lanes)(o, weights, step, taps, pixel_step, RK_PLANAR_##taps##_##pixel_step, acc); \
  }
RK_PLANAR_SHAPES
#undef RK_PLANAR_SHAPE

/// Pixels that are computed together if a row of taps and a distance of pixels are common, or 0.
static int VK(rk_planar_lane_pixels)(const rk_blocked_conv *c) {
#define RK_PLANAR_SHAPE(taps, pixel_step)                                \
  if (c->kernel_width == taps && c->stride_x == pixel_step)              \
    pixels = (const int[]){RK_PLANAR_##taps##_##pixel_step}[0];
  int pixels = 0;
  RK_PLANAR_SHAPES
#undef RK_PLANAR_SHAPE
  return c->dilation_x == 1 && c->out_width >= pixels ? pixels : 0;
}

/// Their sums, of one block.
static void VK(rk_planar_lane_products)(
    const VK(rk_planar_operands) *o, ptrdiff_t step, vf *acc) {
#define RK_PLANAR_SHAPE(kernel, distance)                                                          \
  if (o->taps_x == kernel && o->pixel_step == distance) {                                          \
    const int tile[] = {RK_PLANAR_##kernel##_##distance};                                          \
    for (int v = 0; v < RK_LANES; v += tile[1])                                                    \
      VK(rk_planar_##kernel##_##distance)(                                                         \
          o, o->weights + v * VK_WIDTH, step, acc + v * tile[0]);                                  \
  }
  RK_PLANAR_SHAPES
#undef RK_PLANAR_SHAPE
}
#undef RK_PLANAR_SHAPES
