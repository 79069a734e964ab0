// Functions of one value and of two (elementwise.c, binary.c), and sums of two rows (rows.c).

#include "drive.h"

enum { kinds = VK_SCALED_SILU + 1 };

/// Whether all instruction sets compute the very same: then there is no product that is added to.
static int is_exact(vk_activation_kind kind) {
  return kind == VK_IDENTITY || kind == VK_RELU || kind == VK_LEAKY_RELU || kind == VK_CLIP;
}

static void activated(
    const float *x, ptrdiff_t count, int kind, const char *which, int is_in_place) {
  const vk_activation activation = {(vk_activation_kind)kind, 0.2f, 0.7f};
  float *y = floats(count);
  if (is_in_place) memcpy(y, x, (size_t)count * 4);
  rk_activate_f32(is_in_place ? y : x, y, count, activation);
  // SiLU may be anything within 2e-36 of zero, far below; sums with beta cancel.
  const double floor = kind == VK_SILU || kind == VK_SCALED_SILU ? 2e-36
                       : kind == VK_HARD_SIGMOID || kind == VK_SCALED_HARD_SWISH ? 1e-6
                       : kind == VK_HARD_SWISH || kind == VK_GELU || kind == VK_TANH_GELU ? 1e-6
                                                                                 : 2e-45;
  record(
      is_exact((vk_activation_kind)kind) ? EXACT : EACH_NEAR, y, count, floor,
      "rk_activate_f32 kind %d, %s, %ld, in place %d", kind, which, (long)count, is_in_place);
}

static void named_functions(const float *x, ptrdiff_t n) {
  float *y = floats(n);
  const long count = (long)n;
  rk_exp_f32(x, y, n);
  record(EACH_NEAR, y, n, 2e-45, "rk_exp_f32 %ld", count);
  rk_sigmoid_f32(x, y, n);
  record(EACH_NEAR, y, n, 2e-45, "rk_sigmoid_f32 %ld", count);
  rk_silu_f32(x, y, n);
  record(EACH_NEAR, y, n, 2e-36, "rk_silu_f32 %ld", count);
  rk_tanh_f32(x, y, n);
  record(EACH_NEAR, y, n, 2e-45, "rk_tanh_f32 %ld", count);
  rk_erf_f32(x, y, n);
  record(EACH_NEAR, y, n, 2e-45, "rk_erf_f32 %ld", count);
  rk_gelu_f32(x, y, n);
  record(EACH_NEAR, y, n, 1e-6, "rk_gelu_f32 %ld", count);
  rk_hard_swish_f32(x, y, n);
  record(EACH_NEAR, y, n, 1e-6, "rk_hard_swish_f32 %ld", count);
  rk_hard_sigmoid_f32(x, y, n, 0.3f, 0.4f);
  record(EACH_NEAR, y, n, 1e-6, "rk_hard_sigmoid_f32 %ld", count);
  rk_relu_f32(x, y, n);
  record(EXACT, y, n, 0, "rk_relu_f32 %ld", count);
  rk_leaky_relu_f32(x, y, n, 0.1f);
  record(EXACT, y, n, 0, "rk_leaky_relu_f32 %ld", count);
  rk_clip_f32(x, y, n, -0.5f, 2.0f);
  record(EXACT, y, n, 0, "rk_clip_f32 %ld", count);
}

void drive_elementwise(void) {
  static const float reaches[] = {110.0f, 10.0f, 1.5f, 1e-3f};
  for (int kind = 0; kind < kinds; kind++) {
    for (ptrdiff_t n = 0; n <= 67; n++) {
      activated(some_floats(n, 5), n, kind, "a few", n % 2 == 1);
      release();
    }
    activated(special_floats, special_count, kind, "specials", 0);
    for EACH(i, reaches) {
      activated(some_floats(6000, reaches[i]), 6000, kind, "many", 0);
      release();
    }
  }
  for (ptrdiff_t n = 0; n <= 67; n++) {
    named_functions(some_floats(n, 6), n);
    release();
  }
  named_functions(special_floats, special_count);
  for (int kind = 0; kind < kinds; kind++)
    for (ptrdiff_t columns = 1; columns <= 37; columns += 4) {
      const vk_activation activation = {(vk_activation_kind)kind, 0.2f, 0.7f};
      const ptrdiff_t rows = 5, stride = columns + 3, count = rows * stride - 3;
      float *planes = some_floats(count, 2), *lines = some_floats(count, 2);
      const float *bias = columns % 8 == 1 ? NULL : some_floats(rows > columns ? rows : columns, 1);
      rk_bias_activation_f32(planes, bias, rows, columns, stride, activation);
      record(
          NEAR, planes, count, 0, "rk_bias_activation_f32 kind %d, %ld", kind, (long)columns);
      rk_bias_activation_rows_f32(lines, bias, rows, columns, stride, activation);
      record(
          NEAR, lines, count, 0, "rk_bias_activation_rows_f32 kind %d, %ld", kind, (long)columns);
      release();
    }
}

/// Numbers among which are equal ones and specials.
static float *mixed_floats(ptrdiff_t count) {
  float *p = some_floats(count, 3);
  for (ptrdiff_t i = 0; i < count; i++) {
    if (draw_below(4) == 0) p[i] = (float)(draw_below(3) - 1);
    if (draw_below(8) == 0) p[i] = special_floats[draw_below(special_count)];
  }
  return p;
}

/// Numbers among which are equal ones, the least and the greatest.
static int64_t *whole_numbers(ptrdiff_t count) {
  int64_t *p = buffer(count * 8);
  for (ptrdiff_t i = 0; i < count; i++) {
    const ptrdiff_t kind = draw_below(8);
    p[i] = kind == 0 ? INT64_MIN : kind == 1 ? INT64_MAX : kind == 2 ? (int64_t)draw() : draw_below(5) - 2;
  }
  return p;
}

void drive_binary(void) {
  for (ptrdiff_t n = 0; n <= 67; n++)
    for (int steps = 0; steps < 4; steps++) {
      const ptrdiff_t a_step = steps & 1, b_step = steps >> 1;
      const float *a = mixed_floats(n + 1), *b = mixed_floats(n + 1);
      for (int op = RK_ADD; op <= RK_MAX; op++) {
        float *y = floats(n);
        rk_binary_f32((rk_binary_op)op, a, a_step, b, b_step, y, n);
        record(EXACT, y, n, 0, "rk_binary_f32 op %d, steps %d, %ld", op, steps, (long)n);
      }
      for (int relation = RK_EQUAL; relation <= RK_GREATER_OR_EQUAL; relation++) {
        uint8_t *y = bytes(n);
        rk_compare_f32((rk_relation)relation, a, a_step, b, b_step, y, n);
        record(
            BYTES, y, n, 0, "rk_compare_f32 relation %d, steps %d, %ld", relation, steps, (long)n);
        uint8_t *z = bytes(n);
        rk_compare_i64(
            (rk_relation)relation, whole_numbers(n + 1), a_step, whole_numbers(n + 1), b_step, z, n);
        record(
            BYTES, z, n, 0, "rk_compare_i64 relation %d, steps %d, %ld", relation, steps, (long)n);
      }
      release();
    }
  for (ptrdiff_t columns = 1; columns <= 40; columns += 3)
    for (int steps = 0; steps < 16; steps++) {
      const ptrdiff_t rows = 4, a_step = steps & 1, b_step = steps >> 1 & 1;
      const ptrdiff_t a_row = steps & 4 ? columns + 2 : 0, b_row = steps & 8 ? columns + 5 : 0;
      const float *a = mixed_floats((rows - 1) * a_row + (columns - 1) * a_step + 1);
      const float *b = mixed_floats((rows - 1) * b_row + (columns - 1) * b_step + 1);
      float *y = floats(rows * columns);
      const rk_binary_op op = (rk_binary_op)(steps % 6);
      rk_binary_rows_f32(op, a, a_row, a_step, b, b_row, b_step, y, rows, columns);
      record(
          EXACT, y, rows * columns, 0, "rk_binary_rows_f32 op %d, steps %d, %ld", (int)op, steps,
          (long)columns);
      release();
    }
  for (ptrdiff_t n = 0; n <= 67; n++) {
    const float *a = some_floats(n, 3), *b = some_floats(n, 2);
    float *y = floats(n), *sum = some_floats(n, 4);
    rk_blend_f32(0.3f, a, -1.7f, b, y, n);
    record(NEAR, y, n, 5, "rk_blend_f32 %ld", (long)n);
    rk_axpy_f32(0.37f, a, sum, n);
    record(NEAR, sum, n, 5, "rk_axpy_f32 %ld", (long)n);
    release();
  }
  for (ptrdiff_t columns = 1; columns <= 37; columns += 3) {
    const ptrdiff_t rows = 3, x_columns = 29, x_row = 33;
    const float *x = some_floats((rows - 1) * x_row + x_columns, 2);
    const float *alpha = some_floats(columns, 1);
    float *beta = some_floats(columns, 1), *y = floats(rows * columns);
    int32_t *first = ints(columns), *second = ints(columns);
    for (ptrdiff_t i = 0; i < columns; i++) {
      first[i] = (int32_t)draw_below(x_columns);
      second[i] = (int32_t)draw_below(x_columns);
      if (i % 3 == 1) beta[i] = 0;
    }
    rk_blend_places_f32(x, x_row, first, second, alpha, beta, y, rows, columns);
    record(NEAR, y, rows * columns, 4, "rk_blend_places_f32 %ld", (long)columns);
    for (ptrdiff_t count = 0; count <= 5; count++) {
      int32_t places[5];
      for (ptrdiff_t i = 0; i < 5; i++) places[i] = (int32_t)draw_below(rows);
      const float *weights = some_floats(count, 1), *from = some_floats((rows - 1) * (columns + 2) + columns, 2);
      rk_weighted_rows_f32(from, columns + 2, copy(places, count * 4), weights, count, y, columns);
      record(NEAR, y, columns, 4, "rk_weighted_rows_f32 %ld of %ld", (long)count, (long)columns);
    }
    release();
  }
}
