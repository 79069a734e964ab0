// Products of float32 numbers by parts (split.c). Weights are packed everywhere; products need AMX, and are compared with sums
// in double precision here.

#include "drive.h"

typedef struct split_case {
  ptrdiff_t inputs, outputs, height, width, taps, stride, dilation;
  /// Channel blocks, or all channels of a pixel side by side.
  int is_blocked;
} split_case;

static void split_product(const split_case t) {
  const ptrdiff_t reach = (t.taps - 1) * t.dilation, taps = t.taps * t.taps;
  const ptrdiff_t in_height = (t.height - 1) * t.stride + reach + 1;
  const ptrdiff_t in_width = (t.width - 1) * t.stride + reach + 1;
  const ptrdiff_t in_blocks = (t.inputs + 15) / 16, out_blocks = (t.outputs + 15) / 16;
  const float *weights = some_floats(t.outputs * t.inputs * taps, 0.5f);
  const ptrdiff_t size = rk_split_packed_size(t.outputs, t.inputs, taps);
  uint16_t *packed = halves(size);
  rk_split_pack_weights(
      weights, t.inputs * taps, taps, 1, 0.75f, packed, t.outputs, t.inputs, taps);
  record(
      HALVES, packed, size, 0, "rk_split_pack_weights %ld to %ld, %ld", (long)t.inputs, (long)t.outputs,
      (long)taps);

  const ptrdiff_t in_pixel = t.is_blocked ? 16 : t.inputs, in_row = in_width * in_pixel;
  const ptrdiff_t in_count = t.is_blocked ? in_blocks * in_height * in_row : in_height * in_row;
  const ptrdiff_t out_pixel = t.is_blocked ? 16 : t.outputs, out_row = t.width * out_pixel;
  const ptrdiff_t out_count = (t.is_blocked ? out_blocks : 1) * t.height * out_row;
  const rk_split_conv conv = {
      .inputs = t.inputs, .in_block = t.is_blocked ? in_height * in_row : 16,
      .in_pixel = in_pixel, .in_row = in_row, .taps_y = t.taps, .taps_x = t.taps, .stride_y = t.stride,
      .stride_x = t.stride, .dilation_y = t.dilation, .dilation_x = t.dilation, .outputs = t.outputs,
      .out_width = t.width, .out_block = t.is_blocked ? t.height * out_row : 16, .out_pixel = out_pixel,
      .out_row = out_row, .residual_block = t.is_blocked ? t.height * out_row : 16,
      .residual_pixel = out_pixel, .residual_row = out_row, .writes_whole_blocks = t.is_blocked};
  const float *input = some_floats(in_count, 1), *bias = some_floats(t.outputs, 1);
  const float *residual = some_floats(out_count, 1);
  const ptrdiff_t room = rk_split_scratch(&conv, t.height);
  if (rk_splits_products()) {
    float *output = floats(out_count), *again = floats(out_count);
    void *memory = NULL;
    expect(posix_memalign(&memory, 64, (size_t)room) == 0, "memory");
    rk_split_conv_rows(
        &conv, input, packed, bias, residual, output, 0, out_blocks, 0, t.height, memory);
    for (ptrdiff_t b = 0; b < out_blocks; b++)
      for (ptrdiff_t y = 0; y < t.height; y++)
        rk_split_conv_rows(&conv, input, packed, bias, residual, again, b, 1, y, 1, memory);
    free(memory);
    expect(memcmp(output, again, (size_t)out_count * 4) == 0, "by parts: the same in pieces");
    for (ptrdiff_t y = 0; y < t.height; y++)
      for (ptrdiff_t x = 0; x < t.width; x++)
        for (ptrdiff_t o = 0; o < t.outputs; o++) {
          const ptrdiff_t at = o / 16 * conv.out_block + y * out_row + x * out_pixel + o % 16;
          double sum = (double)bias[o] + residual[at], greatest = fabs(sum);
          for (ptrdiff_t i = 0; i < t.inputs; i++)
            for (ptrdiff_t tap = 0; tap < taps; tap++) {
              const ptrdiff_t row = y * t.stride + tap / t.taps * t.dilation;
              const ptrdiff_t column = x * t.stride + tap % t.taps * t.dilation;
              const double product =
                  0.75 * weights[(o * t.inputs + i) * taps + tap] *
                  input[i / 16 * conv.in_block + row * in_row + column * in_pixel + i % 16];
              sum += product;
              greatest += fabs(product);
            }
          expect(
              fabs(sum - output[at]) <= 3e-7 * greatest,
              "%ld to %ld: %.9g, not %.9g", (long)t.inputs, (long)t.outputs,
              (double)output[at], sum);
        }
  }
  release();
}

void drive_split(void) {
  static const split_case cases[] = {
      {1, 1, 1, 1, 1, 1, 1, 0},    {32, 16, 1, 16, 1, 1, 1, 0}, {47, 33, 1, 35, 1, 1, 1, 0},
      {96, 20, 3, 17, 1, 1, 1, 1}, {40, 64, 4, 9, 3, 1, 1, 1},  {17, 31, 5, 6, 3, 2, 1, 1},
      {65, 48, 2, 33, 5, 1, 1, 0}, {24, 18, 3, 4, 3, 1, 3, 1},  {64, 64, 8, 8, 3, 1, 1, 1},
      {480, 18, 4, 19, 3, 2, 1, 1}, {50, 17, 1, 100, 1, 1, 1, 0}, {33, 49, 6, 21, 3, 1, 1, 1},
  };
  for EACH(i, cases) split_product(cases[i]);
}
