// Movement. See dispatch.h.

static void VK(rk_upsample_nearest2_f32)(
    const float *input, float *output, ptrdiff_t channels, ptrdiff_t height, ptrdiff_t width) {
#if VK_WIDTH == 4
#define RK_LOW 0, 0, 1, 1
#define RK_HIGH 2, 2, 3, 3
#elif VK_WIDTH == 8
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
    for (; i + VK_WIDTH <= width; i += VK_WIDTH) {
      vf x = v_load(row + i);
      vf low = __builtin_shufflevector(x, x, RK_LOW), high = __builtin_shufflevector(x, x, RK_HIGH);
      v_store(top + 2 * i, low);
      v_store(top + 2 * i + VK_WIDTH, high);
      v_store(bottom + 2 * i, low);
      v_store(bottom + 2 * i + VK_WIDTH, high);
    }
    for (; i < width; i++)
      top[2 * i] = top[2 * i + 1] = bottom[2 * i] = bottom[2 * i + 1] = row[i];
  }
#undef RK_LOW
#undef RK_HIGH
}

static void VK(rk_pixel_rows_f32)(
    const float *input, float *output, ptrdiff_t pixels, ptrdiff_t depth, ptrdiff_t output_step) {
  for (ptrdiff_t p = 0; p < pixels; p++, input += RK_BLOCK, output += output_step)
    for (ptrdiff_t i = 0; i < depth; i += VK_WIDTH)
      v_store_some(output + i, v_load(input + i), depth - i);
}
