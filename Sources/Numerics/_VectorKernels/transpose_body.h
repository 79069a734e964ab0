// Transposition at one level. See dispatch.h.

typedef float VK(quad) __attribute__((ext_vector_type(4)));
typedef VK(quad) VK(unaligned_quad) __attribute__((aligned(4), may_alias));

/// Four vectors of four, as the rows of a matrix, to its columns.
VK_INLINE void VK(transpose_4x4)(
    const float *from, ptrdiff_t from_stride, float *to, ptrdiff_t to_stride) {
  VK(quad) a = *(const VK(unaligned_quad) *)from;
  VK(quad) b = *(const VK(unaligned_quad) *)(from + from_stride);
  VK(quad) c = *(const VK(unaligned_quad) *)(from + 2 * from_stride);
  VK(quad) d = *(const VK(unaligned_quad) *)(from + 3 * from_stride);
  VK(quad) ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  VK(quad) ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  VK(quad) cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  VK(quad) cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  *(VK(unaligned_quad) *)to = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  *(VK(unaligned_quad) *)(to + to_stride) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  *(VK(unaligned_quad) *)(to + 2 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  *(VK(unaligned_quad) *)(to + 3 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static void VK(vk_transpose_f32)(
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
          VK(transpose_4x4)(
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
