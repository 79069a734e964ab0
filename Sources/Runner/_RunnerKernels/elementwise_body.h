// Functions of one value. See dispatch.h.

VK_INLINE void VK(map)(
    const float *x, float *y, ptrdiff_t count, vf bias, vk_activation_kind kind, float alpha,
    float beta) {
  ptrdiff_t i = 0;
  for (; i + 2 * VK_WIDTH <= count; i += 2 * VK_WIDTH) {
    vf a = v_load(x + i) + bias, b = v_load(x + i + VK_WIDTH) + bias;
    v_store(y + i, v_activate(a, kind, alpha, beta));
    v_store(y + i + VK_WIDTH, v_activate(b, kind, alpha, beta));
  }
  for (; i < count; i += VK_WIDTH) {
    ptrdiff_t left = count - i;
    v_store_some(y + i, v_activate(v_load_some(x + i, left) + bias, kind, alpha, beta), left);
  }
}

/// Rows that all get `bias`, value by value.
VK_INLINE void VK(map_row)(
    float *row, const float *bias, ptrdiff_t count, vk_activation_kind kind, float alpha,
    float beta) {
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    ptrdiff_t left = count - i;
    vf x = v_load_some(row + i, left);
    if (bias) x = x + v_load_some(bias + i, left);
    v_store_some(row + i, v_activate(x, kind, alpha, beta), left);
  }
}

// One copy of the loop for each function, chosen outside of it. Adding -0 keeps every value.
#define RK_EACH_KIND(CALL)   \
  CALL(VK_IDENTITY)          \
  CALL(VK_RELU)              \
  CALL(VK_LEAKY_RELU)        \
  CALL(VK_CLIP)              \
  CALL(VK_SIGMOID)           \
  CALL(VK_SILU)              \
  CALL(VK_TANH)              \
  CALL(VK_HARD_SIGMOID)      \
  CALL(VK_HARD_SWISH)        \
  CALL(VK_EXP)               \
  CALL(VK_ERF)               \
  CALL(VK_GELU)              \
  CALL(VK_SCALED_HARD_SWISH) \
  CALL(VK_ELU)               \
  CALL(VK_TANH_GELU)         \
  CALL(VK_SCALED_SILU)

static void VK(map_any)(
    const float *x, float *y, ptrdiff_t count, float bias, vk_activation activation) {
  switch (activation.kind) {
#define RK_CASE(kind)                                                                \
  case kind:                                                                         \
    VK(map)(x, y, count, v_set(bias), kind, activation.alpha, activation.beta);      \
    break;
    RK_EACH_KIND(RK_CASE)
#undef RK_CASE
  }
}

static void VK(rk_activate_f32)(
    const float *x, float *y, ptrdiff_t count, vk_activation activation) {
  VK(map_any)(x, y, count, -0.0f, activation);
}

static void VK(rk_bias_activation_f32)(
    float *data, const float *bias, ptrdiff_t channels, ptrdiff_t pixels, ptrdiff_t plane_stride,
    vk_activation activation) {
  if (!bias && activation.kind == VK_IDENTITY) return;
  for (ptrdiff_t c = 0; c < channels; c++) {
    float *plane = data + c * plane_stride;
    VK(map_any)(plane, plane, pixels, bias ? bias[c] : -0.0f, activation);
  }
}

static void VK(rk_bias_activation_rows_f32)(
    float *data, const float *bias, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t row_stride,
    vk_activation activation) {
  if (!bias && activation.kind == VK_IDENTITY) return;
  switch (activation.kind) {
#define RK_CASE(kind)                                                                      \
  case kind:                                                                               \
    for (ptrdiff_t r = 0; r < rows; r++)                                                   \
      VK(map_row)(                                                                         \
          data + r * row_stride, bias, columns, kind, activation.alpha, activation.beta);  \
    break;
    RK_EACH_KIND(RK_CASE)
#undef RK_CASE
  }
}

#undef RK_EACH_KIND
