// Kernels on 8-bit integers (int8.c).

#include "drive.h"

static ptrdiff_t size_of(rk_q8_result result) { return result == RK_Q8_BYTE ? 1 : 4; }

/// float32 results are sums of integers, which are the same everywhere, times a scale.
static record_kind kind_of(rk_q8_result result) {
  return result == RK_Q8_INT32 ? INTS : result == RK_Q8_BYTE ? BYTES : NEAR;
}

/// What becomes of sums of about this size.
static rk_q8_finish finish_of(
    ptrdiff_t outputs, rk_q8_result result, float size, int kind, int has_bias, int has_zeros) {
  const ptrdiff_t count = (outputs + 15) / 16 * 16;
  int32_t *offset = ints(count), *zeros = ints(count);
  float *scale = floats(count), *bias = some_floats(count, 1);
  for (ptrdiff_t i = 0; i < count; i++) {
    offset[i] = (int32_t)((float)draw_below(2000) * size / 2000.0f);
    zeros[i] = (int32_t)draw_below(17) - 8;
    // Powers of two, so that a product and a sum with the bias round once, fused or not.
    scale[i] = ldexpf(1.0f, -(int)draw_below(3)) / exp2f(ceilf(log2f(size)));
  }
  return (rk_q8_finish){
      result, offset, scale, has_bias ? bias : NULL, has_zeros ? zeros : NULL,
      {(vk_activation_kind)kind, 0.2f, 0.7f}, 37.7f, 100, 3, 250};
}

// MARK: - Products

static void product(
    ptrdiff_t inputs, ptrdiff_t outputs, ptrdiff_t height, ptrdiff_t width, ptrdiff_t kernel,
    ptrdiff_t stride, rk_q8_result result, int kind, int mode) {
  const ptrdiff_t taps = kernel * kernel, depth = (inputs + 3) / 4, pitch = depth * 4;
  const ptrdiff_t in_width = (width - 1) * stride + kernel, in_height = (height - 1) * stride + kernel;
  const ptrdiff_t blocks = (outputs + 15) / 16, has_zeros = mode & 1;
  const ptrdiff_t weight_count = rk_q8_packed_size(outputs, inputs, taps, (int)has_zeros);
  uint8_t *input = some_bytes(in_height * in_width * pitch);
  uint8_t *plain = some_bytes(outputs * inputs * taps);
  // The greatest products there are, of either sign: all the same, or in any order.
  for (ptrdiff_t i = 0; mode & 48 && i < in_height * in_width * pitch; i++)
    input[i] = mode & 16 && input[i] & 1 ? 255 : 0;
  for (ptrdiff_t i = 0; mode & 48 && i < outputs * inputs * taps; i++)
    plain[i] = (uint8_t)((mode & 16 && plain[i] & 1 ? 127 : 128) ^ (mode & 4 ? 128 : 0));
  int8_t *weights = buffer(weight_count);
  int32_t *sums = ints(blocks * 16);
  const long in = (long)inputs, out = (long)outputs;
  // Rows of weights lie side by side, or columns do.
  const ptrdiff_t output_step = mode & 2 ? 1 : inputs * taps, input_step = mode & 2 ? outputs * taps : taps;
  const ptrdiff_t tap_step = mode & 2 ? outputs : 1;
  rk_q8_pack_weights(
      plain, output_step, input_step, tap_step, mode & 4 ? 128 : 0, weights, sums, outputs, inputs, taps,
      (int)has_zeros);
  expect(weight_count % 64 == 0, "packed weights in blocks of 64, rk_q8_packed_size");
  record(BYTES, weights, weight_count, 0, "rk_q8_pack_weights %ld to %ld, %ld taps", in, out, (long)taps);
  record(INTS, sums, blocks * 16, 0, "rk_q8_pack_weights sums, %ld to %ld, %ld taps", in, out, (long)taps);
  const ptrdiff_t out_pixel = outputs + (mode & 8 ? 5 : 0), out_row = width * out_pixel;
  const rk_q8_conv conv = {
      depth, kernel, kernel, in_width * pitch, pitch, stride * pitch, stride * in_width * pitch, outputs,
      width, out_pixel, out_row};
  const rk_q8_finish finish =
      finish_of(outputs, result, 6000.0f * sqrtf((float)(inputs * taps)), kind, mode & 2, (int)has_zeros);
  const ptrdiff_t count = height * out_row - (out_pixel - outputs);
  uint8_t *output = buffer(count * size_of(result)), *parts = buffer(count * size_of(result));
  rk_q8_conv_rows(&conv, input, weights, &finish, output, 0, blocks, 0, height);
  record(
      kind_of(result), output, count, 0,
      "rk_q8_conv_rows %ld to %ld of %ldx%ld, kernel %ld, stride %ld, result %d, kind %d, mode %d", in, out,
      (long)height, (long)width, (long)kernel, (long)stride, (int)result, kind, mode);
  for (ptrdiff_t row = 0; row < height; row++)
    for (ptrdiff_t block = 0; block < blocks; block++)
      rk_q8_conv_rows(&conv, input, weights, &finish, parts, block, 1, row, 1);
  expect(
      memcmp(output, parts, (size_t)(count * size_of(result))) == 0, "8-bit products are the same in parts");
  release();
}

/// Whether bytes are the same everywhere: functions with roundings of their own may fall to either side of a half.
static int may_be_bytes(int kind) { return kind <= VK_CLIP; }

static void depthwise(ptrdiff_t channels, ptrdiff_t width, ptrdiff_t kernel, rk_q8_result result, int kind, int mode) {
  const ptrdiff_t height = 4, in_width = width + kernel - 1, in_height = height + kernel - 1;
  const ptrdiff_t padded = (channels + 15) / 16 * 16, pitch = padded, taps = kernel * kernel;
  const uint8_t *input = some_bytes(in_height * in_width * pitch);
  float *weights = floats(taps * padded);
  for (ptrdiff_t i = 0; i < taps * padded; i++) weights[i] = (float)(draw_below(256) - 128);
  const rk_q8_conv conv = {
      0, kernel, kernel, in_width * pitch, pitch, pitch, in_width * pitch, channels, width, channels,
      width * channels};
  const rk_q8_finish finish = finish_of(channels, result, 9000.0f * (float)kernel, kind, mode & 1, 0);
  const ptrdiff_t count = height * width * channels;
  uint8_t *output = buffer(count * size_of(result));
  rk_q8_depthwise_rows(&conv, input, weights, mode & 2 ? 117 : 0, &finish, output, 0, 1);
  rk_q8_depthwise_rows(&conv, input, weights, mode & 2 ? 117 : 0, &finish, output, 1, height - 1);
  record(
      kind_of(result), output, count, 0, "rk_q8_depthwise_rows %ld of %ld, kernel %ld, result %d, kind %d",
      (long)channels, (long)width, (long)kernel, (int)result, kind);
  release();
}

void drive_int8_products(void) {
  for (int result = RK_Q8_INT32; result <= RK_Q8_BYTE; result++) {
    for (ptrdiff_t width = 1; width <= 30; width++) {
      product(
          1 + width * 5 % 67, 1 + width * 13 % 90, 2, width, 1, 1, (rk_q8_result)result, (int)width % 4,
          (int)width % 16);
      if (width % 3 == 0)
        product(
            3 + width, 17 + width, 3, width, 3, 1 + width % 2, (rk_q8_result)result, 0, (int)(width * 7) % 16);
    }
    product(512, 40, 1, 3, 1, 1, (rk_q8_result)result, 0, 5);
    for (int mode = 16; mode < 48; mode += 5)
      product(39 + mode, 20, 2, 1 + mode % 9, 1 + mode % 3, 1, (rk_q8_result)result, 0, mode);
    for (ptrdiff_t channels = 1; channels <= 70; channels += 3)
      depthwise(channels, 1 + channels % 11, 1 + channels % 5, (rk_q8_result)result, (int)channels % 4, (int)channels % 4);
    for (int kind = 0; kind <= VK_SCALED_SILU; kind++)
      if (result == RK_Q8_FLOAT || may_be_bytes(kind)) {
        product(32, 33, 3, 7, 3, 1, (rk_q8_result)result, kind, kind);
        depthwise(20, 9, 3, (rk_q8_result)result, kind, kind);
      }
  }
}

// MARK: - Between products

void drive_int8_others(void) {
  const uint8_t *sample = some_bytes(256);
  uint8_t table[256];
  memcpy(table, sample, 256);
  release();
  for (ptrdiff_t n = 0; n <= 150; n += n < 70 ? 1 : 5) {
    const long count = (long)n;
    uint8_t *x = some_bytes(n), *y = some_bytes(n), *z = bytes(n);
    rk_q8_table(x, z, n, copy(table, 256));
    record(BYTES, z, n, 0, "rk_q8_table %ld", count);
    rk_q8_table(z, z, n, copy(table, 256));
    record(BYTES, z, n, 0, "rk_q8_table in place, %ld", count);
    float *numbers = some_floats(n, 90), *wide = floats(n);
    for (ptrdiff_t i = 0; i < n; i++) {
      // Ties, and what is farther away than any integer.
      if (draw_below(3) == 0) numbers[i] = (float)draw_below(400) * 0.25f - 50;
      if (draw_below(9) == 0) numbers[i] = special_floats[draw_below(special_count)];
    }
    for (int is_signed = 0; is_signed < 2; is_signed++) {
      rk_quantize_f32(numbers, z, n, 0.5f, is_signed ? 3 : 130, is_signed);
      record(BYTES, z, n, 0, "rk_quantize_f32 %ld, signed %d", count, is_signed);
      rk_dequantize_f32(x, wide, n, 0.37f, is_signed ? -3 : 130, is_signed);
      record(EXACT, wide, n, 0, "rk_dequantize_f32 %ld, signed %d", count, is_signed);
    }
    for (int op = RK_ADD; op <= RK_DIV && n > 0; op++)
      for (int steps = 0; steps < 4; steps++) {
        const rk_q8_range a = {0.11f, 120}, b = {0.07f, 3}, to = {0.2f, 100};
        rk_q8_binary((rk_binary_op)op, x, steps & 1, a, y, steps >> 1, b, z, to, n);
        record(BYTES, z, n, 0, "rk_q8_binary op %d, steps %d, %ld", op, steps, count);
      }
    rk_q8_max(x, y, n);
    record(BYTES, y, n, 0, "rk_q8_max %ld", count);
    const ptrdiff_t pitch = n + 3, rows = 5;
    const uint8_t *matrix = some_bytes((rows - 1) * pitch + n);
    int32_t *sums = ints(n);
    for (ptrdiff_t i = 0; i < n; i++) sums[i] = (int32_t)i;
    rk_q8_column_sums(matrix, rows, pitch, sums, n);
    record(INTS, sums, n, 0, "rk_q8_column_sums %ld", count);
    release();
  }
  static const ptrdiff_t sizes[] = {1, 3, 15, 16, 17, 31, 32, 33, 47, 48, 65};
  for EACH(r, sizes)
    for EACH(c, sizes)
      for (int layout = 0; layout < 3; layout++) {
        // Neighbours of a row side by side, those of a column, and neither.
        const ptrdiff_t rows = sizes[r], columns = sizes[c], room = layout == 2 ? 2 : 1;
        const ptrdiff_t x_row = layout == 1 ? 1 : columns * room + 3, x_column = layout == 1 ? rows + 3 : room;
        const ptrdiff_t y_pitch = columns + 2, count = (rows - 1) * y_pitch + columns;
        const uint8_t *x = some_bytes((rows - 1) * x_row + (columns - 1) * x_column + 1);
        uint8_t *y = bytes(count);
        rk_q8_gather(x, x_row, x_column, y, y_pitch, rows, columns, layout == 1 ? 128 : 0);
        record(BYTES, y, count, 0, "rk_q8_gather %ldx%ld layout %d", (long)rows, (long)columns, layout);
        release();
      }
}
