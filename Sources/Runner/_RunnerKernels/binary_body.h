// Functions of two values. See dispatch.h.

VK_INLINE vf VK(combine)(vf a, vf b, rk_binary_op op) {
  switch (op) {
    case RK_ADD: return a + b;
    case RK_SUB: return a - b;
    case RK_MUL: return a * b;
    case RK_DIV: return a / b;
    case RK_MIN: return v_nan_min(a, b);
    case RK_MAX: return v_nan_max(a, b);
  }
  return a;
}

VK_INLINE void VK(zip)(
    const float *a, ptrdiff_t a_step, const float *b, ptrdiff_t b_step, float *y, ptrdiff_t count,
    rk_binary_op op) {
  ptrdiff_t i = 0;
  if (a_step && b_step) {
    for (; i + VK_WIDTH <= count; i += VK_WIDTH)
      v_store(y + i, VK(combine)(v_load(a + i), v_load(b + i), op));
    if (i < count) {
      ptrdiff_t n = count - i;
      v_store_some(y + i, VK(combine)(v_load_some(a + i, n), v_load_some(b + i, n), op), n);
    }
  } else if (a_step) {
    vf only = v_set(*b);
    for (; i + VK_WIDTH <= count; i += VK_WIDTH)
      v_store(y + i, VK(combine)(v_load(a + i), only, op));
    if (i < count) {
      ptrdiff_t n = count - i;
      v_store_some(y + i, VK(combine)(v_load_some(a + i, n), only, op), n);
    }
  } else {
    vf only = v_set(*a);
    for (; i < count; i += VK_WIDTH) {
      ptrdiff_t n = count - i;
      vf other = b_step ? v_load_some(b + i, n) : v_set(*b);
      v_store_some(y + i, VK(combine)(only, other, op), n);
    }
  }
}

static void VK(rk_binary_rows_f32)(
    rk_binary_op op, const float *a, ptrdiff_t a_row, ptrdiff_t a_step, const float *b,
    ptrdiff_t b_row, ptrdiff_t b_step, float *y, ptrdiff_t rows, ptrdiff_t columns) {
  if (columns <= 0) return;
  switch (op) {
#define RK_CASE(op)                                                                       \
  case op:                                                                                \
    for (ptrdiff_t r = 0; r < rows; r++)                                                  \
      VK(zip)(a + r * a_row, a_step, b + r * b_row, b_step, y + r * columns, columns, op); \
    break;
    RK_CASE(RK_ADD)
    RK_CASE(RK_SUB)
    RK_CASE(RK_MUL)
    RK_CASE(RK_DIV)
    RK_CASE(RK_MIN)
    RK_CASE(RK_MAX)
#undef RK_CASE
  }
}

// The compiler makes vectors of these loops.
#define RK_CASE(relation, sign)                                             \
  case relation:                                                            \
    if (a_step && b_step)                                                   \
      for (ptrdiff_t i = 0; i < count; i++) y[i] = a[i] sign b[i];          \
    else if (a_step)                                                        \
      for (ptrdiff_t i = 0; i < count; i++) y[i] = a[i] sign second;        \
    else if (b_step)                                                        \
      for (ptrdiff_t i = 0; i < count; i++) y[i] = first sign b[i];         \
    else                                                                    \
      for (ptrdiff_t i = 0; i < count; i++) y[i] = first sign second;       \
    break;
#define RK_COMPARE(name, type)                                                                   \
  static void VK(name)(                                                                          \
      rk_relation relation, const type *restrict a, ptrdiff_t a_step, const type *restrict b,    \
      ptrdiff_t b_step, uint8_t *restrict y, ptrdiff_t count) {                                  \
    if (count <= 0) return;                                                                      \
    const type first = *a, second = *b;                                                          \
    switch (relation) {                                                                          \
      RK_CASE(RK_EQUAL, ==)                                                                      \
      RK_CASE(RK_GREATER, >)                                                                     \
      RK_CASE(RK_GREATER_OR_EQUAL, >=)                                                           \
    }                                                                                            \
  }
RK_COMPARE(rk_compare_f32, float)
RK_COMPARE(rk_compare_i64, int64_t)
#undef RK_COMPARE
#undef RK_CASE
