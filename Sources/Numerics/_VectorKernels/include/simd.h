// Vector types and helpers at the width of the level being compiled. Included by levels.h, once a
// level, on purpose without a guard.
//
// Multiplications and additions in one expression become fused ones where the level has them
// (clang's default contraction); nothing else is reassociated.

#undef vf
#undef vi
#undef vu
#undef VK_INLINE
#define VK_INLINE static inline __attribute__((always_inline, unused))
#define vf VK(vk_vf)
#define vi VK(vk_vi)
#define vu VK(vk_vu)

typedef float vf __attribute__((ext_vector_type(VK_WIDTH)));
typedef int32_t vi __attribute__((ext_vector_type(VK_WIDTH)));
typedef uint32_t vu __attribute__((ext_vector_type(VK_WIDTH)));
typedef vf VK(vk_unaligned_vf) __attribute__((aligned(4), may_alias));

// Names without the level, for the body in between.
#undef v_load
#undef v_store
#undef v_load_some
#undef v_store_some
#undef v_set
#undef v_bits
#undef v_float
#undef v_abs
#undef v_min
#undef v_max
#undef v_nan_min
#undef v_nan_max
#undef v_sum
#undef v_exp
#undef v_expm1
#undef v_sigmoid
#undef v_reciprocal_near_one
#undef v_tanh
#undef v_silu
#undef v_erf
#undef v_gelu
#undef v_tanh_gelu
#undef v_activate
#define v_load VK(v_load)
#define v_store VK(v_store)
#define v_load_some VK(v_load_some)
#define v_store_some VK(v_store_some)
#define v_set VK(v_set)
#define v_bits VK(v_bits)
#define v_float VK(v_float)
#define v_abs VK(v_abs)
#define v_min VK(v_min)
#define v_max VK(v_max)
#define v_nan_min VK(v_nan_min)
#define v_nan_max VK(v_nan_max)
#define v_sum VK(v_sum)
#define v_exp VK(v_exp)
#define v_expm1 VK(v_expm1)
#define v_sigmoid VK(v_sigmoid)
#define v_reciprocal_near_one VK(v_reciprocal_near_one)
#define v_tanh VK(v_tanh)
#define v_silu VK(v_silu)
#define v_erf VK(v_erf)
#define v_gelu VK(v_gelu)
#define v_tanh_gelu VK(v_tanh_gelu)
#define v_activate VK(v_activate)

VK_INLINE vf v_load(const float *p) { return *(const VK(vk_unaligned_vf) *)p; }
VK_INLINE void v_store(float *p, vf v) { *(VK(vk_unaligned_vf) *)p = v; }
VK_INLINE vf v_set(float x) { return (vf)x; }
VK_INLINE vu v_bits(vf x) { return __builtin_bit_cast(vu, x); }
VK_INLINE vf v_float(vu x) { return __builtin_bit_cast(vf, x); }
VK_INLINE vf v_abs(vf x) { return v_float(v_bits(x) & 0x7fffffffu); }

/// The first `count` (0 to the width) values at p, and zeros.
VK_INLINE vf v_load_some(const float *p, ptrdiff_t count) {
#if VK_THIS_LEVEL == VK_LEVEL_AVX512
  return (vf)_mm512_maskz_loadu_ps((__mmask16)(count >= 16 ? 0xffff : (1u << count) - 1), p);
#endif
  float lanes[VK_WIDTH] = {0};
  const float *from = p;
  float *to = lanes;
#if VK_WIDTH > 8
  if (count & 8) __builtin_memcpy(to, from, 32), to += 8, from += 8;
#endif
#if VK_WIDTH > 4
  if (count & 4) __builtin_memcpy(to, from, 16), to += 4, from += 4;
#endif
  if (count & 2) __builtin_memcpy(to, from, 8), to += 2, from += 2;
  if (count & 1) *to = *from;
  return count >= VK_WIDTH ? v_load(p) : v_load(lanes);
}

/// Stores the first `count` (0 to the width) lanes at p.
VK_INLINE void v_store_some(float *p, vf v, ptrdiff_t count) {
  if (count >= VK_WIDTH) {
    v_store(p, v);
    return;
  }
#if VK_THIS_LEVEL == VK_LEVEL_AVX512
  _mm512_mask_storeu_ps(p, (__mmask16)((1u << count) - 1), (__m512)v);
  return;
#endif
  float lanes[VK_WIDTH];
  v_store(lanes, v);
  const float *from = lanes;
#if VK_WIDTH > 8
  if (count & 8) __builtin_memcpy(p, from, 32), p += 8, from += 8;
#endif
#if VK_WIDTH > 4
  if (count & 4) __builtin_memcpy(p, from, 16), p += 4, from += 4;
#endif
  if (count & 2) __builtin_memcpy(p, from, 8), p += 2, from += 2;
  if (count & 1) *p = *from;
}

/// Lane by lane; the first where either is NaN.
VK_INLINE vf v_min(vf a, vf b) { return b < a ? b : a; }
VK_INLINE vf v_max(vf a, vf b) { return b > a ? b : a; }
/// Lane by lane; NaN where either is.
VK_INLINE vf v_nan_min(vf a, vf b) { return ((b < a) | (b != b)) ? b : a; }
VK_INLINE vf v_nan_max(vf a, vf b) { return ((b > a) | (b != b)) ? b : a; }

/// All lanes added, in halves.
VK_INLINE float v_sum(vf v) {
  float lanes[VK_WIDTH];
  v_store(lanes, v);
  for (int half = VK_WIDTH / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) lanes[i] += lanes[i + half];
  return lanes[0];
}

// Coefficients below are minimax fits in the relative error of the result
// (Fixtures/generate/runner_coefficients.py).

/// e^x within 2 ulp, denormal results included.
VK_INLINE vf v_exp(vf x) {
  // Past these the result is 0 or infinity anyway; comparisons keep NaN.
  x = x > 89.0f ? (vf)89.0f : x;
  x = x < -104.0f ? (vf)-104.0f : x;
  // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5 * 2^23 rounds to an integer in the low bits.
  const float magic = 12582912.0f;
  vf shifted = x * 1.44269504089f + magic;
  vf n = shifted - magic;
  vf r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  vf q = r * 1.3951717410236597e-3f + 8.369598537683487e-3f;
  q = q * r + 4.16661873459816e-2f;
  q = q * r + 1.6666512191295624e-1f;
  q = q * r + 0.5f;
  vf p = q * (r * r) + r;
  p = p + 1.0f;
#if VK_WIDTH == 16
  return _mm512_scalef_ps(p, n);
#else
  // 2^n in two factors, as n reaches from -150 to 128.
  vi k = __builtin_bit_cast(vi, v_bits(shifted) - 0x4b400000u);
  vi half = k >> 1;
  vu low = __builtin_bit_cast(vu, half + 127) << 23;
  vu high = __builtin_bit_cast(vu, k - half + 127) << 23;
  return (p * v_float(low)) * v_float(high);
#endif
}

/// e^x - 1 for x up to 0, to 1e-6 of its value.
VK_INLINE vf v_expm1(vf x) {
  // Farther down it is -1 anyway; comparisons keep NaN.
  x = x < -40.0f ? (vf)-40.0f : x;
  const float magic = 12582912.0f;
  vf shifted = x * 1.44269504089f + magic;
  vf n = shifted - magic;
  vf r = x - n * 0.693359375f;
  r = r - n * -2.12194440e-4f;
  vf q = r * 1.3951717410236597e-3f + 8.369598537683487e-3f;
  q = q * r + 4.16661873459816e-2f;
  q = q * r + 1.6666512191295624e-1f;
  q = q * r + 0.5f;
  // 2^n (e^r - 1) + (2^n - 1)
  vf p = q * (r * r) + r;
  vf power = v_float((v_bits(shifted) - 0x4b400000u + 127u) << 23);
  return power * p + (power - 1.0f);
}

/// 1 / x within 1 ulp for x in [1, 2].
VK_INLINE vf v_reciprocal_near_one(vf x) {
#if VK_WIDTH == 16
  // An estimate to 14 bits, doubled by one step of Newton's; a division takes longer than both.
  vf y = _mm512_rcp14_ps(x);
  return y + y * (1.0f - x * y);
#else
  return 1.0f / x;
#endif
}

/// 1 / (1 + e^-x), right to the last denormal.
VK_INLINE vf v_sigmoid(vf x) {
  vf e = v_exp(v_float(v_bits(x) | 0x80000000u));
  vf inverse = v_reciprocal_near_one(e + 1.0f);
  return x < 0.0f ? e * inverse : inverse;
}

/// x / (1 + e^-x) to 1e-6 of its value down to x = -87; from there on, -infinity included, it is 0 within
/// 2e-36.
VK_INLINE vf v_silu(vf x) {
  x = x < -87.0f ? (vf)-87.0f : x;
#if VK_WIDTH == 16
  // Convolutions with few channels spend a third of their time here, so that each step counts: e^-x is
  // 2^n 2^f with n whole and |f| <= 1/2, and stays far from infinity, which the reciprocal needs.
  const float magic = 12582912.0f;
  vf bounded = x > 104.0f ? (vf)104.0f : x;
  vf shifted = bounded * -1.44269504089f + magic;
  vf n = shifted - magic;
  vf f = bounded * -1.44269502162933349609375f - n;
  f = bounded * -1.92596299112661746887e-8f + f;
  vf p = f * 0.001326472032815218f + 0.009671512991189957f;
  p = p * f + 0.05550733953714371f;
  p = p * f + 0.24022242426872253f;
  p = p * f + 0.6931470036506653f;
  p = p * f + 1.0f;
  vf d = _mm512_scalef_ps(p, n) + 1.0f;
  vf y = _mm512_rcp14_ps(d);
  return x * (y + y * (1.0f - d * y));
#else
  return x * v_sigmoid(x);
#endif
}

VK_INLINE vf v_tanh(vf x) {
  vf a = v_abs(x);
  vf e = v_exp(a + a);
  vf large = 1.0f - 2.0f / (e + 1.0f);
  large = v_float(v_bits(large) | (v_bits(x) & 0x80000000u));
  vf s = x * x;
  vf q = s * -5.679303780198097e-3f + 2.0618122071027756e-2f;
  q = q * s - 5.373400077223778e-2f;
  q = q * s + 1.333138346672058e-1f;
  q = q * s - 3.333328068256378e-1f;
  vf small = (q * s) * x + x;
  return a < 0.625f ? small : large;
}

VK_INLINE vf v_erf(vf x) {
  vf a = v_abs(x);
  vf s = x * x;
  // Near zero: x + x P(x^2).
  vf q = s * 8.345225069206208e-5f - 8.137437398545444e-4f;
  q = q * s + 5.200634244829416e-3f;
  q = q * s - 2.685927040874958e-2f;
  q = q * s + 1.1283694207668304e-1f;
  q = q * s - 3.7612634897232056e-1f;
  q = q * s + 1.2837916612625122e-1f;
  vf small = q * x + x;
  // Farther out: 1 - e^P(|x|), and 1 from 4 on.
  vf t = a > 4.0f ? (vf)4.0f : a;
  vf p = t * -2.1095051124575548e-5f + 4.344626213423908e-4f;
  p = p * t - 4.17106319218874e-3f;
  p = p * t + 2.511942759156227e-2f;
  p = p * t - 1.0828009247779846e-1f;
  p = p * t - 6.333469152450562e-1f;
  p = p * t - 1.1295149326324463f;
  p = p * t + 1.7468445003032684e-4f;
  vf large = 1.0f - v_exp(p);
  large = v_float(v_bits(large) | (v_bits(x) & 0x80000000u));
  return a < 0.92f ? small : large;
}

/// x / 2 (1 + erf(x / sqrt(2))) to 1e-6, and to 2e-6 of its value where that is more: x times a half and an
/// odd polynomial, which leaves the range from 0 to 1 where it is no longer right. 0 from -5.2 down.
VK_INLINE vf v_gelu(vf x) {
  const float most = 5.2f * 5.2f;
  vf s = x * x;
  s = s > most ? (vf)most : s;
  vf t = s * (2.0f / (5.2f * 5.2f)) - 1.0f;
  vf p = t * -0.00040505692595615983f + 0.0012105144560337067f;
  p = p * t - 0.0014335595769807696f;
  p = p * t + 0.001954281935468316f;
  p = p * t - 0.004567015916109085f;
  p = p * t + 0.008408527821302414f;
  p = p * t - 0.012613692320883274f;
  p = p * t + 0.01802218146622181f;
  p = p * t - 0.024698711931705475f;
  p = p * t + 0.03197668120265007f;
  p = p * t - 0.03993215784430504f;
  p = p * t + 0.05002545192837715f;
  p = p * t - 0.06774360686540604f;
  p = p * t + 0.1359499841928482f;
  vf share = p * x + 0.5f;
  share = share < 0.0f ? (vf)0.0f : share;
  share = share > 1.0f ? (vf)1.0f : share;
  return x * share;
}

/// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), to 1e-6, and to 2e-6 of its value if that is more.
VK_INLINE vf v_tanh_gelu(vf x) {
  // Farther down it is 0, -infinity included.
  x = x < -12.0f ? (vf)-12.0f : x;
  vf s = x * x;
  return x * v_sigmoid(x * (s * 0.07135481282821f + 1.595769121605731f));
}

/// `kind` is a constant wherever this is inlined, so that only one case is left.
VK_INLINE vf v_activate(vf x, vk_activation_kind kind, float alpha, float beta) {
  switch (kind) {
    case VK_IDENTITY: return x;
    case VK_RELU: return x < 0.0f ? (vf)0.0f : x;
    case VK_LEAKY_RELU: return x < 0.0f ? x * alpha : x;
    case VK_CLIP: return v_min(v_max(x, (vf)alpha), (vf)beta);
    case VK_SIGMOID: return v_sigmoid(x);
    case VK_SILU: return v_silu(x);
    case VK_TANH: return v_tanh(x);
    case VK_HARD_SIGMOID: return v_max(v_min(x * alpha + beta, (vf)1.0f), (vf)0.0f);
    case VK_HARD_SWISH:
      return x * v_max(v_min(x * (1.0f / 6.0f) + 0.5f, (vf)1.0f), (vf)0.0f);
    case VK_SCALED_HARD_SWISH:
      return x * v_max(v_min(x * (1.0f / 6.0f) + 0.5f, (vf)1.0f), (vf)0.0f) * alpha + beta;
    case VK_EXP: return v_exp(x);
    case VK_ERF: return v_erf(x);
    case VK_ELU: return (x < 0.0f ? v_expm1(x) * alpha : x) * beta;
    case VK_GELU: return v_gelu(x);
    case VK_TANH_GELU: return v_tanh_gelu(x);
    case VK_SCALED_SILU: return v_silu(x * alpha) * beta;
  }
  return x;
}
