// Sums in double precision, also of values in single precision, at one level. See dispatch.h.

typedef double VK(vd) __attribute__((ext_vector_type(VK_WIDTH)));
typedef VK(vd) VK(unaligned_vd) __attribute__((aligned(8), may_alias));

VK_INLINE VK(vd) VK(load_f32)(const float *p) {
  return __builtin_convertvector(v_load(p), VK(vd));
}
VK_INLINE VK(vd) VK(load_f64)(const double *p) { return *(const VK(unaligned_vd) *)p; }

/// Four accumulators hide the latency of the additions.
#define VK_PRODUCTS(name, A, LOAD_A, B, LOAD_B)                                              \
  static double VK(name)(const A *a, const B *b, ptrdiff_t count) {                          \
    VK(vd) s0 = 0, s1 = 0, s2 = 0, s3 = 0;                                                   \
    ptrdiff_t i = 0;                                                                         \
    for (; i + 4 * VK_WIDTH <= count; i += 4 * VK_WIDTH) {                                   \
      s0 += VK(LOAD_A)(a + i) * VK(LOAD_B)(b + i);                                           \
      s1 += VK(LOAD_A)(a + i + VK_WIDTH) * VK(LOAD_B)(b + i + VK_WIDTH);                     \
      s2 += VK(LOAD_A)(a + i + 2 * VK_WIDTH) * VK(LOAD_B)(b + i + 2 * VK_WIDTH);             \
      s3 += VK(LOAD_A)(a + i + 3 * VK_WIDTH) * VK(LOAD_B)(b + i + 3 * VK_WIDTH);             \
    }                                                                                        \
    for (; i + VK_WIDTH <= count; i += VK_WIDTH) s0 += VK(LOAD_A)(a + i) * VK(LOAD_B)(b + i); \
    double rest = 0;                                                                         \
    for (; i < count; i++) rest += (double)a[i] * (double)b[i];                              \
    s0 = (s0 + s1) + (s2 + s3);                                                              \
    for (int lane = 0; lane < VK_WIDTH; lane++) rest += s0[lane];                            \
    return rest;                                                                             \
  }
VK_PRODUCTS(vk_dot_f32_f32, float, load_f32, float, load_f32)
VK_PRODUCTS(vk_dot_f32_f64, float, load_f32, double, load_f64)
VK_PRODUCTS(vk_dot_f64_f64, double, load_f64, double, load_f64)
#undef VK_PRODUCTS

#define VK_ADD_SCALED(name, X, LOAD)                                                         \
  static void VK(name)(double scale, const X *x, double *sum, ptrdiff_t count) {             \
    ptrdiff_t i = 0;                                                                         \
    for (; i + VK_WIDTH <= count; i += VK_WIDTH)                                             \
      *(VK(unaligned_vd) *)(sum + i) = VK(load_f64)(sum + i) + VK(LOAD)(x + i) * scale;      \
    for (; i < count; i++) sum[i] += scale * (double)x[i];                                   \
  }
VK_ADD_SCALED(vk_add_scaled_f32_f64, float, load_f32)
VK_ADD_SCALED(vk_add_scaled_f64_f64, double, load_f64)
#undef VK_ADD_SCALED
