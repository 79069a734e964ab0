// Products of 8-bit integers on 64-bit ARM. See int8_body.h.
//
// The instructions multiply signed bytes with signed ones, so 128 is taken from each input by a
// change of its highest bit, and 128 times the sum of the weights is added back: that is where sums
// begin.
//
// Without SDOT two products are added in 16 bits before they are widened. Two of -128 by -128 would
// not fit there. So every second input x is taken as -1 - x, its product is taken away instead of
// added, and the sums, which are too great by every second weight then, begin so much lower.

typedef int8x16_t VK(q8_unaligned_q) __attribute__((aligned(1), may_alias));

VK_INLINE int8x16_t VK(q8_load_q)(const void *p) { return *(const VK(q8_unaligned_q) *)p; }

/// Four neighbouring bytes in all lanes, made signed.
VK_INLINE int8x16_t VK(q8_spread)(const uint8_t *p) {
  uint32_t four;
  __builtin_memcpy(&four, p, 4);
  return __builtin_bit_cast(int8x16_t, (vu)four ^ 0x80808080u);
}

/// Lane k of x in all lanes. Seeing that halves are the same, clang would not take the instructions
/// for high halves.
VK_INLINE int8x16_t VK(q8_lane)(int8x16_t x, const int k) {
  vi lane = (vi)__builtin_bit_cast(vi, x)[k];
#if !VK_DOT
  __asm__("" : "+w"(lane));
#endif
  return __builtin_bit_cast(int8x16_t, lane);
}

/// Counts the weights of 16 outputs by 4 inputs: all[l] gets the sums of four, and so does odd[l]
/// every second turn.
VK_INLINE void VK(q8_count)(const int8_t *weights, const int is_odd, vi *all, vi *odd) {
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_LANES; l++) {
    const int8x16_t w = VK(q8_load_q)(weights + l * 16);
#if VK_DOT
    all[l] = __builtin_bit_cast(
        vi, vdotq_s32(__builtin_bit_cast(int32x4_t, all[l]), w, vdupq_n_s8(1)));
#else
    const vi sum = __builtin_bit_cast(vi, vpaddlq_s16(vpaddlq_s8(w)));
    all[l] += sum;
    if (is_odd) odd[l] += sum;
#endif
  }
}

/// Where sums begin that take these weights, of `taps` times 4 `depth` inputs.
static void VK(q8_start)(const int8_t *weights, ptrdiff_t taps, ptrdiff_t depth, vi *start) {
  vi all[RK_LANES], odd[RK_LANES];
  for (int l = 0; l < RK_LANES; l++) all[l] = odd[l] = (vi)0;
  for (ptrdiff_t tap = 0; tap < taps; tap++, weights += depth * 64) {
    for (ptrdiff_t c = 0; c < depth; c++)
      if (c & 1 && c < (depth & ~3))
        VK(q8_count)(weights + c * 64, 1, all, odd);
      else
        VK(q8_count)(weights + c * 64, 0, all, odd);
  }
  for (int l = 0; l < RK_LANES; l++) start[l] = all[l] * 128 - odd[l];
}

#if VK_DOT
/// sum + the four products of each lane of x and w.
VK_INLINE vi VK(q8_dot)(vi sum, int8x16_t x, int8x16_t w) {
  return __builtin_bit_cast(vi, vdotq_s32(__builtin_bit_cast(int32x4_t, sum), w, x));
}
#else
/// to[0] and to[1], of the first and the last two outputs, + the products of each half of a lane of
/// x and w, and of y and v less the weights of v, if there are such.
VK_INLINE void VK(q8_dot)(
    vi *to, int8x16_t x, int8x16_t w, const int is_pair, int8x16_t y, int8x16_t v) {
  int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(x)), high = vmull_high_s8(w, x);
  if (is_pair) {
    low = vmlsl_s8(low, vget_low_s8(v), vget_low_s8(y));
    high = vmlsl_high_s8(high, v, y);
  }
  to[0] = __builtin_bit_cast(vi, vpadalq_s16(__builtin_bit_cast(int32x4_t, to[0]), low));
  to[1] = __builtin_bit_cast(vi, vpadalq_s16(__builtin_bit_cast(int32x4_t, to[1]), high));
  VK_FINISHED(to[0]);
  VK_FINISHED(to[1]);
}
#endif

/// The products of four times four inputs of each pixel; `pixels` is a constant. sum[l * pixels +
/// p] is one vector, or two without SDOT.
VK_INLINE void VK(q8_four)(
    const uint8_t *pixel, ptrdiff_t step, const int8_t *weights, vi *sum, const int pixels) {
  // Every second input as -1 - x without SDOT.
  const vu turned = {0x80808080u, VK_DOT ? 0x80808080u : 0x7f7f7f7fu, 0x80808080u,
                     VK_DOT ? 0x80808080u : 0x7f7f7f7fu};
  int8x16_t x[RK_Q8_TILE(1)];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++)
    x[p] = VK(q8_load_q)(pixel + p * step) ^ __builtin_bit_cast(int8x16_t, turned);
#if VK_DOT
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const int8x16_t w = VK(q8_load_q)(weights + k * 64 + l * 16);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        sum[l * pixels + p] = VK(q8_dot)(sum[l * pixels + p], VK(q8_lane)(x[p], k), w);
    }
#else
#pragma clang loop unroll(full)
  for (int k = 0; k < 4; k += 2) {
    int8x16_t even[RK_Q8_TILE(1)], odd[RK_Q8_TILE(1)];
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p++) {
      even[p] = VK(q8_lane)(x[p], k);
      odd[p] = VK(q8_lane)(x[p], k + 1);
    }
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const int8x16_t w = VK(q8_load_q)(weights + k * 64 + l * 16);
      const int8x16_t v = VK(q8_load_q)(weights + (k + 1) * 64 + l * 16);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        VK(q8_dot)(sum + 2 * (l * pixels + p), even[p], w, 1, odd[p], v);
    }
  }
#endif
}

/// The same for one time four inputs.
VK_INLINE void VK(q8_one)(
    const uint8_t *pixel, ptrdiff_t step, const int8_t *weights, vi *sum, const int pixels) {
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) {
    const int8x16_t x = VK(q8_spread)(pixel + p * step);
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const int8x16_t w = VK(q8_load_q)(weights + l * 16);
#if VK_DOT
      sum[l * pixels + p] = VK(q8_dot)(sum[l * pixels + p], x, w);
#else
      VK(q8_dot)(sum + 2 * (l * pixels + p), x, w, 0, x, w);
#endif
    }
  }
}

/// acc[lanes][pixel]; `pixels` is a constant wherever this is inlined. One pixel counts its weights
/// itself, as it reads them once.
VK_INLINE void VK(q8_tile)(
    const VK(q8_operands) *o, vi *acc, const int pixels, const int blocks) {
  enum { parts = VK_DOT ? 1 : 2 };
  vi sum[parts * RK_LANES * RK_Q8_TILE(1)], all[RK_LANES], odd[RK_LANES];
#pragma clang loop unroll(full)
  for (int i = 0; i < parts * RK_LANES * pixels; i++) sum[i] = (vi)0;
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_LANES; l++) all[l] = odd[l] = (vi)0;
  const int8_t *weights = o->weights;
  const ptrdiff_t step = o->pixel_step, depth = o->depth;
  for (ptrdiff_t ty = 0; ty < o->taps_y; ty++)
    for (ptrdiff_t tx = 0; tx < o->taps_x; tx++, weights += depth * 64) {
      const uint8_t *pixel = o->input + ty * o->tap_row + tx * o->tap_column;
      ptrdiff_t c = 0;
      for (; c + 4 <= depth; c += 4) {
        VK(q8_four)(pixel + c * 4, step, weights + c * 64, sum, pixels);
        if (pixels == 1)
#pragma clang loop unroll(full)
          for (int k = 0; k < 4; k++) VK(q8_count)(weights + (c + k) * 64, k & 1, all, odd);
      }
      for (; c < depth; c++) {
        VK(q8_one)(pixel + c * 4, step, weights + c * 64, sum, pixels);
        if (pixels == 1) VK(q8_count)(weights + c * 64, 0, all, odd);
      }
    }
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_LANES; l++) {
    const vi start = pixels == 1 ? all[l] * 128 - odd[l] : o->start[l];
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p++) {
      const vi *from = sum + parts * (l * pixels + p);
      acc[l * pixels + p] = start +
#if VK_DOT
          from[0];
#else
          __builtin_bit_cast(
              vi, vpaddq_s32(
                      __builtin_bit_cast(int32x4_t, from[0]),
                      __builtin_bit_cast(int32x4_t, from[1])));
#endif
    }
  }
}
