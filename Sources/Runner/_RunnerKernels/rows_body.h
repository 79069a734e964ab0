// Reductions, softmax and layer normalization. See dispatch.h.

#undef RK_AT_ONCE
/// Values that are added up on their own, so that rounding errors stay small in long rows.
#define RK_AT_ONCE 4096

/// Four accumulators hide the latency of the additions and keep rounding errors small.
#define RK_REDUCE(name, parameters, TERM, SCALAR_TERM)                 \
  static float VK(name) parameters {                                   \
    vf s0 = 0, s1 = 0, s2 = 0, s3 = 0, before = 0;                     \
    ptrdiff_t i = 0, end;                                              \
    for (;;) {                                                         \
      end = count - i > RK_AT_ONCE ? i + RK_AT_ONCE : count;           \
      for (; i + 4 * VK_WIDTH <= end; i += 4 * VK_WIDTH) {             \
        s0 = s0 + TERM(i);                                             \
        s1 = s1 + TERM(i + VK_WIDTH);                                  \
        s2 = s2 + TERM(i + 2 * VK_WIDTH);                              \
        s3 = s3 + TERM(i + 3 * VK_WIDTH);                              \
      }                                                                \
      if (end == count) break;                                         \
      before = before + ((s0 + s1) + (s2 + s3));                       \
      s0 = s1 = s2 = s3 = v_set(0.0f);                                 \
    }                                                                  \
    for (; i + VK_WIDTH <= count; i += VK_WIDTH) s0 = s0 + TERM(i);    \
    float rest = 0;                                                    \
    for (; i < count; i++) rest += SCALAR_TERM(i);                     \
    return v_sum(before + ((s0 + s1) + (s2 + s3))) + rest;             \
  }

#define RK_TERM(i) v_load(x + (i))
#define RK_SCALAR(i) x[i]
RK_REDUCE(rk_sum_f32, (const float *x, ptrdiff_t count), RK_TERM, RK_SCALAR)
#undef RK_TERM
#undef RK_SCALAR
#define RK_TERM(i) v_load(x + (i)) * v_load(x + (i))
#define RK_SCALAR(i) x[i] * x[i]
RK_REDUCE(rk_sum_of_squares_f32, (const float *x, ptrdiff_t count), RK_TERM, RK_SCALAR)
#undef RK_TERM
#undef RK_SCALAR
#define RK_TERM(i) v_load(a + (i)) * v_load(b + (i))
#define RK_SCALAR(i) a[i] * b[i]
RK_REDUCE(rk_dot_f32, (const float *a, const float *b, ptrdiff_t count), RK_TERM, RK_SCALAR)
#undef RK_TERM
#undef RK_SCALAR
#define RK_TERM(i) ((v_load(x + (i)) - mean) * (v_load(x + (i)) - mean))
#define RK_SCALAR(i) (x[i] - mean) * (x[i] - mean)
RK_REDUCE(squared_distance, (const float *x, float mean, ptrdiff_t count), RK_TERM, RK_SCALAR)
#undef RK_TERM
#undef RK_SCALAR
#undef RK_REDUCE

static float VK(rk_squared_distance_f32)(const float *x, float mean, ptrdiff_t count) {
  return VK(squared_distance)(x, mean, count);
}

static float VK(rk_max_f32)(const float *x, ptrdiff_t count) {
  float best = -__builtin_inff();
  ptrdiff_t i = 0;
  if (count >= VK_WIDTH) {
    vf bests = v_load(x);
    for (i = VK_WIDTH; i + VK_WIDTH <= count; i += VK_WIDTH) bests = v_nan_max(bests, v_load(x + i));
    for (int lane = 0; lane < VK_WIDTH; lane++)
      best = bests[lane] > best || bests[lane] != bests[lane] ? bests[lane] : best;
  }
  for (; i < count; i++) best = x[i] > best || x[i] != x[i] ? x[i] : best;
  return best;
}

static float VK(rk_min_f32)(const float *x, ptrdiff_t count) {
  float best = __builtin_inff();
  ptrdiff_t i = 0;
  if (count >= VK_WIDTH) {
    vf bests = v_load(x);
    for (i = VK_WIDTH; i + VK_WIDTH <= count; i += VK_WIDTH) bests = v_nan_min(bests, v_load(x + i));
    for (int lane = 0; lane < VK_WIDTH; lane++)
      best = bests[lane] < best || bests[lane] != bests[lane] ? bests[lane] : best;
  }
  for (; i < count; i++) best = x[i] < best || x[i] != x[i] ? x[i] : best;
  return best;
}

static void VK(rk_weighted_rows_f32)(
    const float *x, ptrdiff_t x_row, const int32_t *places, const float *weights, ptrdiff_t count,
    float *y, ptrdiff_t columns) {
  ptrdiff_t i = 0;
  for (; i + 4 * VK_WIDTH <= columns; i += 4 * VK_WIDTH) {
    vf s0 = (vf)0.0f, s1 = (vf)0.0f, s2 = (vf)0.0f, s3 = (vf)0.0f;
    for (ptrdiff_t r = 0; r < count; r++) {
      const float *row = x + places[r] * x_row + i;
      const vf weight = v_set(weights[r]);
      s0 = s0 + v_load(row) * weight;
      s1 = s1 + v_load(row + VK_WIDTH) * weight;
      s2 = s2 + v_load(row + 2 * VK_WIDTH) * weight;
      s3 = s3 + v_load(row + 3 * VK_WIDTH) * weight;
    }
    v_store(y + i, s0);
    v_store(y + i + VK_WIDTH, s1);
    v_store(y + i + 2 * VK_WIDTH, s2);
    v_store(y + i + 3 * VK_WIDTH, s3);
  }
  for (; i < columns; i += VK_WIDTH) {
    vf sum = (vf)0.0f;
    for (ptrdiff_t r = 0; r < count; r++)
      sum = sum + v_load_some(x + places[r] * x_row + i, columns - i) * v_set(weights[r]);
    v_store_some(y + i, sum, columns - i);
  }
}

static void VK(rk_axpy_f32)(float alpha, const float *x, float *y, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + VK_WIDTH <= count; i += VK_WIDTH)
    v_store(y + i, v_load(x + i) * alpha + v_load(y + i));
  for (; i < count; i++) y[i] = x[i] * alpha + y[i];
}

static void VK(rk_blend_f32)(
    float alpha, const float *a, float beta, const float *b, float *y, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + VK_WIDTH <= count; i += VK_WIDTH)
    v_store(y + i, v_load(a + i) * alpha + v_load(b + i) * beta);
  if (i < count)
    v_store_some(
        y + i, v_load_some(a + i, count - i) * alpha + v_load_some(b + i, count - i) * beta,
        count - i);
}

/// One place of a row. What has no part in the sum need not be a number.
VK_INLINE float VK(blend_place)(
    const float *x, ptrdiff_t first, ptrdiff_t second, float alpha, float beta) {
  float sum = x[first] * alpha;
  return beta == 0.0f ? sum : sum + x[second] * beta;
}

static void VK(rk_blend_places_f32)(
    const float *x, ptrdiff_t x_row, const int32_t *first, const int32_t *second,
    const float *alpha, const float *beta, float *y, ptrdiff_t rows, ptrdiff_t columns) {
  ptrdiff_t r = 0;
  // Four rows at a time, which read places and weights once.
  for (; r + 4 <= rows; r += 4, x += 4 * x_row, y += 4 * columns)
    for (ptrdiff_t i = 0; i < columns; i++) {
      ptrdiff_t a = first[i], b = second[i];
      float p = alpha[i], q = beta[i];
      y[i] = VK(blend_place)(x, a, b, p, q);
      y[i + columns] = VK(blend_place)(x + x_row, a, b, p, q);
      y[i + 2 * columns] = VK(blend_place)(x + 2 * x_row, a, b, p, q);
      y[i + 3 * columns] = VK(blend_place)(x + 3 * x_row, a, b, p, q);
    }
  for (; r < rows; r++, x += x_row, y += columns)
    for (ptrdiff_t i = 0; i < columns; i++)
      y[i] = VK(blend_place)(x, first[i], second[i], alpha[i], beta[i]);
}

/// y = e^(x - shift); returns the sum.
VK_INLINE float VK(exp_sum)(const float *x, float *y, ptrdiff_t count, float shift) {
  vf sums = 0;
  ptrdiff_t i = 0;
  for (; i + VK_WIDTH <= count; i += VK_WIDTH) {
    vf e = v_exp(v_load(x + i) - shift);
    sums = sums + e;
    v_store(y + i, e);
  }
  float sum = v_sum(sums);
  if (i < count) {
    float lanes[VK_WIDTH];
    v_store(lanes, v_exp(v_load_some(x + i, count - i) - shift));
    for (int lane = 0; i < count; i++, lane++) {
      sum += lanes[lane];
      y[i] = lanes[lane];
    }
  }
  return sum;
}

static void VK(rk_softmax_f32)(const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns) {
  for (ptrdiff_t r = 0; r < rows; r++, x += columns, y += columns) {
    float sum = VK(exp_sum)(x, y, columns, VK(rk_max_f32)(x, columns));
    float scale = 1.0f / sum;
    ptrdiff_t i = 0;
    for (; i + VK_WIDTH <= columns; i += VK_WIDTH) v_store(y + i, v_load(y + i) * scale);
    for (; i < columns; i++) y[i] *= scale;
  }
}

static void VK(rk_log_softmax_f32)(const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns) {
  for (ptrdiff_t r = 0; r < rows; r++, x += columns, y += columns) {
    float most = VK(rk_max_f32)(x, columns);
    // y may be x, so the exponentials are summed without being kept.
    vf sums = 0;
    ptrdiff_t i = 0;
    for (; i + VK_WIDTH <= columns; i += VK_WIDTH) sums = sums + v_exp(v_load(x + i) - most);
    float sum = v_sum(sums);
    if (i < columns) {
      float lanes[VK_WIDTH];
      v_store(lanes, v_exp(v_load_some(x + i, columns - i) - most));
      for (int lane = 0; i < columns; i++, lane++) sum += lanes[lane];
    }
    float log_sum = logf(sum);
    for (i = 0; i + VK_WIDTH <= columns; i += VK_WIDTH)
      v_store(y + i, (v_load(x + i) - most) - log_sum);
    for (; i < columns; i++) y[i] = (x[i] - most) - log_sum;
  }
}

static void VK(rk_layer_norm_f32)(
    const float *x, const float *scale, const float *bias, float *y, ptrdiff_t rows,
    ptrdiff_t columns, float epsilon, float *means, float *inverse_deviations) {
  for (ptrdiff_t r = 0; r < rows; r++, x += columns, y += columns) {
    float mean = VK(rk_sum_f32)(x, columns) / (float)columns;
    float variance = VK(squared_distance)(x, mean, columns) / (float)columns;
    float inverse = 1.0f / sqrtf(variance + epsilon);
    if (means) means[r] = mean;
    if (inverse_deviations) inverse_deviations[r] = inverse;
    for (ptrdiff_t i = 0; i < columns; i += VK_WIDTH) {
      ptrdiff_t left = columns - i;
      vf value = (v_load_some(x + i, left) - mean) * inverse * v_load_some(scale + i, left);
      if (bias) value = value + v_load_some(bias + i, left);
      v_store_some(y + i, value, left);
    }
  }
}
