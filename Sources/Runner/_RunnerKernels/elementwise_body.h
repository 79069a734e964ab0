// Functions of one value. See dispatch.h.

RK_INLINE void RK(map)(
    const float *x, float *y, ptrdiff_t count, vf bias, rk_activation_kind kind, float alpha,
    float beta) {
  ptrdiff_t i = 0;
  for (; i + 2 * RK_WIDTH <= count; i += 2 * RK_WIDTH) {
    vf a = v_load(x + i) + bias, b = v_load(x + i + RK_WIDTH) + bias;
    v_store(y + i, v_activate(a, kind, alpha, beta));
    v_store(y + i + RK_WIDTH, v_activate(b, kind, alpha, beta));
  }
  for (; i < count; i += RK_WIDTH) {
    ptrdiff_t left = count - i;
    v_store_some(y + i, v_activate(v_load_some(x + i, left) + bias, kind, alpha, beta), left);
  }
}

/// Rows that all get `bias`, value by value.
RK_INLINE void RK(map_row)(
    float *row, const float *bias, ptrdiff_t count, rk_activation_kind kind, float alpha,
    float beta) {
  for (ptrdiff_t i = 0; i < count; i += RK_WIDTH) {
    ptrdiff_t left = count - i;
    vf x = v_load_some(row + i, left);
    if (bias) x = x + v_load_some(bias + i, left);
    v_store_some(row + i, v_activate(x, kind, alpha, beta), left);
  }
}

// One copy of the loop for each function, chosen outside of it. Adding -0 keeps every value.
#define RK_EACH_KIND(CALL)   \
  CALL(RK_IDENTITY)          \
  CALL(RK_RELU)              \
  CALL(RK_LEAKY_RELU)        \
  CALL(RK_CLIP)              \
  CALL(RK_SIGMOID)           \
  CALL(RK_SILU)              \
  CALL(RK_TANH)              \
  CALL(RK_HARD_SIGMOID)      \
  CALL(RK_HARD_SWISH)        \
  CALL(RK_EXP)               \
  CALL(RK_ERF)               \
  CALL(RK_GELU)              \
  CALL(RK_SCALED_HARD_SWISH)

static void RK(map_any)(
    const float *x, float *y, ptrdiff_t count, float bias, rk_activation activation) {
  switch (activation.kind) {
#define RK_CASE(kind)                                                                \
  case kind:                                                                         \
    RK(map)(x, y, count, v_set(bias), kind, activation.alpha, activation.beta);      \
    break;
    RK_EACH_KIND(RK_CASE)
#undef RK_CASE
  }
}

static void RK(rk_activate_f32)(
    const float *x, float *y, ptrdiff_t count, rk_activation activation) {
  RK(map_any)(x, y, count, -0.0f, activation);
}

static void RK(rk_bias_activation_f32)(
    float *data, const float *bias, ptrdiff_t channels, ptrdiff_t pixels, ptrdiff_t plane_stride,
    rk_activation activation) {
  if (!bias && activation.kind == RK_IDENTITY) return;
  for (ptrdiff_t c = 0; c < channels; c++) {
    float *plane = data + c * plane_stride;
    RK(map_any)(plane, plane, pixels, bias ? bias[c] : -0.0f, activation);
  }
}

static void RK(rk_bias_activation_rows_f32)(
    float *data, const float *bias, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t row_stride,
    rk_activation activation) {
  if (!bias && activation.kind == RK_IDENTITY) return;
  switch (activation.kind) {
#define RK_CASE(kind)                                                                      \
  case kind:                                                                               \
    for (ptrdiff_t r = 0; r < rows; r++)                                                   \
      RK(map_row)(                                                                         \
          data + r * row_stride, bias, columns, kind, activation.alpha, activation.beta);  \
    break;
    RK_EACH_KIND(RK_CASE)
#undef RK_CASE
  }
}

#undef RK_EACH_KIND
