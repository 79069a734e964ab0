// Cosine distances straight from where rows lie, at one level. See dispatch.h.
//
// A tile of SIDE x SIDE products is summed along the rows, so that nothing is packed and both loads and
// sums stay in registers: SIDE * SIDE sums, SIDE values of one side, one of the other.

#undef CK_SIDE
#if VK_WIDTH == 16 || defined(__aarch64__)
#define CK_SIDE 5
#else
#define CK_SIDE 3
#endif

/// The sums of all lanes of each of four vectors.
VK_INLINE void VK(ck_sum_four)(vf a, vf b, vf c, vf d, float *sums) {
#if VK_WIDTH == 16
  __m512 ab = _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
  __m512 cd = _mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d);
  __m512 abcd = _mm512_shuffle_ps(ab, cd, 0x44) + _mm512_shuffle_ps(ab, cd, 0xee);
  __m256 half = _mm512_castps512_ps256(abcd) + _mm512_extractf32x8_ps(abcd, 1);
  _mm_storeu_ps(sums, _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1));
#elif VK_WIDTH == 8
  __m256 ab = _mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b);
  __m256 cd = _mm256_unpacklo_ps(c, d) + _mm256_unpackhi_ps(c, d);
  __m256 abcd = _mm256_shuffle_ps(ab, cd, 0x44) + _mm256_shuffle_ps(ab, cd, 0xee);
  _mm_storeu_ps(sums, _mm256_castps256_ps128(abcd) + _mm256_extractf128_ps(abcd, 1));
#else
  sums[0] = v_sum(a), sums[1] = v_sum(b), sums[2] = v_sum(c), sums[3] = v_sum(d);
#endif
}

/// The products of each of CK_SIDE rows with each of CK_SIDE others; `products` has room for three more.
static void VK(ck_tile)(
    const float *const *a, const float *const *b, ptrdiff_t width, float *products) {
  vf sums[CK_SIDE * CK_SIDE + 3];
#pragma clang loop unroll(full)
  for (int k = 0; k < CK_SIDE * CK_SIDE + 3; k++) sums[k] = v_set(0);
  ptrdiff_t i = 0;
  for (; i + VK_WIDTH <= width; i += VK_WIDTH) {
    vf y[CK_SIDE];
#pragma clang loop unroll(full)
    for (int k = 0; k < CK_SIDE; k++) y[k] = v_load(b[k] + i);
#pragma clang loop unroll(full)
    for (int j = 0; j < CK_SIDE; j++) {
      vf x = v_load(a[j] + i);
#pragma clang loop unroll(full)
      for (int k = 0; k < CK_SIDE; k++) sums[j * CK_SIDE + k] += x * y[k];
    }
  }
  if (i < width) {
    vf y[CK_SIDE];
#pragma clang loop unroll(full)
    for (int k = 0; k < CK_SIDE; k++) y[k] = v_load_some(b[k] + i, width - i);
#pragma clang loop unroll(full)
    for (int j = 0; j < CK_SIDE; j++) {
      vf x = v_load_some(a[j] + i, width - i);
#pragma clang loop unroll(full)
      for (int k = 0; k < CK_SIDE; k++) sums[j * CK_SIDE + k] += x * y[k];
    }
  }
#pragma clang loop unroll(full)
  for (int k = 0; k < CK_SIDE * CK_SIDE; k += 4)
    VK(ck_sum_four)(sums[k], sums[k + 1], sums[k + 2], sums[k + 3], products + k);
}

static int VK(ck_cosine_distances_f32)(
    const float *rows, ptrdiff_t count, ptrdiff_t width, float *distances, float *scales) {
  ptrdiff_t stride = ck_distance_stride(count);
  // Products into the matrix, each twice.
  for (ptrdiff_t top = 0; top < count; top += CK_SIDE) {
    const float *a[CK_SIDE], *b[CK_SIDE];
    for (int k = 0; k < CK_SIDE; k++)
      a[k] = rows + (top + k < count ? top + k : count - 1) * width;
    for (ptrdiff_t left = 0; left <= top; left += CK_SIDE) {
      for (int k = 0; k < CK_SIDE; k++)
        b[k] = rows + (left + k < count ? left + k : count - 1) * width;
      float products[CK_SIDE * CK_SIDE + 3];
      VK(ck_tile)(a, b, width, products);
      if (top + CK_SIDE <= count) {
        // Whole: sizes are known, and stores are few.
#pragma clang loop unroll(full)
        for (int j = 0; j < CK_SIDE; j++) {
          memcpy(
              distances + (top + j) * stride + left, products + j * CK_SIDE,
              CK_SIDE * sizeof(float));
#pragma clang loop unroll(full)
          for (int k = 0; k < CK_SIDE; k++)
            distances[(left + k) * stride + top + j] = products[j * CK_SIDE + k];
        }
        continue;
      }
      for (int j = 0; j < CK_SIDE && top + j < count; j++)
        for (int k = 0; k < CK_SIDE && left + k < count; k++) {
          float product = products[j * CK_SIDE + k];
          distances[(top + j) * stride + left + k] = product;
          distances[(left + k) * stride + top + j] = product;
        }
    }
  }
  for (ptrdiff_t row = 0; row < count; row++) {
    float square = distances[row * stride + row];
    // Neither are all squares too large or too small for a number, nor is one not finite.
    if (!(square > 1e-30f && square < 1e30f)) return 0;
    scales[row] = 1 / sqrtf(square);
  }
  for (ptrdiff_t row = 0; row < count; row++) {
    float *place = distances + row * stride;
    vf scale = v_set(scales[row]);
    for (ptrdiff_t i = 0; i < count; i += VK_WIDTH) {
      vf cosine = v_load(place + i) * (scale * v_load_some(scales + i, count - i));
      v_store(place + i, v_min(v_max(1 - cosine, v_set(0)), v_set(2)));
    }
    for (ptrdiff_t i = count; i < stride; i++) place[i] = INFINITY;
    place[row] = INFINITY;
  }
  return 1;
}
