// Narrow floats. See dispatch.h.

typedef uint16_t VK(vh) __attribute__((ext_vector_type(VK_WIDTH)));
typedef VK(vh) VK(unaligned_vh) __attribute__((aligned(2), may_alias));

VK_INLINE VK(vh) VK(load_half)(const uint16_t *p) { return *(const VK(unaligned_vh) *)p; }
VK_INLINE void VK(store_half)(uint16_t *p, VK(vh) v) { *(VK(unaligned_vh) *)p = v; }

VK_INLINE vf VK(widen_f16)(VK(vh) h) {
#if VK_THIS_LEVEL == 2
  return __builtin_bit_cast(vf, _mm512_cvtph_ps(__builtin_bit_cast(__m256i, h)));
#elif VK_THIS_LEVEL == 1
  return __builtin_bit_cast(vf, _mm256_cvtph_ps(__builtin_bit_cast(__m128i, h)));
#elif VK_HAS_LANES
  return __builtin_bit_cast(vf, vcvt_f32_f16(__builtin_bit_cast(float16x4_t, h)));
#else
  vu bits = __builtin_convertvector(h, vu);
  vu sign = (bits & 0x8000u) << 16, rest = bits & 0x7fffu;
  // Moved into place the exponent is 112 too small, which a product puts right, denormals included;
  // infinity and NaN keep the greatest exponent.
  vf scaled = v_float(rest << 13) * 0x1p112f;
  vu special = (rest << 13) | 0x7f800000u;
  vu is_special = __builtin_bit_cast(vu, (vi)(rest >= 0x7c00u));
  return v_float(sign | ((v_bits(scaled) & ~is_special) | (special & is_special)));
#endif
}

VK_INLINE VK(vh) VK(narrow_f16)(vf x) {
#if VK_THIS_LEVEL == 2
  return __builtin_bit_cast(
      VK(vh), _mm512_cvtps_ph(__builtin_bit_cast(__m512, x), _MM_FROUND_TO_NEAREST_INT));
#elif VK_THIS_LEVEL == 1
  return __builtin_bit_cast(
      VK(vh), _mm256_cvtps_ph(__builtin_bit_cast(__m256, x), _MM_FROUND_TO_NEAREST_INT));
#elif VK_HAS_LANES
  return __builtin_bit_cast(VK(vh), vcvt_f16_f32(__builtin_bit_cast(float32x4_t, x)));
#else
  vu bits = v_bits(x);
  vu sign = (bits & 0x80000000u) >> 16, rest = bits & 0x7fffffffu;
  // Below 2^-14 the result is denormal: adding 0.5 leaves its bits, rounded, at the low end.
  vu denormal = v_bits(v_float(rest) + 0.5f) - 0x3f000000u;
  vu normal = (rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u)) >> 13;
  vu nan = 0x7e00u | ((rest >> 13) & 0x3ffu);
  vu is_denormal = __builtin_bit_cast(vu, (vi)(rest < 0x38800000u));
  vu is_huge = __builtin_bit_cast(vu, (vi)(rest >= 0x477ff000u));
  vu is_nan = __builtin_bit_cast(vu, (vi)(rest > 0x7f800000u));
  vu h = (denormal & is_denormal) | (normal & ~is_denormal);
  h = (h & ~is_huge) | ((vu)0x7c00u & is_huge);
  h = (h & ~is_nan) | (nan & is_nan);
  return __builtin_convertvector(sign | h, VK(vh));
#endif
}

VK_INLINE vf VK(widen_bf16)(VK(vh) h) { return v_float(__builtin_convertvector(h, vu) << 16); }

VK_INLINE VK(vh) VK(narrow_bf16)(vf x) {
  vu bits = v_bits(x);
  vu rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  vu nan = (bits >> 16) | 0x40u;
  vu is_nan = __builtin_bit_cast(vu, (vi)((bits & 0x7fffffffu) > 0x7f800000u));
  return __builtin_convertvector((rounded & ~is_nan) | (nan & is_nan), VK(vh));
}

// Four short vectors a turn, so that counting takes less than converting.
#undef RK_UNROLLED
#if VK_HAS_LANES
#define RK_UNROLLED _Pragma("clang loop unroll_count(4)")
#else
#define RK_UNROLLED
#endif

// The last few values go through a vector of their own.
#define RK_WIDEN(name, convert)                                                        \
  static void VK(name)(const uint16_t *x, float *y, ptrdiff_t count) {                 \
    ptrdiff_t i = 0;                                                                   \
    RK_UNROLLED                                                                        \
    for (; i + VK_WIDTH <= count; i += VK_WIDTH)                                       \
      v_store(y + i, VK(convert)(VK(load_half)(x + i)));                               \
    if (i < count) {                                                                   \
      uint16_t lanes[VK_WIDTH] = {0};                                                  \
      for (ptrdiff_t k = i; k < count; k++) lanes[k - i] = x[k];                       \
      v_store_some(y + i, VK(convert)(VK(load_half)(lanes)), count - i);               \
    }                                                                                  \
  }
#define RK_NARROW(name, convert)                                                       \
  static void VK(name)(const float *x, uint16_t *y, ptrdiff_t count) {                 \
    ptrdiff_t i = 0;                                                                   \
    RK_UNROLLED                                                                        \
    for (; i + VK_WIDTH <= count; i += VK_WIDTH)                                       \
      VK(store_half)(y + i, VK(convert)(v_load(x + i)));                               \
    if (i < count) {                                                                   \
      uint16_t lanes[VK_WIDTH];                                                        \
      VK(store_half)(lanes, VK(convert)(v_load_some(x + i, count - i)));               \
      for (ptrdiff_t k = i; k < count; k++) y[k] = lanes[k - i];                       \
    }                                                                                  \
  }

RK_WIDEN(rk_f16_to_f32, widen_f16)
RK_NARROW(rk_f32_to_f16, narrow_f16)
RK_WIDEN(rk_bf16_to_f32, widen_bf16)
RK_NARROW(rk_f32_to_bf16, narrow_bf16)

static void VK(rk_f32_to_bf16_pairs)(
    const float *x, const float *y, uint16_t *z, ptrdiff_t pixels) {
  for (ptrdiff_t p = 0; p < pixels; p++, x += 16, z += 32) {
    for (int i = 0; i < 16; i += VK_WIDTH) VK(store_half)(z + i, VK(narrow_bf16)(v_load(x + i)));
    for (int i = 0; i < 16; i += VK_WIDTH)
      VK(store_half)(
          z + 16 + i, VK(narrow_bf16)(y ? v_load(y + p * 16 + i) : (vf)0.0f));
  }
}

#undef RK_WIDEN
#undef RK_NARROW
