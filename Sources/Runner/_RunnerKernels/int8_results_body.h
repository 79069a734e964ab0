// What becomes of the sums of products of 8-bit integers, at one level. See Int8Kernels.h.

#include "tile_sizes.h"

typedef vi VK(q8_unaligned_vi) __attribute__((aligned(1), may_alias));
typedef uint8_t VK(q8_bytes) __attribute__((ext_vector_type(VK_WIDTH)));
typedef int8_t VK(q8_signed) __attribute__((ext_vector_type(VK_WIDTH)));
typedef VK(q8_bytes) VK(q8_unaligned_bytes) __attribute__((aligned(1), may_alias));

VK_INLINE vi VK(q8_load)(const void *p) { return *(const VK(q8_unaligned_vi) *)p; }

/// The nearest integers, ties to even; |x| must be below 2^22.
VK_INLINE vi VK(q8_round)(vf x) {
  vf shifted = x + 12582912.0f;
  return __builtin_bit_cast(vi, v_bits(shifted) - 0x4b400000u);
}

/// round(x) + zero, kept in range; NaN gives `low`.
VK_INLINE vi VK(q8_quantized)(vf x, int32_t zero, int32_t low, int32_t high) {
  const vf least = (vf)(float)(low - zero), greatest = (vf)(float)(high - zero);
  x = x > least ? x : least;
  x = x < greatest ? x : greatest;
  return VK(q8_round)(x) + zero;
}

VK_INLINE void VK(q8_store_bytes)(uint8_t *to, vi v, ptrdiff_t count) {
  VK(q8_bytes) bytes = __builtin_convertvector(v, VK(q8_bytes));
  if (count >= VK_WIDTH) {
    *(VK(q8_unaligned_bytes) *)to = bytes;
    return;
  }
#if VK_THIS_LEVEL == VK_LEVEL_AVX512
  _mm_mask_storeu_epi8(to, (__mmask16)((1u << count) - 1), __builtin_bit_cast(__m128i, bytes));
  return;
#endif
  for (ptrdiff_t i = 0; i < count; i++) to[i] = ((const uint8_t *)&bytes)[i];
}

VK_INLINE vi VK(q8_widened)(const uint8_t *p) {
  return __builtin_convertvector(*(const VK(q8_unaligned_bytes) *)p, vi);
}

/// One vector of results: `count` of them count, from output channel `o` on.
VK_INLINE void VK(q8_write)(
    vi sum, ptrdiff_t o, ptrdiff_t count, const rk_q8_finish *f, void *output, ptrdiff_t at,
    const rk_q8_result result, const vk_activation_kind kind) {
  sum += VK(q8_load)(f->offset + o);
  if (result == RK_Q8_INT32) {
    int32_t *to = (int32_t *)output + at;
    if (count >= VK_WIDTH)
      *(VK(q8_unaligned_vi) *)to = sum;
    else
      for (ptrdiff_t i = 0; i < count; i++) to[i] = ((const int32_t *)&sum)[i];
    return;
  }
  vf v = __builtin_convertvector(sum, vf) * v_load(f->scale + o);
  if (f->bias) v = v + v_load(f->bias + o);
  v = v_activate(v, kind, f->activation.alpha, f->activation.beta);
  if (result == RK_Q8_FLOAT) {
    v_store_some((float *)output + at, v, count);
    return;
  }
  if (kind != VK_IDENTITY || f->inverse != 1.0f) v = v * f->inverse;
  VK(q8_store_bytes)(
      (uint8_t *)output + at, VK(q8_quantized)(v, f->zero, f->low, f->high), count);
}

#undef RK_Q8_FOR_RESULT
/// Bytes mostly have no activation of their own: a table does it afterwards.
#define RK_Q8_FOR_RESULT(call)                                                                \
  if (f->result == RK_Q8_INT32) {                                                             \
    enum { R = RK_Q8_INT32, K = VK_IDENTITY }; call;                                          \
  } else if (f->result == RK_Q8_BYTE && f->activation.kind == VK_IDENTITY) {                  \
    enum { R = RK_Q8_BYTE, K = VK_IDENTITY }; call;                                           \
  } else if (f->result == RK_Q8_FLOAT && f->activation.kind == VK_IDENTITY) {                 \
    enum { R = RK_Q8_FLOAT, K = VK_IDENTITY }; call;                                          \
  } else {                                                                                    \
    const rk_q8_result R = f->result; const vk_activation_kind K = f->activation.kind; call;  \
  }

/// `ones` are the sums of the pixels' inputs, if the weights' zero points need them.
VK_INLINE void VK(q8_write_tile)(
    const vi *acc, const int32_t *ones, int pixels, int blocks, ptrdiff_t block, ptrdiff_t outputs,
    const rk_q8_finish *f, void *output, ptrdiff_t out_pixel, const rk_q8_result result,
    const vk_activation_kind kind) {
  for (int b = 0; b < blocks * RK_LANES; b++) {
    const ptrdiff_t o = block * 16 + b * VK_WIDTH;
    if (o >= outputs) break;
    for (int p = 0; p < pixels; p++) {
      vi sum = acc[b * pixels + p];
      if (ones) sum -= (vi)ones[p] * VK(q8_load)(f->weight_zero + o);
      VK(q8_write)(sum, o, outputs - o, f, output, p * out_pixel + o, result, kind);
    }
  }
}

static inline void *VK(q8_at)(void *output, rk_q8_result result, ptrdiff_t index) {
  return (char *)output + index * (result == RK_Q8_BYTE ? 1 : 4);
}
