// Narrow floats. See dispatch.h.

typedef uint16_t RK(vh) __attribute__((ext_vector_type(RK_WIDTH)));
typedef RK(vh) RK(unaligned_vh) __attribute__((aligned(2), may_alias));

RK_INLINE RK(vh) RK(load_half)(const uint16_t *p) { return *(const RK(unaligned_vh) *)p; }
RK_INLINE void RK(store_half)(uint16_t *p, RK(vh) v) { *(RK(unaligned_vh) *)p = v; }

RK_INLINE vf RK(widen_f16)(RK(vh) h) {
#if RK_THIS_LEVEL == 2
  return __builtin_bit_cast(vf, _mm512_cvtph_ps(__builtin_bit_cast(__m256i, h)));
#elif RK_THIS_LEVEL == 1
  return __builtin_bit_cast(vf, _mm256_cvtph_ps(__builtin_bit_cast(__m128i, h)));
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

RK_INLINE RK(vh) RK(narrow_f16)(vf x) {
#if RK_THIS_LEVEL == 2
  return __builtin_bit_cast(
      RK(vh), _mm512_cvtps_ph(__builtin_bit_cast(__m512, x), _MM_FROUND_TO_NEAREST_INT));
#elif RK_THIS_LEVEL == 1
  return __builtin_bit_cast(
      RK(vh), _mm256_cvtps_ph(__builtin_bit_cast(__m256, x), _MM_FROUND_TO_NEAREST_INT));
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
  return __builtin_convertvector(sign | h, RK(vh));
#endif
}

RK_INLINE vf RK(widen_bf16)(RK(vh) h) { return v_float(__builtin_convertvector(h, vu) << 16); }

RK_INLINE RK(vh) RK(narrow_bf16)(vf x) {
  vu bits = v_bits(x);
  vu rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  vu nan = (bits >> 16) | 0x40u;
  vu is_nan = __builtin_bit_cast(vu, (vi)((bits & 0x7fffffffu) > 0x7f800000u));
  return __builtin_convertvector((rounded & ~is_nan) | (nan & is_nan), RK(vh));
}

// The last few values go through a vector of their own.
#define RK_WIDEN(name, convert)                                                        \
  static void RK(name)(const uint16_t *x, float *y, ptrdiff_t count) {                 \
    ptrdiff_t i = 0;                                                                   \
    for (; i + RK_WIDTH <= count; i += RK_WIDTH)                                       \
      v_store(y + i, RK(convert)(RK(load_half)(x + i)));                               \
    if (i < count) {                                                                   \
      uint16_t lanes[RK_WIDTH] = {0};                                                  \
      for (ptrdiff_t k = i; k < count; k++) lanes[k - i] = x[k];                       \
      v_store_some(y + i, RK(convert)(RK(load_half)(lanes)), count - i);               \
    }                                                                                  \
  }
#define RK_NARROW(name, convert)                                                       \
  static void RK(name)(const float *x, uint16_t *y, ptrdiff_t count) {                 \
    ptrdiff_t i = 0;                                                                   \
    for (; i + RK_WIDTH <= count; i += RK_WIDTH)                                       \
      RK(store_half)(y + i, RK(convert)(v_load(x + i)));                               \
    if (i < count) {                                                                   \
      uint16_t lanes[RK_WIDTH];                                                        \
      RK(store_half)(lanes, RK(convert)(v_load_some(x + i, count - i)));               \
      for (ptrdiff_t k = i; k < count; k++) y[k] = lanes[k - i];                       \
    }                                                                                  \
  }

RK_WIDEN(rk_f16_to_f32, widen_f16)
RK_NARROW(rk_f32_to_f16, narrow_f16)
RK_WIDEN(rk_bf16_to_f32, widen_bf16)
RK_NARROW(rk_f32_to_bf16, narrow_bf16)

#undef RK_WIDEN
#undef RK_NARROW
