// Attention at one level: blocks of keys are packed once for all queries of a call, and for a few
// queries at a time scores, weights and products stay in the second-level cache. Over several blocks
// of keys the greatest score and the sum of weights so far are carried along and what was summed up
// is scaled again (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Dao et
// al., "FlashAttention", 2022), so that scores of long sequences are never all there.

/// Scores of one query, scaled, to weights e^(score - most): returns their sum. `most` is the greatest
/// score so far, and is updated.
VK_INLINE float VK(attention_weights)(
    float *scores, ptrdiff_t count, const float *mask, ptrdiff_t mask_column, float *most) {
  if (mask) {
    ptrdiff_t i = 0;
    if (mask_column == 0)
      for (; i < count; i += VK_WIDTH)
        v_store_some(scores + i, v_load_some(scores + i, count - i) + mask[0], count - i);
    else
      for (; i < count; i += VK_WIDTH)
        v_store_some(
            scores + i, v_load_some(scores + i, count - i) + v_load_some(mask + i, count - i),
            count - i);
  }
  float greatest = *most;
  ptrdiff_t i = 0;
  if (count >= VK_WIDTH) {
    vf bests = v_load(scores);
    for (i = VK_WIDTH; i + VK_WIDTH <= count; i += VK_WIDTH)
      bests = v_nan_max(bests, v_load(scores + i));
    float lanes[VK_WIDTH];
    v_store(lanes, bests);
    for (int lane = 0; lane < VK_WIDTH; lane++)
      greatest = lanes[lane] > greatest || lanes[lane] != lanes[lane] ? lanes[lane] : greatest;
  }
  for (; i < count; i++)
    greatest = scores[i] > greatest || scores[i] != scores[i] ? scores[i] : greatest;
  *most = greatest;
  // Where all is -infinity so far, weights are 0, not e^(-infinity + infinity).
  float shift = greatest == -__builtin_inff() ? 0.0f : greatest;
  vf sums = 0;
  for (i = 0; i + VK_WIDTH <= count; i += VK_WIDTH) {
    vf e = v_exp(v_load(scores + i) - shift);
    sums = sums + e;
    v_store(scores + i, e);
  }
  float sum = v_sum(sums);
  if (i < count) {
    float lanes[VK_WIDTH];
    v_store(lanes, v_exp(v_load_some(scores + i, count - i) - shift));
    for (int lane = 0; i < count; i++, lane++) {
      sum += lanes[lane];
      scores[i] = lanes[lane];
    }
  }
  return sum;
}

/// y = y * factor + x * x_factor, y unset where `is_first`.
VK_INLINE void VK(attention_add)(
    const float *x, float x_factor, float *y, float factor, ptrdiff_t count, int is_first) {
  for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
    ptrdiff_t left = count - i;
    vf v = v_load_some(x + i, left) * x_factor;
    if (!is_first) v = v_load_some(y + i, left) * factor + v;
    v_store_some(y + i, v, left);
  }
}

static void VK(rk_attention_f32)(
    const rk_attention *t, const float *query, const float *key, const float *value,
    const float *mask, float *output, ptrdiff_t first_query, ptrdiff_t query_count,
    float *scratch) {
  if (t->keys <= 0 || t->value_size <= 0) return;
  const ptrdiff_t blocks = (t->keys + RK_ATTENTION_KEYS - 1) / RK_ATTENTION_KEYS;
  float *packed_keys = scratch;
  float *packed_values = packed_keys + RK_ATTENTION_KEYS * t->size;
  float *scores = packed_values + vk_panel_count(t->value_size) * VK_PANEL * RK_ATTENTION_KEYS;
  float *part = scores + RK_ATTENTION_ROWS * RK_ATTENTION_SCORES;
  const ptrdiff_t part_row = vk_panel_count(t->value_size) * VK_PANEL;
  for (ptrdiff_t chunk = 0; chunk < query_count; chunk += RK_ATTENTION_QUERIES) {
    ptrdiff_t queries = query_count - chunk;
    if (queries > RK_ATTENTION_QUERIES) queries = RK_ATTENTION_QUERIES;
    float most[RK_ATTENTION_QUERIES], sums[RK_ATTENTION_QUERIES];
    for (ptrdiff_t at = 0; at < blocks; at++) {
      ptrdiff_t first_key = t->keys * at / blocks;
      ptrdiff_t keys = t->keys * (at + 1) / blocks - first_key;
      int is_first = at == 0, is_last = at == blocks - 1;
      const float *keys_here = key + first_key * t->key_row;
      if (blocks > 1 || chunk == 0) {
        vk_pack_right_f32(
            keys_here, 1, t->key_row, t->size, keys, t->scale, packed_keys, 0,
            vk_panel_count(keys));
        vk_pack_right_f32(
            value + first_key * t->value_row, t->value_row, 1, keys, t->value_size, 1.0f,
            packed_values, 0, vk_panel_count(t->value_size));
      }
      // Scores reach to the end of the last panel, so that all panels are whole ones.
      vk_product to_scores = {
          vk_panel_count(keys) * VK_PANEL, t->size, t->query_row, 1, RK_ATTENTION_SCORES, 0,
          {{VK_IDENTITY, 0, 0}, 0}};
      vk_product to_output = {
          part_row, keys, RK_ATTENTION_SCORES, 1, part_row, 0, {{VK_IDENTITY, 0, 0}, 0}};
      for (ptrdiff_t row = 0; row < queries; row += RK_ATTENTION_ROWS) {
        ptrdiff_t rows = queries - row < RK_ATTENTION_ROWS ? queries - row : RK_ATTENTION_ROWS;
        ptrdiff_t place = first_query + chunk + row;
        if (t->size > 0)
          vk_packed_gemm_f32(
              &to_scores, query + place * t->query_row, packed_keys, 0, 0, scores, 0, rows, 0,
              vk_panel_count(keys));
        float factors[RK_ATTENTION_ROWS];
        for (ptrdiff_t r = 0; r < rows; r++) {
          float *line = scores + r * RK_ATTENTION_SCORES;
          if (t->size <= 0)
            for (ptrdiff_t i = 0; i < keys; i++) line[i] = 0.0f;
          float before = is_first ? -__builtin_inff() : most[row + r];
          float now = before;
          float sum = VK(attention_weights)(
              line, keys,
              mask ? mask + (place + r) * t->mask_row + first_key * t->mask_column : 0,
              t->mask_column, &now);
          float shift = now == -__builtin_inff() ? 0.0f : now;
          factors[r] = is_first ? 0.0f : expf(before - shift);
          most[row + r] = now;
          sums[row + r] = is_first ? sum : sums[row + r] * factors[r] + sum;
        }
        vk_packed_gemm_f32(
            &to_output, scores, packed_values, 0, 0, part, 0, rows, 0,
            vk_panel_count(t->value_size));
        for (ptrdiff_t r = 0; r < rows; r++) {
          float last = is_last ? 1.0f / sums[row + r] : 1.0f;
          VK(attention_add)(
              part + r * part_row, last, output + (place + r) * t->output_row, factors[r] * last,
              t->value_size, is_first);
        }
      }
    }
  }
}
