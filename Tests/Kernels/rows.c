// Rows and sums (rows.c, sums.c), which instruction set is in use (dispatch.c).

#include "drive.h"

void drive_dispatch(void) {
  const int level = vk_level(), best = vk_best_level();
  expect(level >= VK_LEVEL_BASELINE && level <= best, "a level up to the best");
  expect(vk_forced_level() == level, "the level that was asked for");
  expect(vk_force_level(-1) == best && vk_forced_level() == -1, "the best if none is asked for");
  expect(vk_force_level(best + 1) == best, "the best in the place of more");
  expect(vk_force_level(level) == level && vk_level() == level, "the first level again");
  expect(rk_bf16_is_faster() == 0 || level >= VK_LEVEL_AVX512, "bfloat16 of AVX-512 and AMX alone");
  expect(rk_bf16_uses_tiles() == 0 || level >= VK_LEVEL_AMX, "tiles of AMX alone");
}

/// The greatest sum of magnitudes that a kernel may have met, which is what its rounding is a share of.
static double magnitude(const float *a, const float *b, ptrdiff_t count) {
  double sum = 1e-30;
  for (ptrdiff_t i = 0; i < count; i++) sum += fabs((double)a[i] * (b ? b[i] : 1.0f));
  return sum;
}

static void reductions(const float *x, const float *y, ptrdiff_t n, const char *which) {
  const float sum = rk_sum_f32(x, n), squares = rk_sum_of_squares_f32(x, n);
  const float dot = rk_dot_f32(x, y, n);
  const float distance = rk_squared_distance_f32(x, 0.3f, n);
  const float extremes[] = {rk_max_f32(x, n), rk_min_f32(x, n)};
  const long count = (long)n;
  record(
      NEAR, &distance, 1, 2 * magnitude(x, x, n) + (double)n, "rk_squared_distance_f32 %s, %ld", which, count);
  record(NEAR, &sum, 1, magnitude(x, NULL, n), "rk_sum_f32 %s, %ld", which, count);
  record(NEAR, &squares, 1, magnitude(x, x, n), "rk_sum_of_squares_f32 %s, %ld", which, count);
  record(NEAR, &dot, 1, magnitude(x, y, n), "rk_dot_f32 %s, %ld", which, count);
  record(EXACT, extremes, 1, 0, "rk_max_f32 %s, %ld", which, count);
  record(EXACT, extremes + 1, 1, 0, "rk_min_f32 %s, %ld", which, count);
}

/// A layer norm's rounding is a share of this: it subtracts numbers up to `reach`, and divides by what may be far less.
static double norm_measure(const float *x, ptrdiff_t rows, ptrdiff_t n, double reach) {
  double least = reach;
  for (ptrdiff_t r = 0; r < rows; r++, x += n) {
    double mean = 0, variance = 0;
    for (ptrdiff_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (ptrdiff_t i = 0; i < n; i++) variance += (x[i] - mean) * (x[i] - mean) / (double)n;
    least = fmin(least, sqrt(variance));
  }
  return reach / least;
}

static void rows_of(const float *x, ptrdiff_t rows, ptrdiff_t n, const char *which) {
  const float *scale = some_floats(n, 1), *bias = n % 2 ? some_floats(n, 1) : NULL;
  float *y = floats(rows * n), *means = floats(rows), *deviations = floats(rows);
  const long count = (long)n;
  rk_softmax_f32(x, y, rows, n);
  record(NEAR, y, rows * n, 0, "rk_softmax_f32 %s, %ld", which, count);
  rk_log_softmax_f32(x, y, rows, n);
  record(NEAR, y, rows * n, 0, "rk_log_softmax_f32 %s, %ld", which, count);
  const int has_moments = n % 3 != 0;
  rk_layer_norm_f32(
      x, scale, bias, y, rows, n, 1e-5f, has_moments ? means : NULL,
      has_moments ? deviations : NULL);
  record(NEAR, y, rows * n, norm_measure(x, rows, n, 8), "rk_layer_norm_f32 %s, %ld", which, count);
  if (!has_moments) return;
  record(NEAR, means, rows, 8, "rk_layer_norm_f32 means, %s, %ld", which, count);
  record(NEAR, deviations, rows, 0, "rk_layer_norm_f32 deviations, %s, %ld", which, count);
}

void drive_rows(void) {
  for (ptrdiff_t n = 0; n <= 270; n += n < 70 ? 1 : 19) {
    float *x = some_floats(3 * n, 8);
    const float *y = some_floats(n, 2);
    reductions(x, y, n, "drawn");
    if (n > 1) rows_of(x, 3, n, "drawn");
    if (n > 1) {
      // A place of its own each time, so that each lane and each tail has it once.
      x[n * 7 / 11] = NAN;
      const float extremes[] = {rk_max_f32(x, n), rk_min_f32(x, n)};
      record(EXACT, extremes, 2, 0, "rk_max_f32 with NaN, %ld", (long)n);
      float *row = floats(n);
      rk_softmax_f32(x, row, 1, n);
      record(EACH_NEAR, row, n, 0, "rk_softmax_f32 with NaN, %ld", (long)n);
      for (ptrdiff_t i = 0; i < n; i++) x[i] = -INFINITY;
      rk_softmax_f32(x, row, 1, n);
      record(EXACT, row, n, 0, "rk_softmax_f32 of -infinity, %ld", (long)n);
      x[n / 2] = 3;
      rk_softmax_f32(x, x, 1, n);
      record(EXACT, x, n, 0, "rk_softmax_f32 of one, %ld", (long)n);
    }
    release();
  }
}

/// Boxes of whole numbers, so that an overlap is the same bits at every level.
static void overlaps(ptrdiff_t n) {
  const ptrdiff_t stride = (n + 15) / 16 * 16;
  float *corners = floats(5 * stride);
  memset(corners, 0, (size_t)(5 * stride) * 4);
  for (ptrdiff_t i = 0; i < n; i++) {
    const float top = (float)draw_below(20), left = (float)draw_below(20);
    const float high = (float)(1 + draw_below(9)), wide = (float)(1 + draw_below(9));
    const float edges[] = {top, left, top + high, left + wide, high * wide};
    for (ptrdiff_t k = 0; k < 5; k++) corners[k * stride + i] = edges[k];
  }
  int32_t answers[40];
  for (ptrdiff_t k = 0; k < 40; k++) {
    const float top = (float)draw_below(20), left = (float)draw_below(20);
    const float edges[] = {top, left, top + 5, left + 7, 35};
    // Not a number is no overlap that a limit allows.
    const float limit = k % 10 == 9 ? NAN : (float)(k % 10) / 8;
    answers[k] = rk_overlaps_f32(corners, stride, n, copy(edges, 20), limit);
  }
  record(INTS, answers, 40, 0, "rk_overlaps_f32 %ld", (long)n);
  release();
}

void drive_sums(void) {
  for (ptrdiff_t n = 0; n <= 70; n++) overlaps(n);

  for (ptrdiff_t n = 0; n <= 270; n += n < 70 ? 1 : 19) {
    const float *a = some_floats(n, 2), *b = some_floats(n, 2);
    const double *c = some_doubles(n, 2);
    double *sum = some_doubles(n, 3), *d = some_doubles(n, 2);
    const double scale = 1e-30 + 4.0 * (double)n;
    double dot = vk_dot_f32_f32(a, b, n);
    record(NEAR_DOUBLES, &dot, 1, scale, "vk_dot_f32_f32 %ld", (long)n);
    dot = vk_dot_f32_f64(a, c, n);
    record(NEAR_DOUBLES, &dot, 1, scale, "vk_dot_f32_f64 %ld", (long)n);
    dot = vk_dot_f64_f64(d, c, n);
    record(NEAR_DOUBLES, &dot, 1, scale, "vk_dot_f64_f64 %ld", (long)n);
    vk_add_scaled_f32_f64(0.7, a, sum, n);
    record(NEAR_DOUBLES, sum, n, 5, "vk_add_scaled_f32_f64 %ld", (long)n);
    vk_add_scaled_f64_f64(-1.3, c, d, n);
    record(NEAR_DOUBLES, d, n, 5, "vk_add_scaled_f64_f64 %ld", (long)n);
    release();
  }
}
