// Movement. See dispatch.h.

static void RK(rk_upsample_nearest2_f32)(
    const float *input, float *output, ptrdiff_t channels, ptrdiff_t height, ptrdiff_t width) {
#if RK_WIDTH == 4
#define RK_LOW 0, 0, 1, 1
#define RK_HIGH 2, 2, 3, 3
#elif RK_WIDTH == 8
#define RK_LOW 0, 0, 1, 1, 2, 2, 3, 3
#define RK_HIGH 4, 4, 5, 5, 6, 6, 7, 7
#else
#define RK_LOW 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#define RK_HIGH 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15
#endif
  for (ptrdiff_t r = 0; r < channels * height; r++) {
    const float *row = input + r * width;
    float *top = output + r * 4 * width, *bottom = top + 2 * width;
    ptrdiff_t i = 0;
    for (; i + RK_WIDTH <= width; i += RK_WIDTH) {
      vf x = v_load(row + i);
      vf low = __builtin_shufflevector(x, x, RK_LOW), high = __builtin_shufflevector(x, x, RK_HIGH);
      v_store(top + 2 * i, low);
      v_store(top + 2 * i + RK_WIDTH, high);
      v_store(bottom + 2 * i, low);
      v_store(bottom + 2 * i + RK_WIDTH, high);
    }
    for (; i < width; i++)
      top[2 * i] = top[2 * i + 1] = bottom[2 * i] = bottom[2 * i + 1] = row[i];
  }
#undef RK_LOW
#undef RK_HIGH
}

typedef float RK(quad) __attribute__((ext_vector_type(4)));
typedef RK(quad) RK(unaligned_quad) __attribute__((aligned(4), may_alias));

/// Four vectors of four, as the rows of a matrix, to its columns.
RK_INLINE void RK(transpose_4x4)(
    const float *from, ptrdiff_t from_stride, float *to, ptrdiff_t to_stride) {
  RK(quad) a = *(const RK(unaligned_quad) *)from;
  RK(quad) b = *(const RK(unaligned_quad) *)(from + from_stride);
  RK(quad) c = *(const RK(unaligned_quad) *)(from + 2 * from_stride);
  RK(quad) d = *(const RK(unaligned_quad) *)(from + 3 * from_stride);
  RK(quad) ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  RK(quad) ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  RK(quad) cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  RK(quad) cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  *(RK(unaligned_quad) *)to = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  *(RK(unaligned_quad) *)(to + to_stride) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  *(RK(unaligned_quad) *)(to + 2 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  *(RK(unaligned_quad) *)(to + 3 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static void RK(rk_transpose_f32)(
    const float *input, float *output, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t input_stride,
    ptrdiff_t output_stride) {
  // Blocks of 16 x 16: whole cache lines on both sides.
  for (ptrdiff_t i0 = 0; i0 < rows; i0 += 16)
    for (ptrdiff_t j0 = 0; j0 < columns; j0 += 16) {
      ptrdiff_t i1 = i0 + 16 < rows ? i0 + 16 : rows, j1 = j0 + 16 < columns ? j0 + 16 : columns;
      ptrdiff_t i = i0;
      for (; i + 4 <= i1; i += 4) {
        ptrdiff_t j = j0;
        for (; j + 4 <= j1; j += 4)
          RK(transpose_4x4)(
              input + i * input_stride + j, input_stride, output + j * output_stride + i,
              output_stride);
        for (; j < j1; j++)
          for (ptrdiff_t k = i; k < i + 4; k++)
            output[j * output_stride + k] = input[k * input_stride + j];
      }
      for (; i < i1; i++)
        for (ptrdiff_t j = j0; j < j1; j++)
          output[j * output_stride + i] = input[i * input_stride + j];
    }
}

static void RK(rk_pixel_rows_f32)(
    const float *input, float *output, ptrdiff_t pixels, ptrdiff_t depth, ptrdiff_t output_step) {
  for (ptrdiff_t p = 0; p < pixels; p++, input += RK_BLOCK, output += output_step)
    for (ptrdiff_t i = 0; i < depth; i += RK_WIDTH)
      v_store_some(output + i, v_load(input + i), depth - i);
}
