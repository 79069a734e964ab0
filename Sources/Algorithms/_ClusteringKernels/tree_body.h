// The nearest-neighbour chain on a square matrix of distances, at one level. See dispatch.h.

/// Where the least of a row's values is, and whether all others are at least `doubt` above it. To each value
/// what is in its place in `gone` is added: infinity where there is no cluster any more.
VK_INLINE ptrdiff_t VK(ck_nearest)(
    const float *row, const float *gone, ptrdiff_t stride, float doubt, float *least,
    int *is_sure) {
#if VK_WIDTH == 16
  __m512 low = _mm512_loadu_ps(row) + _mm512_loadu_ps(gone);
  for (ptrdiff_t i = 16; i < stride; i += 16)
    low = _mm512_min_ps(low, _mm512_loadu_ps(row + i) + _mm512_loadu_ps(gone + i));
  float value = _mm512_reduce_min_ps(low);
  __m512 bound = _mm512_set1_ps(value + doubt), equal = _mm512_set1_ps(value);
  int near = 0;
  ptrdiff_t index = -1;
  for (ptrdiff_t i = 0; i < stride; i += 16) {
    __m512 values = _mm512_loadu_ps(row + i) + _mm512_loadu_ps(gone + i);
    near += __builtin_popcount(_mm512_cmp_ps_mask(values, bound, _CMP_LT_OQ));
    unsigned same = _mm512_cmp_ps_mask(values, equal, _CMP_EQ_OQ);
    if (same && index < 0) index = i + __builtin_ctz(same);
  }
#else
  // A multiple of 16 values is one of the width.
  vf low = v_load(row) + v_load(gone);
  for (ptrdiff_t i = VK_WIDTH; i < stride; i += VK_WIDTH)
    low = v_min(low, v_load(row + i) + v_load(gone + i));
  float value = low[0];
  for (int lane = 1; lane < VK_WIDTH; lane++) value = low[lane] < value ? low[lane] : value;
  vi count = 0;
  for (ptrdiff_t i = 0; i < stride; i += VK_WIDTH)
    count -= v_load(row + i) + v_load(gone + i) < value + doubt;
  int near = 0;
  for (int lane = 0; lane < VK_WIDTH; lane++) near += count[lane];
  ptrdiff_t index = 0;
  while (row[index] + gone[index] != value) index++;
#endif
  *least = value;
  *is_sure = near == 1;
  return index;
}

/// Takes one cluster into another, which goes on under its number, at the mean of the distances by shares, in
/// the rows and columns of those that are `left`.
VK_INLINE void VK(ck_join_rows)(
    float *distances, ptrdiff_t stride, ptrdiff_t dropped, ptrdiff_t kept, double dropped_share,
    double kept_share, const int32_t *left, ptrdiff_t count) {
  float *from = distances + dropped * stride, *to = distances + kept * stride;
#if VK_WIDTH == 16
  __m512d x = _mm512_set1_pd(dropped_share), y = _mm512_set1_pd(kept_share);
  for (ptrdiff_t i = 0; i < stride; i += 8) {
    __m512d sum = _mm512_mul_pd(x, _mm512_cvtps_pd(_mm256_loadu_ps(from + i)));
    sum = _mm512_fmadd_pd(y, _mm512_cvtps_pd(_mm256_loadu_ps(to + i)), sum);
    _mm256_storeu_ps(to + i, _mm512_cvtpd_ps(sum));
  }
#else
  for (ptrdiff_t i = 0; i < stride; i++)
    to[i] = (float)(dropped_share * (double)from[i] + kept_share * (double)to[i]);
#endif
  for (ptrdiff_t place = 0; place < count; place++)
    distances[left[place] * stride + kept] = to[left[place]];
  to[kept] = INFINITY;
}

static int VK(ck_chain)(const ck_tree_task *task, ck_room room) {
  ptrdiff_t count = task->count, stride = ck_distance_stride(count), length = 0;
  int32_t found = 0, *chain = room.chain, *sizes = room.sizes, *left = room.left;
  float doubt = (float)task->doubt;
  for (ptrdiff_t place = 0; place < stride; place++) room.gone[place] = 0;
  for (ptrdiff_t row = 0; row < count; row++) {
    sizes[row] = 1;
    left[row] = (int32_t)row;
    room.nodes[row] = (int32_t)row;
    room.scales[row] = 0;
  }
  while (found < count - 1) {
    if (length == 0) chain[length++] = left[0];
    int32_t last = chain[length - 1];
    float value;
    int is_sure;
    ptrdiff_t near =
        VK(ck_nearest)(
            task->distances + last * stride, room.gone, stride, doubt, &value, &is_sure);
    double distance = value;
    if (!is_sure) near = decided(task, room, last, value, &distance);
    if (near < 0) return 0;
    if (length == 1 || near != chain[length - 2]) {
      // Without ties a chain comes nearer with each step, and ends.
      if (length == count) return 0;
      chain[length++] = (int32_t)near;
      continue;
    }
    length -= 2;
    int32_t dropped = near < last ? (int32_t)near : last, kept = near < last ? last : (int32_t)near;
    double total = sizes[dropped] + sizes[kept];
    ptrdiff_t place = 0, remaining = count - found - 1;
    while (left[place] != dropped) place++;
    memmove(left + place, left + place + 1, (size_t)(remaining - place) * sizeof *left);
    room.gone[dropped] = INFINITY;
    VK(ck_join_rows)(
        task->distances, stride, dropped, kept, sizes[dropped] / total, sizes[kept] / total, left,
        remaining);
    sizes[kept] += sizes[dropped];
    room.first[found] = room.nodes[dropped];
    room.second[found] = room.nodes[kept];
    room.nodes[kept] = (int32_t)count + found;
    insert(room.found, found, (ck_found){distance, found, !is_sure});
    found++;
  }
  return 1;
}
