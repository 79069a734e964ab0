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

/// Four neighbouring bytes in all lanes, with some of their bits turned.
VK_INLINE int8x16_t VK(q8_spread)(const uint8_t *p, uint32_t turned) {
  uint32_t four;
  __builtin_memcpy(&four, p, 4);
  vu all = (vu)four;
  // Seeing through this, clang would turn the bits before it spreads them, and would not take the
  // instructions for high halves.
  __asm__("" : "+w"(all));
  return __builtin_bit_cast(int8x16_t, all ^ turned);
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
    ptrdiff_t c = 0;
    for (; c + 2 <= depth; c += 2) {
      VK(q8_count)(weights + c * 64, 0, all, odd);
      VK(q8_count)(weights + (c + 1) * 64, 1, all, odd);
    }
    if (c < depth) VK(q8_count)(weights + c * 64, 0, all, odd);
  }
  for (int l = 0; l < RK_LANES; l++) start[l] = all[l] * 128 - odd[l];
}

#if VK_DOT
/// sum + the four products of each lane of w with those of x in lane k.
VK_INLINE vi VK(q8_dot)(vi sum, int8x16_t w, int8x16_t x, const int k) {
  const int8x16_t four = __builtin_bit_cast(int8x16_t, (vi)__builtin_bit_cast(vi, x)[k]);
  return __builtin_bit_cast(vi, vdotq_s32(__builtin_bit_cast(int32x4_t, sum), w, four));
}
#endif

/// The products of `turns` times four inputs of each pixel: of 1 or 4 with SDOT, of 1 or 2 without,
/// when sum[2 (l pixels + p)] is that of the first half of four outputs. `pixels` and `turns` are
/// constants.
VK_INLINE void VK(q8_turns)(
    const uint8_t *pixel, ptrdiff_t step, const int8_t *weights, vi *sum, const int pixels,
    const int turns) {
#if VK_DOT
  int8x16_t x[RK_Q8_TILE(1)];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++)
    x[p] = turns == 4 ? VK(q8_load_q)(pixel + p * step) ^ (int8x16_t)vdupq_n_u8(128)
                      : VK(q8_spread)(pixel + p * step, 0x80808080u);
#pragma clang loop unroll(full)
  for (int k = 0; k < turns; k++)
#pragma clang loop unroll(full)
    for (int l = 0; l < RK_LANES; l++) {
      const int8x16_t w = VK(q8_load_q)(weights + k * 64 + l * 16);
#pragma clang loop unroll(full)
      for (int p = 0; p < pixels; p++)
        sum[l * pixels + p] = VK(q8_dot)(sum[l * pixels + p], w, x[p], k);
    }
#else
  int8x16_t even[RK_Q8_TILE(1)], odd[RK_Q8_TILE(1)];
#pragma clang loop unroll(full)
  for (int p = 0; p < pixels; p++) {
    even[p] = VK(q8_spread)(pixel + p * step, 0x80808080u);
    if (turns == 2) odd[p] = VK(q8_spread)(pixel + p * step + 4, 0x7f7f7f7fu);
  }
#pragma clang loop unroll(full)
  for (int l = 0; l < RK_LANES; l++) {
    const int8x16_t w = VK(q8_load_q)(weights + l * 16);
    const int8x16_t next = turns == 2 ? VK(q8_load_q)(weights + 64 + l * 16) : w;
#pragma clang loop unroll(full)
    for (int p = 0; p < pixels; p++) {
      vi *to = sum + 2 * (l * pixels + p);
      int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(even[p]));
      int16x8_t high = vmull_high_s8(w, even[p]);
      if (turns == 2) {
        low = vmlsl_s8(low, vget_low_s8(next), vget_low_s8(odd[p]));
        high = vmlsl_high_s8(high, next, odd[p]);
      }
      to[0] = __builtin_bit_cast(vi, vpadalq_s16(__builtin_bit_cast(int32x4_t, to[0]), low));
      to[1] = __builtin_bit_cast(vi, vpadalq_s16(__builtin_bit_cast(int32x4_t, to[1]), high));
      VK_FINISHED(to[1]);
    }
  }
#endif
}

/// acc[lanes][pixel]; `pixels` is a constant wherever this is inlined. One pixel counts its weights
/// itself, as it reads them once.
VK_INLINE void VK(q8_tile)(
    const VK(q8_operands) *o, vi *acc, const int pixels, const int blocks) {
  enum { parts = VK_DOT ? 1 : 2, turns = VK_DOT ? 4 : 2 };
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
      for (; c + turns <= depth; c += turns) {
        VK(q8_turns)(pixel + c * 4, step, weights + c * 64, sum, pixels, turns);
        if (pixels == 1)
#pragma clang loop unroll(full)
          for (int k = 0; k < turns; k++) VK(q8_count)(weights + (c + k) * 64, k & 1, all, odd);
      }
      for (; c < depth; c++) {
        VK(q8_turns)(pixel + c * 4, step, weights + c * 64, sum, pixels, 1);
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
